//! What checks `stiction`: finite differences, analytic solutions, problem generators.
//!
//! Everything here is slow and simple on purpose. Nothing in the library depends on it; tests and
//! benches do.
#![allow(rustdoc::broken_intra_doc_links, reason = "units [m] and citations [TG70] are not links")]

pub mod analytic;
pub mod collection;
pub mod dense;
pub mod differences;
pub mod folded;
pub mod matrices;
pub mod monitors;
pub mod python;
pub mod scenes;
pub mod shapes;
pub mod stacks;
