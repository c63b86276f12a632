//! Whether triangles in space share points: exactly, without a tolerance.
//!
//! ```
//! use stiction::geometry::intersection::{Meeting, meeting};
//! use stiction::math::Vector3;
//!
//! let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(Vector3::from);
//! let spike = |tip: f64| [[1.0, 1.0, tip], [1.0, 2.0, 1.0], [2.0, 1.0, 1.0]].map(Vector3::from);
//! assert_eq!(meeting(&floor, &spike(1e-300)), Some(Meeting::Touching));
//! assert_eq!(meeting(&floor, &spike(1e-30)), Some(Meeting::Apart));
//! assert_eq!(meeting(&floor, &spike(-1e-30)), Some(Meeting::Crossing));
//! ```
//!
//! Two triangles **cross** if their interiors, without edges and corners, share a point: an edge of one passes
//! through the interior of the other, or they lie in one plane and overlap. They **touch** if they share points but
//! do not cross. A triangle without area is a segment or a point: a segment crosses a triangle if it passes through
//! its interior from one side to the other, and everything else only touches.
//!
//! Triangles of one mesh share corners, by number. What they share does not count; they cross by the same rule, when
//! one is folded through the other, and touch where a corner or an edge that is not shared meets the other triangle.
//! Triangles with the same three corners are apart.
//!
//! # Exact signs
//!
//! Everything is decided by signs of determinants, which [`robust`] finds exactly, with as many digits as it takes
//! [She97]. Products of three coordinates must neither overflow nor lose digits at the low end. So coordinates are
//! first brought near one, if need be, by a power of two, and what is smaller than 2⁻³⁰⁰ (10⁻⁹⁰) then counts as zero:
//! answers are exact for all coordinates that are zero or span no more than sixty orders of magnitude.
//!
//! [`crossings`] finds all pairs of triangles of meshes that cross. Neighbours in a flat sheet lie in one plane but
//! for rounding, where determinants in space need all of their digits; a line in the projection along the normal
//! separates nearly all of them first.
//!
//! She97: Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates*, Discrete &
//! Computational Geometry 18, 1997. The order of intervals is that of Guigue, Devillers, *Fast and Robust
//! Triangle-Triangle Overlap Test Using Orientation Predicates*, Journal of Graphics Tools 8, 2003.

mod cross;
mod meshes;
mod sign;
mod touch;

pub use meshes::{NotFinite, crossings};

use self::cross::Shared;
use self::sign::Scale;
use crate::math::Vector3;

/// What two triangles have in common; see [the module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meeting {
    /// No point.
    Apart,
    /// Points, but none that is inside of both.
    Touching,
    /// Points inside of both: one passes through the other, or they overlap in a plane.
    Crossing,
}

/// How two triangles meet that share no corner by number; nothing if a coordinate is not finite.
pub fn meeting(a: &[Vector3; 3], b: &[Vector3; 3]) -> Option<Meeting> {
    let scale = Scale::of(a.iter().chain(b))?;
    let [a, b] = [a, b].map(|corners| corners.map(|x| scale.apply(&x)));
    Some(decide(&a, &b, Shared::default()))
}

/// How two triangles of a mesh meet beside what they share; nothing if a coordinate of theirs is not finite.
///
/// # Panics
/// When a corner is not among the points.
pub fn meeting_of(points: &[Vector3], a: [u32; 3], b: [u32; 3]) -> Option<Meeting> {
    let shared = Shared::of(&a, &b);
    let [a, b] = [a, b].map(|corners| corners.map(|v| points[v as usize]));
    let scale = Scale::of(a.iter().chain(&b))?;
    let [a, b] = [a, b].map(|corners| corners.map(|x| scale.apply(&x)));
    Some(decide(&a, &b, shared))
}

fn decide(a: &[Vector3; 3], b: &[Vector3; 3], shared: Shared) -> Meeting {
    if cross::crosses(a, b, shared) {
        Meeting::Crossing
    } else if touch::touches(a, b, shared) {
        Meeting::Touching
    } else {
        Meeting::Apart
    }
}
