//! Gaps and forces at an iterate of a stage, or at a state of the past.

use super::ContactSet;
use crate::assembly::point;
use crate::contact::pair::PairSurface;
use crate::contact::spot::{Geometry, Spot, StageContext};
use crate::contact::surface::{ObstacleSurface, Pose};
use crate::math::{Matrix3, Vector3};

impl ContactSet {
    /// Looks at all spots: forces, and their derivatives if `second`.
    pub(crate) fn look(&mut self, q: &[f64], v: &[f64], tractions: &[f64], second: bool) {
        let Self { spots, pairs, poses, start_poses, context, .. } = self;
        let mut unknown = tractions.chunks_exact(3);
        for spot in spots.iter_mut() {
            let pair = &pairs[spot.pair];
            let (pose, start) = (&poses[spot.pair], &start_poses[spot.pair]);
            let PairSurface::Obstacle(surface) = &pair.surface;
            let node = spot.node.expect("points of obstacles meet no obstacles");
            let (x, v) = (point(q, node as usize), point(v, node as usize));
            let carried = pose.to_world(start.to_local(spot.start));
            spot.geometry.on_obstacle(surface, pose, node, x, v, carried);
            let traction = if spot.given.law.is_mixed() {
                Vector3::from_column_slice(unknown.next().expect("one traction per mixed spot"))
            } else {
                Vector3::zeros()
            };
            spot.feel(&pair.penalty, context, traction);
            if second && spot.geometry.exists && spot.has_friction() {
                spot.differentiate(context);
            }
        }
    }

    /// Calls `add` with the forces that contacts exert at the start of the step, or at the end of its first stage:
    /// with the tractions found there, not with those that the law would give anew.
    pub(crate) fn past_forces(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        mut add: impl FnMut(u32, Vector3),
    ) {
        if self.settings.coupling == crate::contact::Coupling::Decoupled {
            return;
        }
        self.move_surfaces(t);
        let context = StageContext { time: t, beta: 1.0, by_position: false, weight: 1.0 };
        for spot in &mut self.spots {
            let traction = spot.middle.map_or(spot.memory.traction, |middle| middle.traction);
            let mut then: Spot = spot.clone();
            then.given.law = super::SpotLaw::None;
            then.given.viscosity = 0.0;
            let node = then.node.expect("points of obstacles meet no obstacles");
            let (x, v) = (point(q, node as usize), point(v, node as usize));
            let PairSurface::Obstacle(surface) = &self.pairs[spot.pair].surface;
            then.geometry.on_obstacle(surface, &self.poses[spot.pair], node, x, v, x);
            then.feel(&self.pairs[spot.pair].penalty, &context, traction);
            for (k, node) in then.geometry.nodes.iter().enumerate() {
                if let Some(node) = node {
                    let friction = then.geometry.slip[k].tr_mul(&traction);
                    add(*node, then.geometry.gradient[k] * then.felt.lambda - friction);
                }
            }
        }
    }
}

impl Geometry {
    /// A point against an obstacle: nothing else moves.
    fn on_obstacle(
        &mut self,
        surface: &ObstacleSurface,
        pose: &Pose,
        node: u32,
        x: Vector3,
        v: Vector3,
        carried: Vector3,
    ) {
        let Some(jet) = surface.distance(pose, x) else {
            self.nothing();
            return;
        };
        self.exists = true;
        self.gap = jet.value;
        set(&mut self.nodes, Some(node));
        set(&mut self.gradient, jet.gradient);
        set(&mut self.hessian, jet.hessian);
        set(&mut self.slip, Matrix3::identity());
        set(&mut self.carried, Matrix3::identity());
        set(&mut self.slip_change, -pose.spin.cross_matrix());
        self.force_change.clear();
        self.velocity = v - pose.velocity_at(x);
        self.displacement = x - carried;
    }

    /// No surface near.
    fn nothing(&mut self) {
        self.exists = false;
        self.gap = f64::INFINITY;
        self.nodes.clear();
        self.gradient.clear();
        self.hessian.clear();
        self.slip.clear();
        self.carried.clear();
        self.slip_change.clear();
        self.force_change.clear();
        self.velocity = Vector3::zeros();
        self.displacement = Vector3::zeros();
    }
}

/// Makes a list of one.
fn set<T>(list: &mut Vec<T>, value: T) {
    list.clear();
    list.push(value);
}
