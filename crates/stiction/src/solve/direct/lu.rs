//! LU factorisation of nonsymmetric matrices with a symmetric structure.
//!
//! Rows are interchanged inside a front only, so the structure is known beforehand and the cost is twice
//! that of Cholesky. A pivot that is negligible even so is replaced by a small one [LD98]; iterative
//! refinement repairs the damage, or shows that it cannot be repaired.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Accum, MatMut, Par};

use super::front::{Front, Kernel, for_column_tiles, for_row_tiles, set_negative_product};
use super::symbolic::Supernode;

/// Columns of a panel that are eliminated one by one.
const NARROW: usize = 8;

/// Multiplications per row above which a product is divided among threads by rows.
const WORTH_DIVIDING: usize = 1024;

/// LU elimination of a front; the matrix is scaled so that entries are of order one.
pub(super) struct Lu {
    /// Pivots below this are replaced.
    pub(super) negligible: f64,
    /// What replaces them, with their sign.
    pub(super) replacement: f64,
}

impl Kernel for Lu {
    const SYMMETRIC: bool = false;
    const PER_PIVOT: usize = 0;
    type Error = std::convert::Infallible;
    /// Replaced pivots.
    type Count = usize;

    fn add(total: &mut usize, more: usize) {
        *total += more;
    }

    fn eliminate(&self, node: &Supernode, front: &mut Front<'_>) -> Result<usize, Self::Error> {
        let (rows, pivots, rest) = (node.rows(), node.pivots(), node.rest());
        let mut panel = MatMut::from_column_major_slice_mut(&mut *front.panel, rows, pivots);
        let replaced = self.columns(panel.as_mut(), pivots, front.interchanges);
        if rest == 0 {
            return Ok(replaced);
        }
        let (diagonal, below) = panel.as_ref().split_at_row(pivots);
        let mut upper = MatMut::from_column_major_slice_mut(&mut *front.upper, pivots, rest);
        let interchanges = &*front.interchanges;
        for_column_tiles(upper.as_mut(), 0, &|mut tile, _| {
            interchange(tile.as_mut(), interchanges);
            solve_unit_lower_triangular_in_place(diagonal, tile, Par::Seq);
        });
        let remainder = MatMut::from_column_major_slice_mut(front.remainder, rest, rest);
        set_negative_product(remainder, below, upper.as_ref());
        Ok(replaced)
    }
}

impl Lu {
    /// Factors all columns of `a`, with pivots from its first `candidates` rows, recursively by halves.
    /// `interchanges[j]` is the row that changed places with row `j`.
    fn columns(
        &self,
        mut a: MatMut<'_, f64>,
        candidates: usize,
        interchanges: &mut [u32],
    ) -> usize {
        let width = a.ncols();
        if width <= NARROW {
            return self.narrow_columns(a, candidates, interchanges);
        }
        let half = (width / 2).next_multiple_of(NARROW);
        let (first, second) = interchanges.split_at_mut(half);
        let (mut left, mut right) = a.as_mut().split_at_col_mut(half);
        let mut replaced = self.columns(left.as_mut(), candidates, first);
        {
            let left = left.as_ref();
            let (diagonal, below) = left.split_at_row(half);
            let first = &*first;
            for_column_tiles(right.as_mut(), 0, &|mut tile, _| {
                interchange(tile.as_mut(), first);
                let (mut top, bottom) = tile.split_at_row_mut(half);
                solve_unit_lower_triangular_in_place(diagonal, top.as_mut(), Par::Seq);
                let top = top.as_ref();
                let subtract = |tile: MatMut<'_, f64>, start: usize| {
                    let rows = below.subrows(start, tile.nrows());
                    matmul(tile, Accum::Add, rows, top, -1.0, Par::Seq);
                };
                // Tall and narrow panels are divided by rows, if they are worth two threads.
                if half * top.ncols() >= WORTH_DIVIDING {
                    for_row_tiles(bottom, 0, &subtract);
                } else {
                    subtract(bottom, 0);
                }
            });
        }
        replaced += self.columns(right.split_at_row_mut(half).1, candidates - half, second);
        interchange(left.split_at_row_mut(half).1, second);
        for k in second {
            *k += half as u32;
        }
        replaced
    }

    fn narrow_columns(
        &self,
        mut a: MatMut<'_, f64>,
        candidates: usize,
        interchanges: &mut [u32],
    ) -> usize {
        let (rows, width) = (a.nrows(), a.ncols());
        let mut replaced = 0;
        for j in 0..width {
            let column =
                a.as_mut().col_mut(j).try_as_col_major_mut().expect("column-major").as_slice_mut();
            let mut best = j;
            for i in j + 1..candidates {
                if column[i].abs() > column[best].abs() {
                    best = i;
                }
            }
            interchanges[j] = best as u32;
            // NaN counts as negligible: it shows in the residual.
            if column[best].is_nan() || column[best].abs() <= self.negligible {
                column[best] = self.replacement.copysign(column[best]);
                replaced += 1;
            }
            column.swap(j, best);
            let inverse = 1.0 / column[j];
            for value in &mut column[j + 1..] {
                *value *= inverse;
            }
            let (left, mut right) = a.as_mut().split_at_col_mut(j + 1);
            let pivot_column = left.col(j).try_as_col_major().expect("column-major").as_slice();
            for k in 0..width - j - 1 {
                let target = right
                    .as_mut()
                    .col_mut(k)
                    .try_as_col_major_mut()
                    .expect("column-major")
                    .as_slice_mut();
                target.swap(j, best);
                let factor = target[j];
                for i in j + 1..rows {
                    target[i] -= pivot_column[i] * factor;
                }
            }
            for k in 0..j {
                let (upper, lower) = (a[(j, k)], a[(best, k)]);
                (a[(j, k)], a[(best, k)]) = (lower, upper);
            }
        }
        replaced
    }
}

/// Applies row interchanges in order.
fn interchange(mut a: MatMut<'_, f64>, interchanges: &[u32]) {
    for k in 0..a.ncols() {
        let column =
            a.as_mut().col_mut(k).try_as_col_major_mut().expect("column-major").as_slice_mut();
        for (j, &other) in interchanges.iter().enumerate() {
            column.swap(j, other as usize);
        }
    }
}
