//! `stiction` simulates things that touch, slide and stick.
//!
//! The library is pure computation: no files, no clock, no printing. SI units and `f64` throughout.

pub mod assembly;
pub mod element;
pub mod energy;
pub mod material;
pub mod math;
pub mod mesh;
pub mod solve;
pub mod step;
