//! What checks `stiction`: finite differences, analytic solutions, problem generators.
//!
//! Everything here is slow and simple on purpose. Nothing in the library depends on it; tests and
//! benches do.

pub mod differences;
pub mod monitors;
