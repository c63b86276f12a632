//! Rigid bodies: a closed surface, and what is inside it.

use super::{Deformable, Shape};
use crate::geometry::Pose;
use crate::geometry::shape::Convex;
use crate::math::Vector3;
use crate::mesh::{Transform, TriMesh};
use crate::rigid::{MassError, MassProperties};

/// What a rigid body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matter {
    /// Of everything inside the surface [kg/m³].
    pub density: f64,
    /// Mass, centre and inertia in the frame of the mesh, if they do not follow from the density.
    pub properties: Option<MassProperties>,
}

impl Matter {
    /// As heavy as water.
    pub const WATER: Self = Self::of_density(1000.0);

    /// The same everywhere inside the surface [kg/m³].
    pub const fn of_density(density: f64) -> Self {
        Self { density, properties: None }
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
        let convex = Convex::of(shape).ok_or(MassError::Endless)?;
        let properties = MassProperties::of_shape(&convex, Matter::WATER.density)?;
        let surface = convex.surface(segments).ok_or(MassError::Endless)?;
        Ok(Self::with(surface, Matter { properties: Some(properties), ..Matter::WATER }))
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
        let matter = Matter { density: properties.mass() / volume, properties: Some(properties) };
        Ok(Self::with(surface, matter))
    }

    /// Mass, centre and inertia where it is placed.
    ///
    /// # Errors
    /// When its surface is not closed, or it has no mass.
    pub fn properties(&self) -> Result<MassProperties, MassError> {
        let rest = self.mesh.transformed(&self.placement.stretch());
        let own = self.rest_properties(&rest.map_err(|_| MassError::NotFinite)?)?;
        let translation = self.placement.apply_rigid(&Vector3::zeros());
        Ok(own.placed(&Pose { translation, rotation: self.placement.rotation() }))
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
        let Matter { density: before, properties } = self.material;
        let scaled = properties.and_then(|p| {
            let factor = density / before;
            MassProperties::new(p.mass() * factor, p.center(), p.inertia() * factor).ok()
        });
        self.material = Matter { density, properties: scaled };
        self
    }
}
