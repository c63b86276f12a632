//! Two bodies that may touch, and the numbers chosen for them.
//!
//! | what | default |
//! |---|---|
//! | thickness `δ` | a hundredth of the mean edge of the points' mesh; of the finer one, where each body has points for the other |
//! | stiffness `κ` | carries at `δ/2`, on each vertex, the largest of: a share in the weight of the body; a thousandth of Young's modulus of the softer one times the area of a vertex |
//!
//! So a contact layer gives a little less than the bodies do, and a body at rest floats half a thickness above the
//! other. What proves too soft is stiffened on the way.

mod edges;
mod itself;

use super::core::Core;
use super::crossing::Crossings;
use super::law::Bond;
use super::mesh_edges::{HULL, MeshEdges};
use super::mesh_surface::MeshSurface;
use super::penalty::Penalty;
use super::rigid_surface::RigidSurface;
use super::round;
use super::settings::ContactSettings;
use super::shapes::Shapes;
use super::spin::Spinning;
use super::spot::Spot;
use crate::body::{Body, BodyId, Obstacle, Shape, Surface};
use crate::contact::body_surface::{BodySurface, width};
use crate::contact::friction::carried::CarriedSkin;
use crate::contact::friction::{Skin, SurfaceAt};
use crate::contact::itself::welded;
use crate::contact::key::{Key, Name};
use crate::contact::obstacle::{MovingPose, ObstacleSurface};
use crate::contact::rule::{ContactRule, Friction, Roles, rule_of};
use crate::contact::smooth_surface::SmoothSurface;
use crate::geometry::implicit::{Edges, Sharp, SurfaceError};
use crate::math::{Matrix3, Vector3};
use crate::mesh::{BoundingBox, Transform};
use crate::model::{Model, SceneError};
use crate::scene::Scene;

/// A body's points against another's surface.
#[derive(Debug)]
pub(crate) struct Pair {
    /// The body of the points.
    pub(crate) collider: u32,
    /// The body of the surface.
    pub(crate) body: u32,
    /// The points.
    pub(crate) points: Vec<Point>,
    /// What moves them, if they belong to an obstacle.
    pub(crate) mover: Option<ObstacleSurface>,
    /// The surface.
    pub(crate) surface: PairSurface,
    /// Friction between them.
    pub(crate) friction: Friction,
    /// What resists spin, if anything does.
    pub(crate) spinning: Option<Spinning>,
    /// What the surfaces of the body of the points, and of the other, are like, if that depends on direction.
    pub(crate) skins: [Option<PairSkin>; 2],
    /// The layer between them, as stiff as it is now.
    pub(crate) penalty: Penalty,
    /// Whether neither of the two gives way.
    pub(crate) is_rigid: bool,
    /// Its stiffness at first [N/m].
    pub(crate) first_stiffness: f64,
    /// What holds on to its contacts, if anything does.
    pub(crate) bond: Option<Bond>,
    /// Mass of the lighter body [kg].
    pub(crate) mass: f64,
    /// Nodes of the vertices of the points' body, and of the surface's.
    pub(crate) vertices: [Vec<u32>; 2],
}

/// What a surface is like.
#[derive(Debug)]
pub(crate) enum PairSkin {
    /// Of an obstacle.
    Fixed(Skin),
    /// Of what has nodes.
    Carried(CarriedSkin),
}

impl PairSkin {
    fn of(scene: &Scene, body: usize, nodes: &[u32]) -> Option<Self> {
        let skin = scene.skins.get(&BodyId(body as u32))?;
        let carried = CarriedSkin::new(skin, &scene.bodies[body], nodes);
        Some(carried.map_or_else(|| Self::Fixed(skin.clone()), Self::Carried))
    }
}

impl Pair {
    /// The gap below which a contact acts, with a bond or without [m].
    pub(crate) fn range(&self, bonded: bool) -> f64 {
        let thickness = self.penalty.thickness;
        self.bond.filter(|_| bonded).map_or(thickness, |bond| bond.fracture.max(thickness))
    }

    /// Energy of the layer at a gap, and of a bond [J].
    pub(crate) fn layer_energy(&self, gap: f64, bonded: bool) -> f64 {
        let bond = self.bond.filter(|_| bonded);
        self.penalty.energy(gap) + bond.map_or(0.0, |bond| bond.energy(gap, self.penalty.thickness))
    }

