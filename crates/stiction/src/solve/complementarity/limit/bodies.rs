//! The linear systems of Newton's method over velocities of bodies instead of impulses, six rows a contact.
//!
//! As `cone/newton/bodies.rs` does it for three rows (there is the formula): a step `(G + V (C + B Bᵀ)) δ = f` becomes
//!
//! ```text
//! (I + Bᵀ H⁻¹V B) w = Bᵀ H⁻¹ f,   δ = H⁻¹ (f − V B w),   H = G + V C
//! ```
//!
//! in the scaled coordinates of each contact: its rows of `B = J L` are multiplied by `D`. A ball of a heap has six unknowns here, and its twelve contacts
//! would have seventy-two. The last digits come back by refinement.

use std::sync::Arc;

use nalgebra::SMatrix;

use super::super::cone::operator::{Delassus, MassJacobian};
use super::LimitProblem;
use super::local::Linear;
use super::problem::{Block, Six};
use crate::math::Vector3;
use crate::solve::direct::{Analysis, Lu, Order};
use crate::solve::{BlockMatrix, BlockPattern, LinearSolve};

/// Rounds of refinement, the first solve included, at most.
const ROUNDS: usize = 6;

/// What one block of unknowns does to a contact.
type Part = SMatrix<f64, 6, 3>;

/// Systems over velocities, and their last factorisation.
pub(super) struct Bodies {
    analysis: Arc<Analysis>,
    /// Where the parts of each contact begin; one more at the end.
    starts: Vec<usize>,
    columns: Vec<u32>,
    /// `D B`.
    parts: Vec<Part>,
    compliance: Vec<f64>,
    /// Where products of two parts of a contact go in the matrix, contact by contact.
    slots: Vec<u32>,
    matrix: BlockMatrix,
    factor: Lu,
    /// `H⁻¹` of each contact.
    inverses: Vec<Block>,
    /// Velocities `w`.
    w: Vec<f64>,
}

impl Bodies {
    pub(super) fn new<A: Delassus>(problem: &LimitProblem<A>, bodies: &MassJacobian) -> Self {
        let jacobian = bodies.scaled();
        let (mut starts, mut columns, mut parts) = (vec![0], Vec::new(), Vec::new());
        for contact in problem.parts() {
            let start = columns.len();
            let rows = contact.row..contact.row + contact.size / 3;
            // What turns a contact also moves it, nearly always: one sorted list is short enough to search.
            columns.extend(rows.clone().flat_map(|row| jacobian.row_columns(row)));
            columns[start..].sort_unstable();
            let mut own = columns.split_off(start);
            own.dedup();
            parts.resize(start + own.len(), Part::zeros());
            for (k, row) in rows.enumerate() {
                for (column, block) in jacobian.row(row) {
                    let at = own.binary_search(&(column as u32)).expect("one of its columns");
                    for i in 0..3 {
                        let scaled = block.row(i) * contact.scale[3 * k + i];
                        parts[start + at].row_mut(3 * k + i).copy_from(&scaled);
                    }
                }
            }
            columns.extend(own);
            starts.push(columns.len());
        }
        let stencils = starts.windows(2).map(|ends| &columns[ends[0]..ends[1]]);
        let pattern = Arc::new(BlockPattern::from_stencils(jacobian.columns(), stencils.clone()));
        let slot = |a: u32, b: u32| {
            pattern.slot(a as usize, b as usize).expect("of the stencil of a contact") as u32
        };
        let mut slots = Vec::new();
        for own in stencils {
            for &a in own {
                slots.extend(own.iter().map(|&b| slot(a, b)));
            }
        }
        let analysis = Analysis::new(&pattern, Order::Graph);
        Self {
            factor: Lu::new(&analysis),
            analysis,
            compliance: problem.parts().iter().map(|contact| contact.compliance).collect(),
            slots,
            matrix: BlockMatrix::zeros(pattern),
            inverses: Vec::with_capacity(problem.contacts()),
            w: vec![0.0; 3 * jacobian.columns()],
            starts,
            columns,
            parts,
        }
    }

    /// What a step costs, in multiplications at the pace of a sweep: those of the factorisation, which goes faster, and what is read and written.
    pub(super) fn cost(&self) -> f64 {
        let (contacts, products) = (self.compliance.len() as f64, self.slots.len() as f64);
        let numbers = self.analysis.symmetric_factor_len() as f64;
        1000.0 * contacts
            + 120.0 * products
            + 20.0 * numbers
            + self.analysis.multiplications() / 3.0
    }

