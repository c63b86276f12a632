//! Restarted generalised minimal residuals, for any matrix, right preconditioned [SS86].
//!
//! The residual never rises and every product is used; the price is two stored vectors an iteration, the second of
//! which saves an application of the preconditioner; bounded by the restart length, and restarting may stall.
//! Orthogonalisation is modified Gram–Schmidt, repeated when cancellation ate digits. A Krylov space that closes
//! early either holds the solution or proves the (preconditioned) matrix singular; then the status is not
//! `Converged`.

use super::{Monitor, Settings, residual};
use crate::solve::precondition::Preconditioner;
use crate::solve::vector::{add_scaled, dot, norm, scale, set_scaled};
use crate::solve::{LinearOperator, Report, Status};

/// Memory to keep between solves: two vectors for each iteration of the longest cycle so far, and three more.
#[derive(Clone, Debug)]
pub struct Workspace {
    restart: usize,
    r: Vec<f64>,
    z: Vec<f64>,
    /// Orthonormal basis, one vector after the other.
    basis: Vec<f64>,
    /// What the preconditioner made of each.
    directions: Vec<f64>,
    /// Hessenberg matrix, made triangular by rotations; column `j` starts at `j (restart + 1)`.
    h: Vec<f64>,
    rotations: Vec<(f64, f64)>,
    /// Rotated right-hand side of the small least-squares problem, then its solution.
    g: Vec<f64>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_restart(50)
    }
}

impl Workspace {
    /// Room for `restart` iterations between restarts, at least one.
    pub fn with_restart(restart: usize) -> Self {
        let restart = restart.max(1);
        Self {
            restart,
            r: Vec::new(),
            z: Vec::new(),
            basis: Vec::new(),
            directions: Vec::new(),
            h: vec![0.0; restart * (restart + 1)],
            rotations: vec![(1.0, 0.0); restart],
            g: vec![0.0; restart + 1],
        }
    }

