//! Bodies as contacts see them.

use super::corners::corners_of;
use super::edges::{RoundEdge, edges_of};
use super::landmarks::landmarks_of;
use super::rims::rims_of;
use super::touch::End;
use crate::body::{Body, BodyId};
use crate::contact::body_surface::BodySurface;
use crate::contact::friction::carried::CarriedSkin;
use crate::contact::friction::{Skin, SurfaceAt};
use crate::contact::obstacle::{MovingPose as Moving, ObstacleSurface};
use crate::geometry::Pose;
use crate::geometry::bvh::Bvh;
use crate::geometry::closest::Circle;
use crate::geometry::features::Surface;
use crate::geometry::implicit::SurfaceError;
use crate::geometry::shape::{Compound, Convex, Part};
use crate::math::Vector3;
use crate::mesh::{BoundingBox, Transform};
use crate::model::Model;
use crate::scene::Scene;

/// A body as contacts see it.
#[derive(Debug)]
pub(super) struct ContactBody {
    pub(super) number: u32,
    /// Exact shape in its own frame, if it has one.
    pub(super) shape: Option<Compound>,
    /// Corners of that shape, as points with radii, in its own frame [m].
    pub(super) corners: Vec<(Vector3, f64)>,
    /// Edges of that shape.
    pub(super) edges: Vec<RoundEdge>,
    /// Rims of cylinders in it.
    pub(super) rims: Vec<Circle>,
    /// Its triangles, if they can touch, with the node of each vertex.
    pub(super) mesh: Option<Triangles>,
    pub(super) kind: Kind,
    /// How large its shape is, however finely that is drawn; without one, mean length of edges of its surface [m].
    pub(super) size: f64,
    /// How far its shape reaches from the origin of the only part it has [m]; zero if it has several, or no end.
    pub(super) radius: f64,
    /// Points of an obstacle that has no exact shape, in its own frame [m].
    pub(super) landmarks: Vec<Vector3>,
    /// Whether it has a shape, but meets some obstacle that is only known by distances: then its vertices touch that.
    pub(super) feels: bool,
    /// What its surface is like, if that depends on direction.
    pub(super) skin: Option<BodySkin>,
}

/// What a surface is like.
#[derive(Debug)]
pub(super) enum BodySkin {
    /// Of a body that does not deform.
    Fixed(Skin),
    /// Of one that does.
    Carried(CarriedSkin),
}

/// What moves it.
#[derive(Debug)]
pub(super) enum Kind {
    /// Six unknowns; its number among rigid bodies.
    Rigid(u32),
    /// Its nodes.
    Soft,
    /// Nothing but its own motion.
    Obstacle(Box<ObstacleSurface>),
}

/// A surface whose vertices are nodes.
#[derive(Debug)]
pub(super) struct Triangles {
    pub(super) surface: Surface,
    /// Whether it has an inside.
    pub(super) closed: bool,
    /// Whether there is material inside: nothing touches through it.
    pub(super) filled: bool,
    pub(super) nodes: Vec<u32>,
    /// Vertices of the body that those of the surface are.
    pub(super) vertices: Vec<u32>,
}

impl ContactBody {
    pub(super) fn all(scene: &Scene, model: &Model) -> Result<Vec<Self>, (BodyId, SurfaceError)> {
        let bodies = scene.bodies.iter().zip(scene.ids());
        let skinned = |(body, id)| {
            let mut new = Self::new(body, id, model).map_err(|error| (id, error))?;
            new.skin = scene.skins.get(&id).map(|skin| {
                let soft = matches!(new.kind, Kind::Soft);
                let carried = CarriedSkin::new(skin, body, model.nodes(id)).filter(|_| soft);
                carried.map_or_else(|| BodySkin::Fixed(skin.clone()), BodySkin::Carried)
            });
            Ok(new)
        };
        let mut bodies: Vec<Self> = bodies.map(skinned).collect::<Result<_, _>>()?;
        let strange = bodies
            .iter()
            .any(|body| matches!(body.kind, Kind::Obstacle(_)) && body.shape.is_none());
        for body in &mut bodies {
            body.feels = strange && matches!(body.kind, Kind::Rigid(_)) && !body.is_round();
        }
        Ok(bodies)
    }

    /// Whether all of it is balls: their middles and radii tell all distances.
    pub(super) fn is_round(&self) -> bool {
        let ball = |part: &Part| matches!(part.shape, Convex::Sphere { .. });
        self.shape.as_ref().is_some_and(|shape| shape.parts().iter().all(ball))
    }

    fn new(body: &Body, id: BodyId, model: &Model) -> Result<Self, SurfaceError> {
        let nodes = model.nodes(id);
        let side = BodySurface::of(body, 0.0);
        let size = side.as_ref().map_or(0.0, |side| side.edge);
        let mesh = side.map(|BodySurface { surface, vertices, .. }| {
            let nodes = vertices.iter().map(|&v| nodes[v as usize]).collect();
            let surface = Surface::new(&surface);
            let filled = matches!(body, Body::Solid(_));
            Triangles { closed: surface.is_closed(), filled, surface, nodes, vertices }
        });
        let (shape, kind) = match body {
            Body::Rigid(rigid) => {
                let unstretched = rigid.placement.stretch() == Transform::identity();
                let shape = rigid.material.shape.as_ref().filter(|_| unstretched);
                let number = model.rigid_number(id).unwrap_or_default();
                (shape.map(|shape| (**shape).clone()), Kind::Rigid(number))
            }
            Body::Solid(_) | Body::Cloth(_) => (None, Kind::Soft),
            Body::Obstacle(obstacle) => {
                let unstretched = obstacle.placement.stretch() == Transform::identity();
                let shape = Convex::of(&obstacle.shape).filter(|_| unstretched);
                let kind = Kind::Obstacle(Box::new(ObstacleSurface::new(obstacle)?));
                (shape.map(Compound::from), kind)
            }
        };
        let size = match (&kind, &shape) {
            (Kind::Rigid(_), Some(shape)) => side_of(shape),
            _ => size,
        };
        let radius = shape.as_ref().map_or(0.0, radius);
        let landmarks = match body {
            Body::Obstacle(obstacle) if shape.is_none() => landmarks_of(obstacle),
            _ => Vec::new(),
        };
        let corners = shape.as_ref().map_or_else(Vec::new, corners_of);
        let edges = shape.as_ref().map_or_else(Vec::new, edges_of);
        let rims = shape.as_ref().map_or_else(Vec::new, rims_of);
        let number = id.index() as u32;
        Ok(Self {
            number,
            shape,
            corners,
            edges,
            rims,
            mesh,
            kind,
            size,
            radius,
            landmarks,
            feels: false,
            skin: None,
        })
    }
}

