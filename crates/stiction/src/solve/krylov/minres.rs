//! Preconditioned minimal residuals, for symmetric matrices, definite or not [PS75].
//!
//! The residual falls monotonically (in the norm of the preconditioner), on singular systems too:
//! a consistent one is solved, an inconsistent one ends with [`Status::Stagnated`] at a least-squares
//! solution. Needs a symmetric positive *definite* preconditioner even where the matrix is not.
//! Symmetry is not checked. On ill-conditioned systems it stalls a little before
//! conjugate gradients would, since errors of the short recurrence enter `x` directly.

use super::{Monitor, Settings, Verdict, residual};
use crate::solve::precondition::Preconditioner;
use crate::solve::vector::{add_scaled, dot, norm, set_scaled};
use crate::solve::{LinearOperator, Report, Status};

/// Memory to keep between solves: nine vectors.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    r: Vec<f64>,
    /// Lanczos vectors, not normalised: before last, last.
    z0: Vec<f64>,
    z1: Vec<f64>,
    /// The preconditioned last Lanczos vector, then the next one.
    y: Vec<f64>,
    v: Vec<f64>,
    /// Search directions: before last, last, next.
    w0: Vec<f64>,
    w1: Vec<f64>,
    w2: Vec<f64>,
    saved: Vec<f64>,
}

