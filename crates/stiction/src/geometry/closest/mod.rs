//! Closest points of two simple things, and which of their features they lie on.
//!
//! | function | between |
//! |---|---|
//! | [`closest_point_point`] | two points |
//! | [`closest_point_segment`] | a point and a segment |
//! | [`closest_point_triangle`] | a point and a triangle |
//! | [`closest_segment_segment`] | two segments |
//! | [`places_near_circle`] | a segment and a circle: all places that are nearer than those beside them |
//! | [`SquaredDistance`] | a point and a triangle, two segments: with derivatives |
//!
//! Weights are exactly zero for corners that the closest point does not depend on, so that they name the feature.
//! Degenerate things are what they look like: a triangle without area is its edges, a segment without length a point.
//! Of points equally near (parallel segments) one is chosen, always the same.

mod circle_segment;
mod mollifier;
mod point_segment;
mod point_triangle;
mod segment_segment;
mod squared;

pub use circle_segment::{Circle, places_near_circle};
pub use mollifier::{Mollifier, mollifier_threshold, mollifier_value};
pub use point_segment::closest_point_segment;
pub(crate) use point_segment::place;
pub use point_triangle::{closest_point_triangle, weights_on_triangle};
pub use segment_segment::closest_segment_segment;
pub(crate) use segment_segment::places;
pub use squared::SquaredDistance;

use crate::math::Vector3;

/// The closest points of A, with `M` corners, and B, with `N`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest<const M: usize, const N: usize> {
    /// Weights of the corners of A; they add up to one.
    pub weights_a: [f64; M],
    /// Weights of the corners of B; they add up to one.
    pub weights_b: [f64; N],
    /// From the closest point of B to the closest point of A [m].
    pub offset: Vector3,
}

impl<const M: usize, const N: usize> Closest<M, N> {
    fn new(a: &[Vector3; M], b: &[Vector3; N], weights_a: [f64; M], weights_b: [f64; N]) -> Self {
        Self { weights_a, weights_b, offset: blend(a, &weights_a) - blend(b, &weights_b) }
    }

    /// Square of the distance [m²].
    pub fn distance_sq(&self) -> f64 {
        self.offset.norm_squared()
    }

    /// The feature of A that the closest point lies on.
    pub fn part_a(&self) -> Part {
        Part::of(&self.weights_a)
    }

    /// The feature of B that the closest point lies on.
    pub fn part_b(&self) -> Part {
        Part::of(&self.weights_b)
    }
}

/// A feature of a point, segment or triangle, by its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A corner.
    Vertex(usize),
    /// Between two corners, the lower first.
    Edge(usize, usize),
    /// Inside a triangle.
    Face,
}

impl Part {
    /// The corners whose weights are not zero.
    pub fn of(weights: &[f64]) -> Self {
        let mut used = (0..weights.len()).filter(|&k| weights[k] > 0.0);
        match (used.next(), used.next(), used.next()) {
            (Some(i), Some(j), None) => Self::Edge(i, j),
            (Some(_), Some(_), Some(_)) => Self::Face,
            (first, ..) => Self::Vertex(first.unwrap_or(0)),
        }
    }
}

/// The closest points of two points.
pub fn closest_point_point(a: Vector3, b: Vector3) -> Closest<1, 1> {
    Closest { weights_a: [1.0], weights_b: [1.0], offset: a - b }
}

fn blend<const N: usize>(points: &[Vector3; N], weights: &[f64; N]) -> Vector3 {
    // From the corner that weighs most: far from the origin, sums of shares would lose digits.
    let main = (1..N).fold(0, |best, k| if weights[k] > weights[best] { k } else { best });
    (0..N).filter(|&k| k != main).fold(points[main], |sum, k| {
        if weights[k] == 0.0 { sum } else { sum + (points[k] - points[main]) * weights[k] }
    })
}
