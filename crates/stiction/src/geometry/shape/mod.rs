//! Convex shapes in their own frame, and compounds of them: what rigid bodies are made of.
//!
//! Centred on the origin where they have a centre, axes of symmetry along `y`. All but the half-space are a *core* (a
//! box, a cylinder or a hull; a point and a segment are boxes without width) and everything within a radius of it;
//! support functions, faces and moments are written once for the cores.
//!
//! | question | answer |
//! |---|---|
//! | how far it reaches | [`Convex::support`], [`Convex::bounding_box`] |
//! | how far a point is from it | [`distance`](fn@super::distance) |
//! | how heavy | [`Convex::moments`], and [`rigid`](crate::rigid) from there |
//! | how it looks | [`Convex::surface`] |
//! | what it touches | [`manifold`](super::manifold) |

mod compound;
mod core;
mod edges;
mod error;
mod hull;
mod moments;
mod surface;

pub use self::compound::{Compound, Part};
pub use self::error::ShapeError;
pub use self::hull::Hull;
pub use self::moments::Moments;

pub(crate) use self::core::{Core, Corner, Face, Looking, MAX_CORNERS, Rounded};
pub(crate) use self::edges::Edge;
pub(crate) use self::moments::of_triangles;

use super::Pose;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// A convex shape in its own frame; see [the module](self).
#[derive(Clone, Debug, PartialEq)]
pub enum Convex {
    /// A half-space: everything behind the plane is inside.
    Plane {
        /// Unit vector out of it.
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
    /// The convex hull of points.
    Hull(Hull),
}

impl Convex {
    /// A box with sharp edges of these lengths [m].
    pub fn cuboid(size: impl Into<Vector3>) -> Self {
        Self::Box { size: size.into(), rounding: 0.0 }
    }

    /// Refuses lengths that make no shape. Contacts of what this refuses are finite still, but may mean little.
    ///
    /// # Errors
    /// When a length is not finite and above zero, a normal is no unit vector, or a rounding has no room.
    pub fn check(&self) -> Result<(), ShapeError> {
        let positive = |shape, name, length: f64| {
            if length.is_finite() && length > 0.0 {
                return Ok(());
            }
            Err(ShapeError::Length { shape, name, length })
        };
        match *self {
            Self::Plane { normal, offset } => {
                if offset.is_finite() && (normal.norm() - 1.0).abs() < 1e-9 {
                    return Ok(());
                }
                Err(ShapeError::Plane { normal: normal.into(), offset })
            }
            Self::Sphere { radius } => positive("sphere", "radius", radius),
            Self::Box { size, rounding } => {
                size.iter().try_for_each(|s| positive("box", "size", *s))?;
                if rounding >= 0.0 && 2.0 * rounding <= size.min() {
                    return Ok(());
                }
                Err(ShapeError::Rounding { rounding, most: 0.5 * size.min() })
            }
            Self::Capsule { radius, length } => {
                positive("capsule", "radius", radius)?;
                positive("capsule", "length", length)
            }
            Self::Cylinder { radius, length } => {
                positive("cylinder", "radius", radius)?;
                positive("cylinder", "length", length)
            }
            Self::Hull(_) => Ok(()),
        }
    }

    /// The point of the shape that is farthest along `direction`, which need not have length one [m]; nothing for
    /// half-spaces, which have no end.
    pub fn support(&self, direction: &Vector3) -> Option<Vector3> {
        let rounded = self.rounded()?;
        let out = direction.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
        Some(rounded.core.support(direction).x + out * rounded.radius)
    }

    /// The smallest box along the axes of the world that holds the shape; for a half-space, all of the world.
    pub fn bounding_box(&self, pose: &Pose) -> BoundingBox {
        let Some(Rounded { core, radius }) = self.rounded() else {
            let all = Vector3::repeat(f64::INFINITY);
            return BoundingBox { min: -all, max: all };
        };
        let BoundingBox { min, max } = core.bounding_box(pose);
        BoundingBox { min: min.add_scalar(-radius), max: max.add_scalar(radius) }
    }

    /// Radius of the largest ball inside [m]: how deep a point may get before it is nearer to another side. Nothing for
    /// hulls.
    pub fn inradius(&self) -> Option<f64> {
        match self {
            Self::Plane { .. } => Some(f64::INFINITY),
            Self::Sphere { radius } | Self::Capsule { radius, .. } => Some(*radius),
            Self::Box { size, .. } => Some(0.5 * size.min()),
            Self::Cylinder { radius, length } => Some(radius.min(0.5 * length)),
            Self::Hull(_) => None,
        }
    }

    /// The core and the radius around it; nothing for a half-space.
    pub(crate) fn rounded(&self) -> Option<Rounded<'_>> {
        let (core, radius) = match *self {
            Self::Plane { .. } => return None,
            Self::Sphere { radius } => (Core::Box { half: Vector3::zeros() }, radius),
            Self::Box { size, rounding } => {
                // Rounding may leave a little less than nothing of it.
                (Core::Box { half: size.map(|s| (0.5 * s - rounding).max(0.0)) }, rounding)
            }
            Self::Capsule { radius, length } => {
                (Core::Box { half: Vector3::new(0.0, 0.5 * length, 0.0) }, radius)
            }
            Self::Cylinder { radius, length } => {
                (Core::Cylinder { radius, half_length: 0.5 * length }, 0.0)
            }
            Self::Hull(ref hull) => (Core::Hull(hull), 0.0),
        };
        Some(Rounded { core, radius })
    }
}
