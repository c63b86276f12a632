//! Incomplete Cholesky with 3×3 blocks and no fill, `A ≈ L D Lᵀ`, IC(0) [MV77].
//!
//! Reads the lower triangle only. Symmetric positive definite by construction: every pivot block is,
//! or else the factorisation starts again from `A + α S`, with `S` the row sums and `α` growing
//! [Man80]; [`IncompleteCholesky::shift`] tells. Exact where no fill arises, as for a chain. Half the
//! memory of [`super::IncompleteLu`]. Sequential.

use std::sync::Arc;

use super::small_block::{set_vector, vector};
use super::{PreconditionError, Preconditioner, check_pattern, shifts, write_row_scales};
use crate::math::Matrix3;
use crate::solve::{BlockMatrix, BlockPattern};

/// A pivot weaker than this, relative to its row of the matrix, counts as a breakdown.
const WEAKEST_PIVOT: f64 = 1e-12;

/// Unit lower factor by rows, and inverted pivots.
#[derive(Clone, Debug)]
pub struct IncompleteCholesky {
    pattern: Arc<BlockPattern>,
    /// Strictly lower rows: start in `columns` and `factor`.
    row_start: Vec<usize>,
    columns: Vec<u32>,
    factor: Vec<Matrix3>,
    inverse_pivots: Vec<Matrix3>,
    scales: Vec<f64>,
    shift: f64,
    /// `L_ij D_j` of the row being eliminated, by column.
    scaled_row: Vec<Matrix3>,
    /// Which row that entry of `scaled_row` was written for.
    row_of: Vec<usize>,
}

impl IncompleteCholesky {
    /// Factorises `matrix`, which should be symmetric.
    ///
    /// # Errors
    /// When the matrix is not finite.
    pub fn new(matrix: &BlockMatrix) -> Result<Self, PreconditionError> {
        let pattern = matrix.pattern().clone();
        let n = pattern.size();
        let mut row_start = vec![0];
        let mut columns = Vec::new();
        for i in 0..n {
            columns.extend(pattern.row(i).iter().filter(|&&j| (j as usize) < i));
            row_start.push(columns.len());
        }
        let mut this = Self {
            pattern,
            factor: vec![Matrix3::zeros(); columns.len()],
            row_start,
            columns,
            inverse_pivots: vec![Matrix3::zeros(); n],
            scales: vec![1.0; n],
            shift: 0.0,
            scaled_row: vec![Matrix3::zeros(); n],
            row_of: vec![usize::MAX; n],
        };
        this.factorise(matrix)?;
        Ok(this)
    }

    /// Takes new values of the same pattern.
    ///
    /// # Errors
    /// When the pattern is another, or the matrix not finite; the factors are then unusable.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), PreconditionError> {
        check_pattern(&self.pattern, matrix)?;
        self.factorise(matrix)
    }

    /// Diagonal shift that was needed, relative to the row sums [-]; zero is the usual case.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    fn factorise(&mut self, matrix: &BlockMatrix) -> Result<(), PreconditionError> {
        write_row_scales(matrix, &mut self.scales)?;
        let mut stuck = PreconditionError::Breakdown { row: 0, shift: 0.0 };
        for shift in shifts() {
            self.shift = shift;
            match self.eliminate(matrix) {
                Ok(()) => return Ok(()),
                Err(row) => stuck = PreconditionError::Breakdown { row, shift },
            }
        }
        Err(stuck)
    }

    /// Row by row; the error is the row of a bad pivot.
    fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), usize> {
        for i in 0..self.pattern.size() {
            let row = self.row_start[i]..self.row_start[i + 1];
            for (slot, (k, block)) in row.clone().zip(matrix.row(i)) {
                // S_ik = A_ik − Σ_j (L_ij D_j) L_kjᵀ over the columns j < k of both rows.
                let mut s = *block;
                for shared in self.row_start[k]..self.row_start[k + 1] {
                    let j = self.columns[shared] as usize;
                    if self.row_of[j] == i {
                        s -= self.scaled_row[j] * self.factor[shared].transpose();
                    }
                }
                (self.scaled_row[k], self.row_of[k]) = (s, i);
                self.factor[slot] = s * self.inverse_pivots[k];
            }
            let shift = Matrix3::identity() * (self.shift * self.scales[i]);
            let mut pivot = matrix.block(i, i) + shift;
            for slot in row {
                let k = self.columns[slot] as usize;
                pivot -= self.scaled_row[k] * self.factor[slot].transpose();
            }
            self.inverse_pivots[i] = invert_pivot(&pivot, self.scales[i]).ok_or(i)?;
        }
        Ok(())
    }
}

/// The inverse, if the pivot is safely positive definite.
fn invert_pivot(pivot: &Matrix3, scale: f64) -> Option<Matrix3> {
    let symmetric = (pivot + pivot.transpose()) * 0.5; // the products above round unevenly
    let inverse = symmetric.cholesky()?.inverse();
    (inverse.norm() * scale * WEAKEST_PIVOT < 1.0).then_some(inverse)
}

impl Preconditioner for IncompleteCholesky {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let row = |i: usize| {
            let range = self.row_start[i]..self.row_start[i + 1];
            self.columns[range.clone()].iter().map(|&j| j as usize).zip(&self.factor[range])
        };
        for i in 0..self.pattern.size() {
            let mut sum = vector(r, i);
            for (j, block) in row(i) {
                sum -= block * vector(z, j);
            }
            set_vector(z, i, sum);
        }
        for (i, inverse) in self.inverse_pivots.iter().enumerate() {
            let value = inverse * vector(z, i);
            set_vector(z, i, value);
        }
        // Lᵀ has no rows of its own; its columns are the rows of L.
        for i in (0..self.pattern.size()).rev() {
            let zi = vector(z, i);
            for (j, block) in row(i) {
                let value = vector(z, j) - block.tr_mul(&zi);
                set_vector(z, j, value);
            }
        }
    }
}
