//! Distance from a half-space.

use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// From the plane with this unit normal, `offset` [m] along it from the origin.
pub fn distance(normal: Vector3, offset: f64, x: Vector3) -> Jet {
    Jet { value: normal.dot(&x) - offset, gradient: normal, hessian: Matrix3::zeros() }
}
