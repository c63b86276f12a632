//! The closest points of two segments.
//!
//! If the lines cross between the ends as seen along their common normal, the crossing is the answer. Otherwise an
//! end of one segment is, and the best of the four is taken: no case of parallel segments is special.

use super::Closest;
use super::point_segment::place;
use crate::math::Vector3;

/// Below this sine squared the crossing of two lines is too uncertain to be taken without a look at the ends.
const NEARLY_PARALLEL: f64 = 1e-8;

/// The closest points of the segments `a` and `b`.
pub fn closest_segment_segment(a: &[Vector3; 2], b: &[Vector3; 2]) -> Closest<2, 2> {
    let [s, t] = places(a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    Closest::new(a, b, [1.0 - s, s], [1.0 - t, t])
}

/// Where along the edges `u` and `v` the closest points are; `w` goes from the start of `v` to the start of `u`.
#[inline]
pub(crate) fn places(u: Vector3, v: Vector3, w: Vector3) -> [f64; 2] {
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    let normal_sq = uu * vv - uv * uv;
    let (s, t) = (uv * vw - vv * uw, uu * vw - uv * uw); // both times `normal_sq`
    if normal_sq > NEARLY_PARALLEL * uu * vv {
        // Of the first the place nearest to the line of the second; where that is beyond an end of the second,
        // nearest to the end [Ericson, Real-Time Collision Detection, §5.1.9].
        let s = (s / normal_sq).clamp(0.0, 1.0);
        let t = (uv * s + vw) / vv;
        return match t {
            _ if t < 0.0 => [(-uw / uu).clamp(0.0, 1.0), 0.0],
            _ if t > 1.0 => [((uv - uw) / uu).clamp(0.0, 1.0), 1.0],
            _ => [s, t],
        };
    }
    let inside = s > 0.0 && s < normal_sq && t > 0.0 && t < normal_sq;
    let of_v = |s: f64| place(v, w + u * s);
    let of_u = |t: f64| place(u, v * t - w);
    let mut best = ([0.0, 0.0], f64::INFINITY);
    let mut offer = |[s, t]: [f64; 2]| {
        let distance_sq = (w + u * s - v * t).norm_squared();
        if distance_sq < best.1 {
            best = ([s, t], distance_sq);
        }
    };
    offer([0.0, of_v(0.0)]);
    offer([1.0, of_v(1.0)]);
    offer([of_u(0.0), 0.0]);
    offer([of_u(1.0), 1.0]);
    if inside {
        let s = of_u(of_v(s / normal_sq)); // once more, against cancellation
        offer([s, of_v(s)]);
    }
    best.0
}
