//! Derivatives shared by densities that are functions of invariants.
//!
//! $$ I_1 = \|F\|^2, \qquad I_2 = \|\mathrm{cof} F\|^2, \qquad J = \det F $$
//!
//! With $f = \mathrm{vec} F$, $g = \mathrm{vec}\,\mathrm{cof} F = \partial J/\partial F$ and
//! $q = \partial I_2/\partial F = 2(I_1 F - F F^T F)$, the tangent of $\Psi(I_1, J)$ is
//!
//! $$ T = c\,I + s\,\frac{\partial g}{\partial F} + a_{ff} f f^T + a_{gg}\, g g^T, \qquad
//!    c = 2\Psi_1,\; s = \Psi_J,\; a_{ff} = 4\Psi_{11},\; a_{gg} = \Psi_{JJ} $$
//!
//! ([`TwoInvariants`]); a mixed term and `I₂` add to it ([`ThreeInvariants`]). Written with the cofactor
//! instead of $J F^{-T}$, all of it is defined where `F` is singular.

use super::projection::Spectrum;
use super::{DirectionalBlocks, symmetric_blocks};
use crate::math::{Matrix3, Matrix9, Vector3};

/// Bilinear cofactor. `cofactor(F, F)` is `∂J/∂F`; unlike `J F⁻ᵀ`, it is defined
/// where `F` is singular, and its change `(F, dF) + (dF, F)` cancels no digits.
pub(crate) fn cofactor(A: &Matrix3, B: &Matrix3) -> Matrix3 {
    let column = |k: usize| A.column((k + 1) % 3).cross(&B.column((k + 2) % 3));
    Matrix3::from_columns(&[column(0), column(1), column(2)])
}

/// Coefficients of the tangent of a density `Ψ(I₁, J)` without mixed term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoInvariants {
    pub(crate) c: f64,
    pub(crate) s: f64,
    pub(crate) ff: f64,
    pub(crate) gg: f64,
}

impl TwoInvariants {
    pub(crate) fn tangent(&self, F: &Matrix3, cof: &Matrix3) -> Matrix9 {
        let (f, g) = (F.as_slice(), cof.as_slice());
        let mut T = Matrix9::zeros();
        for j in 0..9 {
            let (x, y) = (self.ff * f[j], self.gg * g[j]);
            for i in 0..9 {
                T[(i, j)] = f[i] * x + g[i] * y;
            }
            T[(j, j)] += self.c;
        }
        for k in 0..3 {
            // ∂(f_j × f_k)/∂f_j = −[f_k]×: column i of the cofactor against column j of F.
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let w = F.column(k) * self.s;
            let (i, j) = (3 * i, 3 * j);
            for (row, column, x) in [
                (1, 2, w[0]),
                (2, 1, -w[0]),
                (2, 0, w[1]),
                (0, 2, -w[1]),
                (0, 1, w[2]),
                (1, 0, -w[2]),
            ] {
                T[(i + row, j + column)] += x;
                T[(j + column, i + row)] += x;
            }
        }
        T
    }

    /// The same along rest-space directions `d`, without forming the 9×9 matrix.
    pub(crate) fn directional_tangent(
        &self,
        F: &Matrix3,
        cof: &Matrix3,
        d: &[Vector3; 3],
    ) -> DirectionalBlocks {
        let (u, v) = (d.map(|d| F * d), d.map(|d| cof * d));
        symmetric_blocks(|a, b| {
            let mut K = u[a] * (u[b] * self.ff).transpose() + v[a] * (v[b] * self.gg).transpose();
            let c = self.c * d[a].dot(&d[b]);
            K[(0, 0)] += c;
            K[(1, 1)] += c;
            K[(2, 2)] += c;
            if a != b {
                // Minus the cross-product matrix of F (d_a × d_b).
                let w = F * d[a].cross(&d[b]) * self.s;
                K[(1, 2)] += w[0];
                K[(2, 1)] -= w[0];
                K[(2, 0)] += w[1];
                K[(0, 2)] -= w[1];
                K[(0, 1)] += w[2];
                K[(1, 0)] -= w[2];
            }
            K
        })
    }

