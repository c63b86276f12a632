//! Which bodies are inside each other where they are now, how deep, and which surfaces look the wrong way: what makes
//! a scene burst in its first step, whatever the method.
//!
//! A body is inside another where a point of its triangles is: a vertex, or a point between, no farther from the next
//! one than a twentieth of the smaller body; of cloth, a vertex. Inside of what is closed; cloth has no inside, and
//! [`Intersections`](super::Intersections) tells where it is crossed.

use crate::body::{Body, BodyId, Obstacle, Shape};
use crate::contact::itself::welded;
use crate::contact::obstacle::ObstacleSurface;
use crate::contact::rule::rule_of;
use crate::geometry::bvh::Bvh;
use crate::geometry::{ClosedSurface, WindingNumber};
use crate::math::Vector3;
use crate::mesh::{BoundingBox, TriMesh, TriSoup};
use crate::scene::Scene;
use crate::simulation::Simulation;

/// Less than this share of the thinner body is rounding, or the sagitta of its facets [-].
const SHALLOW: f64 = 1e-3;

/// Points that are looked at are this share of the smaller body apart, at most [-].
const SPACING: f64 = 0.05;

/// Seen from behind a sheet, it covers more than half of this share of all directions [-].
const BEHIND: f64 = 0.2;

/// A body that reaches into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Has points that are inside the other.
    pub body: BodyId,
    /// What they are inside of.
    pub inside: BodyId,
    /// The farthest that any of them is from getting out [m].
    pub depth: f64,
    /// Where that point is [m].
    pub place: Vector3,
}

/// An obstacle whose triangles look the wrong way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facing {
    /// The obstacle.
    pub body: BodyId,
    /// Whether it encloses something; sheets have no inside, but a back.
    pub closed: bool,
    /// Bodies that touch it and are where it pushes from: outside of what looks inward, or behind a sheet.
    pub behind: Vec<BodyId>,
    /// Edges between triangles that look to different sides.
    pub clashes: usize,
}

/// What is wrong with where bodies are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlaps {
    /// Of two bodies the deeper way, in the order of bodies.
    pub pairs: Vec<Overlap>,
    /// In the order of bodies.
    pub facings: Vec<Facing>,
}

impl Overlaps {
    /// Looks at all pairs that may touch, where they are now. What is welded or connected by a joint is not looked at.
    pub fn of(scene: &Scene, simulation: &Simulation) -> Self {
        if !simulation.has_contacts() {
            return Self::default();
        }
        let time = simulation.time();
        let things: Vec<Thing> =
            scene.ids().map(|body| Thing::of(scene, simulation, body, time)).collect();
        let nodes: Vec<Vec<u32>> =
            scene.ids().map(|body| simulation.model().nodes(body).to_vec()).collect();
        let welded = welded(scene, &nodes);
        let touches = |a: usize, b: usize| {
            let pair = [a.min(b) as u32, a.max(b) as u32];
            !welded.contains(&pair) && rule_of(scene, a, b).enabled
        };
        let mut found = Self::default();
        for [a, b] in near(&things).into_iter().filter(|&[a, b]| touches(a, b)) {
            let ways = [(a, b), (b, a)].map(|(a, b)| overlap(&things[a], &things[b]));
            let deeper = ways.into_iter().flatten().max_by(|a, b| a.depth.total_cmp(&b.depth));
            found.pairs.extend(deeper);
        }
        for (k, thing) in things.iter().enumerate() {
            let others = || {
                let others = things.iter().enumerate().filter(|(_, other)| other.moves);
                others.filter(|&(other, _)| touches(k, other)).map(|(_, other)| other)
            };
            found.facings.extend(thing.facing(others));
        }
        found
    }
}

/// A body where it is.
struct Thing {
    body: BodyId,
    moves: bool,
    points: Vec<Vector3>,
    triangles: Vec<[u32; 3]>,
    bounds: BoundingBox,
    inside: Inside,
    /// Edges between triangles that look to different sides.
    clashes: usize,
}