impl ContactBody {
    /// What its surface is like at a point, at time `t`; nothing where that is the same in all directions.
    pub(super) fn skin_at<'a>(
        &'a self,
        end: &End,
        point: Vector3,
        model: &Model,
        t: f64,
        q: &[f64],
    ) -> Option<SurfaceAt<'a>> {
        match (self.skin.as_ref()?, end, &self.kind) {
            (BodySkin::Fixed(skin), _, Kind::Rigid(number)) => {
                let pose = model.rigid_pose(*number, q);
                let carry = pose.rotation.to_rotation_matrix().into_inner();
                Some(SurfaceAt { skin, carry, local: pose.apply_inverse(&point) })
            }
            (BodySkin::Fixed(skin), _, Kind::Obstacle(surface)) => {
                let pose = surface.pose(t);
                Some(SurfaceAt { skin, carry: pose.axes, local: pose.to_local(point) })
            }
            (BodySkin::Carried(skin), End::Nodes(nodes, weights), _) => {
                skin.at(nodes, weights, |node| crate::assembly::point(q, node as usize))
            }
            _ => None,
        }
    }
}

/// The side of a cube as large as a box around the smallest part of a shape [m].
fn side_of(shape: &Compound) -> f64 {
    let volume = |part: &Part| {
        let bounds = part.shape.bounding_box(&Pose::identity());
        (bounds.max - bounds.min).product()
    };
    shape.parts().iter().map(volume).fold(f64::INFINITY, f64::min).cbrt()
}

/// How far a shape of one part reaches from the origin of the part [m]; zero if it has several, or no end.
fn radius(shape: &Compound) -> f64 {
    match shape.parts() {
        [part] if !matches!(part.shape, Convex::Plane { .. }) => {
            let corners = part.shape.bounding_box(&Pose::identity()).corners();
            corners.iter().map(Vector3::norm).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// Where a body is at the start of a step, and how far it may come.
#[derive(Debug)]
pub(super) struct Place {
    /// Of the frame of its shape.
    pub(super) pose: Pose,
    /// Of obstacles: at the start of the step, and at its end.
    pub(super) moving: Option<[Moving; 2]>,
    /// Of its vertices [m].
    pub(super) x: Vec<Vector3>,
    /// Boxes around its triangles, if it deforms, there are many, and a shape is near.
    pub(super) faces: Option<Bvh>,
    /// Around all of it; nothing for what has no end.
    pub(super) bounds: Option<BoundingBox>,
    /// How far any of its points moves in the step, at most [m].
    pub(super) travel: f64,
}

impl Place {
    pub(super) fn of(
        body: &ContactBody,
        model: &Model,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
    ) -> Self {
        let at = |values: &[f64], node: u32| crate::assembly::point(values, node as usize);
        let mut place = Self {
            pose: Pose::identity(),
            moving: None,
            x: Vec::new(),
            faces: None,
            bounds: None,
            travel: 0.0,
        };
        let nodes = body.mesh.as_ref().map_or(&[][..], |mesh| &mesh.nodes);
        match &body.kind {
            Kind::Obstacle(surface) => {
                let moving = [t, t + h].map(|t| surface.pose(t));
                let rotation = nalgebra::Rotation3::from_matrix_unchecked(moving[0].axes);
                let rotation = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
                place.pose = Pose::new(moving[0].origin, rotation);
                let plane = |part: &Part| matches!(part.shape, Convex::Plane { .. });
                let endless = |shape: &&Compound| !shape.parts().iter().any(plane);
                let shape = body.shape.as_ref().filter(endless);
                place.bounds = shape.map(|shape| shape.bounding_box(&place.pose));
                let moves = |x: Vector3| (moving[1].to_world(moving[0].to_local(x)) - x).norm();
                place.travel = place.bounds.map_or_else(
                    || moves(moving[0].origin),
                    |bounds| bounds.corners().into_iter().map(moves).fold(0.0, f64::max),
                );
                place.moving = Some(moving);
            }
            Kind::Rigid(number) => {
                place.travel = h * model.rigid_speed(*number, v);
                place.pose = model.rigid_pose(*number, q);
                place.bounds = body.shape.as_ref().map(|shape| shape.bounding_box(&place.pose));
            }
            Kind::Soft => {
                place.travel = h * nodes.iter().map(|&n| at(v, n).norm()).fold(0.0, f64::max);
            }
        }
        if place.bounds.is_none() || body.shape.is_none() || body.feels {
            place.x = nodes.iter().map(|&node| at(q, node)).collect();
            let around = || (!place.x.is_empty()).then(|| BoundingBox::of(&place.x));
            place.bounds = place.bounds.or_else(around);
        }
        place
    }
}
