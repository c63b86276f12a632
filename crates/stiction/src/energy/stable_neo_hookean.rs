//! Stable neo-Hookean solid.
//!
//! $$ \Psi(F) = \tfrac{\mu}{2}(I_1 - 3) + \tfrac{\lambda}{2}(J - \alpha)^2
//!            - \tfrac{\mu}{2}\ln(I_1 + 1) \qquad \text{[SGK18, eq. 14]} $$
//!
//! `F` deformation gradient, `J = det F`, `I_1 = tr(FᵀF)`; all dimensionless.
//! Finite for every `F`, inverted elements included. Not zero at rest: subtract `value(I)` to report.
//! Variants: the course notes [KE22] drop the log term, which changes `alpha`.

use super::invariants::{TwoInvariants, cofactor};
use super::projection::negative_modes_isotropic;
use super::{DirectionalBlocks, ElasticDensity, Lame, NegativeModes, SingularValues, lifted};
use crate::math::{Matrix3, Matrix9, Vector3};

/// Material constants, in the scaling of [SGK18].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StableNeoHookean {
    mu: f64,     // [Pa]
    lambda: f64, // [Pa]
    alpha: f64,  // makes F = I stress-free
}

impl StableNeoHookean {
    /// Rescales physical Lamé parameters so that small strains obey Hooke's law.
    pub fn new(physical: Lame) -> Self {
        let mu = 4.0 / 3.0 * physical.mu;
        let lambda = physical.lambda + 5.0 / 6.0 * physical.mu;
        Self { mu, lambda, alpha: 1.0 + 0.75 * mu / lambda }
    }

    fn coefficients(&self, I1: f64, J: f64) -> TwoInvariants {
        let r = 1.0 / (I1 + 1.0);
        TwoInvariants {
            c: self.mu * (1.0 - r),
            s: self.lambda * (J - self.alpha),
            ff: 2.0 * self.mu * r * r,
            gg: self.lambda,
        }
    }
}

impl ElasticDensity for StableNeoHookean {
    fn value(&self, F: &Matrix3) -> f64 {
        let (I1, J) = (F.norm_squared(), F.determinant());
        let shear = I1 - 3.0 - (I1 + 1.0).ln();
        0.5 * self.mu * shear + 0.5 * self.lambda * (J - self.alpha).powi(2)
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        let (I1, J) = (F.norm_squared(), F.determinant());
        let shear = F * (1.0 - 1.0 / (I1 + 1.0));
        shear * self.mu + cofactor(F, F) * (self.lambda * (J - self.alpha))
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        let (r, J, cof) = (1.0 / (F.norm_squared() + 1.0), F.determinant(), cofactor(F, F));
        let shear = dF * (1.0 - r) + F * (2.0 * r * r * F.dot(dF));
        let dcof = cofactor(F, dF) + cofactor(dF, F);
        shear * self.mu + (cof * cof.dot(dF) + dcof * (J - self.alpha)) * self.lambda
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        self.coefficients(F.norm_squared(), F.determinant()).tangent(F, &cofactor(F, F))
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        let svd = SingularValues::new(F);
        let k = self.coefficients(svd.sigma.norm_squared(), svd.sigma.product());
        negative_modes_isotropic(&svd, &k.spectrum(&svd.sigma))
    }

    fn directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        let k = self.coefficients(F.norm_squared(), F.determinant());
        k.directional_tangent(F, &cofactor(F, F), g)
    }

    fn projected_directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        lifted(self, F, g)
    }
}
