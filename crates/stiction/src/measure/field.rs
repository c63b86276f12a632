//! One number an element: what frames carry and colour maps show. Formulas are in [`Strained`].

use rayon::prelude::*;

use super::UnknownName;
use super::error::find;
use crate::Simulation;
use crate::body::{Body, BodyId};
use crate::element::Strained;
use crate::energy::projection::eigen_symmetric;
use crate::model::Model;

/// A quantity that every element of a body has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Elastic energy per rest volume, or rest area of cloth; without the bending of cloth.
    StrainEnergyDensity,
    /// Largest principal stretch.
    MaxStretch,
    /// Smallest principal stretch; negative where a tetrahedron is inverted.
    MinStretch,
    /// Volume over rest volume; solids only.
    VolumeRatio,
    /// Area over rest area; cloth only.
    AreaRatio,
    /// Largest principal Cauchy stress; of cloth per width.
    MaxStress,
    /// Von Mises' equivalent of the Cauchy stress; of cloth per width.
    VonMises,
    /// Minus the mean of the principal Cauchy stresses; solids only.
    Pressure,
}

impl Field {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::StrainEnergyDensity,
        Self::MaxStretch,
        Self::MinStretch,
        Self::VolumeRatio,
        Self::AreaRatio,
        Self::MaxStress,
        Self::VonMises,
        Self::Pressure,
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::StrainEnergyDensity => "strain_energy_density",
            Self::MaxStretch => "max_stretch",
            Self::MinStretch => "min_stretch",
            Self::VolumeRatio => "volume_ratio",
            Self::AreaRatio => "area_ratio",
            Self::MaxStress => "max_stress",
            Self::VonMises => "von_mises",
            Self::Pressure => "pressure",
        }
    }

    /// The field of this name.
    ///
    /// # Errors
    /// When there is none, with the nearest that there is.
    pub fn from_name(name: &str) -> Result<Self, UnknownName> {
        find("field", name, &Self::ALL, Self::name)
    }

    /// Its unit on this body, `1` if it has none; nothing where the body has no such field.
    pub fn unit(self, body: &Body) -> Option<&'static str> {
        match body {
            Body::Solid(_) => self.unit_on_solids(),
            Body::Cloth(_) => self.unit_on_cloth(),
            Body::Rigid(_) | Body::Obstacle(_) => None,
        }
    }

    /// Its unit on solids, if they have it.
    pub fn unit_on_solids(self) -> Option<&'static str> {
        match self {
            Self::StrainEnergyDensity => Some("J/m³"),
            Self::MaxStretch | Self::MinStretch | Self::VolumeRatio => Some("1"),
            Self::MaxStress | Self::VonMises | Self::Pressure => Some("Pa"),
            Self::AreaRatio => None,
        }
    }

    /// Its unit on cloth, if it has it.
    pub fn unit_on_cloth(self) -> Option<&'static str> {
        match self {
            Self::StrainEnergyDensity => Some("J/m²"),
            Self::MaxStretch | Self::MinStretch | Self::AreaRatio => Some("1"),
            Self::MaxStress | Self::VonMises => Some("N/m"),
            Self::VolumeRatio | Self::Pressure => None,
        }
    }

    /// Its value at one element. Of fields that only solids or only cloth have, a number without meaning at the other.
    pub fn at(self, element: &Strained) -> f64 {
        match self {
            Self::StrainEnergyDensity => element.energy_density,
            Self::MaxStretch => element.principal_stretches().0,
            Self::MinStretch => element.principal_stretches().1,
            Self::VolumeRatio | Self::AreaRatio => element.size_ratio(),
            Self::MaxStress => {
                let (stresses, _) = eigen_symmetric(&element.cauchy_stress());
                // Not `f64::max`: it drops NaN.
                let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
                stresses.into_iter().fold(f64::NEG_INFINITY, larger)
            }
            Self::VonMises => element.von_mises_stress(),
            Self::Pressure => -element.cauchy_stress().trace() / 3.0,
        }
    }

    /// Writes its values at the elements of a body, in the order of its mesh; nothing for an obstacle.
    ///
    /// # Panics
    /// When the body is of another scene.
    pub fn evaluate(self, simulation: &Simulation, body: BodyId, out: &mut Vec<f64>) {
        self.evaluate_at(simulation.model(), body, &simulation.trajectory().q, out);
    }

    /// The same at positions `q` of the nodes; only those of the body matter.
    ///
    /// # Panics
    /// When the body or the positions are of another scene.
    pub fn evaluate_at(self, model: &Model, body: BodyId, q: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let Some(&term) = model.body_terms(body).first() else { return };
        let term = &model.assembly().terms()[term];
        let strained =
            |e: usize| term.strained(e, q).expect("the first term of a body has strains");
        (0..term.len()).into_par_iter().map(|e| self.at(&strained(e))).collect_into_vec(out);
    }
}
