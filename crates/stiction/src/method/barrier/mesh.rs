//! All surfaces that may touch, as one list of vertices, edges and triangles.
//!
//! Vertices of what deforms are nodes and come first; those of obstacles move as told. Half-spaces have no vertices:
//! they are met by all vertices, exactly.

use crate::assembly::point;
use crate::body::{Body, BodyId, Motion, Shape};
use crate::contact::body_surface::BodySurface;
pub(super) use crate::contact::features::Layer;
use crate::contact::itself::{at_rest, welded};
use crate::contact::obstacle::MovingPose;
use crate::contact::rules::Rules;
use crate::math::Vector3;
use crate::mesh::{Transform, TriMesh};
use crate::model::Model;
use crate::scene::Scene;
use crate::union_find::UnionFind;

/// Corners of a circle that stands for a round obstacle.
const AROUND: usize = 48;
/// The distance at which bodies begin to push, in mean edges of the finer one at most…
const THICKNESS: f64 = 0.05;
/// … and in extents of the smaller one, as is usual [LFS+20, §7].
const OF_SIZE: f64 = 1e-3;

/// Everything that may touch.
#[derive(Debug)]
pub(super) struct ContactMesh {
    pub(super) vertices: Vec<Vertex>,
    /// How many of them are nodes: the first.
    pub(super) soft: usize,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<[u32; 2]>,
    /// Where vertices are in the rest shape of their body [m].
    pub(super) rest: Vec<Vector3>,
    /// Where they start [m].
    pub(super) start: Vec<Vector3>,
    /// Of each body, the first of those that it is welded to.
    welded: Vec<u32>,
    pub(super) planes: Vec<Plane>,
    pub(super) bodies: Vec<TouchingBody>,
    pub(super) rules: Rules,
}

/// A vertex of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) body: u32,
    /// Its number in the body.
    pub(super) number: u32,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Node(u32),
    /// In the frame of the obstacle [m].
    Obstacle(Vector3),
}

/// A half-space.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) body: u32,
    /// In its own frame.
    normal: Vector3,
    offset: f64,
}

/// A body as contacts see it.
#[derive(Clone, Debug)]
pub(super) struct TouchingBody {
    /// How an obstacle is placed and moves.
    moved: Option<(Transform, Motion)>,
    /// Whether it keeps its shape.
    rigid: bool,
    /// The distance at which it begins to push, if nothing else is asked for; infinite for half-spaces [m].
    d_hat: f64,
    /// Load of one of its vertices that contacts should carry with ease [N].
    load: f64,
    /// Mass of one of its surface vertices [kg].
    mass: f64,
}

impl Vertex {
    pub(super) fn node(&self) -> Option<u32> {
        match self.place {
            Place::Node(node) => Some(node),
            Place::Obstacle(_) => None,
        }
    }
}

impl ContactMesh {
    /// The body is named whose surface has no triangles.
    pub(super) fn new(scene: &Scene, model: &Model) -> Result<Self, BodyId> {
        let mut mesh = Self {
            vertices: Vec::new(),
            soft: 0,
            triangles: Vec::new(),
            edges: Vec::new(),
            rest: Vec::new(),
            start: Vec::new(),
            welded: Vec::new(),
            planes: Vec::new(),
            bodies: Vec::new(),
            rules: Rules::new(scene),
        };
        for (body, id) in scene.bodies.iter().zip(scene.ids()) {
            mesh.add_soft(body, id, scene.gravity.norm(), model);
        }
        mesh.soft = mesh.vertices.len();
        for (body, id) in scene.bodies.iter().zip(scene.ids()) {
            if let Body::Obstacle(obstacle) = body {
                mesh.bodies[id.index()].moved = Some((obstacle.placement, obstacle.motion.clone()));
                if let Shape::Plane { normal, offset } = obstacle.shape {
                    mesh.planes.push(Plane { body: id.0, normal, offset });
                    continue;
                }
                let triangles = triangles_of(&obstacle.shape).ok_or(id)?;
                let stretched = triangles.transformed(&obstacle.placement.stretch());
                let triangles = stretched.map_err(|_| id)?;
                let place = |number: u32, x: &Vector3| Vertex {
                    body: id.0,
                    number,
                    place: Place::Obstacle(*x),
                };
                mesh.add(&triangles, triangles.vertices().to_vec(), id, place);
            }
        }
        let mut same = UnionFind::new(scene.bodies.len());
        welded(scene, &model.body_nodes).into_iter().for_each(|[a, b]| same.unite(a, b));
        mesh.welded = (0..scene.bodies.len() as u32).map(|body| same.root(body)).collect();
        let start: Vec<f64> = model.start().iter().flat_map(|x| x.iter().copied()).collect();
        mesh.start = mesh.positions(&start, 0.0);
        Ok(mesh)
    }

    /// Whether two bodies are made one by welds.
    pub(super) fn is_welded(&self, a: u32, b: u32) -> bool {
        a != b && self.welded[a as usize] == self.welded[b as usize]
    }

    fn add_soft(&mut self, body: &Body, id: BodyId, gravity: f64, model: &Model) {
        let mass: f64 = model.vertex_masses(id).iter().sum();
        let mut described = TouchingBody {
            moved: None,
            rigid: matches!(body, Body::Rigid(_)),
            d_hat: f64::INFINITY,
            load: 0.0,
            mass: f64::INFINITY,
        };
        if let Some(side) = BodySurface::of(body, mass) {
            let (nodes, count) = (model.nodes(id), side.vertices.len().max(1) as f64);
            described.mass = mass / count;
            let weight = 4.0 * gravity * described.mass;
            described.load = weight.max(1e-3 * side.firmness * side.area);
            let rest = at_rest(body).map(|(_, rest)| rest);
            let rest = match rest {
                Some(rest) => side.vertices.iter().map(|&v| rest[v as usize]).collect(),
                None => side.surface.vertices().to_vec(),
            };
            let place = |number: u32, _: &Vector3| {
                let number = side.vertices[number as usize];
                Vertex { body: id.0, number, place: Place::Node(nodes[number as usize]) }
            };
            self.bodies.push(described);
            self.add(&side.surface, rest, id, place);
        } else {
            self.bodies.push(described);
        }
    }

