//! Points of obstacles that are only known by distances, against exact shapes.
//!
//! A shape meets such an obstacle (a mesh, a cloud, a grid, a ring) by its own vertices, or as a ball. But a face may lie on a ridge that is far from all of its
//! vertices. So points of the obstacle touch the shape as well, where both surfaces face each other.
//!
//! Limits: sharp edges that cross, with vertices of neither near, pass each other. The middle of a ball knows one nearest place: in a hollow that it touches in several, it
//! lies on points, and never quite still.

use std::f64::consts::TAU;

use super::body::Kind;
use super::search::{Placed, Search};
use crate::body::{Obstacle, Shape};
use crate::contact::key::Name;
use crate::math::Vector3;

/// Points around a ring and around its tube.
const AROUND_RING: usize = 96;
const AROUND_TUBE: usize = 24;

impl Search<'_> {
    /// Points of the obstacle B against the exact shape of A.
    pub(super) fn landmarks(&mut self, a: Placed<'_>, b: Placed<'_>) {
        let (Kind::Obstacle(surface), Some([pose, _])) = (&b.0.kind, &b.1.moving) else { return };
        let (Some(_), Some(bounds)) = (&a.0.shape, &a.1.bounds) else { return };
        let around = bounds.grown(self.reach);
        let mut found = Vec::new();
        for (number, point) in b.0.landmarks.iter().enumerate() {
            let x = pose.to_world(*point);
            if !around.is_near(&x, 0.0) {
                continue;
            }
            let Some((gap, out)) = self.distance(a, x, 0.0, &mut found) else { continue };
            let faces = surface.distance(pose, x).is_some_and(|jet| jet.gradient.dot(&out) < 0.0);
            if faces {
                let ends = [self.end(a, x - out * gap), self.end(b, x)];
                self.push([a, b], Name::Landmark(number as u32), x, -out, gap, ends);
            }
        }
    }
}

/// In the frame of the obstacle [m]; none of what has an exact shape.
pub(super) fn landmarks_of(obstacle: &Obstacle) -> Vec<Vector3> {
    let stretch = obstacle.placement.stretch();
    let points: Vec<Vector3> = match &obstacle.shape {
        Shape::Mesh(mesh) => mesh.vertices().to_vec(),
        Shape::Points(cloud) => cloud.points().to_vec(),
        Shape::Grid(grid) => grid.mesh().vertices().to_vec(),
        Shape::Torus { ring_radius, tube_radius } => {
            let ring = (0..AROUND_RING).map(|k| TAU * k as f64 / AROUND_RING as f64);
            let tube = |k: usize| TAU * k as f64 / AROUND_TUBE as f64;
            let place = |ring: f64, tube: f64| {
                let far = ring_radius + tube_radius * tube.cos();
                Vector3::new(far * ring.cos(), tube_radius * tube.sin(), far * ring.sin())
            };
            ring.flat_map(|ring| (0..AROUND_TUBE).map(move |k| place(ring, tube(k)))).collect()
        }
        _ => Vec::new(),
    };
    points.into_iter().map(|point| stretch.apply(&point)).collect()
}
