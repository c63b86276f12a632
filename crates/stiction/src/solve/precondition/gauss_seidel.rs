//! Symmetric block Gauss–Seidel (SSOR): one sweep over the vertices down, one up.
//!
//! With `A = L + D + U` and relaxation `ω`,
//!
//! $$ M = \tfrac{\omega}{2-\omega}\,(D/\omega + L)\,(D/\omega)^{-1}\,(D/\omega + U)
//!    \qquad \text{[Saa03, §10.2]} $$
//!
//! Needs no factorisation beyond the diagonal blocks, so it is cheap to refresh and cannot break
//! down; symmetric positive definite when the matrix is. Depends on the order of the vertices, and
//! runs in sequence. Keeps its own copy of the matrix.

use super::small_block::{invert_any, set_vector, vector};
use super::{PreconditionError, Preconditioner, check_pattern};
use crate::math::Matrix3;
use crate::solve::BlockMatrix;

/// The matrix, the inverses of its diagonal blocks, and the relaxation factor.
#[derive(Clone, Debug)]
pub struct SymmetricGaussSeidel {
    matrix: BlockMatrix,
    inverses: Vec<Matrix3>,
    relaxation: f64,
    regularised: usize,
}

impl SymmetricGaussSeidel {
    /// `relaxation` in (0, 2); 1 is plain symmetric Gauss–Seidel.
    ///
    /// # Errors
    /// When it is not.
    pub fn new(matrix: &BlockMatrix, relaxation: f64) -> Result<Self, PreconditionError> {
        if !(relaxation > 0.0 && relaxation < 2.0) {
            return Err(PreconditionError::Relaxation { relaxation });
        }
        let inverses = vec![Matrix3::zeros(); matrix.size()];
        let mut this = Self { matrix: matrix.clone(), inverses, relaxation, regularised: 0 };
        this.fill();
        Ok(this)
    }

    /// Takes new values of the same pattern.
    ///
    /// # Errors
    /// When the pattern is another.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), PreconditionError> {
        check_pattern(self.matrix.pattern(), matrix)?;
        self.matrix.values_mut().copy_from_slice(matrix.values());
        self.fill();
        Ok(())
    }

    /// Diagonal blocks that could not be inverted as they are.
    pub fn regularised_count(&self) -> usize {
        self.regularised
    }

    fn fill(&mut self) {
        let diagonal = |i| self.matrix.block(i, i);
        let largest = (0..self.matrix.size()).map(|i| diagonal(i).amax()).fold(0.0, f64::max);
        let scale = if largest > 0.0 && largest.is_finite() { largest } else { 1.0 };
        self.regularised = 0;
        for (i, inverse) in self.inverses.iter_mut().enumerate() {
            let regularised;
            (*inverse, regularised) = invert_any(&diagonal(i), scale);
            self.regularised += usize::from(regularised);
        }
    }
}

impl Preconditioner for SymmetricGaussSeidel {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let omega = self.relaxation;
        let n = self.matrix.size();
        // (D/ω + L) y = r
        for i in 0..n {
            let mut sum = vector(r, i);
            for (j, block) in self.matrix.row(i).take_while(|&(j, _)| j < i) {
                sum -= block * vector(z, j);
            }
            set_vector(z, i, self.inverses[i] * sum * omega);
        }
        // (D/ω + U) z = (2 − ω)/ω · D/ω y, by way of z = (2 − ω)/ω y − ω D⁻¹ U z
        for i in (0..n).rev() {
            let mut sum = crate::math::Vector3::zeros();
            for (j, block) in self.matrix.row(i).skip_while(|&(j, _)| j <= i) {
                sum += block * vector(z, j);
            }
            let down = vector(z, i) * ((2.0 - omega) / omega);
            set_vector(z, i, down - self.inverses[i] * sum * omega);
        }
    }
}
