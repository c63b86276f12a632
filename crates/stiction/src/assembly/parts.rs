//! Contiguous ranges of rows, one per thread, with about the same work.

use std::ops::Range;

use rayon::prelude::*;

use crate::math::Matrix3;
use crate::solve::BlockPattern;

/// A partition of rows. Results never depend on it; only speed does.
#[derive(Clone, Debug)]
pub struct Parts {
    /// First row of each part, and the end.
    bounds: Vec<u32>,
}

impl Parts {
    /// Cuts the rows of `pattern` into at most `count` parts with about as many blocks each.
    pub fn balanced(pattern: &BlockPattern, count: usize) -> Self {
        let size = pattern.size();
        let mut bounds = vec![0];
        for part in 1..count.max(1) {
            let target = pattern.block_count() * part / count;
            let row = (0..size).find(|&i| pattern.row_slots(i).start >= target).unwrap_or(size);
            if row as u32 > bounds[bounds.len() - 1] && row < size {
                bounds.push(row as u32);
            }
        }
        bounds.push(size as u32);
        Self { bounds }
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.bounds[self.bounds.len() - 1] == 0
    }

    /// Rows of a part.
    pub fn rows(&self, part: usize) -> Range<u32> {
        self.bounds[part]..self.bounds[part + 1]
    }

    /// The part that holds a row.
    pub fn of_row(&self, row: u32) -> usize {
        self.bounds.partition_point(|&bound| bound <= row) - 1
    }

    /// Calls `f` on each part's share of a vector with `width` entries per row, in parallel.
    pub fn for_each_chunk<T: Send>(
        &self,
        vector: &mut [T],
        width: usize,
        f: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.run(vector, |row| width * row, f);
    }

    /// Calls `f` on each part's share of the blocks of a matrix, in parallel.
    pub fn for_each_block_chunk(
        &self,
        pattern: &BlockPattern,
        blocks: &mut [Matrix3],
        f: impl Fn(usize, &mut [Matrix3]) + Sync,
    ) {
        let start = |row: usize| {
            if row == pattern.size() { pattern.block_count() } else { pattern.row_slots(row).start }
        };
        self.run(blocks, start, f);
    }

    fn run<T: Send>(
        &self,
        mut data: &mut [T],
        start: impl Fn(usize) -> usize,
        f: impl Fn(usize, &mut [T]) + Sync,
    ) {
        if self.len() == 1 {
            return f(0, data);
        }
        let mut chunks = Vec::with_capacity(self.len());
        for part in 0..self.len() {
            let rows = self.rows(part);
            let (own, rest) =
                data.split_at_mut(start(rows.end as usize) - start(rows.start as usize));
            chunks.push((part, own));
            data = rest;
        }
        chunks.into_par_iter().with_max_len(1).for_each(|(part, own)| f(part, own));
    }
}
