//! Surfaces of obstacles: where they are, and how far points are from them.

use crate::body::{Motion, Obstacle, Shape};
use crate::geometry::{Jet, distance};
use crate::math::{Matrix3, Vector3};
use crate::mesh::Transform;

/// Where a rigid thing is at a time, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where its origin is [m].
    pub origin: Vector3,
    /// Its axes, as columns.
    pub axes: Matrix3,
    /// Velocity of its origin [m/s].
    pub velocity: Vector3,
    /// Angular velocity [rad/s].
    pub spin: Vector3,
}

impl Pose {
    /// Of something placed and then moved, at time `t`.
    pub fn of(placement: &Transform, motion: &Motion, t: f64) -> Self {
        let place = |x: Vector3| motion.at(placement.apply_rigid(&x), t);
        let (origin, velocity) = place(Vector3::zeros());
        let mut axes = Matrix3::zeros();
        let mut spin = Vector3::zeros();
        for axis in 0..3 {
            let mut unit = Vector3::zeros();
            unit[axis] = 1.0;
            let (x, v) = place(unit);
            let arm = x - origin;
            axes.set_column(axis, &arm);
            // Σ r × (ω × r) over three orthonormal arms is 2 ω.
            spin += arm.cross(&(v - velocity)) * 0.5;
        }
        Self { origin, axes, velocity, spin }
    }

    /// Into its own frame.
    pub fn to_local(&self, x: Vector3) -> Vector3 {
        self.axes.tr_mul(&(x - self.origin))
    }

    /// Out of its own frame.
    pub fn to_world(&self, x: Vector3) -> Vector3 {
        self.origin + self.axes * x
    }

    /// Velocity of its material at a point in space [m/s].
    pub fn velocity_at(&self, x: Vector3) -> Vector3 {
        self.velocity + self.spin.cross(&(x - self.origin))
    }

    /// The rotation since another time.
    pub fn rotation_since(&self, before: &Self) -> Matrix3 {
        self.axes * before.axes.transpose()
    }

    /// A field of its own frame, seen from space.
    pub fn seen(&self, jet: &Jet) -> Jet {
        Jet {
            value: jet.value,
            gradient: self.axes * jet.gradient,
            hessian: self.axes * jet.hessian * self.axes.transpose(),
        }
    }
}

/// The surface of an obstacle.
#[derive(Clone, Debug)]
pub struct ObstacleSurface {
    shape: Shape,
    placement: Transform,
    motion: Motion,
}

impl ObstacleSurface {
    /// Prepares the surface.
    pub fn new(obstacle: &Obstacle) -> Self {
        Self {
            shape: obstacle.shape.clone(),
            placement: obstacle.placement,
            motion: obstacle.motion.clone(),
        }
    }

    /// Where it is at time `t`.
    pub fn pose(&self, t: f64) -> Pose {
        Pose::of(&self.placement, &self.motion, t)
    }

    /// Distance of a point while the obstacle is in a pose. None where there is none.
    pub fn distance(&self, pose: &Pose, x: Vector3) -> Option<Jet> {
        distance::distance(&self.shape, pose.to_local(x)).map(|jet| pose.seen(&jet))
    }
}
