//! Incomplete LU with 3×3 blocks and no fill, ILU(0) [Saa03, §10.3].
//!
//! Elimination in the order of the vertices, keeping only blocks where the matrix has some; exact
//! where no fill arises, as for a chain. Strong for its price on nonsymmetric matrices with a solid
//! diagonal. A pivot block near singular restarts the factorisation of `A + α S`, with `S` the row
//! sums and `α` growing [Man80]; [`IncompleteLu::shift`] tells. Sequential. Good pivots do not prove
//! a good preconditioner: on strongly indefinite matrices it may hurt.

use std::sync::Arc;

use super::small_block::{invert, set_vector, vector};
use super::{PreconditionError, Preconditioner, check_pattern, shifts, write_row_scales};
use crate::math::{Matrix3, Vector3};
use crate::solve::{BlockMatrix, BlockPattern};

/// A pivot weaker than this, relative to its row of the matrix, counts as a breakdown.
const WEAKEST_PIVOT: f64 = 1e-10;

/// Unit lower factor, upper factor, and inverted pivots, in the pattern of the matrix.
#[derive(Clone, Debug)]
pub struct IncompleteLu {
    pattern: Arc<BlockPattern>,
    /// Slot of every diagonal block.
    diagonal: Vec<usize>,
    values: Vec<Matrix3>,
    scales: Vec<f64>,
    shift: f64,
    /// Slots of the row being eliminated, by column; `NONE` elsewhere.
    slots: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl IncompleteLu {
    /// Factorises `matrix`.
    ///
    /// # Errors
    /// When the matrix is not finite.
    pub fn new(matrix: &BlockMatrix) -> Result<Self, PreconditionError> {
        let pattern = matrix.pattern().clone();
        let n = pattern.size();
        let on_diagonal = |i| pattern.slot(i, i).expect("a block pattern holds its diagonal");
        let mut this = Self {
            diagonal: (0..n).map(on_diagonal).collect(),
            values: matrix.values().to_vec(),
            scales: vec![1.0; n],
            shift: 0.0,
            slots: vec![NONE; n],
            pattern,
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
            self.values.copy_from_slice(matrix.values());
            for (&slot, scale) in self.diagonal.iter().zip(&self.scales) {
                self.values[slot] += Matrix3::identity() * (shift * scale);
            }
            self.shift = shift;
            match self.eliminate() {
                Ok(()) => return Ok(()),
                Err(row) => stuck = PreconditionError::Breakdown { row, shift },
            }
        }
        Err(stuck)
    }

    /// In place; the error is the row of a bad pivot.
    fn eliminate(&mut self) -> Result<(), usize> {
        let Self { pattern, diagonal, values, scales, slots, .. } = self;
        for i in 0..pattern.size() {
            for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
                slots[j as usize] = slot;
            }
            for (slot, &k) in pattern.row_slots(i).zip(pattern.row(i)) {
                let k = k as usize;
                if k >= i {
                    break;
                }
                let factor = values[slot] * values[diagonal[k]]; // A_ik U_kk⁻¹
                values[slot] = factor;
                let rest = diagonal[k] + 1..pattern.row_slots(k).end;
                let columns = &pattern.row(k)[rest.start - pattern.row_slots(k).start..];
                for (upper, &j) in rest.zip(columns) {
                    let target = slots[j as usize];
                    if target != NONE {
                        let change = factor * values[upper];
                        values[target] -= change;
                    }
                }
            }
            for &j in pattern.row(i) {
                slots[j as usize] = NONE;
            }
            let pivot = &mut values[diagonal[i]];
            let inverse =
                invert(pivot, WEAKEST_PIVOT).filter(|p| p.norm() * scales[i] * WEAKEST_PIVOT < 1.0);
            *pivot = inverse.ok_or(i)?;
        }
        Ok(())
    }
}

impl Preconditioner for IncompleteLu {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let row = |i: usize, part: std::ops::Range<usize>, z: &[f64]| {
            let offset = self.pattern.row_slots(i).start;
            let columns = &self.pattern.row(i)[part.start - offset..part.end - offset];
            let mut sum = Vector3::zeros();
            for (block, &j) in self.values[part].iter().zip(columns) {
                sum += block * vector(z, j as usize);
            }
            sum
        };
        for i in 0..self.pattern.size() {
            let lower = self.pattern.row_slots(i).start..self.diagonal[i];
            let value = vector(r, i) - row(i, lower, z);
            set_vector(z, i, value);
        }
        for i in (0..self.pattern.size()).rev() {
            let upper = self.diagonal[i] + 1..self.pattern.row_slots(i).end;
            let value = vector(z, i) - row(i, upper, z);
            set_vector(z, i, self.values[self.diagonal[i]] * value);
        }
    }
}
