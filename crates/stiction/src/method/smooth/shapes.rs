//! Bodies that are simpler than their meshes.

use super::core::Core;
use super::frame::Frame;
use super::rigid_surface::RigidSurface;
use super::round;
use crate::body::{Body, BodyId, Rigid, Surface};
use crate::contact::friction::Skin;
use crate::geometry::Pose;
use crate::math::Vector3;
use crate::model::{FrameAt, FrameRequest};
use crate::scene::Scene;

/// Bodies that are simpler than their meshes.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    /// Points with a radius that each body or obstacle touches with, if it is round.
    pub(crate) cores: Vec<Vec<Core>>,
    /// The same for meshes, with more of them along capsules.
    pub(crate) rows: Vec<Vec<Core>>,
    /// What each body is to others, if it is rigid and has a simple shape.
    pub(crate) exact: Vec<Option<RigidSurface>>,
    /// Frames of rigid bodies, where something resists spin.
    pub(crate) frames: Vec<Option<Frame>>,
}

impl Shapes {
    /// Whether a body is made of balls.
    pub(super) fn is_balls(&self, body: usize) -> bool {
        !self.cores[body].is_empty() && self.cores[body].iter().all(|core| core.is_ball)
    }
}

impl Shapes {
    /// The largest of a round body [m].
    pub(super) fn radius(&self, body: usize) -> f64 {
        self.cores[body].iter().fold(0.0, |most, core| core.radius.max(most))
    }

    /// Frames that rigid bodies are to carry for them.
    pub(crate) fn requests(scene: &Scene) -> Vec<FrameRequest> {
        let mut requests = Vec::new();
        let nowhere = Frame { nodes: [0; 4], arm: 1.0 };
        Self::with(scene, |body, at| {
            requests.push(FrameRequest { body, at });
            nowhere
        });
        requests
    }

    /// Of bodies that carry these frames, in the order of [`Shapes::requests`].
    pub(crate) fn new(scene: &Scene, frames: &[([u32; 4], f64)]) -> Self {
        let mut frames = frames.iter().map(|&(nodes, arm)| Frame { nodes, arm });
        Self::with(scene, |_, _| frames.next().expect("as many frames as were asked for"))
    }

    /// With frames inside of what is round or has a simple shape.
    fn with(scene: &Scene, mut frame: impl FnMut(BodyId, FrameAt) -> Frame) -> Self {
        let mut shapes = Self::default();
        let rules = scene.contacts.iter().map(|rule| &rule.friction);
        let spins = rules.chain([&scene.friction]).any(|friction| friction.torsion > 0.0);
        for (body, id) in scene.bodies.iter().zip(scene.ids()) {
            // What has directions carries them by the triangles of its mesh.
            let is_structured = scene.skins.get(&id).is_some_and(Skin::is_structured);
            let mut row = Vec::new();
            let (cores, exact): (Vec<Core>, _) = match body {
                Body::Rigid(rigid) if !is_structured => {
                    let cores = rigid.cores().unwrap_or_default();
                    let places: Vec<Vector3> = cores.iter().map(|core| core.0).collect();
                    let placed = cores.into_iter().map(|(center, radius, is_ball)| {
                        let frame = frame(id, FrameAt::Pose(Pose::at(center), radius));
                        Core { frame: Some(frame), local: Vector3::zeros(), radius, is_ball }
                    });
                    let placed: Vec<Core> = placed.collect();
                    row = round::rows(&placed, &places);
                    (placed, exact(rigid, |at| frame(id, at)))
                }
                Body::Obstacle(obstacle) => (round::cores_of(obstacle), None),
                _ => (Vec::new(), None),
            };
            let frame = match (&exact, body) {
                (Some(exact), _) => Some(exact.frame),
                (None, Body::Rigid(_)) if spins => Some(frame(id, FrameAt::Center)),
                _ => None,
            };
            shapes.frames.push(frame.filter(|_| spins));
            shapes.rows.push(if row.is_empty() { cores.clone() } else { row });
            shapes.cores.push(cores);
            shapes.exact.push(exact);
        }
        shapes
    }
}

/// The shape of a body, if it is simple and nobody asked for another surface.
fn exact(rigid: &Rigid, frame: impl FnOnce(FrameAt) -> Frame) -> Option<RigidSurface> {
    if rigid.surface != Surface::default() {
        return None;
    }
    let placed = rigid.placed_parts()?;
    let (shape, reach) = RigidSurface::shape_of(&placed)?;
    Some(RigidSurface::new(shape, frame(FrameAt::Pose(placed[0].pose, reach))))
}
