//! First contact by adding up steps that are surely free [LKJ21, appendix].
//!
//! The distance between two features cannot shrink faster than their corners move towards each other, at most
//! `l = max|q_a| + max|q_b|` with the mean motion taken out. So for a time `(d − s)/l` there is no contact; a part
//! `1 − η` of the first gap is kept, which ends the search and leaves the caller room.
//!
//! Nor is there one until a corner of the patch of offsets has come down to `s` along the direction of the nearest
//! offset, which is seldom sooner, and never where features move apart along it [Mir96]. [`first_contact`] takes the
//! later of the two times, [`by_speed`] the former alone, as it is published.
//!
//! Short and simple, and good where everything moves at about one speed. It is right in exact arithmetic only; a
//! margin for rounding is taken off every distance, but nothing here is a proof. [`super::inclusion`] is.

use super::patch::{Domain, Dot, Line, Patch, Square, Triangle};
use super::{Impact, Query, Reason, Settings};
use crate::math::Vector3;

/// `η`: how much of a gap may be used up.
const USED: f64 = 0.9;
/// How far off a computed distance may be, in parts of what it is computed from.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The first contact until some part of the motion, at most one; nothing if there is none.
///
/// About a tenth of the gap at the start is left; [`Settings::tolerance`] plays no part.
pub fn first_contact(query: &Query, until: f64, settings: &Settings) -> Option<Impact> {
    search::<true>(query, until, settings)
}

/// The same by the speed of corners alone: more steps, and times that are no later.
pub fn by_speed(query: &Query, until: f64, settings: &Settings) -> Option<Impact> {
    search::<false>(query, until, settings)
}

fn search<const ALONG: bool>(query: &Query, until: f64, settings: &Settings) -> Option<Impact> {
    let patch = query.patch();
    let speed = match query {
        Query::PointPoint(x) => speed(x, 1),
        Query::PointSegment(x) => speed(x, 1),
        Query::PointTriangle(x) => speed(x, 1),
        Query::SegmentSegment(x) => speed(x, 2),
    };
    match query {
        Query::PointPoint(_) => run::<Dot, ALONG>(&patch, speed, until, settings),
        Query::PointSegment(_) => run::<Line, ALONG>(&patch, speed, until, settings),
        Query::PointTriangle(_) => run::<Triangle, ALONG>(&patch, speed, until, settings),
        Query::SegmentSegment(_) => run::<Square, ALONG>(&patch, speed, until, settings),
    }
}

fn run<D: Domain, const ALONG: bool>(
    patch: &Patch,
    speed: f64,
    until: f64,
    settings: &Settings,
) -> Option<Impact> {
    let size = patch.bound().sum();
    if !(size + speed + until + settings.separation).is_finite() {
        return Some(Impact { time: 0.0, reason: Reason::NotFinite });
    }
    let kept = settings.separation + ROUNDING * size;
    let motion = [0, 1, 2].map(|k| patch.d[1][k] - patch.d[0][k]);
    let end = until.min(1.0);
    let mut time = 0.0;
    let mut offsets = patch.d[0];
    let mut nearest = D::nearest(&offsets);
    let mut left = nearest.norm() - kept;
    let enough = (1.0 - USED) * left;
    if left <= 0.0 {
        return Some(Impact { time, reason: Reason::Contact });
    }
    for _ in 0..settings.max_steps {
        let mut free = left / speed; // infinite when nothing moves
        if ALONG {
            free = free.max(apart::<D>(&offsets, &motion, &nearest, kept));
        }
        let next = time + USED * free;
        if next > end {
            return None;
        }
        offsets = patch.at(next);
        nearest = D::nearest(&offsets);
        left = nearest.norm() - kept;
        if left < enough && time > 0.0 {
            return Some(Impact { time, reason: Reason::Contact });
        }
        time = next;
    }
    Some(Impact { time, reason: Reason::StepLimit })
}

/// For how long all corners of the patch stay farther than `kept` along an offset.
fn apart<D: Domain>(
    offsets: &[Vector3; 3],
    motion: &[Vector3; 3],
    along: &Vector3,
    kept: f64,
) -> f64 {
    let least = kept * along.norm();
    let heights = D::corners(offsets.map(|d| d.dot(along)));
    let rates = D::corners(motion.map(|d| d.dot(along)));
    let mut time = f64::INFINITY;
    for (height, rate) in heights.into_iter().zip(rates) {
        if rate < 0.0 {
            time = time.min((least - height) / rate);
        }
    }
    time
}

/// How fast the first `count` corners and the others can come closer, with the mean motion taken out.
fn speed<const N: usize>([start, end]: &[[Vector3; N]; 2], count: usize) -> f64 {
    let q: [Vector3; N] = std::array::from_fn(|k| end[k] - start[k]);
    let mean = q.iter().sum::<Vector3>() / N as f64;
    let fastest =
        |q: &[Vector3]| q.iter().map(|q| (q - mean).norm_squared()).fold(0.0, f64::max).sqrt();
    (fastest(&q[..count]) + fastest(&q[count..])) * (1.0 + 16.0 * f64::EPSILON)
}
