//! Alternating directions (ADMM): a linear solve for impulses without laws, a projection on the cones without
//! coupling, and multipliers that bring both together.
//!
//! One factorisation of `A + ρ/mass` serves all iterations until `ρ` changes; each then costs two triangular solves,
//! so it suits problems that are coupled too much for sweeps. Converges for the associated model; for Coulomb's law
//! the shift `μ‖u_T‖` is refreshed in every iteration, without proof. Linear, with a rate that hangs on `ρ`: that is
//! balanced as it goes, and the iteration `v ← G(v)` of impulses plus multipliers is accelerated (`anderson.rs`), which
//! halves the iterations of most problems and takes a fifth of those of the slow ones. Needs memory for the factor.

use std::ops::ControlFlow;

use super::super::anderson::Anderson;
use super::super::{Limits, Watch};
use super::operator::block_rows::{block_of, set_block};
use super::penalised::Penalised;
use super::projection::project_cone;
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::math::{Matrix3, Vector3};
use crate::solve::{Report, Status};

/// Penalty and relaxation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The first penalty, of each contact's mobility [-].
    pub penalty: f64,
    /// Over-relaxation, in [1, 2): without acceleration 1.6 is a good one [-].
    pub relaxation: f64,
    /// Iterations between looks at the balance of primal and dual residuals.
    pub balance_every: usize,
    /// Iterations that acceleration remembers; none without it.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { penalty: 0.1, relaxation: 1.0, balance_every: 50, memory: 10 }
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
        let (mut x, mut next) = (vec![0.0; n], vec![0.0; n]);
        // `r + w`, of which impulses are the projection and multipliers what is left over.
        let mut v: Vec<f64> = r.iter().zip(&w).map(|(r, w)| r + w).collect();
        let weights = (0..n).map(|k| problem.mass(k / 3).sqrt().recip()).collect();
        let mut anderson = Anderson::new(settings.memory, weights);
        let (mut primal, mut dual) = (0.0, 0.0);
        loop {
            // Solved for the change of impulses, whose velocities are known: what the factor does not have, because it
            // is rounding or not symmetric, then costs iterations and no digits.
            for i in 0..problem.contacts() {
                // The multiplier's velocity, which is smoother than that of the impulses; and its shift.
                let u = block_of(&w, i) * (-rho / problem.mass(i));
                set_block(&mut x, i, u * 2.0 - problem.law(i).shifted(u) - block_of(&run.u, i));
            }
            factor.solve_in_place(&mut x);
            let (mut farthest, mut longest) = (0.0f64, 0.0f64);
            for i in 0..problem.contacts() {
                let (before, change) = (block_of(r, i), block_of(&x, i));
                let z = block_of(&v, i) + change * settings.relaxation;
                set_block(&mut next, i, z);
                let new = projected(problem, i, z);
                let per_mass = 1.0 / problem.mass(i);
                farthest = farthest.max((before + change - new).norm() * per_mass);
                longest = longest.max((new - before).norm() * per_mass * rho);
            }
            primal += farthest;
            dual += longest;
            anderson.step(&mut v, &next);
            for i in 0..problem.contacts() {
                let z = block_of(&v, i);
                let new = projected(problem, i, z);
                set_block(r, i, new);
                set_block(&mut w, i, z - new);
            }
            let residual = run.evaluate(r);
            if let ControlFlow::Break(status) = run.iteration(r, residual) {
                break status;
            }
            if run.iterations().is_multiple_of(settings.balance_every) {
                let ratio = (primal / f64::max(dual, f64::MIN_POSITIVE)).sqrt();
                (primal, dual) = (0.0, 0.0);
                if !(0.2..=5.0).contains(&ratio) {
                    let other = (rho * ratio.clamp(0.1, 10.0)).clamp(1e-8, 1e6);
                    w.iter_mut().for_each(|w| *w *= rho / other);
                    v.iter_mut().zip(r.iter().zip(&w)).for_each(|(v, (r, w))| *v = r + w);
                    rho = other;
                    anderson.restart();
                    if !factor.set(|i| Matrix3::identity() * (rho / problem.mass(i))) {
                        break Status::Breakdown;
                    }
                }
            }
        }
    })
}

/// Onto the cone of a contact; nothing where nothing can move.
fn projected<A: Delassus>(problem: &ContactProblem<A>, contact: usize, z: Vector3) -> Vector3 {
    if problem.is_immobile(contact) {
        Vector3::zeros()
    } else {
        project_cone(problem.mu(contact), z)
    }
}
