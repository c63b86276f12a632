//! How far everything may move before something touches (continuous collision detection).
//!
//! Features move along straight lines; the first contact of any pair is found with certainty
//! ([inclusion](crate::geometry::ccd::inclusion)), and a part of every gap is kept.

use std::borrow::Cow;

use rayon::prelude::*;

use super::contact::Pair;
use super::near::{Filter, Near, pairs};
use crate::math::Vector3;

/// How much of gaps is left on the way, so that the next step has room, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Part of a gap to a half-space.
    on_planes: f64,
    /// Of features, in layers; half of a smaller gap.
    of_layers: f64,
}

impl Room {
    /// For a step that is looked for.
    pub(super) const STEP: Self = Self { on_planes: 0.2, of_layers: 0.1 };
    /// For the arcs of a step that was found along their chords.
    pub(super) const ARC: Self = Self { on_planes: 0.1, of_layers: 0.05 };
}

/// Questions asked before the earliest contact is looked at.
const ROUND: usize = 4096;

/// Where everything is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    pub(super) x: &'a [Vector3],
    /// Normals and origins of half-spaces.
    pub(super) planes: &'a [(Vector3, Vector3)],
}

/// The part of a way, from zero to one, before which nothing touches.
pub(super) fn free_part(
    filter: Filter<'_>,
    near: &Near,
    start: Places<'_>,
    end: Places<'_>,
    room: Room,
) -> f64 {
    let mut free = on_planes(filter, start, end, room.on_planes);
    let all = if near.holds(start.x) && near.holds(end.x) {
        // No other pair can be within its layer on the way.
        Cow::Borrowed(&near.pairs)
    } else {
        // What ends nearer than the room that is kept counts, too. Positions that are not finite lead nowhere.
        let reach = room.of_layers * filter.mesh.thickest();
        let Ok(all) = pairs(filter, [start.x, end.x], reach) else { return 0.0 };
        Cow::Owned(all)
    };
    for round in all.chunks(ROUND) {
        let until = free;
        let ask = |pair: &Pair| pair.first_contact([start.x, end.x], until, room.of_layers);
        let earliest = round.par_iter().with_min_len(64).filter_map(ask);
        free = earliest.min_by(f64::total_cmp).map_or(free, |time| free.min(time));
    }
    free
}

/// Of vertices and half-spaces: gaps change evenly where planes keep their direction.
fn on_planes(filter: Filter<'_>, start: Places<'_>, end: Places<'_>, kept: f64) -> f64 {
    let mut free = 1.0_f64;
    for (plane, places) in start.planes.iter().zip(end.planes).enumerate() {
        let body = filter.mesh.planes[plane].body;
        let gap = |(normal, origin): &(Vector3, Vector3), x: &Vector3| normal.dot(&(x - origin));
        for vertex in (0..filter.mesh.soft).filter(|&vertex| filter.free[vertex]) {
            if filter.mesh.layer(filter.mesh.vertices[vertex].body, body).is_none() {
                continue;
            }
            let (before, after) = (gap(places.0, &start.x[vertex]), gap(places.1, &end.x[vertex]));
            if after < kept * before {
                free = free.min((1.0 - kept) * before / (before - after));
            }
        }
    }
    free
}