    /// Solves for the step, which comes in as the right side; false when that failed.
    pub(super) fn solve(&mut self, rows: &[Linear], step: &mut [Six]) -> bool {
        self.factorise(rows);
        let right = step.to_vec();
        let mut left = right.clone();
        step.fill(Six::zeros());
        let mut before = size(&left);
        for _ in 0..ROUNDS {
            self.once(rows, &mut left);
            step.iter_mut().zip(&left).for_each(|(step, left)| *step += left);
            let correction = left.clone();
            self.remainder(rows, &right, step, &mut left);
            let now = size(&left);
            if now >= before || now.is_nan() {
                step.iter_mut().zip(&correction).for_each(|(step, added)| *step -= added);
                break;
            }
            if now > 0.5 * before {
                break;
            }
            before = now;
        }
        step.iter().all(|step| step.iter().all(|v| v.is_finite()))
    }

    fn factorise(&mut self, rows: &[Linear]) {
        self.inverses.clear();
        let pattern = Arc::clone(self.matrix.pattern());
        let values = self.matrix.values_mut();
        values.fill(nalgebra::Matrix3::zeros());
        for i in 0..pattern.size() {
            let slot = pattern.slot(i, i).expect("patterns have their diagonal");
            values[slot] = nalgebra::Matrix3::identity();
        }
        let mut slots = self.slots.iter();
        for (i, row) in rows.iter().enumerate() {
            let mut own = row.by_impulse;
            let given_way = row.by_velocity.column(0) * self.compliance[i];
            own.set_column(0, &(own.column(0) + given_way));
            // Not a number in what cannot be inverted: it shows in the step, which is then refused.
            let inverse = own.try_inverse().unwrap_or_else(|| Block::repeat(f64::NAN));
            self.inverses.push(inverse);
            let parts = &self.parts[self.starts[i]..self.starts[i + 1]];
            if row.by_velocity == Block::zeros() {
                slots.by_ref().take(parts.len() * parts.len()).for_each(drop);
                continue;
            }
            let weight = inverse * row.by_velocity;
            for a in parts {
                let left = a.tr_mul(&weight);
                for (b, &slot) in parts.iter().zip(slots.by_ref()) {
                    values[slot as usize] += left * b;
                }
            }
        }
        self.factor.factor(&self.matrix);
    }

    /// What is left becomes the step that it asks for.
    fn once(&mut self, rows: &[Linear], left: &mut [Six]) {
        self.w.fill(0.0);
        for i in 0..rows.len() {
            self.add_transposed(i, &(self.inverses[i] * left[i]));
        }
        self.factor.solve_in_place(&mut self.w);
        for (i, row) in rows.iter().enumerate() {
            let made = row.by_velocity * self.times(i);
            left[i] = self.inverses[i] * (left[i] - made);
        }
    }

    /// `f − (G + V (C + B Bᵀ)) δ`.
    fn remainder(&mut self, rows: &[Linear], right: &[Six], step: &[Six], left: &mut [Six]) {
        self.w.fill(0.0);
        for (i, step) in step.iter().enumerate() {
            self.add_transposed(i, step);
        }
        for (i, row) in rows.iter().enumerate() {
            let mut u = self.times(i);
            u.x += self.compliance[i] * step[i].x;
            left[i] = right[i] - row.by_impulse * step[i] - row.by_velocity * u;
        }
    }

    fn add_transposed(&mut self, contact: usize, x: &Six) {
        for k in self.starts[contact]..self.starts[contact + 1] {
            let (at, made) = (3 * self.columns[k] as usize, self.parts[k].tr_mul(x));
            self.w[at..at + 3].iter_mut().zip(&made).for_each(|(w, made)| *w += made);
        }
    }

    fn times(&self, contact: usize) -> Six {
        let mut sum = Six::zeros();
        for k in self.starts[contact]..self.starts[contact + 1] {
            let w = &self.w[3 * self.columns[k] as usize..];
            sum += self.parts[k] * Vector3::new(w[0], w[1], w[2]);
        }
        sum
    }
}

fn size(x: &[Six]) -> f64 {
    x.iter().map(|x| x.norm_squared()).sum::<f64>().sqrt()
}
