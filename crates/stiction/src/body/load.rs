//! Loads: forces on vertices and surfaces, changing with time.

use super::{BodyId, Profile};
use crate::math::Vector3;
use crate::mesh::Selection;

/// A force on part of a body.
#[derive(Clone, Debug)]
pub struct Load {
    /// On whom.
    pub body: BodyId,
    /// Where, chosen by where vertices are when the body is placed.
    pub selection: Selection,
    /// What.
    pub kind: LoadKind,
    /// When.
    pub profile: Profile,
}

impl Load {
    /// Scales it with time.
    pub fn profile(&mut self, profile: Profile) -> &mut Self {
        self.profile = profile;
        self
    }
}

/// What a load does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadKind {
    /// A total force, shared equally by the selected vertices [N].
    Force(Vector3),
    /// A force per rest area, of fixed direction, on faces whose corners are all selected [Pa].
    Traction(Vector3),
    /// A force per present area against the outward normal, on faces whose corners are all selected; it
    /// follows the surface [Pa].
    Pressure(f64),
}
