//! The exact shape of a rigid body, as points of other bodies meet it: balls, boxes, capsules, cylinders.
//!
//! With a frame of the body, origin `o` and axes `e_i`, a point is at `ξ_i = e_i · (x − o)` of its own coordinates,
//! and the gap is the exact distance `d(ξ)`, less the radius of what touches. That is a function of the nodes of the
//! frame:
//!
//! $$ \frac{\partial \xi}{\partial x} = E^T, \qquad \frac{\partial \xi_i}{\partial e_i} = (x - o)^T, \qquad
//!    \frac{\partial^2 d}{\partial a\, \partial b} = \Xi_a^T H\, \Xi_b + \sum_i \frac{\partial d}{\partial \xi_i}
//! \frac{\partial^2 \xi_i}{\partial a\, \partial b} $$
//!
//! so five nodes are all that a contact couples, where the surface through a mesh needs dozens.
//!
//! Limits: what has no points there meets nothing, but for [edges and round sides](super::crossing) of rigid bodies
//! that cross.

use super::frame::{ByNode, Frame, Meeting, NODES, Stand, Touched, Toucher};
use super::spot::{Second, Spot};
use crate::contact::obstacle::MovingPose;
use crate::geometry::shape::{Convex, Part};
use crate::geometry::{Jet, distance};
use crate::math::{Matrix3, Vector3};

/// The shape of a rigid body.
#[derive(Clone, Debug)]
pub(crate) struct RigidSurface {
    pub(crate) shape: Convex,
    /// Along the axes of the shape.
    pub(crate) frame: Frame,
    /// At the start of the step.
    pub(crate) start: Option<Stand>,
}

/// What a state is looked at for.
pub(crate) struct Seen<'a> {
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    /// Gaps from here on do not matter [m].
    pub(crate) below: f64,
    /// Where the obstacle is that the points belong to, if they do.
    pub(crate) mover: Option<&'a MovingPose>,
}

impl RigidSurface {
    /// Of a body of one part whose distance has a closed form: the shape, and half its size in the world.
    pub(crate) fn shape_of(parts: &[Part]) -> Option<(Convex, f64)> {
        let [part] = parts else { return None };
        let shape = match part.shape {
            Convex::Plane { .. } | Convex::Hull(_) => return None,
            ref shape => shape.clone(),
        };
        let reach = reach(&shape);
        Some((shape, reach))
    }

    pub(crate) fn new(shape: Convex, frame: Frame) -> Self {
        Self { shape, frame, start: None }
    }

    /// How far its surface is from its origin at most [m].
    pub(crate) fn reach(&self) -> f64 {
        reach(&self.shape)
    }

    /// Where it is in a state of which velocities do not matter.
    pub(crate) fn stand(&self, q: &[f64]) -> Stand {
        self.frame.stand(q, q)
    }

    /// A step begins.
    pub(crate) fn begin(&mut self, q: &[f64], v: &[f64]) {
        self.start = Some(self.frame.stand(q, v));
    }

    /// Where it was at the start of the step.
    pub(crate) fn started(&self, q: &[f64], v: &[f64]) -> Stand {
        self.start.unwrap_or_else(|| self.frame.stand(q, v))
    }

    /// How it has turned since the start of the step.
    pub(crate) fn rotation(&self, q: &[f64]) -> Matrix3 {
        let now = self.stand(q);
        now.axes * self.started(q, q).axes.transpose()
    }

    /// Distance of a point of the world, and its gradient there.
    pub(crate) fn gap(&self, stand: &Stand, x: Vector3) -> (f64, Vector3) {
        let jet = self.local(stand.to_local(x));
        (jet.value, stand.axes * jet.gradient)
    }

    /// The same in its own coordinates.
    pub(crate) fn local(&self, x: Vector3) -> Jet {
        distance(&self.shape, x).expect("its distance has a closed form")
    }

    /// How far inside a point may get before it could come out on another side [m].
    pub(crate) fn depth(&self) -> f64 {
        self.shape.inradius().unwrap_or(f64::INFINITY)
    }

