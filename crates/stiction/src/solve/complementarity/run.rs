//! What all solvers do around their iterations: check, count, tell, verify, and keep the best.

use std::ops::ControlFlow;

use super::{Limits, Progress, Watch};
use crate::solve::{Report, Status};

/// A problem whose solvers share their beginning and end.
pub(super) trait Posed {
    /// Unknown impulses.
    fn unknowns(&self) -> usize;

    /// Room for the operator's memory.
    fn room(&self) -> Vec<f64>;

    /// The velocities of given impulses; the operator's memory is true afterwards.
    fn evaluate(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]);

    /// The measure that solvers stop by [velocity].
    fn judge(&self, r: &[f64], u: &[f64]) -> f64;

    /// The fastest approach that no impulse can stop [velocity].
    fn hopeless(&self) -> f64;

    /// The largest velocity without impulses.
    fn free_speed(&self) -> f64;

    /// The largest of the terms that velocities are sums of, about: impulses over the masses they move [velocity].
    fn largest_term(&self, r: &[f64]) -> f64;
}

/// A solve under way.
pub(super) struct Run<'a, P> {
    pub(super) problem: &'a P,
    pub(super) limits: Limits,
    watch: &'a mut dyn Watch,
    residuals: Vec<f64>,
    /// Velocities of the impulses last evaluated.
    pub(super) u: Vec<f64>,
    /// The operator's memory.
    pub(super) memory: Vec<f64>,
    best: Vec<f64>,
    best_residual: f64,
    /// The largest free velocity.
    speed: f64,
    /// Iterations, one after the other, whose residual was rounding.
    at_floor: usize,
}

/// So many before it is clear that rounding is all that is left.
const FLOOR_PATIENCE: usize = 20;

/// A solve from start to end: `iterate` improves `r` until it has a reason to stop.
pub(super) fn conduct<'a, P: Posed>(
    problem: &'a P,
    r: &mut [f64],
    limits: &Limits,
    watch: &'a mut dyn Watch,
    iterate: impl FnOnce(&mut Run<'a, P>, &mut [f64]) -> Status,
) -> Report {
    match Run::start(problem, r, limits, watch) {
        Ok(mut run) => {
            let status = iterate(&mut run, r);
            run.finish(r, status)
        }
        Err(report) => report,
    }
}

