//! Block principal pivoting [JP94]: guess who is free, solve, correct all wrong guesses at once.
//!
//! Five to ten guesses where others need as many as there are contacts, and each only changes the factor by the rows
//! that came and went (`stiction study downdating` has what that saves). Correcting all at once may go in circles
//! even for positive definite matrices: when the number of wrong guesses has not fallen for a while, one is corrected
//! at a time, the last first, until it has. Exact when it ends. Needs symmetry; dense, up to some thousand unknowns.

use super::frozen;
use super::pivots::Pivots;
use super::problem::LinearProblem;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// How patient to be, and what for.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Guesses that may be no better than the best before, until only one row is corrected at a time.
    pub patience: usize,
    /// Whether each guess is factorised from nothing: for comparison.
    pub anew: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { patience: 10, anew: false }
    }
}

/// Improves `x` in place. An iteration is a guess. Tied bounds are held, solved for, and held again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    let mut memory = None;
    frozen::solve(problem, x, limits, watch, |frozen, x| {
        if !problem.matrix().symmetric() {
            return Err(Status::Breakdown);
        }
        let pivots = memory.get_or_insert_with(|| Pivots::new(x.len()));
        pivots.guess(frozen, x);
        let (mut fewest, mut patience) = (usize::MAX, settings.patience);
        // Exchanges of dependent rows make no progress that counts; so many are enough for any.
        let mut exchanges = 10 * problem.len() + 100;
        loop {
            if settings.anew {
                pivots.forget_factor();
            }
            pivots.settle(frozen, x)?;
            let wrong = pivots.wrong.len();
            if wrong == 0 {
                if !pivots.exchange(frozen, x)? {
                    return Ok(());
                }
                exchanges -= 1;
                if exchanges == 0 {
                    return Err(Status::Stagnated);
                }
                (fewest, patience) = (usize::MAX, settings.patience);
                continue;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, settings.patience);
            } else {
                patience = patience.saturating_sub(1);
            }
            let all = patience > 0;
            let corrected = if all { &pivots.wrong[..] } else { &pivots.wrong[wrong - 1..] };
            for &(i, label) in corrected {
                pivots.labels[i] = label;
            }
        }
    })
}
