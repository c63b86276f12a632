//! Inexact Newton for `r(x) = 0`: the linear systems are solved only as well as they deserve
//! [Lar22, Alg. 3], [EW96, choice 2].
//!
//! $$ \|r + J p\| \le \sigma_k \|r\|, \qquad
//!    \sigma_k = \min\bigl( (\|r_k\| / \|r_{k-1}\|)^{\varphi},\, \sigma \bigr), \qquad
//!    \varphi = \tfrac{1 + \sqrt 5}{2}, \qquad \sigma_0 = \sigma $$
//!
//! Converges with order `φ` to a regular root, not quadratically; [Lar22, §4.4.2] claims the latter. Saves
//! work where Krylov iterations are the cost: far from the root, precision of a direction is wasted.
//! Krylov solvers bound the Euclidean norm of the inner residual. A problem with another norm must see to
//! it that the bound holds in that norm too, or the line search may find no step that improves.

use super::Status;
use super::line_search::{at_rounding_floor, backtrack, evaluate};
use super::newton::{LineSearch, NewtonReport, Residual, Workspace, accept, stop_reason};
use super::vector::max_abs;

/// How well an inner linear solve did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerSolve {
    /// Krylov iterations.
    pub iterations: usize,
    /// `‖r + J p‖ / ‖r‖` reached [-]; above the tolerance asked for when the solver had to give up.
    pub relative_residual: f64,
}

/// A system whose linearisation can be solved to a given accuracy.
pub trait InexactRootProblem: Residual {
    /// Solves `J(x) p = −r` until `‖r + J p‖ ≤ tolerance · ‖r‖`. `p` comes in zero.
    ///
    /// Fall back to a direct solve here if the Krylov method fails.
    ///
    /// # Errors
    /// The status of the linear solve, when there is no usable direction.
    fn direction(
        &mut self,
        x: &[f64],
        r: &[f64],
        tolerance: f64,
        p: &mut [f64],
    ) -> Result<InnerSolve, Status>;
}

/// When to stop, how exact to be, and how to shorten steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Largest acceptable residual, in the problem's norm.
    pub tolerance: f64,
    /// Newton steps.
    pub max_iterations: usize,
    /// `σ`: largest forcing term, and the first [-].
    pub max_forcing: f64,
    /// Smallest forcing term: what the inner solver can reach in double precision [-].
    pub min_forcing: f64,
    /// How steps are shortened.
    pub line_search: LineSearch,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 200,
            max_forcing: 0.5,
            min_forcing: 1e-10,
            line_search: LineSearch::default(),
        }
    }
}

/// What happened during an inexact Newton solve.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct InexactReport {
    /// The outer iteration.
    pub newton: NewtonReport,
    /// `σ_k` asked of every linear solve.
    pub forcing_terms: Vec<f64>,
    /// Krylov iterations in total.
    pub inner_iterations: usize,
}

impl InexactReport {
    /// Whether a stop test was met.
    pub fn converged(&self) -> bool {
        self.newton.converged()
    }
}

/// Forcing term of a direction that is to be as good as an exact one [-].
const CAREFUL: f64 = 1e-4;