    /// Gap and, where it is small, slip and derivatives of a spot whose point is at `x` with velocity `v`.
    pub(crate) fn look(
        &self,
        spot: &mut Spot,
        (x, v): (Vector3, Vector3),
        seen: &Seen<'_>,
        second: Option<&mut Second>,
    ) {
        let stand = self.frame.stand(seen.q, seen.v);
        let start = self.started(seen.q, seen.v);
        let jet = self.local(stand.to_local(x));
        spot.geometry.gap = jet.value - spot.point.radius();
        if spot.geometry.gap >= seen.below {
            return;
        }
        let b = Touched::Frame(stand, start);
        let core = spot.point.core.map(|core| (core, core.stand(seen.q, seen.v, seen.mover)));
        let own = if core.is_some() { 4 } else { 1 };
        let count = own + 4;
        let blocks = &self.blocks(&stand, x, own)[..count];
        let geometry = &mut spot.geometry;
        geometry.exists = true;
        geometry.own = own;
        match &core {
            Some((core, _)) => geometry.nodes.extend(core.nodes()),
            None => geometry.nodes.push(spot.point.node),
        }
        geometry.nodes.extend(self.frame.nodes.map(Some));
        geometry.gradient.extend(blocks.iter().map(|block| block.tr_mul(&jet.gradient)));
        let gradient = geometry.gradient[0];
        let meeting = match &core {
            Some((core, stand)) => core.meet(spot, *stand, b, gradient),
            None => Meeting { a: Toucher::Node(x, v, spot.start), b, place: x },
        };
        meeting.slide(&mut spot.geometry);
        let Some(second) = second else { return };
        self.hessian(blocks, &jet, own, second);
        let by_place = match &core {
            Some((core, _)) => core.place_change(gradient, &second.hessian[..count]),
            None => {
                let mut by_place = [Matrix3::zeros(); NODES];
                by_place[0] = Matrix3::identity();
                by_place
            }
        };
        meeting.differentiate(&by_place, second);
    }

    /// `Ξ`: how its own coordinates of a point change with the stencil; those of the toucher first.
    fn blocks(&self, stand: &Stand, x: Vector3, own: usize) -> ByNode {
        let mut blocks = [Matrix3::zeros(); NODES];
        let (along, from) = (stand.axes.transpose(), (x - stand.origin) / self.frame.arm);
        blocks[0] = along;
        blocks[own] = -along;
        for i in 0..3 {
            let mut by_tip = Matrix3::zeros();
            by_tip.set_row(i, &from.transpose());
            blocks[own] -= by_tip;
            blocks[own + i + 1] = by_tip;
        }
        blocks
    }

    fn hessian(&self, blocks: &[Matrix3], jet: &Jet, own: usize, second: &mut Second) {
        let count = blocks.len();
        second.hessian.clear();
        for a in blocks {
            let half = a.tr_mul(&jet.hessian);
            second.hessian.extend(blocks.iter().map(|b| half * b));
        }
        // Σ γ_i (b_i − b₀)·(x − b₀)/arm
        let mut add = |a: usize, b: usize, value: f64| {
            for at in [a * count + b, b * count + a] {
                second.hessian[at] += Matrix3::from_diagonal_element(value);
            }
        };
        for i in 0..3 {
            let slope = jet.gradient[i] / self.frame.arm;
            let tip = own + i + 1;
            add(tip, 0, slope);
            add(tip, own, -slope);
            add(own, 0, -slope);
            add(own, own, slope); // twice, on the diagonal
        }
    }
}

fn reach(shape: &Convex) -> f64 {
    match shape {
        Convex::Sphere { radius } => *radius,
        Convex::Box { size, .. } => 0.5 * size.norm(),
        Convex::Capsule { radius, length } => radius + 0.5 * length,
        Convex::Cylinder { radius, length } => radius.hypot(0.5 * length),
        _ => f64::INFINITY,
    }
}
