//! Triangles against triangles: vertices, edges and faces, each pair once.

use super::SKIN;
use super::body::{ContactBody, Kind};
use super::cone::NormalCone;
use super::edges::ridges;
use super::flush::{self, Lengths, Sides};
use super::lever::lever;
use super::search::{Placed, Search};
use crate::contact::ContactRule;
use crate::contact::candidate::End;
use crate::contact::key::Name;
use crate::geometry::features::{Feature, Proximity, Side, proximities};
use crate::math::Vector3;

/// What two meshes, or parts of one, keep between them [m].
pub(super) fn layer(rule: &ContactRule, a: &ContactBody, b: &ContactBody) -> f64 {
    rule.thickness.unwrap_or(SKIN * a.size.min(b.size))
}

/// Where forces of two meshes act on both. What deforms has them on its surface, if the other side can carry that
/// point: a rigid body can, and a face better than an edge or a vertex.
fn common_point(near: &Proximity, soft: [bool; 2], [a, b]: [Vector3; 2]) -> Vector3 {
    match (soft, near.features().map(flush::size)) {
        ([true, false], _) => a,
        ([false, true], _) => b,
        ([true, true], [of_a, of_b]) if of_a < of_b => a,
        ([true, true], [of_a, of_b]) if of_a > of_b => b,
        _ => (a + b) * 0.5,
    }
}

/// Whether a vertex and an edge or a vertex cannot touch along a way out of B: [`NormalCone`] tells. A vertex in front
/// of a face always can.
fn is_ghost(near: &Proximity, out: Vector3, sides: Sides<'_>) -> bool {
    let features = near.features();
    let flat = features.iter().any(|feature| matches!(feature, Feature::Face(_)));
    let hidden = |k: usize| match features[k] {
        Feature::Vertex(vertex) => {
            let ((mesh, x), way) = (sides[k], if k == 0 { -out } else { out });
            !NormalCone::at(&mesh.surface, vertex, x).admits(way, !mesh.closed)
        }
        _ => false,
    };
    !flat && (hidden(0) || hidden(1))
}

impl Search<'_> {
    /// Vertices, edges and faces of two meshes.
    pub(super) fn meshes(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Some(mesh_a), Some(mesh_b)) = (&a.0.mesh, &b.0.mesh) else { return };
        let skin = self.layer(a, b);
        // What is inside of a solid is found however little it moves.
        let deepest = if mesh_a.filled || mesh_b.filled { flush::deepest([a, b]) } else { 0.0 };
        let reach = (self.reach + skin).max(deepest);
        let found = proximities(&mesh_a.surface, &a.1.x, &mesh_b.surface, &b.1.x, reach);
        let Ok(mut found) = found else { return };
        // What lies beside a seam does not touch.
        if let Some(kin) = self.itself.seam([a.0.number, b.0.number]) {
            found.retain(|near| !kin.sides_are_kin(near, &mesh_a.nodes, &mesh_b.nodes));
        }
        self.push_near([a, b], &found, skin);
    }

    /// What two meshes, or parts of one, keep between them [m].
    pub(super) fn layer(&self, a: Placed<'_>, b: Placed<'_>) -> f64 {
        layer(self.rule, a.0, b.0)
    }

    /// Contacts of features of two meshes, or of one with itself.
    pub(super) fn push_near(&mut self, [a, b]: [Placed<'_>; 2], found: &[Proximity], skin: f64) {
        let (Some(mesh_a), Some(mesh_b)) = (&a.0.mesh, &b.0.mesh) else { return };
        let sides: Sides<'_> = [(mesh_a, &a.1.x), (mesh_b, &b.1.x)];
        let lengths = Lengths { skin, deepest: flush::deepest([a, b]) };
        for near in found {
            let met = match near.features() {
                [Feature::Edge(_), Feature::Edge(_)] => flush::edges(near, sides, lengths)
                    .or_else(|| ridges(near, sides.map(|(mesh, x)| (&mesh.surface, x)))),
                _ if !near.is_contact() => None,
                _ => flush::vertex(near, sides, lengths).or_else(|| {
                    near.offset.try_normalize(0.0).map(|normal| (normal, near.distance()))
                }),
            };
            // Also where they cross and nothing tells a way out.
            let Some((normal, distance)) = met.filter(|met| met.1 <= self.reach + skin) else {
                continue;
            };
            if distance > skin && is_ghost(near, normal, sides) {
                continue;
            }
            let name = Name::Meshes(near.features());
            let on = |x: &[Vector3], side: &Side| {
                let corners = side.vertices.iter().zip(side.weights);
                corners.map(|(&k, w)| x[k as usize] * w).sum::<Vector3>()
            };
            let places = [on(&a.1.x, &near.a), on(&b.1.x, &near.b)];
            let soft = [a, b].map(|side| matches!(side.0.kind, Kind::Soft));
            let at = common_point(near, soft, places);
            let end = |side: Placed<'_>, nodes: &[u32], part: &Side| match side.0.kind {
                Kind::Soft => End::Nodes(part.vertices.map(|k| nodes[k as usize]), part.weights),
                _ => self.end(side, at),
            };
            let ends = [end(a, &mesh_a.nodes, &near.a), end(b, &mesh_b.nodes, &near.b)];
            self.push([a, b], name, at, normal, distance - skin, ends);
            let carried = |k: usize| soft[k] && at != places[k];
            if carried(0) || carried(1) {
                let sides = [(a, mesh_a, &near.a), (b, mesh_b, &near.b)];
                let levers = [0, 1].map(|k| {
                    let (placed, mesh, side) = sides[k];
                    let surface = (&mesh.surface, &*mesh.nodes);
                    let of = || lever(surface, side.feature, &placed.1.x, at - places[k]);
                    carried(k).then(of).unwrap_or_default()
                });
                if let Some(candidate) = self.found.last_mut() {
                    candidate.levers = Some(Box::new(levers));
                }
            }
        }
    }
}
