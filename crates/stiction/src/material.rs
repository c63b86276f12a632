//! Materials: what a body is made of, in measured numbers.
//!
//! A [`Material`] is a solid, a [`Fabric`] a sheet. Both are checked when built, so every one that
//! exists is stable. Start from a preset, by constant or by name, and change what differs:
//!
//! ```
//! use stiction::material::{Damping, Material, SolidLaw};
//!
//! let sole = Material::RUBBER.with_youngs_modulus(4e6)?.with_law(SolidLaw::NeoHookean)?;
//! let wet = Material::preset("cork")?.with_damping(Damping { mass: 0.0, stiffness: 0.01 })?;
//! # Ok::<(), stiction::material::MaterialError>(())
//! ```

mod fabric;
mod names;

pub use crate::names::UnknownName;
pub use fabric::{BendingModel, Fabric, FabricError, Stretch};

use thiserror::Error;

use crate::energy::{
    Corotated, Lame, LameError, Linear, MooneyRivlin, NeoHookean, SolidModel, StVenantKirchhoff,
    StableNeoHookean,
};

/// Rayleigh damping `αM + βK`. Presets have none; implicit time steps bring their own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// `α`, drag in proportion to mass [1/s].
    pub mass: f64,
    /// `β`, viscosity in proportion to stiffness [s].
    pub stiffness: f64,
}

impl Damping {
    /// No damping.
    pub const NONE: Self = Self { mass: 0.0, stiffness: 0.0 };
}

/// How a solid answers to large strain. All agree with Hooke's law at small strain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SolidLaw {
    /// Hooke's law on the small strain: no large rotations.
    Linear,
    /// Fixed corotated.
    Corotated,
    /// Large rotations, small strains.
    StVenantKirchhoff,
    /// Never inverts.
    NeoHookean,
    /// Survives inversion: the default.
    #[default]
    StableNeoHookean,
    /// Rubber at large strain.
    MooneyRivlin {
        /// Share of the second invariant in the shear modulus, 0 to 1 [-].
        share: f64,
    },
}

/// A solid material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    law: SolidLaw,
    density: f64,        // [kg/m³]
    youngs_modulus: f64, // [Pa]
    poissons_ratio: f64, // [-]
    damping: Damping,
}

/// A material that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MaterialError {
    /// Elastic constants of no stable solid.
    #[error(transparent)]
    Elasticity(#[from] LameError),
    /// Mass must be positive.
    #[error(
        "the density is {density} {unit}, but must be finite and positive\n  \
         help: water has 1000 kg/m³, a cotton shirt 0.15 kg/m²"
    )]
    Density {
        /// The value given.
        density: f64,
        /// Its unit.
        unit: &'static str,
    },
    /// Negative damping would feed energy in.
    #[error(
        "damping is {mass} 1/s (mass) and {stiffness} s (stiffness), but neither may be negative\n  \
         help: leave it out for none"
    )]
    Damping {
        /// Mass part [1/s].
        mass: f64,
        /// Stiffness part [s].
        stiffness: f64,
    },
    /// The law loses energy without bound for a negative Poisson's ratio.
    #[error(
        "the {law} law needs a Poisson's ratio of at least zero, but it is {poissons_ratio}\n  \
         help: materials that widen when pulled work with `stable-neo-hookean` or `mooney-rivlin`"
    )]
    Auxetic {
        /// Name of the law.
        law: &'static str,
        /// The value given.
        poissons_ratio: f64,
    },
    /// A share of the second invariant outside 0 to 1.
    #[error(
        "the Mooney–Rivlin share is {share}, but must lie between 0 and 1\n  \
         help: 0 is neo-Hookean; filled rubbers have about 0.2"
    )]
    MooneyRivlinShare {
        /// The value given.
        share: f64,
    },
    /// No preset of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

