//! Rigid bodies: a closed surface, and what is inside it.

use super::{Deformable, Shape};
use crate::geometry::shape::Convex;
use crate::mesh::TriMesh;
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

    /// Made of something of this density [kg/m³].
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
