//! Lamé parameters, the two numbers of isotropic linear elasticity.
//!
//! $$ \lambda = \frac{E\nu}{(1+\nu)(1-2\nu)}, \qquad \mu = \frac{E}{2(1+\nu)}, \qquad
//!    \sigma = 2\mu\,\varepsilon + \lambda\,\mathrm{tr}(\varepsilon)\,I $$
//!
//! `E` Young's modulus, `ν` Poisson's ratio, `σ` stress, `ε` strain. In the plane-stress form, for
//! sheets that are free to thin, `λ = Eν/(1−ν²)`.

use thiserror::Error;

/// The Lamé parameters of Hooke's law: [Pa] in a solid, [N/m] in a membrane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Shear modulus.
    pub mu: f64,
    /// First Lamé parameter.
    pub lambda: f64,
}

/// Elastic constants no stable material has.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum LameError {
    /// Stretching would release energy, or `E` is not a number.
    #[error(
        "Young's modulus is {youngs_modulus}, but must be finite and positive\n  \
         help: rubber has about 1e6 Pa, steel 2e11 Pa"
    )]
    YoungsModulus {
        /// The value given.
        youngs_modulus: f64,
    },
    /// Outside the stable range.
    #[error(
        "Poisson's ratio is {poissons_ratio}, but must lie between {low} and {high}, both excluded\n  \
         help: nearly incompressible materials take 0.45 to 0.495"
    )]
    PoissonsRatio {
        /// The value given.
        poissons_ratio: f64,
        /// Lower end of the stable range.
        low: f64,
        /// Upper end of the stable range.
        high: f64,
    },
}

impl Lame {
    /// From Young's modulus and Poisson's ratio of a solid; `E > 0`, `−1 < ν < ½`.
    pub fn new(youngs_modulus: f64, poissons_ratio: f64) -> Result<Self, LameError> {
        let (E, nu) = (youngs_modulus, poissons_ratio);
        check_youngs_modulus(E)?;
        check_poissons_ratio(nu, -1.0, 0.5)?;
        Ok(Self { mu: E / (2.0 * (1.0 + nu)), lambda: E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)) })
    }

    /// From the constants of a sheet under plane stress; `E > 0` [N/m], `−1 < ν < 1`.
    pub fn plane_stress(youngs_modulus: f64, poissons_ratio: f64) -> Result<Self, LameError> {
        let (E, nu) = (youngs_modulus, poissons_ratio);
        check_youngs_modulus(E)?;
        check_poissons_ratio(nu, -1.0, 1.0)?;
        Ok(Self { mu: E / (2.0 * (1.0 + nu)), lambda: E * nu / (1.0 - nu * nu) })
    }

    /// Young's modulus of a solid.
    pub fn youngs_modulus(&self) -> f64 {
        self.mu * (3.0 * self.lambda + 2.0 * self.mu) / (self.lambda + self.mu)
    }

    /// Poisson's ratio of a solid [-].
    pub fn poissons_ratio(&self) -> f64 {
        0.5 * self.lambda / (self.lambda + self.mu)
    }

    /// Young's modulus and Poisson's ratio of a sheet under plane stress.
    pub fn plane_stress_moduli(&self) -> (f64, f64) {
        let nu = self.lambda / (self.lambda + 2.0 * self.mu);
        (2.0 * self.mu * (1.0 + nu), nu)
    }

    /// Resistance of a solid to a change of volume.
    pub fn bulk_modulus(&self) -> f64 {
        self.lambda + 2.0 / 3.0 * self.mu
    }
}

fn check_youngs_modulus(youngs_modulus: f64) -> Result<(), LameError> {
    if youngs_modulus.is_finite() && youngs_modulus > 0.0 {
        Ok(())
    } else {
        Err(LameError::YoungsModulus { youngs_modulus })
    }
}

fn check_poissons_ratio(poissons_ratio: f64, low: f64, high: f64) -> Result<(), LameError> {
    if poissons_ratio > low && poissons_ratio < high {
        Ok(())
    } else {
        Err(LameError::PoissonsRatio { poissons_ratio, low, high })
    }
}