impl Material {
    /// Natural rubber, unfilled: E 1.5–2.5 MPa, 920–930 kg/m³ [Ash11, app. A]. Real rubber has ν = 0.4999;
    /// 0.48 keeps linear elements from locking.
    pub const RUBBER: Self = preset(2e6, 0.48, 925.0);
    /// Silicone rubber (PDMS cured at room temperature): E 1.32 MPa [JMAT14], 1030 kg/m³.
    pub const SILICONE: Self = preset(1.32e6, 0.48, 1030.0);
    /// Flexible polymer foam of low density: E 1–3 MPa, 38–70 kg/m³, ν 0.23–0.33 [Ash11, app. A].
    pub const FOAM: Self = preset(1e6, 0.3, 40.0);
    /// Cork: E 13–50 MPa, 120–240 kg/m³ [Ash11, app. A]; hardly widens when squeezed.
    pub const CORK: Self = preset(2e7, 0.05, 180.0);
    /// Pine along the grain: E 8.4–10.3 GPa, 440–600 kg/m³ [Ash11, app. A]. Real wood is ten times
    /// softer across; this one is not.
    pub const WOOD: Self = preset(9e9, 0.35, 500.0);
    /// Low-carbon steel: E 200–215 GPa, 7800–7900 kg/m³ [Ash11, app. A].
    pub const STEEL: Self = preset(2.05e11, 0.29, 7850.0);
    /// Aluminium alloys: E 68–82 GPa, 2500–2900 kg/m³ [Ash11, app. A].
    pub const ALUMINIUM: Self = preset(7e10, 0.33, 2700.0);
    /// Soda-lime glass: E 68–72 GPa, 2440–2490 kg/m³ [Ash11, app. A].
    pub const GLASS: Self = preset(7e10, 0.22, 2470.0);
    /// Concrete: E 15–25 GPa, 2300–2600 kg/m³ [Ash11, app. A].
    pub const CONCRETE: Self = preset(2e10, 0.15, 2400.0);
    /// ABS plastic: E 1.1–2.9 GPa, 1010–1210 kg/m³ [Ash11, app. A].
    pub const PLASTIC: Self = preset(2e9, 0.4, 1050.0);
    /// Leather: E 0.1–0.5 GPa, 810–1050 kg/m³ [Ash11, app. A].
    pub const LEATHER: Self = preset(2e8, 0.4, 950.0);
    /// Relaxed muscle and fat, chosen inside the wide range of measurements (5–100 kPa).
    pub const FLESH: Self = preset(3e4, 0.45, 1050.0);
    /// Table jelly (gelatine), chosen to wobble.
    pub const JELLY: Self = preset(5e3, 0.45, 1000.0);
    /// Core of a tennis ball [Lar22, §4.6].
    pub const TENNIS_BALL_CORE: Self = preset(6e6, 0.4995, 934.0);
    /// Felt of a tennis ball [Lar22, §4.6].
    pub const TENNIS_BALL_FELT: Self = preset(5.4e6, 0.3, 4.69);

    /// All presets by name, in the order of the names.
    pub const PRESETS: [(&'static str, Self); 15] = [
        ("aluminium", Self::ALUMINIUM),
        ("concrete", Self::CONCRETE),
        ("cork", Self::CORK),
        ("flesh", Self::FLESH),
        ("foam", Self::FOAM),
        ("glass", Self::GLASS),
        ("jelly", Self::JELLY),
        ("leather", Self::LEATHER),
        ("plastic", Self::PLASTIC),
        ("rubber", Self::RUBBER),
        ("silicone", Self::SILICONE),
        ("steel", Self::STEEL),
        ("tennis-ball-core", Self::TENNIS_BALL_CORE),
        ("tennis-ball-felt", Self::TENNIS_BALL_FELT),
        ("wood", Self::WOOD),
    ];

    /// A stable neo-Hookean solid of Young's modulus [Pa], Poisson's ratio [-] and density [kg/m³].
    pub fn new(
        youngs_modulus: f64,
        poissons_ratio: f64,
        density: f64,
    ) -> Result<Self, MaterialError> {
        preset(youngs_modulus, poissons_ratio, density).checked()
    }

    /// The preset of that name; `_`, spaces and capitals do not matter.
    pub fn preset(name: &str) -> Result<Self, MaterialError> {
        Ok(names::find("material", name, &Self::PRESETS)?)
    }

    /// The same with another law.
    pub fn with_law(self, law: SolidLaw) -> Result<Self, MaterialError> {
        Self { law, ..self }.checked()
    }

    /// The same with another density [kg/m³].
    pub fn with_density(self, density: f64) -> Result<Self, MaterialError> {
        Self { density, ..self }.checked()
    }

    /// The same with another Young's modulus [Pa].
    pub fn with_youngs_modulus(self, youngs_modulus: f64) -> Result<Self, MaterialError> {
        Self { youngs_modulus, ..self }.checked()
    }

    /// The same with another Poisson's ratio [-].
    pub fn with_poissons_ratio(self, poissons_ratio: f64) -> Result<Self, MaterialError> {
        Self { poissons_ratio, ..self }.checked()
    }

    /// The same with damping.
    pub fn with_damping(self, damping: Damping) -> Result<Self, MaterialError> {
        Self { damping, ..self }.checked()
    }

    /// How it answers to large strain.
    pub fn law(&self) -> SolidLaw {
        self.law
    }

    /// Mass per rest volume [kg/m³].
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Young's modulus [Pa].
    pub fn youngs_modulus(&self) -> f64 {
        self.youngs_modulus
    }

    /// Poisson's ratio [-].
    pub fn poissons_ratio(&self) -> f64 {
        self.poissons_ratio
    }

    /// Rayleigh damping.
    pub fn damping(&self) -> Damping {
        self.damping
    }

    /// Lamé parameters [Pa].
    pub fn lame(&self) -> Lame {
        Lame::new(self.youngs_modulus, self.poissons_ratio)
            .expect("a material has stable elastic constants")
    }

    /// The energy density.
    pub fn model(&self) -> SolidModel {
        self.law.model(self.lame())
    }

    /// Speed of pressure waves at rest [m/s].
    pub fn sound_speed(&self) -> f64 {
        let Lame { mu, lambda } = self.lame();
        ((lambda + 2.0 * mu) / self.density).sqrt()
    }

    fn checked(self) -> Result<Self, MaterialError> {
        Lame::new(self.youngs_modulus, self.poissons_ratio)?;
        check_density(self.density, "kg/m³")?;
        check_damping(self.damping)?;
        self.law.check(self.poissons_ratio)?;
        Ok(self)
    }
}

impl SolidLaw {
    /// All laws by name; Mooney–Rivlin with its usual share.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("corotated", Self::Corotated),
        ("linear", Self::Linear),
        ("mooney-rivlin", Self::MooneyRivlin { share: MooneyRivlin::DEFAULT_SHARE }),
        ("neo-hookean", Self::NeoHookean),
        ("st-venant-kirchhoff", Self::StVenantKirchhoff),
        ("stable-neo-hookean", Self::StableNeoHookean),
    ];

