//! Contact and friction between bodies.

pub mod carrier;
