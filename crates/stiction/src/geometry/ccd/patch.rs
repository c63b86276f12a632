//! What lies between two features in motion: a flat patch of offsets.
//!
//! All offsets from one feature to the other are $F(t,u,v) = D_0(t) + u D_1(t) + v D_2(t)$, each `D` affine in `t`
//! (`docs/theory/geometry.md`, "Continuous collision"). They touch when the origin lies in the patch. Offsets
//! are formed first of all, so that rounding is small beside the features, wherever in space they are.

use crate::geometry::closest;
use crate::math::Vector3;

/// Offsets at the start and at the end of the motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) d: [[Vector3; 3]; 2],
}

impl Patch {
    /// At a time from zero to one.
    pub(super) fn at(&self, t: f64) -> [Vector3; 3] {
        let [start, end] = &self.d;
        [0, 1, 2].map(|k| start[k] + (end[k] - start[k]) * t)
    }

    /// What no coordinate of a patch exceeds at any time; NaN or infinite if anything is.
    pub(super) fn bound(&self) -> Vector3 {
        // Not the larger of the two: it would drop NaN.
        self.d.iter().flatten().fold(Vector3::zeros(), |sum, d| sum + d.abs())
    }

    /// The same in other units.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        self.map(|d| d.map(|d| d * factor))
    }

    fn map(&self, f: impl Fn(&[Vector3; 3]) -> [Vector3; 3]) -> Self {
        Self { d: [f(&self.d[0]), f(&self.d[1])] }
    }
}

/// Over which `(u, v)` a patch extends.
pub(super) trait Domain {
    /// The point nearest to the origin.
    fn nearest(d: &[Vector3; 3]) -> Vector3;

    /// Values of a linear function at the corners, given its values for `D0`, `D1`, `D2`.
    fn corners(g: [f64; 3]) -> [f64; 4];

    /// Two halves, across the direction in which a linear function changes most; nothing if it changes by less than
    /// `least`.
    fn halves(patch: &Patch, g: [f64; 3], least: f64) -> Option<[Patch; 2]>;
}

/// `u, v ≥ 0`, `u + v ≤ 1`: a point and a triangle.
pub(super) struct Triangle;
/// `0 ≤ u, v ≤ 1`: two segments.
pub(super) struct Square;
/// `0 ≤ u ≤ 1`, `D2 = 0`: a point and a segment.
pub(super) struct Line;
/// `D1 = D2 = 0`: two points.
pub(super) struct Dot;

impl Domain for Triangle {
    fn nearest(d: &[Vector3; 3]) -> Vector3 {
        let corners = [d[0], d[0] + d[1], d[0] + d[2]];
        let [_, u, v] = closest::weights_on_triangle(&corners, Vector3::zeros());
        d[0] + d[1] * u + d[2] * v
    }

    fn corners(g: [f64; 3]) -> [f64; 4] {
        [g[0], g[0] + g[1], g[0] + g[2], g[0]]
    }

    fn halves(patch: &Patch, g: [f64; 3], least: f64) -> Option<[Patch; 2]> {
        let change = [g[1].abs(), g[2].abs(), (g[2] - g[1]).abs()];
        let most = change[0].max(change[1]).max(change[2]);
        if most < least {
            return None;
        }
        Some(if change[0] >= most {
            [
                patch.map(|d| [d[0], d[1] * 0.5, d[2]]),
                patch.map(|d| [d[0] + d[1] * 0.5, d[1] * 0.5, d[2] - d[1] * 0.5]),
            ]
        } else if change[1] >= most {
            [
                patch.map(|d| [d[0], d[1], d[2] * 0.5]),
                patch.map(|d| [d[0] + d[2] * 0.5, d[1] - d[2] * 0.5, d[2] * 0.5]),
            ]
        } else {
            [
                patch.map(|d| [d[0], d[1], (d[1] + d[2]) * 0.5]),
                patch.map(|d| [d[0], (d[1] + d[2]) * 0.5, d[2]]),
            ]
        })
    }
}

impl Domain for Square {
    fn nearest(d: &[Vector3; 3]) -> Vector3 {
        let [u, v] = closest::places(d[1], -d[2], d[0]);
        d[0] + d[1] * u + d[2] * v
    }

    fn corners(g: [f64; 3]) -> [f64; 4] {
        [g[0], g[0] + g[1], g[0] + g[2], g[0] + g[1] + g[2]]
    }

    fn halves(patch: &Patch, g: [f64; 3], least: f64) -> Option<[Patch; 2]> {
        let k = if g[1].abs() >= g[2].abs() { 1 } else { 2 };
        (g[k].abs() >= least).then(|| cut(patch, k))
    }
}

impl Domain for Line {
    fn nearest(d: &[Vector3; 3]) -> Vector3 {
        d[0] + d[1] * closest::place(d[1], -d[0])
    }

    fn corners(g: [f64; 3]) -> [f64; 4] {
        [g[0], g[0] + g[1], g[0], g[0]]
    }

    fn halves(patch: &Patch, g: [f64; 3], least: f64) -> Option<[Patch; 2]> {
        (g[1].abs() >= least).then(|| cut(patch, 1))
    }
}

impl Domain for Dot {
    fn nearest(d: &[Vector3; 3]) -> Vector3 {
        d[0]
    }

    fn corners(g: [f64; 3]) -> [f64; 4] {
        [g[0]; 4]
    }

    fn halves(_: &Patch, _: [f64; 3], _: f64) -> Option<[Patch; 2]> {
        None
    }
}

/// Across `D1` or `D2`.
fn cut(patch: &Patch, k: usize) -> [Patch; 2] {
    let half = |forward: f64| {
        patch.map(|d| {
            let mut d = *d;
            d[k] *= 0.5;
            d[0] += d[k] * forward;
            d
        })
    };
    [half(0.0), half(1.0)]
}
