//! Whether something went through something else within one stage.
//!
//! A point that moves by less than half the thickness of a body cannot come out on its other side. One that moves
//! further is followed along its way: against an exact distance `d` no step of length `d` can hit anything.

use super::ContactSet;
use super::detect::Moving;
use crate::contact::mesh_surface::Workspace;
use crate::contact::pair::{Pair, PairSurface};
use crate::contact::rigid_surface::RigidSurface;
use crate::contact::surface::{ObstacleSurface, Pose};
use crate::math::Vector3;

impl ContactSet {
    /// Whether a point passed through a surface since the start of the step, as things are at the end of a stage.
    pub(super) fn passed_through(&self, q: &[f64], v: &[f64]) -> bool {
        self.pairs.iter().enumerate().any(|(number, pair)| match &pair.surface {
            PairSurface::Obstacle(surface) => self.through_obstacle(number, pair, surface, q, v),
            PairSurface::Rigid(surface) => self.through_rigid(pair, surface, q, v),
            PairSurface::Edges(crossings) => crossings.passed(q, v, pair.penalty.thickness),
            PairSurface::Mesh(surface) => {
                let (mut work, mover) = (Workspace::default(), pair.mover_pose(self.context.time));
                let mut spots = self.spots.iter().filter(|spot| spot.pair == number);
                spots.any(|spot| {
                    let (x, _) = pair.state(&spot.point, q, v, mover.as_ref());
                    // What began inside is on its way out.
                    let allowed = pair.penalty.thickness - spot.memory.offset;
                    surface.passed(x, &spot.around, allowed, &mut work)
                })
            }
        })
    }

    fn through_obstacle(
        &self,
        number: usize,
        pair: &Pair,
        surface: &ObstacleSurface,
        q: &[f64],
        v: &[f64],
    ) -> bool {
        let depth = surface.depth();
        if depth == f64::INFINITY {
            return false;
        }
        let (start, end) = (&self.start_poses[number], &self.poses[number]);
        pair.points.iter().any(|touching| {
            let before: Moving = pair.state(touching, &self.start_q, &self.start_v, None);
            let now: Moving = pair.state(touching, q, v, None);
            let (from, to) = (start.to_local(before.0), end.to_local(now.0));
            let allowed = pair.penalty.thickness - touching.radius();
            let gap = |x: Vector3| Some(surface.distance(&Pose::STILL, x)?.value);
            (to - from).norm() > depth && enters(gap, from, to, allowed)
        })
    }

    /// The same of a rigid body.
    fn through_rigid(&self, pair: &Pair, surface: &RigidSurface, q: &[f64], v: &[f64]) -> bool {
        let (start, end) = (surface.started(q, v), surface.stand(q));
        let mover = pair.mover_pose(self.context.time);
        let mover_start = pair.mover_pose(self.start);
        pair.points.iter().any(|touching| {
            let (before, _) =
                pair.state(touching, &self.start_q, &self.start_v, mover_start.as_ref());
            let (now, _) = pair.state(touching, q, v, mover.as_ref());
            let (from, to) = (start.to_local(before), end.to_local(now));
            let allowed = pair.penalty.thickness - touching.radius();
            let gap = |x: Vector3| Some(surface.local(x).value);
            let far = (to - from).norm() > surface.depth() && gap(from) > Some(-allowed);
            far && enters(gap, from, to, allowed)
        })
    }
}

/// Whether the way between two points of a frame leads through what has this distance there, deeper than `allowed`.
fn enters(
    distance: impl Fn(Vector3) -> Option<f64>,
    from: Vector3,
    to: Vector3,
    allowed: f64,
) -> bool {
    /// Steps that are never made shorter, as a share of the way.
    const LEAST: f64 = 1.0 / 64.0;
    let way = (to - from).norm();
    let mut along = 0.0;
    while along < 1.0 {
        let Some(gap) = distance(from + (to - from) * along) else {
            along += LEAST;
            continue;
        };
        // A start inside is no passage.
        if gap < -allowed && along > 0.0 {
            return true;
        }
        along += (gap.abs() / way).max(LEAST);
    }
    false
}
