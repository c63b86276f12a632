//! Shapes in space: how far a point is from a surface, and how that changes.
//!
//! Distances are positive outside, negative inside. Derivatives are exact and written by hand.

pub mod distance;
pub mod implicit;
pub mod kernel;
pub mod manifold;
pub mod neighbours;
pub mod shape;

mod enclosed_volume;
mod pose;

pub use distance::distance;
pub use enclosed_volume::{EnclosedVolume, OpenSurface, RimColumns};
pub use pose::Pose;

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
