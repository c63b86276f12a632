//! Elliptic friction: an ellipse is a disc in stretched coordinates.
//!
//! $$ \Bigl(\frac{r_t}{\mu_t}\Bigr)^2 + \Bigl(\frac{r_b}{\mu_b}\Bigr)^2 \le r_N^2 $$
//!
//! With `r = D s`, `u' = D u` and `D = diag(1, μ_t/μ, μ_b/μ)` this is Coulomb's cone for `s` with coefficient `μ`,
//! the larger of the two, and friction that dissipates most for `u` among all `r` does so for `u'` among all `s`:
//! power is the same, `uᵀr = u'ᵀs`. So every solver of this folder knows elliptic friction: scale the rows of `J` (or
//! the blocks of `A`) and `b`, solve, scale impulses back.
//!
//! `D` is at most one, so nothing becomes worse conditioned than it is with isotropic friction `μ`. In residuals,
//! slip along the axis with the smaller coefficient counts by the ratio of both. Ratios below [`LEAST`] are taken as
//! that: the condition of a problem grows with the square of the ratio, and with `D = 0` a row would vanish, and with
//! it what the solver is to decide. [`limit`](super::super::limit) has no such bound.

use super::operator::block_rows::{block_of, set_block};
use super::{Law, ProblemError};
use crate::math::Vector3;

/// The least ratio of both coefficients of a contact [-].
pub const LEAST: f64 = 1e-2;

/// Turns ellipses of friction into discs, and impulses back.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    scales: Vec<Vector3>,
    laws: Vec<Law>,
}

impl Stretch {
    /// From the coefficients along both tangents of each contact [-].
    ///
    /// # Errors
    /// When a coefficient is negative or not finite.
    pub fn new(coefficients: &[[f64; 2]]) -> Result<Self, ProblemError> {
        let what = "the friction coefficient";
        for (contact, mu) in coefficients.iter().enumerate() {
            if mu.iter().any(|mu| !mu.is_finite()) {
                return Err(ProblemError::NotFinite { what, contact });
            }
            if let Some(&value) = mu.iter().find(|mu| **mu < 0.0) {
                return Err(ProblemError::Negative { what, contact, value });
            }
        }
        let scale = |&[t, b]: &[f64; 2]| {
            let most = t.max(b);
            let ratio = |mu: f64| if most > 0.0 { (mu / most).max(LEAST) } else { 1.0 };
            Vector3::new(1.0, ratio(t), ratio(b))
        };
        let law = |&[t, b]: &[f64; 2]| match t.max(b) {
            mu if mu > 0.0 => Law::Coulomb { mu },
            _ => Law::Frictionless,
        };
        Ok(Self {
            scales: coefficients.iter().map(scale).collect(),
            laws: coefficients.iter().map(law).collect(),
        })
    }

    /// `D` of each contact: for [`BlockRows::scaled`](super::BlockRows::scaled) and
    /// [`Assembled::scaled`](super::Assembled::scaled).
    pub fn scales(&self) -> &[Vector3] {
        &self.scales
    }

    /// Laws of the stretched contacts.
    pub fn laws(&self) -> Vec<Law> {
        self.laws.clone()
    }

    /// Whether nothing is stretched: all contacts are isotropic.
    pub fn is_identity(&self) -> bool {
        self.scales.iter().all(|scale| *scale == Vector3::repeat(1.0))
    }

    /// Stretches velocities: `D u`.
    pub fn velocities(&self, u: &mut [f64]) {
        self.each(u, |u, scale| u.component_mul(&scale));
    }

    /// Stretched impulses of true ones: `D⁻¹ r`.
    pub fn stretch(&self, r: &mut [f64]) {
        self.each(r, |r, scale| r.component_div(&scale));
    }

    /// True impulses of stretched ones: `D s`.
    pub fn impulses(&self, s: &mut [f64]) {
        self.each(s, |s, scale| s.component_mul(&scale));
    }

    fn each(&self, x: &mut [f64], change: impl Fn(Vector3, Vector3) -> Vector3) {
        for (i, scale) in self.scales.iter().enumerate() {
            let changed = change(block_of(x, i), *scale);
            set_block(x, i, changed);
        }
    }
}
