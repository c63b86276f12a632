//! A primal–dual interior point method for second-order cones, with Nesterov–Todd scaling.
//!
//! For the associated model: a few dozen factorisations of `A` plus a 3×3 block a contact, whatever the conditioning, and redundant
//! contacts do no harm. For Coulomb's law the shift `μ‖u_T‖` is refreshed in every iteration: no proof, works for moderate `μ`. Cannot start
//! warm: it pushes any start inside the cones first. The residual is about the root of the gap that is left, and the systems worsen as the gap
//! closes: with redundant contacts it ends near 1e-6 of the velocities, as [`Status::Stagnated`]. Finish with Newton where that is not enough.
//!
//! In `x = (μ r_N, r_T)` and `y = (ũ_N/μ, u_T)` both cones are the same, and the scaling `H` with `H y = x` gives the steps
//! `(A + H⁻¹) dx = σν x⁻¹ − (A x + b)`, `dy = A x + b + A dx − y`.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::penalised::Penalised;
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus};
use crate::math::{Matrix3, Vector3};
use crate::solve::{Report, Status};

/// Steps shorter than this lead nowhere.
const SHORTEST: f64 = 1e-5;

/// Improves the impulses `r` in place; an iteration is one factorisation.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let mut interior = Interior::new(problem, r, &run.u);
        let mut factor = Penalised::new(problem);
        loop {
            if let Err(status) = interior.step(&mut factor, run) {
                break status;
            }
            interior.impulses(r);
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
        }
    })
}

/// A contact in the coordinates where both its cones are `‖x̄‖ ≤ x₀`.
struct Contact {
    mu: f64,
    /// No tangential impulse: a half-line instead of a cone.
    frictionless: bool,
    immobile: bool,
    mass: f64,
    x: Vector3,
    y: Vector3,
    dx: Vector3,
    dy: Vector3,
}

struct Interior {
    contacts: Vec<Contact>,
    right: Vec<f64>,
    /// Velocities of the unperturbed impulses, shifted.
    shifted: Vec<f64>,
    step: Vec<f64>,
    correction: Vec<f64>,
    product: Vec<f64>,
}

impl Interior {
    fn new<A: Delassus>(problem: &ContactProblem<A>, r: &[f64], u: &[f64]) -> Self {
        let speed = crate::solve::vector::max_abs(problem.b()).max(f64::MIN_POSITIVE);
        let contact = |i: usize| {
            let (mu, mass) = (problem.mu(i), problem.mass(i));
            let frictionless = mu < 1e-9;
            let scale = if frictionless { 1.0 } else { mu };
            let r = block_of(r, i);
            let shifted = problem.law(i).shifted(block_of(u, i));
            let mut x = Vector3::new(scale * r.x, r.y, r.z);
            let mut y = Vector3::new(shifted.x / scale, shifted.y, shifted.z);
            x.x = x.x.max(x.y.hypot(x.z)) + 0.1 * mass * speed;
            y.x = y.x.max(y.y.hypot(y.z)) + 0.1 * speed;
            if frictionless {
                (x.y, x.z, y.y, y.z) = (0.0, 0.0, 0.0, 0.0);
            }
            let (dx, dy) = (Vector3::zeros(), Vector3::zeros());
            let immobile = problem.is_immobile(i);
            Contact { mu: scale, frictionless, immobile, mass, x, y, dx, dy }
        };
        let n = 3 * problem.contacts();
        Self {
            contacts: (0..problem.contacts()).map(contact).collect(),
            right: vec![0.0; n],
            shifted: vec![0.0; n],
            step: vec![0.0; n],
            correction: vec![0.0; n],
            product: vec![0.0; n],
        }
    }

    fn impulses(&self, r: &mut [f64]) {
        for (i, c) in self.contacts.iter().enumerate() {
            let r_i = if c.immobile { Vector3::zeros() } else { c.impulse(c.x) };
            set_block(r, i, r_i);
        }
    }

    /// A predictor, then a step towards the centre.
    fn step<A: Delassus>(
        &mut self,
        factor: &mut Penalised,
        run: &mut Run<'_, A>,
    ) -> Result<(), Status> {
        let problem = run.problem;
        // The run has evaluated the impulses of x.
        for i in 0..problem.contacts() {
            let law = problem.law(i);
            set_block(&mut self.shifted, i, law.shifted(block_of(&run.u, i)));
        }
        let contacts = &self.contacts;
        if !factor.set(|i| contacts[i].own_block()) {
            return Err(Status::Breakdown);
        }
        let gap = self.gap();
        self.direction(factor, run, 0.0);
        let reach = self.reach(1.0);
        // Not below a twentieth: there is no second-order correction that would keep contacts centred.
        let sigma = (1.0 - reach).powi(3).clamp(0.05, 1.0);
        self.direction(factor, run, sigma * gap);
        let length = self.reach(0.95);
        if length < SHORTEST {
            return Err(Status::Stagnated);
        }
        for c in &mut self.contacts {
            c.x += c.dx * length;
            c.y += c.dy * length;
        }
        let finite = |c: &Contact| c.x.iter().chain(c.y.iter()).all(|v| v.is_finite());
        if self.contacts.iter().all(finite) { Ok(()) } else { Err(Status::NotFinite) }
    }

