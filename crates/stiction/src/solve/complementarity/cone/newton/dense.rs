//! Few contacts: one dense matrix, without those that take off.
//!
//! A contact whose map does not ask for its velocity has an equation of its own, `G δ = −F`. It is solved first and
//! put into the others, which often halves the matrix, and saves seven eighths of the factorisation.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::{MatMut, Par};

use super::super::operator::block_rows::{block_of, set_block};
use super::super::{Assembled, ContactProblem, Delassus, Linearised};
use crate::math::{Matrix3, Vector3};

/// Systems over few contacts, and their last factorisation.
pub(in super::super) struct Dense {
    problem: ContactProblem<Assembled>,
    /// Contacts that take part, and the place of each contact among them.
    active: Vec<usize>,
    place: Vec<usize>,
    /// Columns, then their factors; rows were interchanged.
    matrix: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    right: Vec<f64>,
}

const ABSENT: usize = usize::MAX;

impl Dense {
    pub(super) fn new<A: Delassus>(problem: &ContactProblem<A>) -> Self {
        let size = problem.contacts();
        Self {
            problem: problem.assembled(),
            active: Vec::with_capacity(size),
            place: vec![ABSENT; size],
            matrix: Vec::with_capacity(9 * size * size),
            rows: Vec::new(),
            columns: Vec::new(),
            right: vec![0.0; 3 * size],
        }
    }

    pub(super) fn contacts(&self) -> usize {
        self.place.len()
    }

    pub(super) fn factorise(&mut self, rows: &[Linearised]) {
        self.active.clear();
        for (i, row) in rows.iter().enumerate() {
            self.place[i] = ABSENT;
            if row.by_velocity != Matrix3::zeros() {
                self.place[i] = self.active.len();
                self.active.push(i);
            }
        }
        let n = 3 * self.active.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for (k, &i) in self.active.iter().enumerate() {
            let row = &rows[i];
            for (j, block) in self.problem.operator().others().row(i) {
                if self.place[j] != ABSENT {
                    put(&mut self.matrix, n, k, self.place[j], &(row.by_velocity * block));
                }
            }
            let own = row.by_velocity * self.problem.diagonal(i) + row.by_impulse;
            put(&mut self.matrix, n, k, k, &own);
        }
        self.rows.resize(n, 0);
        self.columns.resize(n, 0);
        let mut memory =
            MemBuffer::new(lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default()));
        lu_in_place(
            MatMut::from_column_major_slice_mut(&mut self.matrix, n, n),
            &mut self.rows,
            &mut self.columns,
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        );
    }

    /// Solves with the last factorisation; false when that broke down.
    pub(super) fn substitute(&mut self, rows: &[Linearised], step: &mut [f64]) -> bool {
        for (i, row) in rows.iter().enumerate() {
            if self.place[i] == ABSENT {
                let own = row.by_impulse.try_inverse().unwrap_or_else(Matrix3::zeros);
                set_block(step, i, own * block_of(step, i));
            }
        }
        let n = 3 * self.active.len();
        for (k, &i) in self.active.iter().enumerate() {
            let mut made = Vector3::zeros();
            for (j, block) in self.problem.operator().others().row(i) {
                if self.place[j] == ABSENT {
                    made += block * block_of(step, j);
                }
            }
            set_block(&mut self.right, k, block_of(step, i) - rows[i].by_velocity * made);
        }
        let mut x: Vec<f64> = self.rows.iter().map(|&row| self.right[row]).collect();
        for j in 0..n {
            let (column, value) = (&self.matrix[j * n..(j + 1) * n], x[j]);
            for (x, l) in x[j + 1..].iter_mut().zip(&column[j + 1..]) {
                *x -= l * value;
            }
        }
        for j in (0..n).rev() {
            let column = &self.matrix[j * n..(j + 1) * n];
            let value = x[j] / column[j];
            x[j] = value;
            for (x, u) in x[..j].iter_mut().zip(column) {
                *x -= u * value;
            }
        }
        for (k, &i) in self.active.iter().enumerate() {
            set_block(step, i, block_of(&x, k));
        }
        step.iter().all(|v| v.is_finite())
    }
}

/// Writes a block of a column-major matrix of `n` rows.
fn put(matrix: &mut [f64], n: usize, i: usize, j: usize, block: &Matrix3) {
    for (k, column) in block.data.0.iter().enumerate() {
        let start = (3 * j + k) * n + 3 * i;
        matrix[start..start + 3].copy_from_slice(column);
    }
}
