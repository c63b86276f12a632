//! Where bodies are at the start of a step.

use super::body::{ContactBody, Kind};
use super::broad::{Extent, Region};
use super::{MARGIN, SKIN};
use crate::contact::obstacle::MovingPose as Moving;
use crate::geometry::Pose;
use crate::geometry::bvh::Bvh;
use crate::geometry::shape::{Compound, Convex, Part};
use crate::math::Vector3;
use crate::mesh::BoundingBox;
use crate::model::Model;

/// Where a body is at the start of a step, and how far it may come.
#[derive(Debug)]
pub(crate) struct Place {
    /// Of the frame of its shape.
    pub(crate) pose: Pose,
    /// Of obstacles: at the start of the step, and at its end.
    pub(crate) moving: Option<[Moving; 2]>,
    /// Of its vertices [m].
    pub(crate) x: Vec<Vector3>,
    /// Boxes around its triangles, if they are many, and a shape is near.
    pub(crate) faces: Option<Bvh>,
    /// Around all of it; nothing for what has no end.
    pub(crate) bounds: Option<BoundingBox>,
    /// How far any of its points moves in the step, at most [m].
    pub(crate) travel: f64,
}

impl Place {
    pub(crate) fn of(
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

impl Place {
    /// Where a body may touch things in a step in which gravity adds so much to its travel [m]. `thickest` is the
    /// thickest skin that is asked for [m].
    pub(super) fn extent(&self, body: &ContactBody, gravity: f64, thickest: f64) -> Extent {
        let reach = self.travel + gravity + MARGIN * body.size;
        // What rests on a skin is that far from what has it. Triangles always have one.
        let skin = match body.shape {
            Some(_) => thickest,
            None => thickest.max(SKIN * body.size),
        };
        let region = match &self.bounds {
            Some(bounds) => Region::Box(bounds.grown(reach + skin)),
            None => self.half_space(body, reach).unwrap_or(Region::Everywhere),
        };
        Extent { region, moves: !matches!(body.kind, Kind::Obstacle(_)), size: body.size }
    }

    fn half_space(&self, body: &ContactBody, reach: f64) -> Option<Region> {
        let [part] = body.shape.as_ref()?.parts() else { return None };
        let Convex::Plane { normal, offset } = part.shape else { return None };
        let pose = self.pose * part.pose;
        let normal = pose.rotation * normal;
        Some(Region::HalfSpace { normal, height: normal.dot(&pose.translation) + offset + reach })
    }
}
