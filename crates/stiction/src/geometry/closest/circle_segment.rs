//! Places of a segment that are nearer to a circle than those beside them.
//!
//! With `h` the height of a point over the plane of the circle and `r` its distance from the axis, the circle is as
//! far as
//!
//! $$ f = h^2 + (r - R)^2 $$
//!
//! Along a line, `r² = r₀² + k² (s - s_c)²` and `f''/2 = h'² + k² - R k² r₀² / r³`, which grows with `r`: to either
//! side of `s_c` the function is first concave, then convex, from `r_i³ = R k² r₀² / (h'² + k²)` on. So there is at
//! most one such place on each side, where `f'` changes its sign.

use crate::math::Vector3;

/// A circle in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// [m].
    pub center: Vector3,
    /// Across its plane, of length one.
    pub axis: Vector3,
    /// [m].
    pub radius: f64,
}

impl Circle {
    /// From the center to the point of the circle that is nearest to `x`, of length one; nothing on the axis, where
    /// all are as near.
    pub fn towards(&self, x: Vector3) -> Option<Vector3> {
        let from = x - self.center;
        (from - self.axis * self.axis.dot(&from)).try_normalize(1e-12 * self.radius)
    }
}

/// Places between the ends of a segment, from zero to one: before the place that is nearest to the axis, and after it.
pub fn places_near_circle(circle: &Circle, [from, to]: &[Vector3; 2]) -> [Option<f64>; 2] {
    let (u, w) = (to - from, from - circle.center);
    let (h, h_by) = (circle.axis.dot(&w), circle.axis.dot(&u));
    let (flat, flat_by) = (w - circle.axis * h, u - circle.axis * h_by);
    let k_sq = flat_by.norm_squared();
    if k_sq <= 1e-18 * u.norm_squared() {
        let s = -h / h_by; // along the axis
        return [None, (s > 0.0 && s < 1.0).then_some(s)];
    }
    let middle = -flat.dot(&flat_by) / k_sq;
    let r0_sq = (flat + flat_by * middle).norm_squared();
    let bend_cubed = circle.radius * k_sq * r0_sq / (h_by * h_by + k_sq);
    let convex_from = ((bend_cubed.cbrt().powi(2) - r0_sq).max(0.0) / k_sq).sqrt();
    [-1.0, 1.0].map(|side| {
        // Outwards, at a distance along the segment from the middle.
        let slope = |way: f64| {
            let r = (r0_sq + k_sq * way * way).sqrt();
            let r_by = if r > 0.0 { k_sq * way / r } else { k_sq.sqrt() };
            (h + h_by * (middle + side * way)) * h_by * side + (r - circle.radius) * r_by
        };
        let [first, last] =
            if side > 0.0 { [-middle, 1.0 - middle] } else { [middle - 1.0, middle] };
        let (mut low, mut high) = (convex_from.max(first), last);
        if !(low < high && slope(low) < 0.0 && slope(high) > 0.0) {
            return None;
        }
        // Until halves are no longer told apart.
        for _ in 0..60 {
            let half = 0.5 * (low + high);
            if slope(half) < 0.0 {
                low = half;
            } else {
                high = half;
            }
        }
        let s = middle + side * 0.5 * (low + high);
        (s > 0.0 && s < 1.0).then_some(s)
    })
}
