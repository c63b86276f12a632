//! Cholesky factorisation `A = L Lᵀ` of symmetric positive definite matrices.
//!
//! The fastest factorisation, and the judge of definiteness: it fails exactly when a pivot is not
//! positive, and says where. Reads the lower triangle only.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, Par};

use super::front::{Front, Kernel, for_column_tiles, for_row_tiles, subtract_lower};
use super::symbolic::Supernode;

/// Width of a block column of the dense factorisation.
const BLOCK: usize = 128;

/// Cholesky elimination of a front.
pub(super) struct Cholesky;

/// A pivot that is not positive: its position in the elimination order, in scalars.
pub(super) struct NotPositive(pub(super) usize);

impl Kernel for Cholesky {
    const SYMMETRIC: bool = true;
    const PER_PIVOT: usize = 0;
    type Error = NotPositive;
    type Count = ();

    fn add((): &mut (), (): ()) {}

    fn eliminate(&self, node: &Supernode, front: &mut Front<'_>) -> Result<(), NotPositive> {
        let (rows, pivots, rest) = (node.rows(), node.pivots(), node.rest());
        let mut panel = MatMut::from_column_major_slice_mut(&mut *front.panel, rows, pivots);
        let mut at = 0;
        while at < pivots {
            let width = BLOCK.min(pivots - at);
            let (left, right) = panel.as_mut().split_at_col_mut(at + width);
            let (mut diagonal, mut below) =
                left.subcols_mut(at, width).split_at_row_mut(at).1.split_at_row_mut(width);
            let mut memory = MemBuffer::new(llt::cholesky_in_place_scratch::<f64>(
                width,
                Par::Seq,
                Default::default(),
            ));
            llt::cholesky_in_place(
                diagonal.as_mut(),
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|error| {
                let faer::linalg::cholesky::llt::factor::LltError::NonPositivePivot { index } =
                    error;
                NotPositive(3 * node.columns.start as usize + at + index)
            })?;
            let diagonal = diagonal.as_ref();
            for_row_tiles(below.as_mut(), 0, &|tile, _| {
                solve_lower_triangular_in_place(diagonal, tile.transpose_mut(), Par::Seq);
            });
            let below = below.as_ref();
            for_column_tiles(right.split_at_row_mut(at + width).1, 0, &|tile, start| {
                subtract_lower(tile, Accum::Add, below, below, start);
            });
            at += width;
        }
        let below = panel.as_ref().subrows(pivots, rest);
        let remainder = MatMut::from_column_major_slice_mut(front.remainder, rest, rest);
        for_column_tiles(remainder, 0, &|tile, start| {
            subtract_lower(tile, Accum::Replace, below, below, start);
        });
        Ok(())
    }
}
