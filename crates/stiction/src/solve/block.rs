//! Sparse matrices of 3×3 blocks with a symmetric structure.
//!
//! The pattern is shared and immutable; values are written through *slots*, the positions of
//! blocks in the value array, looked up once and used for every assembly after.

use std::sync::Arc;

use super::LinearOperator;
use crate::math::{Matrix3, Vector3};
use crate::threads::for_each_block;

/// Where the blocks are: rows of sorted columns, symmetric, the diagonal always present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    row_start: Vec<usize>,
    columns: Vec<u32>,
}

impl BlockPattern {
    /// The pattern of `size` block rows in which every pair of points of a stencil is coupled.
    ///
    /// Stencils may repeat points and each other. Points must be below `size`.
    pub fn from_stencils<'a, I>(size: usize, stencils: I) -> Self
    where
        I: Iterator<Item = &'a [u32]> + Clone,
    {
        // Count, fill, then sort and deduplicate each row: linear work, no triplets.
        let mut start = vec![0usize; size + 1];
        for stencil in stencils.clone() {
            for &a in stencil {
                start[a as usize + 1] += stencil.len();
            }
        }
        for i in 0..size {
            start[i + 1] += start[i] + 1; // + 1: the diagonal
        }
        let mut next = start[..size].to_vec();
        let mut all = vec![0u32; start[size]];
        for (i, next) in next.iter_mut().enumerate() {
            all[*next] = i as u32;
            *next += 1;
        }
        for stencil in stencils {
            for &a in stencil {
                let next = &mut next[a as usize];
                all[*next..*next + stencil.len()].copy_from_slice(stencil);
                *next += stencil.len();
            }
        }
        let mut row_start = Vec::with_capacity(size + 1);
        let mut columns = Vec::new();
        row_start.push(0);
        for i in 0..size {
            let row = &mut all[start[i]..start[i + 1]];
            row.sort_unstable();
            for (k, &column) in row.iter().enumerate() {
                if k == 0 || column != row[k - 1] {
                    columns.push(column);
                }
            }
            row_start.push(columns.len());
        }
        Self { row_start, columns }
    }

    /// The leading `size` rows and columns.
    pub fn leading(&self, size: usize) -> Self {
        let mut row_start = Vec::with_capacity(size + 1);
        let mut columns = Vec::new();
        row_start.push(0);
        for i in 0..size {
            let row = self.row(i);
            columns.extend_from_slice(&row[..row.partition_point(|&j| (j as usize) < size)]);
            row_start.push(columns.len());
        }
        Self { row_start, columns }
    }

    /// Block rows, equal to block columns.
    pub fn size(&self) -> usize {
        self.row_start.len() - 1
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.columns.len()
    }

    /// Columns of block row `i`, ascending.
    pub fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.row_start[i]..self.row_start[i + 1]]
    }

    /// Slots of block row `i`.
    pub fn row_slots(&self, i: usize) -> std::ops::Range<usize> {
        self.row_start[i]..self.row_start[i + 1]
    }

    /// Where block `(i, j)` is stored, if it is.
    pub fn slot(&self, i: usize, j: usize) -> Option<usize> {
        let row = self.row(i);
        row.binary_search(&(j as u32)).ok().map(|k| self.row_start[i] + k)
    }
}

/// A sparse matrix of 3×3 blocks.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<Matrix3>,
}

impl BlockMatrix {
    /// All blocks zero.
    pub fn zeros(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![Matrix3::zeros(); pattern.block_count()];
        Self { pattern, values }
    }

    /// Where the blocks are.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Block rows, equal to block columns.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// All blocks, in slot order.
    pub fn values(&self) -> &[Matrix3] {
        &self.values
    }

    /// All blocks, in slot order.
    pub fn values_mut(&mut self) -> &mut [Matrix3] {
        &mut self.values
    }

    /// Block `(i, j)`; zero where none is stored.
    pub fn block(&self, i: usize, j: usize) -> Matrix3 {
        self.pattern.slot(i, j).map_or_else(Matrix3::zeros, |slot| self.values[slot])
    }

    /// A copy, in the memory of another one if that has the same pattern.
    pub(crate) fn copied_into(&self, kept: Option<Self>) -> Self {
        match kept {
            Some(mut kept) if Arc::ptr_eq(&kept.pattern, &self.pattern) => {
                kept.values.copy_from_slice(&self.values);
                kept
            }
            _ => self.clone(),
        }
    }

    /// Becomes `(A + Aᵀ)/2` of a matrix with the same, symmetric pattern.
    ///
    /// # Panics
    /// When the patterns differ, or are not symmetric.
    pub fn set_symmetric_part_of(&mut self, a: &Self) {
        assert!(Arc::ptr_eq(&self.pattern, &a.pattern), "one pattern");
        let Self { pattern, values } = self;
        // Rows are sorted: walking down the rows, the entries of a column are met in their order.
        let mut next: Vec<usize> =
            (0..pattern.size()).map(|i| pattern.row_slots(i).start).collect();
        for i in 0..pattern.size() {
            for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
                let mirror = next[j as usize];
                next[j as usize] += 1;
                assert_eq!(pattern.columns[mirror] as usize, i, "a symmetric pattern");
                values[slot] = (a.values[slot] + a.values[mirror].transpose()) * 0.5;
            }
        }
    }

    /// Takes the blocks of `other`, as far as there is room for them; others become zero.
    pub fn copy_blocks_of(&mut self, other: &Self) {
        let Self { pattern, values } = self;
        for i in 0..pattern.size() {
            let mut given = other.row(i).peekable();
            for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
                while given.next_if(|(k, _)| *k < j as usize).is_some() {}
                let block = given.next_if(|(k, _)| *k == j as usize);
                values[slot] = block.map_or_else(Matrix3::zeros, |(_, block)| *block);
            }
        }
    }

    /// The columns and blocks of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Matrix3)> {
        let blocks = &self.values[self.pattern.row_slots(i)];
        self.pattern.row(i).iter().map(|&j| j as usize).zip(blocks)
    }

    /// `y = Aᵀ x`, by way of the symmetric structure.
    pub fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for i in 0..self.size() {
            let xi = vector(x, i);
            for (j, block) in self.row(i) {
                let add = block.tr_mul(&xi);
                y[3 * j] += add.x;
                y[3 * j + 1] += add.y;
                y[3 * j + 2] += add.z;
            }
        }
    }
}

impl LinearOperator for BlockMatrix {
    fn dimension(&self) -> usize {
        3 * self.size()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let row = |i: usize, yi: &mut [f64]| {
            let mut sum = Vector3::zeros();
            for (j, block) in self.row(i) {
                sum += block * vector(x, j);
            }
            yi.copy_from_slice(sum.as_slice());
        };
        // A row is always summed in the same order, so threads do not change the bits.
        for_each_block(y, 512, row);
    }
}

/// Block `i` of a flat vector.
fn vector(x: &[f64], i: usize) -> Vector3 {
    Vector3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])
}
