//! Newton for minimisation, with a ladder of Hessians and backtracking on the value.
//!
//! Each step tries the exact Hessian first, for its quadratic tail; where that is not positive
//! definite, or its direction leads nowhere, the projected one; then projected ones with growing
//! shifts, which turn the direction towards steepest descent. The value never rises, except by its
//! own rounding: when the predicted decrease is below that, a step is judged by the gradient instead,
//! so the last digits of `x` are found too. Values of `+∞` (outside a barrier's domain) are backed
//! away from.
//!
//! Finds stationary points that are minima in practice, but proves nothing: started exactly on a
//! saddle, the gradient is zero and it stops there.

use super::newton::{LastStep, LineSearch, StopReason};
use super::vector::{add_scaled, dot, max_abs, norm, scale};
use super::{Report, Status};

/// Which Hessian a direction is asked of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hessian {
    /// As it is.
    Exact,
    /// Made positive semi-definite, usually element by element, plus a shift.
    Projected {
        /// Multiple of a typical diagonal entry to add to the diagonal [-].
        shift: f64,
    },
}

/// Why there is no direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDirection {
    /// The factorisation met a pivot that is not positive; the next Hessian of the ladder may do.
    NotPositiveDefinite,
    /// The linear solve failed otherwise, and the minimisation ends.
    Failed(Status),
}

/// A function to minimise.
///
/// Other methods are called only at the point of the last `value` call, so that work done there can
/// be kept; when a minimisation returns, that point is the returned one.
pub trait Objective {
    /// Number of unknowns.
    fn dimension(&self) -> usize;

    /// `f(x)`; `+∞` outside the domain.
    fn value(&mut self, x: &[f64]) -> f64;

    /// Writes `∇f(x)`.
    fn gradient(&mut self, x: &[f64], g: &mut [f64]);

    /// Solves `H p = −g`.
    ///
    /// # Errors
    /// When the Hessian asked for has no descent direction to offer.
    fn direction(
        &mut self,
        x: &[f64],
        g: &[f64],
        hessian: Hessian,
        p: &mut [f64],
    ) -> Result<(), NoDirection>;

    /// A norm of gradients, Euclidean unless the unknowns have different units.
    fn norm(&self, g: &[f64]) -> f64 {
        norm(g)
    }

    /// Rounding error of a value, by default as if its terms had the size of their sum. Give the
    /// true size when large terms cancel.
    fn value_rounding(&self, value: f64) -> f64 {
        8.0 * f64::EPSILON * value.abs()
    }

    /// Stop tests beyond the tolerance of the settings.
    fn converged(&self, _x: &[f64], _g: &[f64], _step: Option<LastStep<'_>>) -> Option<StopReason> {
        None
    }

    /// Largest fraction of the step `p` that may be tried, for example the time of first impact.
    fn step_bound(&mut self, _x: &[f64], _p: &[f64]) -> f64 {
        f64::INFINITY
    }
}

/// When to stop, and how to shorten steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Largest acceptable gradient, in the objective's norm.
    pub tolerance: f64,
    /// Newton steps.
    pub max_iterations: usize,
    /// Largest change of any unknown in one step; infinite for no cap.
    pub max_change: f64,
    /// First shift of the ladder [-]; each next is ten times the last.
    pub first_shift: f64,
    /// Shifts on the ladder.
    pub max_shifts: usize,
    /// How steps are shortened.
    pub line_search: LineSearch,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 200,
            max_change: f64::INFINITY,
            first_shift: 1e-6,
            max_shifts: 10,
            line_search: LineSearch::default(),
        }
    }
}

/// What happened during a minimisation.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct MinimiseReport {
    /// Status, iterations, and gradient norms as residuals.
    pub report: Report,
    /// The stop test that held, after convergence.
    pub reason: Option<StopReason>,
    /// The value at the start and after every step.
    pub values: Vec<f64>,
    /// `α` of every step.
    pub step_lengths: Vec<f64>,
    /// Steps with the exact Hessian.
    pub exact_steps: usize,
    /// Steps with the projected Hessian and no shift.
    pub projected_steps: usize,
    /// Steps that needed a shift.
    pub shifted_steps: usize,
    /// Evaluations of the value.
    pub evaluations: usize,
    /// Why the linear solve gave no direction, if that ended the solve.
    pub direction_failure: Option<Status>,
}

