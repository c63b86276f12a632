//! A Cholesky factor of some rows and columns of a symmetric matrix, which rows join and leave.
//!
//! Joining costs a substitution, leaving a few rotations: both the square of how many there are. A row that depends
//! on those already in, as in over-constrained stacks, is turned away; its unknown then stays where it is, which is
//! one of many solutions.

use super::matrix::DenseRows;
use crate::solve::vector::dot;

/// What is left of a diagonal entry, relative to it, below which its row depends on the others.
const DEPENDENT: f64 = 1e-12;

#[derive(Clone, Debug)]
pub(crate) struct Factor {
    capacity: usize,
    /// Rows of the lower triangle, `capacity` apart.
    lower: Vec<f64>,
    members: Vec<usize>,
}

impl Factor {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            lower: vec![0.0; capacity * capacity],
            members: Vec::with_capacity(capacity),
        }
    }

    /// Rows that are in, in the order of the factor.
    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    pub(crate) fn clear(&mut self) {
        self.members.clear();
    }

    fn row(&self, p: usize) -> &[f64] {
        &self.lower[p * self.capacity..p * self.capacity + p]
    }

    /// Whether row `i` could join.
    pub(crate) fn push(&mut self, a: &DenseRows, i: usize) -> bool {
        let k = self.members.len();
        let (done, rest) = self.lower.split_at_mut(k * self.capacity);
        let new = &mut rest[..=k];
        for (p, &member) in self.members.iter().enumerate() {
            let row = &done[p * self.capacity..p * self.capacity + p + 1];
            new[p] = (a.at(i, member) - dot(&row[..p], &new[..p])) / row[p];
        }
        let diagonal = a.at(i, i);
        let left = diagonal - dot(&new[..k], &new[..k]);
        if left.is_nan() || left <= DEPENDENT * diagonal {
            return false;
        }
        new[k] = left.sqrt();
        self.members.push(i);
        true
    }

    /// Takes out the member at a position.
    pub(crate) fn remove(&mut self, position: usize) {
        let (k, c) = (self.members.len(), self.capacity);
        self.members.remove(position);
        for p in position + 1..k {
            self.lower.copy_within(p * c..p * c + p + 1, (p - 1) * c);
        }
        // Rows after the gap have one entry beyond the diagonal: rotate it away, column by column.
        for j in position..k - 1 {
            let (x, y) = (self.lower[j * c + j], self.lower[j * c + j + 1]);
            let length = x.hypot(y);
            let (cos, sin) = (x / length, y / length);
            self.lower[j * c + j] = length;
            for p in j + 1..k - 1 {
                let (x, y) = (self.lower[p * c + j], self.lower[p * c + j + 1]);
                self.lower[p * c + j] = cos * x + sin * y;
                self.lower[p * c + j + 1] = cos * y - sin * x;
            }
        }
    }

    /// Solves for the members; `v` is in their order.
    pub(crate) fn solve(&self, v: &mut [f64]) {
        let (k, c) = (self.members.len(), self.capacity);
        for p in 0..k {
            v[p] = (v[p] - dot(self.row(p), &v[..p])) / self.lower[p * c + p];
        }
        for p in (0..k).rev() {
            v[p] /= self.lower[p * c + p];
            let (value, row) = (v[p], self.row(p));
            for (v, l) in v[..p].iter_mut().zip(row) {
                *v -= value * l;
            }
        }
    }
}
