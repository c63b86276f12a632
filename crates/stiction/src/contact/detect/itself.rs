//! Bodies that touch themselves, and bodies that share nodes.
//!
//! Features of one surface are sought like those of two, and what is [kin](crate::contact::kin) is left out. How far a
//! step reaches is another question than with two bodies: all of a body may be fast, and its parts at rest against each
//! other. While nothing else is near it, only the velocities of its parts against each other count. Once something is,
//! one part may stop within the step while another goes on; but not parts that an edge joins.

use std::collections::BTreeSet;

use super::body::{ContactBody, Kind, Triangles};
use super::meshes::layer;
use super::search::Search;
use super::{Detection, MARGIN, Start};
use crate::assembly::point;
use crate::body::BodyId;
use crate::contact::candidate::Candidate;
use crate::contact::itself::{KIN_LAYERS, NEARLY, at_rest, refuse, welded};
use crate::contact::kin::{ContactSurface, Kin, Offender, RestShape, joined};
use crate::contact::rules::Rules;
use crate::geometry::features::{Side, self_proximities};
use crate::geometry::manifold::Kept;
use crate::math::Vector3;
use crate::model::{Model, SceneError};
use crate::scene::Scene;

/// How much faster parts may approach by the end of a step than at its start.
const FASTER: f64 = 2.0;

/// Who touches itself or shares nodes with others.
#[derive(Debug)]
pub(crate) struct Itself {
    /// Bodies that touch themselves, ascending.
    bodies: Vec<u32>,
    /// Pairs of bodies that share nodes, the lower one first.
    welded: BTreeSet<[u32; 2]>,
    kin: Kin,
}

/// A body that deforms, at rest.
struct AtRest {
    id: BodyId,
    edges: Vec<[u32; 2]>,
    positions: Vec<Vector3>,
    /// What its layers make of it [m].
    radius: f64,
}

impl AtRest {
    fn of(scene: &Scene, id: BodyId) -> Option<Self> {
        let (edges, positions) = at_rest(&scene.bodies[id.index()])?;
        Some(Self { id, edges, positions, radius: 0.0 })
    }
}

impl Itself {
    pub(super) fn new(
        scene: &Scene,
        model: &Model,
        bodies: &[ContactBody],
        rules: &Rules,
    ) -> Result<Self, SceneError> {
        let own: Vec<u32> =
            scene.ids().filter(|id| scene.touches_itself(*id)).map(|id| id.0).collect();
        let welded = welded(scene, &model.body_nodes);
        let mut shapes: Vec<AtRest> = Vec::new();
        for id in scene.ids() {
            let alone = [id.0; 2];
            let pairs = welded.iter().filter(|pair| pair.contains(&id.0));
            let pairs = pairs.chain(own.contains(&id.0).then_some(&alone));
            let radius = pairs
                .map(|&[a, b]| {
                    layer(rules.of([a, b]), &bodies[a as usize], &bodies[b as usize]) * KIN_LAYERS
                })
                .reduce(f64::max);
            let shape = radius.and_then(|radius| Some(AtRest { radius, ..AtRest::of(scene, id)? }));
            shapes.extend(shape);
        }
        if shapes.is_empty() {
            return Ok(Self { bodies: own, welded, kin: Kin::new(&[], 0) });
        }
        let at_rest = shapes.iter().map(|shape| RestShape {
            edges: &shape.edges,
            positions: &shape.positions,
            nodes: model.nodes(shape.id),
            surface: bodies[shape.id.index()].mesh.as_ref().map_or(&[], |mesh| &mesh.vertices),
            radius: shape.radius,
        });
        let at_rest: Vec<RestShape<'_>> = at_rest.collect();
        let kin = Kin::new(&at_rest, model.start().len());
        let mut itself = Self { bodies: own, welded, kin };
        itself.look_at_rest(scene, &shapes, bodies, rules)?;
        itself.look_at_start(scene, model, bodies, rules)?;
        Ok(itself)
    }

    /// Bodies that touch themselves, ascending.
    pub(crate) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// What is kin where two bodies share nodes.
    pub(super) fn seam(&self, [a, b]: [u32; 2]) -> Option<&Kin> {
        self.welded.contains(&[a.min(b), a.max(b)]).then_some(&self.kin)
    }

