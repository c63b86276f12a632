//! On which feature a closest point lies, and whether it is the nearest place around.

use super::{Feature, Side, Surface};
use crate::geometry::closest::{Part, closest_point_segment, closest_point_triangle};
use crate::geometry::wedge::Wedge;
use crate::math::Vector3;

/// Weights below are taken for zero. A vertex over an edge must be over it as seen from both faces, whatever rounding
/// says.
const SNAP: f64 = 1e-9;

/// Weights without those that are rounding.
pub(super) fn snapped<const N: usize>(weights: [f64; N]) -> [f64; N] {
    let kept = weights.map(|w| if w < SNAP { 0.0 } else { w });
    let sum: f64 = kept.iter().sum();
    kept.map(|w| w / sum)
}

impl Surface {
    /// The feature of a face that is nearest to a point: the face, or what bounds it.
    pub(super) fn nearest_feature(&self, x: Vector3, face: u32, positions: &[Vector3]) -> Feature {
        let corners = self.triangles()[face as usize];
        let closest = closest_point_triangle(x, &corners.map(|v| positions[v as usize]));
        match Part::of(&snapped(closest.weights_b)) {
            Part::Vertex(k) => Feature::Vertex(corners[k]),
            // Once more along the edge, as all faces beside it see it.
            Part::Edge(i, j) => self.on_edge(x, self.edge_of(face, i, j), positions),
            Part::Face => Feature::Face(face),
        }
    }

    fn on_edge(&self, x: Vector3, edge: u32, positions: &[Vector3]) -> Feature {
        let ends = self.edges()[edge as usize];
        let closest = closest_point_segment(x, &ends.map(|v| positions[v as usize]));
        match Part::of(&snapped(closest.weights_b)) {
            Part::Vertex(k) => Feature::Vertex(ends[k]),
            _ => Feature::Edge(edge),
        }
    }

    /// The point of a feature that is nearest to another.
    pub(super) fn side(&self, feature: Feature, x: Vector3, positions: &[Vector3]) -> Side {
        let at = |v: u32| positions[v as usize];
        match feature {
            Feature::Vertex(v) => Side { feature, vertices: [v; 3], weights: [1.0, 0.0, 0.0] },
            Feature::Edge(e) => {
                let [i, j] = self.edges()[e as usize];
                let [p, q] = closest_point_segment(x, &[at(i), at(j)]).weights_b;
                Side { feature, vertices: [i, j, j], weights: [p, q, 0.0] }
            }
            Feature::Face(f) => {
                let vertices = self.triangles()[f as usize];
                let weights = closest_point_triangle(x, &vertices.map(at)).weights_b;
                Side { feature, vertices, weights }
            }
        }
    }

    /// Whether a vertex or an edge point at `x` has nothing nearer beside `feature`; faces around the vertices `own`
    /// do not count.
    pub(super) fn is_nearest(
        &self,
        feature: Feature,
        x: Vector3,
        positions: &[Vector3],
        own: &[u32],
    ) -> bool {
        let distance_sq = |feature: Feature| {
            let side = self.side(feature, x, positions);
            (side.point(positions) - x).norm_squared()
        };
        let here = distance_sq(feature);
        self.star(feature)
            .filter(|&face| !self.triangles()[face as usize].iter().any(|v| own.contains(v)))
            .map(|face| self.nearest_feature(x, face, positions))
            .all(|other| {
                // Larger features are nearer by their name alone; others may differ by rounding.
                let larger = rank(other) > rank(feature);
                other == feature || (!larger && distance_sq(other) >= here * (1.0 - 1e-12))
            })
    }

    /// Whether a point of an edge is nearer to what lies at `offset` from it than the faces beside it are. An edge
    /// between two faces that lie across is no place of its own: the faces are as near.
    pub(super) fn edge_is_nearest(
        &self,
        edge: u32,
        side: &Side,
        offset: Vector3,
        positions: &[Vector3],
    ) -> bool {
        const FLUSH: f64 = 1e-9;
        let ends = self.edges()[edge as usize].map(|v| positions[v as usize]);
        let along = (ends[1] - ends[0]).normalize();
        let foot = side.point(positions);
        let mut flush = 0;
        for opposite in self.opposite(edge) {
            let into = positions[opposite as usize] - foot;
            let into = into - along * along.dot(&into);
            let rise = into.dot(&offset) / (into.norm() * offset.norm());
            if rise > FLUSH {
                return false;
            }
            flush += usize::from(rise > -FLUSH);
        }
        flush < 2
    }
}

impl Surface {
    /// The faces beside an edge; those without area are left out.
    pub(crate) fn wedge(&self, edge: u32, positions: &[Vector3]) -> Wedge {
        let [from, to] = self.edges()[edge as usize].map(|v| positions[v as usize]);
        let mut wedge = Wedge::default();
        let Some(along) = (to - from).try_normalize(0.0) else { return wedge };
        for opposite in self.opposite(edge) {
            let into = positions[opposite as usize] - from;
            let into = into - along * along.dot(&into);
            into.try_normalize(1e-12 * (to - from).norm()).into_iter().for_each(|x| wedge.add(x));
        }
        wedge
    }
}

impl Side {
    /// Where it is [m].
    pub fn point(&self, positions: &[Vector3]) -> Vector3 {
        let [a, b, c] = self.vertices.map(|v| positions[v as usize]);
        a + (b - a) * self.weights[1] + (c - a) * self.weights[2]
    }
}

fn rank(feature: Feature) -> u32 {
    match feature {
        Feature::Vertex(_) => 0,
        Feature::Edge(_) => 1,
        Feature::Face(_) => 2,
    }
}
