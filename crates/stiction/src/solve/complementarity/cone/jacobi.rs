//! Blocked Jacobi: all contacts at once, each solved exactly with the old impulses of the others.
//!
//! Fully parallel. Needs damping: without it, contacts that act on each other all answer the same load and overshoot.
//! The damping halves whenever the residual grows by too much, so it converges where a small enough step does,
//! slowly: a baseline, and a smoother for very many contacts.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::prepare;
use super::operator::block_rows::{block_of, set_block};
use super::run::conduct;
use super::{ContactProblem, Delassus, residual};
use crate::solve::{Report, Status};
use crate::threads::for_each_block;

/// How to damp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How far to go towards the local solutions at first, in (0, 1] [-].
    pub relaxation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { relaxation: 0.5 }
    }
}

/// Improves the impulses `r` in place; an iteration is one product with the operator, accepted or not.
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
        let prepared = prepare(problem);
        let mut relaxation = settings.relaxation;
        let mut old = r.to_vec();
        let mut accepted = run.last_residual();
        loop {
            old.copy_from_slice(r);
            let u = &run.u;
            for_each_block(r, 256, |i, r| {
                let Some(prepared) = &prepared[i] else { return r.fill(0.0) };
                let before = block_of(&old, i);
                let new = prepared.solve(block_of(u, i) - prepared.block() * before);
                // Between two points of a cone there is only the cone.
                set_block(r, 0, before + (new - before) * relaxation);
            });
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
            // A little growth is normal: the largest of many contacts is no smooth measure.
            if residual > 1.5 * accepted {
                relaxation *= 0.5;
                r.copy_from_slice(&old);
                problem.velocities(r, &mut run.u, &mut run.memory);
                accepted = residual::natural(problem, r, &run.u);
                if relaxation < 1e-6 {
                    break Status::Stagnated;
                }
            } else {
                accepted = accepted.min(residual);
            }
        }
    })
}
