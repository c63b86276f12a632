//! Pairs of a body with itself.

use super::edges::{edges_of, of_edges};
use super::{Known, Pair, PairSurface, pair, surface_error};
use crate::body::BodyId;
use crate::contact::rule::{ContactRule, Roles, rule_of};
use crate::method::smooth::layers::{Layers, Own};
use crate::method::smooth::mesh_edges::MeshEdges;
use crate::method::smooth::settings::ContactSettings;
use crate::model::{Model, SceneError};
use crate::scene::Scene;

impl Pair {
    /// Whether it is of a body with itself: what keeps that from crossing is beneath its layer.
    pub(crate) fn is_guarded(&self) -> bool {
        self.collider == self.body
    }
}

/// Points of a body against its own surface, and its edges against each other.
pub(super) fn pairs(
    scene: &Scene,
    settings: &ContactSettings,
    model: &Model,
    known: &Known<'_>,
    body: BodyId,
) -> Result<Vec<Pair>, SceneError> {
    let number = body.index();
    let rule = ContactRule { roles: Roles::Both, ..rule_of(scene, number, number) };
    let made = pair(scene, settings, &rule, known, [number; 2]);
    let made = made.map_err(|error| surface_error(scene, number, error))?;
    let Some(mut pair) = made.filter(|_| rule.enabled) else { return Ok(Vec::new()) };
    let (PairSurface::Mesh(surface), Some(side)) = (&mut pair.surface, &known.sides[body.index()])
    else {
        return Ok(Vec::new()); // only what deforms touches itself
    };
    let own = Own {
        mesh: &side.surface,
        vertices: &side.vertices,
        nodes: &known.nodes[body.index()],
        start: model.start(),
        edge: side.edge,
        radius: surface.radius(),
        thickness: pair.penalty.thickness,
    };
    let layers = Layers::new(scene, body, &own)?;
    surface.layers = Some(layers.clone());
    let edges = edges_of(scene, known, body.index());
    let edges = edges.and_then(|side| MeshEdges::of_itself(side, pair.penalty.thickness, layers));
    let edges = edges.map(|edges| of_edges(scene, &pair, [body.index(); 2], edges, known));
    Ok(std::iter::once(pair).chain(edges).collect())
}
