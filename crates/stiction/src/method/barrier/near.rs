//! Pairs of features that are near each other: found with a margin, and found again once vertices have moved that far.

use super::contact::{Pair, Surfaces};
use super::mesh::{ContactMesh, Layer};
use crate::geometry::bvh::NotABox;
use crate::geometry::closest::SquaredDistance;
use crate::math::Vector3;

/// Pairs of features, in an order that is the same whatever found them.
#[derive(Debug, Default)]
pub(super) struct Near {
    pub(super) pairs: Vec<Pair>,
    pub(super) on_planes: Vec<OnPlane>,
    /// Where vertices were [m].
    found_at: Vec<Vector3>,
    /// How far vertices may move before there are others [m].
    margin: f64,
}

/// A vertex near a half-space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OnPlane {
    pub(super) vertex: u32,
    pub(super) plane: u32,
    pub(super) layer: Layer,
}

/// Which pairs of features count, whoever asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter<'a> {
    pub(super) mesh: &'a ContactMesh,
    /// Whether each vertex can move by itself.
    pub(super) free: &'a [bool],
}

impl Filter<'_> {
    /// How two features push; nothing if they never touch.
    pub(super) fn layer(&self, a: &[u32], b: &[u32]) -> Option<Layer> {
        let ContactMesh { vertices, .. } = self.mesh;
        let node = |v: &u32| vertices[*v as usize].node();
        let is_free = |v: &u32| self.free[*v as usize];
        let joined = |v: &u32| node(v).is_some() && b.iter().any(|w| node(w) == node(v));
        if !a.iter().chain(b).any(is_free) || a.iter().any(joined) {
            return None;
        }
        let [one, other] = [a, b].map(|side| vertices[side[0] as usize].body);
        if self.mesh.is_welded(one, other) && self.lies_on(a, b) {
            return None;
        }
        self.mesh.layer(one, other)
    }
}

impl Filter<'_> {
    /// Whether two features of what is welded touch at the start, and so always do.
    fn lies_on(&self, a: &[u32], b: &[u32]) -> bool {
        let at = |v: u32| self.mesh.start[v as usize];
        let distance = match (a, b) {
            (&[v], &[p, q, r]) => SquaredDistance::point_triangle(&[v, p, q, r].map(at)),
            (&[u, v], &[p, q]) => SquaredDistance::edge_edge(&[u, v, p, q].map(at)),
            _ => return false,
        };
        let size = (at(b[0]) - at(b[1])).norm_squared();
        distance.value() <= 1e-12 * size
    }
}

impl Near {
    /// All pairs nearer than the thickest layer and a margin.
    pub(super) fn find(filter: Filter<'_>, x: &[Vector3], planes: &[(Vector3, Vector3)]) -> Self {
        let mesh = filter.mesh;
        let margin = mesh.thickest();
        let reach = mesh.thickest() + margin;
        let mut near =
            Self { pairs: Vec::new(), on_planes: Vec::new(), found_at: x.to_vec(), margin };
        // Positions that are not finite touch nothing: energies tell.
        near.pairs = pairs(filter, [x, x], reach).unwrap_or_default();
        near.pairs.retain_mut(|pair| {
            let corners = pair.vertices.map(|v| x[v as usize]);
            if pair.gap(&corners) >= pair.layer.d_hat + margin {
                return false;
            }
            let [a, b] =
                [pair.vertices[0], pair.vertices[3]].map(|v| mesh.vertices[v as usize].body);
            let places = match a == b {
                true => &mesh.rest,
                false if mesh.is_welded(a, b) => &mesh.start,
                false => return true,
            };
            // What is near at rest is pushed apart by nothing.
            let rest = pair.gap(&pair.vertices.map(|v| places[v as usize]));
            pair.layer.d_hat = pair.layer.d_hat.min(0.5 * rest);
            pair.layer.d_hat > 0.0
        });
        for (plane, (normal, origin)) in planes.iter().enumerate() {
            let body = mesh.planes[plane].body;
            for vertex in (0..mesh.soft).filter(|&vertex| filter.free[vertex]) {
                let layer = mesh.layer(mesh.vertices[vertex].body, body);
                let gap = normal.dot(&(x[vertex] - origin));
                let Some(layer) = layer.filter(|layer| gap < layer.d_hat + margin) else {
                    continue;
                };
                near.on_planes.push(OnPlane { vertex: vertex as u32, plane: plane as u32, layer });
            }
        }
        near.on_planes.sort_unstable_by_key(OnPlane::key);
        near
    }

    /// Whether no other pair can be within its layer by now.
    pub(super) fn holds(&self, x: &[Vector3]) -> bool {
        // Both sides may move.
        let most = 0.5 * self.margin;
        self.found_at.len() == x.len()
            && self.found_at.iter().zip(x).all(|(a, b)| (a - b).norm_squared() <= most * most)
    }
}

/// Pairs whose boxes, around the way from one place to another, are nearer than `reach`; ascending.
pub(super) fn pairs(
    filter: Filter<'_>,
    x: [&[Vector3]; 2],
    reach: f64,
) -> Result<Vec<Pair>, NotABox> {
    let ContactMesh { triangles, edges, rest, .. } = filter.mesh;
    Surfaces { triangles, edges, rest }.pairs(x, reach, |a, b| filter.layer(a, b))
}
