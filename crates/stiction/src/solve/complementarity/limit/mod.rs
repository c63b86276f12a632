//! Contacts with any limit surface: friction that depends on direction, torsion, rolling.
//!
//! A [`LimitProblem`] is a [contact problem](super::cone) whose contacts may have six rows instead of three, and
//! whose friction lies in the ellipsoids of a [`LimitSurface`]. The law of each contact: the normal impulse pushes or
//! the contact opens; of all that friction can do under that normal impulse, it does what takes most energy, unless
//! nothing moves.
//!
//! | solver | per iteration | best for | fails for |
//! |---|---|---|---|
//! | [`Solver::Default`] | accelerated sweeps, interior points and Newton by turns | not having to choose | |
//! | [`Solver::GaussSeidel`] | a sweep, each contact solved on its own | any start, many contacts | tall stacks, heavy on light |
//! | [`Solver::Nncg`] | the same, with conjugate directions | the same to more digits | as Gauss–Seidel, later |
//! | [`Solver::ProxGaussSeidel`] | a sweep of proximal steps | comparison | as Gauss–Seidel, sooner |
//! | [`Solver::ProxJacobi`] | one product | comparison | as Gauss–Seidel, much sooner |
//! | [`Solver::Newton`] | one factorisation, over velocities of bodies if the operator knows them | full accuracy | heaps that move; some hundred contacts of soft bodies |
//! | [`Solver::InteriorPoint`] | one factorisation | heaps that come to rest, from anywhere | warm starts; surfaces that depend on signs: those are left to Newton |
//!
//! Where all contacts are discs or ellipses, [`cone`](super::cone) has more solvers, and faster ones.

pub mod ellipsoid;
pub mod implicit;
pub mod problem;
pub mod surface;

mod bodies;
mod default;
mod interior_point;
mod local;
mod newton;
mod solver;
mod sweep;

pub use problem::LimitProblem;
pub use solver::Solver;
pub use surface::LimitSurface;
