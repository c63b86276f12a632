//! Round bodies and obstacles between the vertices of others: balls, and capsules as rows of balls.
//!
//! Vertices of a body of few of them miss what is round and lies between them. There the round one touches with its
//! own points, each with a radius: a ball with its centre, a capsule with points along its axis that are at most half
//! a radius apart, so that they miss no more than a 32nd of the radius between them.

use super::core::Core;
use super::pair::Point;
use super::shapes::Shapes;
use crate::body::{Body, Obstacle, Shape};
use crate::contact::body_surface::BodySurface;
use crate::contact::key::Name;
use crate::math::Vector3;
use crate::scene::Scene;

/// How far apart points along the axis of a capsule are at most, in radii.
const APART: f64 = 0.5;

/// Vertices that are farther apart than this may have something round between them, in radii.
const COARSE: f64 = 0.5;

/// Points with a radius of an obstacle that is a ball or a capsule.
pub(super) fn cores_of(obstacle: &Obstacle) -> Vec<Core> {
    let core =
        |local: Vector3, radius: f64, is_ball: bool| Core { frame: None, local, radius, is_ball };
    match obstacle.shape {
        Shape::Sphere { radius } => vec![core(Vector3::zeros(), radius, true)],
        Shape::Capsule { radius, length } => {
            along(radius, length).map(|y| core(Vector3::y() * y, radius, false)).collect()
        }
        _ => Vec::new(),
    }
}

/// Places along the axis of a capsule, from end to end [m].
fn along(radius: f64, length: f64) -> impl Iterator<Item = f64> {
    let parts = (length / (APART * radius)).ceil().max(1.0);
    (0..=parts as usize).map(move |k| length * (k as f64 / parts - 0.5))
}

/// Points along the capsules of a rigid body, and the centres of its balls, given where these points were placed: ends
/// of capsules follow each other.
pub(super) fn rows(cores: &[Core], places: &[Vector3]) -> Vec<Core> {
    let mut rows = Vec::new();
    let mut rest = cores.iter().zip(places);
    while let Some((&core, from)) = rest.next() {
        if core.is_ball {
            rows.push(core);
        } else if let Some((_, to)) = rest.next() {
            // Frames begin along the axes of the world.
            let (axis, length) = (to - from, (to - from).norm());
            let share = |y: f64| if length > 0.0 { y / length + 0.5 } else { 0.0 };
            let places = along(core.radius, length).map(|y| axis * share(y));
            rows.extend(places.map(|local| Core { local, ..core }));
        }
    }
    rows
}

/// Whether something is round, and the vertices of a body are too far apart for it. Balls know all by themselves.
pub(super) fn is_between(
    scene: &Scene,
    shapes: &Shapes,
    sides: &[Option<BodySurface>],
    [body, round]: [usize; 2],
) -> bool {
    let Some(side) = &sides[body] else { return false };
    // What deforms takes the shape of an obstacle by its vertices, and is cut by it in between, by `e²/8ϱ`.
    let deforms = !matches!(scene.bodies[body], Body::Rigid(_));
    let rows = shapes.rows[round].iter().filter(|core| !deforms || core.frame.is_some());
    let least = rows.map(|core| COARSE * core.radius).fold(f64::INFINITY, f64::min);
    !shapes.is_balls(body) && side.edge > least
}

/// Points of something round for the mesh of another body: its vertices, which reach into creases, and its rows.
pub(super) fn with_rows(shapes: &Shapes, round: usize, mut vertices: Vec<Point>) -> Vec<Point> {
    vertices.extend(points(&shapes.rows[round]));
    vertices
}

/// Points of round things.
pub(super) fn points(cores: &[Core]) -> Vec<Point> {
    let point = |(number, &core): (usize, &Core)| Point {
        name: Name::Core(number as u32),
        node: core.frame.map(|frame| frame.nodes[0]),
        local: core.local,
        core: Some(core),
    };
    cores.iter().enumerate().map(point).collect()
}
