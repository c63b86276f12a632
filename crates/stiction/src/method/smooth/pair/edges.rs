//! Edges of two bodies against each other, with the numbers of a pair of them.

use super::{Known, Pair, PairSurface, Point};
use crate::body::Body;
use crate::method::smooth::crossing::{self, Crossings};
use crate::method::smooth::mesh_edges::{EdgeSide, Edged, MeshEdges};
use crate::method::smooth::shapes::Shapes;
use crate::scene::Scene;

/// Edges against edges, of the bodies of a pair that has points against a surface both ways round.
pub(super) fn crossing(pair: &Pair, shapes: &Shapes) -> Option<Pair> {
    let bodies = [pair.collider, pair.body];
    let sides =
        bodies.map(|body| shapes.exact[body as usize].as_ref().and_then(crossing::Edges::of));
    let [Some(a), Some(b)] = sides else { return None };
    let crossings = Crossings { sides: [a, b], thickness: pair.penalty.thickness };
    let points = crossings.numbers().map(Point::of_edges);
    Some(Pair {
        collider: pair.collider,
        body: pair.body,
        points: points.collect(),
        mover: None,
        surface: PairSurface::Edges(Box::new(crossings)),
        friction: pair.friction,
        spinning: pair.spinning,
        skins: [None, None],
        penalty: pair.penalty,
        is_rigid: pair.is_rigid,
        first_stiffness: pair.first_stiffness,
        bond: None, // points hold on
        mass: pair.mass,
        vertices: pair.vertices.clone(),
    })
}

/// Edges of meshes against each other, of the bodies of a pair that has points against a surface.
pub(super) fn of_meshes(scene: &Scene, pair: &Pair, known: &Known<'_>) -> Option<Pair> {
    let (mut bodies, mut spinning) =
        ([pair.collider, pair.body].map(|body| body as usize), pair.spinning);
    // What an obstacle feels does not matter: it is the second.
    if matches!(scene.bodies[bodies[0]], Body::Obstacle(_)) {
        bodies.swap(0, 1);
        spinning.iter_mut().for_each(|spinning| spinning.frames.swap(0, 1));
    }
    let [first, second] = bodies.map(|body| edges_of(scene, known, body));
    let edges = MeshEdges::new([first?, second?], pair.penalty.thickness)?;
    Some(Pair { spinning, ..of_edges(scene, pair, bodies, edges, known) })
}

/// Edges of two meshes, with the numbers of a pair of their bodies.
pub(super) fn of_edges(
    scene: &Scene,
    pair: &Pair,
    bodies: [usize; 2],
    edges: MeshEdges,
    known: &Known<'_>,
) -> Pair {
    Pair {
        collider: bodies[0] as u32,
        body: bodies[1] as u32,
        points: Vec::new(),
        mover: None,
        surface: PairSurface::MeshEdges(Box::new(edges)),
        friction: pair.friction,
        spinning: None,
        skins: [None, None],
        penalty: pair.penalty,
        is_rigid: bodies.iter().all(|&body| !is_soft(&scene.bodies[body])),
        first_stiffness: pair.first_stiffness,
        bond: None, // points hold on
        mass: pair.mass,
        vertices: bodies.map(|body| known.nodes[body].clone()),
    }
}

fn is_soft(body: &Body) -> bool {
    matches!(body, Body::Solid(_) | Body::Cloth(_))
}

/// Edges of the mesh of a body, unless it is round.
pub(super) fn edges_of(scene: &Scene, known: &Known<'_>, number: usize) -> Option<EdgeSide> {
    let body = &scene.bodies[number];
    if let Body::Obstacle(obstacle) = body {
        return EdgeSide::of_obstacle(obstacle);
    }
    let side = known.sides[number].as_ref().filter(|_| !known.shapes.is_balls(number))?;
    let nodes = side.vertices.iter().map(|&v| known.nodes[number][v as usize]).collect();
    let is_hull = matches!(body, Body::Rigid(rigid) if rigid.is_hull());
    let two_sided = matches!(body, Body::Cloth(_)) && !side.surface.is_closed();
    let vertices = side.vertices.clone();
    let edged = Edged { mesh: &side.surface, vertices, two_sided, is_hull };
    Some(EdgeSide::of_nodes(edged, nodes, is_soft(body)))
}
