//! Exact signed distances to simple shapes, with gradient and Hessian.
//!
//! The gradient is a unit vector everywhere. Where several surface points are equally near (centres, axes,
//! medial surfaces) the distance has a kink: one of the nearest points is chosen, always the same, and curvature
//! that would be infinite is left out. Nothing returned is ever infinite or NaN for finite points.
//!
//! | shape | nearest to |
//! |---|---|
//! | [`plane`] | a plane |
//! | [`sphere`] | a point, then offset |
//! | [`rounded_box`] | a smaller box, then offset |
//! | [`capsule`] | a segment, then offset |
//! | [`cylinder`] | side, caps or rims |
//! | [`torus`] | a circle, then offset |

pub mod capsule;
pub mod cylinder;
pub mod plane;
pub mod rounded_box;
pub mod sphere;
pub mod torus;

mod revolution;
mod skeleton;

use super::Jet;
use super::shape::Convex;
use crate::math::Vector3;

/// Distance of `x` [m] from a shape in the shape's own frame; nothing for hulls, which have no closed form.
#[doc(alias("SDF", "signed distance"))]
pub fn distance(shape: &Convex, x: Vector3) -> Option<Jet> {
    match *shape {
        Convex::Plane { normal, offset } => Some(plane::distance(normal, offset, x)),
        Convex::Sphere { radius } => Some(sphere::distance(radius, x)),
        Convex::Box { size, rounding } => Some(rounded_box::distance(size, rounding, x)),
        Convex::Capsule { radius, length } => Some(capsule::distance(radius, length, x)),
        Convex::Cylinder { radius, length } => Some(cylinder::distance(radius, length, x)),
        Convex::Hull(_) => None,
    }
}

/// Lengths below are taken for zero [m]: their squares underflow, and one over them is no curvature to trust.
const NO_LENGTH: f64 = 1e-150;

/// Of a circle [1/m]; zero where it has no radius.
fn curvature(radius: f64) -> f64 {
    if radius < NO_LENGTH { 0.0 } else { 1.0 / radius }
}
