//! Broad phase: which pairs are near enough to be looked at.
//!
//! Around every body there is a [`Region`] that holds all it may touch in a step, by the rules of `detect.rs`: points
//! come near a surface if the gap is below `2 r + 1.25 w`, with `r` the range of the pair and `w` the way the two may
//! get towards each other. A way at a point grows with the distance from what turns; for what turns by less than a
//! fifth of a radian in the step,
//!
//! $$ d < 2 r + \tfrac54 h (v + \omega (d + R)) \quad\Rightarrow\quad d < 4 r + \tfrac52 h (v + \omega R) $$
//!
//! What turns faster is near everything. So pairs that are passed over are those that would find nothing: no bit of a
//! result depends on it.

use super::ContactSet;
use crate::assembly::point;
use crate::contact::detect::broad::Region;
use crate::contact::obstacle::{MovingPose, ObstacleSurface};
use crate::math::Vector3;
use crate::mesh::BoundingBox;
use crate::method::smooth::frame::Frame;
use crate::method::smooth::pair::{Pair, PairSurface};

/// How far bodies reach, in ways of their points: vertices differ from their mean by up to two, and ways count by up to
/// `5/4`.
const WAYS: f64 = 4.0;
/// How much velocities may grow with distance in a step, before everything is near: four fifths, halved.
const FASTEST: f64 = 0.4;

/// Bodies of pairs, as far as their regions matter, and which pairs are looked at.
#[derive(Debug, Default)]
pub(super) struct NearPairs {
    bodies: Vec<Reaching>,
    /// Of each pair, whether it may touch in the step.
    near: Vec<bool>,
    /// Of each pair, whether its surface is shown to others: it follows its nodes in any case.
    shown: Vec<bool>,
}

/// What a body is made of.
#[derive(Clone, Debug, Default)]
struct Reaching {
    nodes: Vec<u32>,
    /// Exact shapes and balls, with how far they reach from their frames [m].
    frames: Vec<(Frame, f64)>,
    /// A pair that has it as an obstacle: as the one of its points, or of its surface.
    obstacle: Option<usize>,
    /// The farthest that any of its pairs looks, whatever moves [m].
    range: f64,
}

impl Reaching {
    /// Where it may touch something in a step of length `h` from `t`.
    fn region(&self, pairs: &[Pair], own: u32, (t, h): (f64, f64), q: &[f64], v: &[f64]) -> Region {
        if let Some(number) = self.obstacle {
            let surface = obstacle_of(&pairs[number], own);
            return surface.map_or(Region::Everywhere, |surface| self.swept(surface, t, h));
        }
        let mut speed = self.nodes.iter().map(|&n| point(v, n as usize).norm()).fold(0.0, f64::max);
        let mut bounds: Vec<Vector3> = self.nodes.iter().map(|&n| point(q, n as usize)).collect();
        for (frame, reach) in &self.frames {
            let stand = frame.stand(q, v);
            let [first, others @ ..] = &stand.velocities;
            let growth = others.iter().map(|v| (v - first).norm_squared()).sum::<f64>().sqrt();
            let growth = growth / stand.arm;
            if growth * h > FASTEST || growth.is_nan() {
                return Region::Everywhere;
            }
            speed = speed.max(first.norm() + growth * reach);
            bounds.extend([-1.0, 1.0].map(|sign| stand.origin.add_scalar(sign * reach)));
        }
        match bounds.is_empty() {
            true => Region::Everywhere,
            false => Region::Box(BoundingBox::of(&bounds).grown(self.range + WAYS * speed * h)),
        }
    }

    /// Where an obstacle may touch something on its way.
    fn swept(&self, surface: &ObstacleSurface, t: f64, h: f64) -> Region {
        let poses = [t, t + h].map(|t| surface.pose(t));
        let [start, end] = &poses;
        let turned = (end.axes - start.axes).norm();
        match poses.each_ref().map(|pose| surface.region(pose)) {
            [Region::Box(a), Region::Box(b)] if turned.max(h * start.spin.norm()) <= FASTEST => {
                let bounds = BoundingBox::of([&a.min, &a.max, &b.min, &b.max]);
                // From its origin, which may be elsewhere.
                let radius = bounds.diagonal() + (bounds.center() - start.origin).norm();
                let still = (end.origin - start.origin).norm();
                let speed = |pose: &MovingPose| pose.velocity.norm() + pose.spin.norm() * radius;
                let way = (still + turned * radius).max(h * speed(start)).max(h * speed(end));
                Region::Box(bounds.grown(self.range + WAYS * way))
            }
            [Region::HalfSpace { normal, height }, Region::HalfSpace { height: later, .. }]
                if turned <= 0.0 =>
            {
                let way = (end.origin - start.origin).norm();
                let height = height.max(later) + self.range + WAYS * way;
                Region::HalfSpace { normal, height }
            }
            _ => Region::Everywhere,
        }
    }
}