impl Workspace {
    fn resize(&mut self, n: usize) {
        let Self { r, z0, z1, y, v, w0, w1, w2, saved } = self;
        for vector in [r, z0, z1, y, v, w0, w1, w2, saved] {
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
    let mut stall = None;
    let status = loop {
        match sequence(a, preconditioner, b, x, &mut monitor, &mut stall, workspace) {
            Verdict::Stop(status) => break status,
            Verdict::Restart => {}
        }
    };
    let mut true_norm = residual(a, b, x, &mut workspace.r);
    if stall.is_some_and(|stall| true_norm > stall.r_norm || true_norm.is_nan()) {
        x.copy_from_slice(&workspace.saved);
        true_norm = residual(a, b, x, &mut workspace.r);
    }
    monitor.finish(status, true_norm)
}

/// One Lanczos sequence, from the residual in the workspace to a verification.
fn sequence<A, P>(
    a: &A,
    preconditioner: &P,
    b: &[f64],
    x: &mut [f64],
    monitor: &mut Monitor,
    stall: &mut Option<Stall>,
    workspace: &mut Workspace,
) -> Verdict
where
    A: LinearOperator + ?Sized,
    P: Preconditioner + ?Sized,
{
    let Workspace { r, z0, z1, y, v, w0, w1, w2, saved } = workspace;
    *stall = None;
    z1.copy_from_slice(r);
    z0.fill(0.0);
    w0.fill(0.0);
    w1.fill(0.0);
    preconditioner.apply(z1, y);
    let mut beta = match lanczos_norm(z1, y) {
        Ok(beta) if beta > 0.0 => beta,
        Ok(_) => return Verdict::Stop(Status::Breakdown),
        Err(status) => return Verdict::Stop(status),
    };
    // Names of [PS75]: T = Q R with reflections (c, s); φ̄ is the residual's norm.
    let (mut beta_before, mut d_bar, mut epsilon, mut phi_bar) = (0.0, 0.0, 0.0, beta);
    let (mut c, mut s) = (-1.0, 0.0);
    let first = monitor.iterations();
    let mut t_norm = 0.0_f64; // lower bound of the norm of the preconditioned matrix
    loop {
        if monitor.out_of_iterations() {
            return Verdict::Stop(Status::IterationLimit);
        }
        set_scaled(v, 1.0 / beta, y);
        a.apply(v, y);
        if beta_before > 0.0 {
            add_scaled(y, -beta / beta_before, z0);
        }
        let alpha = dot(v, y);
        add_scaled(y, -alpha / beta, z1);
        std::mem::swap(z0, z1);
        std::mem::swap(z1, y);
        preconditioner.apply(z1, y);
        beta_before = beta;
        beta = match lanczos_norm(z1, y) {
            Ok(beta) if alpha.is_finite() => beta,
            Ok(_) => return Verdict::Stop(Status::NotFinite),
            Err(status) => return Verdict::Stop(status),
        };

        let epsilon_before = epsilon;
        let delta = c * d_bar + s * alpha;
        let g_bar = s * d_bar - c * alpha;
        epsilon = s * beta;
        d_bar = -c * beta;
        // The first `beta_before` is ‖r‖, not an entry of T.
        let above = if monitor.iterations() > first { beta_before } else { 0.0 };
        t_norm = t_norm.max(alpha.hypot(beta).hypot(above));
        // ‖A r‖ of the residual before this step, relative to ‖A‖ ‖r‖.
        let relative_gradient = g_bar.hypot(d_bar) / t_norm;
        if relative_gradient <= 10.0 * f64::EPSILON {
            return Verdict::Stop(Status::Stagnated); // the division below would be by rounding
        }
        let now = monitor.iterations();
        if let Some(Stall { iteration, r_norm }) = *stall {
            let claims_progress = monitor.residuals[now] <= 0.5 * r_norm;
            // An exploding `x` leaves the recurrence behind: only the true residual counts.
            if claims_progress && residual(a, b, x, w2) <= 0.75 * r_norm {
                *stall = None;
            } else if claims_progress || now >= 2 * iteration + 10 {
                return Verdict::Stop(Status::Stagnated);
            }
        }
        if stall.is_none() && relative_gradient <= f64::EPSILON.sqrt() {
            *stall = Some(Stall { iteration: now, r_norm: monitor.residuals[now] });
            saved.copy_from_slice(x);
        }
        let gamma = g_bar.hypot(beta);
        (c, s) = (g_bar / gamma, beta / gamma);
        let phi = c * phi_bar;
        phi_bar *= s;

        for (((w2, w1), w0), v) in w2.iter_mut().zip(&*w1).zip(&*w0).zip(&*v) {
            *w2 = (v - epsilon_before * w0 - delta * w1) / gamma;
        }
        add_scaled(x, phi, w2);
        std::mem::swap(w0, w1);
        std::mem::swap(w1, w2);

        // rₖ = s² rₖ₋₁ − c φ̄ zₖ₊₁: the residual in the plain norm, which φ̄ is not.
        let z_weight = if beta > 0.0 { -c * phi_bar / beta } else { 0.0 };
        for (r, z) in r.iter_mut().zip(&*z1) {
            *r = s * s * *r + z_weight * z;
        }
        let r_norm = norm(r);
        monitor.record(r_norm);
        if !r_norm.is_finite() {
            return Verdict::Stop(Status::NotFinite);
        }
        // β = 0: the Krylov space is exhausted, there is nothing to come.
        if monitor.proposes_end(r_norm) || beta <= 0.0 {
            return monitor.verify(a, b, x, r);
        }
    }
}

/// Where the residual became orthogonal to the range of `A`: perhaps a least-squares solution.
///
/// In double precision `‖A r‖ / ‖A‖‖r‖` gets no smaller than about `√ε`, where the residual norm
/// stops changing. A badly conditioned system looks the same for a while, and deserves patience; but
/// when the system is inconsistent, going on makes `x` explode. So `x` is saved there, and brought
/// back unless as many iterations again have halved the true residual.
#[derive(Clone, Copy)]
struct Stall {
    iteration: usize,
    r_norm: f64,
}

/// `sqrt(zᵀ M⁻¹ z)`, given `y = M⁻¹ z`.
fn lanczos_norm(z: &[f64], y: &[f64]) -> Result<f64, Status> {
    let square = dot(z, y);
    match square {
        e if !e.is_finite() => Err(Status::NotFinite),
        // Not positive definite, unless all of it is rounding.
        e if e < -f64::EPSILON * norm(z) * norm(y) => Err(Status::Breakdown),
        e => Ok(e.max(0.0).sqrt()),
    }
}
