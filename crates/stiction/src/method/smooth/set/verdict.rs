//! Whether the end of a stage will do, and what to try if not.
//!
//! | what happened | what is tried |
//! |---|---|
//! | something went through something else | shorter steps |
//! | bodies that do not give way struck each other, or let go, in a scheme that looks back | backward Euler |
//! | bodies overlap that did not | stiffer layers |

use super::ContactSet;
use crate::contact::key::Name;
use crate::method::smooth::memory::Memory;
use crate::method::smooth::pair::{Pair, PairSurface};
use crate::method::smooth::penalty::Penalty;
use crate::step::Retry;

impl ContactSet {
    /// Whether velocities jump in the step that has begun, or did in the one before: schemes that look back at
    /// velocities would go on with the blow, and gain energy.
    pub(crate) fn is_struck(&self) -> bool {
        self.struck || self.after_blow
    }

    /// The next step does not look back.
    pub(crate) fn expect_jump(&mut self) {
        self.after_blow = true;
    }

    /// A new step begins, not a repetition.
    pub(crate) fn forget_stiffenings(&mut self) {
        self.stiffenings = 0;
        self.struck = false;
    }

    /// Pairs with a gap below zero that was not at the start of the step, and the least one [m].
    fn penetrated(&self) -> Vec<(usize, f64)> {
        /// Gaps that are none, in thicknesses.
        const FLUSH: f64 = 1e-6;
        let mut worst: Vec<(usize, f64)> = Vec::new();
        for spot in self.spots.iter().filter(|spot| spot.geometry.exists) {
            let gap = spot.geometry.gap;
            // What began inside is on its way out, and no sign of softness; nor is what began flush.
            let thickness = self.pairs[spot.pair].penalty.thickness;
            let flush = spot.memory.push.is_none() && spot.start_gap < FLUSH * thickness;
            if self.pairs[spot.pair].is_guarded() || gap >= 0.0 || spot.start_gap < 0.0 || flush {
                continue;
            }
            match worst.iter_mut().find(|(pair, _)| *pair == spot.pair) {
                Some((_, least)) => *least = least.min(gap),
                None => worst.push((spot.pair, gap)),
            }
        }
        worst
    }

    /// Stiffens pairs that penetrated, if that may still be done. Says whether it did: the step is to be repeated.
    ///
    /// Contacts that are compressed already go on from the same force: their layer begins lower, but not so low that
    /// hardly any of it is left.
    fn stiffen(&mut self) -> bool {
        /// How low, in thicknesses.
        const LOWEST: f64 = 0.25;
        let penetrated = self.penetrated();
        if penetrated.is_empty() || self.stiffenings >= self.settings.max_stiffenings {
            return false;
        }
        for (number, gap) in penetrated {
            let Pair { penalty, collider, body, surface, .. } = &mut self.pairs[number];
            let bump = penalty.bump(gap);
            let of_edges = matches!(surface, PairSurface::Edges(_) | PairSurface::MeshEdges(_));
            let same = |memory: &&mut Memory| {
                let alike = matches!(memory.key.name, Name::Edges(_)) == of_edges;
                alike && memory.key.bodies == [*collider, *body]
            };
            for memory in self.memory.iter_mut().filter(same) {
                let lower = memory.offset - penalty.lowering(memory.gap - memory.offset, bump);
                let lowest = memory.gap.min(0.0) - LOWEST * penalty.thickness;
                memory.offset = lower.max(lowest).min(memory.offset);
            }
            penalty.stiffness *= bump;
        }
        self.stiffenings += 1;
        true
    }

    /// Whether the end of a stage will do, and what to try if not.
    pub(crate) fn judge(&mut self, q: &[f64], v: &[f64]) -> Option<Retry> {
        if self.passed_through(q, v) {
            self.struck = true;
            return Some(Retry::Shorter);
        }
        if !self.struck && self.is_blow() {
            self.struck = true;
            // What looks back no further needs no other scheme, but the next step may.
            if !self.alone {
                return Some(Retry::Again);
            }
        }
        self.stiffen().then_some(Retry::Again)
    }

    /// Whether bodies that do not give way came to touch in this stage, or let go, and not gently: then velocities of
    /// whole bodies jump.
    fn is_blow(&self) -> bool {
        /// How far gaps move at a blow, in thicknesses.
        const BLOW: f64 = 0.25;
        self.spots.iter().any(|spot| {
            let pair = &self.pairs[spot.pair];
            let Penalty { thickness, .. } = pair.penalty;
            let before = spot.start_gap - spot.memory.offset < thickness;
            let now = spot.geometry.exists && spot.effective_gap() < thickness;
            let moved = (spot.geometry.gap - spot.start_gap).abs();
            pair.is_rigid && before != now && moved > BLOW * thickness
        })
    }
}
