//! Preconditioned conjugate gradients, for symmetric positive definite matrices [HS52].
//!
//! Shortest recurrence and least memory of all; the error falls monotonically in the energy norm,
//! the residual need not, and the last iterate is returned. Needs a symmetric positive definite
//! preconditioner. Symmetry is not checked. Definiteness is: a direction `p` with `pᵀAp ≤ 0` ends the
//! solve with [`Status::NegativeCurvature`], and [`Workspace::direction`] keeps it for a truncated
//! Newton method.

use super::{Monitor, Settings, Verdict, residual};
use crate::solve::precondition::Preconditioner;
use crate::solve::vector::{add_scaled, dot, norm, scale_then_add};
use crate::solve::{LinearOperator, Report, Status};

/// Memory to keep between solves: four vectors.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

impl Workspace {
    /// The last search direction; after [`Status::NegativeCurvature`], the one that showed it.
    pub fn direction(&self) -> &[f64] {
        &self.p
    }

    fn resize(&mut self, n: usize) {
        for vector in [&mut self.r, &mut self.z, &mut self.p, &mut self.q] {
            vector.resize(n, 0.0);
        }
    }
}

/// Improves `x` in place until `A x = b` within tolerance.
///
/// # Panics
/// When `b` or `x` does not have the size of `a`.
pub fn solve<A, P>(
    a: &A,
    preconditioner: &P,
    b: &[f64],
    x: &mut [f64],
    settings: &Settings,
    workspace: &mut Workspace,
) -> Report
where
    A: LinearOperator + ?Sized,
    P: Preconditioner + ?Sized,
{
    workspace.resize(b.len());
    let mut monitor = match Monitor::start(a, b, x, &mut workspace.r, settings) {
        Ok(monitor) => monitor,
        Err(report) => return report,
    };
    let status = iterate(a, preconditioner, b, x, &mut monitor, workspace);
    let true_norm = residual(a, b, x, &mut workspace.r);
    monitor.finish(status, true_norm)
}

fn iterate<A, P>(
    a: &A,
    preconditioner: &P,
    b: &[f64],
    x: &mut [f64],
    monitor: &mut Monitor,
    workspace: &mut Workspace,
) -> Status
where
    A: LinearOperator + ?Sized,
    P: Preconditioner + ?Sized,
{
    let Workspace { r, z, p, q } = workspace;
    let mut rho = 0.0;
    let mut fresh = true; // the next direction starts a new sequence
    let mut a_norm = 0.0_f64; // lower bound of ‖A‖₂, the scale of curvature
    loop {
        if monitor.out_of_iterations() {
            return Status::IterationLimit;
        }
        preconditioner.apply(r, z);
        let rho_before = rho;
        rho = dot(r, z);
        match rho {
            rho if !rho.is_finite() => return Status::NotFinite,
            rho if rho <= 0.0 => return Status::Breakdown, // M is not positive definite
            _ if fresh => p.copy_from_slice(z),
            _ => scale_then_add(p, rho / rho_before, z),
        }
        fresh = false;

        a.apply(p, q);
        let (p_norm, curvature) = (norm(p), dot(p, q));
        a_norm = a_norm.max(norm(q) / p_norm);
        if !curvature.is_finite() {
            return Status::NotFinite;
        }
        // A curvature below the rounding of pᵀAp has no sign; α would be noise.
        if curvature <= 4.0 * f64::EPSILON * a_norm * p_norm * p_norm {
            return Status::NegativeCurvature;
        }
        let alpha = rho / curvature;
        add_scaled(x, alpha, p);
        add_scaled(r, -alpha, q);
        let r_norm = norm(r);
        monitor.record(r_norm);
        if !r_norm.is_finite() {
            return Status::NotFinite;
        }
        if monitor.proposes_end(r_norm) {
            match monitor.verify(a, b, x, r) {
                Verdict::Stop(status) => return status,
                Verdict::Restart => fresh = true,
            }
        }
    }
}
