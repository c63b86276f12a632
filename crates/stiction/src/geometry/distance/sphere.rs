//! Distance from a ball.

use super::skeleton::around;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// From the ball of this radius [m]; its centre looks to `+x`.
pub fn distance(radius: f64, x: Vector3) -> Jet {
    around(x, Matrix3::identity(), radius, Vector3::x())
}
