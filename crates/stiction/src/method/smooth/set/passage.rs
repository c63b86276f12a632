//! Whether something went through something else within one stage.
//!
//! A point that moves by less than half the thickness of a body cannot come out on its other side. One that moves
//! further is followed along its way, straight in the frame of the body: where the distance is `d`, no point of the
//! next `d + p` is deeper inside than `p`. Edges are left to [continuous collision](crate::geometry::ccd).

use super::ContactSet;
use super::detect::Moving;
use crate::contact::obstacle::{MovingPose, ObstacleSurface};
use crate::math::Vector3;
use crate::method::smooth::mesh_surface::{Ball, Workspace};
use crate::method::smooth::pair::{Pair, PairSurface, Point};
use crate::method::smooth::rigid_surface::RigidSurface;

impl ContactSet {
    /// Whether a point passed through a surface since the start of the step, as things are at the end of a stage.
    pub(super) fn passed_through(&self, q: &[f64], v: &[f64]) -> bool {
        // What touches itself is guarded.
        let others = self.pairs.iter().enumerate().filter(|(_, pair)| !pair.is_guarded());
        others.into_iter().any(|(number, pair)| match &pair.surface {
            PairSurface::Obstacle(surface) => self.through_obstacle(number, pair, surface, q, v),
            PairSurface::Rigid(surface) => self.through_rigid(pair, surface, q, v),
            PairSurface::Edges(crossings) => crossings.passed(q, v, pair.penalty.thickness),
            PairSurface::MeshEdges(edges) => {
                edges.passed(q, &self.poses[number], pair.penalty.thickness)
            }
            PairSurface::Mesh(surface) => {
                let (mut work, mover) = (Workspace::default(), pair.mover_pose(self.context.time));
                let mut spots = self.spots.iter().filter(|spot| spot.pair == number);
                spots.any(|spot| {
                    let mut x = pair.state(&spot.point, q, v, mover.as_ref()).0;
                    if let (Some(core), Some(round)) = (spot.point.core, &spot.around.round) {
                        x = Ball::new(core, core.stand(q, v, mover.as_ref())).leading(round.way);
                    }
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
            let gap = |x: Vector3| Some(surface.distance(&MovingPose::STILL, x)?.value);
            (to - from).norm() > depth && enters(gap, [from, to], depth, pair.layer(touching))
        })
    }

    /// The same of a rigid body.
    fn through_rigid(&self, pair: &Pair, surface: &RigidSurface, q: &[f64], v: &[f64]) -> bool {
        let (start, end, depth) = (surface.started(q, v), surface.stand(q), surface.depth());
        let mover = pair.mover_pose(self.context.time);
        let mover_start = pair.mover_pose(self.start);
        pair.points.iter().any(|touching| {
            let (before, _) =
                pair.state(touching, &self.start_q, &self.start_v, mover_start.as_ref());
            let (now, _) = pair.state(touching, q, v, mover.as_ref());
            let (from, to) = (start.to_local(before), end.to_local(now));
            let gap = |x: Vector3| Some(surface.local(x).value);
            (to - from).norm() > depth && enters(gap, [from, to], depth, pair.layer(touching))
        })
    }
}

/// How far inside a point may be before it counts as having gone through [m], and a radius around it [m].
#[derive(Clone, Copy)]
struct Layer {
    thickness: f64,
    radius: f64,
}

impl Pair {
    fn layer(&self, touching: &Point) -> Layer {
        Layer { thickness: self.penalty.thickness, radius: touching.radius() }
    }
}

/// Whether a way in the frame of a body of half the thickness `depth`, which has this distance there, leads through it.
fn enters(
    distance: impl Fn(Vector3) -> Option<f64>,
    [from, to]: [Vector3; 2],
    depth: f64,
    Layer { thickness, radius }: Layer,
) -> bool {
    /// Shares of the way that one look covers at least, and at least even where a body is thin: one along a surface
    /// ends, too.
    const LEAST: [f64; 2] = [1.0 / 64.0, 1e-4];
    let way = (to - from).norm();
    // What is thinner than its layer has an inside, too.
    let allowed = thickness.min(0.5 * depth) - radius;
    let least = LEAST[0].min(0.5 * depth / way).max(LEAST[1]);
    // What began inside is on its way out.
    if distance(from).is_some_and(|gap| gap <= -allowed) {
        return false;
    }
    let mut along = 0.0;
    while along < 1.0 {
        let gap = distance(from + (to - from) * along);
        if gap.is_some_and(|gap| gap < -allowed) {
            return true;
        }
        along += gap.map_or(least, |gap| ((gap + allowed) / way).max(least));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: Layer = Layer { thickness: 1e-4, radius: 0.0 };

    fn way(from: [f64; 3], to: [f64; 3]) -> [Vector3; 2] {
        [from, to].map(Vector3::from)
    }

    #[test]
    fn a_long_way_through_a_thin_plate_is_a_passage() {
        let plate = |x: Vector3| Some(x.y.abs() - 1e-3);
        for length in [0.01, 0.1, 1.0, 5.0] {
            for start in [0.002, 0.003, 0.0071] {
                let along = way([0.0, start, 0.0], [0.3 * length, start - length, 0.0]);
                assert!(enters(plate, along, 1e-3, POINT), "{length} m from {start} m");
            }
        }
        // A layer thicker than the plate, and a way beside it.
        let thick = Layer { thickness: 0.01, radius: 0.0 };
        assert!(enters(plate, way([0.0, 0.02, 0.0], [0.0, -0.02, 0.0]), 1e-3, thick));
        assert!(!enters(plate, way([0.0, 0.0011, 0.0], [1.0, 0.0011, 0.0]), 1e-3, POINT));
    }

    /// Its centre stays outside, and is near for a short while only.
    #[test]
    fn a_ball_that_clips_a_pin_is_a_passage() {
        let pin = |x: Vector3| Some(x.norm() - 0.01);
        for miss in [0.1, 0.5, 0.8, 0.95, 1.1] {
            for start in [-3.0, -3.3, -3.6, -3.9] {
                let along = way([start, miss, 0.0], [start + 6.0, miss, 0.0]);
                let found = enters(pin, along, 0.01, Layer { radius: 1.0, ..POINT });
                assert_eq!(found, miss < 1.0, "misses by {miss}, from {start}");
            }
        }
    }

    #[test]
    fn what_begins_inside_is_on_its_way_out() {
        let plate = |x: Vector3| Some(x.y.abs() - 0.1);
        assert!(!enters(plate, way([0.0, 0.05, 0.0], [0.0, 0.3, 0.0]), 0.1, POINT));
    }
}
