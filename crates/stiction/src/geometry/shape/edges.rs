//! Edges of convex shapes: of cores, with the radius of what is around them.
//!
//! Capsules and the sides of cylinders are round: their axis is an edge whose faces fall away wherever it is touched.
//! Rims of cylinders are curves, and no edges.

use super::Convex;
use crate::math::Vector3;

/// An edge, in the frame of its shape [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) ends: [Vector3; 2],
    /// Along the faces beside it, away from it, of length one; none if it is round.
    pub(crate) inward: Option<[Vector3; 2]>,
}

impl Convex {
    /// Its edges, always in the same order, and the radius of what is around them [m]. Of a rounding that leaves
    /// nothing of the core, some have no length.
    pub(crate) fn edges(&self) -> (Vec<Edge>, f64) {
        match *self {
            Self::Plane { .. } | Self::Sphere { .. } => (Vec::new(), 0.0),
            Self::Box { size, rounding } => (box_edges(size * 0.5, rounding), rounding),
            Self::Capsule { radius, length } | Self::Cylinder { radius, length } => {
                let end = Vector3::new(0.0, 0.5 * length, 0.0);
                (vec![Edge { ends: [-end, end], inward: None }], radius)
            }
            Self::Hull(ref hull) => (hull.edges(), 0.0),
        }
    }
}

/// Edges of a box of half a size, less what is rounded.
fn box_edges(half: Vector3, rounding: f64) -> Vec<Edge> {
    let half = half.map(|x| x - rounding);
    let mut edges = Vec::with_capacity(12);
    for axis in 0..3 {
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        for signs in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
            let mut end = Vector3::zeros();
            let mut inward = [Vector3::zeros(); 2];
            for k in 0..2 {
                end[others[k]] = signs[k] * half[others[k]];
                inward[k][others[k]] = -signs[k];
            }
            let mut along = Vector3::zeros();
            along[axis] = half[axis];
            edges.push(Edge { ends: [end - along, end + along], inward: Some(inward) });
        }
    }
    edges
}

impl super::Hull {
    /// Between two faces each, ascending by corners.
    fn edges(&self) -> Vec<Edge> {
        let x = |corner: u32| self.vertices()[corner as usize];
        let mut halves: Vec<([u32; 2], Vector3)> = Vec::new();
        for (face, normal) in self.normals().iter().enumerate() {
            let corners = self.face(face);
            for (k, &from) in corners.iter().enumerate() {
                let to = corners[(k + 1) % corners.len()];
                // Faces run counter-clockwise.
                let Some(inward) = normal.cross(&(x(to) - x(from))).try_normalize(0.0) else {
                    continue;
                };
                halves.push(([from.min(to), from.max(to)], inward));
            }
        }
        halves.sort_by_key(|(ends, _)| *ends);
        let both = |pair: &[([u32; 2], Vector3)]| match pair {
            [(ends, a), (same, b)] if ends == same => {
                Some(Edge { ends: ends.map(x), inward: Some([*a, *b]) })
            }
            _ => None,
        };
        halves.windows(2).filter_map(both).collect()
    }
}