impl<'a, P: Posed> Run<'a, P> {
    /// Evaluates the start; the error is a solve that is over before it began.
    fn start(
        problem: &'a P,
        r: &[f64],
        limits: &Limits,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, Report> {
        assert_eq!(r.len(), problem.unknowns(), "as many numbers as unknowns");
        let mut run = Self {
            problem,
            limits: *limits,
            watch,
            residuals: Vec::with_capacity(limits.iterations.min(255) + 1),
            u: vec![0.0; r.len()],
            memory: problem.room(),
            best: r.to_vec(),
            best_residual: f64::INFINITY,
            speed: problem.free_speed(),
            at_floor: 0,
        };
        let residual = run.evaluate(r);
        run.best_residual = residual;
        match run.told(r, Some(residual)) {
            ControlFlow::Continue(()) => Ok(run),
            ControlFlow::Break(status) => Err(run.report(status, residual)),
        }
    }

    /// The true residual; leaves velocities in `u`, and the operator's memory true.
    pub(super) fn evaluate(&mut self, r: &[f64]) -> f64 {
        self.problem.evaluate(r, &mut self.u, &mut self.memory);
        self.problem.judge(r, &self.u)
    }

    /// Ends an iteration with its true residual; breaks when it is time to stop.
    pub(super) fn iteration(&mut self, r: &[f64], residual: f64) -> ControlFlow<Status> {
        self.consider(r, residual);
        self.told(r, Some(residual))
    }

    /// Evaluates impulses and remembers them if they are the best, before something is tried that may lose them.
    pub(super) fn remember(&mut self, r: &[f64]) {
        let residual = self.evaluate(r);
        self.consider(r, residual);
    }

    fn consider(&mut self, r: &[f64], residual: f64) {
        if residual < self.best_residual {
            self.best_residual = residual;
            self.best.copy_from_slice(r);
        }
    }

    /// Ends an iteration with a residual that was cheap to get; a good one is verified before it counts.
    pub(super) fn proposed(&mut self, r: &[f64], proposed: f64) -> ControlFlow<Status> {
        if proposed <= self.limits.tolerance || !proposed.is_finite() {
            let residual = self.evaluate(r);
            return self.iteration(r, residual);
        }
        self.told(r, Some(proposed))
    }

    /// Goes back to the best impulses whose residual is known, if those at hand are worse.
    pub(super) fn recall(&mut self, r: &mut [f64]) {
        let residual = self.evaluate(r);
        if self.best_residual < residual || !residual.is_finite() {
            r.copy_from_slice(&self.best);
            self.evaluate(r);
        }
    }

    /// Steps while that leads somewhere: until the residual is below `near`, or `patience` steps bring no tenth of
    /// it, or `step` has nothing to offer. The best impulses of these steps are left in `r`.
    pub(super) fn steps(
        &mut self,
        r: &mut [f64],
        near: f64,
        patience: usize,
        mut step: impl FnMut(&mut Self, &mut [f64]) -> bool,
    ) -> ControlFlow<Status> {
        let (mut best, mut since) = (f64::INFINITY, 0);
        let mut at_best = r.to_vec();
        while best > near && since < patience && step(self, r) {
            let residual = self.evaluate(r);
            self.iteration(r, residual)?;
            since += 1;
            if residual < best {
                at_best.copy_from_slice(r);
            }
            if residual < 0.9 * best {
                (best, since) = (residual, 0);
            }
        }
        r.copy_from_slice(&at_best);
        ControlFlow::Continue(())
    }

    fn told(&mut self, r: &[f64], residual: Option<f64>) -> ControlFlow<Status> {
        let worth = residual.unwrap_or(f64::INFINITY);
        self.residuals.push(worth);
        let progress = Progress { iteration: self.iterations(), residual, unknowns: r };
        let go_on = self.watch.iteration(&progress);
        if !worth.is_finite() {
            return ControlFlow::Break(Status::NotFinite);
        }
        if worth <= self.limits.tolerance {
            return ControlFlow::Break(Status::Converged);
        }
        if go_on.is_break() {
            return ControlFlow::Break(Status::Stopped);
        }
        let rounding = worth <= 1e-12 * self.speed && worth <= self.floor(r);
        self.at_floor = if rounding { self.at_floor + 1 } else { 0 };
        if self.at_floor >= FLOOR_PATIENCE {
            return ControlFlow::Break(Status::Stagnated);
        }
        match self.iterations() >= self.limits.iterations {
            true => ControlFlow::Break(Status::IterationLimit),
            false => ControlFlow::Continue(()),
        }
    }

    /// What rounding makes of the residual of a solution: velocities are sums of terms
    /// (`docs/theory/contact-solvers.md`, "Attainable accuracy").
    fn floor(&self, r: &[f64]) -> f64 {
        4.0 * f64::EPSILON * self.problem.largest_term(r).max(self.speed)
    }

    pub(super) fn iterations(&self) -> usize {
        self.residuals.len() - 1
    }

    /// The residual of the last iteration, as far as it is known.
    pub(super) fn last_residual(&self) -> f64 {
        self.residuals.last().copied().unwrap_or(f64::INFINITY)
    }

    /// Residuals so far.
    pub(super) fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// Leaves the best impulses there were in `r`, with their true residual.
    fn finish(mut self, r: &mut [f64], status: Status) -> Report {
        if self.best != r || !self.best_residual.is_finite() {
            let residual = self.evaluate(r);
            let worse = self.best_residual < residual || !residual.is_finite();
            if !(worse && self.best_residual.is_finite()) {
                return self.report(status, residual);
            }
            r.copy_from_slice(&self.best);
        }
        let residual = self.best_residual;
        self.report(status, residual)
    }

    fn report(mut self, status: Status, residual: f64) -> Report {
        if let Some(last) = self.residuals.last_mut() {
            *last = residual;
        }
        let arrived = residual <= self.limits.tolerance && status != Status::NotFinite;
        let status = match status {
            _ if arrived && self.problem.hopeless() > self.limits.tolerance => Status::Infeasible,
            _ if arrived => Status::Converged,
            Status::Converged => Status::Stagnated,
            other => other,
        };
        Report { status, iterations: self.iterations(), residuals: self.residuals }
    }
}
