//! Bars and strips pulled along one axis, their sides free.
//!
//! The stretch `b` across follows from the stretch `a` along: no force acts on the sides, `∂Ψ/∂b = 0`.
//! With `J = a b²`, `I₁ = a² + 2b²`, `I₂ = 2a²b² + b⁴`, for each law
//!
//! | law | `∂Ψ/∂b = 0` | nominal stress `∂Ψ/∂a` |
//! |---|---|---|
//! | linear | `b = 1 − ν(a − 1)` | `E (a − 1)` |
//! | St. Venant–Kirchhoff | `b² = 1 − ν(a² − 1)` | `½ E a (a² − 1)` |
//! | neo-Hookean | `μ(b² − 1) + λ ln J = 0` | `μ(a − 1/a) + λ ln J / a` |
//! | corotated | `2μ(b − 1) + λ(J − 1) a b = 0` | `2μ(a − 1) + λ(J − 1) b²` |
//! | stable neo-Hookean | `μ' c + λ'(J − α) a = 0` | `μ' c a + λ'(J − α) b²` |
//! | Mooney–Rivlin | see the source | |
//!
//! `c = 1 − 1/(I₁ + 1)`; `μ' = 4μ/3`, `λ' = λ + 5μ/6`, `α = 1 + 3μ'/4λ'` as in [SGK18]. Written in principal
//! stretches, apart from the library's tensors, so that the two check each other.

use stiction::energy::Lame;
use stiction::material::{SolidLaw, Stretch};

use super::root_between;

/// The answer of a bar or strip to a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniaxial {
    /// Stretch across [-].
    pub lateral_stretch: f64,
    /// Force per rest area [Pa]; of a sheet, per rest width [N/m].
    pub nominal_stress: f64,
}

impl Uniaxial {
    /// A bar of `law`, pulled to `a` times its length [-].
    pub fn solid(law: SolidLaw, lame: Lame, a: f64) -> Self {
        let Lame { mu, lambda } = lame;
        let (modulus, nu) = (lame.youngs_modulus(), lame.poissons_ratio());
        let across = |f: &dyn Fn(f64) -> f64| root_between(0.05, 5.0, f);
        let (b, stress) = match law {
            SolidLaw::Linear => (1.0 - nu * (a - 1.0), modulus * (a - 1.0)),
            SolidLaw::StVenantKirchhoff => {
                let strain = 0.5 * (a * a - 1.0);
                ((1.0 - 2.0 * nu * strain).sqrt(), modulus * strain * a)
            }
            SolidLaw::NeoHookean => {
                let log = |b: f64| (a * b * b).ln();
                let b = across(&|b| mu * (b * b - 1.0) + lambda * log(b));
                (b, mu * (a - 1.0 / a) + lambda * log(b) / a)
            }
            SolidLaw::Corotated => {
                let volume = |b: f64| lambda * (a * b * b - 1.0);
                let b = across(&|b| 2.0 * mu * (b - 1.0) + volume(b) * a * b);
                (b, 2.0 * mu * (a - 1.0) + volume(b) * b * b)
            }
            SolidLaw::StableNeoHookean => {
                let (m, l) = (4.0 / 3.0 * mu, lambda + 5.0 / 6.0 * mu);
                let alpha = 1.0 + 0.75 * m / l;
                let shear = |b: f64| m * (1.0 - 1.0 / (a * a + 2.0 * b * b + 1.0));
                let volume = |b: f64| l * (a * b * b - alpha);
                let b = across(&|b| shear(b) + volume(b) * a);
                (b, shear(b) * a + volume(b) * b * b)
            }
            SolidLaw::MooneyRivlin { share } => {
                let stress = |b: f64| mooney_rivlin(lame, share, a, b);
                let b = across(&|b| stress(b).1);
                (b, stress(b).0)
            }
        };
        Self { lateral_stretch: b, nominal_stress: stress }
    }

    /// A strip pulled along its warp to `a` times its length [-].
    pub fn sheet(stretch: Stretch, a: f64) -> Self {
        let (b, stress) = match stretch {
            Stretch::Woven(moduli) => {
                let strain = 0.5 * (a * a - 1.0);
                let b = (1.0 - 2.0 * moduli.poissons_ratio * strain).sqrt();
                (b, moduli.youngs_modulus_warp * strain * a)
            }
            Stretch::Isotropic { youngs_modulus, poissons_ratio: nu } => {
                let mu = youngs_modulus / (2.0 * (1.0 + nu));
                let lambda = youngs_modulus * nu / (1.0 - nu * nu);
                let log = |b: f64| (a * b).ln();
                let b = root_between(0.05, 5.0, |b| mu * (b * b - 1.0) + lambda * log(b));
                (b, mu * (a - 1.0 / a) + lambda * log(b) / a)
            }
        };
        Self { lateral_stretch: b, nominal_stress: stress }
    }
}

/// `∂Ψ/∂a` and `∂Ψ/∂b` of a Mooney–Rivlin bar, with `∂J/∂a = b²` and `∂J/∂b = 2ab`.
fn mooney_rivlin(lame: Lame, share: f64, a: f64, b: f64) -> (f64, f64) {
    let (c10, c01) = (0.5 * lame.mu * (1.0 - share), 0.5 * lame.mu * share);
    let volume = a * b * b;
    let pressure = 0.5 * lame.bulk_modulus() * (volume - 1.0 / volume);
    let (first, second) = (a * a + 2.0 * b * b, 2.0 * a * a * b * b + b.powi(4));
    let (p, q) = (volume.powf(-2.0 / 3.0), volume.powf(-4.0 / 3.0));
    let along = c10 * p * (2.0 * a - 2.0 / 3.0 * first / a)
        + c01 * q * (4.0 * a * b * b - 4.0 / 3.0 * second / a)
        + pressure * b * b;
    let across = c10 * p * (4.0 * b - 4.0 / 3.0 * first / b)
        + c01 * q * (4.0 * a * a * b + 4.0 * b.powi(3) - 8.0 / 3.0 * second / b)
        + pressure * 2.0 * a * b;
    (along, across)
}
