//! Sparse rectangular matrices of 3×3 blocks, row by row.

use crate::math::{Matrix3, Vector3};

/// A sparse matrix of 3×3 blocks, rows of sorted columns.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRows {
    row_start: Vec<usize>,
    columns: Vec<u32>,
    blocks: Vec<Matrix3>,
    column_count: usize,
}

impl BlockRows {
    /// Gathers rows of `(column, block)` in any order; blocks of one place are added up.
    ///
    /// # Panics
    /// When a column is not below `column_count`.
    pub fn from_rows<R>(column_count: usize, rows: R) -> Self
    where
        R: IntoIterator,
        R::Item: IntoIterator<Item = (usize, Matrix3)>,
    {
        let mut all = Self::empty(column_count);
        let mut row: Vec<(usize, Matrix3)> = Vec::new();
        for given in rows {
            row.clear();
            row.extend(given);
            all.push(&mut row);
        }
        all
    }

    /// No rows yet.
    pub fn empty(column_count: usize) -> Self {
        Self { row_start: vec![0], columns: vec![], blocks: vec![], column_count }
    }

    /// Appends a row of `(column, block)` in any order, which is sorted; blocks of one place are added up.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn push(&mut self, row: &mut [(usize, Matrix3)]) {
        if !row.is_sorted_by_key(|&(column, _)| column) {
            row.sort_by_key(|&(column, _)| column);
        }
        let start = self.columns.len();
        for &(column, block) in &*row {
            assert!(column < self.column_count, "block column {column} of {}", self.column_count);
            match self.columns[start..].last() {
                Some(&last) if last as usize == column => {
                    *self.blocks.last_mut().expect("one block a column") += block;
                }
                _ => {
                    self.columns.push(column as u32);
                    self.blocks.push(block);
                }
            }
        }
        self.row_start.push(self.columns.len());
    }

    /// Appends all rows of others that have the same columns.
    pub fn extend(&mut self, others: &[Self]) {
        let blocks = others.iter().map(Self::block_count).sum();
        self.columns.reserve(blocks);
        self.blocks.reserve(blocks);
        for other in others {
            let before = self.columns.len();
            self.columns.extend_from_slice(&other.columns);
            self.blocks.extend_from_slice(&other.blocks);
            self.row_start.extend(other.row_start[1..].iter().map(|end| before + end));
        }
    }

    /// Block rows.
    pub fn rows(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Block columns.
    pub fn columns(&self) -> usize {
        self.column_count
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Columns of row `i`, ascending.
    pub fn row_columns(&self, i: usize) -> &[u32] {
        &self.columns[self.row_start[i]..self.row_start[i + 1]]
    }

    /// Blocks of row `i`, in the order of their columns.
    pub fn row_blocks(&self, i: usize) -> &[Matrix3] {
        &self.blocks[self.row_start[i]..self.row_start[i + 1]]
    }

    /// Columns and blocks of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Matrix3)> {
        self.row_columns(i).iter().map(|&j| j as usize).zip(self.row_blocks(i))
    }

    /// Row `i` times `x`.
    #[inline]
    pub fn row_times(&self, i: usize, x: &[f64]) -> Vector3 {
        let mut sum = Vector3::zeros();
        for (j, block) in self.row(i) {
            sum += block * block_of(x, j);
        }
        sum
    }

    /// `y += (row i)ᵀ x`, with three numbers `x`.
    #[inline]
    pub fn add_transposed_row(&self, i: usize, x: Vector3, y: &mut [f64]) {
        for (j, block) in self.row(i) {
            add_to_block(y, j, block.tr_mul(&x));
        }
    }

    /// Takes the mean of mirrored blocks of a square matrix, one of two that is missing for zero; returns how far
    /// entries were apart at most.
    pub(super) fn symmetrise(&mut self) -> f64 {
        let mut apart: f64 = 0.0;
        let mut missing: Vec<(usize, usize, Matrix3)> = Vec::new();
        // Rows are gone through in order, so mirrors come in the order of a row's columns.
        let mut next: Vec<usize> = self.row_start[..self.rows()].to_vec();
        for i in 0..self.rows() {
            for k in self.row_start[i]..self.row_start[i + 1] {
                let j = self.columns[k] as usize;
                let end = self.row_start[j + 1];
                // What row `j` has before `i`, and row `i`, still ahead, did not ask for.
                let at = (next[j]..end).find(|&at| self.columns[at] as usize >= i).unwrap_or(end);
                next[j] = at;
                let mirror = (at < end && self.columns[at] as usize == i).then_some(at);
                let other = mirror.map_or_else(Matrix3::zeros, |at| self.blocks[at].transpose());
                let difference = (self.blocks[k] - other).amax();
                if difference == 0.0 {
                    continue;
                }
                apart = apart.max(difference);
                let mean = (self.blocks[k] + other) * 0.5;
                self.blocks[k] = mean;
                match mirror {
                    Some(at) => self.blocks[at] = mean.transpose(),
                    None => missing.push((j, i, mean.transpose())),
                }
            }
        }
        if !missing.is_empty() {
            let mut rows: Vec<Vec<(usize, Matrix3)>> =
                (0..self.rows()).map(|i| self.row(i).map(|(j, b)| (j, *b)).collect()).collect();
            missing.into_iter().for_each(|(i, j, block)| rows[i].push((j, block)));
            *self = Self::from_rows(self.column_count, rows);
        }
        apart
    }

    /// The same with every block changed.
    pub fn map(&self, mut change: impl FnMut(usize, &Matrix3) -> Matrix3) -> Self {
        let blocks =
            self.columns.iter().zip(&self.blocks).map(|(&j, block)| change(j as usize, block));
        Self {
            blocks: blocks.collect(),
            row_start: self.row_start.clone(),
            columns: self.columns.clone(),
            column_count: self.column_count,
        }
    }

    /// The same with every number of row `i` of blocks scaled by `scales[i]`, one factor for each of its three rows.
    ///
    /// # Panics
    /// When there is not one scale for each row of blocks.
    pub fn scaled(mut self, scales: &[Vector3]) -> Self {
        assert_eq!(scales.len(), self.rows(), "one scale a row of blocks");
        for (i, scale) in scales.iter().enumerate() {
            for block in &mut self.blocks[self.row_start[i]..self.row_start[i + 1]] {
                *block = Matrix3::from_diagonal(scale) * *block;
            }
        }
        self
    }

    /// Rows that have a block in each column, ascending.
    pub fn rows_by_column(&self) -> Vec<Vec<u32>> {
        let mut by_column = vec![Vec::new(); self.column_count];
        for i in 0..self.rows() {
            for &j in self.row_columns(i) {
                by_column[j as usize].push(i as u32);
            }
        }
        by_column
    }

    /// Some rows, on the columns they have blocks in, and which those are, ascending.
    pub fn only(&self, rows: &[u32]) -> (Self, Vec<u32>) {
        let mut chosen = self.rows_only(rows);
        let mut columns = chosen.columns.clone();
        columns.sort_unstable();
        columns.dedup();
        for column in &mut chosen.columns {
            *column = columns.binary_search(column).expect("one of them") as u32;
        }
        chosen.column_count = columns.len();
        (chosen, columns)
    }

    /// Some rows, on the same columns.
    pub fn rows_only(&self, rows: &[u32]) -> Self {
        let count = rows.iter().map(|&i| self.row_columns(i as usize).len()).sum();
        let mut row_start = Vec::with_capacity(rows.len() + 1);
        row_start.push(0);
        let (mut columns, mut blocks) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for &i in rows {
            columns.extend_from_slice(self.row_columns(i as usize));
            blocks.extend_from_slice(self.row_blocks(i as usize));
            row_start.push(columns.len());
        }
        Self { row_start, columns, blocks, column_count: self.column_count }
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.blocks.iter().all(|block| block.iter().all(|v| v.is_finite()))
    }
}

/// Block `i` of a flat vector.
#[inline]
pub(in super::super) fn block_of(x: &[f64], i: usize) -> Vector3 {
    let x = &x[3 * i..3 * i + 3];
    Vector3::new(x[0], x[1], x[2])
}

/// Writes block `i` of a flat vector.
#[inline]
pub(in super::super) fn set_block(x: &mut [f64], i: usize, value: Vector3) {
    x[3 * i..3 * i + 3].copy_from_slice(value.as_slice());
}

/// Adds to block `i` of a flat vector.
#[inline]
pub(in super::super) fn add_to_block(x: &mut [f64], i: usize, value: Vector3) {
    let x = &mut x[3 * i..3 * i + 3];
    x[0] += value.x;
    x[1] += value.y;
    x[2] += value.z;
}
