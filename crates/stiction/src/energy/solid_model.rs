//! Any solid model, chosen at run time.

use super::{
    Corotated, DirectionalBlocks, ElasticDensity, Linear, MooneyRivlin, NegativeModes, NeoHookean,
    StVenantKirchhoff, StableNeoHookean,
};
use crate::math::{Matrix3, Matrix9, Vector3};

/// One of the solid models. Calls branch once and then run the model's own code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidModel {
    /// Small strains and rotations only.
    Linear(Linear),
    /// Fixed corotated.
    Corotated(Corotated),
    /// Large rotations, small strains.
    StVenantKirchhoff(StVenantKirchhoff),
    /// Never inverts.
    NeoHookean(NeoHookean),
    /// Survives inversion.
    StableNeoHookean(StableNeoHookean),
    /// Rubber at large strain.
    MooneyRivlin(MooneyRivlin),
}

macro_rules! each {
    ($self:ident, $model:ident => $call:expr) => {
        match $self {
            Self::Linear($model) => $call,
            Self::Corotated($model) => $call,
            Self::StVenantKirchhoff($model) => $call,
            Self::NeoHookean($model) => $call,
            Self::StableNeoHookean($model) => $call,
            Self::MooneyRivlin($model) => $call,
        }
    };
}

impl ElasticDensity for SolidModel {
    fn value(&self, F: &Matrix3) -> f64 {
        each!(self, model => model.value(F))
    }

    fn stress(&self, F: &Matrix3) -> Matrix3 {
        each!(self, model => model.stress(F))
    }

    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3 {
        each!(self, model => model.stress_change(F, dF))
    }

    fn tangent(&self, F: &Matrix3) -> Matrix9 {
        each!(self, model => model.tangent(F))
    }

    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3> {
        each!(self, model => model.negative_modes(F))
    }

    fn projected_tangent(&self, F: &Matrix3) -> Matrix9 {
        each!(self, model => model.projected_tangent(F))
    }

    fn directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        each!(self, model => model.directional_tangent(F, g))
    }

    fn projected_directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        each!(self, model => model.projected_directional_tangent(F, g))
    }
}
