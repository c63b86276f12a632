//! How joints stand.

use super::Model;
use crate::assembly::point;
use crate::body::{JointId, JointState};
use crate::element::Coordinate;

/// What a joint holds, over nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointPlaces {
    /// Lengths that should be zero.
    pub(super) gaps: Vec<Mismatch>,
    /// Cosines that should be zero.
    pub(super) tilts: Vec<Mismatch>,
    /// Row of its coordinate in the term of all joints.
    pub(super) row: Option<usize>,
    /// Nodes of its angle.
    pub(super) angle: [u32; 4],
}

/// A number that should be zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mismatch {
    pub(super) nodes: [u32; 4],
    pub(super) coordinate: Coordinate,
}

impl Model {
    /// How a joint stands at positions `q` of the nodes; its coordinate is that of the last step.
    ///
    /// # Panics
    /// When the joint is of another scene.
    pub fn joint_state(&self, joint: JointId, q: &[f64]) -> JointState {
        let places = &self.joints[joint.index()];
        let size = |list: &[Mismatch]| {
            let value = |m: &Mismatch| {
                m.coordinate.value(&m.nodes.map(|node| point(q, node as usize)), 0.0)
            };
            list.iter().map(|m| value(m).powi(2)).sum::<f64>().sqrt()
        };
        let memory = |row: usize| self.assembly.terms()[self.joint_term].memory()[2 * row];
        JointState {
            gap: size(&places.gaps),
            tilt: size(&places.tilts),
            coordinate: places.row.map_or(0.0, memory),
        }
    }
}
