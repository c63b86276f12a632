//! Gaps and forces at an iterate of a stage, or at a state of the past.

use rayon::prelude::*;

use super::ContactSet;
use crate::contact::obstacle::MovingPose;
use crate::math::{Matrix3, Vector3};
use crate::method::smooth::frame::{Frame, Touched};
use crate::method::smooth::law::Normal;
use crate::method::smooth::mesh_surface::{Ball, Looking, Workspace};
use crate::method::smooth::pair::{Pair, PairSurface};
use crate::method::smooth::relative_rotation::{RelativeRotation, Rotating};
use crate::method::smooth::rigid_surface::Seen;
use crate::method::smooth::settings::Coupling;
use crate::method::smooth::spin::{Spin, Spinning};
use crate::method::smooth::spot::{Geometry, Second, Spot, SpotLaw, StageContext};

/// Fewer spots than this are left to one thread.
const ALONE: usize = 64;

/// A state to look at.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) pairs: &'a [Pair],
    pub(super) start_poses: &'a [MovingPose],
    pub(super) poses: &'a [MovingPose],
    /// Of obstacles whose points touch.
    pub(super) movers: &'a [Option<MovingPose>],
    pub(super) step: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
}

impl ContactSet {
    /// Looks at all spots.
    pub(crate) fn look(&mut self, q: &[f64], v: &[f64], tractions: &[f64]) {
        self.follow(q, v);
        if let Some(guard) = &mut self.guard {
            guard.look(q);
        }
        let movers = self.movers();
        let Self { spots, pairs, poses, start_poses, context, step, mixed, .. } = self;
        for (traction, &spot) in tractions.chunks_exact(3).zip(&*mixed) {
            spots[spot].felt.traction = Vector3::from_column_slice(traction);
        }
        let view = View { pairs, start_poses, poses, movers: &movers, step: *step, q, v };
        let context = &*context;
        // Each spot by itself: any number of threads finds the same.
        let feel = |work: &mut Workspace, spot: &mut Spot| {
            view.geometry(spot, false, work);
            spot.feel(&pairs[spot.pair].penalty, context, spot.felt.traction);
        };
        if spots.len() <= ALONE {
            let mut work = Workspace::default();
            spots.iter_mut().for_each(|spot| feel(&mut work, spot));
        } else {
            spots.par_iter_mut().with_min_len(ALONE).for_each_init(Workspace::default, feel);
        }
    }

    /// Where obstacles are whose points touch, at the end of the stage.
    pub(super) fn movers(&self) -> Vec<Option<MovingPose>> {
        self.pairs.iter().map(|pair| pair.mover_pose(self.context.time)).collect()
    }

    /// Calls `add` with the forces that contacts exert at the start of the step, or at the end of its first stage:
    /// with the forces found there, not with those that a law would give anew, or a layer that has been stiffened
    /// since.
    pub(crate) fn past_forces(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        mut add: impl FnMut(u32, Vector3),
    ) {
        let decoupled = self.settings.coupling == Coupling::Decoupled;
        self.move_surfaces(t);
        self.follow(q, v);
        if let Some(guard) = &mut self.guard {
            guard.look(q);
            guard.for_each_force(&mut add);
        }
        let movers: Vec<Option<MovingPose>> =
            self.pairs.iter().map(|pair| pair.mover_pose(t)).collect();
        let Self { spots, pairs, poses, start_poses, step, .. } = self;
        let view = View { pairs, start_poses, poses, movers: &movers, step: *step, q, v };
        let context = StageContext { time: t, beta: 1.0, ..StageContext::default() };
        let mut work = Workspace::default();
        for spot in spots {
            // Only what a stage of this step found is a part of what it does.
            if decoupled && spot.middle.is_none() {
                continue;
            }
            let traction = spot.middle.map_or(spot.memory.traction, |middle| middle.traction);
            let mut then: Spot = spot.clone();
            view.geometry(&mut then, false, &mut work);
            then.given.law = SpotLaw::None;
            then.given.viscosity = 0.0;
            then.given.frozen = None;
            if spot.middle.is_none() {
                then.given.normal = Normal::default();
            }
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
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            if let (PairSurface::Mesh(surface), true) =
                (&mut pair.surface, self.near.follows(number))
            {
                surface.follow(q, v);
            }
        }
    }
}