    /// Mean of `xᵀy` over contacts.
    fn gap(&self) -> f64 {
        let count = self.contacts.len().max(1) as f64;
        self.contacts.iter().map(|c| c.x.dot(&c.y)).sum::<f64>() / count
    }

    fn direction<A: Delassus>(&mut self, factor: &Penalised, run: &mut Run<'_, A>, centre: f64) {
        for (i, c) in self.contacts.iter().enumerate() {
            // In impulses: Tᵀ times the right-hand side in x.
            let right = c.inverse_x() * centre;
            let right = c.dual(right) - block_of(&self.shifted, i);
            let right = if c.frictionless { Vector3::new(right.x, 0.0, 0.0) } else { right };
            set_block(&mut self.right, i, if c.immobile { Vector3::zeros() } else { right });
        }
        self.step.fill(0.0);
        self.product.fill(0.0);
        // Solved, then refined: the systems are nearly singular towards the end.
        for _ in 0..3 {
            for (i, c) in self.contacts.iter().enumerate() {
                let own = c.own_block() * block_of(&self.step, i);
                let left = block_of(&self.right, i) - block_of(&self.product, i) - own;
                set_block(&mut self.correction, i, left);
            }
            factor.solve_in_place(&mut self.correction);
            crate::solve::vector::add_scaled(&mut self.step, 1.0, &self.correction);
            run.problem.products(&self.step, &mut self.product, &mut run.memory);
        }
        for (i, c) in self.contacts.iter_mut().enumerate() {
            let step = block_of(&self.step, i);
            let new = block_of(&self.shifted, i) + block_of(&self.product, i);
            c.dx = Vector3::new(c.mu * step.x, step.y, step.z);
            c.dy = Vector3::new(new.x / c.mu, new.y, new.z) - c.y;
            if c.frictionless {
                (c.dx.y, c.dx.z, c.dy.y, c.dy.z) = (0.0, 0.0, 0.0, 0.0);
            }
            if c.immobile {
                (c.dx, c.dy) = (Vector3::zeros(), Vector3::zeros());
            }
        }
    }

    /// The longest step, at most one, that goes only a `part` of the way to any boundary.
    fn reach(&self, part: f64) -> f64 {
        let one = |c: &Contact| to_boundary(c.x, c.dx).min(to_boundary(c.y, c.dy));
        (part * self.contacts.iter().map(one).fold(f64::INFINITY, f64::min)).min(1.0)
    }
}

impl Contact {
    fn impulse(&self, x: Vector3) -> Vector3 {
        Vector3::new(x.x / self.mu, x.y, x.z)
    }

    /// From `y` to the velocity it stands for.
    fn dual(&self, y: Vector3) -> Vector3 {
        Vector3::new(self.mu * y.x, y.y, y.z)
    }

    /// `x⁻¹` of the Jordan algebra.
    fn inverse_x(&self) -> Vector3 {
        Vector3::new(self.x.x, -self.x.y, -self.x.z) / determinant(self.x)
    }

    /// `H⁻¹` in impulses.
    fn own_block(&self) -> Matrix3 {
        if self.immobile || self.frictionless {
            let normal = if self.immobile { 1e9 / self.mass } else { self.y.x / self.x.x };
            return Matrix3::from_diagonal(&Vector3::new(normal, 1e9 / self.mass, 1e9 / self.mass));
        }
        let (dx, dy) = (determinant(self.x), determinant(self.y));
        let (x, y) = (self.x / dx.sqrt(), self.y / dy.sqrt());
        let gamma = (0.5 * (1.0 + x.dot(&y))).sqrt();
        // J w̄, so that this is H⁻¹ and not H.
        let w = Vector3::new(x.x + y.x, y.y - x.y, y.z - x.z) / (2.0 * gamma);
        let mut inverse = w * w.transpose() * 2.0;
        inverse[(0, 0)] -= 1.0;
        inverse[(1, 1)] += 1.0;
        inverse[(2, 2)] += 1.0;
        inverse *= (dy / dx).sqrt();
        let scale = Matrix3::from_diagonal(&Vector3::new(self.mu, 1.0, 1.0));
        scale * inverse * scale + Matrix3::identity() * (1e-13 / self.mass)
    }
}

/// `x₀² − ‖x̄‖²`, kept above what rounding makes of a boundary point.
fn determinant(x: Vector3) -> f64 {
    let length = x.y.hypot(x.z);
    ((x.x - length) * (x.x + length)).max(1e-28 * x.x * x.x)
}

/// How many steps `d` lead from `x` to the boundary of the cone.
fn to_boundary(x: Vector3, d: Vector3) -> f64 {
    // det(x + t d) = a t² + 2 b t + c
    let a = d.x * d.x - d.y * d.y - d.z * d.z;
    let b = x.x * d.x - x.y * d.y - x.z * d.z;
    let c = determinant(x);
    let discriminant = b * b - a * c;
    let mut reach = f64::INFINITY;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for t in [q / a, c / q] {
            if t > 0.0 {
                reach = reach.min(t);
            }
        }
    }
    if d.x < 0.0 { reach.min(-x.x / d.x) } else { reach }
}
