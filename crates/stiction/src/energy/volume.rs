//! Energy of an enclosed volume of gas or liquid: what it costs to change it.
//!
//! With the relative change $s = (V - V_0)/V_0$ and $p = -dW/dV$ the pressure above that outside,
//!
//! | model | $W / P_0 V_0$ | $p / P_0$ |
//! |---|---|---|
//! | ideal gas | $(1-b)\,s + b\,(s - \ln(1+s))$ | $b V_0/V - 1$ |
//! | nearly incompressible | $(1-b)\,s + ((1+s)\ln(1+s) - s)/\kappa$ | $b - 1 - \ln(V/V_0)/\kappa$ |
//! | quadratic | $(1-b)\,s + s^2/2\kappa$ | $b - 1 - s/\kappa$ |
//!
//! after [Lar22, §4.3.3]; `P0` is the pressure of the atmosphere, `V0` the rest volume, `b` the absolute
//! pressure at `V0` over `P0`, `κ` the compressibility per atmosphere. All three have the gauge pressure
//! `(b − 1) P0` at `V0`, and with `κ = b = 1` they agree there to second order. The gas has a temperature that
//! does not change, and no compressibility but its own.
//!
//! The logarithms need `V > 0`; outside, `value` is `+∞`, so that a line search steps back, and the other
//! functions are zero. The quadratic model is defined for every `V`.
//!
//! Written with `s`, nothing cancels near `V0`: a liquid of `κ` = 10⁻⁵ would lose five digits otherwise.

/// Pressure of the atmosphere, `P0` [Pa].
pub const ATMOSPHERE: f64 = 101_325.0;

/// How pressure follows from volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VolumeModel {
    /// Pressure times volume is constant.
    IdealGas,
    /// A liquid: pressure grows with the logarithm of the volume.
    NearlyIncompressible {
        /// `κ`: relative loss of volume per atmosphere [1/atm]; of water 4.6e-5.
        compressibility: f64,
    },
    /// Pressure is linear in the volume, which may even become negative.
    Quadratic {
        /// `κ` [1/atm].
        compressibility: f64,
    },
}

/// The energy of one volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeEnergy {
    model: VolumeModel,
    /// [m³].
    rest_volume: f64,
    /// `b` [-].
    pressure_factor: f64,
}

/// Why a volume has no energy.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} of a volume is {value}\n  help: {help}")]
pub struct VolumeError {
    /// Which constant.
    pub what: &'static str,
    /// What was given.
    pub value: f64,
    /// What to give instead.
    pub help: &'static str,
}

impl VolumeEnergy {
    /// `rest_volume` [m³] is that at which the absolute pressure is `pressure_factor` atmospheres: 1 is as
    /// outside.
    ///
    /// # Errors
    /// When a constant is out of its range.
    pub fn new(
        model: VolumeModel,
        rest_volume: f64,
        pressure_factor: f64,
    ) -> Result<Self, VolumeError> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !positive(rest_volume) {
            let help = "give a finite volume above zero [m³]";
            return Err(VolumeError { what: "rest volume", value: rest_volume, help });
        }
        let (allowed, help) = match model {
            VolumeModel::IdealGas => (
                positive(pressure_factor),
                "a gas has a pressure above that of a vacuum, -101325 Pa against the atmosphere",
            ),
            _ => (pressure_factor.is_finite(), "give a finite number"),
        };
        if !allowed {
            return Err(VolumeError { what: "pressure", value: pressure_factor, help });
        }
        if let VolumeModel::NearlyIncompressible { compressibility }
        | VolumeModel::Quadratic { compressibility } = model
            && !positive(compressibility)
        {
            let help = "give a finite number above zero [1/atm]: 1 is like air, 4.6e-5 like water";
            return Err(VolumeError { what: "compressibility", value: compressibility, help });
        }
        Ok(Self { model, rest_volume, pressure_factor })
    }

    /// How pressure follows from volume.
    pub fn model(&self) -> VolumeModel {
        self.model
    }

    /// `V0` [m³].
    pub fn rest_volume(&self) -> f64 {
        self.rest_volume
    }

    /// `b` [-].
    pub fn pressure_factor(&self) -> f64 {
        self.pressure_factor
    }

    /// Whether the energy is defined at `volume` [m³].
    pub fn is_defined(&self, volume: f64) -> bool {
        match self.model {
            VolumeModel::Quadratic { .. } => volume.is_finite(),
            _ => volume.is_finite() && volume > 0.0,
        }
    }

    /// `W` [J]; zero at rest, `+∞` outside the domain.
    pub fn value(&self, volume: f64) -> f64 {
        if !self.is_defined(volume) {
            return f64::INFINITY;
        }
        let (s, b) = (self.change(volume), self.pressure_factor);
        let stored = match self.model {
            VolumeModel::IdealGas => b * change_minus_logarithm(s),
            VolumeModel::NearlyIncompressible { compressibility } => {
                entropy_like(s) / compressibility
            }
            VolumeModel::Quadratic { compressibility } => 0.5 * s * s / compressibility,
        };
        ATMOSPHERE * self.rest_volume * ((1.0 - b) * s + stored)
    }

    /// `p = −dW/dV`: the pressure above that outside [Pa].
    pub fn pressure(&self, volume: f64) -> f64 {
        if !self.is_defined(volume) {
            return 0.0;
        }
        let (s, b) = (self.change(volume), self.pressure_factor);
        let drop = match self.model {
            // b (V0/V − 1), as −b s / (1 + s)
            VolumeModel::IdealGas => b * s * self.rest_volume / volume,
            VolumeModel::NearlyIncompressible { compressibility } => s.ln_1p() / compressibility,
            VolumeModel::Quadratic { compressibility } => s / compressibility,
        };
        ATMOSPHERE * ((b - 1.0) - drop)
    }

    /// `dp/dV` [Pa/m³]; never positive.
    pub fn pressure_slope(&self, volume: f64) -> f64 {
        if !self.is_defined(volume) {
            return 0.0;
        }
        let v0 = self.rest_volume;
        let drop = match self.model {
            VolumeModel::IdealGas => self.pressure_factor * v0 / (volume * volume),
            VolumeModel::NearlyIncompressible { compressibility } => {
                1.0 / (compressibility * volume)
            }
            VolumeModel::Quadratic { compressibility } => 1.0 / (compressibility * v0),
        };
        -ATMOSPHERE * drop
    }

    /// `s` [-].
    fn change(&self, volume: f64) -> f64 {
        (volume - self.rest_volume) / self.rest_volume
    }
}

/// Below this, series are more accurate than what they stand for.
const SMALL: f64 = 0.01;

/// `s − ln(1 + s)`.
fn change_minus_logarithm(s: f64) -> f64 {
    if s.abs() > SMALL {
        return s - s.ln_1p();
    }
    // s²/2 − s³/3 + s⁴/4 − …
    s * s * (2..10).rev().fold(0.0, |sum, k| 1.0 / f64::from(k) - s * sum)
}

/// `(1 + s) ln(1 + s) − s`.
fn entropy_like(s: f64) -> f64 {
    if s.abs() > SMALL {
        return (1.0 + s) * s.ln_1p() - s;
    }
    // s²/2 − s³/6 + s⁴/12 − …
    s * s * (2..10).rev().fold(0.0, |sum, k| 1.0 / f64::from(k * (k - 1)) - s * sum)
}
