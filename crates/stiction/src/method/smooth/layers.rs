//! Which parts of a body its own points and edges touch.
//!
//! What is near a vertex in the material is near it in space and does not touch. Two radii tell:
//!
//! | distance at rest | a face touches |
//! |---|---|
//! | below [`KIN_LAYERS`] layers ([kin](crate::contact::kin)) | never |
//! | below [`NEAR`] radii of the field | if it looks away from every face around the vertex: the body is folded there |
//! | farther | always |
//!
//! On a bend of constant curvature, what is [`NEAR`] radii away along it and less than one through space has turned by
//! 3.0 rad: `sin(θ/2)/(θ/2) = 1/1.5`. So no flat or bent part sees its own neighbourhood. On a sharp fold the plane of
//! one side is `s sin φ` away from what is `s` away from the fold, and vertices on the fold itself see neither side.
//! Through the inside of a solid nothing touches: vertex and face must be outside each other, and what is near in the
//! material must not be inside at all.

use std::sync::Arc;

use crate::body::{Body, BodyId};
use crate::contact::itself::{KIN_LAYERS, NEARLY, at_rest, refuse};
use crate::contact::kin::{ContactSurface, Kin, Offender, RestShape};
use crate::geometry::closest::weights_on_triangle;
use crate::geometry::features::{Feature, Surface};
use crate::math::Vector3;
use crate::mesh::{TriMesh, triangle_normal};
use crate::model::SceneError;
use crate::scene::Scene;

/// Radius within which only folds touch, in radii of the field.
const NEAR: f64 = 1.5;

/// Cosine of the angle between normals from which on a body is folded.
const FOLDED: f64 = -0.5;

/// How far a vertex may be inside a solid and still come out where it went in, in mean edges.
const DEEPEST: f64 = 0.25;

/// Which parts of a body touch each other.
#[derive(Debug)]
pub(crate) struct Layers {
    /// Its features.
    pub(crate) surface: Surface,
    /// Nodes of its surface vertices.
    nodes: Vec<u32>,
    /// Nodes that never touch.
    pub(crate) close: Kin,
    /// Nodes that touch where the body is folded.
    near: Kin,
    /// Whether there is material inside.
    pub(crate) has_inside: bool,
    /// `δ` [m].
    pub(crate) thickness: f64,
    /// Mean length of its edges [m].
    edge: f64,
}

/// What a body that touches itself is made of.
pub(crate) struct Own<'a> {
    pub(crate) mesh: &'a TriMesh,
    /// Vertices of the body that those of its surface are.
    pub(crate) vertices: &'a [u32],
    /// Nodes of the vertices of the body, and where all nodes start [m].
    pub(crate) nodes: &'a [u32],
    pub(crate) start: &'a [Vector3],
    /// Mean length of its surface edges [m].
    pub(crate) edge: f64,
    /// How far a point sees of its surface [m].
    pub(crate) radius: f64,
    /// `δ` [m].
    pub(crate) thickness: f64,
}

impl Layers {
    /// Refuses places that are nearer than the layer at rest or at the start, and not joined by an edge.
    pub(crate) fn new(scene: &Scene, body: BodyId, own: &Own<'_>) -> Result<Arc<Self>, SceneError> {
        let described = &scene.bodies[body.index()];
        let (edges, rest) = at_rest(described).unwrap_or_default();
        let count = own.nodes.iter().max().map_or(0, |&node| node as usize + 1);
        let kin = |radius: f64| {
            let (edges, positions, nodes, surface) = (&*edges, &*rest, own.nodes, own.vertices);
            Kin::new(&[RestShape { edges, positions, nodes, surface, radius }], count)
        };
        let close = KIN_LAYERS * own.thickness;
        let mut layers = Self {
            surface: Surface::new(own.mesh),
            nodes: own.vertices.iter().map(|&v| own.nodes[v as usize]).collect(),
            close: kin(close),
            near: kin(close.max(NEAR * own.radius)),
            has_inside: matches!(described, Body::Solid(_)),
            thickness: own.thickness,
            edge: own.edge,
        };
        let rest = own.vertices.iter().map(|&v| rest[v as usize]).collect();
        let found = layers.offenders(rest, own.thickness);
        refuse(scene, body, "at rest", own.vertices, (&found, own.thickness))?;
        let joined: Vec<[u32; 2]> = found.iter().map(|offender| offender.nodes).collect();
        layers.close = layers.close.with(&joined);
        let start = layers.nodes.iter().map(|&node| own.start[node as usize]).collect();
        let found = layers.offenders(start, NEARLY * own.thickness);
        refuse(scene, body, "at the start", own.vertices, (&found, own.thickness))?;
        Ok(Arc::new(layers))
    }

    fn offenders(&self, positions: Vec<Vector3>, layer: f64) -> Vec<Offender> {
        let surface = ContactSurface {
            surface: &self.surface,
            positions: &positions,
            nodes: &self.nodes,
            has_inside: self.has_inside,
        };
        // Positions that are not finite touch nothing.
        self.close.offenders(&surface, layer).unwrap_or_default()
    }

    /// What a vertex of the surface needs to know of itself, as vertices are now.
    pub(crate) fn of<'a>(&'a self, vertex: u32, positions: &'a [Vector3]) -> OwnVertex<'a> {
        let normal = |face: u32| {
            let corners = self.surface.triangles()[face as usize];
            triangle_normal(&corners.map(|v| positions[v as usize]))
        };
        OwnVertex {
            layers: self,
            positions,
            x: positions[vertex as usize],
            node: self.nodes[vertex as usize],
            around: self.surface.around(vertex).filter_map(normal).collect(),
            normal: self.surface.normal(Feature::Vertex(vertex), positions),
        }
    }
}

/// A vertex of a body that may touch faces of the same body.
pub(crate) struct OwnVertex<'a> {
    layers: &'a Layers,
    positions: &'a [Vector3],
    /// Where it is [m].
    pub(crate) x: Vector3,
    node: u32,
    /// Normals of the faces around it, and their mean.
    around: Vec<Vector3>,
    pub(crate) normal: Vector3,
}

impl OwnVertex<'_> {
    /// Whether a face may be touched.
    pub(crate) fn may_touch(&self, face: u32) -> bool {
        let Layers { surface, nodes, close, near, has_inside, thickness, edge } = self.layers;
        let corners = surface.triangles()[face as usize];
        let own = [self.node];
        let of_face = corners.map(|v| nodes[v as usize]);
        if close.any_kin(&own, &of_face) {
            return false;
        }
        let p = corners.map(|v| self.positions[v as usize]);
        let Some(normal) = triangle_normal(&p) else { return false };
        let near = near.any_kin(&own, &of_face);
        if near && !self.around.iter().all(|n| n.dot(&normal) < FOLDED) {
            return false;
        }
        if !has_inside {
            return true;
        }
        let shares = weights_on_triangle(&p, self.x);
        let foot = p[0] * shares[0] + p[1] * shares[1] + p[2] * shares[2];
        let away = self.x - foot;
        let deepest = if near { 0.0 } else { thickness.max(DEEPEST * edge) };
        let out = self.normal.try_normalize(0.0).unwrap_or_default();
        normal.dot(&away) >= -deepest && -out.dot(&away) >= -deepest
    }
}