    /// What both surfaces are like at a spot; `pose` is that of the surface at the time `t`.
    pub(crate) fn surfaces_at<'a>(
        &'a self,
        spot: &Spot,
        pose: &MovingPose,
        t: f64,
        q: &[f64],
    ) -> [Option<SurfaceAt<'a>>; 2] {
        let [points, surface] = &self.skins;
        let x = |node: u32| crate::assembly::point(q, node as usize);
        let fixed = |skin: &'a Skin, pose: &MovingPose, at: Vector3| SurfaceAt {
            skin,
            carry: pose.axes,
            local: pose.to_local(at),
        };
        let first = points.as_ref().and_then(|skin| match skin {
            PairSkin::Fixed(skin) => {
                let pose = self.mover.as_ref()?.pose(t);
                Some(fixed(skin, &pose, pose.to_world(spot.point.local)))
            }
            PairSkin::Carried(skin) => skin.at(&[spot.point.node?; 3], &[1.0, 0.0, 0.0], x),
        });
        let at = spot.point.node.map_or(spot.start, x);
        let second = surface.as_ref().and_then(|skin| match (skin, &self.surface) {
            (PairSkin::Fixed(skin), _) => Some(fixed(skin, pose, at)),
            (PairSkin::Carried(skin), PairSurface::Mesh(mesh)) => {
                let (nodes, weights) = mesh.held_by(&spot.around)?;
                skin.at(&nodes, &weights, x)
            }
            (PairSkin::Carried(_), _) => None,
        });
        [first, second]
    }

    /// Names a contact of one of its points.
    pub(crate) fn key(&self, name: Name) -> Key {
        Key { bodies: [self.collider, self.body], name }
    }
}

/// A vertex that may touch; or what else may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) name: Name,
    /// None for a vertex of an obstacle, and for edges.
    pub(crate) node: Option<u32>,
    /// Where a vertex of an obstacle is in its own frame [m].
    pub(crate) local: Vector3,
    /// What is around it, if it is no vertex but a point inside a rigid body.
    pub(crate) core: Option<Core>,
}

impl Point {
    /// Two edges.
    pub(crate) fn of_edges(edges: [u32; 2]) -> Self {
        Self { name: Name::Edges(edges), node: None, local: Vector3::zeros(), core: None }
    }

    /// [m].
    pub(crate) fn radius(&self) -> f64 {
        self.core.map_or(0.0, |core| core.radius)
    }
}

/// What points may touch.
#[derive(Debug)]
pub(crate) enum PairSurface {
    /// Something that nothing moves but its own motion.
    Obstacle(Box<ObstacleSurface>),
    /// A rigid body of simple shape.
    Rigid(Box<RigidSurface>),
    /// Edges of two such bodies against each other.
    Edges(Box<Crossings>),
    /// Edges of two meshes against each other.
    MeshEdges(Box<MeshEdges>),
    /// Any other body.
    Mesh(Box<MeshSurface>),
}

impl PairSurface {
    /// The smooth surface, if there is one; of what deforms, as it was last.
    pub(crate) fn smooth(&self) -> Option<SmoothSurface<'_>> {
        match self {
            Self::Obstacle(surface) => surface.smooth(),
            Self::Mesh(surface) => Some(surface.smooth()),
            Self::Rigid(_) | Self::Edges(_) | Self::MeshEdges(_) => None,
        }
    }

    /// Where it is at time `t`; a deforming body is where its nodes are.
    pub(crate) fn pose(&self, t: f64) -> MovingPose {
        match self {
            Self::Obstacle(surface) => surface.pose(t),
            Self::MeshEdges(edges) => edges.pose(t),
            Self::Mesh(_) | Self::Rigid(_) | Self::Edges(_) => MovingPose::STILL,
        }
    }
}

