//! Damping that does not brake rotations.
//!
//! The Hessian of a stressed element resists rotation: its forces would turn with it. As a damping matrix
//! it would take angular momentum from a spinning body. So rotations are projected out,
//!
//! $$ D = (I - Q)\, K\, (I - Q), \qquad Q = R\, (R^T R)^{-1} R^T, \qquad R_a = -[x_a - c]_\times $$
//!
//! with `c` the mean of the points: `R ω` is the velocity field of a rotation, and translations cost nothing
//! already. `D` stays positive semi-definite, does not feel rigid motions, and so exerts no net force or torque. At
//! rest `K` does not resist rotations and `D = K`, as Rayleigh has it.

use super::Hessian;
use crate::math::{Matrix3, Vector3};

/// Projects rotations about the points `x` out of a symmetric Hessian that ignores translations.
pub fn without_rotations<const N: usize>(hessian: &Hessian<N>, x: &[Vector3; N]) -> Hessian<N> {
    let R = rotations(x);
    // A_b = Σ_a R_aᵀ K_ab and B = Σ_b A_b R_b, with orthonormal columns in R.
    let A: [Matrix3; N] =
        std::array::from_fn(|b| (0..N).map(|a| R[a].tr_mul(&hessian[a][b])).sum());
    let B: Matrix3 = (0..N).map(|b| A[b] * R[b]).sum();
    std::array::from_fn(|a| {
        std::array::from_fn(|b| {
            let (left, right) = (R[a] * A[b], A[a].tr_mul(&R[b].transpose()));
            hessian[a][b] - left - right + R[a] * B * R[b].transpose()
        })
    })
}

/// Velocity fields of rotations about the mean of the points, as orthonormal columns. Points on a line have
/// no rotation about it: that column is zero.
fn rotations<const N: usize>(x: &[Vector3; N]) -> [Matrix3; N] {
    let center = x.iter().sum::<Vector3>() / N as f64;
    let arms = x.map(|x| x - center);
    let size = arms.iter().map(Vector3::norm_squared).sum::<f64>().sqrt();
    let mut columns = [[Vector3::zeros(); N]; 3];
    for k in 0..3 {
        let mut column = arms.map(|arm| Vector3::ith(k, 1.0).cross(&arm));
        // Twice is enough: the first pass leaves rounding errors, the second leaves none.
        for earlier in columns[..k].iter().chain(&columns[..k]) {
            let along: f64 = column.iter().zip(earlier).map(|(c, e)| c.dot(e)).sum();
            column.iter_mut().zip(earlier).for_each(|(c, e)| *c -= e * along);
        }
        let length = column.iter().map(Vector3::norm_squared).sum::<f64>().sqrt();
        if length > 1e-8 * size {
            columns[k] = column.map(|c| c / length);
        }
    }
    std::array::from_fn(|a| Matrix3::from_columns(&columns.map(|column| column[a])))
}
