//! Coulomb problems with exact cones.

mod bad;
mod elliptic;
mod large;
mod one_contact;
mod oracle;
pub(crate) mod problems;
mod prox;
mod solvers;
mod survey;
