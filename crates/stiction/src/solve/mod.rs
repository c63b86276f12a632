//! Numerics that know no physics, usable on their own.
//!
//! Matrices are sparse with 3×3 blocks and a symmetric structure ([`BlockMatrix`]): a vertex is one
//! block, a rigid body two. Vectors are flat slices.
//!
//! | the matrix is | direct | iterative, in [`krylov`] | preconditioner, in [`precondition`] |
//! |---|---|---|---|
//! | symmetric positive definite | [`direct::Cholesky`] | [`krylov::cg`] | [`precondition::IncompleteCholesky`] |
//! | symmetric | [`direct::Ldlt`] | [`krylov::minres`] | [`precondition::BlockJacobi::positive`] |
//! | anything | [`direct::Lu`] | [`krylov::gmres`], or [`krylov::bicgstab`] for less memory | [`precondition::IncompleteLu`] |
//!
//! Nonlinear systems go to [`newton`] or [`inexact_newton`], energies to [`minimise`]. Every
//! iterative solve returns a [`Report`]; the unknowns stay with the caller.

mod block;
mod line_search;
pub(crate) mod power_iteration;
mod report;
pub(crate) mod vector;

pub mod complementarity;
pub mod direct;
pub mod inexact_newton;
pub mod krylov;
#[doc(alias("Woodbury"))]
pub mod low_rank;
#[doc(alias("Armijo", "projected Newton"))]
pub mod minimise;
pub mod newton;
pub mod operator;
pub mod precondition;

use crate::math::Matrix3;
pub use block::{BlockMatrix, BlockPattern};
pub use report::{Report, Status};

/// A linear map `y = A x`.
pub trait LinearOperator: Sync {
    /// Rows and columns.
    fn dimension(&self) -> usize;

    /// `y = A x`.
    fn apply(&self, x: &[f64], y: &mut [f64]);
}

/// A linear map that also knows its transpose.
pub trait TransposeOperator: LinearOperator {
    /// `y = Aᵀ x`.
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]);
}

/// A matrix in a form that solves: a factorisation.
///
/// It is a [`precondition::Preconditioner`] too; a factor of a nearby matrix makes an excellent one.
pub trait LinearSolve: Sync {
    /// Rows and columns.
    fn dimension(&self) -> usize;

    /// `b ← A⁻¹ b`.
    fn solve_in_place(&self, b: &mut [f64]);

    /// `b ← A⁻ᵀ b`.
    fn solve_transpose_in_place(&self, b: &mut [f64]);

    /// `J A⁻¹ Jᵀ` of a symmetric `A`, where each row of blocks of `J` is a list of columns of blocks and what is there.
    /// By columns, three for each of `rows`; of blocks off the diagonal only those below it are filled. Three solves
    /// for each of `rows`, unless a factorisation knows better.
    fn schur_complement(&self, rows: &[Vec<(usize, Matrix3)>]) -> Vec<f64> {
        direct::schur::by_columns(self, rows)
    }
}
