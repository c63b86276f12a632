//! Neo-Hookean solid with logarithmic volume term.
//!
//! $$ \Psi(F) = \tfrac{\mu}{2}(I_1 - 3) - \mu \ln J + \tfrac{\lambda}{2} (\ln J)^2
//!    \qquad \text{[BW08, ch. 6]} $$
//!
//! `F` deformation gradient, `J = det F`, `I_1 = tr(FᵀF)`; `mu`, `lambda` Lamé parameters [Pa].
//! Defined for `J > 0` and infinite elsewhere: a line search keeps elements from inverting.
//! `λ ≥ 0` is required; with a negative one, crushing an element to a point would release energy.

use super::invariants::{TwoInvariants, cofactor};
use super::projection::negative_modes_isotropic;
use super::{DirectionalBlocks, ElasticDensity, Lame, NegativeModes, SingularValues, lifted};
use crate::math::{Matrix3, Matrix9, Vector3};

/// Material constants; small strains obey Hooke's law with them as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    mu: f64,     // [Pa]
    lambda: f64, // [Pa]
}

impl NeoHookean {
    /// Takes the physical Lamé parameters as they are.
    pub fn new(physical: Lame) -> Self {
        Self { mu: physical.mu, lambda: physical.lambda }
    }

    /// `∂Ψ/∂J`, the volume part of the stress.
    fn pressure(&self, J: f64) -> f64 {
        (self.lambda * J.ln() - self.mu) / J
    }

    fn coefficients(&self, J: f64) -> TwoInvariants {
        let s = self.pressure(J);
        TwoInvariants { c: self.mu, s, ff: 0.0, gg: (self.lambda / J - s) / J }
    }
}

impl ElasticDensity for NeoHookean {
    fn value(&self, F: &Matrix3) -> f64 {
        let (I1, J) = (F.norm_squared(), F.determinant());
        if J > 0.0 {
            let log = J.ln();
            self.mu * (0.5 * (I1 - 3.0) - log) + 0.5 * self.lambda * log * log
        } else {
            f64::INFINITY
        }
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        F * self.mu + cofactor(F, F) * self.pressure(F.determinant())
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        let cof = cofactor(F, F);
        let k = self.coefficients(F.determinant());
        dF * self.mu + cof * (k.gg * cof.dot(dF)) + (cofactor(F, dF) + cofactor(dF, F)) * k.s
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        self.coefficients(F.determinant()).tangent(F, &cofactor(F, F))
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        let svd = SingularValues::new(F);
        let spectrum = self.coefficients(svd.sigma.product()).spectrum(&svd.sigma);
        negative_modes_isotropic(&svd, &spectrum)
    }

    fn directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        self.coefficients(F.determinant()).directional_tangent(F, &cofactor(F, F), g)
    }

    fn projected_directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        lifted(self, F, g)
    }
}
