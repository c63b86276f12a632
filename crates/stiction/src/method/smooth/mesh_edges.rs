//! Edges of meshes against edges of other meshes.
//!
//! Points of one body against the surface of another miss what happens between points: two cubes of eight vertices,
//! one turned above the other, touch with edges alone. Gap, normal and the way it widens towards ends of edges and
//! where they are parallel are those of [crossing edges](super::crossing); nodes are the four ends. Lengths in it are
//! those at rest, so that derivatives are exact where edges stretch.
//!
//! Which edges can be touched at all:
//!
//! | body | edges |
//! |---|---|
//! | hull | all between faces that are farther apart than a degree: it is met by these faces |
//! | cloth | its border, and creases of 10° and more: less is a fiftieth of an edge deep |
//! | other meshes | those that stick out by 45.5°, as their smooth surfaces keep them sharp; by 5° if they are three times as long as their faces are wide |
//!
//! Two of them touch if the faces beside both fall away from the plane between them ([`RISE`]). An edge on a flat
//! face touches it with its ends, or crosses the edges around it: edges within a face need not count.

mod beside;
mod slide;

use std::sync::Arc;

use beside::Beside;

use super::crossing::lines::Lines;
use super::layers::Layers;
use crate::assembly::point;
use crate::body::{Motion, Shape};
use crate::contact::obstacle::MovingPose;
use crate::geometry::bvh::Bvh;
use crate::geometry::ccd::{self, Query};
use crate::geometry::closest;
use crate::geometry::features::Surface;
use crate::math::Vector3;
use crate::mesh::{BoundingBox, Transform, TriMesh};

/// How much faces beside an edge may rise above the plane between two edges, as a sine, at the start of a step.
const RISE: f64 = 0.1;

/// Shorter edges do not count, in thicknesses: their ends are near enough to each other, and a gap that widens
/// towards both would widen everywhere.
const SHORTEST: f64 = 4.0;

/// Faces of hulls are farther apart than this [°].
pub(crate) const HULL: f64 = 1.0;

/// How far edges may have gone through each other, in mean edges: farther in, others are nearer.
const DEEPEST: f64 = 0.25;

/// Edges of one body that may cross those of another.
#[derive(Clone, Debug)]
pub(crate) struct MeshEdges {
    /// Of the body that forces act on, and of the other.
    pub(crate) sides: [EdgeSide; 2],
    /// `δ` [m].
    thickness: f64,
    /// Of edges of one body against each other: which of them do not touch.
    layers: Option<Arc<Layers>>,
}

/// All edges of a body.
#[derive(Clone, Debug)]
pub(crate) struct EdgeSide {
    surface: Surface,
    /// What moves its vertices.
    moved: Moved,
    /// Numbers of its vertices in the body.
    vertices: Vec<u32>,
    /// Of edges, at rest [m]; and their mean.
    lengths: Vec<f64>,
    mean: f64,
    /// Cosine of the angle from which on each edge counts.
    least: Vec<f64>,
    /// Whether each edge is a ridge, if it stays so.
    ridges: Option<Vec<bool>>,
    /// Whether it can be touched from both sides of its faces.
    two_sided: bool,
    /// At the start of the step [m], and around it.
    start: Vec<Vector3>,
    bounds: BoundingBox,
    /// Of its vertices, and how far any of them is from it [m/s].
    mean_velocity: Vector3,
    spread: f64,
}

/// What moves vertices.
#[derive(Clone, Debug)]
enum Moved {
    /// A node each.
    Nodes(Vec<u32>),
    /// An obstacle: where they are in its own frame [m].
    Obstacle { local: Vec<Vector3>, placement: Transform, motion: Motion },
}

/// What an edge side is made of.
pub(crate) struct Edged<'a> {
    /// As placed; of an obstacle, in its own frame.
    pub(crate) mesh: &'a TriMesh,
    pub(crate) vertices: Vec<u32>,
    pub(crate) two_sided: bool,
    /// Whether its faces are just as they are, and no samples of something smooth.
    pub(crate) is_hull: bool,
}

/// Two edges that are near each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) edges: [u32; 2],
    /// [m].
    pub(crate) gap: f64,
    /// Out of B.
    pub(crate) normal: Vector3,
    /// The sign that makes it so.
    pub(crate) sign: f64,
}

