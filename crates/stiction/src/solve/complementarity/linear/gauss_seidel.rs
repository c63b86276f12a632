//! Projected Gauss–Seidel (PGS), and over-relaxed (PSOR): one row at a time, each made right with the others as they
//! are.
//!
//! Robust, simple, starts warm, needs no more than rows of the matrix. For symmetric positive semidefinite `A` and
//! fixed bounds the energy never rises and it converges, linearly: sweeps grow with the mass ratio and with the
//! square of a tower's height. With tied bounds there is no proof, and it works. Needs a positive diagonal, so not
//! polyhedral friction. Over-relaxation gains little (best near 1.2 on towers) and needs symmetry to be safe.

use super::bounds::nearest;
use super::monitor::conduct;
use super::order::{Order, Visits};
use super::problem::LinearProblem;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// How to sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Which row when.
    pub order: Order,
    /// More than zero, less than two: how far to go. One is Gauss–Seidel.
    pub relaxation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { order: Order::Forward, relaxation: 1.0 }
    }
}

/// Improves `x` in place. An iteration is a sweep.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        if let Some(status) = refused(problem, Some(settings.relaxation)) {
            return monitor.finish(status);
        }
        problem.project(x);
        problem.matrix().start(x, &mut monitor.w);
        let mut visits = Visits::new(problem, &settings.order);
        loop {
            let groups = visits.next(problem, x, &monitor.u);
            let moved = sweep(problem, groups, settings.relaxation, x, &mut monitor.w);
            if let Some(status) = monitor.look_after(moved, x) {
                return monitor.finish(status);
            }
        }
    })
}

/// Why sweeps with this relaxation cannot be, if so.
pub(super) fn refused(problem: &LinearProblem, relaxation: Option<f64>) -> Option<Status> {
    if relaxation.is_some_and(|relaxation| !(relaxation > 0.0 && relaxation < 2.0)) {
        return Some(Status::Refused);
    }
    (!sweepable(problem)).then_some(Status::Breakdown)
}

/// Whether each row can be made right by its own unknown: a positive diagonal, or a row of zeros.
pub(crate) fn sweepable(problem: &LinearProblem) -> bool {
    (0..problem.len()).all(|i| problem.diagonal()[i] > 0.0 || problem.matrix().zero_row(i))
}

/// Visits groups in order; whether anything moved. `w` belongs to `x`, and is kept so.
pub(crate) fn sweep(
    problem: &LinearProblem,
    groups: &[u32],
    relaxation: f64,
    x: &mut [f64],
    w: &mut [f64],
) -> bool {
    let mut moved = false;
    for &k in groups {
        for &i in problem.group(k as usize) {
            moved |= visit(problem, i as usize, relaxation, x, w);
        }
    }
    moved
}

fn visit(problem: &LinearProblem, i: usize, relaxation: f64, x: &mut [f64], w: &mut [f64]) -> bool {
    let new = relaxed(problem, i, relaxation, x, problem.velocity(i, x, w));
    let change = new - x[i];
    if change == 0.0 {
        return false;
    }
    x[i] = new;
    problem.matrix().change(i, change, w);
    true
}

/// What makes row `i` right by its own unknown while its velocity is `u`, within bounds by `x`.
pub(super) fn relaxed(
    problem: &LinearProblem,
    i: usize,
    relaxation: f64,
    x: &[f64],
    u: f64,
) -> f64 {
    let (lo, hi) = problem.bounds()[i].at(x);
    let d = problem.diagonal()[i];
    let target = if d > 0.0 {
        x[i] - relaxation * u / d
    } else if u > 0.0 && lo.is_finite() {
        lo
    } else if u < 0.0 && hi.is_finite() {
        hi
    } else {
        x[i]
    };
    nearest(target, lo, hi)
}
