//! Nonsmooth nonlinear conjugate gradients around Gauss–Seidel sweeps, generalised from boxes to cones
//! (`spec/contact-solvers.md` §2.9.10).
//!
//! What a sweep changes is taken for a gradient, and Fletcher–Reeves directions are added to it. Towers need about as many
//! iterations as they have boxes, where Gauss–Seidel needs the square; large mass ratios cost a root less. No line search
//! and no proof: it restarts whenever the gradient grows, which makes it Gauss–Seidel in the worst case. The last sweep is
//! returned, because the extrapolated impulses may lie outside of their cones.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::run::Run;
use super::{ContactProblem, Delassus};
use crate::solve::Report;
use crate::solve::vector::dot;

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
    let mut run = match Run::start(problem, r, limits, watch) {
        Ok(run) => run,
        Err(report) => return report,
    };
    let mut sweeper = Sweeper::new(problem, settings);
    // `r` is always the outcome of a sweep, `x` where the next one starts.
    let mut x = r.to_vec();
    let mut direction = vec![0.0; r.len()];
    let mut gradient = vec![0.0; r.len()];
    let mut before = f64::INFINITY;
    let status = loop {
        r.copy_from_slice(&x);
        problem.operator().gather(r, &mut run.memory);
        let residual = sweeper.sweep(r, &mut run.memory);
        if let ControlFlow::Break(status) = run.proposed(r, residual) {
            break status;
        }
        for ((g, x), r) in gradient.iter_mut().zip(&x).zip(&*r) {
            *g = x - r;
        }
        let square = dot(&gradient, &gradient);
        let beta = square / before;
        before = square;
        // The first β is zero: a division by infinity.
        if beta < 1.0 {
            for (((x, r), p), g) in x.iter_mut().zip(&*r).zip(&mut direction).zip(&gradient) {
                *x = r + beta * *p;
                *p = beta * *p - g;
            }
        } else {
            direction.fill(0.0);
            x.copy_from_slice(r);
        }
    };
    run.finish(r, status)
}
