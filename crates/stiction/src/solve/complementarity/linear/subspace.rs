//! Gauss–Seidel with subspace minimisation (PGS-SM) [SNE10b]: sweeps guess who is free, a direct solve makes the
//! guess count.
//!
//! Exact once sweeps have found the free set, so good for small scenes and for joints; for large ones no better than
//! Gauss–Seidel. A wrong guess makes the residual jump: it is then forgotten, and sweeps go on from where they were.
//! Needs a positive diagonal and symmetry; dense, up to some thousand unknowns.

use super::bounds::nearest;
use super::free_set::{FreeSet, LARGEST_DENSE};
use super::gauss_seidel::{sweep, sweepable};
use super::monitor::conduct;
use super::problem::LinearProblem;
use super::residual::Label;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// How often which.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Sweeps before a direct solve.
    pub sweeps: usize,
    /// Direct solves in a row, at most: fewer when the free set stays the same.
    pub solves: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { sweeps: 10, solves: 5 }
    }
}

/// Improves `x` in place. An iteration is a sweep or a direct solve.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        let n = problem.len();
        if !sweepable(problem) || !problem.matrix().symmetric() || n > LARGEST_DENSE {
            return monitor.finish(Status::Breakdown);
        }
        let a = problem.assemble_dense();
        let groups: Vec<u32> = (0..problem.groups() as u32).collect();
        let mut free = FreeSet::new(n);
        let (mut labels, mut before) = (vec![Label::Free; n], vec![Label::Lower; n]);
        let mut swept = vec![0.0; n];
        problem.project(x);
        problem.matrix().start(x, &mut monitor.w);
        loop {
            let mut moved = false;
            for _ in 0..settings.sweeps.max(1) {
                moved |= sweep(problem, &groups, 1.0, x, &mut monitor.w);
                if let Some(status) = monitor.look(x) {
                    return monitor.finish(status);
                }
            }
            if !moved {
                return monitor.finish(Status::Stagnated);
            }
            swept.copy_from_slice(x);
            let reached = monitor.residual();
            for round in 0..settings.solves {
                label(problem, x, &mut labels);
                if round > 0 && labels == before {
                    break;
                }
                before.copy_from_slice(&labels);
                free.follow(&a, &labels);
                free.solve(&a, problem.b(), x);
                restore(problem, &labels, x);
                if let Some(status) = monitor.look(x) {
                    // Running out here would hand back a guess.
                    return if status == Status::Converged || monitor.residual() <= reached {
                        monitor.finish(status)
                    } else {
                        x.copy_from_slice(&swept);
                        monitor.finish_with(x, status)
                    };
                }
            }
            if monitor.residual() > reached {
                x.copy_from_slice(&swept);
                problem.matrix().start(x, &mut monitor.w);
            }
        }
    })
}

fn label(problem: &LinearProblem, x: &[f64], labels: &mut [Label]) {
    for i in 0..x.len() {
        let (lo, hi) = problem.bounds()[i].at(x);
        labels[i] = match x[i] {
            x if x <= lo => Label::Lower,
            x if x >= hi => Label::Upper,
            _ => Label::Free,
        };
    }
}

/// Free unknowns back between their bounds, others onto them, which have moved with what they are tied to.
fn restore(problem: &LinearProblem, labels: &[Label], x: &mut [f64]) {
    for k in 0..problem.groups() {
        for &i in problem.group(k) {
            let i = i as usize;
            let (lo, hi) = problem.bounds()[i].at(x);
            x[i] = match labels[i] {
                Label::Free => nearest(x[i], lo, hi),
                Label::Lower => lo,
                Label::Upper => hi,
            };
        }
    }
}