impl EdgeSide {
    /// Of a body with nodes that deforms, or does not.
    pub(crate) fn of_nodes(edged: Edged<'_>, nodes: Vec<u32>, deforms: bool) -> Self {
        Self::new(edged, Moved::Nodes(nodes), deforms)
    }

    /// Of an obstacle, if that is a closed mesh: what is open is ground to walk on, and ends nowhere in particular.
    pub(crate) fn of_obstacle(obstacle: &crate::body::Obstacle) -> Option<Self> {
        let Shape::Mesh(mesh) = &obstacle.shape else { return None };
        let mesh = mesh.transformed(&obstacle.placement.stretch()).ok()?;
        if !mesh.is_closed() {
            return None;
        }
        let vertices = (0..mesh.vertex_count() as u32).collect();
        let edged = Edged { mesh: &mesh, vertices, two_sided: false, is_hull: false };
        let (placement, motion) = (obstacle.placement, obstacle.motion.clone());
        let local = mesh.vertices().to_vec();
        Some(Self::new(edged, Moved::Obstacle { local, placement, motion }, false))
    }

    fn new(edged: Edged<'_>, moved: Moved, deforms: bool) -> Self {
        let Edged { mesh, vertices, two_sided, is_hull } = edged;
        let surface = Surface::new(mesh);
        let x = mesh.vertices();
        let length = |&[a, b]: &[u32; 2]| (x[b as usize] - x[a as usize]).norm();
        let lengths: Vec<f64> = surface.edges().iter().map(length).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        let all = 0..lengths.len() as u32;
        let least = all.clone().map(|edge| beside::least(&surface, edge, x, two_sided, is_hull));
        let least: Vec<f64> = least.collect();
        let mut side = Self {
            surface,
            moved,
            vertices,
            lengths,
            mean,
            least,
            ridges: None,
            two_sided,
            start: x.to_vec(),
            bounds: BoundingBox::of(x),
            mean_velocity: Vector3::zeros(),
            spread: 0.0,
        };
        if !deforms {
            side.ridges = Some(all.map(|edge| side.beside(edge, x).is_ridge).collect());
        }
        side
    }

    /// Whether no edge of it can ever be touched.
    pub(crate) fn is_empty(&self) -> bool {
        self.ridges.as_ref().is_some_and(|ridges| !ridges.contains(&true))
    }

    /// Whether an edge can be touched.
    fn is_ridge(&self, edge: u32, x: &[Vector3]) -> bool {
        match &self.ridges {
            Some(ridges) => ridges[edge as usize],
            None => self.beside(edge, x).is_ridge,
        }
    }

    fn beside(&self, edge: u32, x: &[Vector3]) -> Beside {
        Beside::of(&self.surface, edge, x, self.two_sided, self.least[edge as usize])
    }

    /// Where an obstacle is.
    fn pose(&self, t: f64) -> MovingPose {
        match &self.moved {
            Moved::Nodes(_) => MovingPose::STILL,
            Moved::Obstacle { placement, motion, .. } => MovingPose::of(placement, motion, t),
        }
    }

    /// Node of a vertex, and where it is [m] and how fast [m/s].
    fn state(
        &self,
        vertex: u32,
        q: &[f64],
        v: &[f64],
        pose: &MovingPose,
    ) -> (Option<u32>, Vector3, Vector3) {
        match &self.moved {
            Moved::Nodes(nodes) => {
                let node = nodes[vertex as usize];
                (Some(node), point(q, node as usize), point(v, node as usize))
            }
            Moved::Obstacle { local, .. } => {
                let x = pose.to_world(local[vertex as usize]);
                (None, x, pose.velocity_at(x))
            }
        }
    }

    fn positions(&self, q: &[f64], pose: &MovingPose) -> Vec<Vector3> {
        (0..self.surface.vertex_count() as u32).map(|v| self.state(v, q, q, pose).1).collect()
    }

