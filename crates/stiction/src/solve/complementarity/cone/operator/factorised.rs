//! The operator of an implicit step: `A = J K⁻¹ Jᵀ` with `K` factorised.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{Assembled, BlockRows, Delassus};
use crate::math::{Matrix3, Vector3};
use crate::solve::LinearSolve;

/// `A = J K⁻¹ Jᵀ`, where `K` is symmetric positive definite and known by its factorisation.
///
/// A product costs one solve, and so does every impulse that a Gauss–Seidel sweep changes: for sweeps,
/// [`assemble`](Delassus::assemble) first.
pub struct Factorised<'a> {
    factor: &'a dyn LinearSolve,
    jacobian: BlockRows,
    diagonal: Vec<Matrix3>,
}

impl<'a> Factorised<'a> {
    /// From a factorisation and `J` with a row for each contact; solves three times a contact, in parallel.
    ///
    /// # Panics
    /// When `J` does not have a column for every three unknowns of `K`.
    pub fn new(factor: &'a dyn LinearSolve, jacobian: BlockRows) -> Self {
        assert_eq!(3 * jacobian.columns(), factor.dimension(), "one block of J for three unknowns");
        let mut new = Self { factor, jacobian, diagonal: Vec::new() };
        new.diagonal = (0..new.jacobian.rows())
            .into_par_iter()
            .map_init(
                || vec![0.0; factor.dimension()],
                |column, i| {
                    let columns = [0, 1, 2].map(|k| {
                        respond(factor, &new.jacobian, i, k, column);
                        new.jacobian.row_times(i, column)
                    });
                    Matrix3::from_columns(&columns)
                },
            )
            .collect();
        new
    }

    /// All blocks of the operator at once ([`LinearSolve::schur_complement`]).
    ///
    /// # Panics
    /// When `J` does not have a column for every three unknowns of `K`.
    pub fn assembled(factor: &dyn LinearSolve, jacobian: &BlockRows) -> Assembled {
        assert_eq!(3 * jacobian.columns(), factor.dimension(), "one block of J for three unknowns");
        write_out(factor, jacobian)
    }
}

/// `K⁻¹ Jᵀ e`, with `e` the unit impulse `k` of a contact.
fn respond(
    factor: &dyn LinearSolve,
    jacobian: &BlockRows,
    contact: usize,
    k: usize,
    v: &mut [f64],
) {
    v.fill(0.0);
    jacobian.add_transposed_row(contact, Vector3::ith(k, 1.0), v);
    factor.solve_in_place(v);
}

fn write_out(factor: &dyn LinearSolve, jacobian: &BlockRows) -> Assembled {
    let size = jacobian.rows();
    let row = |i: usize| jacobian.row(i).map(|(j, block)| (j, *block)).collect();
    let rows: Vec<Vec<(usize, Matrix3)>> = (0..size).map(row).collect();
    let all = factor.schur_complement(&rows);
    let below =
        |i: usize, j: usize| Matrix3::from_fn(|k, l| all[(3 * j + l) * 3 * size + 3 * i + k]);
    let block = |i: usize, j: usize| match i.cmp(&j) {
        Ordering::Greater => below(i, j),
        Ordering::Less => below(j, i).transpose(),
        Ordering::Equal => {
            let own = below(i, i);
            Matrix3::from_fn(|k, l| own[(k.max(l), k.min(l))])
        }
    };
    let rows = (0..size).into_par_iter().map(|i| (0..size).map(|j| (j, block(i, j))).collect());
    Assembled::from_rows(size, rows.collect::<Vec<Vec<_>>>())
}

impl Delassus for Factorised<'_> {
    fn contacts(&self) -> usize {
        self.jacobian.rows()
    }

    fn diagonal(&self, contact: usize) -> Matrix3 {
        self.diagonal[contact]
    }

    /// Three solves.
    fn between(&self, contact: usize, other: usize) -> Matrix3 {
        let mut v = vec![0.0; self.factor.dimension()];
        let columns = [0, 1, 2].map(|k| {
            respond(self.factor, &self.jacobian, other, k, &mut v);
            self.jacobian.row_times(contact, &v)
        });
        Matrix3::from_columns(&columns)
    }

    /// Velocities, and room for a change of them.
    fn memory_len(&self) -> usize {
        2 * self.factor.dimension()
    }

    fn gather(&self, r: &[f64], memory: &mut [f64]) {
        let (v, _) = memory.split_at_mut(self.factor.dimension());
        v.fill(0.0);
        for i in 0..self.contacts() {
            self.jacobian.add_transposed_row(i, super::block_of(r, i), v);
        }
        self.factor.solve_in_place(v);
    }

    fn row(&self, contact: usize, _: &[f64], memory: &[f64]) -> Vector3 {
        self.jacobian.row_times(contact, memory)
    }

    fn changed(&self, contact: usize, change: Vector3, memory: &mut [f64]) {
        let (v, dv) = memory.split_at_mut(self.factor.dimension());
        dv.fill(0.0);
        self.jacobian.add_transposed_row(contact, change, dv);
        self.factor.solve_in_place(dv);
        for (v, dv) in v.iter_mut().zip(dv) {
            *v += *dv;
        }
    }

    /// `K⁻¹` couples everything.
    fn for_neighbours(&self, _: usize, visit: &mut dyn FnMut(usize)) {
        (0..self.contacts()).for_each(visit);
    }

    fn assemble(&self) -> Assembled {
        write_out(self.factor, &self.jacobian)
    }
}
