//! How far impulses are from a solution: one measure for all solvers, and others to compare with.
//!
//! The measure is the natural map of de Saxcé's form, contact by contact, the largest of all:
//!
//! ```text
//! residual = max_i ‖r_i/ρ_i − P_K(r_i/ρ_i − ũ_i)‖,   ρ_i = 3 / tr(A_ii + C_ii)
//! ```
//!
//! It is a velocity: dividing impulses by the contact's own mass `ρ_i` makes it the same whether masses are in grams or
//! tonnes. It vanishes exactly at solutions, and bounds how fast a contact penetrates.

use super::operator::block_rows::block_of;
use super::{ContactProblem, Delassus, Map};

/// The largest norm of a map over all contacts, given impulses and the velocities they make.
///
/// Contacts that nothing can move are left out: no impulse makes them better or worse, see [`infeasibility`].
pub fn residual<A: Delassus>(problem: &ContactProblem<A>, map: Map, r: &[f64], u: &[f64]) -> f64 {
    let norm = |i: usize| {
        if problem.is_immobile(i) {
            return 0.0;
        }
        map.value(&problem.law(i), block_of(r, i), block_of(u, i)).norm_squared()
    };
    // Not `f64::max`: it drops NaN, and a broken solve would look converged.
    let larger = |worst: f64, e: f64| if e > worst || e.is_nan() { e } else { worst };
    (0..problem.contacts()).map(norm).fold(0.0, larger).sqrt()
}

/// The measure that solvers stop by.
pub fn natural<A: Delassus>(problem: &ContactProblem<A>, r: &[f64], u: &[f64]) -> f64 {
    residual(problem, Map::Natural, r, u)
}

/// `½ Σ ‖map‖²` over all contacts: what Newton's method decreases.
pub fn merit<A: Delassus>(problem: &ContactProblem<A>, map: Map, r: &[f64], u: &[f64]) -> f64 {
    let half =
        |i: usize| 0.5 * map.value(&problem.law(i), block_of(r, i), block_of(u, i)).norm_squared();
    (0..problem.contacts()).filter(|&i| !problem.is_immobile(i)).map(half).sum()
}

/// The kinetic energy that impulses add, `½ rᵀ(u + b)`: never positive for a solution.
pub fn work<A: Delassus>(problem: &ContactProblem<A>, r: &[f64], u: &[f64]) -> f64 {
    r.iter().zip(u).zip(problem.b()).map(|((r, u), b)| 0.5 * r * (u + b)).sum()
}

/// The fastest approach of a contact that no impulse can move: if positive, there is no solution.
pub fn infeasibility<A: Delassus>(problem: &ContactProblem<A>) -> f64 {
    let approach = |i: usize| if problem.is_immobile(i) { -problem.b()[3 * i] } else { 0.0 };
    (0..problem.contacts()).map(approach).fold(0.0, f64::max)
}
