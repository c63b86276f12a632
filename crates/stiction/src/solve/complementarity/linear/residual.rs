//! How far `x` is from solving a problem: the same measures for every solver.
//!
//! All are zero exactly at solutions. With scales `s` (the diagonal, unless told otherwise) all are in units of `u`.

use super::bounds::nearest;
use super::problem::LinearProblem;
use crate::solve::vector::dot;

/// Where an unknown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Between its bounds: its velocity shall vanish.
    Free,
    /// At its lower bound.
    Lower,
    /// At its upper bound.
    Upper,
}

/// The natural residual of a row: `s (x − nearest(x − u/s, lo, hi))`, for `0 ≤ x` the minimum of `s x` and `u`.
///
/// Written as the middle of three, which loses no digits when `u` is small beside `s x`.
pub fn natural_row(problem: &LinearProblem, i: usize, x: &[f64], u: f64) -> f64 {
    let (lo, hi) = problem.bounds()[i].at(x);
    let s = problem.scale()[i];
    nearest(u, s * (x[i] - hi), s * (x[i] - lo))
}

/// The largest natural residual of any row; the stop test of all solvers here.
pub fn natural(problem: &LinearProblem, x: &[f64], u: &[f64]) -> f64 {
    // Not `f64::max`: it drops NaN, and a broken solve would look converged.
    let larger = |worst: f64, r: f64| if r.abs() > worst || r.is_nan() { r.abs() } else { worst };
    (0..x.len()).map(|i| natural_row(problem, i, x, u[i])).fold(0.0, larger)
}

/// `a + b − √(a² + b²)`, which vanishes exactly where `0 ≤ a ⊥ b ≥ 0`; written without cancellation.
pub fn fischer_burmeister(a: f64, b: f64) -> f64 {
    let length = a.hypot(b);
    if a > 0.0 && b > 0.0 { 2.0 * a * b / (a + b + length) } else { a + b - length }
}

/// The Fischer–Burmeister function of a row with two bounds: `φ(s (x − lo), −φ(s (hi − x), −u))`.
pub fn fischer_burmeister_row(problem: &LinearProblem, i: usize, x: &[f64], u: f64) -> f64 {
    let (lo, hi) = problem.bounds()[i].at(x);
    let s = problem.scale()[i];
    let from_above = if hi == f64::INFINITY { u } else { -fischer_burmeister(s * (hi - x[i]), -u) };
    if lo == f64::NEG_INFINITY {
        from_above
    } else {
        fischer_burmeister(s * (x[i] - lo), from_above)
    }
}

/// Half the sum of squares of all Fischer–Burmeister functions.
pub fn merit(problem: &LinearProblem, x: &[f64], u: &[f64]) -> f64 {
    0.5 * (0..x.len()).map(|i| fischer_burmeister_row(problem, i, x, u[i]).powi(2)).sum::<f64>()
}

/// `½ xᵀAx + bᵀx`, what a solution minimises between its bounds when `A` is symmetric and bounds are fixed.
pub fn energy(problem: &LinearProblem, x: &[f64], u: &[f64]) -> f64 {
    0.5 * (dot(x, u) + dot(x, problem.b()))
}

/// Which bound each unknown leans on: where the natural residual has its kinks.
pub fn labels(problem: &LinearProblem, x: &[f64], u: &[f64], labels: &mut Vec<Label>) {
    labels.clear();
    labels.extend((0..x.len()).map(|i| {
        let (lo, hi) = problem.bounds()[i].at(x);
        let s = problem.scale()[i];
        if u[i] > s * (x[i] - lo) {
            Label::Lower
        } else if u[i] < s * (x[i] - hi) {
            Label::Upper
        } else {
            Label::Free
        }
    }));
}
