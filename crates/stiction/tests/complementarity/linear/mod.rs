//! Linear complementarity: known vectors (`docs/theory/reference-values.md`), solvers against each other, and what
//! may go wrong.

mod everyone;
mod exact;
mod scenes;
mod sweeps;
mod trouble;
mod vectors;
