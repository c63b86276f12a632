//! Pairs of features whose boxes overlap.

use super::{Kind, Layer, Pair};
use crate::geometry::bvh::{Bvh, NotABox};
use crate::geometry::closest::mollifier_threshold;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Features over one list of vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surfaces<'a> {
    pub(crate) triangles: &'a [[u32; 3]],
    pub(crate) edges: &'a [[u32; 2]],
    /// Where vertices are at rest [m].
    pub(crate) rest: &'a [Vector3],
}

impl Surfaces<'_> {
    /// Pairs whose boxes, around the way from one place to another, are nearer than `reach`; ascending. `layer` says
    /// how two features push; nothing if they never touch.
    pub(crate) fn pairs(
        &self,
        x: [&[Vector3]; 2],
        reach: f64,
        layer: impl Fn(&[u32], &[u32]) -> Option<Layer>,
    ) -> Result<Vec<Pair>, NotABox> {
        let Self { triangles, edges, rest } = *self;
        let around = |vertices: &[u32], grown: f64| {
            let places = vertices.iter().flat_map(|&v| [&x[0][v as usize], &x[1][v as usize]]);
            BoundingBox::of(places).grown(grown)
        };
        let single = (0..rest.len() as u32).map(|v| [v]);
        let points: Vec<_> = single.map(|v| around(&v, reach)).collect();
        let faces: Vec<_> = triangles.iter().map(|t| around(t, 0.0)).collect();
        let sides: Vec<_> = edges.iter().map(|e| around(e, 0.5 * reach)).collect();
        let (mut found, mut all) = (Vec::new(), Vec::new());
        Bvh::new(&points)?.pairs(&Bvh::new(&faces)?, &mut found);
        for &[v, f] in &found {
            let corners @ [a, b, c] = triangles[f as usize];
            if let Some(layer) = layer(&[v], &corners) {
                let (kind, vertices) = (Kind::PointTriangle, [v, a, b, c]);
                all.push(Pair { kind, vertices, layer, threshold: 0.0 });
            }
        }
        Bvh::new(&sides)?.self_pairs(&mut found);
        for &[e, f] in &found {
            let [one, other] = [e.min(f), e.max(f)].map(|e| edges[e as usize]);
            if let Some(layer) = layer(&one, &other) {
                let length = |[a, b]: [u32; 2]| (rest[a as usize] - rest[b as usize]).norm();
                let threshold = mollifier_threshold([length(one), length(other)]);
                let vertices = [one[0], one[1], other[0], other[1]];
                all.push(Pair { kind: Kind::EdgeEdge, vertices, layer, threshold });
            }
        }
        all.sort_unstable_by_key(|pair| (pair.kind, pair.vertices));
        Ok(all)
    }
}
