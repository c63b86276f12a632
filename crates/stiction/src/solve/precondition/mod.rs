//! Preconditioners: cheap approximate inverses that make Krylov methods converge sooner.
//!
//! | | symmetric positive definite when the matrix is | work an application | parallel |
//! |---|---|---|---|
//! | [`Identity`] | yes | none | – |
//! | [`BlockJacobi`] | yes | one block a row | yes |
//! | [`SymmetricGaussSeidel`] | yes | as a product with the matrix | no |
//! | [`IncompleteCholesky`] | yes | as a product | no |
//! | [`IncompleteLu`] | no | as a product | no |
//!
//! A factorisation ([`LinearSolve`]), even one of an older matrix, is a preconditioner as it stands.
//!
//! All are built once for a pattern and refreshed with `refactor` when values change, which allocates
//! nothing. None fails for a singular or indefinite matrix: the offending blocks are regularised, and
//! the preconditioner says how much it had to change.

mod block_jacobi;
mod gauss_seidel;
mod incomplete_cholesky;
mod incomplete_lu;
mod small_block;

pub use block_jacobi::BlockJacobi;
pub use gauss_seidel::SymmetricGaussSeidel;
pub use incomplete_cholesky::IncompleteCholesky;
pub use incomplete_lu::IncompleteLu;

use std::sync::Arc;

use super::{BlockMatrix, BlockPattern, LinearSolve};

/// An approximate inverse.
pub trait Preconditioner: Sync {
    /// `z ≈ A⁻¹ r`, linear in `r`.
    fn apply(&self, r: &[f64], z: &mut [f64]);
}

/// No preconditioning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

impl Preconditioner for Identity {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
    }
}

impl<S: LinearSolve + ?Sized> Preconditioner for S {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        self.solve_in_place(z);
    }
}

/// Why a preconditioner could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PreconditionError {
    /// `refactor` was given a matrix of another structure.
    #[error(
        "the preconditioner was built for another pattern ({expected} blocks, now {found})\n  \
         help: build a new one when contacts change the structure; `refactor` is for new values"
    )]
    PatternChanged {
        /// Blocks of the pattern it was built for.
        expected: usize,
        /// Blocks of the matrix given.
        found: usize,
    },
    /// The matrix holds a NaN or an infinity.
    #[error(
        "block row {row} of the matrix is not finite\n  \
         help: check the state it was assembled from; a collapsed element is the usual cause"
    )]
    NotFinite {
        /// First offending block row.
        row: usize,
    },
    /// The relaxation factor is out of range.
    #[error(
        "relaxation factor {relaxation} is outside (0, 2)\n  \
         help: 1 is plain Gauss–Seidel; values up to about 1.6 sometimes converge faster"
    )]
    Relaxation {
        /// What was given.
        relaxation: f64,
    },
    /// No shift made the incomplete factorisation exist.
    #[error(
        "the incomplete factorisation broke down in block row {row}, even with a shift of {shift}\n  \
         help: use `BlockJacobi` for this matrix"
    )]
    Breakdown {
        /// Block row of the pivot.
        row: usize,
        /// Last shift tried, relative to the row [-].
        shift: f64,
    },
}

/// Whether `matrix` still has the structure a preconditioner was built for.
fn check_pattern(
    expected: &Arc<BlockPattern>,
    matrix: &BlockMatrix,
) -> Result<(), PreconditionError> {
    let found = matrix.pattern();
    if Arc::ptr_eq(expected, found) || expected == found {
        return Ok(());
    }
    Err(PreconditionError::PatternChanged {
        expected: expected.block_count(),
        found: found.block_count(),
    })
}

/// The largest row sum of magnitudes in each block row: the scale that shifts are relative to.
fn write_row_scales(matrix: &BlockMatrix, scales: &mut [f64]) -> Result<(), PreconditionError> {
    for (row, scale) in scales.iter_mut().enumerate() {
        let mut sums = crate::math::Vector3::zeros();
        for (_, block) in matrix.row(row) {
            sums += block.abs().column_sum();
        }
        // Summed, not `max`: NaN must survive.
        if !sums.sum().is_finite() {
            return Err(PreconditionError::NotFinite { row });
        }
        *scale = sums.max();
        if *scale <= 0.0 {
            *scale = 1.0;
        }
    }
    Ok(())
}

/// Shifts to try, relative to the row scales: none, then growing ones.
///
/// At 4 every row is diagonally dominant, and incomplete factorisations exist [Man80].
fn shifts() -> impl Iterator<Item = f64> {
    std::iter::once(0.0).chain((0..7).map(|k| 4.0_f64.powi(k - 5)))
}
