//! Complementarity solvers: the vectors of the literature, each other, and bad situations; linear and nonlinear
//! solvers.

mod cone;
mod limit;
mod linear;
#[path = "../solve/mod.rs"]
mod solve;
