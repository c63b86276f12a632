//! Projected Jacobi: all rows at once, each made right with the others as they were.
//!
//! The order of rows does not matter and every row can have its own processor; but it needs damping, and more sweeps
//! than Gauss–Seidel. For symmetric positive semidefinite `A` it converges when the relaxation is below `2/λ` with
//! `λ` the largest eigenvalue of `D⁻¹A`; left out, it is chosen so by a few power iterations. Needs a positive
//! diagonal.

use super::gauss_seidel::{refused, relaxed};
use super::monitor::conduct;
use super::problem::LinearProblem;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::vector::max_abs;
use crate::solve::{Report, power_iteration};

/// How far to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// More than zero, less than two; chosen if none.
    pub relaxation: Option<f64>,
}

/// Improves `x` in place. An iteration moves all unknowns once.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        if let Some(status) = refused(problem, settings.relaxation) {
            return monitor.finish(status);
        }
        let relaxation =
            settings.relaxation.unwrap_or_else(|| (1.5 / largest_eigenvalue(problem)).min(1.0));
        let mut new = x.to_vec();
        loop {
            for i in 0..x.len() {
                // Bounds by the old impulses, as everything else.
                new[i] = relaxed(problem, i, relaxation, x, monitor.u[i]);
            }
            let moved = *x != *new;
            x.copy_from_slice(&new);
            if let Some(status) = monitor.look_after(moved, x) {
                return monitor.finish(status);
            }
        }
    })
}

/// Of `D⁻¹A`, a little too small: so leave room.
fn largest_eigenvalue(problem: &LinearProblem) -> f64 {
    let n = problem.len();
    let start: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * ((i * 7919) % 17) as f64).collect();
    let (mut y, mut w) = (vec![0.0; n], Vec::new());
    let growth = power_iteration::growth(start, 1.0, 30, max_abs, |v, length| {
        v.iter_mut().for_each(|v| *v /= length);
        problem.matrix().multiply(v, &mut y, &mut w);
        for i in 0..n {
            let d = problem.diagonal()[i];
            v[i] = if d > 0.0 { (y[i] + problem.compliance()[i] * v[i]) / d } else { 0.0 };
        }
    });
    growth.unwrap_or_else(|before| before.unwrap_or(1.0)).max(1.0)
}
