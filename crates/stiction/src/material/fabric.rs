//! Fabrics: sheets that stretch and bend.
//!
//! Published cloth is often in CGS units: 1 dyn/cm = 10⁻³ N/m, 1 dyn·cm = 10⁻⁷ N·m,
//! 1 g/cm² = 10 kg/m². The presets keep the published numbers in the source and convert them here.
//!
//! Bending stiffness is that of a plate, `D` in moment = `D` × curvature: `E t³/12(1−ν²)` of paper or foil, Peirce's
//! flexural rigidity of cloth ([Pei30], which is measured on narrow strips, `D (1−ν²)`). The values `b` after [Lar22]
//! multiply `½θ²` of each hinge whatever its shape, on regular grids of right triangles; bent along its rows such a
//! grid stores `½ b κ²` per area, so `D = b`. `docs/fabrics.md` has all numbers and what they are worth.

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

/// How the curvature of a mesh of triangles is measured where it resists bending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BendingModel {
    /// A curvature for each triangle ([`CurvatureSet`](crate::element::CurvatureSet)): a plate, nearly whatever the
    /// mesh. The default.
    #[default]
    Curvature,
    /// An angle for each edge ([`HingeSet`](crate::element::HingeSet) with `k_b = D/3`): discrete shells, whose
    /// stiffness depends on the mesh; cheaper.
    Hinges,
}

/// A sheet material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    stretch: Stretch,
    density: f64,           // [kg/m²]
    bending_stiffness: f64, // D [N·m]
    bending_model: BendingModel,
    bending_poissons_ratio: Option<f64>, // [-]
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
    /// A plate is stable between −1 and 1.
    #[error(
        "Poisson's ratio of bending is {poissons_ratio}, but must be above -1 and below 1\n  \
         help: 0 for woven cloth, that of the material for paper and foil"
    )]
    BendingRatio {
        /// The value given.
        poissons_ratio: f64,
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
    /// weft all but lock (Δ = 0.0028, stiffnesses above 1 MN/m); the largest ratio that keeps
    /// Δ ≥ 0.05 is used instead. Young's moduli are as fitted.
    pub const MEASURED_DENIM: Self = measured([3793.0, 20590.0, 6968.0], 0.4183, 28.5, 0.0324);
    /// Cotton fitted to a scanned swatch [Lar22, table 5.3].
    pub const MEASURED_COTTON: Self = measured([1840.0, 2019.0, 6538.0], 0.4308, 8.99, 0.0224);
    /// Polyester fitted to a scanned swatch [Lar22, table 5.3].
    pub const MEASURED_POLYESTER: Self = measured([1028.0, 3271.0, 9171.0], 0.2731, 2.35, 0.0187);
    /// Printing paper: 0.5 MN/m, rigidity 0.4 mN·m, 0.1 kg/m² [LDN+18]; Poisson's ratio chosen.
    pub const PAPER: Self = isotropic(0.5e6, 0.3, 0.1, 0.4e-3);
    /// Aluminium foil of 25.4 µm: 1.8 MN/m, rigidity 96 µN·m, 0.071 kg/m² [LDN+18].
    pub const ALUMINIUM_FOIL: Self = isotropic(1.8e6, 0.33, 0.071, 96e-6);

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

    /// A fabric that stretches as given, of density [kg/m²] and bending stiffness `D` [N·m].
    pub fn new(
        stretch: Stretch,
        density: f64,
        bending_stiffness: f64,
    ) -> Result<Self, FabricError> {
        sheet(stretch, density, bending_stiffness).checked()
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

    /// The same with another way to measure curvature.
    #[must_use]
    pub fn with_bending_model(self, bending_model: BendingModel) -> Self {
        Self { bending_model, ..self }
    }

    /// The same with another Poisson's ratio of bending [-]: how much a strip that is bent one way curls the other.
    /// Hinges do not use it.
    pub fn with_bending_poissons_ratio(self, poissons_ratio: f64) -> Result<Self, FabricError> {
        Self { bending_poissons_ratio: Some(poissons_ratio), ..self }.checked()
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

    /// Bending stiffness `D`, that of a plate [N·m].
    pub fn bending_stiffness(&self) -> f64 {
        self.bending_stiffness
    }

    /// How curvature is measured.
    pub fn bending_model(&self) -> BendingModel {
        self.bending_model
    }

    /// Poisson's ratio of bending [-]. Where none was given it is that of stretch of an isotropic sheet, a plate, and
    /// zero of a woven one, whose threads bend one by one.
    pub fn bending_poissons_ratio(&self) -> f64 {
        self.bending_poissons_ratio.unwrap_or(match self.stretch {
            Stretch::Woven(_) => 0.0,
            Stretch::Isotropic { poissons_ratio, .. } => poissons_ratio,
        })
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
        let poissons_ratio = self.bending_poissons_ratio();
        if !(poissons_ratio > -1.0 && poissons_ratio < 1.0) {
            return Err(FabricError::BendingRatio { poissons_ratio });
        }
        Ok(self)
    }
}

impl BendingModel {
    /// All models by name.
    pub const NAMES: [(&'static str, Self); 2] =
        [("curvature", Self::Curvature), ("hinges", Self::Hinges)];

    /// The model of that name; `_`, spaces and capitals do not matter.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        names::find("bending model", name, &Self::NAMES)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Curvature => "curvature",
            Self::Hinges => "hinges",
        }
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
    measured([warp / 1e3, weft / 1e3, shear / 1e3], poissons_ratio, bending, density)
}

/// Warp, weft and shear modulus [N/m], the rest as in [`woven_cgs`].
///
/// The source says that all its tables are in CGS units. But it hangs 200 g on a swatch 9.6 cm wide, which is 20 N/m,
/// and fits small strains: in dyn/cm its moduli would let the swatch get 1.5 to 3.5 times as long, in
/// N/m by 0.1 to 2 %.
const fn measured(
    [youngs_modulus_warp, youngs_modulus_weft, shear_modulus]: [f64; 3],
    poissons_ratio: f64,
    bending: f64,
    density: f64,
) -> Fabric {
    let stretch = Stretch::Woven(OrthotropicModuli {
        youngs_modulus_warp,
        youngs_modulus_weft,
        shear_modulus,
        poissons_ratio,
    });
    sheet(stretch, density * 10.0, bending / 1e7)
}

const fn isotropic(
    youngs_modulus: f64,
    poissons_ratio: f64,
    density: f64,
    bending_stiffness: f64,
) -> Fabric {
    let stretch = Stretch::Isotropic { youngs_modulus, poissons_ratio };
    sheet(stretch, density, bending_stiffness)
}

const fn sheet(stretch: Stretch, density: f64, bending_stiffness: f64) -> Fabric {
    Fabric {
        stretch,
        density,
        bending_stiffness,
        bending_model: BendingModel::Curvature,
        bending_poissons_ratio: None,
        damping: Damping::NONE,
    }
}
