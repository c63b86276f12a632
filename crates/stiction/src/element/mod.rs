//! Elements: terms of the energy that couple a few points.
//!
//! An [`ElementSet`] holds many elements of one kind. It knows rest shapes and models, but not where
//! its points live in the vector of unknowns: assembly hands it positions and takes back blocks.

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
    /// The nearest positive semi-definite one (negative eigenvalues become zero).
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
}
