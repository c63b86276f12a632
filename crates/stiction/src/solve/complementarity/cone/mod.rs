//! Coulomb friction with its exact cone.

pub mod admm;
pub mod apgd;
pub mod default;
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
pub mod prox;
pub mod residual;
pub mod shock;
pub mod staggering;

mod law;
mod ordering;
mod penalised;
mod run;
mod solver;

pub use law::{Law, Model};
pub use maps::{ContactLaw, Linearised, Map};
pub use one_contact::LocalSolver;
pub use operator::{Assembled, BlockRows, Delassus, Factorised, MassJacobian};
pub use ordering::Order;
pub use problem::{ContactProblem, ProblemError};
pub use solver::Solver;