/// All pairs of a scene that may touch.
pub(crate) fn pairs(
    scene: &Scene,
    settings: &ContactSettings,
    model: &Model,
    shapes: &Shapes,
) -> Result<Vec<Pair>, SceneError> {
    let mut pairs = Vec::new();
    let alone = scene.bodies.len() < 2 && !scene.ids().any(|body| scene.touches_itself(body));
    if !settings.enabled || alone {
        return Ok(pairs);
    }
    let nodes = &*model.body_nodes;
    let sides: Vec<Option<BodySurface>> = scene
        .bodies
        .iter()
        .zip(&model.vertex_masses)
        .map(|(body, masses)| BodySurface::of(body, masses.iter().sum()))
        .collect();
    let welded = welded(scene, nodes);
    for a in 0..scene.bodies.len() {
        for b in a + 1..scene.bodies.len() {
            let mut rule = rule_of(scene, a, b);
            // What is thin has no inside that holds up corners of the other: cloths need the points of both.
            let is_cloth = |body: usize| matches!(scene.bodies[body], Body::Cloth(_));
            // What does not give way needs the points of both: either may have a corner over a face of the other.
            let rigid = |body: usize| matches!(scene.bodies[body], Body::Rigid(_));
            if rule.roles == Roles::Auto && rigid(a) && rigid(b) {
                // But a ball that knows how far the other is knows all.
                let [first, second] = rule.between.map(|body| body.index());
                let complete = |ball: usize, other: usize| {
                    shapes.is_balls(ball) && shapes.exact[other].is_some()
                };
                // Of two balls the larger one is the surface, whatever their order.
                let swap = complete(second, first) && shapes.radius(first) > shapes.radius(second);
                rule.roles = if complete(first, second) && !swap {
                    Roles::SecondIsSurface
                } else if complete(second, first) {
                    Roles::FirstIsSurface
                } else {
                    Roles::Both
                };
            }
            // Where one is coarse for the other, its points are too far apart to see it.
            let auto = matches!(rule.roles, Roles::Auto | Roles::Both);
            if rule.roles == Roles::Auto
                && let [(points, surface)] = *roles(scene, &rule, &sides, a, b)
                && (is_cloth(points) && is_cloth(surface)
                    || is_coarse(scene, &sides, points, surface)
                        && has_points(&scene.bodies[surface])
                    || round::is_between(scene, shapes, &sides, [points, surface]))
            {
                rule.roles = Roles::Both;
            }
            if !rule.enabled || welded.contains(&[a as u32, b as u32]) {
                continue;
            }
            let first = pairs.len();
            for (collider, surface) in roles(scene, &rule, &sides, a, b) {
                let known = Known { sides: &sides, nodes, shapes };
                let made = pair(scene, settings, &rule, &known, [collider, surface]);
                pairs.extend(made.map_err(|error| surface_error(scene, surface, error))?);
            }
            let last = pairs[first..].last();
            let known = Known { sides: &sides, nodes, shapes };
            let exact = last.filter(|_| rule.roles == Roles::Both);
            let exact = exact.and_then(|pair| edges::crossing(pair, shapes));
            let edges = last.filter(|_| auto && exact.is_none());
            let edges = edges.and_then(|pair| edges::of_meshes(scene, pair, &known));
            pairs.extend(exact.into_iter().chain(edges));
        }
    }
    let known = Known { sides: &sides, nodes, shapes };
    for body in scene.ids().filter(|body| scene.touches_itself(*body)) {
        pairs.extend(itself::pairs(scene, settings, model, &known, body)?);
    }
    Ok(pairs)
}

fn surface_error(scene: &Scene, surface: usize, source: SurfaceError) -> SceneError {
    SceneError::Surface { body: scene.named(BodyId(surface as u32)), source }
}

/// Points and surface, for one or both ways round.
fn roles(
    scene: &Scene,
    rule: &ContactRule,
    sides: &[Option<BodySurface>],
    a: usize,
    b: usize,
) -> Vec<(usize, usize)> {
    if sides[a].is_none() && sides[b].is_none() {
        return Vec::new(); // two obstacles
    }
    let first = rule.between[0].index();
    let second = if first == a { b } else { a };
    let rank = |body: usize| match &scene.bodies[body] {
        Body::Cloth(_) => 0,
        Body::Solid(_) => 1,
        Body::Rigid(_) => 2,
        Body::Obstacle(_) => 3,
    };
    match rule.roles {
        Roles::FirstIsSurface => vec![(second, first)],
        Roles::SecondIsSurface => vec![(first, second)],
        Roles::Both => vec![(a, b), (b, a)],
        Roles::Auto => {
            // Of two alike, the coarser one is the surface.
            let edge = |body: usize| sides[body].as_ref().map_or(f64::INFINITY, |side| side.edge);
            let first_is_surface = (rank(a), edge(a)) > (rank(b), edge(b));
            vec![if first_is_surface { (b, a) } else { (a, b) }]
        }
    }
}

/// What is known of all bodies.
struct Known<'a> {
    sides: &'a [Option<BodySurface>],
    nodes: &'a [Vec<u32>],
    shapes: &'a Shapes,
}

