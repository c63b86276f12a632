//! Strain and stress of one element.
//!
//! With the deformation gradient `F`, its stress `P = ∂Ψ/∂F` and `J = det F` [BW08, ch. 5]:
//!
//! $$ \lambda(d) = |F d|, \qquad \sigma = \tfrac{1}{J} P F^T, \qquad
//!    \sigma_{vM} = \sqrt{\tfrac32\, s : s}, \quad s = \sigma - \tfrac13 (\operatorname{tr} \sigma) I,
//!    \qquad p = -\tfrac13 \operatorname{tr} \sigma $$
//!
//! `d` unit direction in the rest shape, `λ` stretch along it, `σ` Cauchy stress, force per present area [Pa].
//!
//! Of a membrane, `F` is 3×2, `J = |F e₁ × F e₂|` the ratio of areas, and `σ` force per present width in the plane of
//! the triangle [N/m]. Its normal part is zero, so that the same formula gives von Mises' stress of plane stress.

use crate::energy::SingularValues;
use crate::math::{Matrix3, Matrix3x2, Vector3};

/// An element as it is deformed now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strained {
    /// How it is deformed, and the stress that answers.
    pub gradients: Gradients,
    /// Energy per rest volume [J/m³], or per rest area [J/m²]; zero at rest.
    pub energy_density: f64,
    /// Rest volume [m³], or rest area [m²].
    pub rest_size: f64,
}

/// Deformation gradient `F` [-] and first Piola–Kirchhoff stress `P`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gradients {
    /// `P` in [Pa].
    Solid {
        /// From the rest shape to space.
        F: Matrix3,
        /// Per rest area.
        P: Matrix3,
    },
    /// `P` in [N/m].
    Membrane {
        /// From warp and weft to space.
        F: Matrix3x2,
        /// Per rest width.
        P: Matrix3x2,
    },
}

impl Strained {
    /// The largest and the smallest principal stretch [-]. The smallest of an inverted tetrahedron is negative.
    pub fn principal_stretches(&self) -> (f64, f64) {
        match self.gradients {
            Gradients::Solid { F, .. } => {
                let sigma = SingularValues::new(&F).sigma;
                (sigma[0], sigma[2])
            }
            Gradients::Membrane { F, .. } => {
                let (f0, f1) = (F.column(0), F.column(1));
                let (a, b, d) = (f0.norm_squared(), f0.dot(&f1), f1.norm_squared());
                let largest = (0.5 * (a + d) + (0.5 * (a - d)).hypot(b)).sqrt();
                // From the area, not from the other eigenvalue of FᵀF, which cancels where the triangle is thin.
                let smallest = if largest > 0.0 { self.size_ratio() / largest } else { 0.0 };
                (largest, smallest)
            }
        }
    }

    /// Stretch along a unit direction of the rest shape; along warp and weft for a membrane, whose third
    /// coordinate does not count [-].
    pub fn stretch_along(&self, direction: &Vector3) -> f64 {
        match self.gradients {
            Gradients::Solid { F, .. } => (F * direction).norm(),
            Gradients::Membrane { F, .. } => (F * direction.xy()).norm(),
        }
    }

    /// The unit direction of the rest shape that lies along `d` now, if the element is only turned; for a membrane,
    /// along what of `d` is in its plane, and none where that is nothing.
    pub fn rest_direction(&self, d: &Vector3) -> Option<Vector3> {
        let pulled_back = match self.gradients {
            Gradients::Solid { F, .. } => F.transpose() * d,
            Gradients::Membrane { F, .. } => (F.transpose() * d).push(0.0),
        };
        // Below this the direction would be mostly rounding.
        pulled_back.try_normalize(1e-6 * d.norm())
    }

    /// `J`: present volume over rest volume, or area over rest area [-]. Negative where a tetrahedron is inverted.
    pub fn size_ratio(&self) -> f64 {
        match self.gradients {
            Gradients::Solid { F, .. } => F.determinant(),
            Gradients::Membrane { F, .. } => F.column(0).cross(&F.column(1)).norm(),
        }
    }

    /// Cauchy stress `σ` [Pa]; of a membrane [N/m].
    pub fn cauchy_stress(&self) -> Matrix3 {
        let PFt = match self.gradients {
            Gradients::Solid { F, P } => P * F.transpose(),
            Gradients::Membrane { F, P } => P * F.transpose(),
        };
        let sigma = PFt / self.size_ratio();
        // Symmetric but for rounding, because energies are blind to rotations; linear elasticity is not.
        (sigma + sigma.transpose()) * 0.5
    }

    /// Von Mises' equivalent stress [Pa]; of a membrane [N/m].
    pub fn von_mises_stress(&self) -> f64 {
        let sigma = self.cauchy_stress();
        let deviator = sigma - Matrix3::from_diagonal_element(sigma.trace() / 3.0);
        (1.5 * deviator.norm_squared()).sqrt()
    }
}
