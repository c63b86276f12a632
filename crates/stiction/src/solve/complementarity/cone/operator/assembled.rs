//! The operator with all its blocks.

use super::block_rows::block_of;
use super::{BlockRows, Delassus};
use crate::math::{Matrix3, Vector3};

/// `A` as sparse 3×3 blocks, symmetric, the diagonal apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembled {
    diagonal: Vec<Matrix3>,
    others: BlockRows,
    skew: f64,
}

impl Assembled {
    /// From all blocks by row, diagonal included or not; blocks that are zero are dropped.
    ///
    /// What an impulse does to another contact is what that does to this one, so `A` is symmetric. Numbers of files and
    /// of other programs are so to rounding only, and there what is left over cannot be solved for: where contacts are
    /// redundant, nothing but huge impulses would answer it. So mirrored entries are replaced by their mean;
    /// [`skew`](Self::skew) tells how far they were apart.
    ///
    /// # Panics
    /// When a column is not below the number of rows, which is `size`.
    pub fn from_rows<R>(size: usize, rows: R) -> Self
    where
        R: IntoIterator,
        R::Item: IntoIterator<Item = (usize, Matrix3)>,
    {
        let mut diagonal = vec![Matrix3::zeros(); size];
        let zero = Matrix3::zeros();
        let others = rows.into_iter().zip(&mut diagonal).enumerate().map(|(i, (row, diagonal))| {
            let mut others = Vec::new();
            for (j, block) in row {
                if i == j {
                    *diagonal += block;
                } else if block != zero {
                    others.push((j, block));
                }
            }
            others
        });
        let mut others = BlockRows::from_rows(size, others.collect::<Vec<_>>());
        assert_eq!(others.rows(), size, "one row a contact");
        let own = diagonal.iter().map(|block| (block - block.transpose()).amax());
        let own = own.fold(0.0, f64::max);
        diagonal.iter_mut().for_each(|block| *block = (*block + block.transpose()) * 0.5);
        let apart = others.symmetrise().max(own);
        let largest = diagonal.iter().map(|block| block.amax()).fold(0.0, f64::max);
        let skew = if apart > 0.0 { apart / largest } else { 0.0 };
        Self { diagonal, others, skew }
    }

    /// How far mirrored entries were apart where this was made, in the largest entry on the diagonal [-].
    pub fn skew(&self) -> f64 {
        self.skew
    }

    /// From a dense symmetric matrix, row after row, three rows a contact.
    ///
    /// # Panics
    /// When the numbers are not those of a square matrix of 3×3 blocks.
    pub fn from_dense(a: &[f64]) -> Self {
        let dimension = (a.len() as f64).sqrt().round() as usize;
        assert!(
            dimension * dimension == a.len() && dimension.is_multiple_of(3),
            "a square of 3×3 blocks"
        );
        let block =
            |i: usize, j: usize| Matrix3::from_fn(|k, l| a[(3 * i + k) * dimension + 3 * j + l]);
        let size = dimension / 3;
        Self::from_rows(size, (0..size).map(|i| (0..size).map(move |j| (j, block(i, j)))))
    }

    /// Blocks off the diagonal.
    pub fn others(&self) -> &BlockRows {
        &self.others
    }

    /// Block `(i, j)`; zero where none is stored.
    pub fn block(&self, i: usize, j: usize) -> Matrix3 {
        if i == j {
            return self.diagonal[i];
        }
        let at = self.others.row_columns(i).binary_search(&(j as u32));
        at.map_or_else(|_| Matrix3::zeros(), |k| self.others.row_blocks(i)[k])
    }

    /// The same contacts with their rows scaled: `D A D`, one `D = diag(d)` for each.
    ///
    /// # Panics
    /// When there is not one scale for each contact.
    pub fn scaled(&self, scales: &[Vector3]) -> Self {
        assert_eq!(scales.len(), self.diagonal.len(), "one scale a contact");
        let scaled = |block: &Matrix3, i: usize, j: usize| {
            Matrix3::from_fn(|k, l| scales[i][k] * block[(k, l)] * scales[j][l])
        };
        let diagonal = self.diagonal.iter().enumerate().map(|(i, block)| scaled(block, i, i));
        let row = |i: usize| self.others.row(i).map(move |(j, block)| (j, scaled(block, i, j)));
        let others = BlockRows::from_rows(self.others.columns(), (0..self.others.rows()).map(row));
        Self { diagonal: diagonal.collect(), others, skew: self.skew }
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let finite = |block: &Matrix3| block.iter().all(|v| v.is_finite());
        self.diagonal.iter().all(finite) && self.others.is_finite()
    }
}

impl Delassus for Assembled {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn diagonal(&self, contact: usize) -> Matrix3 {
        self.diagonal[contact]
    }

    fn between(&self, contact: usize, other: usize) -> Matrix3 {
        self.block(contact, other)
    }

    fn memory_len(&self) -> usize {
        0
    }

    fn gather(&self, _: &[f64], _: &mut [f64]) {}

    #[inline]
    fn row(&self, contact: usize, r: &[f64], _: &[f64]) -> Vector3 {
        self.diagonal[contact] * block_of(r, contact) + self.others.row_times(contact, r)
    }

    fn changed(&self, _: usize, _: Vector3, _: &mut [f64]) {}

    fn for_neighbours(&self, contact: usize, visit: &mut dyn FnMut(usize)) {
        for &j in self.others.row_columns(contact) {
            visit(j as usize);
        }
    }

    fn written_out(&self) -> usize {
        self.others.block_count()
    }

    fn assemble(&self) -> Assembled {
        self.clone()
    }
}
