//! One place where two bodies touch, or will: a candidate, and what impulses add to it.

use crate::contact::ContactRule;
use crate::contact::candidate::{Candidate, End};
use crate::contact::friction::Grip;
use crate::math::{Matrix3, Vector3};

/// A contact of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Touch {
    /// Where, and what moves there.
    pub(super) at: Candidate,
    /// What friction can do; its tangent is the first of the frame.
    pub(super) grip: Grip,
    /// Of each body, whether the other one last slid against its grain.
    pub(super) against: [bool; 2],
    /// Part of the velocity that a bounce returns [-].
    pub(super) restitution: f64,
    /// Whether its bodies hardly move, and it is closed but for what may overlap as well: it stays as it is.
    pub(super) rests: bool,
}

impl Touch {
    /// Without friction; `slack` is what may overlap, in sizes.
    pub(super) fn new(at: Candidate, rule: &ContactRule, slack: f64) -> Self {
        Self {
            grip: Grip::isotropic(at.frame.column(1).into(), 0.0),
            against: [false; 2],
            restitution: rule.restitution,
            rests: at.travel <= slack * at.size && at.gap <= slack * at.size,
            at,
        }
    }

    /// Lets friction be `grip`.
    pub(super) fn grips(&mut self, grip: Grip) {
        let normal = self.at.normal();
        self.at.frame = Matrix3::from_columns(&[normal, grip.tangent, normal.cross(&grip.tangent)]);
        self.grip = grip;
    }

    /// Whether it resists spin or rolling. Nodes do not turn: where soft bodies touch, nothing does.
    pub(super) fn turns(&self) -> bool {
        self.grip.turns() && !self.at.ends.iter().any(|end| matches!(end, End::Nodes(..)))
    }

    /// Out of the second body, of length one.
    pub(super) fn normal(&self) -> Vector3 {
        self.at.normal()
    }
}
