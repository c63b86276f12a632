//! Elements: terms of the energy that couple a few points.
//!
//! An [`ElementSet`] holds many elements of one kind. It knows rest shapes and models, but not where
//! its points live in the vector of unknowns: assembly hands it positions and takes back blocks.
#![expect(non_snake_case, reason = "F, P, K, T as in the literature")]

mod curvature;
mod hinge;
mod hinge_angle;
mod joint;
mod mass;
mod pressure;
mod rest_shape;
mod rotations;
mod spring;
mod strained;
mod tetrahedron;
mod triangle;

pub use curvature::CurvatureSet;
pub use hinge::{HingeSet, RestAngles};
pub use hinge_angle::HingeAngle;
pub use joint::{Coordinate, GearRow, GearSet, JointRow, JointSet, Law};
pub use mass::lumped_masses;
pub use pressure::PressureSet;
pub use rest_shape::RestShapeError;
pub use rotations::without_rotations;
pub use spring::{Spring, SpringSet};
pub use strained::{Gradients, Strained};
pub use tetrahedron::TetrahedronSet;
pub use triangle::TriangleSet;

use crate::math::{Matrix3, Vector3};

/// Second derivatives of one element: block `[a][b]` is `∂²W/∂x_a∂x_b` [N/m].
pub type Hessian<const N: usize> = [[Matrix3; N]; N];

/// Whether second derivatives are returned as they are or made positive semi-definite.
///
/// Root finding wants them exact; minimisation needs a descent direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Projection {
    /// The exact second derivative.
    Exact,
    /// A positive semi-definite one near it: for densities and springs the nearest (negative
    /// eigenvalues become zero), for others as the set says.
    Positive,
}

/// Many elements of one kind, each coupling `N` points.
pub trait ElementSet<const N: usize>: Send + Sync {
    /// How many elements there are.
    fn len(&self) -> usize;

    /// True when there are no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Energy of element `e` [J]; `+∞` outside the model's domain.
    fn energy(&self, e: usize, x: &[Vector3; N]) -> f64;

    /// Derivative of the energy of element `e` with respect to its points: minus its force [N].
    fn gradient(&self, e: usize, x: &[Vector3; N]) -> [Vector3; N];

    /// Derivative of the gradient of element `e` [N/m].
    fn hessian(&self, e: usize, x: &[Vector3; N], projection: Projection) -> Hessian<N>;

    /// Change of the gradient of element `e` when its points move by `dx`, to first order [N]: the exact
    /// Hessian times `dx`, without forming it where that is cheaper.
    fn hessian_product(&self, e: usize, x: &[Vector3; N], dx: &[Vector3; N]) -> [Vector3; N] {
        let hessian = self.hessian(e, x, Projection::Exact);
        std::array::from_fn(|a| (0..N).map(|b| hessian[a][b] * dx[b]).sum())
    }

    /// What stiffness-proportional damping of element `e` multiplies with velocities, per time `β`:
    /// positive semi-definite, and blind to rigid motions [N/m].
    fn damping(&self, e: usize, x: &[Vector3; N]) -> Hessian<N> {
        without_rotations(&self.hessian(e, x, Projection::Positive), x)
    }

    /// Strain and stress of element `e`, of those that have them: tetrahedra and membrane triangles.
    fn strained(&self, _e: usize, _x: &[Vector3; N]) -> Option<Strained> {
        None
    }

    /// True when `gradient` is the derivative of `energy`, and so `hessian` is symmetric. Loads that
    /// follow the surface are not: they can only be found as roots, not as minima.
    fn is_conservative(&self) -> bool {
        true
    }

    /// Size of the numbers that cancel inside all energies together, for estimates of rounding [J].
    fn energy_magnitude(&self) -> f64 {
        0.0
    }

    /// What the elements remember between steps; empty for most.
    fn memory(&self) -> &[f64] {
        &[]
    }

    /// Restores [`ElementSet::memory`].
    fn set_memory(&mut self, _memory: &[f64]) {}

    /// The time that targets which move are looked at [s].
    fn set_time(&mut self, _time: f64) {}

    /// Element `e` ended an accepted step at `x`. Not called inside a line search: the energy must stay
    /// one function while it is minimised.
    fn accept(&mut self, _e: usize, _x: &[Vector3; N]) {}
}
