//! Proximal point iterations: step against the velocity by a factor `r`, project, repeat
//! (`docs/theory/contact-solvers.md`, "Proximal iterations").
//!
//! `λ_N ← (λ_N − r u_N)₊`, then `λ_T ← P_disc(λ_T − r u_T)` with radius `μ λ_N`: the old normal impulse in Jacobi,
//! the new one in Gauss–Seidel. Exact for any convex friction set, no local solves. Everything depends on `r`, which
//! changes convergence and never the solution: too small is slow, too large cycles. With `reduction`, steps after
//! which the residual is larger than it was for a while are taken back and `r` shrinks, to grow again later; for good
//! when nothing gets better for long. (The source compares how far steps move; but that shrinks with `r`, and on
//! stacks, where impulses build up at first, it brings `r` to zero.)

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::projection::{project_cone, project_disc};
use super::run::conduct;
use super::{ContactProblem, Delassus, Model};
use crate::math::{Matrix3, Vector2, Vector3};
use crate::solve::vector::norm;
use crate::solve::{Report, Status, power_iteration};

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
    /// The inverses of the diagonal entries of each contact: of the normal, and of the larger tangential one.
    Local,
    /// The inverses of `A_NN` and of the largest eigenvalue of the block `A_TT` of each contact.
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

/// Residuals that a new one is compared with.
const MEMORY: usize = 10;
/// Steps without a better residual after which it must be a cycle, and no slow build-up of impulses.
const PATIENCE: usize = 500;
/// Steps taken back, one after the other, before it is clear that none will do.
const MOST_REJECTED: usize = 60;

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
    conduct(problem, r, limits, watch, |run, r| {
        let factors = factors(problem, settings.factor);
        let mut pace = Pace::new(settings.reduction, run.last_residual());
        let mut old = r.to_vec();
        loop {
            old.copy_from_slice(r);
            for i in 0..problem.contacts() {
                let u = match settings.splitting {
                    Splitting::Jacobi => block_of(&run.u, i),
                    Splitting::GaussSeidel => problem.velocity(i, r, &run.memory),
                };
                let before = block_of(r, i);
                let factor = factors[i] * pace.scale;
                let new = match problem.is_immobile(i) {
                    true => Vector3::zeros(),
                    false => {
                        step(problem.model(), problem.mu(i), settings.splitting, before, &factor, u)
                    }
                };
                set_block(r, i, new);
                if settings.splitting == Splitting::GaussSeidel {
                    problem.operator().changed(i, new - before, &mut run.memory);
                }
            }
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
            match pace.after(residual, run.iterations()) {
                Verdict::Keep => {}
                Verdict::TakeBack => {
                    r.copy_from_slice(&old);
                    run.evaluate(r);
                }
                Verdict::GiveUp => break Status::Stagnated,
            }
        }
    })
}

/// How long steps are: shorter after those that made things worse, then longer again.
pub(in super::super) struct Pace {
    /// What factors are multiplied with.
    pub(in super::super) scale: f64,
    /// The most that it may be.
    most: f64,
    reduction: Option<f64>,
    recent: [f64; MEMORY],
    rejected: usize,
    best: (f64, usize),
}

/// What to do with a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Verdict {
    Keep,
    TakeBack,
    GiveUp,
}

impl Pace {
    pub(in super::super) fn new(reduction: Option<f64>, residual: f64) -> Self {
        Self {
            scale: 1.0,
            most: 1.0,
            reduction,
            recent: [residual; MEMORY],
            rejected: 0,
            best: (residual, 0),
        }
    }

    /// After a step, with its true residual.
    pub(in super::super) fn after(&mut self, residual: f64, iterations: usize) -> Verdict {
        if residual < 0.99 * self.best.0 {
            self.best = (residual, iterations);
        }
        if self.rejected > MOST_REJECTED {
            return Verdict::GiveUp;
        }
        match self.reduction {
            Some(reduction) if residual > 1.2 * self.recent.iter().copied().fold(0.0, f64::max) => {
                self.scale *= reduction;
                self.rejected += 1;
                return Verdict::TakeBack;
            }
            Some(reduction) if iterations > self.best.1 + PATIENCE => {
                self.most *= reduction;
                self.best.1 = iterations;
            }
            _ => {
                self.recent.rotate_right(1);
                self.recent[0] = residual;
                self.scale = (1.1 * self.scale).min(self.most);
                self.rejected = 0;
            }
        }
        Verdict::Keep
    }
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

/// Factors along the normal and in the tangent plane. One for both tangents: with two, a fixed point slides along
/// `F u_T` instead of `u_T`, and Coulomb's law it is not.
fn factors<A: Delassus>(problem: &ContactProblem<A>, factor: Factor) -> Vec<Matrix3> {
    let size = problem.contacts();
    let own = |i: usize| {
        let (a, mass) = (problem.diagonal(i), problem.mass(i));
        // Where an entry is zero there is nothing to invert; the contact's mass has the right unit.
        let invert = |a: f64| if a * mass > 1e-12 { 1.0 / a } else { mass };
        let (a11, a12, a22) = (a[(1, 1)], a[(1, 2)], a[(2, 2)]);
        let tangential = match factor {
            Factor::Blocked => 0.5 * (a11 + a22) + (0.5 * (a11 - a22)).hypot(a12),
            _ => a11.max(a22),
        };
        let (n, t) = (invert(a[(0, 0)]), invert(tangential));
        Matrix3::from_diagonal(&Vector3::new(n, t, t))
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
    let x = power_iteration::uneven_start(3 * problem.contacts());
    let (length, mut y) = (norm(&x), x.clone());
    let growth = power_iteration::growth(x, length, 30, norm, |x, length| {
        x.iter_mut().for_each(|v| *v /= length);
        problem.products(x, &mut y, &mut memory);
        std::mem::swap(x, &mut y);
    });
    growth.unwrap_or(1.0)
}
