//! Contacts with any limit surface: friction that depends on direction, torsion, rolling.
//!
//! A [`LimitProblem`] is a [contact problem](super::cone) whose contacts may have six rows instead of three, and whose friction lies in the
//! ellipsoids of a [`LimitSurface`]. The law of each contact: the normal impulse pushes or the contact opens; of all that friction can do under that normal
//! impulse, it does what takes most energy, unless nothing moves.
//!
//! | solver | per iteration | best for | fails for |
//! |---|---|---|---|
//! | [`Solver::Default`] | sweeps, then Newton where contacts are few | not having to choose | |
//! | [`Solver::GaussSeidel`] | a sweep, each contact solved on its own | any start, many contacts | tall stacks, heavy on light |
//! | [`Solver::ProxGaussSeidel`] | a sweep of proximal steps | comparison | as Gauss–Seidel, sooner |
//! | [`Solver::ProxJacobi`] | one product | comparison | as Gauss–Seidel, much sooner |
//! | [`Solver::Newton`] | one dense factorisation | few contacts, full accuracy | more than some hundred contacts |
//!
//! Where all contacts are discs or ellipses, [`cone`](super::cone) has more solvers, and faster ones.

pub mod ellipsoid;
pub mod implicit;
pub mod problem;
pub mod surface;

mod local;
mod newton;
mod solver;
mod sweep;

pub use problem::LimitProblem;
pub use solver::Solver;
pub use surface::LimitSurface;
