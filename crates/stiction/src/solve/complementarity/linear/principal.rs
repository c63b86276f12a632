//! Principal pivoting after Murty and Bard [M74]: guess who is free, solve, correct the first wrong guess, again.
//!
//! Exact when it ends, and it ends for every P-matrix, symmetric positive definite ones among them; worst cases take
//! exponentially many guesses, contacts take few. Cheap to start warm. Rows that depend on others are exchanged, and a
//! circle of guesses ends with [`Status::Stagnated`]. Needs symmetry; dense, up to some thousand unknowns.

use std::collections::HashSet;

use super::frozen;
use super::pivots::Pivots;
use super::problem::LinearProblem;
use super::residual::Label;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Improves `x` in place. An iteration is a guess. Tied bounds are held, solved for, and held again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    let mut memory = None;
    let mut seen: HashSet<Vec<Label>> = HashSet::new();
    frozen::solve(problem, x, limits, watch, |frozen, x| {
        if !problem.matrix().symmetric() {
            return Err(Status::Breakdown);
        }
        let pivots = memory.get_or_insert_with(|| Pivots::new(x.len()));
        pivots.guess(frozen, x);
        seen.clear();
        loop {
            pivots.settle(frozen, x)?;
            if let Some(&(i, label)) = pivots.wrong.first() {
                pivots.labels[i] = label;
            } else if !pivots.exchange(frozen, x)? {
                return Ok(());
            }
            if !seen.insert(pivots.labels.clone()) {
                return Err(Status::Stagnated);
            }
        }
    })
}