impl MinimiseReport {
    /// Whether a stop test was met.
    pub fn converged(&self) -> bool {
        self.report.converged()
    }

    fn begin(value: f64, g_norm: f64, max_iterations: usize) -> Self {
        let first = |entry: f64| {
            let mut history = Vec::with_capacity(max_iterations.min(255) + 1);
            history.push(entry);
            history
        };
        Self {
            report: Report {
                status: Status::IterationLimit,
                iterations: 0,
                residuals: first(g_norm),
            },
            reason: None,
            values: first(value),
            step_lengths: Vec::with_capacity(max_iterations.min(255)),
            exact_steps: 0,
            projected_steps: 0,
            shifted_steps: 0,
            evaluations: 1,
            direction_failure: None,
        }
    }

    fn record(&mut self, step: &Step, g_norm: f64) {
        self.report.iterations += 1;
        self.report.residuals.push(g_norm);
        self.values.push(step.value);
        self.step_lengths.push(step.length);
        *match step.hessian {
            Hessian::Exact => &mut self.exact_steps,
            Hessian::Projected { shift } if shift > 0.0 => &mut self.shifted_steps,
            Hessian::Projected { .. } => &mut self.projected_steps,
        } += 1;
    }

    fn finish(mut self, status: Status) -> Self {
        self.report.status = status;
        self
    }
}

/// Memory to keep between solves: four vectors.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    g: Vec<f64>,
    p: Vec<f64>,
    x_trial: Vec<f64>,
    g_trial: Vec<f64>,
}

/// Improves `x` in place until a stop test holds.
///
/// # Panics
/// When `x` does not have the size of the objective.
pub fn solve<O: Objective + ?Sized>(
    objective: &mut O,
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut Workspace,
) -> MinimiseReport {
    assert_eq!(x.len(), objective.dimension(), "unknowns and objective have one size");
    let Workspace { g, p, x_trial, g_trial } = workspace;
    for vector in [g, p, x_trial, g_trial] {
        vector.resize(x.len(), 0.0);
    }
    let mut value = objective.value(x);
    if !value.is_finite() {
        return MinimiseReport::begin(value, f64::NAN, 0).finish(Status::NotFinite);
    }
    objective.gradient(x, &mut workspace.g);
    let mut g_norm = objective.norm(&workspace.g);
    let mut report = MinimiseReport::begin(value, g_norm, settings.max_iterations);
    let mut last_length = None;
    loop {
        if !g_norm.is_finite() {
            return report.finish(Status::NotFinite);
        }
        report.reason = if g_norm <= settings.tolerance {
            Some(StopReason::Residual)
        } else {
            let step = last_length.map(|length| LastStep { change: &workspace.p, length });
            objective.converged(x, &workspace.g, step)
        };
        if report.reason.is_some() {
            return report.finish(Status::Converged);
        }
        if report.report.iterations >= settings.max_iterations {
            return report.finish(Status::IterationLimit);
        }
        let step = match step(objective, x, value, g_norm, settings, workspace, &mut report) {
            Ok(step) => step,
            Err(status) => return report.finish(status),
        };
        x.copy_from_slice(&workspace.x_trial);
        scale(&mut workspace.p, step.length);
        match step.g_norm {
            Some(_) => std::mem::swap(&mut workspace.g, &mut workspace.g_trial),
            None => objective.gradient(x, &mut workspace.g),
        }
        g_norm = step.g_norm.unwrap_or_else(|| objective.norm(&workspace.g));
        (value, last_length) = (step.value, Some(step.length));
        report.record(&step, g_norm);
    }
}

