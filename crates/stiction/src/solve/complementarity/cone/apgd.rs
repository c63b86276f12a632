//! Accelerated projected gradients for the associated model; Coulomb's law by a fixed point around it
//! (`docs/theory/contact-solvers.md`, "Accelerated gradients", "Associated model").
//!
//! The associated model is the quadratic program `min ½ rᵀAr + bᵀr` over the cones, where Nesterov's momentum has
//! rate `1/k²`, with adaptive step and restarts. Only products with the operator: matrix-free and parallel; redundant
//! contacts do no harm; large mass ratios are slow in spite of scaling each contact by its mass. For Coulomb's law
//! the shift `μ‖u_T‖` is frozen, the program solved to a part of the residual, and the shift refreshed: a contraction
//! for small `μ`, without proof beyond.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::projection::project_cone;
use super::prox::largest_eigenvalue;
use super::run::{Run, conduct};
use super::{ContactLaw, ContactProblem, Delassus, Model, residual};
use crate::solve::vector::dot;
use crate::solve::{Report, Status};
use crate::threads::for_each_block;

/// How the outer loop of Coulomb's law runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The inner program is solved to this part of the outer residual before the shift is refreshed [-].
    pub inner_reduction: f64,
    /// The most inner iterations before a refresh.
    pub inner_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { inner_reduction: 0.2, inner_iterations: 100 }
    }
}

/// Improves the impulses `r` in place; an iteration is one product with the operator.
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
        let mut state = State::new(problem, r, &run.u);
        loop {
            state.refresh(problem, &run.u);
            let target = settings.inner_reduction * run.last_residual();
            if let ControlFlow::Break(status) = state.inner(run, r, target, settings) {
                break status;
            }
        }
    })
}

struct State {
    /// Impulses where the gradient is taken.
    y: Vec<f64>,
    /// `A y` and `A r`, without `b`.
    ay: Vec<f64>,
    ar: Vec<f64>,
    old: Vec<f64>,
    old_ar: Vec<f64>,
    gradient: Vec<f64>,
    /// What the shift adds to normal velocities.
    shift: Vec<f64>,
    /// Curvature of the program in impulses scaled by `√mass`.
    lipschitz: f64,
}

impl State {
    fn new<A: Delassus>(problem: &ContactProblem<A>, r: &[f64], u: &[f64]) -> Self {
        let ar: Vec<f64> = u.iter().zip(problem.b()).map(|(u, b)| u - b).collect();
        let n = r.len();
        Self {
            y: r.to_vec(),
            ay: ar.clone(),
            old: r.to_vec(),
            old_ar: ar.clone(),
            ar,
            gradient: vec![0.0; n],
            shift: vec![0.0; n / 3],
            lipschitz: scaled_curvature(problem),
        }
    }

    /// The shift of the velocities `u`.
    fn refresh<A: Delassus>(&mut self, problem: &ContactProblem<A>, u: &[f64]) {
        for (i, shift) in self.shift.iter_mut().enumerate() {
            *shift = problem.law(i).shifted(block_of(u, i)).x - u[3 * i];
        }
    }

    /// Solves the program with the present shift until its own residual is below `target`.
    fn inner<A: Delassus>(
        &mut self,
        run: &mut Run<'_, A>,
        r: &mut [f64],
        target: f64,
        settings: &Settings,
    ) -> ControlFlow<Status> {
        let problem = run.problem;
        let b = problem.b();
        let mut theta = 1.0f64;
        self.y.copy_from_slice(r);
        self.ay.copy_from_slice(&self.ar);
        for _ in 0..settings.inner_iterations {
            for (k, g) in self.gradient.iter_mut().enumerate() {
                let shift = if k % 3 == 0 { self.shift[k / 3] } else { 0.0 };
                *g = self.ay[k] + b[k] + shift;
            }
            self.old.copy_from_slice(r);
            self.old_ar.copy_from_slice(&self.ar);
            loop {
                self.project(problem, r);
                problem.products(r, &mut self.ar, &mut run.memory);
                // f(r) ≤ f(y) + g·(r − y) + L/2 ‖r − y‖² for a quadratic: (r − y)ᵀA(r − y) ≤ L ‖r − y‖².
                let (mut curved, mut length) = (0.0, 0.0);
                for k in 0..r.len() {
                    let d = r[k] - self.y[k];
                    curved += d * (self.ar[k] - self.ay[k]);
                    length += d * d / problem.mass(k / 3);
                }
                if curved <= self.lipschitz * length * (1.0 + 1e-9) || !curved.is_finite() {
                    break;
                }
                self.lipschitz = (2.0 * self.lipschitz).max(curved / length);
            }
            for ((u, a), b) in run.u.iter_mut().zip(&self.ar).zip(b) {
                *u = a + b;
            }
            let worst = residual::natural(problem, r, &run.u);
            run.iteration(r, worst)?;

            let next = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let mut beta = theta * (1.0 - theta) / (theta * theta + next);
            theta = next;
            for (d, (r, old)) in self.y.iter_mut().zip(r.iter().zip(&self.old)) {
                *d = r - old;
            }
            if dot(&self.gradient, &self.y) > 0.0 {
                (theta, beta) = (1.0, 0.0);
            }
            for k in 0..r.len() {
                self.y[k] = r[k] + beta * self.y[k];
                self.ay[k] = self.ar[k] + beta * (self.ar[k] - self.old_ar[k]);
            }
            self.lipschitz *= 0.97;
            let converged =
                problem.model() == Model::Coulomb && self.inner_residual(problem, r) <= target;
            if converged {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// `r = P_K(y − mass/L · gradient)`.
    fn project<A: Delassus>(&self, problem: &ContactProblem<A>, r: &mut [f64]) {
        for_each_block(r, 1024, |i, r| {
            let step = problem.mass(i) / self.lipschitz;
            let z = block_of(&self.y, i) - block_of(&self.gradient, i) * step;
            let new = if problem.is_immobile(i) { z * 0.0 } else { project_cone(problem.mu(i), z) };
            set_block(r, 0, new);
        });
    }

    /// The residual of the program, with the frozen shift.
    fn inner_residual<A: Delassus>(&self, problem: &ContactProblem<A>, r: &[f64]) -> f64 {
        let norm = |i: usize| {
            let law = ContactLaw { model: Model::Associated, ..problem.law(i) };
            let mut u = block_of(&self.ar, i) + block_of(problem.b(), i);
            u.x += self.shift[i];
            if problem.is_immobile(i) { 0.0 } else { law.natural(block_of(r, i), u).norm() }
        };
        (0..problem.contacts()).map(norm).fold(0.0, f64::max)
    }
}

/// A first guess of the curvature; backtracking corrects it.
fn scaled_curvature<A: Delassus>(problem: &ContactProblem<A>) -> f64 {
    let lightest = (0..problem.contacts()).map(|i| problem.mass(i)).fold(f64::INFINITY, f64::min);
    if lightest.is_finite() { (largest_eigenvalue(problem) * lightest).max(1.0) } else { 1.0 }
}
