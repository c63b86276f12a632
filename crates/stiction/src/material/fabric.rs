//! Fabrics: sheets that stretch and bend.
//!
//! Published cloth is often in CGS units: 1 dyn/cm = 10⁻³ N/m, 1 dyn·cm = 10⁻⁷ N·m,
//! 1 g/cm² = 10 kg/m². The presets keep the published numbers in the source and convert them here.
//!
//! Bending stiffness `k_b` is that of [`HingeSet`](crate::element::HingeSet). The values after [Lar22] multiply
//! the squared angle of each hinge directly in the source, whatever its shape; on equilateral triangles
//! the factor `l̄/h̄` of our hinges makes the same number 2√3 times stiffer. Plate rigidities
//! (`D = E t³/12(1−ν²)`: paper, foil) correspond to `k_b = D/3` on such meshes; presets hold the latter.
//! That is for bending to a cylinder: equilateral hinges act like a plate with a Poisson's ratio of −1/3, so
//! a narrow strip, free to curl across, is a ninth softer.

use thiserror::Error;

use super::{Damping, MaterialError, UnknownName, check_damping, check_density, names};
use crate::energy::{
    Lame, LameError, MembraneModel, MembraneNeoHookean, OrthotropicError, OrthotropicModuli,
    OrthotropicStVenantKirchhoff,
};

/// How a sheet stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// Woven: warp and weft differ.
    Woven(OrthotropicModuli),
    /// The same in all directions.
    Isotropic {
        /// Young's modulus of the sheet, that of its material times its thickness [N/m].
        youngs_modulus: f64,
        /// Poisson's ratio, 0 to below 1 [-].
        poissons_ratio: f64,
    },
}

/// A sheet material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    stretch: Stretch,
    density: f64,           // [kg/m²]
    bending_stiffness: f64, // [N·m]
    damping: Damping,
}

/// A fabric that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FabricError {
    /// Elastic constants of no stable woven sheet.
    #[error(transparent)]
    Woven(#[from] OrthotropicError),
    /// Elastic constants of no stable isotropic sheet.
    #[error(transparent)]
    Isotropic(#[from] LameError),
    /// Density, damping or Poisson's ratio.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Bending must not release energy.
    #[error(
        "the bending stiffness is {bending_stiffness} N·m, but must be finite and not negative\n  \
         help: cloth has 1e-8 to 1e-4 N·m"
    )]
    Bending {
        /// The value given.
        bending_stiffness: f64,
    },
    /// No preset of that name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

impl Fabric {
    /// Cotton, as synthesised in [Lar22, ch. 5]; density of the measured one.
    pub const COTTON: Self = woven_cgs([1.0e5, 2.8e5, 4.0e4], 0.4, 50.0, 0.0224);
    /// Denim, as synthesised in [Lar22, ch. 5]; density of the measured one.
    pub const DENIM: Self = woven_cgs([5.0e5, 7.0e5, 2.0e4], 0.45, 200.0, 0.0324);
    /// Silk, as synthesised in [Lar22, ch. 5]; density of the soft one.
    pub const SILK: Self = woven_cgs([2.0e5, 3.0e5, 1.5e4], 0.35, 10.0, 0.0187);
    /// Denim fitted to simulations of another system [Lar22, ch. 5]: soft.
    pub const SOFT_DENIM: Self = woven_cgs([34182.0, 33735.0, 5592.0], 0.2609, 11.0, 0.0324);
    /// Cotton fitted to simulations of another system [Lar22, ch. 5]: soft.
    pub const SOFT_COTTON: Self = woven_cgs([30823.0, 30266.0, 4971.0], 0.3058, 1.19, 0.0224);
    /// Silk fitted to simulations of another system [Lar22, ch. 5]: soft.
    pub const SOFT_SILK: Self = woven_cgs([7492.0, 7436.0, 1193.0], 0.03543, 0.1, 0.0187);
    /// Denim fitted to a scanned swatch [Lar22, table 5.3]. The fit reports ν = 0.4286, where warp and
    /// weft all but lock (Δ = 0.0028, stiffnesses above 1 kN/m); the largest ratio that keeps
    /// Δ ≥ 0.05 is used instead. Young's moduli are as fitted.
    pub const MEASURED_DENIM: Self = woven_cgs([3793.0, 20590.0, 6968.0], 0.4183, 28.5, 0.0324);
    /// Cotton fitted to a scanned swatch [Lar22, table 5.3].
    pub const MEASURED_COTTON: Self = woven_cgs([1840.0, 2019.0, 6538.0], 0.4308, 8.99, 0.0224);
    /// Polyester fitted to a scanned swatch [Lar22, table 5.3].
    pub const MEASURED_POLYESTER: Self = woven_cgs([1028.0, 3271.0, 9171.0], 0.2731, 2.35, 0.0187);
    /// Printing paper: 0.5 MN/m, rigidity 0.4 mN·m, 0.1 kg/m² [LDN+18]; Poisson's ratio chosen.
    pub const PAPER: Self = isotropic(0.5e6, 0.3, 0.1, 0.4e-3 / 3.0);
    /// Aluminium foil of 25.4 µm: 1.8 MN/m, rigidity 96 µN·m, 0.071 kg/m² [LDN+18].
    pub const ALUMINIUM_FOIL: Self = isotropic(1.8e6, 0.33, 0.071, 96e-6 / 3.0);

