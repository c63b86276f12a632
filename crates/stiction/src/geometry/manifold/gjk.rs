//! The distance of two convex cores [GJK88]: the point nearest to the origin of all differences `a − b`.
//!
//! A simplex of differences walks towards the origin. `v` is its nearest point; the support point `w` along `−v` tells that
//! no difference is nearer than `v·w/|v|`, which ends the search as soon as that exceeds a limit, or reaches `|v|`.

use super::pair::{Pair, Witness};
use super::{Feature, FeatureId};
use crate::geometry::distance::triangle;
use crate::geometry::shape::{Corner, MAX_CORNERS};
use crate::math::Vector3;

/// Corners are reached exactly after a few; curved rims converge.
const MAX_ITERATIONS: usize = 128;
/// Of `|v|² − v·w`, relative: what is left to gain.
const GAIN: f64 = 1e-14;
/// Cores closer than this, relative to their size, touch.
const TOUCHING: f64 = 1e-11;

pub(super) enum Nearest {
    /// Farther apart than the limit.
    Beyond,
    Apart(Witness),
    /// Touching, or inside each other.
    Overlap,
}

/// A difference of two support points.
#[derive(Clone, Copy, Default)]
pub(super) struct Difference {
    pub(super) w: Vector3,
    pub(super) a: Vector3,
    pub(super) numbers: [u32; 2],
}

/// Farthest along `d`.
pub(super) fn support(pair: &Pair, d: &Vector3) -> Difference {
    let (a, b) = (pair.support_a(d), pair.b.core.support(&-d));
    Difference { w: a.x - b.x, a: a.x, numbers: [a.number, b.number] }
}

struct Simplex {
    corners: [Difference; 4],
    weights: [f64; 4],
    count: usize,
}

pub(super) fn nearest(pair: &Pair, limit: f64) -> Nearest {
    let touching = (TOUCHING * pair.extent()).powi(2);
    let start = if pair.shift == Vector3::zeros() { Vector3::x() } else { pair.shift };
    let first = support(pair, &-start);
    let mut simplex = Simplex { corners: [first; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 };
    let mut v = first.w;
    for _ in 0..MAX_ITERATIONS {
        let vv = v.norm_squared();
        if vv <= touching {
            return Nearest::Overlap;
        }
        let next = support(pair, &-v);
        let vw = v.dot(&next.w);
        if vw > 0.0 && vw * vw > limit * limit * vv && limit >= 0.0 {
            return Nearest::Beyond;
        }
        let known = simplex.corners[..simplex.count].iter().any(|corner| corner.w == next.w);
        if vv - vw <= GAIN * vv || known {
            break;
        }
        let Some(nearer) = simplex.with(next) else { return Nearest::Overlap };
        let v_next = nearer.point(|corner| corner.w);
        if v_next.norm_squared() >= vv {
            break; // rounding: no way to come nearer
        }
        (simplex, v) = (nearer, v_next);
    }
    let gap = v.norm();
    if gap > limit {
        return Nearest::Beyond;
    }
    let normal = v / gap;
    let b = simplex.point(|corner| corner.a - corner.w);
    Nearest::Apart(Witness { normal, gap, b, feature: simplex.feature(pair, &normal) })
}

impl Simplex {
    fn point(&self, of: impl Fn(&Difference) -> Vector3) -> Vector3 {
        let terms = self.corners.iter().zip(&self.weights).take(self.count);
        terms.map(|(corner, weight)| of(corner) * *weight).sum()
    }

    /// What of the simplex and `next` is nearest to the origin; nothing if the origin is inside.
    fn with(&self, next: Difference) -> Option<Self> {
        let mut corners = self.corners;
        corners[self.count] = next;
        let w = corners.map(|corner| corner.w);
        Some(match self.count {
            1 => Self::of(&corners, &[0, 1], &nearest_on_segment(&w[0], &w[1])),
            2 => Self::of(&corners, &[0, 1, 2], &nearest_on_triangle([w[0], w[1], w[2]])),
            _ => {
                let mut best: Option<(f64, Self)> = None;
                for [i, j, k, opposite] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]]
                {
                    let normal = (w[j] - w[i]).cross(&(w[k] - w[i]));
                    let (origin, inside) = (-normal.dot(&w[i]), normal.dot(&(w[opposite] - w[i])));
                    // A tet without volume has no inside.
                    let flat = inside.abs() <= 1e-14 * normal.norm() * (w[opposite] - w[i]).norm();
                    if !flat && origin * inside > 0.0 {
                        continue;
                    }
                    let face =
                        Self::of(&corners, &[i, j, k], &nearest_on_triangle([w[i], w[j], w[k]]));
                    let distance = face.point(|corner| corner.w).norm_squared();
                    if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                        best = Some((distance, face));
                    }
                }
                best?.1
            }
        })
    }

    /// Corners with weights above zero.
    fn of(corners: &[Difference; 4], which: &[usize], weights: &[f64]) -> Self {
        let mut simplex = Self { corners: [corners[which[0]]; 4], weights: [0.0; 4], count: 0 };
        for (&k, &weight) in which.iter().zip(weights) {
            if weight > 0.0 {
                simplex.corners[simplex.count] = corners[k];
                simplex.weights[simplex.count] = weight;
                simplex.count += 1;
            }
        }
        simplex
    }

    fn feature(&self, pair: &Pair, normal: &Vector3) -> FeatureId {
        let corners = &self.corners[..self.count];
        let mut room = [Corner::default(); MAX_CORNERS];
        let a = feature_of(corners, 0, || {
            pair.a.core.face(&-pair.turn.tr_mul(normal), &mut room).number
        });
        let b = feature_of(corners, 1, || pair.b.core.face(normal, &mut room).number);
        FeatureId::new(a, b)
    }
}

/// One corner, an edge between two, or the face that `face` names.
pub(super) fn feature_of(
    corners: &[Difference],
    side: usize,
    face: impl FnOnce() -> u32,
) -> Feature {
    let first = corners[0].numbers[side];
    let mut others = corners.iter().map(|corner| corner.numbers[side]).filter(|n| *n != first);
    match others.next() {
        None => Feature::vertex(first),
        Some(second) if others.all(|n| n == second) => Feature::edge(first, second),
        Some(_) => Feature::face(face()),
    }
}

fn nearest_on_segment(a: &Vector3, b: &Vector3) -> [f64; 2] {
    let d = b - a;
    let length = d.norm_squared();
    let t = if length > 0.0 { (-a.dot(&d) / length).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t]
}

pub(super) fn nearest_on_triangle(w: [Vector3; 3]) -> [f64; 3] {
    triangle::nearest(&w, Vector3::zeros())
}