/// Improves `x` in place until a stop test holds.
///
/// # Panics
/// When `x` does not have the size of the problem.
pub fn solve<P: InexactRootProblem + ?Sized>(
    problem: &mut P,
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut Workspace,
) -> InexactReport {
    assert_eq!(x.len(), problem.dimension(), "unknowns and problem have one size");
    workspace.resize(x.len());
    let mut merit = evaluate(problem, x, &mut workspace.r);
    let mut r_norm = problem.norm(&workspace.r);
    let mut report = NewtonReport::begin(r_norm, settings.max_iterations);
    let mut forcing = Forcing::new(settings);
    let mut forcing_terms = Vec::with_capacity(settings.max_iterations.min(255));
    let mut inner_iterations = 0;
    let (mut last_length, mut best) = (None, merit);
    let impatient = LineSearch { max_backtracks: 3, escape: 0.0, ..settings.line_search.clone() };
    let newton = 'newton: loop {
        if !merit.is_finite() {
            break 'newton report.finish(Status::NotFinite); // only the start can be
        }
        report.reason = stop_reason(problem, x, r_norm, settings.tolerance, last_length, workspace);
        if report.reason.is_some() {
            break 'newton report.finish(Status::Converged);
        }
        if report.report.iterations >= settings.max_iterations {
            break 'newton report.finish(Status::IterationLimit);
        }
        let mut asked = forcing.next(merit, r_norm);
        // A rough direction may lead nowhere where the exact one would: then the same once more, but better.
        let (sigma, step) = loop {
            forcing_terms.push(asked);
            workspace.p.fill(0.0);
            let inner = match problem.direction(x, &workspace.r, asked, &mut workspace.p) {
                Ok(inner) => inner,
                Err(status) => break 'newton report.finish_without_direction(status),
            };
            inner_iterations += inner.iterations;
            if !max_abs(&workspace.p).is_finite() {
                break 'newton report.finish_without_direction(Status::NotFinite);
            }
            // A solve that fell short promises less; one that promises nothing is no direction.
            let sigma = inner.relative_residual.max(asked);
            if sigma >= 1.0 {
                break 'newton report.finish_without_direction(Status::Stagnated);
            }
            let rough = asked > CAREFUL;
            let search = if rough { &impatient } else { &settings.line_search };
            let (norms, evaluations) = ([merit, best], &mut report.evaluations);
            match backtrack(problem, x, norms, 1.0 - sigma, search, workspace, evaluations) {
                Some(step) => break (sigma, step),
                None if rough => {
                    asked = CAREFUL;
                    // Directions are asked for at the point of the last evaluation.
                    evaluate(problem, x, &mut workspace.r);
                    *evaluations += 1;
                }
                None => {
                    let floor = at_rounding_floor(problem, x, merit, workspace, evaluations);
                    let status = if floor { Status::Stagnated } else { Status::LineSearchFailed };
                    break 'newton report.finish(status);
                }
            }
        };
        accept(x, step.length, workspace);
        forcing.stepped(merit, sigma, step.length);
        (merit, last_length, best) = (step.merit, Some(step.length), best.min(step.merit));
        r_norm = problem.norm(&workspace.r);
        report.record(r_norm, step.length);
    };
    InexactReport { newton, forcing_terms, inner_iterations }
}

/// The sequence `σ_k`.
struct Forcing {
    largest: f64,
    smallest: f64,
    tolerance: f64,
    /// Merit and effective forcing term of the step before.
    before: Option<(f64, f64)>,
}

impl Forcing {
    /// The golden ratio.
    const PHI: f64 = 1.618_033_988_749_895;

    fn new(settings: &Settings) -> Self {
        let Settings { max_forcing, min_forcing, tolerance, .. } = *settings;
        Self { largest: max_forcing, smallest: min_forcing, tolerance, before: None }
    }

    fn next(&self, merit: f64, r_norm: f64) -> f64 {
        let Some((merit_before, sigma_before)) = self.before else { return self.largest };
        let mut sigma = (merit / merit_before).powf(Self::PHI);
        // One lucky step must not force an exact solve far from the root [EW96].
        let safeguard = sigma_before.powf(Self::PHI);
        if safeguard > 0.1 {
            sigma = sigma.max(safeguard);
        }
        // Nor is the last step worth more than the tolerance it has to meet [Kel95].
        let enough = 0.5 * self.tolerance / r_norm;
        sigma.max(enough).max(self.smallest).min(self.largest)
    }

    fn stepped(&mut self, merit: f64, sigma: f64, length: f64) {
        // A shortened step realises only that much of the direction's promise.
        self.before = Some((merit, 1.0 - length * (1.0 - sigma)));
    }
}