    /// The law of that name; `_`, spaces and capitals do not matter.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        names::find("law", name, &Self::NAMES)
    }

    /// Its name, as in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Corotated => "corotated",
            Self::StVenantKirchhoff => "st-venant-kirchhoff",
            Self::NeoHookean => "neo-hookean",
            Self::StableNeoHookean => "stable-neo-hookean",
            Self::MooneyRivlin { .. } => "mooney-rivlin",
        }
    }

    /// The energy density with these Lamé parameters [Pa].
    pub fn model(&self, lame: Lame) -> SolidModel {
        match *self {
            Self::Linear => SolidModel::Linear(Linear::new(lame)),
            Self::Corotated => SolidModel::Corotated(Corotated::new(lame)),
            Self::StVenantKirchhoff => SolidModel::StVenantKirchhoff(StVenantKirchhoff::new(lame)),
            Self::NeoHookean => SolidModel::NeoHookean(NeoHookean::new(lame)),
            Self::StableNeoHookean => SolidModel::StableNeoHookean(StableNeoHookean::new(lame)),
            Self::MooneyRivlin { share } => {
                SolidModel::MooneyRivlin(MooneyRivlin::new(lame, share))
            }
        }
    }

    fn check(&self, poissons_ratio: f64) -> Result<(), MaterialError> {
        match *self {
            Self::NeoHookean | Self::Corotated if poissons_ratio < 0.0 => {
                Err(MaterialError::Auxetic { law: self.name(), poissons_ratio })
            }
            Self::MooneyRivlin { share } if !(0.0..=1.0).contains(&share) => {
                Err(MaterialError::MooneyRivlinShare { share })
            }
            _ => Ok(()),
        }
    }
}

const fn preset(youngs_modulus: f64, poissons_ratio: f64, density: f64) -> Material {
    let (law, damping) = (SolidLaw::StableNeoHookean, Damping::NONE);
    Material { law, density, youngs_modulus, poissons_ratio, damping }
}

fn check_density(density: f64, unit: &'static str) -> Result<(), MaterialError> {
    if density.is_finite() && density > 0.0 {
        Ok(())
    } else {
        Err(MaterialError::Density { density, unit })
    }
}

fn check_damping(Damping { mass, stiffness }: Damping) -> Result<(), MaterialError> {
    if mass.is_finite() && mass >= 0.0 && stiffness.is_finite() && stiffness >= 0.0 {
        Ok(())
    } else {
        Err(MaterialError::Damping { mass, stiffness })
    }
}
