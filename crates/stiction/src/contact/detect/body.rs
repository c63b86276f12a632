//! Bodies as contacts see them.

use super::corners::corners_of;
use super::edges::{RoundEdge, edges_of};
use super::landmarks::{Landmark, landmarks_of};
use super::rims::rims_of;
use crate::body::{Body, BodyId};
use crate::contact::body_surface::BodySurface;
use crate::contact::candidate::End;
use crate::contact::friction::carried::CarriedSkin;
use crate::contact::friction::{Skin, SurfaceAt};
use crate::contact::obstacle::ObstacleSurface;
use crate::geometry::Pose;
use crate::geometry::closest::Circle;
use crate::geometry::features::Surface;
use crate::geometry::implicit::SurfaceError;
use crate::geometry::shape::{Compound, Convex, Part};
use crate::math::Vector3;
use crate::mesh::Transform;
use crate::model::Model;
use crate::scene::Scene;

/// A body as contacts see it.
#[derive(Debug)]
pub(crate) struct ContactBody {
    pub(crate) number: u32,
    /// Exact shape in its own frame, if it has one.
    pub(crate) shape: Option<Compound>,
    /// Corners of that shape, as points with radii, in its own frame [m].
    pub(crate) corners: Vec<(Vector3, f64)>,
    /// Edges of that shape.
    pub(super) edges: Vec<RoundEdge>,
    /// Rims of cylinders in it.
    pub(crate) rims: Vec<Circle>,
    /// Its triangles, if they can touch, with the node of each vertex.
    pub(crate) mesh: Option<Triangles>,
    pub(crate) kind: Kind,
    /// How large its shape is, however finely that is drawn; without one, mean length of edges of its surface [m].
    pub(crate) size: f64,
    /// How far its shape reaches from the origin of the only part it has [m]; zero if it has several, or no end.
    pub(crate) radius: f64,
    /// Points of an obstacle that has no exact shape.
    pub(super) landmarks: Vec<Landmark>,
    /// Whether it has a shape, but meets some obstacle that is only known by distances: then its vertices touch that.
    pub(crate) feels: bool,
    /// What its surface is like, if that depends on direction.
    pub(crate) skin: Option<BodySkin>,
}

/// What a surface is like.
#[derive(Debug)]
pub(crate) enum BodySkin {
    /// Of a body that does not deform.
    Fixed(Skin),
    /// Of one that does.
    Carried(CarriedSkin),
}

/// What moves it.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Six unknowns; its number among rigid bodies.
    Rigid(u32),
    /// Its nodes.
    Soft,
    /// Nothing but its own motion.
    Obstacle(Box<ObstacleSurface>),
}

/// A surface whose vertices are nodes.
#[derive(Debug)]
pub(crate) struct Triangles {
    pub(crate) surface: Surface,
    /// Whether it has an inside.
    pub(crate) closed: bool,
    /// Whether there is material inside: nothing touches through it.
    pub(crate) filled: bool,
    pub(crate) nodes: Vec<u32>,
    /// Vertices of the body that those of the surface are.
    pub(crate) vertices: Vec<u32>,
}

impl ContactBody {
    pub(crate) fn all(scene: &Scene, model: &Model) -> Result<Vec<Self>, (BodyId, SurfaceError)> {
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

    /// Its triangles, if these are what others touch: it has no exact shape.
    pub(super) fn triangles(&self) -> Option<&Triangles> {
        self.mesh.as_ref().filter(|_| self.shape.is_none())
    }

    /// Whether all of it is balls: their middles and radii tell all distances.
    pub(crate) fn is_round(&self) -> bool {
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
                let shape = obstacle.shape.convex().filter(|_| unstretched);
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
    pub(crate) fn skin_at<'a>(
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