    fn begin(&mut self, q: &[f64], v: &[f64], pose: &MovingPose) {
        let count = self.surface.vertex_count() as u32;
        let states: Vec<_> = (0..count).map(|vertex| self.state(vertex, q, v, pose)).collect();
        self.start.clear();
        self.start.extend(states.iter().map(|state| state.1));
        self.bounds = BoundingBox::of(&self.start);
        let mean = states.iter().map(|state| state.2).sum::<Vector3>() / f64::from(count.max(1));
        self.mean_velocity = mean;
        self.spread = states.iter().fold(0.0, |most, state| (state.2 - mean).norm().max(most));
    }

    /// Ridges that are near a place on their way from `x` to `end`, and boxes around them.
    fn near(
        &self,
        [x, end]: [&[Vector3]; 2],
        place: &BoundingBox,
        reach: f64,
        shortest: f64,
    ) -> (Vec<u32>, Vec<BoundingBox>) {
        let mut near = (Vec::new(), Vec::new());
        for (edge, ends) in (0..).zip(self.surface.edges()) {
            if self.lengths[edge as usize] < shortest {
                continue;
            }
            let [a, b] = ends.map(|vertex| vertex as usize);
            let around = BoundingBox::of([&x[a], &x[b], &end[a], &end[b]]).grown(reach);
            if around.overlaps(place) && self.is_ridge(edge, x) {
                near.0.push(edge);
                near.1.push(around);
            }
        }
        near
    }

    fn ends(&self, edge: u32, x: &[Vector3]) -> [Vector3; 2] {
        self.surface.edges()[edge as usize].map(|vertex| x[vertex as usize])
    }
}

impl MeshEdges {
    /// Nothing if no two edges can ever touch.
    pub(crate) fn new(sides: [EdgeSide; 2], thickness: f64) -> Option<Self> {
        let any = sides.iter().all(|side| !side.is_empty());
        any.then_some(Self { sides, thickness, layers: None })
    }

    /// Edges of one body against each other.
    pub(crate) fn of_itself(side: EdgeSide, thickness: f64, layers: Arc<Layers>) -> Option<Self> {
        let edges = Self::new([side.clone(), side], thickness)?;
        Some(Self { layers: Some(layers), ..edges })
    }

    /// Whether two edges are worth a look: of one body each two are met once, unless they are kin.
    fn may_touch(&self, [a, b]: [u32; 2]) -> bool {
        let Some(layers) = &self.layers else { return true };
        let [first, second] = self.ends_of([a, b]);
        // Creases of folds as short as edges are left to the guard.
        let border = |side: usize, edge: u32| self.sides[side].surface.beside(edge).count() == 1;
        a < b && border(0, a) && border(1, b) && !layers.close.any_kin(&first, &second)
    }

    /// How deep inside each other two edges may be [m]; those of one body never are.
    fn deepest(&self) -> f64 {
        if self.layers.is_some() { 0.0 } else { self.depth() }
    }

    /// Nodes of two edges of bodies that have nodes.
    fn ends_of(&self, edges: [u32; 2]) -> [[u32; 2]; 2] {
        let [p0, p1, q0, q1] = self.nodes(edges).map(|node| node.unwrap_or(u32::MAX));
        [[p0, p1], [q0, q1]]
    }

    /// Where B is, if it is an obstacle.
    pub(crate) fn pose(&self, t: f64) -> MovingPose {
        self.sides[1].pose(t)
    }

    /// A step begins; `pose` is that of B.
    pub(crate) fn begin(&mut self, q: &[f64], v: &[f64], pose: &MovingPose) {
        self.sides.iter_mut().for_each(|side| side.begin(q, v, pose));
    }

    /// How far the two may get towards each other in a time, about [m].
    pub(crate) fn approach(&self, time: f64) -> f64 {
        let [a, b] = &self.sides;
        ((a.mean_velocity - b.mean_velocity).norm() + a.spread + b.spread) * time
    }

    /// How far one may get into the other before it could come out on another side [m].
    pub(crate) fn depth(&self) -> f64 {
        DEEPEST * self.sides[0].mean.min(self.sides[1].mean)
    }

    /// Edges that touch or come near at the start of the step, ascending. `facing` is where B looked, of edges that
    /// touched before.
    pub(crate) fn near_start(
        &self,
        reach: f64,
        facing: impl Fn([u32; 2]) -> Option<Vector3>,
    ) -> Vec<Found> {
        let [a, b] = &self.sides;
        if !a.bounds.grown(reach).overlaps(&b.bounds) {
            return Vec::new();
        }
        self.near([&a.start, &b.start], reach, facing)
    }

