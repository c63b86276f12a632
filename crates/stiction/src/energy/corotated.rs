//! Fixed corotated solid: Hooke's law in a frame that turns with the material.
//!
//! $$ \Psi(F) = \mu \|F - R\|^2 + \tfrac{\lambda}{2} (J - 1)^2 \qquad \text{[SHST12]} $$
//!
//! `F` deformation gradient, `R` the nearest rotation (`det R = +1`, also for inverted `F`),
//! `J = det F`; `mu`, `lambda` Lamé parameters [Pa]. Finite for every `F`.
//! Variant: the older corotated energy has `(tr(RᵀF) − 3)²` for the volume, which lets an element turn
//! inside out at little cost; [SHST12] replaced it, and so do we. Like the neo-Hookean solid it needs
//! `λ ≥ 0`.
//!
//! The derivative of `R` acts on twists, `∂R/∂F = Σ 2/(σᵢ+σⱼ) t tᵀ`. Where an inverted element
//! has `σᵢ + σⱼ = 0` the nearest rotation jumps and no derivative exists.

use super::invariants::{TwoInvariants, cofactor};
use super::projection::{Spectrum, negative_modes_isotropic};
use super::{ElasticDensity, Lame, NegativeModes, SingularValues};
use crate::math::{Matrix3, Matrix9, Vector3};

/// Near the jump of the rotation the tangent is capped as if `σᵢ + σⱼ` were this.
/// Small enough to be met by chance never; large enough to leave ten digits to the other terms.
const SMALLEST_SUM: f64 = 1e-6;

/// Material constants; small strains obey Hooke's law with them as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corotated {
    mu: f64,     // [Pa]
    lambda: f64, // [Pa]
}

impl Corotated {
    /// Takes the physical Lamé parameters as they are.
    pub fn new(physical: Lame) -> Self {
        Self { mu: physical.mu, lambda: physical.lambda }
    }

    /// The part of the tangent that holds the rotation fixed.
    fn coefficients(&self, J: f64) -> TwoInvariants {
        TwoInvariants { c: 2.0 * self.mu, s: self.lambda * (J - 1.0), ff: 0.0, gg: self.lambda }
    }
}

impl ElasticDensity for Corotated {
    fn value(&self, F: &Matrix3) -> f64 {
        let stretch = SingularValues::new(F).sigma.add_scalar(-1.0);
        self.mu * stretch.norm_squared() + 0.5 * self.lambda * (F.determinant() - 1.0).powi(2)
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        let R = SingularValues::new(F).rotation();
        let volume = self.lambda * (F.determinant() - 1.0);
        (F - R) * (2.0 * self.mu) + cofactor(F, F) * volume
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        let (cof, dR) = (cofactor(F, F), rotation_change(&SingularValues::new(F), dF));
        let dcof = cofactor(F, dF) + cofactor(dF, F);
        let volume = cof * cof.dot(dF) + dcof * (F.determinant() - 1.0);
        (dF - dR) * (2.0 * self.mu) + volume * self.lambda
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        let svd = SingularValues::new(F);
        let mut T = self.coefficients(F.determinant()).tangent(F, &cofactor(F, F));
        for k in 0..3 {
            let (twist, rate) = twist(&svd, k);
            let weight = -2.0 * self.mu * rate;
            let t = twist.as_slice();
            for j in 0..9 {
                let scaled = weight * t[j];
                for i in 0..9 {
                    T[(i, j)] += t[i] * scaled;
                }
            }
        }
        T
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        let svd = SingularValues::new(F);
        let fixed = self.coefficients(svd.sigma.product()).spectrum(&svd.sigma);
        let rates = Vector3::from_fn(|k, _| rotation_rate(&svd.sigma, k));
        let spectrum = Spectrum { twist: fixed.twist - rates * (2.0 * self.mu), ..fixed };
        negative_modes_isotropic(&svd, &spectrum)
    }
}

/// Derivative of the nearest rotation along `dF`.
fn rotation_change(svd: &SingularValues, dF: &Matrix3) -> Matrix3 {
    let D = svd.U.transpose() * dF * svd.V;
    let mut change = Matrix3::zeros();
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let x = 0.5 * rotation_rate(&svd.sigma, k) * (D[(i, j)] - D[(j, i)]);
        (change[(i, j)], change[(j, i)]) = (x, -x);
    }
    svd.U * change * svd.V.transpose()
}

/// Twist mode `k` (unit norm) and the eigenvalue of `∂R/∂F` on it.
fn twist(svd: &SingularValues, k: usize) -> (Matrix3, f64) {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let outer = |i: usize, j: usize| svd.U.column(i) * svd.V.column(j).transpose();
    let mode = (outer(i, j) - outer(j, i)) * std::f64::consts::FRAC_1_SQRT_2;
    (mode, rotation_rate(&svd.sigma, k))
}

/// `2/(σᵢ+σⱼ)` of the pair without `k`.
fn rotation_rate(sigma: &Vector3, k: usize) -> f64 {
    2.0 / (sigma[(k + 1) % 3] + sigma[(k + 2) % 3]).max(SMALLEST_SUM)
}
