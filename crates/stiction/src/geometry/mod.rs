//! Shapes in space: how far things are from each other, how that changes, and when they meet.
//!
//! Distances are positive outside, negative inside. Derivatives are exact and written by hand.

pub mod bvh;
#[doc(alias("continuous collision detection"))]
pub mod ccd;
pub mod closed_surface;
pub mod closest;
pub mod distance;
pub mod distance_grid;
pub mod features;
pub mod field_contact;
pub mod implicit;
pub mod intersection;
pub mod kernel;
pub mod manifold;
pub mod neighbours;
pub mod region;
pub mod shape;
pub(crate) mod wedge;

mod enclosed_volume;
mod pose;
mod triangle_tree;
mod winding;

pub use closed_surface::ClosedSurface;
pub use distance::distance;
pub use distance_grid::DistanceGrid;
pub use enclosed_volume::{EnclosedVolume, OpenSurface, RimColumns};
pub use pose::Pose;
pub use winding::WindingNumber;

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
