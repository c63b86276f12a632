//! A number over time, described.

use super::{Quantity, Reduction};
use crate::body::{BodyId, JointId, ZoneId};
use crate::math::Vector3;
use crate::mesh::Selection;

/// What to measure, where, and how it becomes one number. [`Probe::prepare`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What.
    pub quantity: Quantity,
    /// Of whom; of the scene as a whole, if nobody.
    pub body: Option<BodyId>,
    /// Of a zone instead: its volume, pressure or energy.
    pub zone: Option<ZoneId>,
    /// Of a joint instead: its travel, drift or tilt.
    pub joint: Option<JointId>,
    /// At which vertices, chosen by where they are when the body is placed. Elements count where all their corners
    /// do.
    pub selection: Selection,
    /// The other end of a length.
    pub to: Option<(BodyId, Selection)>,
    /// Of contacts: only those with this body.
    pub against: Option<BodyId>,
    /// How values at vertices and elements become one; the first of [`Quantity::reductions`] by default.
    pub reduction: Option<Reduction>,
    /// The direction of which the component counts; any length above zero.
    pub along: Option<Vector3>,
    /// What torques and angular momenta are about; the origin by default [m].
    pub about: Option<Vector3>,
}

impl Probe {
    /// Of the scene as a whole.
    pub fn new(quantity: Quantity) -> Self {
        Self {
            quantity,
            body: None,
            zone: None,
            joint: None,
            selection: Selection::All,
            to: None,
            against: None,
            reduction: None,
            along: None,
            about: None,
        }
    }

    /// Of vertices of a body.
    #[must_use]
    pub fn of(mut self, body: BodyId, selection: Selection) -> Self {
        (self.body, self.selection) = (Some(body), selection);
        self
    }

    /// Of a zone.
    #[must_use]
    pub fn of_zone(mut self, zone: ZoneId) -> Self {
        self.zone = Some(zone);
        self
    }

    /// Of a joint.
    #[must_use]
    pub fn of_joint(mut self, joint: JointId) -> Self {
        self.joint = Some(joint);
        self
    }

    /// To the mean of these vertices.
    #[must_use]
    pub fn to(mut self, body: BodyId, selection: Selection) -> Self {
        self.to = Some((body, selection));
        self
    }

    /// Of contacts with this body only.
    #[must_use]
    pub fn against(mut self, body: BodyId) -> Self {
        self.against = Some(body);
        self
    }

    /// Reduced so.
    #[must_use]
    pub fn reduced(mut self, reduction: Reduction) -> Self {
        self.reduction = Some(reduction);
        self
    }

    /// Along a direction.
    #[must_use]
    pub fn along(mut self, direction: impl Into<Vector3>) -> Self {
        self.along = Some(direction.into());
        self
    }

    /// About a point [m].
    #[must_use]
    pub fn about(mut self, point: impl Into<Vector3>) -> Self {
        self.about = Some(point.into());
        self
    }
}
