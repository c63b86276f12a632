//! Distance from a box with rounded edges: the surface at a constant distance around a smaller sharp box.
//!
//! With `q = |x| − (size/2 − r)` by component, outside the smaller box only positive components count:
//! `d = |max(q, 0)| − r`. Inside of it the nearest face decides: `d = max(q_x, q_y, q_z) − r`.
//! Both are exact, for `r = 0` too.

use super::skeleton::around;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// From the box with these edge lengths, rounding included, and this radius of edges [m].
///
/// Between faces equally near, the first of `x`, `y`, `z` wins; halfway between opposite ones, the positive one.
pub fn distance(size: Vector3, rounding: f64, x: Vector3) -> Jet {
    let q = x.abs() - (size * 0.5).add_scalar(-rounding);
    let nearest = if q.x >= q.y && q.x >= q.z {
        0
    } else if q.y >= q.z {
        1
    } else {
        2
    };
    let mut face = Vector3::zeros();
    face[nearest] = sign(x[nearest]);
    if q[nearest] <= 0.0 {
        return Jet { value: q[nearest] - rounding, gradient: face, hessian: Matrix3::zeros() };
    }
    let v = q.zip_map(&x, |q, x| q.max(0.0) * sign(x));
    let across = Matrix3::from_diagonal(&q.map(|q| f64::from(q > 0.0)));
    around(v, across, rounding, face)
}

/// Not `signum`, which tells `-0.0` from `0.0`.
fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
