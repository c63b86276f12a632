//! Distance from points, lines and faces of a skeleton, which a round shape is an offset of.
//!
//! With `v` from the nearest point of the skeleton to `x`, `l = |v|` and `n = v/l`, the distance to the surface at
//! radius `r` around the skeleton has
//!
//! $$ d = l - r, \qquad \nabla d = n, \qquad \nabla^2 d = (P - n n^T)/l $$
//!
//! where `P` projects on the directions in which the skeleton does not extend: all of them around a point, two
//! around a line, one around a face.

use super::NO_LENGTH;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// The distance to the surface at `radius` [m] around the skeleton, at `v` from its nearest point [m].
///
/// `across` projects on the directions across the skeleton; `otherwise` is the unit gradient on the skeleton itself.
pub(super) fn around(v: Vector3, across: Matrix3, radius: f64, otherwise: Vector3) -> Jet {
    let l = v.norm();
    if l < NO_LENGTH {
        return Jet { value: -radius, gradient: otherwise, hessian: Matrix3::zeros() };
    }
    let n = v / l;
    Jet { value: l - radius, gradient: n, hessian: (across - n * n.transpose()) / l }
}
