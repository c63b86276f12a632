//! Distance from a capsule: the surface at a constant distance around a segment.

use super::skeleton::around;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// From the capsule along `y` with this radius and distance between the centres of its ends [m]; its axis looks
/// to `+x`.
pub fn distance(radius: f64, length: f64, x: Vector3) -> Jet {
    let end = 0.5 * length;
    let beside = x.y.abs() <= end;
    let v = Vector3::new(x.x, x.y - x.y.clamp(-end, end), x.z);
    let along = if beside { 0.0 } else { 1.0 };
    around(v, Matrix3::from_diagonal(&Vector3::new(1.0, along, 1.0)), radius, Vector3::x())
}