/// What a point can be inside of.
enum Inside {
    /// Of nothing.
    Nothing,
    /// Of something that knows its distance.
    Field { surface: Box<ObstacleSurface>, time: f64 },
    /// Of what triangles enclose.
    Closed(Box<ClosedSurface>),
    /// Of nothing, but it may be behind a sheet of triangles.
    Sheet(Box<WindingNumber>),
}

impl Thing {
    fn of(scene: &Scene, simulation: &Simulation, body: BodyId, time: f64) -> Self {
        let own = simulation.positions(body);
        let given = &scene.bodies[body.index()];
        let (points, triangles, solid) = match given {
            Body::Solid(solid) => {
                let boundary = solid.mesh.boundary();
                let points = boundary.vertices.iter().map(|&v| own[v as usize]).collect();
                (points, boundary.surface.triangles().to_vec(), true)
            }
            Body::Cloth(cloth) => (own, cloth.mesh.triangles().to_vec(), false),
            Body::Rigid(rigid) => (own, rigid.mesh.triangles().to_vec(), true),
            Body::Obstacle(obstacle) => return Self::of_obstacle(body, obstacle, time),
        };
        let inside = if solid { enclosed(&points, &triangles) } else { Inside::Nothing };
        let bounds = BoundingBox::of(&points);
        Self { body, moves: true, points, triangles, bounds, inside, clashes: 0 }
    }

    fn of_obstacle(body: BodyId, obstacle: &Obstacle, time: f64) -> Self {
        let placed = |mesh: &TriMesh| -> Vec<Vector3> {
            let at = |x: &Vector3| obstacle.motion.at(obstacle.placement.apply(x), time).0;
            mesh.vertices().iter().map(at).collect()
        };
        let (mut points, mut triangles, mut inside, mut clashes) =
            (Vec::new(), Vec::new(), Inside::Nothing, 0);
        match &obstacle.shape {
            Shape::Mesh(mesh) => {
                (points, triangles) = (placed(mesh), mesh.triangles().to_vec());
                let edges = mesh.surface_edges();
                let clash = |k: &usize| match edges.sides(*k) {
                    [a, b] => a.forward == b.forward,
                    _ => false,
                };
                clashes = (0..edges.len()).filter(clash).count();
                inside = match enclosed(&points, &triangles) {
                    Inside::Nothing => {
                        Inside::Sheet(Box::new(WindingNumber::new(&points, &triangles)))
                    }
                    closed => closed,
                };
            }
            // A smooth surface through points tells nothing far from them.
            Shape::Points(cloud) => points = cloud.points().to_vec(),
            shape => {
                if let Shape::Grid(gridded) = shape {
                    (points, triangles) =
                        (placed(gridded.mesh()), gridded.mesh().triangles().to_vec());
                }
                if let Ok(surface) = ObstacleSurface::new(obstacle) {
                    inside = Inside::Field { surface: Box::new(surface), time };
                }
            }
        }
        let bounds = BoundingBox::of(&points);
        Self { body, moves: false, points, triangles, bounds, inside, clashes }
    }

    /// The thinnest way through it; nothing for what has no points.
    fn thickness(&self) -> Option<f64> {
        let closed = matches!(self.inside, Inside::Closed(_));
        closed.then(|| self.bounds.size().min()).filter(|thickness| *thickness > 0.0)
    }

    /// How deep a point is inside, if it is [m].
    fn depth(&self, x: &Vector3) -> Option<f64> {
        match &self.inside {
            Inside::Nothing | Inside::Sheet(_) => None,
            Inside::Field { surface, time } => {
                let distance = surface.distance(&surface.pose(*time), *x)?.value;
                (distance < 0.0).then_some(-distance)
            }
            // What looks inward has its own word.
            Inside::Closed(surface) if surface.repairs().inside_out => None,
            Inside::Closed(surface) => surface.contains(x).then(|| surface.nearest(x).distance),
        }
    }

