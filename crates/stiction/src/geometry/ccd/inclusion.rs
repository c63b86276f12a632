//! First contact with certainty: bounds over whole intervals of time, halved where they are too wide.
//!
//! The offsets between the features at a time are a flat patch `F(t, ·)` ([`patch`](super)), whose corners move along
//! straight lines. So for any direction `w` the least value of `w·F` is attained at a corner, for all times at once:
//! the corners are an inclusion, as in tight inclusion [WFS+21]. Where [WFS+21] looks along the axes and halves time,
//! this looks along the shortest offset at the time reached, and goes to the moment at which the first corner crosses
//! the plane at distance `separation`: up to there nothing can touch. If that goes slowly, because some corner moves
//! faster than the rest, the patch is halved, and each half goes on by itself.
//!
//! Rounding: offsets are within one unit in the last place of the true ones, and everything that proves anything is a
//! sum of products of them. The plane is moved by a bound of all that (`ROUNDING`); how `w` was found is of no
//! importance. No threshold decides what is parallel, coplanar or without area.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::patch::{Domain, Dot, Line, Patch, Square, Triangle};
use super::{Impact, Query, Reason, Settings};
use crate::math::Vector3;

/// Units in the last place by which a corner's value may be off: 1 for the offset, 3 for the product, 2 to add up a
/// corner, 3 to go to a time, and 1 for each of [`MAX_DEPTH`] halvings.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
const MAX_DEPTH: u32 = 48;
/// Steps before a patch may be halved: most searches end sooner.
const PATIENCE: u32 = 3;

/// The first contact until some part of the motion, at most one; nothing if there certainly is none.
pub fn first_contact(query: &Query, until: f64, settings: &Settings) -> Option<Impact> {
    let patch = query.patch();
    match query {
        Query::PointPoint(_) => Search::run::<Dot>(patch, until, settings),
        Query::PointSegment(_) => Search::run::<Line>(patch, until, settings),
        Query::PointTriangle(_) => Search::run::<Triangle>(patch, until, settings),
        Query::SegmentSegment(_) => Search::run::<Square>(patch, until, settings),
    }
}

/// A part of the patch, and how far it got.
struct Cell {
    patch: Patch,
    time: f64, // no contact before
    gap: f64,  // at that time
    depth: u32,
}

/// The cell to go on with is the greatest: the one that is behind, and nearest to contact.
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.gap.total_cmp(&self.gap))
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

#[expect(clippy::large_enum_variant, reason = "taken apart at once, never kept")]
enum Outcome {
    Free,
    Contact,
    Halves([Patch; 2]),
    StepLimit,
}

struct Search {
    bound: Vector3,
    separation: f64,
    tolerance: f64,
    steps_left: u32,
    end: f64,               // contacts later than this do not matter
    impact: Option<Impact>, // at `end`
}

impl Search {
    fn run<D: Domain>(patch: Patch, until: f64, settings: &Settings) -> Option<Impact> {
        let size = patch.bound().sum();
        if !(size + until + settings.separation).is_finite() {
            return Some(Impact { time: 0.0, reason: Reason::NotFinite });
        }
        // Products of four lengths must neither overflow nor vanish.
        if size > 1e60 || (size < 1e-60 && size > 0.0) {
            let factor = power_of_two_near(size).recip();
            let settings = Settings {
                separation: settings.separation * factor,
                tolerance: settings.tolerance * factor,
                ..*settings
            };
            return Self::run::<D>(patch.scaled(factor), until, &settings);
        }
        let bound = patch.bound();
        let mut search = Self {
            bound,
            separation: settings.separation,
            tolerance: settings.tolerance,
            steps_left: settings.max_steps,
            end: until.min(1.0),
            impact: None,
        };
        let gap = D::nearest(&patch.d[0]).norm() - search.separation;
        search.tolerance = search.tolerance.min(0.5 * gap).max(ROUNDING * bound.amax());
        search.visit::<D>(Cell { patch, time: 0.0, gap, depth: 0 });
        search.impact
    }

