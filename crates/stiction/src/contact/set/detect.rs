//! Which points may touch during a step.

use super::ContactSet;
use crate::assembly::point;
use crate::contact::memory::Memory;
use crate::contact::pair::{Pair, PairSurface, Point};
use crate::contact::spot::{Felt, Geometry, Given, Spot, across};
use crate::contact::surface::Pose;
use crate::math::{Matrix3, Vector3};

impl ContactSet {
    /// A step of length `h` begins at time `t`: collects the points that may touch during it.
    pub(crate) fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        (self.start, self.step) = (t, h);
        self.start_q.clear();
        self.start_q.extend_from_slice(q);
        let pose = |pair: &Pair, t: f64| match &pair.surface {
            PairSurface::Obstacle(surface) => surface.pose(t),
        };
        self.start_poses = self.pairs.iter().map(|pair| pose(pair, t)).collect();
        let ends: Vec<Pose> = self.pairs.iter().map(|pair| pose(pair, t + h)).collect();
        let mut spots = std::mem::take(&mut self.spots);
        spots.clear();
        for (number, pair) in self.pairs.iter().enumerate() {
            for touching in &pair.points {
                let x = point(q, touching.node as usize);
                let ahead = x + point(v, touching.node as usize) * h;
                let (start, end) = (&self.start_poses[number], &ends[number]);
                if self.may_touch(pair, start, end, x, ahead) {
                    spots.push(self.spot(number, *touching, x, point(v, touching.node as usize)));
                }
            }
        }
        self.spots = spots;
        self.poses = self.start_poses.clone();
    }

    /// Whether a point comes near a surface, at the start or at the end of a step in which nothing disturbs it.
    fn may_touch(&self, pair: &Pair, start: &Pose, end: &Pose, x: Vector3, ahead: Vector3) -> bool {
        let PairSurface::Obstacle(surface) = &pair.surface;
        let way = (ahead - end.to_world(start.to_local(x))).norm();
        let reach = 2.0 * pair.penalty.thickness + 0.25 * way;
        let near = |pose: &Pose, x: Vector3| {
            surface.distance(pose, x).is_some_and(|jet| jet.value < reach)
        };
        near(start, x) || near(end, ahead)
    }

    fn spot(&self, number: usize, touching: Point, x: Vector3, v: Vector3) -> Spot {
        let pair = &self.pairs[number];
        let key = pair.key(touching.vertex);
        let PairSurface::Obstacle(surface) = &pair.surface;
        let jet = surface.distance(&self.start_poses[number], x);
        let (gap, normal) = jet.map_or((f64::INFINITY, Vector3::y()), |jet| {
            let normal = jet.gradient.try_normalize(1e-9).unwrap_or_else(Vector3::y);
            (jet.value, normal)
        });
        let remembered = self.remembered(key);
        let memory = remembered.copied().unwrap_or_else(|| {
            let slip = across(normal, v - self.start_poses[number].velocity_at(x)) * self.step;
            Memory { slip, ..Memory::born(key, normal, gap) }
        });
        Spot {
            pair: number,
            memory,
            node: Some(touching.node),
            start: x,
            start_gap: gap,
            mass: self.masses[touching.node as usize].max(f64::MIN_POSITIVE),
            given: Given::default(),
            middle: None,
            rotation: Matrix3::identity(),
            geometry: Geometry::default(),
            felt: Felt::default(),
        }
    }

    /// Adds points that came to touch although nobody expected them. Says whether there were any.
    pub(crate) fn add_missed(&mut self, q: &[f64]) -> bool {
        let mut missed = Vec::new();
        let mut known =
            self.spots.iter().map(|spot| (spot.pair, spot.memory.key.vertex)).peekable();
        for (number, pair) in self.pairs.iter().enumerate() {
            let PairSurface::Obstacle(surface) = &pair.surface;
            for touching in &pair.points {
                if known.next_if_eq(&(number, touching.vertex)).is_some() {
                    continue;
                }
                let x = point(q, touching.node as usize);
                let gap = surface.distance(&self.poses[number], x).map(|jet| jet.value);
                if gap.is_some_and(|gap| gap < pair.penalty.thickness) {
                    missed.push((number, *touching));
                }
            }
        }
        let any = !missed.is_empty();
        for (number, touching) in missed {
            let before = point(&self.start_q, touching.node as usize);
            let spot = self.spot(number, touching, before, Vector3::zeros());
            let at = self.spots.partition_point(|other| {
                (other.pair, other.memory.key.vertex) < (number, touching.vertex)
            });
            self.spots.insert(at, spot);
        }
        any
    }
}
