//! Round things of rigid bodies and obstacles: a point with a radius around it, such as a ball and its centre.
//!
//! Against something at distance `d(c)` of the centre `c`, the gap is `d − r`, and the surfaces meet at `c − r n`, `n
//! = ∂d/|∂d|`. What slides there is the material of the body, by a [frame](super::frame) about the centre.

use super::frame::{ByNode, Frame, Meeting, NODES, Stand, Touched, Toucher};
use super::spot::{Geometry, Second, Spot};
use crate::contact::obstacle::MovingPose;
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// A point of a rigid body or of an obstacle, with a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Core {
    /// About the point or another one of a row, one radius long; nothing of an obstacle.
    pub(crate) frame: Option<Frame>,
    /// Where it is in the frame; of an obstacle, in its own [m].
    pub(crate) local: Vector3,
    /// [m].
    pub(crate) radius: f64,
    /// Whether it is round in all directions, not the end of a capsule.
    pub(crate) is_ball: bool,
}

impl Core {
    /// Nodes of the frame; none of an obstacle.
    pub(crate) fn nodes(&self) -> [Option<u32>; 4] {
        self.frame.map_or([None; 4], |frame| frame.nodes.map(Some))
    }

    /// Its frame in a state; of an obstacle, in a pose.
    pub(crate) fn stand(&self, q: &[f64], v: &[f64], mover: Option<&MovingPose>) -> Stand {
        if let Some(frame) = &self.frame {
            return frame.stand(q, v);
        }
        let pose = mover.unwrap_or(&MovingPose::STILL);
        let origin = pose.to_world(self.local);
        let tip = |i: usize| pose.velocity_at(origin + pose.axes.column(i) * self.radius);
        let velocities = [pose.velocity_at(origin), tip(0), tip(1), tip(2)];
        Stand { origin, axes: pose.axes, arm: self.radius, velocities }
    }

    /// Its centre, where its frame stands [m].
    pub(crate) fn center(&self, stand: &Stand) -> Vector3 {
        match &self.frame {
            Some(_) if self.local != Vector3::zeros() => stand.to_world(self.local),
            _ => stand.origin,
        }
    }

    /// How its material slides over something that is `b` there, whose distance from the centre has this gradient.
    pub(crate) fn meet(&self, spot: &Spot, stand: Stand, b: Touched, gradient: Vector3) -> Meeting {
        let n = gradient.try_normalize(1e-9).unwrap_or(spot.given.reference);
        let a = Toucher::Frame(stand, spot.start, spot.start_axes);
        Meeting { a, b, place: stand.origin - n * self.radius }
    }

    /// How the place changes, given how the gradient of the distance does with the nodes of the stencil.
    pub(crate) fn place_change(&self, gradient: Vector3, by_node: &[Matrix3]) -> ByNode {
        let slope = gradient.norm().max(1e-9);
        let n = gradient / slope;
        let across = (Matrix3::identity() - n * n.transpose()) * (-self.radius / slope);
        let mut change = [Matrix3::zeros(); NODES];
        change.iter_mut().zip(by_node).for_each(|(change, by)| *change = across * by);
        change[0] += Matrix3::identity();
        change
    }

    /// Gap and slip against an obstacle; `jet` is that of the centre.
    pub(crate) fn look(
        &self,
        spot: &mut Spot,
        jet: &Jet,
        stand: Stand,
        b: Touched,
        second: Option<&mut Second>,
    ) {
        let meeting = self.meet(spot, stand, b, jet.gradient);
        spot.geometry.on_frame(self.nodes(), jet.gradient);
        meeting.slide(&mut spot.geometry);
        let Some(second) = second else { return };
        second.hessian.resize(16, Matrix3::zeros());
        second.hessian[0] = jet.hessian;
        let by_place = self.place_change(jet.gradient, &[jet.hessian]);
        meeting.differentiate(&by_place, second);
    }
}

impl Geometry {
    fn on_frame(&mut self, nodes: [Option<u32>; 4], gradient: Vector3) {
        self.exists = true;
        self.own = 4;
        self.nodes.extend(nodes);
        self.gradient.push(gradient);
        self.gradient.extend([Vector3::zeros(); 3]);
    }
}
