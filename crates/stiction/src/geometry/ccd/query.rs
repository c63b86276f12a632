//! Two features in motion.

use super::patch::Patch;
use crate::math::Vector3;

/// Two features in motion, as corners at the start and at the end [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    /// Two points.
    PointPoint([[Vector3; 2]; 2]),
    /// A point, and the ends of a segment.
    PointSegment([[Vector3; 3]; 2]),
    /// A point, and the corners of a triangle.
    PointTriangle([[Vector3; 4]; 2]),
    /// The ends of one segment, and those of another.
    SegmentSegment([[Vector3; 4]; 2]),
}

impl Query {
    /// All offsets from one to the other.
    pub(super) fn patch(&self) -> Patch {
        let zero = Vector3::zeros();
        let d = match self {
            Self::PointPoint(x) => x.map(|[p, q]| [q - p, zero, zero]),
            Self::PointSegment(x) => x.map(|[p, a, b]| [a - p, b - a, zero]),
            Self::PointTriangle(x) => x.map(|[p, a, b, c]| [a - p, b - a, c - a]),
            Self::SegmentSegment(x) => x.map(|[a, b, c, d]| [a - c, b - a, c - d]),
        };
        Patch { d }
    }
}