impl View<'_> {
    /// Finds where a spot is, with second derivatives in `work` if asked for.
    pub(super) fn geometry(&self, spot: &mut Spot, second: bool, work: &mut Workspace) {
        self.place(spot, second, work);
        let Some(spinning) = &self.pairs[spot.pair].spinning else { return };
        if spot.geometry.exists {
            let from = spot.geometry.nodes.len();
            let rotation = self.rotation(spot, spinning);
            if second && spot.geometry.nodes.len() > from {
                work.second.widen(from, spot.geometry.nodes.len());
            }
            let n = spot.friction_normal();
            Spin::add(rotation, spinning.length, n, &mut spot.geometry);
        }
    }

    /// Who rotates against whom; nodes of frames that are not in the stencil are added to it.
    fn rotation(&self, spot: &mut Spot, spinning: &Spinning) -> RelativeRotation {
        let pair = &self.pairs[spot.pair];
        let Spinning { frames, start, .. } = spinning;
        let stand = |frame: &Frame| frame.stand(self.q, self.v);
        let still = || Rotating::of_pose(&MovingPose::STILL, Matrix3::identity());
        let edges = matches!(pair.surface, PairSurface::Edges(_));
        let own = spot.geometry.own;
        let geometry = &mut spot.geometry;
        let a = match (&spot.point.core, &frames[0]) {
            (Some(core), _) => {
                let stand = core.stand(self.q, self.v, self.movers[spot.pair].as_ref());
                Rotating::of_frame(stand, spot.start_axes, 0)
            }
            (None, Some(frame)) => {
                let first = if edges { 0 } else { geometry.append(frame) };
                Rotating::of_frame(stand(frame), start[0], first)
            }
            (None, None) => {
                let mover = self.movers[spot.pair].as_ref();
                mover.map_or_else(still, |pose| Rotating::of_pose(pose, start[0]))
            }
        };
        let b = match &frames[1] {
            Some(frame) => {
                let is_there = edges || matches!(pair.surface, PairSurface::Rigid(_));
                let first = if is_there { own } else { geometry.append(frame) };
                Rotating::of_frame(stand(frame), start[1], first)
            }
            None => {
                let [pose, start] = [self.poses, self.start_poses].map(|poses| &poses[spot.pair]);
                Rotating::of_pose(pose, start.axes)
            }
        };
        RelativeRotation { a, b }
    }

    fn place(&self, spot: &mut Spot, second: bool, work: &mut Workspace) {
        let pair = &self.pairs[spot.pair];
        let (x, v) = pair.state(&spot.point, self.q, self.v, self.movers[spot.pair].as_ref());
        // Lagged friction acts even where nothing pushes any more.
        let held = spot.given.frozen.as_ref().is_some_and(|frozen| frozen.normal_force > 0.0);
        let below = pair.penalty.thickness + spot.memory.offset;
        // A bond that breaks in this step pulls to its end.
        let below = if held || spot.memory.bonded { f64::INFINITY } else { below };
        match &pair.surface {
            PairSurface::Obstacle(surface) => {
                let (pose, start) = (&self.poses[spot.pair], &self.start_poses[spot.pair]);
                let jet = surface.distance(pose, x);
                spot.geometry.nothing();
                work.second.clear();
                let Some(jet) = jet else { return };
                spot.geometry.gap = jet.value - spot.point.radius();
                if let Some(core) = spot.point.core {
                    if spot.geometry.gap < below {
                        let stand = core.stand(self.q, self.v, None);
                        let obstacle = Touched::Obstacle(*pose, *start);
                        core.look(spot, &jet, stand, obstacle, second.then_some(&mut work.second));
                    }
                } else if jet.value < below {
                    let carried = pose.to_world(start.to_local(spot.start));
                    spot.geometry.on_obstacle(jet.gradient, pose, spot.point.node, x, v, carried);
                    if second {
                        work.second.on_obstacle(jet.hessian, pose);
                    }
                }
            }
            PairSurface::Rigid(surface) => {
                spot.geometry.nothing();
                work.second.clear();
                let seen =
                    Seen { q: self.q, v: self.v, below, mover: self.movers[spot.pair].as_ref() };
                surface.look(spot, (x, v), &seen, second.then_some(&mut work.second));
            }
            PairSurface::Edges(crossings) => {
                spot.geometry.nothing();
                work.second.clear();
                let seen = Seen { q: self.q, v: self.v, below, mover: None };
                crossings.look(spot, &seen, second.then_some(&mut work.second));
            }
            PairSurface::MeshEdges(edges) => {
                spot.geometry.nothing();
                work.second.clear();
                let seen = Seen { q: self.q, v: self.v, below, mover: None };
                let place = (&self.poses[spot.pair], self.step);
                edges.look(spot, &seen, place, second.then_some(&mut work.second));
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
                match spot.point.core {
                    Some(core) => {
                        let mover = self.movers[spot.pair].as_ref();
                        let ball = Ball::new(core, core.stand(self.q, self.v, mover));
                        surface.look_ball(&mut spot.geometry, &spot.around, &ball, &looking, work);
                    }
                    None => surface.look(&mut spot.geometry, &spot.around, &looking, work),
                }
            }
        }
    }
}

impl Geometry {
    /// A point against an obstacle: nothing else moves.
    fn on_obstacle(
        &mut self,
        gradient: Vector3,
        pose: &MovingPose,
        node: Option<u32>,
        x: Vector3,
        v: Vector3,
        carried: Vector3,
    ) {
        self.exists = true;
        self.own = 1;
        self.nodes.push(node);
        self.gradient.push(gradient);
        self.slip.push(Matrix3::identity());
        self.velocity = v - pose.velocity_at(x);
        self.displacement = x - carried;
    }

    /// No surface near.
    pub(crate) fn nothing(&mut self) {
        self.exists = false;
        self.gap = f64::INFINITY;
        self.nodes.clear();
        self.gradient.clear();
        self.slip.clear();
        self.velocity = Vector3::zeros();
        self.displacement = Vector3::zeros();
        self.spin = None;
    }
}

impl Second {
    fn on_obstacle(&mut self, hessian: Matrix3, pose: &MovingPose) {
        self.hessian.push(hessian);
        self.carried.push(Matrix3::identity());
        self.slip_change.push(-pose.spin.cross_matrix());
    }
}
