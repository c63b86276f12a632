//! Elastic energy densities: one file per model.
//!
//! A solid's density is a function $\Psi(F)$ of its 3×3 deformation gradient [J/m³]; a membrane's of
//! its 3×2 one [J/m²]. Each model gives
//!
//! | | solid | membrane |
//! |---|---|---|
//! | `value` | $\Psi$ | $\Psi$ |
//! | `stress` | $P = \partial\Psi/\partial F$, 3×3 | 3×2 |
//! | `stress_change` | $dP = (\partial P/\partial F) : dF$ | |
//! | `tangent` | $\partial\,\mathrm{vec} P / \partial\,\mathrm{vec} F$, 9×9 | 6×6 |
//!
//! with column-major `vec`. `value` is the formula as its source prints it and may be non-zero at rest
//! (stable neo-Hookean); elements subtract `value(I)`. Outside a model's domain `value` is `+∞`, so a
//! line search steps back; the other functions may then return anything.
//!
//! The tangent is exact. Making it positive semi-definite is a step of its own ([`projection`]):
//! models only name their negative eigenpairs.
#![expect(non_snake_case, reason = "F, P and dF as in the literature")]

mod corotated;
mod invariants;
mod lame;
mod linear;
mod membrane_model;
mod membrane_neo_hookean;
mod mooney_rivlin;
mod neo_hookean;
mod orthotropic_st_venant_kirchhoff;
pub mod projection;
mod singular_values;
mod solid_model;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
mod volume;

pub use corotated::Corotated;
pub use lame::{Lame, LameError};
pub use linear::Linear;
pub use membrane_model::MembraneModel;
pub use membrane_neo_hookean::MembraneNeoHookean;
pub use mooney_rivlin::MooneyRivlin;
pub use neo_hookean::NeoHookean;
pub use orthotropic_st_venant_kirchhoff::{
    OrthotropicError, OrthotropicModuli, OrthotropicStVenantKirchhoff, OrthotropicStiffness,
};
pub use projection::NegativeModes;
pub use singular_values::SingularValues;
pub use solid_model::SolidModel;
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use stable_neo_hookean::StableNeoHookean;
pub use volume::{ATMOSPHERE, VolumeEnergy, VolumeError, VolumeModel};

use crate::math::{Matrix3, Matrix3x2, Matrix6, Matrix9, Vector3};

/// Second derivatives along three rest-space directions: `[a][b]` is the change of `P gₐ` with `p`
/// when `F` changes by `p g_bᵀ`. Symmetric: `[b][a]` is the transpose of `[a][b]`.
pub type DirectionalBlocks = [[Matrix3; 3]; 3];

/// The energy density of an elastic solid, as a function of its deformation gradient `F`.
pub trait ElasticDensity: Send + Sync {
    /// Energy per rest volume [J/m³]; `+∞` outside the domain.
    fn value(&self, F: &Matrix3) -> f64;

    /// First Piola–Kirchhoff stress, the derivative of the value [Pa].
    fn stress(&self, F: &Matrix3) -> Matrix3;

    /// Change of the stress when `F` changes by `dF` [Pa].
    fn stress_change(&self, F: &Matrix3, dF: &Matrix3) -> Matrix3;

    /// Derivative of the stress on column-major vectors, symmetric [Pa].
    fn tangent(&self, F: &Matrix3) -> Matrix9;

    /// The eigenpairs of the tangent with a negative eigenvalue.
    fn negative_modes(&self, F: &Matrix3) -> NegativeModes<3>;

    /// The nearest positive semi-definite matrix to the tangent [Pa].
    fn projected_tangent(&self, F: &Matrix3) -> Matrix9 {
        let mut T = self.tangent(F);
        if !projection::is_positive(&T) {
            self.negative_modes(F).lift(&mut T);
        }
        T
    }

    /// The tangent along rest-space directions `g` [Pa/m²]: what an element needs, often much
    /// cheaper than the 9×9 matrix.
    fn directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        contract(&self.tangent(F), g)
    }

    /// The projected tangent along rest-space directions `g` [Pa/m²].
    fn projected_directional_tangent(&self, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
        contract(&self.projected_tangent(F), g)
    }
}

/// The energy density of a membrane, as a function of its 3×2 deformation gradient `F`.
pub trait MembraneDensity: Send + Sync {
    /// Energy per rest area [J/m²]; `+∞` outside the domain.
    fn value(&self, F: &Matrix3x2) -> f64;

    /// Stress resultant, the derivative of the value [N/m].
    fn stress(&self, F: &Matrix3x2) -> Matrix3x2;

    /// Change of the stress when `F` changes by `dF` [N/m].
    fn stress_change(&self, F: &Matrix3x2, dF: &Matrix3x2) -> Matrix3x2;

    /// Derivative of the stress on column-major vectors, symmetric [N/m].
    fn tangent(&self, F: &Matrix3x2) -> Matrix6;

    /// The eigenpairs of the tangent with a negative eigenvalue.
    fn negative_modes(&self, F: &Matrix3x2) -> NegativeModes<2>;

    /// True when all directions in the sheet are alike, so that the rest axes do not matter.
    fn is_isotropic(&self) -> bool;

    /// The nearest positive semi-definite matrix to the tangent [N/m].
    fn projected_tangent(&self, F: &Matrix3x2) -> Matrix6 {
        let mut T = self.tangent(F);
        if !projection::is_positive(&T) {
            self.negative_modes(F).lift(&mut T);
        }
        T
    }
}

/// `Σ_ij g_a[i] g_b[j] T_ij` over the 3×3 blocks of `T`.
fn contract(T: &Matrix9, g: &[Vector3; 3]) -> DirectionalBlocks {
    let mut K = [[Matrix3::zeros(); 3]; 3];
    for b in 0..3 {
        for k in 0..3 {
            let (t0, t1, t2) = (T.column(k), T.column(k + 3), T.column(k + 6));
            let mut c = [0.0; 9];
            for r in 0..9 {
                c[r] = t0[r] * g[b][0] + t1[r] * g[b][1] + t2[r] * g[b][2];
            }
            for a in 0..=b {
                for r in 0..3 {
                    K[a][b][(r, k)] = c[r] * g[a][0] + c[r + 3] * g[a][1] + c[r + 6] * g[a][2];
                }
            }
        }
    }
    symmetric_blocks(|a, b| K[a][b])
}

/// Blocks of a model that has them in closed form, lifted if a Cholesky factorisation of its tangent
/// asks for it.
fn lifted<M: ElasticDensity>(model: &M, F: &Matrix3, g: &[Vector3; 3]) -> DirectionalBlocks {
    let mut K = model.directional_tangent(F, g);
    if !projection::is_positive(&model.tangent(F)) {
        for (weight, mode) in model.negative_modes(F).iter() {
            let m = g.map(|g| mode * g);
            for a in 0..3 {
                for b in 0..3 {
                    K[a][b] += m[a] * (m[b] * weight).transpose();
                }
            }
        }
    }
    K
}

/// Fills the lower blocks with the transposes of the upper ones.
fn symmetric_blocks(entry: impl Fn(usize, usize) -> Matrix3) -> DirectionalBlocks {
    let (k01, k02, k12) = (entry(0, 1), entry(0, 2), entry(1, 2));
    [
        [entry(0, 0), k01, k02],
        [k01.transpose(), entry(1, 1), k12],
        [k02.transpose(), k12.transpose(), entry(2, 2)],
    ]
}
