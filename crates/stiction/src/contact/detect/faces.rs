//! Triangles of a body without exact shape, near a place: by a tree of boxes around them, which is made once a step for
//! bodies that come near a shape.

use super::body::ContactBody;
use super::place::Place;
use crate::geometry::bvh::Bvh;
use crate::geometry::closest::{Closest, closest_point_triangle};
use crate::geometry::features::Surface;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Up to so many faces are looked at one by one.
const FEW: usize = 64;

/// Gives trees to the places of bodies that are triangles and near a shape.
pub(super) fn plant(bodies: &[ContactBody], places: &mut [Place], pairs: &[[u32; 2]]) {
    for &[a, b] in pairs {
        for (body, other) in [(a, b), (b, a)] {
            let (body, other) = (body as usize, &bodies[other as usize]);
            let touched = !(other.corners.is_empty() && other.edges.is_empty());
            let mesh = bodies[body].triangles().filter(|_| touched);
            let Some(mesh) = mesh.filter(|mesh| mesh.surface.triangles().len() > FEW) else {
                continue;
            };
            let place = &mut places[body];
            if place.faces.is_none() {
                // Positions that are not finite have no tree, and touch nothing.
                place.faces = Bvh::new(&mesh.surface.face_boxes(&[&place.x], 0.0)).ok();
            }
        }
    }
}

impl Place {
    /// Replaces what is in `found` by the faces near a box, ascending; where there are few, by all.
    pub(super) fn faces_near(&self, surface: &Surface, bounds: &BoundingBox, found: &mut Vec<u32>) {
        match &self.faces {
            Some(tree) => {
                tree.overlapping(bounds, found);
                found.sort_unstable();
            }
            None => {
                found.clear();
                found.extend(0..surface.triangles().len() as u32);
            }
        }
    }

    /// The triangle that is nearest to a point, the first of several, and where; nothing farther away than `reach`,
    /// unless `deep`.
    pub(super) fn nearest_face(
        &self,
        surface: &Surface,
        point: Vector3,
        mut reach: f64,
        deep: bool,
        found: &mut Vec<u32>,
    ) -> Option<([u32; 3], Closest<1, 3>)> {
        let most = self.bounds.map_or(0.0, |bounds| bounds.diagonal());
        loop {
            let around = BoundingBox::of([&point]).grown(reach);
            self.faces_near(surface, &around, found);
            let closest = |&face: &u32| {
                let triangle = surface.triangles()[face as usize];
                (triangle, closest_point_triangle(point, &triangle.map(|k| self.x[k as usize])))
            };
            let far = |(_, near): &(_, Closest<1, 3>)| near.distance_sq();
            let nearest = found.iter().map(closest).min_by(|a, b| far(a).total_cmp(&far(b)));
            let all = self.faces.is_none() || !deep || reach >= 2.0 * most;
            match nearest {
                // What is outside of the box is farther away.
                Some(nearest) if all || far(&nearest) <= reach * reach => return Some(nearest),
                None if all => return None,
                // Where there are triangles, the next box holds the nearest; where there are none, it is twice as
                // large.
                Some(nearest) => reach = far(&nearest).sqrt() * (1.0 + 1e-9),
                None => reach = (2.0 * reach).max(1e-3 * most),
            }
        }
    }
}
