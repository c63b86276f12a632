//! Proximal point iterations: step against the velocity by a factor `r`, project, repeat
//! (`spec/contact-solvers.md` §2.10.3–5).
//!
//! `λ_N ← (λ_N − r u_N)₊`, then `λ_T ← P_disc(λ_T − r u_T)` with radius `μ λ_N`: the old normal impulse in Jacobi, the new one in
//! Gauss–Seidel. Exact for any convex friction set, no local solves. Everything depends on `r`, which changes convergence and never
//! the solution: too small is slow, too large cycles. With `reduction`, steps that move further than the last are taken back and `r` shrinks;
//! below the accuracy that rounding allows nothing moves less, and the iteration limit ends it.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::projection::{project_cone, project_disc};
use super::run::Run;
use super::{ContactProblem, Delassus, Model};
use crate::math::{Matrix2, Matrix3, Vector2, Vector3};
use crate::solve::{Report, Status};

/// Which impulses of other contacts a step sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// The old ones.
    Jacobi,
    /// The newest.
    GaussSeidel,
}

/// The step factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// The same given number for all [impulse/velocity].
    Fixed(f64),
    /// The same for all: the inverse of the largest eigenvalue of the operator, by power iterations.
    Global,
    /// The inverse of each diagonal entry.
    Local,
    /// For each contact, the inverse of `A_NN` and of the 2×2 block `A_TT`.
    Blocked,
}

/// How to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Which impulses a step sees.
    pub splitting: Splitting,
    /// The step factor.
    pub factor: Factor,
    /// What the factor is multiplied with when a step moves further than the last; none keeps it [-].
    pub reduction: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { splitting: Splitting::GaussSeidel, factor: Factor::Local, reduction: Some(0.9) }
    }
}

/// Improves the impulses `r` in place; an iteration is a sweep, accepted or not.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Report {
    let mut run = match Run::start(problem, r, limits, watch) {
        Ok(run) => run,
        Err(report) => return report,
    };
    let mut factors = factors(problem, settings.factor);
    let mut old = r.to_vec();
    let mut moved_before = f64::INFINITY;
    let mut rejected = 0;
    let status = loop {
        old.copy_from_slice(r);
        for i in 0..problem.contacts() {
            let u = match settings.splitting {
                Splitting::Jacobi => block_of(&run.u, i),
                Splitting::GaussSeidel => problem.velocity(i, r, &run.memory),
            };
            let before = block_of(r, i);
            let new =
                step(problem.model(), problem.mu(i), settings.splitting, before, &factors[i], u);
            set_block(r, i, new);
            if settings.splitting == Splitting::GaussSeidel {
                problem.operator().changed(i, new - before, &mut run.memory);
            }
        }
        let moved = r.iter().zip(&old).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let residual = run.evaluate(r);
        if let ControlFlow::Break(status) = run.iteration(r, residual) {
            break status;
        }
        match settings.reduction {
            Some(reduction) if moved > moved_before => {
                factors.iter_mut().for_each(|f| *f *= reduction);
                r.copy_from_slice(&old);
                run.evaluate(r);
                rejected += 1;
                // The rest is rounding: see the first lines.
                if rejected > 400 {
                    break Status::Stagnated;
                }
            }
            _ => moved_before = moved,
        }
    };
    run.finish(r, status)
}

fn step(
    model: Model,
    mu: f64,
    splitting: Splitting,
    r: Vector3,
    factor: &Matrix3,
    u: Vector3,
) -> Vector3 {
    let z = r - factor * u;
    if model == Model::Associated {
        // A projection in the metric of the step needs one factor for all directions: the smallest.
        let least = factor.diagonal().min();
        return project_cone(mu, r - u * least);
    }
    let normal = z.x.max(0.0);
    let known = if splitting == Splitting::Jacobi { r.x } else { normal };
    let tangent = project_disc(mu * known, Vector2::new(z.y, z.z));
    Vector3::new(normal, tangent.x, tangent.y)
}

fn factors<A: Delassus>(problem: &ContactProblem<A>, factor: Factor) -> Vec<Matrix3> {
    let size = problem.contacts();
    // Where an entry is zero there is nothing to invert; the contact's mass has the right unit.
    let invert = |a: f64, mass: f64| if a * mass > 1e-12 { 1.0 / a } else { mass };
    let own = |i: usize| match factor {
        Factor::Blocked => {
            let (a, mass) = (problem.diagonal(i), problem.mass(i));
            let mut all = Matrix3::identity() * mass;
            all[(0, 0)] = invert(a[(0, 0)], mass);
            let tangential = Matrix2::from(a.fixed_view::<2, 2>(1, 1));
            let inverse = tangential.try_inverse();
            if let Some(inverse) = inverse.filter(|m| m.iter().all(|v| v.abs() < 1e12 * mass)) {
                all.fixed_view_mut::<2, 2>(1, 1).copy_from(&inverse);
            }
            all
        }
        _ => {
            let (a, mass) = (problem.diagonal(i), problem.mass(i));
            Matrix3::from_diagonal(&a.diagonal().map(|a| invert(a, mass)))
        }
    };
    match factor {
        Factor::Fixed(r) => vec![Matrix3::identity() * r; size],
        Factor::Global => vec![Matrix3::identity() / largest_eigenvalue(problem); size],
        Factor::Local | Factor::Blocked => (0..size).map(own).collect(),
    }
}

/// About the largest eigenvalue of the operator, by power iterations; one if it is zero.
pub(super) fn largest_eigenvalue<A: Delassus>(problem: &ContactProblem<A>) -> f64 {
    let mut memory = problem.memory();
    // No symmetric start: it may be orthogonal to the eigenvector of a symmetric scene.
    let mut x: Vec<f64> =
        (0..3 * problem.contacts()).map(|k| 1.0 + 0.37 * (k as f64).sin()).collect();
    let mut y = x.clone();
    let mut value = 0.0;
    for _ in 0..30 {
        let length = crate::solve::vector::norm(&x);
        if !(length > 0.0 && length.is_finite()) {
            break;
        }
        x.iter_mut().for_each(|v| *v /= length);
        problem.products(&x, &mut y, &mut memory);
        value = crate::solve::vector::norm(&y);
        std::mem::swap(&mut x, &mut y);
    }
    if value > 0.0 && value.is_finite() { value } else { 1.0 }
}
