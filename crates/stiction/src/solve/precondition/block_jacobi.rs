//! Block Jacobi: every vertex on its own, `z_i = A_ii⁻¹ r_i`.
//!
//! Cheap, parallel, always defined; removes bad scaling between and inside blocks. Knows nothing of
//! coupling, so the iteration count still grows with the mesh.

use std::sync::Arc;

use super::small_block::{invert_any, invert_positive, set_vector, vector};
use super::{PreconditionError, Preconditioner, check_pattern};
use crate::math::Matrix3;
use crate::solve::{BlockMatrix, BlockPattern};
use crate::threads::for_each_block;

/// Inverses of the diagonal blocks.
#[derive(Clone, Debug)]
pub struct BlockJacobi {
    pattern: Arc<BlockPattern>,
    positive: bool,
    inverses: Vec<Matrix3>,
    regularised: usize,
}

impl BlockJacobi {
    /// Plain inverses, for nonsymmetric solvers and positive definite matrices. Blocks too close to
    /// singular are regularised.
    pub fn new(matrix: &BlockMatrix) -> Self {
        Self::build(matrix, false)
    }

    /// Always symmetric positive definite, as MINRES needs: inverses by absolute value of the
    /// symmetric parts.
    pub fn positive(matrix: &BlockMatrix) -> Self {
        Self::build(matrix, true)
    }

    fn build(matrix: &BlockMatrix, positive: bool) -> Self {
        let inverses = vec![Matrix3::zeros(); matrix.size()];
        let mut this =
            Self { pattern: matrix.pattern().clone(), positive, inverses, regularised: 0 };
        this.fill(matrix);
        this
    }

    /// Takes new values of the same pattern.
    ///
    /// # Errors
    /// When the pattern is another.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), PreconditionError> {
        check_pattern(&self.pattern, matrix)?;
        self.fill(matrix);
        Ok(())
    }

    /// Blocks that could not be inverted as they are.
    pub fn regularised_count(&self) -> usize {
        self.regularised
    }

    fn fill(&mut self, matrix: &BlockMatrix) {
        // Stands in for blocks that are zero: the largest of the others. NaN is skipped on purpose.
        let largest = (0..matrix.size()).map(|i| matrix.block(i, i).amax()).fold(0.0, f64::max);
        let scale = if largest > 0.0 && largest.is_finite() { largest } else { 1.0 };
        self.regularised = 0;
        for (i, inverse) in self.inverses.iter_mut().enumerate() {
            let block = matrix.block(i, i);
            let regularised;
            (*inverse, regularised) = if self.positive {
                invert_positive(&block, scale)
            } else {
                invert_any(&block, scale)
            };
            self.regularised += usize::from(regularised);
        }
    }
}

impl Preconditioner for BlockJacobi {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        for_each_block(z, 2048, |i, z| {
            set_vector(z, 0, self.inverses[i] * vector(r, i));
        });
    }
}