/// The obstacle of a pair that a body is.
fn obstacle_of(pair: &Pair, body: u32) -> Option<&ObstacleSurface> {
    match &pair.surface {
        PairSurface::Obstacle(surface) if pair.body == body => Some(surface),
        _ => pair.mover.as_ref().filter(|_| pair.collider == body),
    }
}

impl NearPairs {
    pub(super) fn new(pairs: &[Pair]) -> Self {
        let count = pairs.iter().map(|pair| pair.collider.max(pair.body) + 1).max().unwrap_or(0);
        let mut bodies = vec![Reaching::default(); count as usize];
        for (number, pair) in pairs.iter().enumerate() {
            let looks = match &pair.surface {
                PairSurface::Mesh(surface) => surface.radius(),
                PairSurface::MeshEdges(edges) => edges.depth(),
                _ => 0.0,
            };
            let range = 4.0 * pair.range(true) + looks;
            for (side, body) in [pair.collider, pair.body].into_iter().enumerate() {
                let known = &mut bodies[body as usize];
                known.range = known.range.max(range);
                if known.nodes.is_empty() {
                    known.nodes.clone_from(&pair.vertices[side]);
                }
                if obstacle_of(pair, body).is_some() {
                    known.obstacle = Some(number);
                }
            }
            let mut add = |body: u32, frame: Frame, reach: f64| {
                let frames = &mut bodies[body as usize].frames;
                if !frames.iter().any(|(known, _)| known.nodes == frame.nodes) {
                    frames.push((frame, reach));
                }
            };
            if let PairSurface::Rigid(surface) = &pair.surface {
                add(pair.body, surface.frame, surface.reach());
            }
            for core in pair.points.iter().filter_map(|point| point.core) {
                if let Some(frame) = core.frame {
                    add(pair.collider, frame, core.radius);
                }
            }
        }
        let mut seen = vec![false; bodies.len()];
        let first = |pair: &Pair| !std::mem::replace(&mut seen[pair.body as usize], true);
        let shown = pairs.iter().map(first).collect();
        Self { bodies, near: vec![true; pairs.len()], shown }
    }

    /// Whether a pair may touch in the step.
    pub(super) fn holds(&self, number: usize) -> bool {
        self.near[number]
    }

    /// Whether the surface of a pair has to follow its nodes.
    pub(super) fn follows(&self, number: usize) -> bool {
        self.near[number] || self.shown[number]
    }
}

impl ContactSet {
    /// Of each pair, whether its bodies may touch in a step of length `h` from `(q, v)` at time `t`.
    pub(super) fn near_pairs(&self, (t, h): (f64, f64), q: &[f64], v: &[f64]) -> Vec<bool> {
        let bodies = (0..).zip(&self.near.bodies);
        let regions = bodies.map(|(own, body)| body.region(&self.pairs, own, (t, h), q, v));
        let regions: Vec<Region> = regions.collect();
        let of = |body: u32| &regions[body as usize];
        let near =
            |pair: &Pair| pair.collider == pair.body || of(pair.collider).is_near(of(pair.body));
        self.pairs.iter().map(near).collect()
    }

    /// A step begins: finds pairs that are near in it.
    pub(super) fn find_near(&mut self, (t, h): (f64, f64), q: &[f64], v: &[f64]) {
        self.near.near = self.near_pairs((t, h), q, v);
    }

    /// Pairs that have come near against what was expected begin their step, too.
    pub(super) fn find_nearer(&mut self, q: &[f64], v: &[f64]) {
        let still = vec![0.0; v.len()];
        let now = self.near_pairs((self.context.time, 0.0), q, &still);
        let Self { pairs, near, start_q, start_v, step, .. } = self;
        for (number, pair) in pairs.iter_mut().enumerate() {
            if !now[number] || std::mem::replace(&mut near.near[number], true) {
                continue;
            }
            if let (PairSurface::Mesh(surface), false) = (&mut pair.surface, near.shown[number]) {
                surface.begin(*step, start_q, start_v);
                surface.follow(q, v);
            }
        }
    }
}
