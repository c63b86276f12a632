//! Nonsmooth nonlinear conjugate gradients around Gauss–Seidel sweeps, generalised from boxes to cones
//! (`docs/theory/contact-solvers.md`, "NNCG").
//!
//! What a sweep changes is taken for a gradient, and Fletcher–Reeves directions are added to it (`accelerated.rs`).
//! Towers need about as many iterations as they have boxes, where Gauss–Seidel needs the square; large mass ratios
//! cost a root less. No line search and no proof: it restarts whenever the gradient grows, which makes it
//! Gauss–Seidel in the worst case. The last sweep is returned, because the extrapolated impulses may lie outside of
//! their cones.

use std::ops::ControlFlow;

use super::super::accelerated::Accelerated;
use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::solve::Report;

/// Improves the impulses `r` in place; an iteration is a sweep.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    settings: &gauss_seidel::Settings,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let sweeper = Sweeper::new(problem, settings);
        let mut accelerated = Accelerated::new(sweeper, r, &run.memory);
        loop {
            let residual = accelerated.sweep(r, &mut run.memory);
            if let ControlFlow::Break(status) = run.proposed(r, residual) {
                break status;
            }
        }
    })
}
