//! Vertices of something round that its own rows of points stand for.
//!
//! A ball touches a mesh with its centre and a radius; its vertices, which lie on the same sphere, would count the same
//! place twice, and make it roll from one to the next. They are left where nothing else is: in creases, where the
//! ball touches at several places.

use super::ContactSet;
use crate::math::Vector3;
use crate::method::smooth::pair::{Pair, PairSurface, Point};
use crate::method::smooth::spot::Spot;

/// Cosine of the angle around the way to a contact within which vertices do not count.
const WITHIN: f64 = 0.5;

/// How far from the centre they are at most, in radii: others belong to other points of a row.
const NEAR: f64 = 1.25;

/// Whether a vertex at `x` is next to where one of the round points among `spots` touches.
fn is_hidden(x: Vector3, spots: &[Spot]) -> bool {
    spots.iter().any(|spot| {
        let (Some(core), Some(round)) = (&spot.point.core, &spot.around.round) else {
            return false;
        };
        let from = x - spot.start;
        let far = from.norm();
        far < NEAR * core.radius && from.dot(&round.way) > WITHIN * far
    })
}

impl Pair {
    /// Whether it has rows of round points beside vertices.
    pub(super) fn has_rows(&self) -> bool {
        let last_is_round = self.points.last().is_some_and(|point| point.core.is_some());
        last_is_round && matches!(self.surface, PairSurface::Mesh(_))
    }
}

impl ContactSet {
    /// Drops vertices that are hidden, of the spots of one pair.
    pub(super) fn hide(&self, number: usize, spots: &mut Vec<Spot>, first: usize) {
        if !self.pairs[number].has_rows() {
            return;
        }
        let found = spots.split_off(first);
        let rows = found.partition_point(|spot| spot.point.core.is_none());
        let keep =
            |spot: &Spot| spot.point.core.is_some() || !is_hidden(spot.start, &found[rows..]);
        let kept: Vec<bool> = found.iter().map(keep).collect();
        spots.extend(found.into_iter().zip(kept).filter_map(|(spot, keep)| keep.then_some(spot)));
    }

    /// Whether a vertex that nobody expected was hidden at the start of the step.
    pub(super) fn was_hidden(&self, number: usize, touching: &Point) -> bool {
        let pair = &self.pairs[number];
        let mover = pair.mover_pose(self.start);
        let start = pair.state(touching, &self.start_q, &self.start_v, mover.as_ref()).0;
        let first = self.spots.partition_point(|spot| spot.pair < number);
        let last = self.spots.partition_point(|spot| spot.pair <= number);
        pair.has_rows() && is_hidden(start, &self.spots[first..last])
    }
}
