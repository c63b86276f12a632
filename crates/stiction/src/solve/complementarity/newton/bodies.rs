//! The linear systems of Newton's method over velocities of bodies instead of impulses, with any number of rows a
//! contact.
//!
//! With `A = B Bᵀ`, `B = J L`, `L Lᵀ = M⁻¹`, compliance `C` and diagonal blocks `G = ∂F/∂r`, `D = ∂F/∂u`, a step is
//! `(G + D (C + A)) δ = f`. The unknowns `w = Bᵀ δ`, velocities where all masses are one, satisfy (Woodbury)
//!
//! ```text
//! (I + Bᵀ H⁻¹D B) w = Bᵀ H⁻¹ f,   δ = H⁻¹ (f − D B w),   H = G + D C
//! ```
//!
//! Where bodies have many contacts each, as in packings and stacks, there are fewer of these unknowns, and, what
//! counts more, they are coupled far less: a ball with twelve neighbours is twelve blocks in a row here, and makes
//! twelve contacts that all act on each other there, of seventy-two unknowns where they roll. Contacts that take off
//! drop out by themselves.
//!
//! Where a contact sticks, `H` is all regularisation and `H⁻¹` large: the subtraction in `δ` then cancels half of the
//! digits, which refinement on the first equation brings back.

use std::sync::Arc;

use nalgebra::{SMatrix, SVector};

use super::{Linearised, block_of, set_block};
use crate::math::Matrix3;
use crate::solve::direct::{Analysis, Lu, Order};
use crate::solve::vector::{add_scaled, norm};
use crate::solve::{BlockMatrix, BlockPattern, LinearSolve};

/// Rounds of refinement, the first solve included, at most.
const ROUNDS: usize = 6;

/// `B`: of each contact, which blocks of unknowns move its `N` rows, and how.
pub(in super::super) struct Rows<const N: usize> {
    /// Where the parts of each contact begin; one more at the end.
    starts: Vec<usize>,
    columns: Vec<u32>,
    parts: Vec<SMatrix<f64, N, 3>>,
    column_count: usize,
}

impl<const N: usize> Rows<N> {
    /// No contacts yet.
    pub(in super::super) fn empty(column_count: usize) -> Self {
        Self { starts: vec![0], columns: Vec::new(), parts: Vec::new(), column_count }
    }

    /// Appends a contact by its columns, ascending, and parts.
    pub(in super::super) fn push(&mut self, columns: &[u32], parts: &[SMatrix<f64, N, 3>]) {
        self.columns.extend_from_slice(columns);
        self.parts.extend_from_slice(parts);
        self.starts.push(self.columns.len());
    }

    fn contacts(&self) -> usize {
        self.starts.len() - 1
    }

    fn columns(&self, contact: usize) -> &[u32] {
        &self.columns[self.starts[contact]..self.starts[contact + 1]]
    }

    fn parts(&self, contact: usize) -> &[SMatrix<f64, N, 3>] {
        &self.parts[self.starts[contact]..self.starts[contact + 1]]
    }

    /// The rows of a contact times `w`.
    #[inline]
    fn times(&self, contact: usize, w: &[f64]) -> SVector<f64, N> {
        let mut sum = SVector::zeros();
        for (&j, part) in self.columns(contact).iter().zip(self.parts(contact)) {
            sum += part * block_of::<3>(w, j as usize);
        }
        sum
    }

    /// `w += (rows of a contact)ᵀ x`.
    #[inline]
    fn add_transposed(&self, contact: usize, x: &SVector<f64, N>, w: &mut [f64]) {
        for (&j, part) in self.columns(contact).iter().zip(self.parts(contact)) {
            let at = 3 * j as usize;
            w[at..at + 3].iter_mut().zip(&part.tr_mul(x)).for_each(|(w, made)| *w += made);
        }
    }
}

/// Systems over velocities, and their last factorisation.
pub(in super::super) struct Bodies<const N: usize> {
    analysis: Arc<Analysis>,
    rows: Rows<N>,
    compliance: Vec<SVector<f64, N>>,
    invert: fn(&SMatrix<f64, N, N>) -> SMatrix<f64, N, N>,
    /// Where products of two parts of a contact go in the matrix, contact by contact, row by row.
    slots: Vec<u32>,
    matrix: BlockMatrix,
    factor: Lu,
    /// `H⁻¹` of each contact.
    inverses: Vec<SMatrix<f64, N, N>>,
    /// Velocities `w`.
    w: Vec<f64>,
    /// What is left of the right side; and what was added last.
    left: Vec<f64>,
    correction: Vec<f64>,
}

