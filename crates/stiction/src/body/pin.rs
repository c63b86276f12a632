//! Pins: vertices that follow a prescribed motion instead of the forces on them.

use super::{BodyId, Motion};
use crate::mesh::Selection;

/// Holds vertices, or moves them as prescribed.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Whose vertices.
    pub body: BodyId,
    /// Which vertices, chosen by where they are when the body is placed.
    pub selection: Selection,
    /// Which coordinates are prescribed; the others stay free, as on a rail.
    pub axes: [bool; 3],
    /// How they move.
    pub motion: Motion,
    /// When they are let go [s].
    pub release: Option<f64>,
}

impl Pin {
    /// Prescribes a motion.
    pub fn motion(&mut self, motion: Motion) -> &mut Self {
        self.motion = motion;
        self
    }

    /// Prescribes only some coordinates.
    pub fn axes(&mut self, axes: [bool; 3]) -> &mut Self {
        self.axes = axes;
        self
    }

    /// Lets go at a time [s].
    pub fn release(&mut self, time: f64) -> &mut Self {
        self.release = Some(time);
        self
    }
}