    pub(crate) fn spectrum(&self, sigma: &Vector3) -> Spectrum {
        let j = volume_gradient(sigma);
        let stretch = sigma * (sigma * self.ff).transpose()
            + j * (j * self.gg).transpose()
            + volume_hessian(sigma) * self.s
            + Matrix3::from_diagonal_element(self.c);
        Spectrum {
            twist: sigma.map(|s| self.c + self.s * s),
            flip: sigma.map(|s| self.c - self.s * s),
            stretch,
        }
    }
}

/// Coefficients of the tangent of a density `Ψ(I₁, I₂, J)` that is linear in `I₂`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeInvariants {
    pub(crate) two: TwoInvariants,
    /// `2 Ψ_1J`, of `f gᵀ + g fᵀ`.
    pub(crate) fg: f64,
    /// `Ψ_2`, of `∂²I₂/∂F²`.
    pub(crate) second: f64,
    /// `Ψ_2J`, of `q gᵀ + g qᵀ`.
    pub(crate) qg: f64,
}

impl ThreeInvariants {
    pub(crate) fn tangent(&self, F: &Matrix3, cof: &Matrix3) -> Matrix9 {
        let mut T = self.two.tangent(F, cof);
        let (C, B) = (F.transpose() * F, F * F.transpose());
        let I1 = C.trace();
        // The mixed terms share g: (fg f + qg q) gᵀ and its transpose.
        let mixed = F * self.fg + (F * I1 - B * F) * (2.0 * self.qg);
        let (m, g) = (mixed.as_slice(), cof.as_slice());
        for j in 0..9 {
            for i in 0..9 {
                T[(i, j)] += m[i] * g[j] + g[i] * m[j];
            }
        }
        for j in 0..3 {
            for i in 0..3 {
                let (fi, fj) = (F.column(i), F.column(j));
                let mut block = fi * fj.transpose() * 2.0
                    - fj * fi.transpose()
                    - Matrix3::from_diagonal_element(C[(i, j)]);
                if i == j {
                    block += Matrix3::from_diagonal_element(I1) - B;
                }
                let mut view = T.fixed_view_mut::<3, 3>(3 * i, 3 * j);
                view += block * (2.0 * self.second);
            }
        }
        T
    }

    pub(crate) fn spectrum(&self, sigma: &Vector3) -> Spectrum {
        let mut spectrum = self.two.spectrum(sigma);
        let j = volume_gradient(sigma);
        let sum_sq = sigma.norm_squared();
        let q = sigma.map(|s| 2.0 * s * (sum_sq - s * s));
        let mixed = sigma * self.fg + q * self.qg;
        spectrum.stretch += mixed * j.transpose() + j * mixed.transpose();
        for k in 0..3 {
            let s = sigma[k];
            spectrum.twist[k] += 2.0 * self.second * (j[k] + s * s);
            spectrum.flip[k] += 2.0 * self.second * (s * s - j[k]);
            for l in 0..3 {
                let second = if k == l { 2.0 * (sum_sq - s * s) } else { 4.0 * s * sigma[l] };
                spectrum.stretch[(k, l)] += self.second * second;
            }
        }
        spectrum
    }
}

/// `∂J/∂σ`: entry `k` is the product of the other two.
fn volume_gradient(s: &Vector3) -> Vector3 {
    Vector3::new(s[1] * s[2], s[2] * s[0], s[0] * s[1])
}

/// `∂²J/∂σ²`.
fn volume_hessian(s: &Vector3) -> Matrix3 {
    Matrix3::new(0.0, s[2], s[1], s[2], 0.0, s[0], s[1], s[0], 0.0)
}
