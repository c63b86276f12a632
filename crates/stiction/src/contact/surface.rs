//! Surfaces of obstacles: where they are, and how far points are from them.

use crate::body::{Motion, Obstacle, Shape};
use crate::geometry::implicit::{ImplicitSurface, SurfaceError};
use crate::geometry::{Jet, distance};
use crate::math::{Matrix3, Vector3};
use crate::mesh::{BoundingBox, Transform};

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
    /// At the origin, and there to stay.
    pub const STILL: Self = Self {
        origin: Vector3::new(0.0, 0.0, 0.0),
        axes: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        velocity: Vector3::new(0.0, 0.0, 0.0),
        spin: Vector3::new(0.0, 0.0, 0.0),
    };

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
    /// Through the mesh, if the shape is one.
    field: Option<Field>,
    placement: Transform,
    motion: Motion,
}

/// A smooth surface through a mesh, in the frame of the obstacle.
#[derive(Clone, Debug)]
struct Field {
    surface: ImplicitSurface,
    /// Around its mesh [m].
    bounds: BoundingBox,
}

impl Field {
    fn jet(&self, x: Vector3) -> Option<Jet> {
        let near = self.bounds.is_near(&x, self.surface.radius());
        if near { self.surface.point_jet(&x) } else { None }
    }
}

impl ObstacleSurface {
    /// Prepares the surface.
    ///
    /// # Errors
    /// When no smooth surface can be put through a mesh.
    pub fn new(obstacle: &Obstacle) -> Result<Self, SurfaceError> {
        let field = match &obstacle.shape {
            Shape::Mesh(mesh) => {
                let stretch = obstacle.placement.stretch();
                let vertices: Vec<Vector3> =
                    mesh.vertices().iter().map(|x| stretch.apply(x)).collect();
                let settings = super::mesh_surface::settings_for(mesh);
                let surface = ImplicitSurface::from_mesh(&vertices, mesh.elements(), &settings)?;
                Some(Field { surface, bounds: BoundingBox::of(&vertices) })
            }
            _ => None,
        };
        Ok(Self {
            shape: obstacle.shape.clone(),
            field,
            placement: obstacle.placement,
            motion: obstacle.motion.clone(),
        })
    }

    /// Where it is at time `t`.
    pub fn pose(&self, t: f64) -> Pose {
        Pose::of(&self.placement, &self.motion, t)
    }

    /// Distance of a point while the obstacle is in a pose. None where there is none.
    pub fn distance(&self, pose: &Pose, x: Vector3) -> Option<Jet> {
        let local = pose.to_local(x);
        let jet = match &self.field {
            Some(field) => field.jet(local),
            None => distance::distance(&self.shape, local),
        };
        jet.map(|jet| pose.seen(&jet))
    }

    /// How far inside a point may get before it could come out on another side [m].
    pub fn depth(&self) -> f64 {
        match &self.shape {
            Shape::Plane { .. } => f64::INFINITY,
            Shape::Sphere { radius } => *radius,
            Shape::Box { size, .. } => 0.5 * size.min(),
            Shape::Capsule { radius, .. } => *radius,
            Shape::Cylinder { radius, length } => radius.min(0.5 * length),
            Shape::Torus { tube_radius, .. } => *tube_radius,
            Shape::Mesh(_) => {
                self.field.as_ref().map_or(f64::INFINITY, |field| 0.5 * field.surface.radius())
            }
        }
    }
}
