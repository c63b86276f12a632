//! The linear systems of Newton's method over velocities of bodies instead of impulses.
//!
//! With `A = B Bᵀ`, `B = J L`, `L Lᵀ = M⁻¹`, compliance `C` and diagonal blocks `G = ∂F/∂r`, `D = ∂F/∂u`, a step is `(G + D (C + A)) δ = f`. The unknowns
//! `w = Bᵀ δ`, velocities where all masses are one, satisfy (Woodbury)
//!
//! ```text
//! (I + Bᵀ H⁻¹D B) w = Bᵀ H⁻¹ f,   δ = H⁻¹ (f − D B w),   H = G + D C
//! ```
//!
//! Where bodies have many contacts each, as in packings and stacks, there are fewer of these unknowns, and, what counts more, they are coupled far less: a ball with
//! twelve neighbours is twelve blocks in a row here, and makes twelve contacts that all act on each other there. Contacts that take off drop out by themselves.
//!
//! Where a contact sticks, `H` is all regularisation and `H⁻¹` large: the subtraction in `δ` then cancels half of the digits, which one
//! step of refinement on the first equation brings back.

use std::sync::Arc;

use super::super::operator::block_rows::{block_of, set_block};
use super::super::{BlockRows, ContactProblem, Delassus, Linearised, MassJacobian};
use crate::math::{Matrix3, Vector3};
use crate::solve::direct::{Analysis, Lu, Order};
use crate::solve::vector::{add_scaled, norm};
use crate::solve::{BlockMatrix, BlockPattern, LinearSolve};

/// Rounds of refinement, the first solve included, at most.
const ROUNDS: usize = 6;

/// Systems over velocities, and their last factorisation.
pub(in super::super) struct Bodies {
    analysis: Arc<Analysis>,
    /// `B`.
    jacobian: BlockRows,
    compliance: Vec<Vector3>,
    /// Where products of two blocks of a contact go in the matrix, contact by contact, row by row.
    slots: Vec<u32>,
    matrix: BlockMatrix,
    factor: Lu,
    /// `H⁻¹` and `H⁻¹D` of each contact.
    inverses: Vec<Matrix3>,
    /// Velocities `w`.
    w: Vec<f64>,
    /// What is left of the right side; and what was added last.
    left: Vec<f64>,
    correction: Vec<f64>,
}

impl Bodies {
    pub(super) fn new<A: Delassus>(problem: &ContactProblem<A>, bodies: &MassJacobian) -> Self {
        let jacobian = bodies.scaled().clone();
        let rows = 0..jacobian.rows();
        let stencils = rows.clone().map(|i| jacobian.row_columns(i));
        let pattern = Arc::new(BlockPattern::from_stencils(jacobian.columns(), stencils));
        let slot = |a: u32, b: u32| {
            pattern.slot(a as usize, b as usize).expect("of the stencil of a contact") as u32
        };
        let mut slots = Vec::new();
        for i in rows {
            let columns = jacobian.row_columns(i);
            for &a in columns {
                slots.extend(columns.iter().map(|&b| slot(a, b)));
            }
        }
        let analysis = Analysis::new(&pattern, Order::Graph);
        Self {
            compliance: problem.compliance().to_vec(),
            slots,
            matrix: BlockMatrix::zeros(pattern),
            factor: Lu::new(&analysis),
            analysis,
            inverses: Vec::with_capacity(jacobian.rows()),
            w: vec![0.0; 3 * jacobian.columns()],
            left: vec![0.0; 3 * jacobian.rows()],
            correction: vec![0.0; 3 * jacobian.rows()],
            jacobian,
        }
    }

    /// Multiplications of a symmetric factorisation.
    pub(super) fn multiplications(&self) -> f64 {
        self.analysis.multiplications()
    }

    /// Products of blocks that are added up before it.
    pub(super) fn products(&self) -> usize {
        self.slots.len()
    }

    /// Numbers in a symmetric factor.
    pub(super) fn factor_len(&self) -> usize {
        self.analysis.symmetric_factor_len()
    }

