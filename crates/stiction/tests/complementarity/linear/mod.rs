//! Linear complementarity: spec vectors, solvers against each other, and what may go wrong.

mod everyone;
mod exact;
mod scenes;
mod sweeps;
mod trouble;
mod vectors;
