//! What all solvers do around their iterations: look at the numbers, keep the history, listen, stop.

use super::problem::{LinearProblem, ProblemError};
use super::residual::natural;
use crate::solve::complementarity::{Limits, Progress, Watch};
use crate::solve::{Report, Status};

/// For methods that improve a little nearly every time. Slow ones may go up again for as long as they have come down.
const PATIENCE: usize = 5000;

pub(crate) struct Monitor<'a> {
    problem: &'a LinearProblem,
    limits: Limits,
    watch: &'a mut dyn Watch,
    residuals: Vec<f64>,
    best: (f64, usize),
    /// So many iterations without a better residual, or as many as the best one took, and nothing will come: it sits
    /// on its rounding floor, or goes in circles.
    pub(crate) patience: usize,
    pub(crate) u: Vec<f64>,
    pub(crate) w: Vec<f64>,
}

/// A solve from start to end: `iterate` improves `x` unless the numbers make no sense or `x` already solves the
/// problem.
pub(crate) fn conduct<'a>(
    problem: &'a LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &'a mut dyn Watch,
    iterate: impl FnOnce(Monitor<'a>, &mut [f64]) -> Report,
) -> Report {
    match Monitor::start(problem, x, limits, watch) {
        Ok(monitor) => iterate(monitor, x),
        Err(report) => report,
    }
}

impl<'a> Monitor<'a> {
    /// Refuses numbers that make no sense, and ends at once when `x` already solves the problem.
    fn start(
        problem: &'a LinearProblem,
        x: &[f64],
        limits: &Limits,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, Report> {
        let refuse = |status| Err(Report { status, iterations: 0, residuals: Vec::new() });
        if x.len() != problem.len() {
            return refuse(Status::Refused);
        }
        match problem.check() {
            Err(ProblemError::Infeasible { .. }) => return refuse(Status::Infeasible),
            Err(ProblemError::NotFinite { .. }) => return refuse(Status::NotFinite),
            Err(_) => return refuse(Status::Refused),
            Ok(()) if x.iter().any(|x| !x.is_finite()) => return refuse(Status::NotFinite),
            Ok(()) => {}
        }
        let mut monitor = Self {
            problem,
            limits: *limits,
            watch,
            residuals: Vec::with_capacity(limits.iterations.min(1 << 16) + 1),
            best: (f64::INFINITY, 0),
            patience: PATIENCE,
            u: vec![0.0; problem.len()],
            w: Vec::new(),
        };
        match monitor.look(x) {
            Some(status) => Err(monitor.finish(status)),
            None if monitor.hopeless() => Err(monitor.finish(Status::Infeasible)),
            None => Ok(monitor),
        }
    }

    /// Ends an iteration with `x`; a status when it was the last. Leaves velocities in `u`, and `w` true.
    pub(crate) fn look(&mut self, x: &[f64]) -> Option<Status> {
        self.problem.velocities(x, &mut self.u, &mut self.w);
        let residual = natural(self.problem, x, &self.u);
        self.residuals.push(residual);
        let iteration = self.iterations();
        if residual < self.best.0 {
            self.best = (residual, iteration);
        }
        let progress = Progress { iteration, residual: Some(residual), unknowns: x };
        let told = self.watch.iteration(&progress);
        if residual <= self.limits.tolerance {
            Some(Status::Converged)
        } else if !residual.is_finite() {
            Some(Status::NotFinite)
        } else if told.is_break() {
            Some(Status::Stopped)
        } else if iteration >= self.limits.iterations {
            Some(Status::IterationLimit)
        } else if iteration - self.best.1 > self.patience.max(self.best.1) {
            Some(Status::Stagnated)
        } else {
            None
        }
    }

    /// The same for methods that stop where they are when nothing has moved.
    pub(crate) fn look_after(&mut self, moved: bool, x: &[f64]) -> Option<Status> {
        self.look(x).or((!moved).then_some(Status::Stagnated))
    }

    pub(crate) fn iterations(&self) -> usize {
        self.residuals.len() - 1
    }

    pub(crate) fn residual(&self) -> f64 {
        self.residuals.last().copied().unwrap_or(f64::NAN)
    }

    /// Whether some row moves into its bounds and nothing can be done about it.
    fn hopeless(&self) -> bool {
        let problem = self.problem;
        (0..problem.len()).any(|i| {
            let (b, bounds) = (problem.b()[i], problem.bounds()[i]);
            let unbounded =
                if b < 0.0 { bounds.hi == f64::INFINITY } else { bounds.lo == f64::NEG_INFINITY };
            unbounded
                && b.abs() > self.limits.tolerance
                && problem.compliance()[i] == 0.0
                && problem.matrix().zero_row(i)
        })
    }

    /// Reports what `x` of the last look is worth.
    pub(crate) fn finish(self, status: Status) -> Report {
        Report { status, iterations: self.residuals.len() - 1, residuals: self.residuals }
    }

    /// Reports `x` that has changed since the last look: what it is worth replaces the last entry.
    pub(crate) fn finish_with(mut self, x: &[f64], status: Status) -> Report {
        self.problem.velocities(x, &mut self.u, &mut self.w);
        let residual = natural(self.problem, x, &self.u);
        if let Some(last) = self.residuals.last_mut() {
            *last = residual;
        }
        let status = match status {
            _ if residual <= self.limits.tolerance => Status::Converged,
            Status::Converged => Status::Stagnated,
            other => other,
        };
        self.finish(status)
    }
}
