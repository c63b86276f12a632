//! Rigid bodies: a closed surface, and what is inside it.

use std::sync::Arc;

use super::{Deformable, Shape};
use crate::geometry::Pose;
use crate::geometry::shape::{Compound, Convex, Part};
use crate::math::Vector3;
use crate::mesh::{Transform, TriMesh};
use crate::rigid::{MassError, MassProperties};

/// What a rigid body is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Matter {
    /// Of everything inside the surface [kg/m³].
    pub density: f64,
    /// Mass, centre and inertia in the frame of the mesh, if they do not follow from the density.
    pub properties: Option<MassProperties>,
    /// The exact shape of its surface in the frame of the mesh, if it is made of convex ones: for methods that ask.
    pub shape: Option<Arc<Compound>>,
}

impl Matter {
    /// As heavy as water.
    pub const WATER: Self = Self::of_density(1000.0);

    /// The same everywhere inside the surface [kg/m³].
    pub const fn of_density(density: f64) -> Self {
        Self { density, properties: None, shape: None }
    }
}

/// A body that moves but does not deform.
///
/// ```
/// use stiction::body::{Rigid, Shape};
///
/// let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 36)?.density(7800.0).at([0.0, 1.0, 0.0]);
/// # Ok::<(), stiction::rigid::MassError>(())
/// ```
pub type Rigid = Deformable<3, Matter>;

impl Rigid {
    /// What a closed surface encloses, as heavy as water.
    pub fn new(surface: TriMesh) -> Self {
        Self::with(surface, Matter::WATER)
    }

    /// A convex shape as heavy as water, with `segments` edges around a circle. Its mass is that of the true shape.
    ///
    /// # Errors
    /// When the shape has no mass: half-spaces, meshes and clouds, rings, and what has a length of zero.
    pub fn shape(shape: &Shape, segments: usize) -> Result<Self, MassError> {
        Self::convex(shape.convex().ok_or(MassError::Endless)?, segments)
    }

    /// The same of a convex shape.
    ///
    /// # Errors
    /// When the shape has no mass.
    pub fn convex(convex: Convex, segments: usize) -> Result<Self, MassError> {
        let properties = MassProperties::of_shape(&convex, Matter::WATER.density)?;
        let surface = convex.surface(segments).ok_or(MassError::Endless)?;
        let matter = Matter { properties: Some(properties), ..Matter::WATER };
        Ok(Self::with(surface, matter).shaped(Compound::from(convex)))
    }

    /// Says what shape the surface really has.
    #[must_use]
    pub fn shaped(mut self, shape: Compound) -> Self {
        self.material.shape = Some(Arc::new(shape));
        self
    }

    /// Its exact shape where it is placed, if it has one; what is stretched has none.
    pub(crate) fn placed_parts(&self) -> Option<Vec<Part>> {
        let pose = self.pose();
        let shape = self.material.shape.as_ref();
        let shape = shape.filter(|_| self.placement.stretch() == Transform::identity())?;
        let part = |part: &Part| Part { shape: part.shape.clone(), pose: pose * part.pose };
        Some(shape.parts().iter().map(part).collect())
    }

    /// Where it is placed, the points that it is round about, with radii, and whether they are centres of balls:
    /// nothing if some of it is not round.
    pub(crate) fn cores(&self) -> Option<Vec<(Vector3, f64, bool)>> {
        let mut cores = Vec::new();
        for Part { shape, pose } in self.placed_parts()? {
            match shape {
                Convex::Sphere { radius } => {
                    cores.push((pose.apply(&Vector3::zeros()), radius, true))
                }
                Convex::Capsule { radius, length } => {
                    let ends =
                        [-0.5, 0.5].map(|end| pose.apply(&Vector3::new(0.0, end * length, 0.0)));
                    cores.extend(ends.map(|end| (end, radius, false)));
                }
                _ => return None,
            }
        }
        Some(cores)
    }

    /// Whether it is the convex hull of its vertices, and nobody asked for another surface.
    pub(crate) fn is_hull(&self) -> bool {
        let hull = |parts: &[Part]| matches!(parts, [Part { shape: Convex::Hull(_), .. }]);
        let shape = self.material.shape.as_ref();
        shape.is_some_and(|shape| hull(shape.parts())) && self.surface.edges.is_none()
    }

    fn pose(&self) -> Pose {
        let translation = self.placement.apply_rigid(&Vector3::zeros());
        Pose::new(translation, self.placement.rotation())
    }

    /// Several bodies as one, each where it is placed. What lies in two of them counts twice.
    ///
    /// # Errors
    /// When there are none, when one has no mass, or when lengths overflow.
    pub fn joined(parts: &[Self]) -> Result<Self, MassError> {
        let Some(first) = parts.first() else { return Err(MassError::Mass { mass: 0.0 }) };
        let placed = |part: &Self| part.mesh.transformed(&part.placement);
        let mut surface = placed(first).map_err(|_| MassError::NotFinite)?;
        for part in &parts[1..] {
            let added = placed(part).and_then(|mesh| surface.append(&mesh));
            added.map_err(|_| MassError::NotFinite)?;
        }
        let masses: Vec<MassProperties> =
            parts.iter().map(Self::properties).collect::<Result<_, _>>()?;
        let properties = MassProperties::sum(&masses)?;
        let volume: f64 =
            parts.iter().zip(&masses).map(|(p, m)| m.mass() / p.material.density).sum();
        let shape = parts.iter().map(Self::placed_parts).collect::<Option<Vec<_>>>();
        let shape = shape.and_then(|parts| Compound::new(parts.concat()).ok()).map(Arc::new);
        let density = properties.mass() / volume;
        Ok(Self::with(surface, Matter { density, properties: Some(properties), shape }))
    }

    /// Mass, centre and inertia where it is placed.
    ///
    /// # Errors
    /// When its surface is not closed, or it has no mass.
    pub fn properties(&self) -> Result<MassProperties, MassError> {
        let rest = self.mesh.transformed(&self.placement.stretch());
        let own = self.rest_properties(&rest.map_err(|_| MassError::NotFinite)?)?;
        Ok(own.placed(&self.pose()))
    }

    /// The same of its rest shape, stretched but neither turned nor moved.
    pub(crate) fn rest_properties(&self, rest: &TriMesh) -> Result<MassProperties, MassError> {
        match self.material.properties {
            Some(properties) if self.placement.stretch() == Transform::identity() => Ok(properties),
            _ => MassProperties::of_surface(rest, self.material.density),
        }
    }

    /// Made of something of this density, on the average if it is of several [kg/m³].
    #[must_use]
    pub fn density(mut self, density: f64) -> Self {
        let Matter { density: before, properties, .. } = self.material;
        let scaled = properties.and_then(|p| {
            let factor = density / before;
            MassProperties::new(p.mass() * factor, p.center(), p.inertia() * factor).ok()
        });
        (self.material.density, self.material.properties) = (density, scaled);
        self
    }
}
