//! Linear and nonlinear solvers against dense twins.

mod direct;
mod krylov;
mod low_rank;
mod minimise;
mod newton;
