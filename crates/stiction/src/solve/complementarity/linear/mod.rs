//! Linear complementarity: `u = A x + b`, bounds on `x`, and `u` that vanishes where `x` is between them.
//!
//! A [`LinearProblem`] is a [`Matrix`] (dense, sparse, or `J M⁻¹ Jᵀ` that is never assembled), velocities without
//! impulses, and [`Bounds`], fixed or tied to other unknowns. [`ContactRows`] makes one from contacts and joints with
//! friction in a box; [`Polyhedral`] turns boxes into polygons. [`solve`] takes a method that fits; all of them:
//!
//! | method | in | exact | needs | for |
//! |---|---|---|---|---|
//! | Lemke | [`lemke`] | yes | dense | polyhedral friction, any matrix; proof that there is no solution |
//! | incremental | [`incremental`] | yes | dense, symmetric | small problems; proof that there is no solution |
//! | principal pivoting | [`principal`] | yes | dense, symmetric | warm starts |
//! | block principal pivoting | [`block_principal`] | yes | dense, symmetric | up to some thousand rows |
//! | interior point | [`interior_point`] | to a hair | dense | awful masses, no warm start |
//! | Newton | [`newton`] | yes | dense | bounds that move; near a solution |
//! | Gauss–Seidel, over-relaxed, in any order | [`gauss_seidel`] | no | rows | anything large and tame |
//! | Jacobi | [`jacobi`] | no | rows | many processors |
//! | layers | [`layers`] | no | rows, heights | tall stacks |
//! | conjugate | [`conjugate`] | no | rows | large, heavy on light |
//! | subspace | [`subspace`] | yes | dense, symmetric | joints |
//! | staggering | [`staggering`] | if it ends | dense | light friction |
//! | splitting | [`implicit`] | no | rows of an operator | soft bodies without a factor |
//!
//! ```
//! use nalgebra::DMatrix;
//! use stiction::solve::complementarity::Limits;
//! use stiction::solve::complementarity::linear::{self, BoxFriction, ContactRows};
//!
//! // A particle of one kilogram falls onto the ground and slides along it: velocities are (up, along, across).
//! let mut rows = ContactRows::new(vec![-1.0, 3.0, 0.0]);
//! rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]], 0.0, BoxFriction::isotropic(0.5));
//! let problem = rows.build(&[DMatrix::identity(3, 3)])?;
//! let mut x = vec![0.0; problem.len()];
//! let report = linear::solve(&problem, &mut x, &Limits { tolerance: 1e-10, iterations: 1000 }, &mut ());
//! assert!(report.converged());
//! assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] + 0.5).abs() < 1e-9); // stopped by the ground, slowed by half of that
//! # Ok::<(), linear::ProblemError>(())
//! ```
//!
//! The residual of all is the natural one ([`residual::natural`]), in units of velocity, and is looked at after every
//! iteration.

mod active_step;
mod bounds;
mod boxed;
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
#[doc(alias("NNCG"))]
pub mod conjugate;
#[doc(alias("PGS", "PSOR", "projected Gauss-Seidel"))]
pub mod gauss_seidel;
#[doc(alias("iterative constraint anticipation", "ICA"))]
pub mod implicit;
#[doc(alias("Dantzig", "Baraff"))]
pub mod incremental;
pub mod interior_point;
pub mod jacobi;
#[doc(alias("shock propagation"))]
pub mod layers;
pub mod lemke;
#[doc(alias("minimum map", "Fischer-Burmeister", "NCP"))]
pub mod newton;
#[doc(alias("Murty", "Bard"))]
pub mod principal;
pub mod residual;
pub mod staggering;
#[doc(alias("PGS-SM"))]
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
