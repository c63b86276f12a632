//! Obstacles: geometry with no unknowns of its own.
//!
//! Others touch them; they feel nothing, and move only as told.

use std::sync::Arc;

use super::{Cloud, Motion, Surface};
use crate::geometry::closed_surface::OpenSurfaceError;
use crate::geometry::distance::{self, torus};
use crate::geometry::distance_grid::{DistanceGridError, GridSettings};
use crate::geometry::shape::Convex;
use crate::geometry::{ClosedSurface, DistanceGrid, Jet};
use crate::math::Vector3;
use crate::mesh::{Transform, TriMesh};

/// Geometry that nothing moves but its own motion.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// For messages and output.
    pub name: Option<String>,
    /// Its surface, before placement.
    pub shape: Shape,
    /// Where it starts.
    pub placement: Transform,
    /// How it moves.
    pub motion: Motion,
    /// How a mesh or a cloud is smoothed.
    pub surface: Surface,
}

/// A surface, centred on the origin where it has a centre; axes of symmetry along `y`.
///
/// [`Shape::distance`] measures all but meshes and clouds: grids about, others exactly.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A half-space: everything behind the plane is inside.
    Plane {
        /// Unit vector out of the obstacle.
        normal: Vector3,
        /// Distance of the plane from the origin along the normal [m].
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// [m].
        radius: f64,
    },
    /// A box along the axes with rounded edges and corners.
    Box {
        /// Edge lengths, rounding included [m].
        size: Vector3,
        /// Radius of edges and corners, at most half the shortest edge; zero leaves them sharp [m].
        rounding: f64,
    },
    /// A cylinder along `y` with hemispherical ends.
    Capsule {
        /// [m].
        radius: f64,
        /// Between the centres of the ends [m].
        length: f64,
    },
    /// A cylinder along `y` with flat ends.
    Cylinder {
        /// [m].
        radius: f64,
        /// Between the ends [m].
        length: f64,
    },
    /// A ring around `y`.
    Torus {
        /// From the centre to the middle of the tube [m].
        ring_radius: f64,
        /// Of the tube [m].
        tube_radius: f64,
    },
    /// Any surface.
    Mesh(TriMesh),
    /// Points of any surface.
    Points(Cloud),
    /// A closed surface, known by its distance on a grid: as fast for any number of triangles, inside known however
    /// deep, edges rounded by about a cell. Stretched alike along all axes only.
    Grid(Gridded),
}

impl Shape {
    /// The same as a convex shape; nothing for those that are not convex, or have no closed form.
    pub fn convex(&self) -> Option<Convex> {
        match *self {
            Self::Plane { normal, offset } => Some(Convex::Plane { normal, offset }),
            Self::Sphere { radius } => Some(Convex::Sphere { radius }),
            Self::Box { size, rounding } => Some(Convex::Box { size, rounding }),
            Self::Capsule { radius, length } => Some(Convex::Capsule { radius, length }),
            Self::Cylinder { radius, length } => Some(Convex::Cylinder { radius, length }),
            Self::Torus { .. } | Self::Mesh(_) | Self::Points(_) | Self::Grid(_) => None,
        }
    }

    /// Distance of `x` [m] in its own frame; nothing for meshes and clouds, which have no closed form; on a grid,
    /// about.
    #[doc(alias("SDF", "signed distance"))]
    pub fn distance(&self, x: Vector3) -> Option<Jet> {
        match self {
            Self::Torus { ring_radius, tube_radius } => {
                Some(torus::distance(*ring_radius, *tube_radius, x))
            }
            Self::Grid(gridded) => Some(gridded.grid().jet(&x)),
            shape => distance::distance(&shape.convex()?, x),
        }
    }
}

/// A closed surface with its distances on a grid; copies share them.
#[derive(Clone, Debug)]
pub struct Gridded {
    mesh: Arc<TriMesh>,
    grid: Arc<DistanceGrid>,
}

/// Why a surface has no grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GriddedError {
    /// It has no inside.
    #[error(transparent)]
    Surface(#[from] OpenSurfaceError),
    /// The grid makes no sense.
    #[error(transparent)]
    Grid(#[from] DistanceGridError),
}

impl Gridded {
    /// Samples the distance of a surface.
    ///
    /// # Errors
    /// When the settings make no sense.
    pub fn new(surface: &ClosedSurface, settings: &GridSettings) -> Result<Self, GriddedError> {
        Self::with_grid(surface, DistanceGrid::from_surface(surface, settings)?)
    }

    /// Takes up distances of a surface that were sampled before.
    ///
    /// # Errors
    /// When the surface has no inside.
    pub fn with_grid(surface: &ClosedSurface, grid: DistanceGrid) -> Result<Self, GriddedError> {
        Ok(Self { mesh: Arc::new(surface.mesh()?), grid: Arc::new(grid) })
    }

    /// The surface, as it was repaired.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Its distances.
    pub fn grid(&self) -> &DistanceGrid {
        &self.grid
    }
}

impl Obstacle {
    /// An obstacle that stays where it is.
    pub fn new(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            placement: Transform::identity(),
            motion: Motion::Still,
            surface: Surface::default(),
        }
    }

    /// A half-space below the plane with this normal, `offset` from the origin along it [m].
    pub fn plane(normal: impl Into<Vector3>, offset: f64) -> Self {
        Self::new(Shape::Plane { normal: normal.into().normalize(), offset })
    }

    /// Gives it a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Moves its origin to `position` [m].
    #[must_use]
    pub fn at(mut self, position: impl Into<Vector3>) -> Self {
        self.placement = self.placement.with_translation(position.into());
        self
    }

    /// Moves it in time.
    #[must_use]
    pub fn motion(mut self, motion: Motion) -> Self {
        self.motion = motion;
        self
    }

    /// Smooths its mesh or cloud in another way than the default one.
    #[must_use]
    pub fn surface(mut self, surface: Surface) -> Self {
        self.surface = surface;
        self
    }

    /// Whether all lengths are finite and make a shape.
    pub fn is_valid(&self) -> bool {
        let positive = |lengths: &[f64]| lengths.iter().all(|l| l.is_finite() && *l > 0.0);
        let placed = self.placement.apply(&Vector3::repeat(1.0));
        self.motion.is_valid()
            && placed.iter().all(|c| c.is_finite())
            && match &self.shape {
                Shape::Torus { ring_radius, tube_radius } => {
                    positive(&[*ring_radius, *tube_radius]) && tube_radius < ring_radius
                }
                Shape::Grid(_) => {
                    let scale = self.placement.stretch().apply(&Vector3::repeat(1.0));
                    scale.max() - scale.min() <= 1e-12 * scale.max()
                }
                shape => shape.convex().is_none_or(|convex| convex.check().is_ok()),
            }
    }
}