    /// Its vertices, and points between them.
    fn samples(&self, spacing: f64, within: &BoundingBox) -> Vec<Vector3> {
        let mut samples: Vec<Vector3> =
            self.points.iter().filter(|x| within.is_near(x, 0.0)).copied().collect();
        // Chords of a sheet that is laid around something cut it: only its vertices say where it is.
        if matches!(self.inside, Inside::Nothing) {
            return samples;
        }
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|v| self.points[v as usize]);
            if !BoundingBox::of([&a, &b, &c]).overlaps(within) {
                continue;
            }
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let count = (longest / spacing).ceil().clamp(1.0, 100.0) as usize;
            for i in 0..=count {
                for j in 0..=count - i {
                    let [u, v] = [i, j].map(|k| k as f64 / count as f64);
                    let x = a + (b - a) * u + (c - a) * v;
                    let is_corner = (i == 0 || i == count) && (j == 0 || j == count - i);
                    if !is_corner && within.is_near(&x, 0.0) {
                        samples.push(x);
                    }
                }
            }
        }
        samples
    }

    /// What is wrong with how an obstacle looks.
    fn facing<'a, I: Iterator<Item = &'a Self>>(&self, others: impl Fn() -> I) -> Option<Facing> {
        let behind: Vec<BodyId> = match &self.inside {
            Inside::Closed(surface) if !self.moves && surface.repairs().inside_out => {
                let out = |other: &&Self| other.points.iter().any(|x| !surface.contains(x));
                others().filter(out).map(|other| other.body).collect()
            }
            // One of many may be below a table. All of them behind it are one too many.
            Inside::Sheet(winding) => {
                let behind = |other: &Self| other.points.iter().all(|x| winding.at(x) > BEHIND);
                match others().all(behind) {
                    true => others().map(|other| other.body).collect(),
                    false => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        let closed = matches!(self.inside, Inside::Closed(_));
        let wrong = !behind.is_empty() || self.clashes > 0;
        wrong.then_some(Facing { body: self.body, closed, behind, clashes: self.clashes })
    }
}

/// What triangles enclose, if they do.
fn enclosed(points: &[Vector3], triangles: &[[u32; 3]]) -> Inside {
    match ClosedSurface::new(TriSoup::new(points.to_vec(), triangles.to_vec())) {
        Ok(surface) => Inside::Closed(Box::new(surface)),
        Err(_) => Inside::Nothing,
    }
}

/// Pairs with boxes that overlap, at least one of which moves; what has no box is near everything.
fn near(things: &[Thing]) -> Vec<[usize; 2]> {
    let boxed: Vec<usize> = (0..things.len()).filter(|&k| !things[k].points.is_empty()).collect();
    let boxes: Vec<BoundingBox> = boxed.iter().map(|&k| things[k].bounds).collect();
    let mut found = Vec::new();
    // Positions that are not finite are found elsewhere.
    if let Ok(tree) = Bvh::new(&boxes) {
        tree.self_pairs(&mut found);
    }
    let mut pairs: Vec<[usize; 2]> =
        found.into_iter().map(|pair| pair.map(|k| boxed[k as usize])).collect();
    let endless = (0..things.len()).filter(|&k| things[k].points.is_empty());
    pairs.extend(endless.flat_map(|k| boxed.iter().map(move |&other| [k, other])));
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.retain(|pair| pair.iter().any(|&k| things[k].moves));
    pairs.sort_unstable();
    pairs
}

/// How far the points of one are inside another.
fn overlap(of: &Thing, other: &Thing) -> Option<Overlap> {
    if of.points.is_empty() || !of.moves && !matches!(other.inside, Inside::Closed(_)) {
        return None;
    }
    let size = |thing: &Thing| match thing.points.is_empty() {
        true => f64::INFINITY,
        false => thing.bounds.diagonal(),
    };
    let thinnest = [of, other].into_iter().filter_map(Thing::thickness).fold(size(of), f64::min);
    let within = match other.points.is_empty() {
        true => of.bounds,
        false => other.bounds,
    };
    let mut deepest: Option<(f64, Vector3)> = None;
    for x in of.samples(SPACING * size(of).min(size(other)), &within) {
        let depth = other.depth(&x).filter(|depth| *depth > SHALLOW * thinnest);
        if let Some(depth) = depth.filter(|depth| deepest.is_none_or(|(most, _)| *depth > most)) {
            deepest = Some((depth, x));
        }
    }
    let (depth, place) = deepest?;
    Some(Overlap { body: of.body, inside: other.body, depth, place })
}
