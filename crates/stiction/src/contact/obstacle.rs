//! Surfaces of obstacles: where they are, and how far points are from them.

use super::detect::broad::Region;
use super::refine::refined;
use super::rim::{NearestFace, Rim};
use super::side::keep_side;
use super::smooth_surface::SmoothSurface;
use crate::body::{Cloud, Motion, Obstacle, Shape, Surface};
use crate::geometry::Jet;
use crate::geometry::implicit::{FieldJet, ImplicitSurface, SampleKind, SurfaceError};
use crate::math::{Matrix3, Vector3};
use crate::mesh::{BoundingBox, Transform, TriMesh};

/// Where a rigid thing is at a time, and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingPose {
    /// Where its origin is [m].
    pub origin: Vector3,
    /// Its axes, as columns.
    pub axes: Matrix3,
    /// Velocity of its origin [m/s].
    pub velocity: Vector3,
    /// Angular velocity [rad/s].
    pub spin: Vector3,
}

impl MovingPose {
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
    /// Through the mesh or the cloud, if the shape is one.
    field: Option<Field>,
    placement: Transform,
    motion: Motion,
}

/// A smooth surface through a mesh or a cloud, in the frame of the obstacle.
#[derive(Clone, Debug)]
struct Field {
    surface: ImplicitSurface,
    /// Vertices of the mesh, or the points [m].
    vertices: Vec<Vector3>,
    /// Of the mesh, its large ones cut.
    triangles: Vec<[u32; 3]>,
    /// Of an open mesh.
    rim: Option<Rim>,
    /// Around all of it [m].
    bounds: BoundingBox,
}

impl Field {
    fn of_mesh(
        mesh: &TriMesh,
        stretch: &Transform,
        wishes: &Surface,
    ) -> Result<Self, SurfaceError> {
        let vertices: Vec<Vector3> = mesh.vertices().iter().map(|x| stretch.apply(x)).collect();
        let (vertices, triangles) = refined(vertices, mesh.elements().to_vec(), wishes.radius);
        let settings = wishes.of_obstacle(&vertices, &triangles);
        let surface = ImplicitSurface::from_mesh(&vertices, &triangles, &settings)?;
        // Faces are found through their samples.
        let rim = match settings.samples {
            SampleKind::Faces => Rim::new(vertices.len(), &triangles, surface.spacing()),
            SampleKind::Vertices(_) => None,
        };
        let bounds = BoundingBox::of(&vertices);
        Ok(Self { surface, vertices, triangles, rim, bounds })
    }

    fn of_cloud(
        cloud: &Cloud,
        stretch: &Transform,
        wishes: &Surface,
    ) -> Result<Self, SurfaceError> {
        let vertices: Vec<Vector3> = cloud.points().iter().map(|x| stretch.apply(x)).collect();
        // What stretches points shrinks normals.
        let scale = stretch.apply(&Vector3::repeat(1.0));
        let normals: Vec<Vector3> =
            cloud.normals().iter().map(|n| n.component_div(&scale)).collect();
        let surface = ImplicitSurface::from_points(&vertices, &normals, &wishes.of_points())?;
        let bounds = BoundingBox::of(&vertices);
        Ok(Self { surface, vertices, triangles: Vec::new(), rim: None, bounds })
    }

    fn jet(&self, x: Vector3) -> Option<Jet> {
        if !self.bounds.is_near(&x, self.surface.radius()) {
            return None;
        }
        let (mut candidates, mut scratch) = (Vec::new(), FieldJet::default());
        self.surface.candidates(&x, 0.0, &mut candidates);
        let nearest = match self.surface.settings().samples {
            SampleKind::Faces if !self.triangles.is_empty() => {
                let corners =
                    |face: u32| self.triangles[face as usize].map(|v| self.vertices[v as usize]);
                NearestFace::find(x, &candidates, corners)
            }
            _ => None,
        };
        let face = nearest.map(|nearest| (nearest.face, nearest.normal()));
        keep_side(&self.surface, &x, face, &mut candidates);
        let mut jet = self.surface.point_jet_among(&x, &candidates, &mut scratch)?;
        if let (Some(rim), Some(nearest)) = (&self.rim, &nearest) {
            rim.widen(&self.triangles[nearest.face as usize], nearest, &mut jet);
        }
        Some(jet)
    }
}

