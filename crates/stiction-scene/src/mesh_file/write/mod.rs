//! Mesh files out. Under construction.
pub(crate) mod numbers;
pub(crate) mod obj;
pub(crate) mod ply;
pub(crate) mod vtu;
pub use numbers::Precision;