    fn add(
        &mut self,
        mesh: &TriMesh,
        rest: Vec<Vector3>,
        id: BodyId,
        vertex: impl Fn(u32, &Vector3) -> Vertex,
    ) {
        let first = self.vertices.len() as u32;
        let numbered = (0..).zip(mesh.vertices());
        self.vertices.extend(numbered.map(|(number, x)| vertex(number, x)));
        self.rest.extend(rest);
        let triangles = mesh.elements().iter().map(|t| t.map(|v| first + v));
        let from = self.triangles.len();
        self.triangles.extend(triangles);
        let sides = self.triangles[from..].iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        self.edges.extend(edges);
        let of_edges = THICKNESS * mesh.edge_lengths().mean;
        self.bodies[id.index()].d_hat = of_edges.min(OF_SIZE * extent(mesh.vertices()));
    }

    /// Where vertices are, for nodes at `q` and obstacles at time `t` [m].
    pub(super) fn positions(&self, q: &[f64], t: f64) -> Vec<Vector3> {
        let poses = self.poses(t);
        let place = |vertex: &Vertex| match vertex.place {
            Place::Node(node) => point(q, node as usize),
            Place::Obstacle(x) => poses[vertex.body as usize].to_world(x),
        };
        self.vertices.iter().map(place).collect()
    }

    /// Where obstacles are at a time.
    pub(super) fn poses(&self, t: f64) -> Vec<MovingPose> {
        let pose = |body: &TouchingBody| match &body.moved {
            Some((placement, motion)) => MovingPose::of(placement, motion, t),
            None => MovingPose::STILL,
        };
        self.bodies.iter().map(pose).collect()
    }

    /// Normal and a point of each half-space.
    pub(super) fn standing(&self, poses: &[MovingPose]) -> Vec<(Vector3, Vector3)> {
        let stands = |plane: &Plane| {
            let pose = &poses[plane.body as usize];
            (pose.axes * plane.normal, pose.to_world(plane.normal * plane.offset))
        };
        self.planes.iter().map(stands).collect()
    }

    /// How two bodies push; nothing if they never touch.
    pub(super) fn layer(&self, a: u32, b: u32) -> Option<Layer> {
        let [one, other] = [a, b].map(|body| &self.bodies[body as usize]);
        let rule = self.rules.of([a, b]);
        let never = one.moved.is_some() && other.moved.is_some() || a == b && one.rigid;
        if !rule.enabled || never {
            return None;
        }
        let d_hat = rule.thickness.unwrap_or(one.d_hat.min(other.d_hat));
        let load = one.load.max(other.load);
        // Where nothing weighs anything and nothing is firm: what stops a vertex within the layer at 1 m/s.
        let load = if load > 0.0 { load } else { one.mass.min(other.mass) / d_hat };
        let kappa = rule.stiffness.unwrap_or(load / (super::potential::HALF_WAY * d_hat));
        Some(Layer { d_hat, kappa })
    }

    /// The largest `d̂` of any pair [m].
    pub(super) fn thickest(&self) -> f64 {
        let each = self.bodies.iter().map(|body| body.d_hat).filter(|d_hat| d_hat.is_finite());
        each.fold(self.rules.thickest, f64::max)
    }
}

/// Twice the distance of the farthest point from the mean of all: the diagonal of a box, however it is turned [m].
fn extent(points: &[Vector3]) -> f64 {
    let mean = points.iter().sum::<Vector3>() / points.len().max(1) as f64;
    2.0 * points.iter().fold(0.0, |most: f64, x| most.max((x - mean).norm()))
}

/// The triangles of an obstacle; nothing if it has none.
fn triangles_of(shape: &Shape) -> Option<TriMesh> {
    match shape {
        Shape::Mesh(mesh) => Some(mesh.clone()),
        Shape::Grid(grid) => Some(grid.mesh().clone()),
        Shape::Torus { ring_radius, tube_radius } => ring(*ring_radius, *tube_radius),
        _ => shape.convex()?.surface(AROUND),
    }
}

/// A torus around `y`.
fn ring(ring_radius: f64, tube_radius: f64) -> Option<TriMesh> {
    let round = |k: usize| (k % AROUND) as f64 * (std::f64::consts::TAU / AROUND as f64);
    let vertex = |at: usize| {
        let ((sin, cos), (up, out)) = (round(at / AROUND).sin_cos(), round(at % AROUND).sin_cos());
        let radius = ring_radius + tube_radius * out;
        Vector3::new(radius * cos, tube_radius * up, radius * sin)
    };
    let at = |i: usize, j: usize| ((i % AROUND) * AROUND + j % AROUND) as u32;
    let cells = (0..AROUND * AROUND).map(|cell| (cell / AROUND, cell % AROUND));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
        [[a, b, c], [a, c, d]]
    });
    let vertices = (0..AROUND * AROUND).map(vertex).collect();
    TriMesh::new(vertices, triangles.collect()).ok()
}

/// Whether an obstacle has triangles, or is a half-space.
pub(super) fn has_triangles(shape: &Shape) -> bool {
    match shape {
        Shape::Plane { .. } | Shape::Mesh(_) | Shape::Grid(_) | Shape::Torus { .. } => true,
        _ => shape.convex().is_some(),
    }
}
