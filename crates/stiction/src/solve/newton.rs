//! Damped Newton for `r(x) = 0` [Lar22, Alg. 2].
//!
//! $$ J p = -r, \qquad x \leftarrow x + \alpha p, \qquad
//!    \|r(x + \alpha p)\| \le (1 - c_1 \alpha)\,\|r(x)\| $$
//!
//! with `α` shrunk from 1 until the test holds. Quadratic near a regular root of a smooth problem,
//! and the residual norm never rises. Knows no merit but that norm: it may crawl along a curved
//! valley, or stop at a local minimum of `‖r‖` where the Jacobian is singular, and says so. Points
//! where the problem is not defined are avoided by shortening the step.
//!
//! How `J p = −r` is solved, and what norm and stop tests mean, is the problem's business.

use super::line_search::{at_rounding_floor, backtrack, evaluate};
use super::vector::{max_abs, norm, scale};
use super::{Report, Status};

/// Whether a residual exists at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// It does; it may still hold NaN, which counts as infeasible.
    Valid,
    /// The point is outside the domain, for example an inverted element under a logarithm.
    Infeasible,
}

/// Which stop test held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The norm of the residual, or of the gradient.
    Residual,
    /// The length of the step.
    Step,
    /// Another test of the problem, by name.
    Other(&'static str),
}

/// The last step taken, for stop tests.
#[derive(Clone, Copy, Debug)]
pub struct LastStep<'a> {
    /// Change of `x`.
    pub change: &'a [f64],
    /// Fraction of the full Newton step. A short *damped* step says nothing about convergence.
    pub length: f64,
}

/// A system of equations `r(x) = 0`.
///
/// Other methods are called only at the point of the last `residual` call, so that work done there
/// can be kept; when a solve returns, that point is the returned one.
pub trait Residual {
    /// Number of unknowns and of equations.
    fn dimension(&self) -> usize;

    /// Writes `r(x)`.
    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation;

    /// The norm that is to become small, Euclidean unless the unknowns have different units.
    fn norm(&self, r: &[f64]) -> f64 {
        norm(r)
    }

    /// The norm that every step is to reduce. One that weighs all equations lets a few of them get worse for a while.
    fn merit(&self, r: &[f64]) -> f64 {
        self.norm(r)
    }

    /// Stop tests beyond the tolerance of the settings.
    fn converged(&self, _x: &[f64], _r: &[f64], _step: Option<LastStep<'_>>) -> Option<StopReason> {
        None
    }

    /// Largest fraction of the step `p` that may be tried; infinite when any may.
    fn step_bound(&mut self, _x: &[f64], _p: &[f64]) -> f64 {
        f64::INFINITY
    }
}

/// A system whose linearisation can be solved.
pub trait RootProblem: Residual {
    /// Solves `J(x) p = −r`, at the point of the last [`Residual::residual`].
    ///
    /// # Errors
    /// The status of the linear solve, when there is no usable direction.
    fn direction(&mut self, x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status>;
}

/// Backtracking.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias("Armijo", "backtracking", "sufficient decrease"))]
pub struct LineSearch {
    /// `c₁`: fraction of the promised decrease that is enough [-].
    pub sufficient_decrease: f64,
    /// Factor between trial lengths, in (0, 1) [-].
    pub shrink: f64,
    /// Trials after the first.
    pub max_backtracks: usize,
    /// Below this length, where no step improves enough, the full one is taken after all. Lets equations with kinks
    /// jump out of a corner that no short step leaves; zero for never [-].
    pub escape: f64,
}

impl Default for LineSearch {
    fn default() -> Self {
        Self { sufficient_decrease: 1e-4, shrink: 0.5, max_backtracks: 40, escape: 0.0 }
    }
}

/// When to stop, and how to shorten steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Largest acceptable residual, in the problem's norm.
    pub tolerance: f64,
    /// Newton steps.
    pub max_iterations: usize,
    /// How steps are shortened.
    pub line_search: LineSearch,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 100, line_search: LineSearch::default() }
    }
}

/// What happened during a Newton solve.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct NewtonReport {
    /// Status, iterations and residual norms.
    pub report: Report,
    /// The stop test that held, after convergence.
    pub reason: Option<StopReason>,
    /// `α` of every step.
    pub step_lengths: Vec<f64>,
    /// Residual evaluations.
    pub evaluations: usize,
    /// Why the linear solve gave no direction, if that ended the solve.
    pub direction_failure: Option<Status>,
}

