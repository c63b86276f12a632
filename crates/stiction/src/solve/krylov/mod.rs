//! Iterative linear solvers that need nothing but products with the matrix.
//!
//! All share one contract. `x` comes in as a warm start and goes out as the solution, or as the best
//! there is. Tolerances bound the *true* residual `‖b − A x‖₂`: the cheap recurrence only proposes
//! convergence, which is then verified with one more product. When the verification fails the
//! method restarts from the true residual, and when that no longer helps it says
//! [`Status::Stagnated`]. Workspaces can be kept; after the first call with a size, the iteration
//! allocates nothing but the growing history of the report.
//!
//! Right-hand side zero means `x = 0`, whatever the warm start.

pub mod bicgstab;
pub mod cg;
pub mod gmres;
pub mod minres;

use super::vector::{norm, scale_then_add};
use super::{LinearOperator, Report, Status};

/// When to stop: `‖b − A x‖₂ ≤ max(relative_tolerance · ‖b‖₂, absolute_tolerance)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Of the norm of the right-hand side [-].
    pub relative_tolerance: f64,
    /// In units of the right-hand side.
    pub absolute_tolerance: f64,
    /// Iterations; for BiCGSTAB each has two products, for the others one.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { relative_tolerance: 1e-8, absolute_tolerance: 0.0, max_iterations: 1000 }
    }
}

/// What the solvers share: the target, the history, and the verification of convergence.
struct Monitor {
    target: f64,
    max_iterations: usize,
    residuals: Vec<f64>,
    /// True residual norm at the last verification.
    verified: f64,
}

/// Outcome of a verification.
enum Verdict {
    Stop(Status),
    /// The recurrence had drifted away: start again from the true residual.
    Restart,
}

impl Monitor {
    /// Writes the first residual to `r`; the error is a solve that is over before it began.
    fn start<A: LinearOperator + ?Sized>(
        a: &A,
        b: &[f64],
        x: &mut [f64],
        r: &mut [f64],
        settings: &Settings,
    ) -> Result<Self, Report> {
        assert_eq!(b.len(), a.dimension(), "right-hand side and matrix have one size");
        assert_eq!(x.len(), a.dimension(), "unknowns and matrix have one size");
        let b_norm = norm(b);
        let mut monitor = Self {
            target: settings.absolute_tolerance.max(settings.relative_tolerance * b_norm),
            max_iterations: settings.max_iterations,
            // A first guess of the length; long histories grow.
            residuals: Vec::with_capacity(settings.max_iterations.min(255) + 1),
            verified: b_norm,
        };
        if b_norm.is_finite() && b_norm <= 0.0 {
            x.fill(0.0);
            return Err(monitor.finish(Status::Converged, 0.0));
        }
        let r_norm = residual(a, b, x, r);
        monitor.record(r_norm);
        monitor.verified = r_norm;
        if !r_norm.is_finite() || !b_norm.is_finite() {
            return Err(monitor.finish(Status::NotFinite, r_norm));
        }
        if r_norm <= monitor.target {
            return Err(monitor.finish(Status::Converged, r_norm));
        }
        Ok(monitor)
    }

    fn record(&mut self, r_norm: f64) {
        self.residuals.push(r_norm);
    }

    fn iterations(&self) -> usize {
        self.residuals.len().saturating_sub(1)
    }

    fn out_of_iterations(&self) -> bool {
        self.iterations() >= self.max_iterations
    }

    /// Whether the recurrence claims an end: the target, or a fall past what 53 bits can carry.
    fn proposes_end(&self, r_norm: f64) -> bool {
        r_norm <= self.target.max(0.1 * f64::EPSILON * self.verified)
    }

    /// Recomputes the residual and judges it.
    fn verify<A: LinearOperator + ?Sized>(
        &mut self,
        a: &A,
        b: &[f64],
        x: &[f64],
        r: &mut [f64],
    ) -> Verdict {
        let true_norm = residual(a, b, x, r);
        self.judge(true_norm)
    }

    /// Judges the true residual norm of the current iterate.
    fn judge(&mut self, true_norm: f64) -> Verdict {
        self.correct(true_norm);
        let before = std::mem::replace(&mut self.verified, true_norm);
        match true_norm {
            e if !e.is_finite() => Verdict::Stop(Status::NotFinite),
            e if e <= self.target => Verdict::Stop(Status::Converged),
            // Half: a restart that gains less than a bit fights rounding, not the system.
            e if e > 0.5 * before => Verdict::Stop(Status::Stagnated),
            _ => Verdict::Restart,
        }
    }

    /// Replaces the last entry of the history by the true residual norm.
    fn correct(&mut self, true_norm: f64) {
        match self.residuals.last_mut() {
            Some(last) => *last = true_norm,
            None => self.residuals.push(true_norm),
        }
    }

    /// Closes the history with the true residual norm of the `x` that is returned.
    fn finish(mut self, status: Status, true_norm: f64) -> Report {
        self.correct(true_norm);
        // A solve that stopped for another reason may still have arrived.
        let arrived = true_norm <= self.target && status != Status::NotFinite;
        let status = if arrived { Status::Converged } else { status };
        Report { status, iterations: self.iterations(), residuals: self.residuals }
    }
}

/// `r = b − A x`; returns its norm.
fn residual<A: LinearOperator + ?Sized>(a: &A, b: &[f64], x: &[f64], r: &mut [f64]) -> f64 {
    a.apply(x, r);
    scale_then_add(r, -1.0, b);
    norm(r)
}
