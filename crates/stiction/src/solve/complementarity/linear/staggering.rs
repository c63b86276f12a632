//! Staggering [KSJP08]: normal impulses with friction held, friction with normal impulses held, by turns.
//!
//! Each half is a convex problem that is solved exactly (by block principal pivoting, or Lemke's method when friction
//! is polyhedral), and its energy falls. Nothing says that turns end: mostly they do, fast where friction is light,
//! and slowly or not at all where bodies are wedged. Dense, up to some thousand unknowns.

use nalgebra::DMatrix;

use super::bounds::Bounds;
use super::free_set::LARGEST_DENSE;
use super::gauss_seidel::sweepable;
use super::matrix::{DenseRows, Matrix};
use super::monitor::conduct;
use super::problem::LinearProblem;
use super::{block_principal, lemke};
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Improves `x` in place. An iteration is a turn of both halves. Which rows are friction the problem says.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        if problem.len() > LARGEST_DENSE {
            return monitor.finish(Status::Breakdown);
        }
        let a = problem.assemble_dense();
        let halves = [false, true].map(|friction| Half::new(problem, &a, friction));
        let [Some(mut normal), Some(mut friction)] = halves else {
            return monitor.finish(Status::Breakdown);
        };
        // Halves a little finer than the whole, or they would stop it from arriving.
        let inner =
            Limits { tolerance: 0.1 * limits.tolerance, iterations: limits.iterations.max(1000) };
        loop {
            for half in [&mut normal, &mut friction] {
                let status = half.solve(problem, &a, &inner, x);
                if matches!(status, Status::Infeasible | Status::NotFinite) {
                    return monitor.finish_with(x, status);
                }
            }
            if let Some(status) = monitor.look(x) {
                return monitor.finish(status);
            }
        }
    })
}

/// Some rows of a problem, the others held.
struct Half {
    rows: Vec<usize>,
    problem: LinearProblem,
    x: Vec<f64>,
}

impl Half {
    fn new(whole: &LinearProblem, a: &DenseRows, friction: bool) -> Option<Self> {
        let rows: Vec<usize> =
            (0..whole.len()).filter(|&i| whole.friction()[i] == friction).collect();
        let n = rows.len();
        let matrix = DMatrix::from_fn(n, n, |i, j| a.at(rows[i], rows[j]));
        let scale = rows.iter().map(|&i| whole.scale()[i]).collect();
        let problem =
            LinearProblem::new(Matrix::dense(&matrix)?, vec![0.0; n], vec![Bounds::NONE; n])
                .ok()?;
        Some(Self { rows, problem: problem.with_scale(scale).ok()?, x: vec![0.0; n] })
    }

    fn solve(
        &mut self,
        whole: &LinearProblem,
        a: &DenseRows,
        limits: &Limits,
        x: &mut [f64],
    ) -> Status {
        for (k, &i) in self.rows.iter().enumerate() {
            let (lo, hi) = whole.bounds()[i].at(x);
            self.problem.hold_between(k, lo, hi);
            self.x[k] = x[i];
            x[i] = 0.0;
        }
        for (k, &i) in self.rows.iter().enumerate() {
            let held: f64 = a.row(i).iter().zip(&*x).map(|(a, x)| a * x).sum();
            self.problem.b_mut()[k] = whole.b()[i] + held;
        }
        let report = if self.problem.matrix().symmetric() && sweepable(&self.problem) {
            block_principal::solve(
                &self.problem,
                &mut self.x,
                &block_principal::Settings::default(),
                limits,
                &mut (),
            )
        } else {
            lemke::solve(&self.problem, &mut self.x, limits, &mut ())
        };
        for (&i, &value) in self.rows.iter().zip(&self.x) {
            x[i] = value;
        }
        report.status
    }
}