fn pair(
    scene: &Scene,
    settings: &ContactSettings,
    rule: &ContactRule,
    &Known { sides, nodes, shapes }: &Known<'_>,
    [collider, surface]: [usize; 2],
) -> Result<Option<Pair>, SurfaceError> {
    let (of_points, of_surface) = (sides[collider].as_ref(), sides[surface].as_ref());
    // Whatever deforms sets the scale; if both do, the body of the points, which is the finer one.
    let Some(side) = of_points.or(of_surface) else { return Ok(None) };
    // Both ways round the layer is the same, or one side would lift the other off its own.
    let edge = match (rule.roles, of_surface) {
        (Roles::Both, Some(other)) => side.edge.min(other.edge),
        _ => side.edge,
    };
    let thickness = rule.thickness.or(settings.thickness).unwrap_or(0.01 * edge);
    let cores = round_points(&scene.bodies[surface], shapes, [collider, surface]);
    let on_mesh = !shapes.rows[collider].is_empty()
        && !matches!(scene.bodies[surface], Body::Obstacle(_))
        && shapes.exact[surface].is_none();
    // What has rows of points touches with few of them; an obstacle weighs nothing.
    let is_surface = |side: &BodySurface| {
        of_points.is_some() && of_surface.is_some_and(|other| std::ptr::eq(side, other))
    };
    let count = |side: &BodySurface| match &cores {
        // Of a row of them that a capsule is, few carry.
        Some(cores) if of_points.is_none() => cores.len().min(2) as f64,
        None if on_mesh && !is_surface(side) => shapes.rows[collider].len().min(2) as f64,
        Some(cores) => cores.len() as f64,
        None => side.vertices.len() as f64,
    };
    let weight = |side: &BodySurface| 4.0 * scene.gravity.norm() * side.mass / count(side);
    let both = || of_points.into_iter().chain(of_surface);
    let firmness = both().map(|side| side.firmness).fold(f64::INFINITY, f64::min);
    let load = both().map(weight).fold(1e-3 * firmness * side.area, f64::max);
    // Where nothing weighs anything and nothing is firm: whatever keeps a vertex from crossing the layer at 1 m/s.
    let impact = side.mass / count(side) / thickness;
    let load = if load > 0.0 { load } else { impact };
    let chosen = Penalty::carrying(load, thickness).stiffness;
    let stiffness = rule.stiffness.or(settings.stiffness).unwrap_or(chosen);
    let mover = match &scene.bodies[collider] {
        Body::Obstacle(obstacle) => Some(ObstacleSurface::new(obstacle)?),
        _ => None,
    };
    let touched = match (&scene.bodies[surface], of_surface) {
        (Body::Obstacle(obstacle), _) => {
            PairSurface::Obstacle(Box::new(ObstacleSurface::new(obstacle)?))
        }
        (_, Some(_)) if let Some(exact) = &shapes.exact[surface] => {
            PairSurface::Rigid(Box::new(exact.clone()))
        }
        (body, Some(side)) => {
            let own = side.vertices.iter().map(|&v| nodes[surface][v as usize]).collect();
            let two_sided = matches!(body, Body::Cloth(_)) && !side.surface.is_closed();
            let wishes = match body {
                // A hull is met by its faces, whatever the angles between them.
                Body::Rigid(rigid) if rigid.is_hull() => {
                    let sharp = Sharp { angle: HULL.to_radians(), ..Sharp::default() };
                    Surface { edges: Some(Edges::Sharp(sharp)), ..rigid.surface }
                }
                Body::Solid(solid) => solid.surface,
                Body::Cloth(cloth) => cloth.surface,
                Body::Rigid(rigid) => rigid.surface,
                Body::Obstacle(obstacle) => obstacle.surface,
            };
            let surface = MeshSurface::new(&side.surface, own, two_sided, &wishes)?;
            PairSurface::Mesh(Box::new(surface))
        }
        (_, None) => return Ok(None),
    };
    Ok(Some(Pair {
        collider: collider as u32,
        body: surface as u32,
        points: cores.unwrap_or_else(|| {
            let points = points(&scene.bodies[collider], of_points, &nodes[collider]);
            if on_mesh { round::with_rows(shapes, collider, points) } else { points }
        }),
        mover,
        surface: touched,
        friction: rule.friction,
        spinning: spinning(scene, &rule.friction, shapes, [collider, surface]),
        skins: [collider, surface].map(|body| PairSkin::of(scene, body, &nodes[body])),
        penalty: Penalty { thickness, stiffness, push: settings.normal.push },
        is_rigid: matches!(scene.bodies[collider], Body::Rigid(_))
            && matches!(scene.bodies[surface], Body::Rigid(_) | Body::Obstacle(_)),
        first_stiffness: stiffness,
        // The stiffness of a spring that pushes, as it was given: one that grew while it was stretched would add
        // energy.
        bond: rule
            .fracture
            .or(settings.fracture)
            .map(|fracture| Bond { stiffness: 1.5 * stiffness, fracture }),
        mass: both().map(|side| side.mass).fold(f64::INFINITY, f64::min),
        vertices: [collider, surface].map(|body| nodes[body].clone()),
    }))
}

