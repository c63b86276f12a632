//! How a solve ended: shared by every iterative solver, so that they can be compared.
//!
//! Not converging is data, not an error: the caller's unknowns hold the best iterate, the report
//! says what it is worth, and the caller decides.

use std::fmt;

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Status {
    /// The stop test holds for the iterate that was returned, checked on that iterate.
    Converged,
    /// The allowed iterations were spent.
    IterationLimit,
    /// Nothing improves any more: the residual sits on its rounding floor, or on a minimum above
    /// zero, as for an inconsistent singular system.
    Stagnated,
    /// The method cannot go on: a singular matrix, a division by zero in a recurrence, a
    /// preconditioner that is not positive definite where it must be.
    Breakdown,
    /// A direction `p` with `pᵀAp ≤ 0` was met where `A` must be positive definite.
    NegativeCurvature,
    /// No step along the search direction was acceptable.
    LineSearchFailed,
    /// Solved, but whoever asked will not have the solution.
    Refused,
    /// There is no solution: bounds exclude each other, or a ray leads away.
    Infeasible,
    /// Whoever watched stopped it.
    Stopped,
    /// A NaN or an infinity came in, or the starting point is not feasible.
    NotFinite,
}

impl Status {
    /// Whether the stop test was met.
    pub fn converged(self) -> bool {
        self == Self::Converged
    }

    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration-limit",
            Self::Stagnated => "stagnated",
            Self::Breakdown => "breakdown",
            Self::NegativeCurvature => "negative-curvature",
            Self::LineSearchFailed => "line-search-failed",
            Self::Refused => "refused",
            Self::Infeasible => "infeasible",
            Self::Stopped => "stopped",
            Self::NotFinite => "not-finite",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration limit reached",
            Self::Stagnated => "stagnated",
            Self::Breakdown => "broke down",
            Self::NegativeCurvature => "met negative curvature",
            Self::LineSearchFailed => "line search failed",
            Self::Refused => "was refused",
            Self::Infeasible => "found no feasible point",
            Self::Stopped => "was stopped",
            Self::NotFinite => "met a value that is not finite",
        })
    }
}

/// What happened during a solve.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Report {
    /// Why it stopped.
    pub status: Status,
    /// Iterations done.
    pub iterations: usize,
    /// The residual norm at the start and after each iteration; the last one belongs to the
    /// iterate that was returned, and was recomputed from it.
    pub residuals: Vec<f64>,
}

impl Report {
    /// Whether the stop test was met.
    pub fn converged(&self) -> bool {
        self.status.converged()
    }

    /// The residual norm of the iterate that was returned; NaN when none was computed.
    pub fn residual(&self) -> f64 {
        self.residuals.last().copied().unwrap_or(f64::NAN)
    }
}
