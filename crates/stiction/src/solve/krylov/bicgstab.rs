//! Stabilised biconjugate gradients, for any matrix, right preconditioned [Vor92].
//!
//! Short recurrences: seven vectors and two products an iteration, whatever the matrix. The residual
//! may jump and the method may break down; GMRES is safer where memory allows. Here a vanishing
//! recurrence restarts it, a stabilising step along an unhelpful angle is lengthened [SV95], the
//! residual is replaced by the true one whenever it has fallen by a hundred [SV96], and the last
//! iterate gives way to the best of those, should it be worse.

use super::{Monitor, Settings, Verdict, residual};
use crate::solve::precondition::Preconditioner;
use crate::solve::vector::{add_scaled, dot, norm};
use crate::solve::{LinearOperator, Report, Status};

/// Cosines below this have no digits left, and dividing by them destroys the recurrence.
const VANISHING: f64 = 1e-14;
/// Smallest cosine between a residual and its image at which minimising along it still helps [SV95].
const HELPFUL: f64 = 0.7;
/// Fall of the residual after which it is recomputed.
const REPLACE: f64 = 1e-2;

/// Memory to keep between solves: seven vectors.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    r: Vec<f64>,
    shadow: Vec<f64>,
    p: Vec<f64>,
    v: Vec<f64>,
    t: Vec<f64>,
    /// The preconditioned `p`, then the preconditioned `r`.
    y: Vec<f64>,
    /// The iterate with the smallest true residual.
    best: Vec<f64>,
}

impl Workspace {
    fn resize(&mut self, n: usize) {
        let Self { r, shadow, p, v, t, y, best } = self;
        for vector in [r, shadow, p, v, t, y, best] {
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
    let mut best_norm = monitor.verified;
    workspace.best.copy_from_slice(x);
    let status = iterate(a, preconditioner, b, x, &mut monitor, &mut best_norm, workspace);
    let mut true_norm = residual(a, b, x, &mut workspace.r);
    if true_norm > best_norm || true_norm.is_nan() {
        x.copy_from_slice(&workspace.best);
        true_norm = residual(a, b, x, &mut workspace.r);
    }
    monitor.finish(status, true_norm)
}

fn iterate<A, P>(
    a: &A,
    preconditioner: &P,
    b: &[f64],
    x: &mut [f64],
    monitor: &mut Monitor,
    best_norm: &mut f64,
    workspace: &mut Workspace,
) -> Status
where
    A: LinearOperator + ?Sized,
    P: Preconditioner + ?Sized,
{
    let Workspace { r, shadow, p, v, t, y, best } = workspace;
    let mut r_norm = monitor.verified;
    let mut peak = r_norm; // largest residual since the last replacement
    let (mut rho, mut alpha, mut omega) = (1.0, 1.0, 1.0);
    let mut fresh = true; // the recurrence starts anew from `r`
    loop {
        if monitor.out_of_iterations() {
            return Status::IterationLimit;
        }
        if fresh {
            shadow.copy_from_slice(r);
        }
        let rho_before = rho;
        rho = dot(shadow, r);
        if rho.abs() <= VANISHING * norm(shadow) * r_norm {
            if fresh {
                return Status::Breakdown; // rᵀr underflows
            }
            // `r` drifted orthogonal to its shadow; a fresh one is parallel.
            r_norm = residual(a, b, x, r);
            fresh = true;
            continue;
        }
        if fresh {
            p.copy_from_slice(r);
        } else {
            let beta = (rho / rho_before) * (alpha / omega);
            for ((p, v), r) in p.iter_mut().zip(&*v).zip(&*r) {
                *p = r + beta * (*p - omega * v);
            }
        }
        preconditioner.apply(p, y);
        a.apply(y, v);
        let v_norm = norm(v);
        let mut pivot = dot(shadow, v);
        if !pivot.is_finite() || !v_norm.is_finite() {
            return Status::NotFinite;
        }
        if pivot.abs() <= VANISHING * norm(shadow) * v_norm {
            if v_norm <= 0.0 {
                return Status::Breakdown; // p ≠ 0 has no image: A or the preconditioner is singular
            }
            if !fresh {
                r_norm = residual(a, b, x, r);
                fresh = true;
                continue;
            }
            // r ⊥ A r, as for every skew matrix. A shadow between the two sees both.
            for ((shadow, r), v) in shadow.iter_mut().zip(&*r).zip(&*v) {
                *shadow = r / r_norm + v / v_norm;
            }
            (rho, pivot) = (dot(shadow, r), dot(shadow, v));
        }
        fresh = false;
        alpha = rho / pivot;
        add_scaled(x, alpha, y);
        add_scaled(r, -alpha, v); // `s` in [Vor92]

        r_norm = norm(r);
        if !monitor.proposes_end(r_norm) {
            preconditioner.apply(r, y);
            a.apply(y, t);
            let (t_norm, cosine_up) = (norm(t), dot(t, r));
            if !t_norm.is_finite() || !r_norm.is_finite() {
                return Status::NotFinite;
            }
            if t_norm <= 0.0 {
                return Status::Breakdown;
            }
            let cosine = cosine_up / (t_norm * r_norm);
            omega = cosine.abs().max(HELPFUL).copysign(cosine) * r_norm / t_norm;
            add_scaled(x, omega, y);
            add_scaled(r, -omega, t);
            r_norm = norm(r);
        }
        monitor.record(r_norm);

        if !r_norm.is_finite() {
            return Status::NotFinite;
        }
        peak = peak.max(r_norm);
        let ends = monitor.proposes_end(r_norm);
        if ends || r_norm <= REPLACE * peak {
            let promised = r_norm;
            r_norm = residual(a, b, x, r);
            monitor.correct(r_norm);
            peak = r_norm;
            if r_norm < *best_norm {
                *best_norm = r_norm;
                best.copy_from_slice(x);
            }
            // A recurrence ten times off its residual leads nowhere.
            if ends || r_norm > 10.0 * promised {
                match monitor.judge(r_norm) {
                    Verdict::Stop(status) => return status,
                    Verdict::Restart => fresh = true,
                }
            }
        }
    }
}