impl NewtonReport {
    /// Whether a stop test was met.
    pub fn converged(&self) -> bool {
        self.report.converged()
    }

    pub(super) fn begin(norm: f64, max_iterations: usize) -> Self {
        let mut residuals = Vec::with_capacity(max_iterations.min(255) + 1);
        residuals.push(norm);
        Self {
            report: Report { status: Status::IterationLimit, iterations: 0, residuals },
            reason: None,
            step_lengths: Vec::with_capacity(max_iterations.min(255)),
            evaluations: 1,
            direction_failure: None,
        }
    }

    pub(super) fn record(&mut self, norm: f64, step_length: f64) {
        self.report.residuals.push(norm);
        self.report.iterations += 1;
        self.step_lengths.push(step_length);
    }

    pub(super) fn finish(mut self, status: Status) -> Self {
        self.report.status = status;
        self
    }

    pub(super) fn finish_without_direction(mut self, failure: Status) -> Self {
        self.direction_failure = Some(failure);
        let not_finite = failure == Status::NotFinite;
        self.finish(if not_finite { Status::NotFinite } else { Status::Breakdown })
    }
}

/// Memory to keep between solves: four vectors.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) r: Vec<f64>,
    pub(super) p: Vec<f64>,
    pub(super) x_trial: Vec<f64>,
    pub(super) r_trial: Vec<f64>,
}

impl Workspace {
    pub(super) fn resize(&mut self, n: usize) {
        for vector in [&mut self.r, &mut self.p, &mut self.x_trial, &mut self.r_trial] {
            vector.resize(n, 0.0);
        }
    }
}

/// Improves `x` in place until a stop test holds.
///
/// # Panics
/// When `x` does not have the size of the problem.
pub fn solve<P: RootProblem + ?Sized>(
    problem: &mut P,
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut Workspace,
) -> NewtonReport {
    assert_eq!(x.len(), problem.dimension(), "unknowns and problem have one size");
    workspace.resize(x.len());
    let mut merit = evaluate(problem, x, &mut workspace.r);
    let mut r_norm = problem.norm(&workspace.r);
    let mut report = NewtonReport::begin(r_norm, settings.max_iterations);
    if !merit.is_finite() {
        return report.finish(Status::NotFinite);
    }
    let (mut last_length, mut best) = (None, merit);
    loop {
        report.reason = stop_reason(problem, x, r_norm, settings.tolerance, last_length, workspace);
        if report.reason.is_some() {
            return report.finish(Status::Converged);
        }
        if report.report.iterations >= settings.max_iterations {
            return report.finish(Status::IterationLimit);
        }
        if let Err(status) = problem.direction(x, &workspace.r, &mut workspace.p) {
            return report.finish_without_direction(status);
        }
        if !max_abs(&workspace.p).is_finite() {
            return report.finish_without_direction(Status::NotFinite);
        }
        let evaluations = &mut report.evaluations;
        let search = &settings.line_search;
        let Some(step) = backtrack(problem, x, [merit, best], 1.0, search, workspace, evaluations)
        else {
            let floor = at_rounding_floor(problem, x, merit, workspace, evaluations);
            return report.finish(if floor { Status::Stagnated } else { Status::LineSearchFailed });
        };
        accept(x, step.length, workspace);
        (merit, last_length, best) = (step.merit, Some(step.length), best.min(step.merit));
        r_norm = problem.norm(&workspace.r);
        report.record(r_norm, step.length);
    }
}

/// The stop test that holds at `x`, if one does.
pub(super) fn stop_reason<P: Residual + ?Sized>(
    problem: &P,
    x: &[f64],
    r_norm: f64,
    tolerance: f64,
    last_length: Option<f64>,
    workspace: &Workspace,
) -> Option<StopReason> {
    if r_norm <= tolerance {
        return Some(StopReason::Residual);
    }
    let step = last_length.map(|length| LastStep { change: &workspace.p, length });
    problem.converged(x, &workspace.r, step)
}

/// Makes the trial point the current one, and the direction the step.
pub(super) fn accept(x: &mut [f64], length: f64, workspace: &mut Workspace) {
    x.copy_from_slice(&workspace.x_trial);
    std::mem::swap(&mut workspace.r, &mut workspace.r_trial);
    scale(&mut workspace.p, length);
}