    pub(super) fn factorise(&mut self, rows: &[Linearised]) {
        self.inverses.clear();
        let pattern = Arc::clone(self.matrix.pattern());
        let values = self.matrix.values_mut();
        values.fill(Matrix3::zeros());
        for i in 0..pattern.size() {
            values[pattern.slot(i, i).expect("patterns have their diagonal")] = Matrix3::identity();
        }
        let mut slots = self.slots.iter();
        for (i, row) in rows.iter().enumerate() {
            let own =
                row.by_impulse + row.by_velocity * Matrix3::from_diagonal(&self.compliance[i]);
            let inverse = inverse(&own);
            self.inverses.push(inverse);
            let blocks = self.jacobian.row_blocks(i);
            if row.by_velocity == Matrix3::zeros() {
                slots.by_ref().take(blocks.len() * blocks.len()).for_each(drop);
                continue;
            }
            let weight = inverse * row.by_velocity;
            for a in blocks {
                let left = a.tr_mul(&weight);
                for (b, &slot) in blocks.iter().zip(slots.by_ref()) {
                    values[slot as usize] += left * b;
                }
            }
        }
        self.factor.factor(&self.matrix);
    }

    /// Solves with the last factorisation; false when that broke down.
    pub(super) fn substitute(&mut self, rows: &[Linearised], step: &mut [f64]) -> bool {
        let right = step.to_vec();
        self.left.copy_from_slice(&right);
        step.fill(0.0);
        let mut before = norm(&self.left);
        for _ in 0..ROUNDS {
            self.once(rows);
            add_scaled(step, 1.0, &self.left);
            self.correction.copy_from_slice(&self.left);
            self.remainder(rows, &right, step);
            let now = norm(&self.left);
            if now >= before || now.is_nan() {
                add_scaled(step, -1.0, &self.correction);
                break;
            }
            if now > 0.5 * before {
                break;
            }
            before = now;
        }
        step.iter().all(|v| v.is_finite())
    }

    /// What is left becomes the step that it asks for.
    fn once(&mut self, rows: &[Linearised]) {
        self.w.fill(0.0);
        for (i, inverse) in self.inverses.iter().enumerate() {
            self.jacobian.add_transposed_row(i, inverse * block_of(&self.left, i), &mut self.w);
        }
        self.factor.solve_in_place(&mut self.w);
        for (i, row) in rows.iter().enumerate() {
            let made = row.by_velocity * self.jacobian.row_times(i, &self.w);
            let delta = self.inverses[i] * (block_of(&self.left, i) - made);
            set_block(&mut self.left, i, delta);
        }
    }

    /// `f − (G + D (C + A)) δ`.
    fn remainder(&mut self, rows: &[Linearised], right: &[f64], step: &[f64]) {
        self.w.fill(0.0);
        for i in 0..rows.len() {
            self.jacobian.add_transposed_row(i, block_of(step, i), &mut self.w);
        }
        for (i, row) in rows.iter().enumerate() {
            let delta = block_of(step, i);
            let u = self.jacobian.row_times(i, &self.w) + self.compliance[i].component_mul(&delta);
            let made = row.by_impulse * delta + row.by_velocity * u;
            set_block(&mut self.left, i, block_of(right, i) - made);
        }
    }
}

/// `H⁻¹`. Those of interior points are symmetric, and near the boundary of a cone their eigenvalues are so far apart that the least are
/// rounding: such are made larger, or a contact would pull where it should hardly hold. Beside `A` nobody notices.
fn inverse(own: &Matrix3) -> Matrix3 {
    if *own != own.transpose() {
        // Not a number in what cannot be inverted: it shows in the step, which is then refused.
        return own.try_inverse().unwrap_or_else(|| Matrix3::repeat(f64::NAN));
    }
    let eigen = own.symmetric_eigen();
    let least = 1e-14 * eigen.eigenvalues.amax();
    let inverses = Matrix3::from_diagonal(&eigen.eigenvalues.map(|value| 1.0 / value.max(least)));
    eigen.eigenvectors * inverses * eigen.eigenvectors.transpose()
}
