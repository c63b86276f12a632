//! Linear complementarity, with and without boxes.

mod active_step;
mod bounds;
mod choice;
mod contacts;
mod elimination;
mod factor;
mod free_set;
mod frozen;
mod matrix;
mod monitor;
mod order;
mod pivots;
mod polyhedral;
mod problem;
mod rows;
mod solver;

pub mod block_principal;
pub mod conjugate;
pub mod gauss_seidel;
pub mod incremental;
pub mod interior_point;
pub mod jacobi;
pub mod layers;
pub mod lemke;
pub mod newton;
pub mod principal;
pub mod residual;
pub mod staggering;
pub mod subspace;

pub use bounds::{Bounds, Tie};
pub use choice::{plan, solve};
pub use contacts::{BoxFriction, ContactRows, Entries};
pub use matrix::Matrix;
pub use order::Order;
pub use polyhedral::{Polyhedral, PolyhedralError};
pub use problem::{LinearProblem, ProblemError};
pub use rows::Rows;
pub use solver::Solver;
