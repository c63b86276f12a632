//! How far vertices may move before two features touch.

use rayon::prelude::*;

use super::Guard;
use crate::contact::features::Pair;
use crate::geometry::intersection::crossings;
use crate::math::Vector3;

/// Part of a layer that is left of a gap, or half of a smaller one.
const ROOM: f64 = 0.1;
/// Questions asked before the earliest contact is looked at.
const ROUND: usize = 4096;
/// Distance at rest that is none, in mean edges: of meshes whose seams are not joined.
const NONE: f64 = 1e-9;

impl Guard {
    /// The part of a straight way of all vertices, from zero to one, before which nothing touches.
    pub(super) fn free_part(&self, from: &[Vector3], to: &[Vector3]) -> f64 {
        if [from, to].iter().all(|x| self.near.holds(x, self.margin)) {
            return self.first_contact(&self.near.pairs, [from, to]);
        }
        let pairs = self.surfaces().pairs([from, to], 0.0, |a, b| self.layer(a, b));
        // Positions that are not finite lead nowhere.
        // Positions that are not finite lead nowhere.
        pairs.map_or(0.0, |pairs| self.first_contact(&pairs, [from, to]))
    }

    /// The same from where vertices are to where they are with nodes at `end`.
    pub(crate) fn way_to(&self, end: &[f64]) -> f64 {
        if !self.active {
            return 1.0;
        }
        self.free_part(&self.now, &self.positions(end))
    }

    fn first_contact(&self, pairs: &[Pair], way: [&[Vector3]; 2]) -> f64 {
        let mut free = 1.0_f64;
        for round in pairs.chunks(ROUND) {
            let until = free;
            let ask = |pair: &Pair| {
                if self.cannot_meet(pair, way) {
                    return None;
                }
                let time = pair.first_contact(way, until, ROOM)?;
                let never = time <= 0.0 && self.rest_gap(pair) <= NONE * self.margin;
                (!never).then_some(time)
            };
            let earliest = round.par_iter().with_min_len(64).filter_map(ask);
            free = earliest.min_by(f64::total_cmp).map_or(free, |time| free.min(time));
        }
        free
    }

    /// Whether the gap is larger than what all corners move against each other.
    fn cannot_meet(&self, pair: &Pair, [from, to]: [&[Vector3]; 2]) -> bool {
        let moves = pair.vertices.map(|v| to[v as usize] - from[v as usize]);
        let mean = moves.iter().sum::<Vector3>() * 0.25;
        let most = moves.iter().fold(0.0, |most: f64, way| most.max((way - mean).norm_squared()));
        let gap = pair.gap(&pair.vertices.map(|v| from[v as usize]));
        // A part of the gap is left.
        gap > 0.0 && gap * 0.5 > 2.0 * most.sqrt()
    }

    /// Whether features touch or cross where vertices are.
    pub(crate) fn is_touched(&self) -> bool {
        let group = |t: u32| self.vertices[self.triangles[t as usize][0] as usize].group;
        let crossing = crossings(&self.now, &self.triangles, |a, b| group(a) == group(b));
        crossing.is_ok_and(|crossing| !crossing.is_empty()) || !self.coupled.is_empty()
    }
}
