//! Any membrane model, chosen at run time.

use super::{MembraneDensity, MembraneNeoHookean, NegativeModes, OrthotropicStVenantKirchhoff};
use crate::math::{Matrix3x2, Matrix6};

/// One of the membrane models. Calls branch once and then run the model's own code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MembraneModel {
    /// The same in all directions.
    NeoHookean(MembraneNeoHookean),
    /// Woven: warp and weft differ.
    OrthotropicStVenantKirchhoff(OrthotropicStVenantKirchhoff),
}

macro_rules! each {
    ($self:ident, $model:ident => $call:expr) => {
        match $self {
            Self::NeoHookean($model) => $call,
            Self::OrthotropicStVenantKirchhoff($model) => $call,
        }
    };
}

impl MembraneDensity for MembraneModel {
    fn value(&self, F: &Matrix3x2) -> f64 {
        each!(self, model => model.value(F))
    }

    fn stress(&self, F: &Matrix3x2) -> Matrix3x2 {
        each!(self, model => model.stress(F))
    }

    fn stress_change(&self, F: &Matrix3x2, dF: &Matrix3x2) -> Matrix3x2 {
        each!(self, model => model.stress_change(F, dF))
    }

    fn tangent(&self, F: &Matrix3x2) -> Matrix6 {
        each!(self, model => model.tangent(F))
    }

    fn negative_modes(&self, F: &Matrix3x2) -> NegativeModes<2> {
        each!(self, model => model.negative_modes(F))
    }

    fn is_isotropic(&self) -> bool {
        each!(self, model => model.is_isotropic())
    }

    fn projected_tangent(&self, F: &Matrix3x2) -> Matrix6 {
        each!(self, model => model.projected_tangent(F))
    }
}
