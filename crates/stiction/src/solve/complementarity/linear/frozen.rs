//! Pivoting methods know fixed bounds only. For tied ones: hold them where they are, solve, look where they have
//! gone, again.
//!
//! After each solve one Newton step is tried with bounds that move along, on the guess that nothing changes its bound
//! any more; near the solution it hits it. Far away there is no proof that this ends: it may go in circles, and says
//! so.

use super::active_step::ActiveStep;
use super::free_set::LARGEST_DENSE;
use super::matrix::DenseRows;
use super::monitor::{Monitor, conduct};
use super::problem::LinearProblem;
use super::residual::{Label, labels, natural};
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// So many rounds without a better residual, and it goes in circles.
const ROUNDS: usize = 100;

/// A problem with its matrix assembled and its bounds held.
pub(crate) struct Frozen<'a> {
    pub(crate) problem: &'a LinearProblem,
    pub(crate) a: DenseRows,
    pub(crate) lo: Vec<f64>,
    pub(crate) hi: Vec<f64>,
    pub(crate) monitor: Monitor<'a>,
    /// What of a velocity is no violation.
    pub(crate) tolerance: f64,
}

impl Frozen<'_> {
    fn hold(&mut self, x: &[f64]) {
        for (i, bounds) in self.problem.bounds().iter().enumerate() {
            (self.lo[i], self.hi[i]) = bounds.at(x);
        }
    }
}

/// Runs `inner` until the problem it leaves is solved. It solves with held bounds, looks after each of its
/// iterations, and ends with an error when it has to stop.
pub(crate) fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
    mut inner: impl FnMut(&mut Frozen<'_>, &mut [f64]) -> Result<(), Status>,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        let n = problem.len();
        if n > LARGEST_DENSE {
            return monitor.finish(Status::Breakdown);
        }
        // Exchanging rows does not improve the residual every time.
        monitor.patience = usize::MAX;
        // Finer than rounding nothing can be told.
        let rounding =
            16.0 * f64::EPSILON * problem.b().iter().fold(0.0_f64, |m, b| m.max(b.abs()));
        let tolerance = limits.tolerance.max(rounding);
        let a = problem.assemble_dense();
        let mut frozen =
            Frozen { problem, a, lo: vec![0.0; n], hi: vec![0.0; n], monitor, tolerance };
        let (mut step, mut dx, mut trial, mut now) =
            (ActiveStep::default(), vec![0.0; n], vec![0.0; n], Vec::<Label>::new());
        let tied = problem.tied();
        let (mut best, mut kept, mut patience) = (f64::INFINITY, Vec::new(), ROUNDS);
        loop {
            frozen.hold(x);
            if let Err(status) = inner(&mut frozen, x) {
                // What it stopped on the way may be worse than what the last round had reached.
                if status != Status::Converged && best < f64::INFINITY {
                    x.copy_from_slice(&kept);
                }
                // No solution with friction held as it is says little about friction that gives way.
                let status =
                    if tied && status == Status::Infeasible { Status::Breakdown } else { status };
                return frozen.monitor.finish_with(x, status);
            }
            let monitor = &mut frozen.monitor;
            problem.velocities(x, &mut monitor.u, &mut monitor.w);
            let before = natural(problem, x, &monitor.u);
            if !tied || before <= limits.tolerance {
                // If it is not solved now, rounding is in the way.
                return frozen.monitor.finish_with(x, Status::Stagnated);
            }
            labels(problem, x, &monitor.u, &mut now);
            step.solve(problem, &frozen.a, &now, x, &monitor.u, &mut dx);
            trial.iter_mut().zip(x.iter().zip(&dx)).for_each(|(t, (x, dx))| *t = x + dx);
            problem.velocities(&trial, &mut monitor.u, &mut monitor.w);
            if natural(problem, &trial, &monitor.u) < before {
                x.copy_from_slice(&trial);
            }
            if let Some(status) = monitor.look(x) {
                return frozen.monitor.finish(status);
            }
            patience -= 1;
            if monitor.residual() < best {
                (best, patience) = (monitor.residual(), ROUNDS);
                kept.clear();
                kept.extend_from_slice(x);
            } else if patience == 0 {
                x.copy_from_slice(&kept);
                return frozen.monitor.finish_with(x, Status::Stagnated);
            }
        }
    })
}