impl<const N: usize> Bodies<N> {
    /// With the compliance of each contact, and how `H` is inverted; not a number in what cannot be shows in the
    /// step, which is then refused.
    pub(in super::super) fn new(
        rows: Rows<N>,
        compliance: Vec<SVector<f64, N>>,
        invert: fn(&SMatrix<f64, N, N>) -> SMatrix<f64, N, N>,
    ) -> Self {
        let contacts = 0..rows.contacts();
        let stencils = contacts.clone().map(|i| rows.columns(i));
        let pattern = Arc::new(BlockPattern::from_stencils(rows.column_count, stencils));
        let slot = |a: u32, b: u32| {
            pattern.slot(a as usize, b as usize).expect("of the stencil of a contact") as u32
        };
        let mut slots = Vec::new();
        for i in contacts {
            let columns = rows.columns(i);
            for &a in columns {
                slots.extend(columns.iter().map(|&b| slot(a, b)));
            }
        }
        let analysis = Analysis::new(&pattern, Order::Graph);
        Self {
            compliance,
            invert,
            slots,
            matrix: BlockMatrix::zeros(pattern),
            factor: Lu::new(&analysis),
            analysis,
            inverses: Vec::with_capacity(rows.contacts()),
            w: vec![0.0; 3 * rows.column_count],
            left: vec![0.0; N * rows.contacts()],
            correction: vec![0.0; N * rows.contacts()],
            rows,
        }
    }

    pub(in super::super) fn contacts(&self) -> usize {
        self.rows.contacts()
    }

    /// Multiplications of a symmetric factorisation.
    pub(in super::super) fn multiplications(&self) -> f64 {
        self.analysis.multiplications()
    }

    /// Products of blocks that are added up before it.
    pub(in super::super) fn products(&self) -> usize {
        self.slots.len()
    }

    /// Numbers in a symmetric factor.
    pub(in super::super) fn factor_len(&self) -> usize {
        self.analysis.symmetric_factor_len()
    }

    pub(in super::super) fn factorise(&mut self, rows: &[Linearised<N>]) {
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
                row.by_impulse + row.by_velocity * SMatrix::from_diagonal(&self.compliance[i]);
            let inverse = (self.invert)(&own);
            self.inverses.push(inverse);
            let parts = self.rows.parts(i);
            if row.by_velocity == SMatrix::<f64, N, N>::zeros() {
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

    /// Solves with the last factorisation for the step, `N` numbers a contact, which comes in as the right side;
    /// false when that broke down.
    pub(in super::super) fn substitute(
        &mut self,
        rows: &[Linearised<N>],
        step: &mut [f64],
    ) -> bool {
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
    fn once(&mut self, rows: &[Linearised<N>]) {
        self.w.fill(0.0);
        for (i, inverse) in self.inverses.iter().enumerate() {
            self.rows.add_transposed(i, &(inverse * block_of(&self.left, i)), &mut self.w);
        }
        self.factor.solve_in_place(&mut self.w);
        for (i, row) in rows.iter().enumerate() {
            let made = row.by_velocity * self.rows.times(i, &self.w);
            let delta = self.inverses[i] * (block_of(&self.left, i) - made);
            set_block(&mut self.left, i, &delta);
        }
    }

    /// `f − (G + D (C + A)) δ`.
    fn remainder(&mut self, rows: &[Linearised<N>], right: &[f64], step: &[f64]) {
        self.w.fill(0.0);
        for i in 0..rows.len() {
            self.rows.add_transposed(i, &block_of(step, i), &mut self.w);
        }
        for (i, row) in rows.iter().enumerate() {
            let delta = block_of(step, i);
            let u = self.rows.times(i, &self.w) + self.compliance[i].component_mul(&delta);
            let made = row.by_impulse * delta + row.by_velocity * u;
            set_block(&mut self.left, i, &(block_of(right, i) - made));
        }
    }
}
