//! Nonsmooth nonlinear conjugate gradients (NNCG) [SNE10]: directions learned from what a Gauss–Seidel sweep does.
//!
//! What a sweep changes is taken for minus the gradient of something, and Fletcher–Reeves directions are made from
//! it, with a restart whenever it grows. Costs two sweeps an iteration; where Gauss–Seidel needs sweeps in proportion
//! to a mass ratio, it needs its square root. Not always better: what Gauss–Seidel solves in ten sweeps it does not
//! improve. No proof of convergence, restarts keep it near Gauss–Seidel. Needs a positive diagonal.

use super::gauss_seidel::{Settings, refused, sweep};
use super::monitor::conduct;
use super::order::Visits;
use super::problem::LinearProblem;
use crate::solve::Report;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::vector::dot;

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
        let mut visits = Visits::new(problem, &settings.order);
        // `x` is always what a sweep returned, and between its bounds; `y` goes on from there and may leave them.
        let mut y = x.to_vec();
        let (mut direction, mut gradient) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let mut last = 0.0;
        loop {
            x.copy_from_slice(&y);
            problem.matrix().start(x, &mut monitor.w);
            let groups = visits.next(problem, x, &monitor.u);
            let moved = sweep(problem, groups, settings.relaxation, x, &mut monitor.w);
            for i in 0..x.len() {
                gradient[i] = y[i] - x[i];
            }
            if let Some(status) = monitor.look_after(moved, x) {
                return monitor.finish(status);
            }
            let now = dot(&gradient, &gradient);
            let beta = now / last;
            last = now;
            if beta <= 1.0 {
                for i in 0..x.len() {
                    y[i] = x[i] + beta * direction[i];
                    direction[i] = beta * direction[i] - gradient[i];
                }
            } else {
                // The first sweep and every restart.
                y.copy_from_slice(x);
                let first = monitor.iterations() == 1;
                for i in 0..x.len() {
                    direction[i] = if first { -gradient[i] } else { 0.0 };
                }
            }
        }
    })
}
