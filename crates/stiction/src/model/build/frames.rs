//! Frames that rigid bodies carry because a method asks for them.

use super::Parts;
use crate::body::BodyId;
use crate::geometry::Pose;
use crate::math::Vector3;

/// A frame that a rigid body is to carry: an origin, and the tips of three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameRequest {
    /// Whose.
    pub(crate) body: BodyId,
    /// Where it starts.
    pub(crate) at: FrameAt,
}

/// Where a frame starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FrameAt {
    /// There, with arms of some length [m].
    Pose(Pose, f64),
    /// About the centre of mass, as large as the body.
    Center,
}

impl Parts {
    pub(super) fn add_frames(&mut self, requests: &[FrameRequest]) {
        for request in requests {
            let (pose, arm) = match request.at {
                FrameAt::Pose(pose, arm) => (pose, arm),
                FrameAt::Center => {
                    let own = |rigid: &&super::RigidBody| rigid.nodes.body == request.body.0;
                    let rigid =
                        self.rigid.iter().find(own).expect("frames are asked of rigid bodies");
                    (Pose::at(self.positions[rigid.nodes.center as usize]), rigid.reach)
                }
            };
            let tip = |axis: Vector3| pose.apply(&(axis * arm));
            let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(tip);
            let nodes = self.add_carried(request.body, [pose.translation, x, y, z]);
            self.frames.push((nodes, arm));
        }
    }
}
