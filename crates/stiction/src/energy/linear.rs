//! Linear elasticity: Hooke's law on the small strain.
//!
//! $$ \Psi(F) = \mu \|\varepsilon\|^2 + \tfrac{\lambda}{2} (\mathrm{tr}\,\varepsilon)^2, \qquad
//!    \varepsilon = \tfrac12 (F + F^T) - I $$
//!
//! `F` deformation gradient; `mu`, `lambda` Lamé parameters [Pa]. Finite for every `F`, with a constant
//! positive semi-definite tangent. Not rotation invariant: for parts that bend by a degree or two.

use super::{ElasticDensity, Lame, NegativeModes};
use crate::math::{Matrix3, Matrix9};

/// Hooke's law at small strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    mu: f64,     // [Pa]
    lambda: f64, // [Pa]
}

impl Linear {
    /// Takes the physical Lamé parameters as they are.
    pub fn new(physical: Lame) -> Self {
        Self { mu: physical.mu, lambda: physical.lambda }
    }

    /// `2μ ε + λ tr(ε) I`.
    fn hooke(&self, strain: &Matrix3) -> Matrix3 {
        strain * (2.0 * self.mu) + Matrix3::from_diagonal_element(self.lambda * strain.trace())
    }
}

impl ElasticDensity for Linear {
    fn value(&self, F: &Matrix3) -> f64 {
        let strain = symmetric_part(F) - Matrix3::identity();
        self.mu * strain.norm_squared() + 0.5 * self.lambda * strain.trace().powi(2)
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        self.hooke(&(symmetric_part(F) - Matrix3::identity()))
    }

    fn stress_change(&self, _F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        self.hooke(&symmetric_part(dF))
    }

    fn tangent(&self, _F: &Matrix3) -> Matrix9 {
        let mut T = Matrix9::zeros();
        for i in 0..3 {
            for j in 0..3 {
                // Entry (i, j) of F sits at i + 3j; its mirror at j + 3i; diagonal k at 4k.
                T[(i + 3 * j, i + 3 * j)] += self.mu;
                T[(i + 3 * j, j + 3 * i)] += self.mu;
                T[(4 * i, 4 * j)] += self.lambda;
            }
        }
        T
    }

    fn negative_modes(&self, _F: &Matrix3) -> NegativeModes<3> {
        NegativeModes::none()
    }

    fn projected_tangent(&self, F: &Matrix3) -> Matrix9 {
        self.tangent(F)
    }
}

fn symmetric_part(A: &Matrix3) -> Matrix3 {
    (A + A.transpose()) * 0.5
}