    /// The same in a state; `pose` is that of B.
    pub(crate) fn near_now(
        &self,
        q: &[f64],
        pose: &MovingPose,
        reach: f64,
        facing: impl Fn([u32; 2]) -> Option<Vector3>,
    ) -> Vec<Found> {
        let x = self.sides.each_ref().map(|side| side.positions(q, pose));
        self.near([&x[0], &x[1]], reach, facing)
    }

    fn near(
        &self,
        x: [&[Vector3]; 2],
        reach: f64,
        facing: impl Fn([u32; 2]) -> Option<Vector3>,
    ) -> Vec<Found> {
        let mut found = Vec::new();
        // What is inside by less than the depth is near, too.
        let around = reach.max(self.depth());
        for edges in self.candidates(x, x, around) {
            if let Some((gap, normal, sign)) = self.gap(edges, x, around, facing(edges)) {
                found.push(Found { edges, gap, normal, sign });
            }
        }
        found
    }

    /// Pairs of edges whose boxes overlap somewhere between two states, ascending.
    fn candidates(&self, x: [&[Vector3]; 2], end: [&[Vector3]; 2], reach: f64) -> Vec<[u32; 2]> {
        let bounds = [0, 1].map(|k| BoundingBox::of(x[k].iter().chain(end[k])));
        if !bounds[0].grown(reach).overlaps(&bounds[1]) {
            return Vec::new();
        }
        let [a_side, b_side] = &self.sides;
        let shortest = SHORTEST * self.thickness;
        let (a, boxes_a) = a_side.near([x[0], end[0]], &bounds[1], reach, shortest);
        let (b, boxes_b) = b_side.near([x[1], end[1]], &bounds[0].grown(reach), 0.0, shortest);
        // Positions that are not finite touch nothing: the step has failed already.
        let (Ok(tree_a), Ok(tree_b)) = (Bvh::new(&boxes_a), Bvh::new(&boxes_b)) else {
            return Vec::new();
        };
        let mut pairs = Vec::new();
        tree_a.pairs(&tree_b, &mut pairs);
        let mut pairs: Vec<[u32; 2]> =
            pairs.iter().map(|&[i, j]| [a[i as usize], b[j as usize]]).collect();
        pairs.retain(|pair| self.may_touch(*pair));
        pairs.sort_unstable();
        pairs
    }

    fn lines(&self, edges: [u32; 2], ends: &[[Vector3; 2]; 2], sign: f64) -> Option<Lines> {
        let lengths = [0, 1].map(|k| self.sides[k].lengths[edges[k] as usize]);
        Lines::new(ends, lengths, sign, 0.0, self.thickness)
    }

    /// Gap and normal of two edges where they can touch, and the sign of the normal; nothing beyond `reach`.
    fn gap(
        &self,
        edges: [u32; 2],
        x: [&[Vector3]; 2],
        reach: f64,
        facing: Option<Vector3>,
    ) -> Option<(f64, Vector3, f64)> {
        let ends = [0, 1].map(|k| self.sides[k].ends(edges[k], x[k]));
        let [[p0, p1], [q0, q1]] = ends;
        let (u, v, w) = (p1 - p0, q1 - q0, p0 - q0);
        let [s, t] = closest::places(u, v, w);
        if (w + u * s - v * t).norm() > reach {
            return None;
        }
        let sign = self.sign(edges, x, u.cross(&v).try_normalize(1e-300)?, w, facing)?;
        let lines = self.lines(edges, &ends, sign)?;
        (sign * lines.p.z * lines.length > -self.deepest()).then_some((
            lines.gap,
            lines.normal,
            sign,
        ))
    }

