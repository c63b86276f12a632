//! Two bodies that may touch, and the numbers chosen for them.
//!
//! | what | default |
//! |---|---|
//! | thickness `δ` | a hundredth of the mean edge of the points' mesh |
//! | stiffness `κ` | carries at `δ/2`, on each vertex, the largest of: a share in the weight of the body; a thousandth of Young's modulus of the softer one times the area of a vertex |
//!
//! So a contact layer gives a little less than the bodies do, and a body at rest floats half a thickness above the
//! other. What proves too soft is stiffened on the way.

use super::memory::Key;
use super::penalty::Penalty;
use super::rule::{ContactRule, Friction, Roles};
use super::settings::ContactSettings;
use super::surface::ObstacleSurface;
use crate::body::{Body, BodyId};
use crate::math::Vector3;
use crate::mesh::TriMesh;
use crate::mesh::topology::unique_edges;
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
    /// The surface.
    pub(crate) surface: PairSurface,
    /// Friction between them.
    pub(crate) friction: Friction,
    /// The layer between them, as stiff as it is now.
    pub(crate) penalty: Penalty,
    /// Its stiffness at first [N/m].
    pub(crate) first_stiffness: f64,
    /// Mass of the lighter body [kg].
    pub(crate) mass: f64,
}

impl Pair {
    /// Names a contact of one of its points.
    pub(crate) fn key(&self, vertex: u32) -> Key {
        Key { collider: self.collider, vertex, surface: self.body }
    }
}

/// A vertex that may touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) vertex: u32,
    pub(crate) node: u32,
}

/// What points may touch.
#[derive(Debug)]
pub(crate) enum PairSurface {
    /// Something that nothing moves but its own motion.
    Obstacle(ObstacleSurface),
}

/// A body as contact sees it.
pub(crate) struct Side {
    /// Vertices on its surface.
    pub(crate) vertices: Vec<u32>,
    /// Mean length of its surface edges [m].
    pub(crate) edge: f64,
    /// Mean area of its surface vertices [m²].
    pub(crate) area: f64,
    /// [kg].
    pub(crate) mass: f64,
    /// Stress that it takes for firm contact [Pa].
    pub(crate) firmness: f64,
}

/// All pairs of a scene that may touch.
pub(crate) fn pairs(
    scene: &Scene,
    settings: &ContactSettings,
    nodes: &[Vec<u32>],
    vertex_masses: &[Vec<f64>],
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if !settings.enabled {
        return pairs;
    }
    let sides: Vec<Option<Side>> = scene
        .bodies
        .iter()
        .zip(vertex_masses)
        .map(|(body, masses)| Side::of(body, masses.iter().sum()))
        .collect();
    for a in 0..scene.bodies.len() {
        for b in a + 1..scene.bodies.len() {
            let rule = rule_of(scene, a, b);
            let welded = nodes[a].iter().any(|node| nodes[b].contains(node));
            if !rule.enabled || welded {
                continue;
            }
            for (collider, surface) in roles(scene, &rule, a, b) {
                pairs.extend(pair(scene, settings, &rule, &sides, nodes, collider, surface));
            }
        }
    }
    pairs
}

/// What the scene says about two bodies; the last word counts.
fn rule_of(scene: &Scene, a: usize, b: usize) -> ContactRule {
    let (a, b) = (BodyId(a as u32), BodyId(b as u32));
    let named =
        scene.contacts.iter().rev().find(|rule| rule.between == [a, b] || rule.between == [b, a]);
    named
        .cloned()
        .unwrap_or_else(|| ContactRule { friction: scene.friction, ..ContactRule::new(a, b) })
}

/// Points and surface, for one or both ways round.
fn roles(scene: &Scene, rule: &ContactRule, a: usize, b: usize) -> Vec<(usize, usize)> {
    let first = rule.between[0].index();
    let second = if first == a { b } else { a };
    let rank = |body: usize| match &scene.bodies[body] {
        Body::Cloth(_) => 0,
        Body::Solid(_) => 1,
        Body::Obstacle(_) => 2,
    };
    match rule.roles {
        Roles::FirstIsSurface => vec![(second, first)],
        Roles::SecondIsSurface => vec![(first, second)],
        Roles::Both => vec![(a, b), (b, a)],
        Roles::Auto if rank(a) > rank(b) => vec![(b, a)],
        Roles::Auto => vec![(a, b)],
    }
}

fn pair(
    scene: &Scene,
    settings: &ContactSettings,
    rule: &ContactRule,
    sides: &[Option<Side>],
    nodes: &[Vec<u32>],
    collider: usize,
    surface: usize,
) -> Option<Pair> {
    let side = sides[collider].as_ref()?;
    let Body::Obstacle(obstacle) = &scene.bodies[surface] else { return None };
    let thickness = rule.thickness.or(settings.thickness).unwrap_or(0.01 * side.edge);
    let weight = scene.gravity.norm() * side.mass / side.vertices.len() as f64 * 4.0;
    let load = weight.max(1e-3 * side.firmness * side.area);
    let chosen = Penalty::carrying(load, thickness).stiffness;
    let stiffness = rule.stiffness.or(settings.stiffness).unwrap_or(chosen);
    let points = side
        .vertices
        .iter()
        .map(|&vertex| Point { vertex, node: nodes[collider][vertex as usize] });
    Some(Pair {
        collider: collider as u32,
        body: surface as u32,
        points: points.collect(),
        surface: PairSurface::Obstacle(ObstacleSurface::new(obstacle)),
        friction: rule.friction,
        penalty: Penalty { thickness, stiffness },
        first_stiffness: stiffness,
        mass: side.mass,
    })
}

impl Side {
    fn of(body: &Body, mass: f64) -> Option<Self> {
        let (surface, vertices, firmness) = match body {
            Body::Solid(solid) => {
                let boundary = solid.mesh.transformed(&solid.placement).ok()?.boundary();
                (boundary.surface, boundary.vertices, solid.material.youngs_modulus())
            }
            Body::Cloth(cloth) => {
                let mesh = cloth.mesh.transformed(&cloth.placement).ok()?;
                let all = (0..mesh.vertex_count() as u32).collect();
                (mesh, all, 0.0)
            }
            Body::Obstacle(_) => return None,
        };
        let edges = unique_edges(surface.vertex_count(), surface.elements());
        let at = |v: u32| -> Vector3 { surface.vertices()[v as usize] };
        let length: f64 = edges.iter().map(|&[a, b]| (at(a) - at(b)).norm()).sum();
        let edge = length / edges.len().max(1) as f64;
        let area = area(&surface) / vertices.len().max(1) as f64;
        Some(Self { vertices, edge, area, mass, firmness })
    }
}

fn area(surface: &TriMesh) -> f64 {
    (0..surface.element_count())
        .map(|e| {
            let [a, b, c] = surface.corners(e);
            0.5 * (b - a).cross(&(c - a)).norm()
        })
        .sum()
}