impl ObstacleSurface {
    /// Prepares the surface.
    ///
    /// # Errors
    /// When no smooth surface can be put through a mesh or a cloud.
    pub fn new(obstacle: &Obstacle) -> Result<Self, SurfaceError> {
        let (stretch, wishes) = (obstacle.placement.stretch(), &obstacle.surface);
        let field = match &obstacle.shape {
            Shape::Mesh(mesh) => Some(Field::of_mesh(mesh, &stretch, wishes)?),
            Shape::Points(cloud) => Some(Field::of_cloud(cloud, &stretch, wishes)?),
            _ => None,
        };
        Ok(Self {
            shape: obstacle.shape.clone(),
            field,
            placement: obstacle.placement,
            motion: obstacle.motion.clone(),
        })
    }

    /// The smooth surface through its mesh or cloud, if it has one, in its own frame.
    pub fn smooth(&self) -> Option<SmoothSurface<'_>> {
        self.field.as_ref().map(|field| SmoothSurface {
            surface: &field.surface,
            vertices: &field.vertices,
            triangles: &field.triangles,
        })
    }

    /// Where it is at time `t`.
    pub fn pose(&self, t: f64) -> MovingPose {
        MovingPose::of(&self.placement, &self.motion, t)
    }

    /// Distance of a point while the obstacle is in a pose. None where there is none.
    pub fn distance(&self, pose: &MovingPose, x: Vector3) -> Option<Jet> {
        let local = pose.to_local(x);
        let jet = match &self.field {
            Some(field) => field.jet(local),
            None => self.exact(local),
        };
        jet.map(|jet| pose.seen(&jet))
    }

    /// Whether its distance is one everywhere, not that to a smooth surface or between points of a grid.
    pub(crate) fn is_exact(&self) -> bool {
        self.field.is_none() && !matches!(self.shape, Shape::Grid(_))
    }

    fn exact(&self, local: Vector3) -> Option<Jet> {
        if !matches!(self.shape, Shape::Grid(_)) {
            return self.shape.distance(local);
        }
        let scale = self.placement.stretch().apply(&Vector3::x()).x;
        self.shape.distance(local / scale).map(|jet| Jet {
            value: jet.value * scale,
            gradient: jet.gradient,
            hessian: jet.hessian / scale,
        })
    }

    /// All of it while it is in a pose, and wherever else it has a distance; what is not told apart is everywhere.
    pub(crate) fn region(&self, pose: &MovingPose) -> Region {
        let around = |bounds: BoundingBox| {
            let corners = bounds.corners().map(|x| pose.to_world(x));
            Region::Box(BoundingBox::of(&corners))
        };
        let cube = |half: f64| around(BoundingBox::of([&Vector3::zeros()]).grown(half));
        match (&self.field, &self.shape) {
            (Some(field), _) => around(field.bounds.grown(field.surface.radius())),
            (None, Shape::Plane { normal, offset }) => {
                let normal = pose.axes * normal;
                Region::HalfSpace { normal, height: normal.dot(&pose.origin) + offset }
            }
            (None, Shape::Sphere { radius }) => cube(*radius),
            (None, Shape::Box { size, .. }) => {
                let half = size * 0.5;
                around(BoundingBox::of([&-half, &half]))
            }
            (None, Shape::Capsule { radius, length } | Shape::Cylinder { radius, length }) => {
                cube(radius + 0.5 * length)
            }
            (None, Shape::Torus { ring_radius, tube_radius }) => cube(ring_radius + tube_radius),
            (None, Shape::Grid(_) | Shape::Mesh(_) | Shape::Points(_)) => Region::Everywhere,
        }
    }

    /// How far inside a point may get before it could come out on another side [m].
    pub fn depth(&self) -> f64 {
        match &self.shape {
            Shape::Torus { tube_radius, .. } => *tube_radius,
            Shape::Grid(gridded) => {
                let scale = self.placement.stretch().apply(&Vector3::x()).x;
                2.0 * gridded.grid().spacing() * scale
            }
            Shape::Mesh(_) | Shape::Points(_) => {
                self.field.as_ref().map_or(f64::INFINITY, |field| field.surface.spacing())
            }
            shape => shape.convex().and_then(|convex| convex.inradius()).unwrap_or(f64::INFINITY),
        }
    }
}
