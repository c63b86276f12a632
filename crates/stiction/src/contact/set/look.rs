//! Gaps and forces at an iterate of a stage, or at a state of the past.

use rayon::prelude::*;

use super::ContactSet;
use crate::contact::mesh_surface::{Looking, MeshSurface, Workspace};
use crate::contact::pair::{Pair, PairSurface};
use crate::contact::settings::Coupling;
use crate::contact::spot::{Geometry, Spot, SpotLaw, StageContext};
use crate::contact::surface::Pose;
use crate::math::{Matrix3, Vector3};

/// A state to look at.
#[derive(Clone, Copy)]
struct View<'a> {
    pairs: &'a [Pair],
    start_poses: &'a [Pose],
    poses: &'a [Pose],
    /// Of obstacles whose points touch.
    movers: &'a [Option<Pose>],
    step: f64,
    q: &'a [f64],
    v: &'a [f64],
}

impl ContactSet {
    /// Looks at all spots: forces, and their derivatives if `second`.
    pub(crate) fn look(&mut self, q: &[f64], v: &[f64], tractions: &[f64], second: bool) {
        self.follow(q, v);
        let movers: Vec<Option<Pose>> =
            self.pairs.iter().map(|pair| pair.mover_pose(self.context.time)).collect();
        let Self { spots, pairs, poses, start_poses, context, step, mixed, .. } = self;
        for (traction, &spot) in tractions.chunks_exact(3).zip(&*mixed) {
            spots[spot].felt.traction = Vector3::from_column_slice(traction);
        }
        let view = View { pairs, start_poses, poses, movers: &movers, step: *step, q, v };
        let context = &*context;
        // Each spot by itself: any number of threads finds the same.
        spots.par_iter_mut().with_min_len(64).for_each_init(Workspace::default, |work, spot| {
            view.geometry(spot, second, work);
            spot.feel(&pairs[spot.pair].penalty, context, spot.felt.traction);
            if second && spot.geometry.exists && spot.has_friction() {
                if spot.given.frozen.is_none()
                    && matches!(pairs[spot.pair].surface, PairSurface::Mesh(_))
                {
                    let total = spot.felt.total;
                    MeshSurface::spread_change(&mut spot.geometry, total, work);
                }
                spot.differentiate(context);
            }
        });
    }

    /// Calls `add` with the forces that contacts exert at the start of the step, or at the end of its first stage:
    /// with the forces found there, not with those that a law would give anew, or a layer that has been stiffened since.
    pub(crate) fn past_forces(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        mut add: impl FnMut(u32, Vector3),
    ) {
        if self.settings.coupling == Coupling::Decoupled {
            return;
        }
        self.move_surfaces(t);
        self.follow(q, v);
        let movers: Vec<Option<Pose>> = self.pairs.iter().map(|pair| pair.mover_pose(t)).collect();
        let Self { spots, pairs, poses, start_poses, step, .. } = self;
        let view = View { pairs, start_poses, poses, movers: &movers, step: *step, q, v };
        let context = StageContext { time: t, beta: 1.0, ..StageContext::default() };
        let mut work = Workspace::default();
        for spot in spots {
            let traction = spot.middle.map_or(spot.memory.traction, |middle| middle.traction);
            let mut then: Spot = spot.clone();
            view.geometry(&mut then, false, &mut work);
            then.given.law = SpotLaw::None;
            then.given.viscosity = 0.0;
            then.given.frozen = None;
            then.feel(&pairs[then.pair].penalty, &context, traction);
            if let (None, Some(push)) = (spot.middle, spot.memory.push) {
                then.felt.lambda = push;
            }
            for (k, node) in then.geometry.nodes.iter().enumerate() {
                if let Some(node) = node {
                    let slip = then.geometry.slip.get(k).map_or_else(Matrix3::zeros, |b| *b);
                    add(
                        *node,
                        then.geometry.gradient[k] * then.felt.lambda - slip.tr_mul(&traction),
                    );
                }
            }
        }
    }

    /// Moves deforming surfaces with their nodes.
    pub(super) fn follow(&mut self, q: &[f64], v: &[f64]) {
        for pair in &mut self.pairs {
            if let PairSurface::Mesh(surface) = &mut pair.surface {
                surface.follow(q, v);
            }
        }
    }
}

impl View<'_> {
    fn geometry(&self, spot: &mut Spot, second: bool, work: &mut Workspace) {
        let pair = &self.pairs[spot.pair];
        let (x, v) = pair.state(&spot.point, self.q, self.v, self.movers[spot.pair].as_ref());
        // Lagged friction acts even where nothing pushes any more.
        let held = spot.given.frozen.as_ref().is_some_and(|frozen| frozen.normal_force > 0.0);
        let below = pair.penalty.thickness + spot.memory.offset;
        let below = if held { f64::INFINITY } else { below };
        match &pair.surface {
            PairSurface::Obstacle(surface) => {
                let (pose, start) = (&self.poses[spot.pair], &self.start_poses[spot.pair]);
                let jet = surface.distance(pose, x);
                spot.geometry.nothing();
                let Some(jet) = jet else { return };
                spot.geometry.gap = jet.value;
                if jet.value < below {
                    let carried = pose.to_world(start.to_local(spot.start));
                    spot.geometry.on_obstacle(&jet, pose, spot.point.node, x, v, carried);
                }
            }
            PairSurface::Mesh(surface) => {
                let friction = spot.has_friction() || !pair.friction.is_none();
                let looking = Looking {
                    node: spot.point.node,
                    x,
                    v,
                    below,
                    step: self.step,
                    friction,
                    second,
                };
                surface.look(&mut spot.geometry, &spot.around, &looking, work);
            }
        }
    }
}

impl Geometry {
    /// A point against an obstacle: nothing else moves.
    fn on_obstacle(
        &mut self,
        jet: &crate::geometry::Jet,
        pose: &Pose,
        node: Option<u32>,
        x: Vector3,
        v: Vector3,
        carried: Vector3,
    ) {
        self.exists = true;
        self.nodes.push(node);
        self.gradient.push(jet.gradient);
        self.hessian.push(jet.hessian);
        self.slip.push(Matrix3::identity());
        self.carried.push(Matrix3::identity());
        self.slip_change.push(-pose.spin.cross_matrix());
        self.velocity = v - pose.velocity_at(x);
        self.displacement = x - carried;
    }

    /// No surface near.
    pub(crate) fn nothing(&mut self) {
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
