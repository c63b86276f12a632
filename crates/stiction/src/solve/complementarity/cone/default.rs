//! The solver to take when none is asked for.

use super::super::{Limits, Watch};
use super::{ContactProblem, Delassus, gauss_seidel};
use crate::solve::Report;

/// Improves the impulses `r` in place.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    gauss_seidel::solve(problem, r, limits, &gauss_seidel::Settings::default(), watch)
}