    fn resize(&mut self, n: usize) {
        self.r.resize(n, 0.0);
        self.z.resize(n, 0.0);
        self.basis.clear();
        self.directions.clear();
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
    let status = loop {
        if monitor.out_of_iterations() {
            break Status::IterationLimit;
        }
        let before = monitor.verified;
        let cycle = match cycle(a, preconditioner, &mut monitor, workspace) {
            Ok(cycle) => cycle,
            Err(status) => break status,
        };
        correct(x, &cycle, workspace);
        let true_norm = residual(a, b, x, &mut workspace.r);
        monitor.correct(true_norm);
        monitor.verified = true_norm;
        if !true_norm.is_finite() || true_norm > before {
            // Only rounding or a singular matrix can do this; the correction is still in `z`.
            add_scaled(x, -1.0, &workspace.z);
            break match true_norm.is_finite() {
                true if cycle.closed => Status::Breakdown,
                true => Status::Stagnated,
                false => Status::NotFinite,
            };
        }
        if true_norm <= monitor.target {
            break Status::Converged;
        }
        if cycle.closed && true_norm > 0.5 * before {
            break Status::Breakdown; // nothing more to search, and no solution in it
        }
        // Either the cycle promised a fall that rounding took away, or it is bound to repeat.
        let promised_more = true_norm > 2.0 * cycle.promised && true_norm > 0.5 * before;
        if promised_more || true_norm > (1.0 - 1e-6) * before {
            break Status::Stagnated;
        }
    };
    let true_norm = residual(a, b, x, &mut workspace.r);
    monitor.finish(status, true_norm)
}

/// A Krylov space between two restarts.
struct Cycle {
    size: usize,
    /// Residual norm according to the recurrence.
    promised: f64,
    /// The space maps to itself: no further vector exists.
    closed: bool,
}

/// Builds the space from the residual in the workspace.
fn cycle<A, P>(
    a: &A,
    preconditioner: &P,
    monitor: &mut Monitor,
    workspace: &mut Workspace,
) -> Result<Cycle, Status>
where
    A: LinearOperator + ?Sized,
    P: Preconditioner + ?Sized,
{
    let Workspace { restart, r, basis, directions, h, rotations, g, .. } = workspace;
    let n = r.len();
    basis.resize(n, 0.0);
    let beta = monitor.verified;
    set_scaled(&mut basis[..n], 1.0 / beta, r);
    g.fill(0.0);
    g[0] = beta;
    for j in 0..*restart {
        basis.resize(n * (j + 2), 0.0);
        directions.resize(n * (j + 1), 0.0);
        let (known, w) = basis.split_at_mut((j + 1) * n);
        let z = &mut directions[j * n..];
        preconditioner.apply(&known[j * n..], z);
        a.apply(z, w);
        let before = norm(w);
        if !before.is_finite() {
            return Err(Status::NotFinite);
        }
        let h = &mut h[j * (*restart + 1)..(j + 1) * (*restart + 1)];
        h.fill(0.0);
        orthogonalise(known, w, before, h);
        let length = norm(w);
        let closed = length <= 10.0 * f64::EPSILON * before;
        if !closed {
            scale(w, 1.0 / length);
        }
        h[j + 1] = if closed { 0.0 } else { length };

        for (i, &(c, s)) in rotations[..j].iter().enumerate() {
            (h[i], h[i + 1]) = (c * h[i] + s * h[i + 1], c * h[i + 1] - s * h[i]);
        }
        let diagonal = h[j].hypot(h[j + 1]);
        rotations[j] =
            if diagonal > 0.0 { (h[j] / diagonal, h[j + 1] / diagonal) } else { (0.0, 1.0) };
        let (c, s) = rotations[j];
        (h[j], h[j + 1]) = (diagonal, 0.0);
        (g[j], g[j + 1]) = (c * g[j], -s * g[j]);
        let promised = g[j + 1].abs();
        monitor.record(promised);
        if closed
            || monitor.proposes_end(promised)
            || monitor.out_of_iterations()
            || j + 1 == *restart
        {
            return Ok(Cycle { size: j + 1, promised, closed });
        }
    }
    unreachable!("the last iteration of the loop returns")
}

/// Makes `w` orthogonal to the `known` vectors; adds the coefficients to `h`.
fn orthogonalise(known: &[f64], w: &mut [f64], before: f64, h: &mut [f64]) {
    let mut length = before;
    // "Twice is enough": after a second pass, what is left is orthogonal or rounding.
    for _ in 0..2 {
        for (v, h) in known.chunks_exact(w.len()).zip(&mut *h) {
            let along = dot(v, w);
            add_scaled(w, -along, v);
            *h += along;
        }
        let after = norm(w);
        if after > 0.7 * length {
            break;
        }
        length = after;
    }
}

/// Adds the best vector of the space to `x`: `x += M⁻¹ V y`, with `R y = g`.
fn correct(x: &mut [f64], cycle: &Cycle, workspace: &mut Workspace) {
    let Workspace { restart, z, directions, h, g, .. } = workspace;
    let n = x.len();
    let entry = |i: usize, j: usize| h[j * (*restart + 1) + i];
    let largest = (0..cycle.size).map(|j| entry(j, j)).fold(0.0, f64::max);
    for i in (0..cycle.size).rev() {
        let known: f64 = (i + 1..cycle.size).map(|j| entry(i, j) * g[j]).sum();
        // A vanishing pivot means a singular matrix; leave that direction out.
        let pivot = entry(i, i);
        g[i] = if pivot > 10.0 * f64::EPSILON * largest { (g[i] - known) / pivot } else { 0.0 };
    }
    z.fill(0.0);
    for (direction, &weight) in directions.chunks_exact(n).zip(&g[..cycle.size]) {
        add_scaled(z, weight, direction);
    }
    add_scaled(x, 1.0, z);
}
