//! Neo-Hookean membrane.
//!
//! $$ \Psi(F) = \tfrac{\mu}{2} (\mathrm{tr}\, C - 2 - 2\ell) + \tfrac{\lambda}{2} \ell^2, \qquad
//!    C = F^T F, \quad \ell = \tfrac12 \ln\det C $$
//!
//! `F` deformation gradient (3×2), `ℓ` logarithm of the area ratio; `mu`, `lambda` Lamé
//! parameters of the sheet [N/m]: [`Lame::plane_stress`] for a sheet free to thin, [`Lame::new`] to
//! compare with codes that use the solid's `λ`. Infinite where the triangle has no area. `λ ≥ 0`.
//!
//! With `F⁺ = F C⁻¹` and the unit normal `n`,
//! $dP = \mu\,dF + \lambda (F^+{:}dF) F^+ + (\mu-\lambda\ell)(F^+ dF^T F^+ - n n^T dF\, C^{-1})$.
//! Principal stretches give the eigenpairs: twist, flip and two stretches in the plane as for a solid,
//! and out of it `n vᵢᵀ` with eigenvalue `pᵢ/σᵢ`.

use super::projection::{eigen_symmetric, is_positive};
use super::{Lame, MembraneDensity, NegativeModes};
use crate::math::{Matrix2, Matrix3, Matrix3x2, Matrix6, Vector2, Vector3};

/// Material constants; small strains obey Hooke's law with them as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneNeoHookean {
    mu: f64,     // [N/m]
    lambda: f64, // [N/m]
}

impl MembraneNeoHookean {
    /// Takes the Lamé parameters of the sheet as they are.
    pub fn new(sheet: Lame) -> Self {
        Self { mu: sheet.mu, lambda: sheet.lambda }
    }
}

impl MembraneDensity for MembraneNeoHookean {
    fn value(&self, F: &Matrix3x2) -> f64 {
        let C = F.transpose() * F;
        let det = C.determinant();
        if det > 0.0 {
            let log = 0.5 * det.ln();
            self.mu * (0.5 * (C.trace() - 2.0) - log) + 0.5 * self.lambda * log * log
        } else {
            f64::INFINITY
        }
    }

    fn stress(&self, F: &Matrix3x2) -> Matrix3x2 {
        let metric = Metric::new(F);
        F * self.mu + metric.dual * (self.lambda * metric.log - self.mu)
    }

    fn stress_change(&self, F: &Matrix3x2, dF: &Matrix3x2) -> Matrix3x2 {
        let Metric { inverse, dual, normal, log } = Metric::new(F);
        let out_of_plane = normal * (normal.transpose() * dF * inverse);
        let change = dual * dF.transpose() * dual - out_of_plane;
        dF * self.mu + dual * (self.lambda * dual.dot(dF)) + change * (self.mu - self.lambda * log)
    }

    fn tangent(&self, F: &Matrix3x2) -> Matrix6 {
        let Metric { inverse, dual, normal, log } = Metric::new(F);
        let nn = normal * normal.transpose();
        let k = self.mu - self.lambda * log;
        let block = |i: usize, j: usize| -> Matrix3 {
            let (pi, pj) = (dual.column(i), dual.column(j));
            pi * (pj * self.lambda).transpose() + pj * (pi * k).transpose()
                - nn * (k * inverse[(i, j)])
        };
        let shear = Matrix3::from_diagonal_element(self.mu);
        super::orthotropic_st_venant_kirchhoff::from_blocks(
            &(block(0, 0) + shear),
            &block(0, 1),
            &(block(1, 1) + shear),
        )
    }

    fn negative_modes(&self, F: &Matrix3x2) -> NegativeModes<2> {
        let metric = Metric::new(F);
        let (values, V) = eigen_symmetric(&(F.transpose() * F));
        let sigma = Vector2::new(values[0].sqrt(), values[1].sqrt());
        let u: [Vector3; 2] = std::array::from_fn(|k| F * V.column(k) / sigma[k]);
        let outer = |i: usize, j: usize| u[i] * V.column(j).transpose();

        let mut modes = NegativeModes::none();
        let beta = self.lambda * metric.log - self.mu;
        let area = sigma[0] * sigma[1];
        let half = std::f64::consts::FRAC_1_SQRT_2;
        modes.push(self.mu + beta / area, || (outer(0, 1) - outer(1, 0)) * half);
        modes.push(self.mu - beta / area, || (outer(0, 1) + outer(1, 0)) * half);
        for k in 0..2 {
            let eigenvalue = self.mu + beta / (sigma[k] * sigma[k]);
            modes.push(eigenvalue, || metric.normal * V.column(k).transpose());
        }
        let diagonal = |s: f64| self.mu + (self.lambda - beta) / (s * s);
        let off = self.lambda / area;
        let stretch = Matrix2::new(diagonal(sigma[0]), off, off, diagonal(sigma[1]));
        if !is_positive(&stretch) {
            let (values, y) = eigen_symmetric(&stretch);
            for k in 0..2 {
                modes.push(values[k], || outer(0, 0) * y[(0, k)] + outer(1, 1) * y[(1, k)]);
            }
        }
        modes
    }

    fn is_isotropic(&self) -> bool {
        true
    }
}

/// What stress and tangent need to know about `F`.
struct Metric {
    inverse: Matrix2, // C⁻¹
    dual: Matrix3x2,  // F⁺ = F C⁻¹
    normal: Vector3,  // unit
    log: f64,         // ½ ln det C
}

impl Metric {
    fn new(F: &Matrix3x2) -> Self {
        let C = F.transpose() * F;
        let cross: Vector3 = F.column(0).cross(&F.column(1));
        // The Gram determinant as a square: no cancellation for slivers.
        let det = cross.norm_squared();
        let inverse = Matrix2::new(C.m22, -C.m12, -C.m12, C.m11) / det;
        Self { inverse, dual: F * inverse, normal: cross / det.sqrt(), log: 0.5 * det.ln() }
    }
}
