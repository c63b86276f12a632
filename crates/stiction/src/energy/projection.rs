//! Positive semi-definite projection of second derivatives.
//!
//! Minimisation wants the positive semi-definite matrix nearest to the tangent,
//!
//! $$ T^+ = \sum_i \max(\lambda_i, 0)\, m_i m_i^T = T + \sum_{\lambda_i < 0} |\lambda_i|\, m_i m_i^T . $$
//!
//! The second form only asks for negative eigenpairs and leaves a matrix that needs no help untouched.
//! A Cholesky factorisation, cheaper than any eigenvalue, decides whether there are any. For an
//! isotropic density the eigenpairs are known in closed form [ITF04, SGK19]: with the signed singular
//! values `F = UΣVᵀ` and `i, j, k` a permutation,
//!
//! | mode | eigenvalue |
//! |---|---|
//! | twist `U(eᵢeⱼᵀ − eⱼeᵢᵀ)Vᵀ/√2` | $(p_i + p_j)/(\sigma_i + \sigma_j)$ |
//! | flip `U(eᵢeⱼᵀ + eⱼeᵢᵀ)Vᵀ/√2` | $(p_i - p_j)/(\sigma_i - \sigma_j)$ |
//! | stretch `U diag(y) Vᵀ` | eigenpairs `y` of $A_{ij} = \partial^2\Psi/\partial\sigma_i\partial\sigma_j$ |
//!
//! where $p_i = \partial\Psi/\partial\sigma_i$. Models supply the quotients in forms that never divide
//! by a vanishing difference (`Spectrum`). Everything else goes through [`negative_modes_dense`].

use nalgebra::SMatrix;

use super::SingularValues;
use super::singular_values::annihilating_rotation;
use crate::math::{Matrix3, Vector3};

/// Eigenvalues above minus this fraction of the largest diagonal entry count as zero. At rest a
/// tangent has three zero eigenvalues (rotations) that rounding would otherwise make a coin toss.
const TOLERANCE: f64 = 1e-12;

/// True when `T` is positive semi-definite up to rounding. Reads the lower triangle only.
pub fn is_positive<const N: usize>(T: &SMatrix<f64, N, N>) -> bool {
    let mut L = *T;
    let largest = (0..N).fold(0.0_f64, |largest, i| largest.max(T[(i, i)]));
    for j in 0..N {
        let pivot = L[(j, j)] + TOLERANCE * largest;
        if pivot <= 0.0 || pivot.is_nan() {
            return largest == 0.0 && is_zero(T);
        }
        let inverse = 1.0 / pivot;
        for k in j + 1..N {
            let l = L[(k, j)] * inverse;
            for i in k..N {
                L[(i, k)] -= l * L[(i, j)];
            }
        }
    }
    true
}

fn is_zero<const N: usize>(T: &SMatrix<f64, N, N>) -> bool {
    T.iter().all(|&t| t == 0.0)
}

/// Eigenpairs with negative eigenvalues, as 3×C matrices `m` of unit norm.
#[derive(Clone, Copy, Debug)]
pub struct NegativeModes<const C: usize> {
    count: usize,
    /// `|λ|` of each mode.
    weights: [f64; 9],
    modes: [SMatrix<f64, 3, C>; 9],
}

impl<const C: usize> NegativeModes<C> {
    /// No negative mode.
    pub fn none() -> Self {
        Self { count: 0, weights: [0.0; 9], modes: [SMatrix::zeros(); 9] }
    }

    /// True when no eigenvalue is negative.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The pairs `(|λ|, m)`.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &SMatrix<f64, 3, C>)> {
        self.weights.iter().copied().zip(&self.modes).take(self.count)
    }

    /// Adds `|λ| m mᵀ` for every mode: negative eigenvalues become zero.
    pub fn lift<const N: usize>(&self, T: &mut SMatrix<f64, N, N>) {
        for (weight, mode) in self.iter() {
            let m = mode.as_slice();
            for j in 0..N {
                let scaled = weight * m[j];
                for i in 0..N {
                    T[(i, j)] += m[i] * scaled;
                }
            }
        }
    }

    /// Records a mode if its eigenvalue is negative.
    pub(crate) fn push(&mut self, eigenvalue: f64, mode: impl FnOnce() -> SMatrix<f64, 3, C>) {
        if eigenvalue < 0.0 {
            self.weights[self.count] = -eigenvalue;
            self.modes[self.count] = mode();
            self.count += 1;
        }
    }
}

