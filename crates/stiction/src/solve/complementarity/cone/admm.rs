//! Alternating directions (ADMM): a linear solve for impulses without laws, a projection on the cones without
//! coupling, and multipliers that bring both together.
//!
//! One factorisation of `A + ρ/mass` serves all iterations until `ρ` changes; each then costs two triangular solves,
//! so it suits problems that are coupled too much for sweeps. Converges for the associated model; for Coulomb's law
//! the shift `μ‖u_T‖` is refreshed in every iteration, without proof. Fast to middling accuracy, then linear with a
//! rate that hangs on `ρ`, which is balanced as it goes. Needs memory for the factor.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::penalised::Penalised;
use super::projection::project_cone;
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::math::Matrix3;
use crate::solve::{Report, Status};

/// Penalty and relaxation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The first penalty, of each contact's mobility [-].
    pub penalty: f64,
    /// Over-relaxation, in [1, 2) [-].
    pub relaxation: f64,
    /// Iterations between looks at the balance of primal and dual residuals.
    pub balance_every: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { penalty: 0.1, relaxation: 1.6, balance_every: 20 }
    }
}

/// Improves the impulses `r` in place; an iteration is one solve and one projection.
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
        let mut factor = Penalised::new(problem);
        let mut rho = settings.penalty;
        if !factor.set(|i| Matrix3::identity() * (rho / problem.mass(i))) {
            return Status::Breakdown;
        }
        let n = r.len();
        // Scaled multiplier; at a solution −(ρ/mass) w is the shifted velocity.
        let mut w = vec![0.0; n];
        for i in 0..problem.contacts() {
            let shifted = problem.law(i).shifted(block_of(&run.u, i));
            set_block(&mut w, i, -shifted * (problem.mass(i) / rho));
        }
        let mut x = vec![0.0; n];
        let mut old = r.to_vec();
        loop {
            for i in 0..problem.contacts() {
                let stiffness = rho / problem.mass(i);
                let mut right =
                    (block_of(r, i) - block_of(&w, i)) * stiffness - block_of(problem.b(), i);
                // The shift of the multiplier's velocity, which is smoother than that of the impulses.
                let u = block_of(&w, i) * -stiffness;
                right.x -= problem.law(i).shifted(u).x - u.x;
                set_block(&mut x, i, right);
            }
            factor.solve_in_place(&mut x);
            old.copy_from_slice(r);
            let (mut primal, mut dual) = (0.0f64, 0.0f64);
            for i in 0..problem.contacts() {
                let before = block_of(&old, i);
                let free = block_of(&x, i);
                let relaxed = free * settings.relaxation + before * (1.0 - settings.relaxation);
                let z = relaxed + block_of(&w, i);
                let new =
                    if problem.is_immobile(i) { z * 0.0 } else { project_cone(problem.mu(i), z) };
                set_block(&mut w, i, z - new);
                set_block(r, i, new);
                let per_mass = 1.0 / problem.mass(i);
                primal = primal.max((free - new).norm() * per_mass);
                dual = dual.max((new - before).norm() * per_mass * rho);
            }
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
            if run.iterations().is_multiple_of(settings.balance_every) {
                let ratio = (primal / dual.max(f64::MIN_POSITIVE)).sqrt();
                if !(0.2..=5.0).contains(&ratio) {
                    let next = (rho * ratio.clamp(0.1, 10.0)).clamp(1e-8, 1e6);
                    w.iter_mut().for_each(|w| *w *= rho / next);
                    rho = next;
                    if !factor.set(|i| Matrix3::identity() * (rho / problem.mass(i))) {
                        break Status::Breakdown;
                    }
                }
            }
        }
    })
}
