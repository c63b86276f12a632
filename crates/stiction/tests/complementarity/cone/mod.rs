//! Coulomb problems with exact cones.

mod bad;
mod one_contact;
mod prox;
mod solvers;
pub mod problems;