/// Eigenvalues of the tangent of an isotropic density; entry `k` belongs to the pair without `k`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spectrum {
    /// `(pᵢ + pⱼ)/(σᵢ + σⱼ)` [Pa].
    pub(crate) twist: Vector3,
    /// `(pᵢ − pⱼ)/(σᵢ − σⱼ)` [Pa].
    pub(crate) flip: Vector3,
    /// `∂²Ψ/∂σᵢ∂σⱼ` [Pa].
    pub(crate) stretch: Matrix3,
}

/// The negative modes of an isotropic density.
pub(crate) fn negative_modes_isotropic(
    svd: &SingularValues,
    spectrum: &Spectrum,
) -> NegativeModes<3> {
    let mut modes = NegativeModes::none();
    let (u, v) = (svd.U, svd.V);
    let outer = |i: usize, j: usize| u.column(i) * v.column(j).transpose();
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        modes.push(spectrum.twist[k], || (outer(i, j) - outer(j, i)) * half);
        modes.push(spectrum.flip[k], || (outer(i, j) + outer(j, i)) * half);
    }
    if !is_positive(&spectrum.stretch) {
        let (values, vectors) = eigen_symmetric(&spectrum.stretch);
        for k in 0..3 {
            modes
                .push(values[k], || u * Matrix3::from_diagonal(&vectors.column(k)) * v.transpose());
        }
    }
    modes
}

/// The negative modes of any symmetric matrix on 3×C matrices, by a dense eigenvalue solver.
/// The slow twin of the closed forms, and the only way for densities that have none.
///
/// # Panics
/// When `N` is not `3 C`.
pub fn negative_modes_dense<const C: usize, const N: usize>(
    T: &SMatrix<f64, N, N>,
) -> NegativeModes<C> {
    assert_eq!(N, 3 * C, "a tangent on 3×{C} matrices has {} rows", 3 * C);
    let mut modes = NegativeModes::none();
    let (values, vectors) = eigen_symmetric(T);
    for k in 0..N {
        modes.push(values[k], || SMatrix::from_column_slice(vectors.column(k).as_slice()));
    }
    modes
}

/// `T` with its negative eigenvalues set to zero, by a dense eigenvalue solver.
pub fn clamp_dense<const N: usize>(T: &SMatrix<f64, N, N>) -> SMatrix<f64, N, N> {
    let (values, vectors) = eigen_symmetric(T);
    let mut clamped = *T;
    for k in (0..N).filter(|&k| values[k] < 0.0) {
        let m = vectors.column(k);
        clamped += m * m.transpose() * -values[k];
    }
    clamped
}

/// Eigenvalues and orthonormal eigenvectors (columns) of a symmetric matrix, by cyclic Jacobi
/// rotations: as accurate as the entries allow, in bounded time even when they are not finite.
pub fn eigen_symmetric<const N: usize>(T: &SMatrix<f64, N, N>) -> ([f64; N], SMatrix<f64, N, N>) {
    let (mut A, mut V) = (*T, SMatrix::<f64, N, N>::identity());
    let negligible = 1e-17 * T.norm();
    // Convergence is quadratic: about 6 sweeps for the sizes met here.
    for _ in 0..30 {
        let mut rotated = false;
        for p in 0..N {
            for q in p + 1..N {
                let (pp, qq, pq) = (A[(p, p)], A[(q, q)], A[(p, q)]);
                if pq.abs() > negligible {
                    rotated = true;
                    let (c, s) = annihilating_rotation(pp, qq, pq);
                    rotate_columns(&mut A, p, q, c, s);
                    rotate_rows(&mut A, p, q, c, s);
                    rotate_columns(&mut V, p, q, c, s);
                    (A[(p, q)], A[(q, p)]) = (0.0, 0.0);
                }
            }
        }
        if !rotated {
            break;
        }
    }
    (std::array::from_fn(|k| A[(k, k)]), V)
}

fn rotate_columns<const N: usize>(A: &mut SMatrix<f64, N, N>, p: usize, q: usize, c: f64, s: f64) {
    for i in 0..N {
        let (a, b) = (A[(i, p)], A[(i, q)]);
        (A[(i, p)], A[(i, q)]) = (c * a - s * b, s * a + c * b);
    }
}

fn rotate_rows<const N: usize>(A: &mut SMatrix<f64, N, N>, p: usize, q: usize, c: f64, s: f64) {
    for j in 0..N {
        let (a, b) = (A[(p, j)], A[(q, j)]);
        (A[(p, j)], A[(q, j)]) = (c * a - s * b, s * a + c * b);
    }
}