    /// The sign that makes `normal` point out of B, if the faces beside both edges fall away from the plane between
    /// them. Where nothing has an inside, the side on which they are, or were when they met.
    fn sign(
        &self,
        edges: [u32; 2],
        x: [&[Vector3]; 2],
        normal: Vector3,
        apart: Vector3,
        facing: Option<Vector3>,
    ) -> Option<f64> {
        let beside = [0, 1].map(|k| self.sides[k].beside(edges[k], x[k]));
        let most = |sign: f64| beside[0].rise(-normal * sign).max(beside[1].rise(normal * sign));
        // What never crosses is on the side where it is.
        let facing = facing.filter(|_| self.layers.is_none());
        let sign = if self.sides.iter().all(|side| side.two_sided) {
            normal.dot(&facing.unwrap_or(apart)).signum()
        } else if most(1.0) <= most(-1.0) {
            1.0
        } else {
            -1.0
        };
        (most(sign) <= RISE).then_some(sign)
    }

    /// Whether edges of the two went through each other since the start of the step; `pose` is that of B.
    pub(crate) fn passed(&self, q: &[f64], pose: &MovingPose, allowed: f64) -> bool {
        let now = self.sides.each_ref().map(|side| side.positions(q, pose));
        let mut way = 0.0;
        let mut moves: [Vector3; 2] = [Vector3::zeros(); 2];
        for (k, side) in self.sides.iter().enumerate() {
            let each = side.start.iter().zip(&now[k]).map(|(from, to)| to - from);
            let mean = each.clone().sum::<Vector3>() / side.start.len().max(1) as f64;
            way += each.fold(0.0, |most, x| (x - mean).norm().max(most));
            moves[k] = mean;
        }
        way += (moves[0] - moves[1]).norm();
        let bounds = now.each_ref().map(BoundingBox::of);
        let near = |k: usize| self.sides[k].bounds.grown(way).overlaps(&self.sides[1 - k].bounds);
        if way <= self.depth() || !(near(0) || bounds[0].grown(way).overlaps(&bounds[1])) {
            return false;
        }
        // Seen from B, as a whole.
        let seen: Vec<Vector3> = now[0].iter().map(|x| x - moves[1]).collect();
        let still: Vec<Vector3> = now[1].iter().map(|x| x - moves[1]).collect();
        let [a, b] = &self.sides;
        let (start, end) = ([&*a.start, &*b.start], [&*seen, &*still]);
        let settings = ccd::Settings { tolerance: 0.1 * allowed, ..Default::default() };
        self.candidates(start, end, 0.0).into_iter().any(|edges| {
            // What cannot touch goes through nothing; what began inside is on its way out.
            let Some((gap, ..)) = self.gap(edges, start, f64::INFINITY, None) else { return false };
            let ends = |x: [&[Vector3]; 2]| {
                let [[a, b], [c, d]] = [0, 1].map(|k| self.sides[k].ends(edges[k], x[k]));
                [a, b, c, d]
            };
            let query = Query::SegmentSegment([ends(start), ends(end)]);
            let hit = || ccd::inclusion::first_contact(&query, 1.0, &settings);
            gap > 0.0 && hit().is_some_and(|hit| hit.reason == ccd::Reason::Contact)
        })
    }

    /// Numbers of the ends of two edges that are nearest to a place, as their bodies count; nothing of an obstacle.
    pub(crate) fn shown(&self, edges: [u32; 2], place: Vector3, q: &[f64]) -> [Option<u32>; 2] {
        [0, 1].map(|k| {
            let side = &self.sides[k];
            let ends = side.surface.edges()[edges[k] as usize];
            let far = |v: u32| (side.state(v, q, q, &MovingPose::STILL).1 - place).norm_squared();
            let nearest = if far(ends[0]) <= far(ends[1]) { ends[0] } else { ends[1] };
            let has_nodes = matches!(side.moved, Moved::Nodes(_));
            has_nodes.then(|| side.vertices[nearest as usize])
        })
    }

    /// Nodes of two edges.
    pub(crate) fn nodes(&self, [a, b]: [u32; 2]) -> [Option<u32>; 4] {
        let of = |side: &EdgeSide, edge: u32| {
            side.surface.edges()[edge as usize].map(|vertex| match &side.moved {
                Moved::Nodes(nodes) => Some(nodes[vertex as usize]),
                Moved::Obstacle { .. } => None,
            })
        };
        let ([p0, p1], [q0, q1]) = (of(&self.sides[0], a), of(&self.sides[1], b));
        [p0, p1, q0, q1]
    }
}
