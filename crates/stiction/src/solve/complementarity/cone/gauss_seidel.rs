//! Blocked Gauss–Seidel (NSGS): one contact at a time, each solved exactly with the newest impulses of the others
//! (`docs/theory/contact-solvers.md`, "Sweeps").
//!
//! Robust, cheap, easy to start warm. Needs no factorisation and copes with redundant contacts. Convergence is
//! linear: sweeps grow with the square of the height of a stack, and with the mass ratio when heavy lies on light.
//! The associated model always converges for relaxation in (0, 2); Coulomb's law has no proof, and in practice
//! converges unless `μ` is large.
//!
//! Residuals in the history are those each contact had when its turn came: no extra work, and of the size of
//! the true residual. A claim of convergence is verified with the true one.

use rayon::prelude::*;

use super::super::accelerated::Sweep;
use super::super::{Limits, Watch};
use super::one_contact::{LocalSolver, Prepared};
use super::operator::block_rows::{block_of, set_block};
use super::ordering::{Order, Orderer};
use super::projection::project_cone;
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::math::Vector3;
use crate::solve::Report;
use crate::solve::vector::dot;

/// How to sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// In which order.
    pub order: Order,
    /// How each contact is solved.
    pub local: LocalSolver,
    /// How far to go towards the local solution, in (0, 2): more than one may be faster, less is safer [-].
    pub relaxation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { order: Order::Given, local: LocalSolver::Enumeration, relaxation: 1.0 }
    }
}

/// Improves the impulses `r` in place; an iteration is a sweep over all contacts.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let mut sweeper = Sweeper::new(problem, settings);
        loop {
            let residual = sweeper.sweep(r, &mut run.memory);
            if let std::ops::ControlFlow::Break(status) = run.proposed(r, residual) {
                break status;
            }
        }
    })
}

/// Contacts made ready for sweeps.
pub(super) struct Sweeper<'a, A> {
    problem: &'a ContactProblem<A>,
    /// None where nothing can move.
    prepared: Vec<Option<Prepared>>,
    settings: Settings,
    orderer: Orderer,
    residuals: Vec<f64>,
    /// New impulses of a colour, and residuals.
    colour: Vec<(Vector3, f64)>,
    sweeps: usize,
}

impl<'a, A: Delassus> Sweeper<'a, A> {
    pub(super) fn new(problem: &'a ContactProblem<A>, settings: &Settings) -> Self {
        let orderer = Orderer::new(settings.order, problem);
        let residuals =
            if orderer.needs_residuals() { vec![0.0; problem.contacts()] } else { vec![] };
        Self {
            problem,
            prepared: prepare(problem),
            settings: *settings,
            orderer,
            residuals,
            colour: Vec::new(),
            sweeps: 0,
        }
    }

    /// One sweep; returns the largest residual that a contact had when its turn came. `memory` must be true for `r`.
    pub(super) fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        self.orderer.prepare(self.sweeps, r, &self.residuals);
        self.sweeps += 1;
        let worst = if self.orderer.colour_ends.is_empty() {
            self.sweep_in_sequence(r, memory)
        } else {
            self.sweep_colours(r, memory)
        };
        worst.sqrt()
    }

    fn sweep_in_sequence(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        let mut worst = 0.0;
        for &i in &self.orderer.sequence {
            let i = i as usize;
            let (new, residual) =
                improve(self.problem, &self.prepared, &self.settings, i, r, memory);
            let change = new - block_of(r, i);
            set_block(r, i, new);
            if change != Vector3::zeros() {
                self.problem.operator().changed(i, change, memory);
            }
            if !self.residuals.is_empty() {
                self.residuals[i] = residual;
            }
            worst = larger(worst, residual);
        }
        worst
    }

    fn sweep_colours(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        let mut worst = 0.0;
        let mut start = 0;
        for &end in &self.orderer.colour_ends {
            let contacts = &self.orderer.sequence[start..end];
            start = end;
            // Contacts of a colour do not act on each other, so old impulses are the newest: the order within a
            // colour is free.
            let improve = |&i: &u32| {
                improve(self.problem, &self.prepared, &self.settings, i as usize, r, memory)
            };
            contacts.par_iter().with_min_len(128).map(improve).collect_into_vec(&mut self.colour);
            for (&i, &(new, residual)) in contacts.iter().zip(&self.colour) {
                let i = i as usize;
                let change = new - block_of(r, i);
                set_block(r, i, new);
                self.problem.operator().changed(i, change, memory);
                worst = larger(worst, residual);
            }
        }
        worst
    }
}

impl<A: Delassus> Sweep for Sweeper<'_, A> {
    fn room(&self) -> Vec<f64> {
        self.problem.memory()
    }

    fn gather(&self, r: &[f64], memory: &mut [f64]) {
        self.problem.operator().gather(r, memory);
    }

    fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        Self::sweep(self, r, memory)
    }

    fn square(&self, change: &[f64]) -> f64 {
        dot(change, change)
    }
}

/// All contacts made ready; none where nothing can move.
pub(super) fn prepare<A: Delassus>(problem: &ContactProblem<A>) -> Vec<Option<Prepared>> {
    let prepare = |i: usize| {
        let block = Some(problem.diagonal(i)).filter(|_| !problem.is_immobile(i));
        block.and_then(|block| Prepared::new(block, problem.mu(i), problem.model()))
    };
    (0..problem.contacts()).map(prepare).collect()
}

/// The new impulse of a contact, and the square of the residual it had.
#[inline]
pub(super) fn improve<A: Delassus>(
    problem: &ContactProblem<A>,
    prepared: &[Option<Prepared>],
    settings: &Settings,
    i: usize,
    r: &[f64],
    memory: &[f64],
) -> (Vector3, f64) {
    let Some(prepared) = &prepared[i] else { return (Vector3::zeros(), 0.0) };
    let old = block_of(r, i);
    let u = problem.velocity(i, r, memory);
    let residual = prepared.law().natural(old, u).norm_squared();
    let q = u - prepared.block() * old;
    let mut new = prepared.solve_by(settings.local, q, old);
    if (settings.relaxation - 1.0).abs() > 0.0 {
        let relaxed = old + (new - old) * settings.relaxation;
        new = project_cone(prepared.law().mu, relaxed);
    }
    (new, residual)
}

fn larger(worst: f64, e: f64) -> f64 {
    if e > worst || e.is_nan() { e } else { worst }
}
