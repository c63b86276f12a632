//! Coulomb friction with its exact cone.
//!
//! A [`ContactProblem`] holds an operator in one of its [forms](operator), free velocities, and a [`Law`] for each
//! contact. Every solver improves given impulses in place, stops by the same [`residual`], and returns a
//! [`Report`](super::super::Report).
//!
//! | solver | per iteration | best for | fails for |
//! |---|---|---|---|
//! | [`default`] | sweeps, then factorisations | not having to choose | some large walls with `μ ≥ 1` |
//! | [`gauss_seidel`] | one sweep | few digits, many contacts, any start | tall stacks, heavy on light |
//! | [`nncg`] | one sweep | the same to more digits | large mass ratios |
//! | [`newton`] | one factorisation | stacks, mass ratios, full accuracy | packings, walls |
//! | [`apgd`] | one product | many contacts, the associated model, no factorisation | large mass ratios, large `μ` |
//! | [`admm`] | two triangular solves | the associated model | large `μ` |
//! | [`interior_point`] | one factorisation | the associated model, badly conditioned | large `μ`; the last digits where nothing moves |
//! | [`jacobi`], [`prox`] | one product or sweep | comparison; `prox` needs no local solver | as Gauss–Seidel, sooner |
//! | [`staggering`] | sweeps in both halves | comparison | strong friction |
//! | [`shock`] | sweeps by layer | piles with known layers | |
//!
//! [`Solver`] names them all.

pub mod admm;
pub mod apgd;
pub mod default;
#[doc(alias("NSGS", "PGS", "block Gauss-Seidel"))]
pub mod gauss_seidel;
pub mod interior_point;
pub mod jacobi;
pub mod maps;
pub mod newton;
pub mod nncg;
pub mod one_contact;
pub mod operator;
pub mod problem;
pub mod projection;
#[doc(alias("proximal point"))]
pub mod prox;
pub mod residual;
#[doc(alias("shock propagation"))]
pub mod shock;
pub mod staggering;
pub mod stretch;

mod continuation;
mod law;
mod ordering;
mod penalised;
mod run;
mod solver;

pub use super::newton::Linearised;
pub use law::{Law, Model};
pub use maps::{ContactLaw, Map};
pub use one_contact::LocalSolver;
pub use operator::{Assembled, BlockRows, Delassus, Factorised, MassJacobian};
pub use ordering::Order;
pub use problem::{ContactProblem, ProblemError};
pub use solver::Solver;
pub use stretch::Stretch;
