//! Which bodies pass through each other or themselves, by the triangles that cross: a look at where things are,
//! whatever method brought them there and whether contacts were on.
//!
//! [`Intersections`] says at what is looked.

use std::collections::BTreeMap;

use crate::assembly::point;
use crate::body::{Body, BodyId, Motion, Obstacle, Rigid, Shape};
use crate::geometry::bvh::Bvh;
use crate::geometry::intersection::crossings;
use crate::geometry::shape::Convex;
use crate::math::Vector3;
use crate::mesh::{BoundingBox, TriMesh};
use crate::model::Model;
use crate::scene::Scene;

/// Pairs of triangles that cross, by pairs of bodies.
///
/// Looked at are boundaries of solids, cloth, rigid bodies, and obstacles of triangles: meshes, those with distances
/// on a grid too, and boxes with sharp edges. Not looked at are
///
/// - bodies whose triangles only approximate what they are: rigid ones and obstacles with round shapes. Facets of two
///   balls, or of a cylinder that rolls, cross by up to their sagitta while the shapes only touch;
/// - half-spaces and point clouds, which have no triangles;
/// - rigid bodies and obstacles against themselves, and obstacles against each other: nothing that is simulated
///   changes that.
///
/// Triangles that share corners count only where one is folded through the other, also across a weld; triangles that
/// only touch do not count ([`intersection`](crate::geometry::intersection)). The test has no tolerance: a stack of
/// boxes that rests on gaps of rounding errors crosses by them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intersections {
    /// Two bodies, the first of the scene first, or one and itself, and how many pairs of their triangles cross:
    /// ascending, only those with any.
    pub pairs: Vec<(BodyId, BodyId, usize)>,
    /// Bodies with a position that is not finite: nothing is known of them, and nothing of them is counted.
    pub unknown: Vec<BodyId>,
}

impl Intersections {
    /// Pairs of triangles that cross, of all bodies.
    pub fn total(&self) -> usize {
        self.pairs.iter().map(|(.., count)| count).sum()
    }

    /// The two bodies, or the one, with most of them; the first if there are several.
    pub fn worst(&self) -> Option<(BodyId, BodyId, usize)> {
        let most = self.pairs.iter().map(|(.., count)| *count).max()?;
        self.pairs.iter().copied().find(|(.., count)| *count == most)
    }

    /// Those of a body, with everything or with one other; with itself, if it is named twice.
    pub fn of(&self, body: BodyId, against: Option<BodyId>) -> usize {
        let counts = |a: BodyId, b: BodyId| match against {
            None => a == body || b == body,
            Some(other) => (a, b) == (body.min(other), body.max(other)),
        };
        self.pairs.iter().filter(|(a, b, _)| counts(*a, *b)).map(|(.., count)| count).sum()
    }
}

/// Surfaces of all bodies that can be looked at.
#[derive(Debug)]
pub(crate) struct Surfaces(Vec<Surface>);

#[derive(Debug)]
struct Surface {
    body: BodyId,
    kind: Kind,
    /// Corners: nodes of the model, or vertices of the obstacle.
    triangles: Vec<[u32; 3]>,
}

#[derive(Debug)]
enum Kind {
    Deforming,
    Rigid,
    Obstacle { start: Vec<Vector3>, motion: Motion },
}

impl Surfaces {
    pub(crate) fn new(scene: &Scene, model: &Model) -> Self {
        let surface = |(body, given): (BodyId, &Body)| {
            let nodes = model.nodes(body);
            let on_nodes = |corners: &[u32; 3]| corners.map(|v| nodes[v as usize]);
            let (kind, triangles) = match given {
                Body::Solid(solid) => {
                    let boundary = solid.mesh.boundary();
                    let vertex = |v: u32| boundary.vertices[v as usize];
                    let faces = boundary.surface.triangles().iter();
                    (Kind::Deforming, faces.map(|face| on_nodes(&face.map(vertex))).collect())
                }
                Body::Cloth(cloth) => {
                    (Kind::Deforming, cloth.mesh.triangles().iter().map(on_nodes).collect())
                }
                Body::Rigid(rigid) if is_what_it_looks_like(rigid) => {
                    (Kind::Rigid, rigid.mesh.triangles().iter().map(on_nodes).collect())
                }
                Body::Rigid(_) => return None,
                Body::Obstacle(obstacle) => {
                    let (start, triangles) = placed(obstacle)?;
                    (Kind::Obstacle { start, motion: obstacle.motion.clone() }, triangles)
                }
            };
            Some(Surface { body, kind, triangles })
        };
        Self(scene.ids().zip(&scene.bodies).filter_map(surface).collect())
    }

    /// Whether a body is looked at.
    pub(crate) fn has(&self, body: BodyId) -> bool {
        self.0.iter().any(|surface| surface.body == body)
    }

