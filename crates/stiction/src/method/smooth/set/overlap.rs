//! Contacts that begin inside: how they come out.
//!
//! A scene may start with bodies inside each other. Their full depth, as a gap, would be an explosion. So a contact
//! counts its gap from an *offset*: from the depth it began with, at which it pushes no harder than any contact about
//! to penetrate. The offset then rises, but stays within a thickness of the point: a body that cannot come out is
//! pushed for ever, with a bounded force.
//!
//! Deep inside, the nearest side is not always the way out. Vertices near an edge of a block that sank into another
//! are nearer to its flank than to its top; if these were pushed sideways while the rest is pushed up, the blocks
//! would hold each other. Where a pair has a common way out,
//!
//! $$ w = \sum -d\, n \Big/ \sum -d, \qquad |w| > \tfrac15 $$
//!
//! over its contacts with gaps `d < 0` and normals `n`, contacts that point elsewhere wait: they let nothing in any
//! deeper at once, but do not push.

use super::ContactSet;
use crate::math::Vector3;
use crate::method::smooth::memory::Memory;
use crate::method::smooth::spot::Spot;

/// Contacts that started inside come out over about this time [s].
const WAY_OUT: f64 = 0.25;

/// `|w|` from which on there is a common way out: none where a body is stuck on another all around.
const COMMON: f64 = 0.2;

/// Cosine of the angle to it up to which contacts follow it.
const ALONG: f64 = 0.5;

impl ContactSet {
    /// Lets contacts that are deep inside wait if the others of their pair know a better way out.
    pub(super) fn give_way(&mut self) {
        let Self { spots, pairs, .. } = self;
        for spots in spots.chunk_by_mut(|a, b| a.pair == b.pair) {
            let thickness = pairs[spots[0].pair].penalty.thickness;
            let is_deep = |spot: &&mut Spot| spot.memory.offset < -thickness;
            let (mut way, mut total) = (Vector3::zeros(), 0.0);
            for spot in spots.iter_mut().filter(is_deep) {
                way -= spot.memory.normal * spot.start_gap;
                total -= spot.start_gap;
            }
            let common = way.norm();
            if common <= COMMON * total {
                continue;
            }
            for spot in spots.iter_mut().filter(is_deep) {
                if spot.memory.normal.dot(&way) < ALONG * common {
                    let gap = spot.start_gap;
                    spot.waits = true;
                    spot.memory = Memory::born(spot.memory.key, spot.memory.normal, gap);
                    spot.memory.offset = gap - thickness;
                }
            }
        }
    }
}

impl Spot {
    /// The offset after a step of length `h`.
    pub(super) fn next_offset(&self, h: f64, thickness: f64) -> f64 {
        let (gap, offset) = (self.geometry.gap, self.memory.offset);
        // Once out, slowly: every rise of what is compressed adds energy.
        let rate = if gap < 0.0 { 10.0 * thickness - offset / WAY_OUT } else { thickness };
        (offset + rate * h).min((gap + thickness).max(offset)).min(0.0)
    }

    /// What is remembered of a contact that does not push, but only because it began deeper inside than it is now.
    pub(super) fn still_inside(&self, h: f64, thickness: f64) -> Option<Memory> {
        let gap = self.geometry.gap;
        let inside = self.memory.offset < 0.0 && gap < 0.0 && !self.waits;
        inside.then(|| {
            let offset = self.next_offset(h, thickness);
            Memory { offset, ..Memory::born(self.memory.key, self.memory.normal, gap) }
        })
    }
}