    /// Whatever is too near at rest and joined by an edge is made kin; anything else could not come to rest.
    fn look_at_rest(
        &mut self,
        scene: &Scene,
        shapes: &[AtRest],
        bodies: &[ContactBody],
        rules: &Rules,
    ) -> Result<(), SceneError> {
        let mut more = Vec::new();
        for shape in shapes.iter().filter(|shape| self.bodies.contains(&shape.id.0)) {
            let body = &bodies[shape.id.index()];
            let Some(mesh) = &body.mesh else { continue };
            let x: Vec<Vector3> =
                mesh.vertices.iter().map(|&v| shape.positions[v as usize]).collect();
            let layer = layer(rules.of([shape.id.0; 2]), body, body);
            let found = self.offenders(body, &x, layer);
            more.extend(found.iter().filter(|offender| offender.joined).map(|o| o.nodes));
            refuse(scene, shape.id, "at rest", &mesh.vertices, (&found, layer))?;
        }
        if !more.is_empty() {
            self.kin = self.kin.with(&more);
        }
        Ok(())
    }

    fn look_at_start(
        &self,
        scene: &Scene,
        model: &Model,
        bodies: &[ContactBody],
        rules: &Rules,
    ) -> Result<(), SceneError> {
        for id in self.bodies.iter().map(|&body| BodyId(body)) {
            let body = &bodies[id.index()];
            let Some(mesh) = &body.mesh else { continue };
            let x: Vec<Vector3> =
                mesh.nodes.iter().map(|&node| model.start()[node as usize]).collect();
            let layer = layer(rules.of([id.0; 2]), body, body);
            let found = self.offenders(body, &x, NEARLY * layer);
            refuse(scene, id, "at the start", &mesh.vertices, (&found, layer))?;
        }
        Ok(())
    }

    fn offenders(&self, body: &ContactBody, x: &[Vector3], layer: f64) -> Vec<Offender> {
        let Some(mesh) = &body.mesh else { return Vec::new() };
        // Positions that are not finite touch nothing.
        self.kin.offenders(&surface(mesh, x), layer).unwrap_or_default()
    }
}

fn surface<'a>(mesh: &'a Triangles, positions: &'a [Vector3]) -> ContactSurface<'a> {
    let (surface, nodes, has_inside) = (&mesh.surface, &*mesh.nodes, mesh.filled);
    ContactSurface { surface, positions, nodes, has_inside }
}

/// The largest difference from the mean [m/s].
fn spread(velocities: &[Vector3]) -> f64 {
    let mean = velocities.iter().sum::<Vector3>() / velocities.len().max(1) as f64;
    velocities.iter().map(|v| (v - mean).norm()).fold(0.0, f64::max)
}

impl Detection {
    /// Appends the contacts of bodies with themselves at velocities `v`; says of bodies whether anything else is `near`
    /// them.
    pub(crate) fn search_itself(
        &self,
        start: &Start,
        v: &[f64],
        near: impl Fn(u32) -> bool,
        found: &mut Vec<Candidate>,
    ) {
        let &Start { ref places, gravity, h } = start;
        for &number in self.itself.bodies() {
            let (body, place) = (&self.bodies[number as usize], &places[number as usize]);
            let (Kind::Soft, Some(mesh)) = (&body.kind, &body.mesh) else { continue };
            let velocities: Vec<Vector3> =
                mesh.nodes.iter().map(|&node| point(v, node as usize)).collect();
            let travel = 2.0 * if near(number) { place.travel } else { h * spread(&velocities) };
            let still = gravity + MARGIN * body.size;
            let reach = still + travel;
            let rule = self.rules.of([number; 2]);
            let skin = layer(rule, body, body);
            let Ok(mut features) = self_proximities(&mesh.surface, &place.x, reach + skin) else {
                continue;
            };
            let own = surface(mesh, &place.x);
            let moved = |side: &Side| -> Vector3 {
                let parts = side.vertices.iter().zip(side.weights);
                parts.map(|(&k, w)| velocities[k as usize] * (h * w)).sum()
            };
            features.retain(|near| {
                let approach = FASTER * (moved(&near.a) - moved(&near.b)).norm();
                let soon = near.distance() <= skin + still + approach;
                (soon || !joined(&own, &own, near))
                    && !self.itself.kin.sides_are_kin(near, &mesh.nodes, &mesh.nodes)
                    && (!mesh.filled || mesh.surface.face_each_other(near, &place.x))
            });
            let (kept, slack) = (&mut Kept::default(), self.slack);
            let (itself, sides) = (&self.itself, [(body, place); 2]);
            Search { reach, travel, h, rule, kept, slack, found, held: Vec::new(), itself }
                .push_near(sides, &features, skin);
        }
    }
}
