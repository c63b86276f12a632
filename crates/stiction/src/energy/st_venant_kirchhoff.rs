//! St. Venant–Kirchhoff solid: Hooke's law on the Green strain.
//!
//! $$ \Psi(F) = \mu \|E\|^2 + \tfrac{\lambda}{2} (\mathrm{tr} E)^2, \qquad
//!    E = \tfrac12 (F^T F - I) \qquad \text{[BW08, ch. 6]} $$
//!
//! `F` deformation gradient, `E` Green strain; `mu`, `lambda` Lamé parameters [Pa]. Finite for every
//! `F`. Cheap and polynomial, but it softens under compression (below 58 % of its length a bar
//! pushes back less and less) and does not resist inversion: for large rotations with small strains.

use super::invariants::{ThreeInvariants, TwoInvariants};
use super::projection::negative_modes_isotropic;
use super::{ElasticDensity, Lame, NegativeModes, SingularValues};
use crate::math::{Matrix3, Matrix9, Vector3};

/// Material constants; small strains obey Hooke's law with them as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StVenantKirchhoff {
    mu: f64,     // [Pa]
    lambda: f64, // [Pa]
}

impl StVenantKirchhoff {
    /// Takes the physical Lamé parameters as they are.
    pub fn new(physical: Lame) -> Self {
        Self { mu: physical.mu, lambda: physical.lambda }
    }

    /// `2μ E + λ tr(E) I`.
    fn hooke(&self, strain: &Matrix3) -> Matrix3 {
        strain * (2.0 * self.mu) + Matrix3::from_diagonal_element(self.lambda * strain.trace())
    }

    /// In invariants, `Ψ = λ/8 (I₁−3)² + μ/4 (I₁² − 2I₂ − 2I₁ + 3)`.
    fn spectrum(&self, sigma: &Vector3) -> super::projection::Spectrum {
        let I1 = sigma.norm_squared();
        let two = TwoInvariants {
            c: 0.5 * self.lambda * (I1 - 3.0) + self.mu * (I1 - 1.0),
            s: 0.0,
            ff: self.lambda + 2.0 * self.mu,
            gg: 0.0,
        };
        ThreeInvariants { two, fg: 0.0, second: -0.5 * self.mu, qg: 0.0 }.spectrum(sigma)
    }
}

impl ElasticDensity for StVenantKirchhoff {
    fn value(&self, F: &Matrix3) -> f64 {
        let E = green_strain(F);
        self.mu * E.norm_squared() + 0.5 * self.lambda * E.trace().powi(2)
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        F * self.hooke(&green_strain(F))
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        let product = F.transpose() * dF;
        let dE = (product + product.transpose()) * 0.5;
        dF * self.hooke(&green_strain(F)) + F * self.hooke(&dE)
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        let (S, B) = (self.hooke(&green_strain(F)), F * F.transpose() * self.mu);
        let mut T = Matrix9::zeros();
        for j in 0..3 {
            for i in 0..3 {
                let (fi, fj) = (F.column(i), F.column(j));
                let mut block = fi * (fj * self.lambda).transpose()
                    + fj * (fi * self.mu).transpose()
                    + Matrix3::from_diagonal_element(S[(i, j)]);
                if i == j {
                    block += B;
                }
                T.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
            }
        }
        T
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        let svd = SingularValues::new(F);
        negative_modes_isotropic(&svd, &self.spectrum(&svd.sigma))
    }
}

fn green_strain(F: &Matrix3) -> Matrix3 {
    (F.transpose() * F - Matrix3::identity()) * 0.5
}
