//! Iterative refinement: solutions that are right, or said not to be.
//!
//! $$ x \leftarrow x + F^{-1}(b - A x), \qquad
//!    \omega = \frac{\|b - A x\|_\infty}{\|A\|_\infty \|x\|_\infty + \|b\|_\infty} $$
//!
//! `F` an approximate factor of `A`, `ω` the backward error: `x` solves exactly a system that differs from
//! the given one by `ω` [RG67]. A factor with replaced pivots is still a good one for a regular matrix, and
//! refinement converges; for a singular matrix and a right-hand side out of its range it cannot, and the
//! error says so.

use super::super::vector::max_abs;
use super::super::{BlockMatrix, LinearOperator, LinearSolve};

/// Backward errors up to this are rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// How well a refined solution fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refinement {
    /// Corrections made.
    pub corrections: usize,
    /// `‖b − A x‖ / ‖b‖` in the largest entry [-].
    pub relative_residual: f64,
    /// `ω` [-].
    pub backward_error: f64,
}

/// A solution that could not be made to fit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RefineError {
    /// The matrix, the factor or the right-hand side holds a NaN or an infinity.
    #[error(
        "the linear system or its solution is not finite\n  help: look for NaN in the matrix or the right-hand side"
    )]
    NotFinite,
    /// Corrections stopped helping too early.
    #[error(
        "the linear system could not be solved: relative residual {:.1e}, backward error {:.1e}\n  \
         help: the matrix is singular or nearly so; hold bodies that can move freely, or regularise",
        .0.relative_residual, .0.backward_error
    )]
    Inaccurate(Refinement),
}

/// Which system a factor is asked to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `A x = b`.
    Plain,
    /// `Aᵀ x = b`.
    Transposed,
}

/// Solves with a factor of `matrix`, or of one near it, and refines until the residual is at most
/// `tolerance` relative to `b` or no larger than rounding makes it. `x` is overwritten.
///
/// # Errors
/// When neither can be reached; `x` then holds the best that was found.
pub fn solve_refined(
    factor: &(impl LinearSolve + ?Sized),
    matrix: &BlockMatrix,
    side: Side,
    b: &[f64],
    x: &mut [f64],
    tolerance: f64,
) -> Result<Refinement, RefineError> {
    const MOST: usize = 20;
    let norm_a = norm(matrix, side);
    let norm_b = max_abs(b);
    let mut r = vec![0.0; b.len()];
    let mut dx = b.to_vec();
    let mut trial = vec![0.0; b.len()];
    let mut best: Option<Refinement> = None;
    x.fill(0.0);
    for corrections in 0..MOST {
        match side {
            Side::Plain => factor.solve_in_place(&mut dx),
            Side::Transposed => factor.solve_transpose_in_place(&mut dx),
        }
        for ((trial, x), dx) in trial.iter_mut().zip(&*x).zip(&dx) {
            *trial = x + dx;
        }
        match side {
            Side::Plain => matrix.apply(&trial, &mut r),
            Side::Transposed => matrix.apply_transpose(&trial, &mut r),
        }
        for (r, b) in r.iter_mut().zip(b) {
            *r = b - *r;
        }
        let residual = max_abs(&r);
        if !residual.is_finite() {
            break;
        }
        let over = |size: f64| if residual > 0.0 { residual / size } else { 0.0 };
        let now = Refinement {
            corrections,
            relative_residual: over(norm_b),
            backward_error: over(norm_a * max_abs(&trial) + norm_b),
        };
        let improves = best.is_none_or(|best| now.relative_residual < best.relative_residual);
        // Gains of less than half are rounding errors taking turns.
        let done = now.relative_residual <= 0.1 * tolerance.min(ROUNDING)
            || best.is_some_and(|best| now.relative_residual > 0.5 * best.relative_residual);
        if improves {
            best = Some(now);
            x.copy_from_slice(&trial);
        }
        if done {
            break;
        }
        dx.copy_from_slice(&r);
    }
    let best = best.ok_or(RefineError::NotFinite)?;
    if best.relative_residual <= tolerance || best.backward_error <= ROUNDING {
        Ok(best)
    } else {
        Err(RefineError::Inaccurate(best))
    }
}

/// `‖A‖∞`, or that of the transpose.
fn norm(matrix: &BlockMatrix, side: Side) -> f64 {
    let mut sums = vec![0.0; matrix.dimension()];
    for i in 0..matrix.size() {
        for (j, block) in matrix.row(i) {
            for b in 0..3 {
                for a in 0..3 {
                    let at = if side == Side::Plain { 3 * i + a } else { 3 * j + b };
                    sums[at] += block[(a, b)].abs();
                }
            }
        }
    }
    max_abs(&sums)
}