    /// What crosses, with nodes at `q`.
    pub(crate) fn intersections(&self, q: &[f64], time: f64) -> Intersections {
        let mut points: Vec<Vector3> = (0..q.len() / 3).map(|node| point(q, node)).collect();
        let mut seen = Vec::with_capacity(self.0.len());
        let mut unknown = Vec::new();
        for surface in &self.0 {
            let first = match &surface.kind {
                Kind::Deforming | Kind::Rigid => 0,
                Kind::Obstacle { start, motion } => {
                    let first = points.len() as u32;
                    points.extend(start.iter().map(|x| motion.at(*x, time).0));
                    first
                }
            };
            let corners = surface.triangles.iter().flatten();
            let around = BoundingBox::of(corners.map(|&v| &points[(first + v) as usize]));
            // NaN leaves no trace in a box.
            let is_finite = |t: &[u32; 3]| {
                t.iter().all(|&v| points[(first + v) as usize].iter().all(|x| x.is_finite()))
            };
            let known = surface.triangles.iter().all(is_finite)
                && around.size().iter().all(|width| width.is_finite());
            if known {
                seen.push(Seen { surface, first, around });
            } else {
                unknown.push(surface.body);
            }
        }
        let (owners, triangles) = near_others(&seen, &points);
        let found = crossings(&points, &triangles, |a, b| {
            let [a, b] = [a, b].map(|t| owners[t as usize] as usize);
            seen[a].counts_with(&seen[b], a == b)
        });
        let found = found.expect("positions of the bodies that are looked at are finite");
        let mut counts: BTreeMap<(BodyId, BodyId), usize> = BTreeMap::new();
        for [a, b] in found {
            let [a, b] = [a, b].map(|t| seen[owners[t as usize] as usize].surface.body);
            *counts.entry((a.min(b), a.max(b))).or_default() += 1;
        }
        Intersections {
            pairs: counts.into_iter().map(|((a, b), count)| (a, b, count)).collect(),
            unknown,
        }
    }
}

/// A surface at a time.
struct Seen<'a> {
    surface: &'a Surface,
    /// The point that its vertices are counted from.
    first: u32,
    around: BoundingBox,
}

impl Seen<'_> {
    fn counts_with(&self, other: &Self, same: bool) -> bool {
        let is_obstacle = |of: &Self| matches!(of.surface.kind, Kind::Obstacle { .. });
        match same {
            true => self.deforms(),
            false => !(is_obstacle(self) && is_obstacle(other)),
        }
    }

    fn deforms(&self) -> bool {
        matches!(self.surface.kind, Kind::Deforming)
    }
}

/// All triangles of what deforms; of what does not, those in boxes around others. First, whose they are.
fn near_others(seen: &[Seen<'_>], points: &[Vector3]) -> (Vec<u32>, Vec<[u32; 3]>) {
    let boxes: Vec<BoundingBox> = seen.iter().map(|seen| seen.around).collect();
    let tree = Bvh::new(&boxes).expect("boxes around what is finite");
    let mut pairs = Vec::new();
    tree.self_pairs(&mut pairs);
    let mut others = vec![Vec::new(); seen.len()];
    for [a, b] in pairs.into_iter().map(|pair| pair.map(|k| k as usize)) {
        if seen[a].counts_with(&seen[b], false) {
            others[a].push(boxes[b]);
            others[b].push(boxes[a]);
        }
    }
    let (mut owners, mut triangles) = (Vec::new(), Vec::new());
    for (k, of) in seen.iter().enumerate() {
        for corners in &of.surface.triangles {
            let corners = corners.map(|v| of.first + v);
            let around = || BoundingBox::of(corners.iter().map(|&v| &points[v as usize]));
            if of.deforms() || others[k].iter().any(|other| other.overlaps(&around())) {
                owners.push(k as u32);
                triangles.push(corners);
            }
        }
    }
    (owners, triangles)
}

/// Whether the mesh of a rigid body is its surface: it has no other shape, or one with flat faces only.
fn is_what_it_looks_like(rigid: &Rigid) -> bool {
    rigid.placed_parts().is_none_or(|parts| parts.iter().all(|part| has_flat_faces(&part.shape)))
}

fn has_flat_faces(shape: &Convex) -> bool {
    match shape {
        Convex::Box { rounding, .. } => *rounding <= 0.0,
        Convex::Hull(_) => true,
        Convex::Plane { .. }
        | Convex::Sphere { .. }
        | Convex::Capsule { .. }
        | Convex::Cylinder { .. } => false,
    }
}

/// Vertices where an obstacle starts, and triangles; nothing if it is not made of them.
fn placed(obstacle: &Obstacle) -> Option<(Vec<Vector3>, Vec<[u32; 3]>)> {
    let start = |mesh: &TriMesh| {
        let vertices = mesh.vertices().iter().map(|x| obstacle.placement.apply(x));
        (vertices.collect(), mesh.triangles().to_vec())
    };
    match &obstacle.shape {
        Shape::Mesh(mesh) => Some(start(mesh)),
        Shape::Grid(gridded) => Some(start(gridded.mesh())),
        shape => {
            let convex = shape.convex().filter(has_flat_faces)?;
            // A sharp box has no circles to be cut into segments.
            convex.surface(12).as_ref().map(start)
        }
    }
}
