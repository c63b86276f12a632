//! The point of a segment nearest to another.

use super::Closest;
use crate::math::Vector3;

/// The point of the segment `b` that is nearest to `x`; its start, if it has no length.
pub fn closest_point_segment(x: Vector3, b: &[Vector3; 2]) -> Closest<1, 2> {
    let t = place(b[1] - b[0], x - b[0]);
    Closest::new(&[x], b, [1.0], [1.0 - t, t])
}

/// Where along `edge` the point at `x` from its start is nearest: from zero to one.
pub(crate) fn place(edge: Vector3, x: Vector3) -> f64 {
    let (along, length_sq) = (edge.dot(&x), edge.norm_squared());
    // Also for an edge without length, and if the quotient were NaN.
    if along > 0.0 && length_sq > 0.0 { (along / length_sq).min(1.0) } else { 0.0 }
}
