//! Shapes in space: how far things are from each other, how that changes, and when they meet.
//!
//! Distances are positive outside, negative inside. Derivatives are exact and written by hand.

pub mod bvh;
pub mod ccd;
pub mod closest;
pub mod distance;
pub mod features;
pub mod implicit;
pub mod kernel;
pub mod neighbours;

mod enclosed_volume;

pub use distance::distance;
pub use enclosed_volume::{EnclosedVolume, OpenSurface, RimColumns};

use crate::math::{Matrix3, Vector3};

/// A scalar field near a point: value, first and second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The value, for a distance [m].
    pub value: f64,
    /// Its gradient, for a distance [-].
    pub gradient: Vector3,
    /// Its second derivative, for a distance [1/m].
    pub hessian: Matrix3,
}
