//! Staggering: all normal impulses with friction held, then all friction with normal impulses held, in turn
//! (`docs/theory/contact-solvers.md`, "Staggering").
//!
//! Each half is a convex program that always has a solution: a linear complementarity problem, and a quadratic over
//! discs of fixed radius. Here both are solved by sweeps. The alternation has no proof: it contracts for small `μ`
//! and weak coupling of normal and tangential impulses, and may cycle otherwise. Coulomb's law only.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{add_to_block, block_of};
use super::projection::project_disc;
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Model};
use crate::math::{Matrix2, Vector2, Vector3};
use crate::solve::{Report, Status};

/// How well each half is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most sweeps in each half.
    pub sweeps: usize,
    /// A half ends when its changes fall to this part of its first [-].
    pub reduction: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { sweeps: 50, reduction: 0.05 }
    }
}

/// Improves the impulses `r` in place; an iteration is both halves. [`Status::Refused`] for the associated model.
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
        if problem.model() == Model::Associated {
            return Status::Refused;
        }
        let blocks: Vec<(f64, Disc)> = (0..problem.contacts())
            .map(|i| {
                let a = problem.diagonal(i);
                (
                    a[(0, 0)],
                    Disc::new(Matrix2::from(a.fixed_view::<2, 2>(1, 1)), 1e-8 / problem.mass(i)),
                )
            })
            .collect();
        loop {
            half(run, r, settings, |i, r, u| {
                let (normal, _) = &blocks[i];
                let new = if *normal > 0.0 { (r.x - u.x / normal).max(0.0) } else { 0.0 };
                Vector3::new(new - r.x, 0.0, 0.0)
            });
            half(run, r, settings, |i, r, u| {
                let (_, disc) = &blocks[i];
                let old = Vector2::new(r.y, r.z);
                let q = Vector2::new(u.y, u.z) - disc.block * old;
                let change = disc.solve(q, problem.mu(i) * r.x) - old;
                Vector3::new(0.0, change.x, change.y)
            });
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
        }
    })
}

/// Sweeps with the change of one contact's impulse as `change` says, until changes are small.
fn half<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    settings: &Settings,
    change: impl Fn(usize, Vector3, Vector3) -> Vector3,
) {
    let problem = run.problem;
    let mut first = f64::NAN;
    for sweep in 0..settings.sweeps {
        let mut worst: f64 = 0.0;
        for i in (0..problem.contacts()).filter(|&i| !problem.is_immobile(i)) {
            let u = problem.velocity(i, r, &run.memory);
            let change = change(i, block_of(r, i), u);
            add_to_block(r, i, change);
            problem.operator().changed(i, change, &mut run.memory);
            worst = worst.max(change.norm() / problem.mass(i));
        }
        if sweep == 0 {
            first = worst;
        }
        if worst <= settings.reduction * first {
            break;
        }
    }
}

/// `min ½ tᵀWt + qᵀt` over a disc, for one 2×2 block.
struct Disc {
    block: Matrix2,
    inverse: Matrix2,
    eigenvalues: Vector2,
    axis: Vector2,
}

impl Disc {
    /// A little is added to the diagonal, so that a direction without mobility can be solved for by increments; what is
    /// not symmetric is left to increments too.
    fn new(block: Matrix2, extra: f64) -> Self {
        let block = (block + block.transpose()) * 0.5 + Matrix2::identity() * extra;
        let (middle, half) = (0.5 * block.trace(), 0.5 * (block[(0, 0)] - block[(1, 1)]));
        let spread = half.hypot(block[(0, 1)]);
        let angle = 0.5 * block[(0, 1)].atan2(half);
        Self {
            block,
            inverse: block.try_inverse().unwrap_or_else(Matrix2::zeros),
            eigenvalues: Vector2::new(middle + spread, (middle - spread).max(extra)),
            axis: Vector2::new(angle.cos(), angle.sin()),
        }
    }

    fn solve(&self, q: Vector2, radius: f64) -> Vector2 {
        if radius <= 0.0 {
            return Vector2::zeros();
        }
        let free = -(self.inverse * q);
        if free.norm() <= radius {
            return free;
        }
        // ‖(W + αI)⁻¹q‖ = radius: 1/‖·‖ is concave and nearly straight, so Newton rises to the root from the left.
        let c = Vector2::new(self.axis.dot(&q), self.axis.x * q.y - self.axis.y * q.x);
        let mut alpha = 0.0;
        let mut t = Vector2::zeros();
        for _ in 0..50 {
            let denominator = self.eigenvalues.add_scalar(alpha);
            t = -c.component_div(&denominator);
            let length = t.norm();
            let slope = t.dot(&t.component_div(&denominator)) / length;
            let step = (length / radius - 1.0) * length / slope;
            alpha += step;
            if step.is_nan() || step.abs() <= 1e-15 * (alpha + self.eigenvalues.x) {
                break;
            }
        }
        let back = Vector2::new(
            self.axis.x * t.x - self.axis.y * t.y,
            self.axis.y * t.x + self.axis.x * t.y,
        );
        project_disc(radius, back * (radius / t.norm()))
    }
}
