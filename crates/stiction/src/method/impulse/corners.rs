//! Corners of exact shapes, and balls, against triangles of a body that deforms.
//!
//! Vertices of the triangles against the shape are most of it. But what is smaller than a triangle lies between them, and would fall
//! through. So every corner of the shape, a point `x` with a radius `ϱ`, also touches the nearest place `p` of the surface, if that is no vertex:
//!
//! $$ g = \pm |x - p| - \varrho - \text{skin} $$
//!
//! negative where the surface is closed and the corner behind it. Limits: a corner touches one place; sharp edges of the shape pass between vertices,
//! as do sides of cylinders and the middle of capsules.

use super::body::Kind;
use super::detect::{Placed, Search};
use super::touch::{End, Name};
use crate::geometry::closest::weights_on_triangle;
use crate::geometry::shape::{Compound, Convex};
use crate::math::Vector3;

impl Search<'_> {
    /// Corners of the shape of B against triangles of A, if A deforms.
    pub(super) fn corners(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Kind::Soft, Some(mesh), Some(shape)) = (&a.0.kind, &a.0.mesh, &b.0.shape) else {
            return;
        };
        let skin = self.skin(a);
        for (number, (corner, radius)) in corners_of(shape).into_iter().enumerate() {
            let x = b.1.pose.apply(&corner);
            let near = radius + skin + self.reach;
            if a.1.bounds.is_some_and(|bounds| !bounds.is_near(&x, near)) {
                continue;
            }
            let Some((corners, weights)) = nearest(mesh.surface.triangles(), &a.1.x, x) else {
                continue;
            };
            // A vertex meets the shape itself.
            if weights.iter().filter(|w| **w > 0.0).count() < 2 {
                continue;
            }
            let [p, q, r] = corners.map(|k| a.1.x[k as usize]);
            let at = p * weights[0] + q * weights[1] + r * weights[2];
            let (offset, face) = (x - at, (q - p).cross(&(r - p)));
            let Some(way) = offset.try_normalize(1e-12 * a.0.size).or(face.try_normalize(0.0))
            else {
                continue;
            };
            let behind = mesh.closed && offset.dot(&face) < 0.0;
            let (out, apart) = if behind { (-way, -offset.norm()) } else { (way, offset.norm()) };
            let gap = apart - radius - skin;
            if gap > self.reach {
                continue;
            }
            let own = End::Nodes(corners.map(|k| mesh.nodes[k as usize]), weights);
            let ends = [own, self.end(b, x - out * radius)];
            self.push([a, b], Name::Corner(number as u32), at, -out, gap, ends);
        }
    }
}

/// Corners of the triangle that is nearest to a point, and weights of the place there.
fn nearest(triangles: &[[u32; 3]], x: &[Vector3], point: Vector3) -> Option<([u32; 3], [f64; 3])> {
    let mut best: Option<(f64, [u32; 3], [f64; 3])> = None;
    for &triangle in triangles {
        let corners = triangle.map(|k| x[k as usize]);
        let weights = weights_on_triangle(&corners, point);
        let at = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
        let far = (at - point).norm_squared();
        if best.is_none_or(|(least, ..)| far < least) {
            best = Some((far, triangle, weights));
        }
    }
    best.map(|(_, triangle, weights)| (triangle, weights))
}

/// Points with radii, in the frame of the body [m].
fn corners_of(shape: &Compound) -> Vec<(Vector3, f64)> {
    let mut all = Vec::new();
    for part in shape.parts() {
        let mut add = |x: Vector3, radius: f64| all.push((part.pose.apply(&x), radius));
        match &part.shape {
            Convex::Sphere { radius } => add(Vector3::zeros(), *radius),
            Convex::Capsule { radius, length } => {
                [-0.5, 0.5].iter().for_each(|s| add(Vector3::new(0.0, s * length, 0.0), *radius));
            }
            Convex::Box { size, rounding } => {
                let half = size.map(|x| 0.5 * x - rounding);
                for k in 0..8 {
                    let sign = |axis: u32| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
                    let signs = Vector3::new(sign(0), sign(1), sign(2));
                    add(half.component_mul(&signs), *rounding);
                }
            }
            Convex::Hull(hull) => hull.vertices().iter().for_each(|x| add(*x, 0.0)),
            Convex::Plane { .. } | Convex::Cylinder { .. } => {}
        }
    }
    all
}
