//! Corners of exact shapes, and balls, against triangles.
//!
//! Vertices of the triangles against the shape are most of it. But what is smaller than a triangle lies between them,
//! and would fall through. So every corner of the shape, a point `x` with a radius `ϱ`, also touches the nearest place
//! `p` of the surface, if that is no vertex:
//!
//! $$ g = \pm |x - p| - \varrho - \text{skin} $$
//!
//! negative where the surface is closed and the corner behind it. What happens along edges of the shape is in
//! `edges.rs`. Limit: a corner touches one place.

use super::body::Kind;
use super::rims::points_of;
use super::search::{Placed, Search};
use crate::contact::candidate::End;
use crate::contact::key::Name;
use crate::geometry::closest::{Closest, Part};
use crate::geometry::shape::{Compound, Convex};
use crate::math::Vector3;
use crate::mesh::triangle_normal;

/// Where a point meets a surface: the corners of the triangle, the way out, and what is nearest.
type Met = ([u32; 3], Vector3, (Closest<1, 3>, f64));

impl Search<'_> {
    /// Corners of the shape of B against triangles of A, if that has no shape.
    pub(super) fn corners(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let mut faces = Vec::new();
        for (number, &(corner, radius)) in b.0.corners.iter().enumerate() {
            self.corner([a, b], number as u32, b.1.pose.apply(&corner), radius, &mut faces);
        }
    }

    /// One of them, at `x`.
    pub(super) fn corner(
        &mut self,
        [a, b]: [Placed<'_>; 2],
        number: u32,
        x: Vector3,
        radius: f64,
        faces: &mut Vec<u32>,
    ) {
        let Some(mesh) = &a.0.mesh else { return };
        let near = radius + self.skin(a) + self.reach;
        let Some((triangle, out, (near, apart))) = self.corner_at(a, x, near, faces) else {
            return;
        };
        let gap = apart - radius - self.skin(a);
        // A vertex meets the shape itself.
        if gap > self.reach || matches!(near.part_b(), Part::Vertex(_)) {
            return;
        }
        let own = match a.0.kind {
            Kind::Soft => End::Nodes(triangle.map(|k| mesh.nodes[k as usize]), near.weights_b),
            _ => self.end(a, x - near.offset),
        };
        let ends = [own, self.end(b, x - out * radius)];
        self.push([a, b], Name::Corner(number), x - near.offset, -out, gap, ends);
    }

    /// The place of A, if it is triangles, that is nearest to `x`, with the distance, negative inside; nothing if it is
    /// farther out than `reach`.
    pub(super) fn corner_at(
        &self,
        a: Placed<'_>,
        x: Vector3,
        reach: f64,
        faces: &mut Vec<u32>,
    ) -> Option<Met> {
        let mesh = a.0.triangles()?;
        if a.1.bounds.is_some_and(|bounds| !bounds.is_near(&x, reach)) {
            return None;
        }
        let (triangle, near) = a.1.nearest_face(&mesh.surface, x, reach, mesh.closed, faces)?;
        let face = triangle_normal(&triangle.map(|k| a.1.x[k as usize]));
        let way = near.offset.try_normalize(1e-12 * a.0.size).or(face)?;
        let behind = mesh.closed && face.is_some_and(|face| near.offset.dot(&face) < 0.0);
        let distance = near.offset.norm();
        let (out, apart) = if behind { (-way, -distance) } else { (way, distance) };
        (apart <= reach).then_some((triangle, out, (near, apart)))
    }
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
            Convex::Cylinder { radius, length } => {
                points_of(*radius, *length).for_each(|x| add(x, 0.0));
            }
            Convex::Plane { .. } => {}
        }
    }
    all
}
