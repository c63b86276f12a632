//! Compressible Mooney–Rivlin solid, for rubber at large strain.
//!
//! $$ \Psi(F) = c_{10} (J^{-2/3} I_1 - 3) + c_{01} (J^{-4/3} I_2 - 3)
//!            + \tfrac{\kappa}{2} \left( \tfrac12 (J^2 - 1) - \ln J \right)
//!    \qquad \text{[Hol00, ch. 6]} $$
//!
//! `F` deformation gradient, `J = det F`, `I_1 = ‖F‖²`, `I_2 = ‖cof F‖²`; `c10`, `c01` shear constants
//! and `kappa` bulk modulus [Pa]. The powers of `J` take the volume out of `I_1` and `I_2`; the volume
//! term [ST91] is convex and infinite at both ends. At small strain `μ = 2(c10 + c01)` and
//! `λ = κ − 2μ/3`. Defined for `J > 0` and infinite elsewhere.

use super::invariants::{ThreeInvariants, TwoInvariants, cofactor};
use super::projection::negative_modes_isotropic;
use super::{ElasticDensity, Lame, NegativeModes, SingularValues};
use crate::math::{Matrix3, Matrix9};

/// Material constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MooneyRivlin {
    c10: f64,   // [Pa]
    c01: f64,   // [Pa]
    kappa: f64, // [Pa]
}

impl MooneyRivlin {
    /// Share of the second invariant used where none is given: `c01/c10 = 1/4`, as in filled rubbers.
    pub const DEFAULT_SHARE: f64 = 0.2;

    /// Splits the shear modulus: the share `c01/(c10 + c01)` goes to the second invariant [-].
    /// It is clamped to 0..1; outside, the model would not be stable in shear.
    pub fn new(physical: Lame, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let half = 0.5 * physical.mu;
        Self { c10: half * (1.0 - share), c01: half * share, kappa: physical.bulk_modulus() }
    }

    fn coefficients(&self, I1: f64, I2: f64, J: f64) -> ThreeInvariants {
        let r = 1.0 / J;
        let r23 = r.cbrt().powi(2);
        let (x, y) = (self.c10 * r23, self.c01 * r23 * r23);
        let two = TwoInvariants {
            c: 2.0 * x,
            s: 0.5 * self.kappa * (J - r) - (2.0 / 3.0 * x * I1 + 4.0 / 3.0 * y * I2) * r,
            ff: 0.0,
            gg: (10.0 / 9.0 * x * I1 + 28.0 / 9.0 * y * I2) * r * r
                + 0.5 * self.kappa * (1.0 + r * r),
        };
        ThreeInvariants { two, fg: -4.0 / 3.0 * x * r, second: y, qg: -4.0 / 3.0 * y * r }
    }
}

impl ElasticDensity for MooneyRivlin {
    fn value(&self, F: &Matrix3) -> f64 {
        let (I1, I2, J) = (F.norm_squared(), cofactor(F, F).norm_squared(), F.determinant());
        if J > 0.0 {
            let r23 = 1.0 / J.cbrt().powi(2);
            self.c10 * (r23 * I1 - 3.0)
                + self.c01 * (r23 * r23 * I2 - 3.0)
                + 0.5 * self.kappa * (0.5 * (J * J - 1.0) - J.ln())
        } else {
            f64::INFINITY
        }
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        let cof = cofactor(F, F);
        let k = self.coefficients(F.norm_squared(), cof.norm_squared(), F.determinant());
        F * k.two.c + second_invariant_gradient(F) * k.second + cof * k.two.s
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        let cof = cofactor(F, F);
        let k = self.coefficients(F.norm_squared(), cof.norm_squared(), F.determinant());
        let q = second_invariant_gradient(F);
        let (df, dj) = (F.dot(dF), cof.dot(dF));
        let pressure_change = k.two.gg * dj + k.fg * df + k.qg * q.dot(dF);
        dF * k.two.c
            + (F * k.fg + q * k.qg) * dj
            + second_invariant_gradient_change(F, dF) * k.second
            + cof * pressure_change
            + (cofactor(F, dF) + cofactor(dF, F)) * k.two.s
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        let cof = cofactor(F, F);
        let k = self.coefficients(F.norm_squared(), cof.norm_squared(), F.determinant());
        k.tangent(F, &cof)
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        let svd = SingularValues::new(F);
        let s = svd.sigma;
        let I2 = (s[0] * s[1]).powi(2) + (s[1] * s[2]).powi(2) + (s[2] * s[0]).powi(2);
        let k = self.coefficients(s.norm_squared(), I2, s.product());
        negative_modes_isotropic(&svd, &k.spectrum(&s))
    }
}

/// `∂I₂/∂F = 2(I₁F − FFᵀF)`.
fn second_invariant_gradient(F: &Matrix3) -> Matrix3 {
    (F * F.norm_squared() - F * F.transpose() * F) * 2.0
}

fn second_invariant_gradient_change(F: &Matrix3, dF: &Matrix3) -> Matrix3 {
    let products = dF * F.transpose() * F + F * dF.transpose() * F + F * F.transpose() * dF;
    (F * (2.0 * F.dot(dF)) + dF * F.norm_squared() - products) * 2.0
}
