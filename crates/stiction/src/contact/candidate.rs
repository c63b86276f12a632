//! A place where two bodies may touch during a step: what detection finds, and every method begins with.

use super::detect::Lever;
use super::key::Key;
use super::levers::weights_near;
use crate::assembly::point;
use crate::math::{Matrix3, Vector3};
use crate::model::Model;

/// A contact as it is found at the start of a step. Forces act on the first body, and with the opposite sign on the
/// second.
#[doc(alias("contact point", "proximity"))]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) key: Key,
    pub(crate) bodies: [u32; 2],
    /// What moves at either side.
    pub(crate) ends: [End; 2],
    /// Where forces act, on both alike [m].
    pub(crate) point: Vector3,
    /// Of either side, how nodes carry that point besides their weights, if it is off what deforms.
    pub(crate) levers: Option<Box<[Lever; 2]>>,
    /// Normal, out of the second body, and two tangents, as columns.
    pub(crate) frame: Matrix3,
    /// Distance, negative inside [m].
    pub(crate) gap: f64,
    /// Of the smaller body [m].
    pub(crate) size: f64,
    /// How far its two sides may move against each other in the step, at most [m].
    pub(crate) travel: f64,
    /// Vertex of the first body that touches, if it is one.
    pub(crate) vertex: Option<u32>,
}

/// What moves at one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// A rigid body, by its number among them.
    Rigid(u32),
    /// Nodes, with weights.
    Nodes([u32; 3], [f64; 3]),
    /// An obstacle, at this velocity [m/s] and angular velocity [rad/s].
    Moved(Vector3, Vector3),
}

impl End {
    /// The velocity of a point, for velocities `v` of a state [m/s].
    pub(crate) fn velocity(&self, x: Vector3, model: &Model, q: &[f64], v: &[f64]) -> Vector3 {
        match self {
            Self::Rigid(rigid) => {
                let (center, turn, by_turn) = model.rigid_arm(*rigid, x, q);
                point(v, center as usize) + by_turn * point(v, turn as usize)
            }
            Self::Nodes(nodes, weights) => {
                nodes.iter().zip(weights).map(|(node, w)| point(v, *node as usize) * *w).sum()
            }
            Self::Moved(velocity, _) => *velocity,
        }
    }
}

impl Candidate {
    /// Out of the second body, of length one.
    pub(crate) fn normal(&self) -> Vector3 {
        self.frame.column(0).into()
    }

    /// How nodes of a side carry the point besides their weights.
    pub(crate) fn lever(&self, side: usize) -> &[(u32, Matrix3)] {
        self.levers.as_ref().map_or(&[], |levers| &levers[side])
    }

    /// The velocity of the point as a side carries it, for velocities `v` of a state [m/s].
    pub(crate) fn velocity(&self, side: usize, model: &Model, q: &[f64], v: &[f64]) -> Vector3 {
        let off = self.lever(side).iter().map(|(node, block)| block * point(v, *node as usize));
        off.fold(self.ends[side].velocity(self.point, model, q, v), |sum, off| sum + off)
    }

    /// Calls `add` with what a force on the first body, and its opposite on the second, are on nodes of what deforms
    /// [N].
    pub(crate) fn for_each_node_force(&self, force: Vector3, add: &mut dyn FnMut(u32, Vector3)) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            self.for_each_of_side(side, force * sign, &mut *add);
        }
    }

    /// The same of a force on one side.
    fn for_each_of_side(&self, side: usize, force: Vector3, add: &mut dyn FnMut(u32, Vector3)) {
        if let End::Nodes(nodes, weights) = &self.ends[side] {
            let parts = nodes.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
            parts.for_each(|(node, weight)| add(*node, force * *weight));
            let couple = self.lever(side).iter();
            couple.for_each(|(node, block)| add(*node, block.tr_mul(&force)));
        }
    }

    /// The force on the first body, and its opposite, on nodes [N]; `vertices` are nodes of the vertices of both, for
    /// those that do not deform.
    pub(crate) fn forces(
        &self,
        force: Vector3,
        vertices: [&[u32]; 2],
        q: &[f64],
    ) -> Vec<(u32, Vector3)> {
        let mut forces = Vec::new();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            self.for_each_of_side(side, force * sign, &mut |node, part| forces.push((node, part)));
            if let End::Rigid(_) = self.ends[side] {
                let parts = weights_near(self.point, vertices[side], q).into_iter();
                forces.extend(parts.map(|(node, w)| (node, force * (sign * w))));
            }
        }
        forces
    }
}
