//! Backtracking on the norm of a residual, shared by exact and inexact Newton.

use super::newton::{Evaluation, LineSearch, Residual, Workspace};
use super::vector::{add_scaled, max_abs};

/// An accepted step.
pub(super) struct Step {
    /// Fraction of the direction.
    pub(super) length: f64,
    /// Merit after it.
    pub(super) merit: f64,
}

/// The merit at `x`, infinite where the problem is not defined. Writes `r`.
pub(super) fn evaluate<P: Residual + ?Sized>(problem: &mut P, x: &[f64], r: &mut [f64]) -> f64 {
    match problem.residual(x, r) {
        Evaluation::Valid => problem.merit(r),
        Evaluation::Infeasible => f64::INFINITY,
    }
}

/// Shortens the step along `workspace.p` until `‖r(x + α p)‖ ≤ (1 − c₁ α gain) ‖r(x)‖`, given that norm and the least
/// of all points so far.
///
/// `gain` is the relative fall that a full step promises: 1 for an exact direction. On success the
/// trial vectors hold the new point.
pub(super) fn backtrack<P: Residual + ?Sized>(
    problem: &mut P,
    x: &[f64],
    [merit, best]: [f64; 2],
    gain: f64,
    settings: &LineSearch,
    workspace: &mut Workspace,
    evaluations: &mut usize,
) -> Option<Step> {
    let bound = problem.step_bound(x, &workspace.p);
    let mut length = if bound >= 1.0 { 1.0 } else { bound };
    for _ in 0..=settings.max_backtracks {
        if length <= 0.0 || length.is_nan() {
            return None;
        }
        if length < settings.escape {
            return escape(problem, x, best, bound, workspace, evaluations);
        }
        workspace.x_trial.copy_from_slice(x);
        add_scaled(&mut workspace.x_trial, length, &workspace.p);
        let trial = evaluate(problem, &workspace.x_trial, &mut workspace.r_trial);
        *evaluations += 1;
        if trial <= (1.0 - settings.sufficient_decrease * length * gain) * merit {
            return Some(Step { length, merit: trial });
        }
        length *= settings.shrink;
    }
    None
}

/// By how much an escape may worsen the norm, from the best so far: several in a row lead no farther than one.
const WORST: f64 = 100.0;

/// The full step, though it makes the norm larger; but not if that looks like the beginning of an explosion.
fn escape<P: Residual + ?Sized>(
    problem: &mut P,
    x: &[f64],
    best: f64,
    bound: f64,
    workspace: &mut Workspace,
    evaluations: &mut usize,
) -> Option<Step> {
    let length = if bound >= 1.0 { 1.0 } else { bound };
    workspace.x_trial.copy_from_slice(x);
    add_scaled(&mut workspace.x_trial, length, &workspace.p);
    let merit = evaluate(problem, &workspace.x_trial, &mut workspace.r_trial);
    *evaluations += 1;
    (merit <= WORST * best).then_some(Step { length, merit })
}

/// Whether the residual at `x` cannot be told from zero: the full step is lost in the last bits of
/// `x`, or changing those bits moves the residual as much as it is large.
///
/// Leaves the problem evaluated at `x`.
pub(super) fn at_rounding_floor<P: Residual + ?Sized>(
    problem: &mut P,
    x: &[f64],
    merit: f64,
    workspace: &mut Workspace,
    evaluations: &mut usize,
) -> bool {
    let lost = max_abs(&workspace.p) <= 4.0 * f64::EPSILON * max_abs(x);
    let mut noisy = false;
    if !lost {
        // Signs without pattern, but the same ones every time.
        for (i, (moved, x)) in workspace.x_trial.iter_mut().zip(x).enumerate() {
            let up = (i.wrapping_mul(0x9e37_79b9) >> 7) & 1 == 0;
            *moved = x * if up { 1.0 + f64::EPSILON } else { 1.0 - f64::EPSILON };
        }
        let moved = evaluate(problem, &workspace.x_trial, &mut workspace.r_trial);
        add_scaled(&mut workspace.r_trial, -1.0, &workspace.r);
        noisy = moved.is_finite() && problem.merit(&workspace.r_trial) >= 0.1 * merit;
        *evaluations += 1;
    }
    evaluate(problem, x, &mut workspace.r_trial);
    *evaluations += 1;
    lost || noisy
}
