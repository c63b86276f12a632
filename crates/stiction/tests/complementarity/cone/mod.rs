//! Coulomb problems with exact cones.

mod bad;
mod one_contact;
pub(crate) mod problems;
mod prox;
mod solvers;
