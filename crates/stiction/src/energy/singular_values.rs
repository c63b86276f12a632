//! Signed singular value decomposition of a 3×3 matrix.
//!
//! $$ F = U \,\mathrm{diag}(\sigma)\, V^T, \qquad \det U = \det V = +1, \qquad
//!    \sigma_0 \ge \sigma_1 \ge |\sigma_2| $$
//!
//! Both factors are rotations, so a reflection shows as a negative `σ₂`: the convention of
//! [ITF04], under which energies of inverted elements stay smooth.
//!
//! One-sided Jacobi: rotate pairs of columns of `F V` until all are orthogonal. Every singular value
//! comes out to high relative accuracy, and repeated or zero ones need no special case, which a
//! detour through the eigenvalues of `FᵀF` cannot offer.

use crate::math::{Matrix3, Vector3};

/// Sweeps over the three column pairs. Convergence is quadratic: 4 or 5 are used, more never were.
const MAX_SWEEPS: usize = 16;

/// `F = U diag(sigma) Vᵀ` with two rotations and one signed diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularValues {
    /// Rotation on the side of the deformed body.
    pub U: Matrix3,
    /// Singular values by falling magnitude; only the last may be negative.
    pub sigma: Vector3,
    /// Rotation on the side of the rest shape.
    pub V: Matrix3,
}

impl SingularValues {
    /// Decomposes `F`. Non-finite input gives non-finite output, in bounded time.
    pub fn new(F: &Matrix3) -> Self {
        let (A, V) = sorted(orthogonalised(F));
        let (a0, a1, a2) = (A.column(0), A.column(1), A.column(2));
        let (n0, n1) = (a0.norm(), a1.norm());
        let u0 = if n0 > 0.0 { a0 / n0 } else { Vector3::x() };
        // A column below rounding of the largest holds no direction worth keeping.
        let u1 = if n1 > f64::EPSILON * n0 { a1 / n1 } else { perpendicular(&u0) };
        let u2 = u0.cross(&u1);
        let sigma = Vector3::new(n0, n1, u2.dot(&a2));
        Self { U: Matrix3::from_columns(&[u0, u1, u2]), sigma, V }
    }

    /// The rotation nearest to `F`, also for inverted and flat `F`.
    pub fn rotation(&self) -> Matrix3 {
        self.U * self.V.transpose()
    }
}

/// `(F V, V)` with orthogonal columns of `F V`.
fn orthogonalised(F: &Matrix3) -> (Matrix3, Matrix3) {
    let mut a: [Vector3; 3] = std::array::from_fn(|k| F.column(k).into());
    let mut v = [Vector3::x(), Vector3::y(), Vector3::z()];
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (pp, qq, pq) = (a[p].norm_squared(), a[q].norm_squared(), a[p].dot(&a[q]));
            // The square of a few units of rounding.
            if pq * pq > 1e-31 * pp * qq {
                rotated = true;
                let (c, s) = annihilating_rotation(pp, qq, pq);
                (a[p], a[q]) = (a[p] * c - a[q] * s, a[p] * s + a[q] * c);
                (v[p], v[q]) = (v[p] * c - v[q] * s, v[p] * s + v[q] * c);
            }
        }
        if !rotated {
            break;
        }
    }
    (Matrix3::from_columns(&a), Matrix3::from_columns(&v))
}

/// Cosine and sine of the smaller rotation that makes `[pp pq; pq qq]` diagonal.
pub(super) fn annihilating_rotation(pp: f64, qq: f64, pq: f64) -> (f64, f64) {
    let (d, e) = (qq - pp, 2.0 * pq);
    let t = d.signum() * e / (d.abs() + (d * d + e * e).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    (c, c * t)
}

/// Sorts columns by falling length. Swapping negates one of the pair, which keeps `det V = 1`.
fn sorted((mut A, mut V): (Matrix3, Matrix3)) -> (Matrix3, Matrix3) {
    for (p, q) in [(0, 1), (0, 2), (1, 2)] {
        if A.column(p).norm_squared() < A.column(q).norm_squared() {
            for M in [&mut A, &mut V] {
                M.swap_columns(p, q);
                M.column_mut(q).neg_mut();
            }
        }
    }
    (A, V)
}

/// A unit vector perpendicular to the unit vector `u`.
fn perpendicular(u: &Vector3) -> Vector3 {
    let axis = if u.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
    u.cross(&axis).normalize()
}
