//! Rims of cylinders against triangles.
//!
//! A rim touches a triangle with its farthest point into it: for a normal `n` of the triangle, and with the part of it
//! across the axis,
//!
//! $$ x = c - R \frac{n_\perp}{|n_\perp|} $$
//!
//! which is a corner that moves around the rim. A cap that lies flat has no such point; it stands on points that stay
//! where they are (`corners.rs`). Edges of triangles meet the rim where the two are nearer than beside
//! ([`places_near_circle`]): as an edge of a box along its tangent would, between the cap and the side (`edges.rs`).

use super::search::{Placed, Search};
use crate::geometry::closest::Circle;
use crate::geometry::shape::{Compound, Convex};
use crate::math::Vector3;

/// Points of each rim that stay where they are.
const POINTS: usize = 8;
/// Up to this sine a cap lies flat: points that stay where they are then are lower than others by less than 10⁻⁴ radii.
const FLAT: f64 = 1e-3;

/// Rims of a shape, in the frame of the body; axes point out of caps.
pub(super) fn rims_of(shape: &Compound) -> Vec<Circle> {
    let mut all = Vec::new();
    for part in shape.parts() {
        if let Convex::Cylinder { radius, length } = part.shape {
            all.extend([-1.0, 1.0].map(|sign| {
                let axis = part.pose.rotation * Vector3::new(0.0, sign, 0.0);
                Circle { center: part.pose.translation + axis * (0.5 * length), axis, radius }
            }));
        }
    }
    all
}

/// Points of rims that stay where they are, in the frame of the cylinder [m].
pub(super) fn points_of(radius: f64, length: f64) -> impl Iterator<Item = Vector3> {
    [-0.5, 0.5].into_iter().flat_map(move |end| {
        (0..POINTS).map(move |k| {
            let (z, x) = (std::f64::consts::TAU * k as f64 / POINTS as f64).sin_cos();
            Vector3::new(radius * x, end * length, radius * z)
        })
    })
}

/// A rim where a body is.
pub(super) fn placed(rim: &Circle, (_, place): Placed<'_>) -> Circle {
    let axis = place.pose.rotation * rim.axis;
    Circle { center: place.pose.apply(&rim.center), axis, ..*rim }
}

impl Search<'_> {
    /// Farthest points of the rims of B into triangles of A, if that has no shape.
    pub(super) fn rims(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let mut faces = Vec::new();
        for (number, rim) in b.0.rims.iter().enumerate() {
            let rim = placed(rim, b);
            let around = self.reach + self.skin(a) + rim.radius;
            if a.1.bounds.is_some_and(|bounds| !bounds.is_near(&rim.center, around)) {
                continue;
            }
            // The triangle that counts is the one near that point, not the one near the center.
            let mut x = rim.center;
            for _ in 0..2 {
                let Some((_, out, _)) = self.corner_at(a, x, around, &mut faces) else { break };
                let Some(way) = farthest(&rim, out) else { break };
                x = rim.center + way * rim.radius;
            }
            if x != rim.center {
                let number = (b.0.corners.len() + number) as u32;
                self.corner([a, b], number, x, 0.0, &mut faces);
            }
        }
    }
}

/// From the center to the point that is the farthest against `out`; nothing if the cap lies flat.
fn farthest(rim: &Circle, out: Vector3) -> Option<Vector3> {
    (rim.axis * rim.axis.dot(&out) - out).try_normalize(FLAT)
}
