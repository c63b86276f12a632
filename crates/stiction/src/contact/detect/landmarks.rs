//! Points of obstacles that are only known by distances, against exact shapes.
//!
//! A shape meets such an obstacle (a mesh, a cloud, a grid, a ring) by its own vertices, or as a ball. But a face may
//! lie on a ridge that is far from all of its vertices. So points of the obstacle touch the shape as well, where both
//! surfaces face each other.
//!
//! Limit: sharp edges that cross, with vertices of neither near, pass each other.

use std::f64::consts::TAU;

use super::body::Kind;
use super::cone::NormalCone;
use super::search::{Placed, Search};
use crate::body::{Obstacle, Shape};
use crate::contact::key::Name;
use crate::geometry::features::Surface;
use crate::math::Vector3;
use crate::mesh::{Transform, TriMesh};

/// Points around a ring and around its tube.
const AROUND_RING: usize = 96;
const AROUND_TUBE: usize = 24;
/// How far normals between points of something round may be from theirs [rad].
const BETWEEN: f64 = 0.3;

impl Search<'_> {
    /// Points of the obstacle B against the exact shape of A.
    pub(super) fn landmarks(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Kind::Obstacle(surface), Some([pose, _])) = (&b.0.kind, &b.1.moving) else { return };
        let (Some(_), Some(bounds)) = (&a.0.shape, &a.1.bounds) else { return };
        // Balls know all of a distance that is exact.
        if a.0.is_round() && surface.is_exact() {
            return;
        }
        let skin = self.skin(a);
        let around = bounds.grown(self.reach + skin);
        let mut found = Vec::new();
        for (number, point) in b.0.landmarks.iter().enumerate() {
            let x = pose.to_world(point.at);
            if !around.is_near(&x, 0.0) {
                continue;
            }
            let Some((gap, out)) = self.distance(a, x, skin, &mut found) else { continue };
            let way = pose.axes.tr_mul(&-out);
            if gap > 0.0 && !point.cone.admits(way, false) {
                continue;
            }
            let faces = surface.distance(pose, x).is_some_and(|jet| jet.gradient.dot(&out) < 0.0);
            if faces {
                let ends = [self.end(a, x - out * (gap + skin)), self.end(b, x)];
                self.push([a, b], Name::Landmark(number as u32), x, -out, gap, ends);
            }
        }
    }
}

/// A point of an obstacle, in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landmark {
    /// [m].
    at: Vector3,
    /// Ways it can be touched along.
    cone: NormalCone,
}

/// Of an obstacle; none of what has an exact shape.
pub(super) fn landmarks_of(obstacle: &Obstacle) -> Vec<Landmark> {
    let stretch = obstacle.placement.stretch();
    // What stretches points shrinks normals.
    let scale = stretch.apply(&Vector3::repeat(1.0));
    let point = |at: &Vector3, normal: Vector3| {
        let normal = normal.component_div(&scale).try_normalize(0.0);
        let cone = NormalCone::around(normal.into_iter(), BETWEEN);
        Landmark { at: stretch.apply(at), cone }
    };
    match &obstacle.shape {
        Shape::Mesh(mesh) => of_mesh(mesh, &stretch),
        Shape::Grid(grid) => of_mesh(grid.mesh(), &stretch),
        Shape::Points(cloud) => {
            let both = cloud.points().iter().zip(cloud.normals());
            both.map(|(at, normal)| point(at, *normal)).collect()
        }
        Shape::Torus { ring_radius, tube_radius } => {
            let ring = (0..AROUND_RING).map(|k| TAU * k as f64 / AROUND_RING as f64);
            let tube = |k: usize| TAU * k as f64 / AROUND_TUBE as f64;
            let place = |ring: f64, tube: f64| {
                let far = ring_radius + tube_radius * tube.cos();
                let out =
                    Vector3::new(tube.cos() * ring.cos(), tube.sin(), tube.cos() * ring.sin());
                let at = Vector3::new(far * ring.cos(), tube_radius * tube.sin(), far * ring.sin());
                point(&at, out)
            };
            ring.flat_map(|ring| (0..AROUND_TUBE).map(move |k| (ring, tube(k))))
                .map(|(ring, tube)| place(ring, tube))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn of_mesh(mesh: &TriMesh, stretch: &Transform) -> Vec<Landmark> {
    let surface = Surface::new(mesh);
    let x: Vec<Vector3> = mesh.vertices().iter().map(|x| stretch.apply(x)).collect();
    let of = |(vertex, at): (u32, &Vector3)| Landmark {
        at: *at,
        cone: NormalCone::at(&surface, vertex, &x),
    };
    (0..).zip(&x).map(of).collect()
}