/// What resists spin between two bodies, if friction does and both turn as a whole: nodes of others do not turn.
fn spinning(
    scene: &Scene,
    friction: &Friction,
    shapes: &Shapes,
    bodies: [usize; 2],
) -> Option<Spinning> {
    let turns = |&body: &usize| {
        let obstacle = matches!(scene.bodies[body], Body::Obstacle(_));
        obstacle || shapes.frames[body].is_some()
    };
    let any = friction.torsion > 0.0 && bodies.iter().all(turns);
    any.then(|| Spinning {
        length: friction.spin_length(),
        frames: bodies.map(|body| shapes.frames[body]),
        start: [Matrix3::identity(); 2],
    })
}

/// Whether points of a body are too far apart for another: farther than half of its width, or of their own. Corners
/// of a block of one or two cells are all that it has. A cloth has no inside that others could get into.
fn is_coarse(scene: &Scene, sides: &[Option<BodySurface>], body: usize, other: usize) -> bool {
    let Some(side) = &sides[body] else { return false };
    let width = match (&sides[other], &scene.bodies[other]) {
        (Some(other), _) => other.width,
        (None, Body::Obstacle(Obstacle { shape: Shape::Mesh(mesh), placement, .. }))
            if mesh.is_closed() =>
        {
            let stretch = placement.stretch();
            let x: Vec<Vector3> = mesh.vertices().iter().map(|x| stretch.apply(x)).collect();
            width(&BoundingBox::of(&x))
        }
        (None, _) => f64::INFINITY,
    };
    let own = if side.surface.is_closed() { side.width } else { f64::INFINITY };
    side.edge > 0.5 * own.min(width)
}

/// Whether a body has points for others.
fn has_points(body: &Body) -> bool {
    let Body::Obstacle(Obstacle { shape, .. }) = body else { return true };
    matches!(shape, Shape::Mesh(_) | Shape::Grid(_) | Shape::Points(_))
}

/// Points with a radius in place of vertices, where these say all: balls on whatever is convex, capsules on planes. A
/// capsule may touch other things with its middle.
fn round_points(
    body: &Body,
    shapes: &Shapes,
    [collider, surface]: [usize; 2],
) -> Option<Vec<Point>> {
    let cores = &shapes.cores[collider];
    let suits = match body {
        Body::Obstacle(Obstacle { shape, .. }) => match shape {
            Shape::Plane { .. } => !cores.is_empty(),
            Shape::Sphere { .. }
            | Shape::Box { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. } => shapes.is_balls(collider),
            Shape::Torus { .. } | Shape::Mesh(_) | Shape::Points(_) | Shape::Grid(_) => false,
        },
        _ => {
            let is_obstacle = cores.first().is_some_and(|core| core.frame.is_none());
            (is_obstacle || shapes.is_balls(collider)) && shapes.exact[surface].is_some()
        }
    };
    suits.then(|| round::points(cores))
}

/// The points of a body. An obstacle has some only if it is a mesh or a cloud.
fn points(body: &Body, side: Option<&BodySurface>, nodes: &[u32]) -> Vec<Point> {
    let of_obstacle = |points: &[Vector3], placement: &Transform| {
        let stretch = placement.stretch();
        let local = points.iter().map(|x| stretch.apply(x));
        let point = |(vertex, local)| {
            let name = Name::Vertex(vertex as u32);
            Point { name, node: None, local, core: None }
        };
        local.enumerate().map(point).collect()
    };
    match (body, side) {
        (Body::Obstacle(Obstacle { shape: Shape::Mesh(mesh), placement, .. }), _) => {
            of_obstacle(mesh.vertices(), placement)
        }
        (Body::Obstacle(Obstacle { shape: Shape::Grid(gridded), placement, .. }), _) => {
            of_obstacle(gridded.mesh().vertices(), placement)
        }
        (Body::Obstacle(Obstacle { shape: Shape::Points(cloud), placement, .. }), _) => {
            of_obstacle(cloud.points(), placement)
        }
        (_, Some(side)) => {
            let own = side.vertices.iter();
            own.map(|&vertex| {
                let node = Some(nodes[vertex as usize]);
                let name = Name::Vertex(vertex);
                Point { name, node, local: Vector3::zeros(), core: None }
            })
            .collect()
        }
        _ => Vec::new(),
    }
}
