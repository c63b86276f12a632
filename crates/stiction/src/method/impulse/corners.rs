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
use crate::geometry::closest::{Closest, Part, closest_point_triangle};
use crate::geometry::shape::{Compound, Convex};
use crate::math::Vector3;
use crate::mesh::triangle_normal;

impl Search<'_> {
    /// Corners of the shape of B against triangles of A, if A deforms.
    pub(super) fn corners(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Kind::Soft, Some(mesh)) = (&a.0.kind, &a.0.mesh) else { return };
        let skin = self.skin(a);
        for (number, &(corner, radius)) in b.0.corners.iter().enumerate() {
            let x = b.1.pose.apply(&corner);
            let near = radius + skin + self.reach;
            if a.1.bounds.is_some_and(|bounds| !bounds.is_near(&x, near)) {
                continue;
            }
            let Some((triangle, near)) = nearest(mesh.surface.triangles(), &a.1.x, x) else {
                continue;
            };
            // A vertex meets the shape itself.
            if matches!(near.part_b(), Part::Vertex(_)) {
                continue;
            }
            let (offset, weights) = (near.offset, near.weights_b);
            let face = triangle_normal(&triangle.map(|k| a.1.x[k as usize]));
            let Some(way) = offset.try_normalize(1e-12 * a.0.size).or(face) else { continue };
            let behind = mesh.closed && face.is_some_and(|face| offset.dot(&face) < 0.0);
            let (out, apart) = if behind { (-way, -offset.norm()) } else { (way, offset.norm()) };
            let gap = apart - radius - skin;
            if gap > self.reach {
                continue;
            }
            let own = End::Nodes(triangle.map(|k| mesh.nodes[k as usize]), weights);
            let ends = [own, self.end(b, x - out * radius)];
            self.push([a, b], Name::Corner(number as u32), x - offset, -out, gap, ends);
        }
    }
}

/// The triangle that is nearest to a point, and where.
fn nearest(
    triangles: &[[u32; 3]],
    x: &[Vector3],
    point: Vector3,
) -> Option<([u32; 3], Closest<1, 3>)> {
    let closest = |triangle: &[u32; 3]| {
        (*triangle, closest_point_triangle(point, &triangle.map(|k| x[k as usize])))
    };
    let far = |a: &Closest<1, 3>, b: &Closest<1, 3>| a.distance_sq().total_cmp(&b.distance_sq());
    triangles.iter().map(closest).min_by(|(_, a), (_, b)| far(a, b))
}

/// Points with radii, in the frame of the body [m].
pub(super) fn corners_of(shape: &Compound) -> Vec<(Vector3, f64)> {
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
