//! How impulses are found.

use crate::solve::complementarity::cone::Solver;

/// How impulses are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseSettings {
    /// The solver of the contact problem.
    pub solver: Solver,
    /// Largest error of a contact's velocity that counts as solved [m/s].
    pub tolerance: f64,
    /// The most iterations a step.
    pub max_iterations: usize,
    /// Part of an overlap that a step takes away [-].
    pub correction: f64,
    /// Bodies that approach more slowly than this do not bounce [m/s].
    pub bounce_velocity: f64,
}

impl Default for ImpulseSettings {
    fn default() -> Self {
        Self {
            solver: Solver::Default,
            tolerance: 1e-8,
            max_iterations: 10_000,
            correction: 0.2,
            bounce_velocity: 0.02,
        }
    }
}
