//! The point of a triangle nearest to another [Ericson, Real-Time Collision Detection, §5.1.5].

use crate::math::Vector3;

/// Barycentric coordinates of the point of a triangle that is nearest to `x`: exactly zero for corners that it does not
/// depend on, so that they tell whether it is a corner, on an edge or inside. A triangle without area is the longest of
/// its edges, about.
pub fn nearest(p: &[Vector3; 3], x: Vector3) -> [f64; 3] {
    let [a, b, c] = p;
    let (ab, ac, bc) = (b - a, c - a, c - b);
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

fn share(a: f64, b: f64) -> f64 {
    if a + b > 0.0 { a / (a + b) } else { 0.0 }
}