    fn visit<D: Domain>(&mut self, first: Cell) {
        let mut waiting = BinaryHeap::new();
        let mut next = Some(first);
        while let Some(mut cell) = next {
            match self.advance::<D>(&mut cell) {
                Outcome::Free => {}
                Outcome::Contact => self.stop(cell.time, Reason::Contact),
                Outcome::Halves(halves) => waiting.extend(halves.map(|patch| {
                    let gap = D::nearest(&patch.at(cell.time)).norm();
                    Cell { patch, time: cell.time, gap, depth: cell.depth + 1 }
                })),
                Outcome::StepLimit => {
                    let earliest = waiting.iter().map(|cell| cell.time).fold(cell.time, f64::min);
                    if self.matters(earliest) {
                        self.stop(earliest, Reason::StepLimit);
                    }
                    return;
                }
            }
            // The earliest of those that wait; if that one does not matter, none does.
            next = waiting.pop().filter(|cell| self.matters(cell.time));
        }
    }

    /// A time after which there is something to find.
    fn matters(&self, time: f64) -> bool {
        time < self.end || (time <= self.end && self.impact.is_none())
    }

    fn stop(&mut self, time: f64, reason: Reason) {
        self.end = time;
        self.impact = Some(Impact { time, reason });
    }

    /// As far as the cell gets without contact.
    fn advance<D: Domain>(&mut self, cell: &mut Cell) -> Outcome {
        let mut last_gap = f64::INFINITY;
        for step in 0.. {
            if self.steps_left == 0 {
                return Outcome::StepLimit;
            }
            self.steps_left -= 1;
            let w = D::nearest(&cell.patch.at(cell.time));
            let distance = w.norm();
            let gap = distance - self.separation;
            if gap <= self.tolerance {
                return Outcome::Contact;
            }
            let [start, end] = cell.patch.d.map(|d| d.map(|d| w.dot(&d)));
            let plane = self.plane(w, distance);
            let free_until = free_until(D::corners(start), D::corners(end), cell.time, plane);
            if free_until > self.end || !self.matters(free_until) {
                return Outcome::Free;
            }
            let slow = gap > 0.25 * last_gap && gap < last_gap && step >= PATIENCE;
            let stuck = free_until <= cell.time;
            if slow || stuck {
                let rates = [0, 1, 2].map(|k| end[k] - start[k]);
                let least = if stuck { 0.0 } else { 0.1 * rates[0].abs() };
                match D::halves(&cell.patch, rates, least) {
                    Some(halves) if cell.depth < MAX_DEPTH => return Outcome::Halves(halves),
                    _ if stuck => return Outcome::Contact,
                    _ => {}
                }
            }
            cell.time = free_until;
            last_gap = gap;
        }
        Outcome::StepLimit
    }

    /// Values of `w·F` above this prove that there is no contact.
    fn plane(&self, w: Vector3, distance: f64) -> f64 {
        let rounding = ROUNDING * w.abs().dot(&self.bound) + f64::MIN_POSITIVE;
        self.separation * distance * (1.0 + 8.0 * f64::EPSILON) + rounding
    }
}

/// How long all corners stay above the plane, from a time at which they are; otherwise that time.
fn free_until(start: [f64; 4], end: [f64; 4], time: f64, plane: f64) -> f64 {
    let mut until = f64::INFINITY;
    for k in 0..4 {
        let fall = start[k] - end[k];
        if start[k] - fall * time <= plane {
            return time;
        }
        if fall > 0.0 {
            until = until.min((start[k] - plane) / fall);
        }
    }
    (until * (1.0 - 4.0 * f64::EPSILON)).max(time)
}

fn power_of_two_near(x: f64) -> f64 {
    2f64.powi(x.log2().round().clamp(-1000.0, 1000.0) as i32)
}