    /// All presets by name, in the order of the names.
    pub const PRESETS: [(&'static str, Self); 11] = [
        ("aluminium-foil", Self::ALUMINIUM_FOIL),
        ("cotton", Self::COTTON),
        ("denim", Self::DENIM),
        ("measured-cotton", Self::MEASURED_COTTON),
        ("measured-denim", Self::MEASURED_DENIM),
        ("measured-polyester", Self::MEASURED_POLYESTER),
        ("paper", Self::PAPER),
        ("silk", Self::SILK),
        ("soft-cotton", Self::SOFT_COTTON),
        ("soft-denim", Self::SOFT_DENIM),
        ("soft-silk", Self::SOFT_SILK),
    ];

    /// A fabric that stretches as given, of density [kg/m²] and bending stiffness `k_b` [N·m].
    pub fn new(
        stretch: Stretch,
        density: f64,
        bending_stiffness: f64,
    ) -> Result<Self, FabricError> {
        Self { stretch, density, bending_stiffness, damping: Damping::NONE }.checked()
    }

    /// The preset of that name; `_`, spaces and capitals do not matter.
    pub fn preset(name: &str) -> Result<Self, FabricError> {
        Ok(names::find("fabric", name, &Self::PRESETS)?)
    }

    /// The same that stretches differently.
    pub fn with_stretch(self, stretch: Stretch) -> Result<Self, FabricError> {
        Self { stretch, ..self }.checked()
    }

    /// The same with another density [kg/m²].
    pub fn with_density(self, density: f64) -> Result<Self, FabricError> {
        Self { density, ..self }.checked()
    }

    /// The same with another bending stiffness [N·m].
    pub fn with_bending_stiffness(self, bending_stiffness: f64) -> Result<Self, FabricError> {
        Self { bending_stiffness, ..self }.checked()
    }

    /// The same with damping.
    pub fn with_damping(self, damping: Damping) -> Result<Self, FabricError> {
        Self { damping, ..self }.checked()
    }

    /// How it stretches.
    pub fn stretch(&self) -> Stretch {
        self.stretch
    }

    /// Mass per rest area [kg/m²].
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Bending stiffness `k_b` [N·m].
    pub fn bending_stiffness(&self) -> f64 {
        self.bending_stiffness
    }

    /// Rayleigh damping.
    pub fn damping(&self) -> Damping {
        self.damping
    }

    /// The energy density of the membrane.
    pub fn model(&self) -> MembraneModel {
        self.stretch.model().expect("a fabric has stable elastic constants")
    }

    fn checked(self) -> Result<Self, FabricError> {
        self.stretch.model()?;
        check_density(self.density, "kg/m²")?;
        check_damping(self.damping)?;
        let bending_stiffness = self.bending_stiffness;
        if !(bending_stiffness.is_finite() && bending_stiffness >= 0.0) {
            return Err(FabricError::Bending { bending_stiffness });
        }
        Ok(self)
    }
}

impl Stretch {
    fn model(&self) -> Result<MembraneModel, FabricError> {
        match *self {
            Self::Woven(moduli) => Ok(MembraneModel::OrthotropicStVenantKirchhoff(
                OrthotropicStVenantKirchhoff::from_moduli(moduli)?,
            )),
            Self::Isotropic { youngs_modulus, poissons_ratio } => {
                let lame = Lame::plane_stress(youngs_modulus, poissons_ratio)?;
                if lame.lambda < 0.0 {
                    let law = "neo-hookean";
                    return Err(MaterialError::Auxetic { law, poissons_ratio }.into());
                }
                Ok(MembraneModel::NeoHookean(MembraneNeoHookean::new(lame)))
            }
        }
    }
}

/// Warp, weft and shear modulus [dyn/cm], Poisson's ratio [-], bending [dyn·cm], density [g/cm²].
const fn woven_cgs(
    [warp, weft, shear]: [f64; 3],
    poissons_ratio: f64,
    bending: f64,
    density: f64,
) -> Fabric {
    // Divisions by powers of ten round once; factors like 1e-3 are themselves rounded.
    let stretch = Stretch::Woven(OrthotropicModuli {
        youngs_modulus_warp: warp / 1e3,
        youngs_modulus_weft: weft / 1e3,
        shear_modulus: shear / 1e3,
        poissons_ratio,
    });
    Fabric {
        stretch,
        density: density * 10.0,
        bending_stiffness: bending / 1e7,
        damping: Damping::NONE,
    }
}

const fn isotropic(
    youngs_modulus: f64,
    poissons_ratio: f64,
    density: f64,
    bending_stiffness: f64,
) -> Fabric {
    let stretch = Stretch::Isotropic { youngs_modulus, poissons_ratio };
    Fabric { stretch, density, bending_stiffness, damping: Damping::NONE }
}
