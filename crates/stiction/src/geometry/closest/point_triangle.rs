//! The point of a triangle nearest to another [Ericson, Real-Time Collision Detection, §5.1.5].

use super::Closest;
use super::point_segment::place;
use crate::math::Vector3;

/// Below this square of its height over its length a triangle is a needle: areas that tell its regions apart suffer
/// from rounding, so that its edges are looked at as well.
const NEEDLE: f64 = 1e-8;

/// The point of the triangle `b` that is nearest to `x`.
pub fn closest_point_triangle(x: Vector3, b: &[Vector3; 3]) -> Closest<1, 3> {
    let weights = weights_on_triangle(b, x);
    Closest::new(&[x], b, [1.0], weights)
}

/// Barycentric coordinates of the point of a triangle that is nearest to `x`: exactly zero for corners that it does not
/// depend on, so that they tell whether it is a corner, on an edge or inside. A triangle without area is its edges.
pub fn weights_on_triangle(p: &[Vector3; 3], x: Vector3) -> [f64; 3] {
    let [a, b, c] = p;
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let weights = by_region(p, x, ab, ac, bc);
    let (ab_sq, ac_sq, across) = (ab.norm_squared(), ac.norm_squared(), ab.dot(&ac));
    let length_sq = ab_sq.max(ac_sq).max(bc.norm_squared());
    if ab_sq * ac_sq - across * across > NEEDLE * length_sq * length_sq {
        return weights;
    }
    let on_edge = on_an_edge(p, x);
    let offset = |w: &[f64; 3]| (a - x) + ab * w[1] + ac * w[2];
    if offset(&on_edge).norm_squared() <= offset(&weights).norm_squared() {
        on_edge
    } else {
        weights
    }
}

/// By the region of the plane that the foot of `x` lies in.
fn by_region(
    [a, b, c]: &[Vector3; 3],
    x: Vector3,
    ab: Vector3,
    ac: Vector3,
    bc: Vector3,
) -> [f64; 3] {
    let (ax, bx, cx) = (x - a, x - b, x - c);
    let (d1, d2) = (ab.dot(&ax), ac.dot(&ax));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (ab.dot(&bx), ac.dot(&bx));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let (d5, d6) = (ab.dot(&cx), ac.dot(&cx));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let of_c = d1 * d4 - d3 * d2;
    if of_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = share(d1, -d3);
        return [1.0 - t, t, 0.0];
    }
    let of_b = d5 * d2 - d1 * d6;
    if of_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = share(d2, -d6);
        return [1.0 - t, 0.0, t];
    }
    let of_a = d3 * d6 - d5 * d4;
    let (from_b, from_c) = (bc.dot(&bx), -bc.dot(&cx));
    if of_a <= 0.0 && from_b >= 0.0 && from_c >= 0.0 {
        let t = share(from_b, from_c);
        return [0.0, 1.0 - t, t];
    }
    let total = of_a + of_b + of_c;
    if total > 0.0 { [of_a / total, of_b / total, of_c / total] } else { [1.0, 0.0, 0.0] }
}

/// On the nearest of the three edges.
fn on_an_edge(p: &[Vector3; 3], x: Vector3) -> [f64; 3] {
    let mut best = ([1.0, 0.0, 0.0], f64::INFINITY);
    for [from, to] in [[0, 1], [0, 2], [1, 2]] {
        let edge = p[to] - p[from];
        let t = place(edge, x - p[from]);
        let distance_sq = (x - p[from] - edge * t).norm_squared();
        if distance_sq < best.1 {
            let mut weights = [0.0; 3];
            weights[from] = 1.0 - t;
            weights[to] = t;
            best = (weights, distance_sq);
        }
    }
    best.0
}

fn share(a: f64, b: f64) -> f64 {
    if a + b > 0.0 { a / (a + b) } else { 0.0 }
}
