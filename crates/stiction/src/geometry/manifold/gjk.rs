//! The distance of two convex cores [GJK88]: the point nearest to the origin of all differences `a − b`.
//!
//! A simplex of differences walks towards the origin. `v` is its nearest point; the support point `w` along `−v`
//! tells that no difference is nearer than `v·w/|v|`, which ends the search as soon as that exceeds a limit, or
//! reaches `|v|`.

use super::pair::{Pair, Witness};
use crate::math::Vector3;

/// Corners are reached exactly after a few; curved rims converge.
const MAX_ITERATIONS: usize = 128;
/// Of `|v|² − v·w`, relative: what is left to gain.
const GAIN: f64 = 1e-14;
/// A gain that rounding may leave.
const ENOUGH: f64 = 1e-8;
/// Cores closer than this, relative to their size, are next to each other.
const NEAR: f64 = 1e-3;
/// Cores closer than this, relative to their size, touch.
const TOUCHING: f64 = 1e-11;

pub(super) enum Nearest {
    /// Farther apart than the limit.
    Beyond,
    Apart(Witness),
    /// Touching, inside each other, or too near to tell.
    Overlap,
}

/// A difference of two support points.
#[derive(Clone, Copy, Default)]
pub(super) struct Difference {
    pub(super) w: Vector3,
    pub(super) a: Vector3,
}

/// Farthest along `d`.
pub(super) fn support(pair: &Pair, d: &Vector3) -> Difference {
    let (a, b) = (pair.support_a(d).x, pair.b.core.support(&-d).x);
    Difference { w: a - b, a }
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
    let mut left = 1.0; // to gain, relative
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
        left = (vv - vw) / vv;
        let known = simplex.corners[..simplex.count].iter().any(|corner| corner.w == next.w);
        if left <= GAIN || known {
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
    // Next to each other, simplices of curved rims are too thin to go on; seen from inside they are not.
    if left > ENOUGH && gap < NEAR * pair.extent() {
        return Nearest::Overlap;
    }
    if gap > limit {
        return Nearest::Beyond;
    }
    let normal = v / gap;
    let b = simplex.point(|corner| corner.a - corner.w);
    Nearest::Apart(Witness { normal, gap, b })
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
            2 => Self::of(&corners, &[0, 1, 2], &nearest_on_triangle(&[w[0], w[1], w[2]])),
            _ => {
                if is_inside(&w) {
                    return None;
                }
                // What is nearest now has the new corner.
                let face = |[i, j]: [usize; 2]| {
                    let weights = nearest_on_triangle(&[w[i], w[j], w[3]]);
                    let face = Self::of(&corners, &[i, j, 3], &weights);
                    (face.point(|corner| corner.w).norm_squared(), face)
                };
                let nearest = [[0, 1], [0, 2], [1, 2]].map(face);
                nearest.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?.1
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
}

/// Whether the origin is inside of a tet, on the same side of each face as the corner opposite to it.
fn is_inside(w: &[Vector3; 4]) -> bool {
    [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]].into_iter().all(
        |[i, j, k, opposite]| {
            let normal = (w[j] - w[i]).cross(&(w[k] - w[i]));
            normal.dot(&w[i]) * normal.dot(&(w[opposite] - w[i])) < 0.0
        },
    )
}

fn nearest_on_segment(a: &Vector3, b: &Vector3) -> [f64; 2] {
    let d = b - a;
    let length = d.norm_squared();
    let t = if length > 0.0 { (-a.dot(&d) / length).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t]
}

/// Weights of the point of a triangle that is nearest to the origin: the best of its edges and of its inside, so that
/// triangles without area are no exception.
pub(super) fn nearest_on_triangle(w: &[Vector3; 3]) -> [f64; 3] {
    let normal = (w[1] - w[0]).cross(&(w[2] - w[0]));
    let areas = [w[1].cross(&w[2]), w[2].cross(&w[0]), w[0].cross(&w[1])].map(|a| a.dot(&normal));
    let total: f64 = areas.iter().sum();
    let distance = |weights: &[f64; 3]| -> f64 {
        let point: Vector3 = w.iter().zip(weights).map(|(w, weight)| w * *weight).sum();
        point.norm_squared()
    };
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    if total > 0.0 && areas.iter().all(|area| *area > 0.0) {
        let weights = areas.map(|area| area / total);
        best = (distance(&weights), weights);
    }
    for [i, j] in [[0, 1], [1, 2], [2, 0]] {
        let mut weights = [0.0; 3];
        [weights[i], weights[j]] = nearest_on_segment(&w[i], &w[j]);
        let distance = distance(&weights);
        if distance < best.0 {
            best = (distance, weights);
        }
    }
    best.1
}