/// An accepted step.
struct Step {
    hessian: Hessian,
    length: f64,
    value: f64,
    /// Gradient norm at the trial point, if the step was judged by it.
    g_norm: Option<f64>,
}

/// Climbs the ladder of Hessians until a direction has an acceptable step.
fn step<O: Objective + ?Sized>(
    objective: &mut O,
    x: &[f64],
    value: f64,
    g_norm: f64,
    settings: &Settings,
    workspace: &mut Workspace,
    report: &mut MinimiseReport,
) -> Result<Step, Status> {
    let mut failure = Status::Breakdown; // no Hessian had a direction
    for hessian in ladder(settings) {
        match objective.direction(x, &workspace.g, hessian, &mut workspace.p) {
            Ok(()) => {}
            Err(NoDirection::NotPositiveDefinite) => continue,
            Err(NoDirection::Failed(status)) => {
                report.direction_failure = Some(status);
                let not_finite = status == Status::NotFinite;
                return Err(if not_finite { Status::NotFinite } else { Status::Breakdown });
            }
        }
        let largest = max_abs(&workspace.p);
        if largest > settings.max_change {
            scale(&mut workspace.p, settings.max_change / largest);
        }
        let slope = dot(&workspace.g, &workspace.p);
        // Written so that NaN is no descent.
        if !(slope < 0.0 && slope.is_finite() && largest.is_finite()) {
            continue;
        }
        let start = Start { value, g_norm, slope, rounding: objective.value_rounding(value) };
        if let Some(step) = backtrack(objective, x, &start, hessian, settings, workspace, report) {
            return Ok(step);
        }
        objective.value(x); // back from the trial points
        report.evaluations += 1;
        failure = Status::LineSearchFailed;
        if -slope <= start.rounding {
            return Err(Status::Stagnated); // another direction has nothing better to promise
        }
    }
    Err(failure)
}

fn ladder(settings: &Settings) -> impl Iterator<Item = Hessian> + use<> {
    let first_shift = settings.first_shift;
    let shifts = (0..settings.max_shifts as i32).map(move |k| first_shift * 10.0_f64.powi(k));
    let projected = std::iter::once(0.0).chain(shifts);
    std::iter::once(Hessian::Exact).chain(projected.map(|shift| Hessian::Projected { shift }))
}

/// Where a line search starts.
struct Start {
    value: f64,
    g_norm: f64,
    /// `gᵀp`, negative.
    slope: f64,
    rounding: f64,
}

fn backtrack<O: Objective + ?Sized>(
    objective: &mut O,
    x: &[f64],
    start: &Start,
    hessian: Hessian,
    settings: &Settings,
    workspace: &mut Workspace,
    report: &mut MinimiseReport,
) -> Option<Step> {
    let c1 = settings.line_search.sufficient_decrease;
    let bound = objective.step_bound(x, &workspace.p);
    let mut length = if bound >= 1.0 { 1.0 } else { bound };
    // Judged on the first trial: short steps of a long direction always promise little.
    let value_is_blind = -length * start.slope <= start.rounding;
    for _ in 0..=settings.line_search.max_backtracks {
        if length <= 0.0 || length.is_nan() {
            return None;
        }
        workspace.x_trial.copy_from_slice(x);
        add_scaled(&mut workspace.x_trial, length, &workspace.p);
        let value = objective.value(&workspace.x_trial);
        report.evaluations += 1;
        if value.is_finite() {
            if value_is_blind && value <= start.value + start.rounding {
                objective.gradient(&workspace.x_trial, &mut workspace.g_trial);
                let g_norm = objective.norm(&workspace.g_trial);
                if g_norm <= (1.0 - c1 * length) * start.g_norm {
                    return Some(Step { hessian, length, value, g_norm: Some(g_norm) });
                }
            } else if !value_is_blind && value <= start.value + c1 * length * start.slope {
                return Some(Step { hessian, length, value, g_norm: None });
            }
        }
        length *= settings.line_search.shrink;
    }
    None
}
