//! All sliding solutions of one contact, from the roots of a polynomial (`docs/theory/contact-solvers.md`, "One
//! contact").
//!
//! With `S`, `c` as in `enumeration`, `det(S + αI) = α² + tr α + det` and `L = adj(S) c`:
//! `r_T = −(cα + L)/det(α)`, `r_N = (n₂α² + n₁α + n₀)/det(α)`, and `‖r_T‖² = μ² r_N²` is a quartic for `α`.
//! Squaring loses digits, so each root is used as it is only where `W` is well conditioned.

use crate::math::{Matrix3, Vector2, Vector3};

/// The impulses of all sliding solutions of `u = W r + q`, by growing slip; none, one or, for large `mu`, several.
pub fn quartic_slides(w: &Matrix3, q: Vector3, mu: f64) -> Vec<Vector3> {
    let w_nn = w[(0, 0)];
    let w_nt = Vector2::new(w[(1, 0)], w[(2, 0)]);
    let s = |a: usize, b: usize| w[(a + 1, b + 1)] - w_nt[a] * w_nt[b] / w_nn;
    let (s11, s12, s22) = (s(0, 0), s(0, 1), s(1, 1));
    let c = Vector2::new(q.y, q.z) - w_nt * (q.x / w_nn);
    let l = Vector2::new(s22 * c.x - s12 * c.y, s11 * c.y - s12 * c.x);
    let (trace, det) = (s11 + s22, s11 * s22 - s12 * s12);
    // −W_NN r_N det(α), and μ² of it squared against W_NN² ‖cα + L‖².
    let n = [q.x * det - w_nt.dot(&l), q.x * trace - w_nt.dot(&c), q.x];
    let (m2, w2) = (mu * mu, w_nn * w_nn);
    let polynomial = [
        m2 * n[0] * n[0] - w2 * l.norm_squared(),
        2.0 * (m2 * n[0] * n[1] - w2 * c.dot(&l)),
        m2 * (n[1] * n[1] + 2.0 * n[0] * n[2]) - w2 * c.norm_squared(),
        2.0 * m2 * n[1] * n[2],
        m2 * n[2] * n[2],
    ];
    let impulse = |alpha: f64| {
        let det = (alpha + trace) * alpha + det;
        let tangent = -(c * alpha + l) / det;
        let normal = -(q.x + w_nt.dot(&tangent)) / w_nn;
        Vector3::new(normal, tangent.x, tangent.y)
    };
    let roots = real_roots(&polynomial);
    let impulses = roots.into_iter().filter(|&alpha| alpha > 0.0).map(impulse);
    impulses.filter(|r| r.x >= 0.0).collect()
}

/// Real roots of `Σ p_k x^k`, ascending; a double root may be missed or given twice.
///
/// Between stationary points a polynomial is monotone: their signs bracket the roots, and they are roots of the
/// derivative.
pub fn real_roots(p: &[f64]) -> Vec<f64> {
    let Some(degree) = p.iter().rposition(|&c| c.abs() > 0.0) else { return Vec::new() };
    let p = &p[..=degree];
    if degree == 0 || p.iter().any(|c| !c.is_finite()) {
        return Vec::new();
    }
    if degree == 1 {
        return vec![-p[0] / p[1]];
    }
    let derivative: Vec<f64> = (1..=degree).map(|k| k as f64 * p[k]).collect();
    let value = |x: f64| p.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let slope = |x: f64| derivative.iter().rev().fold(0.0, |sum, c| sum * x + c);
    // Cauchy's bound.
    let bound = 1.0 + p[..degree].iter().map(|c| (c / p[degree]).abs()).fold(0.0, f64::max);
    let mut ends = vec![-bound];
    ends.extend(real_roots(&derivative).into_iter().filter(|x| x.abs() < bound));
    ends.push(bound);
    let mut roots = Vec::new();
    for pair in ends.windows(2) {
        let (mut low, mut high) = (pair[0], pair[1]);
        let rises = value(low) < 0.0;
        if (value(high) < 0.0) == rises {
            continue;
        }
        let mut x = 0.5 * (low + high);
        for _ in 0..200 {
            let v = value(x);
            if (v < 0.0) == rises {
                low = x;
            } else {
                high = x;
            }
            let newton = x - v / slope(x);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - x).abs() <= f64::EPSILON * x.abs() {
                break;
            }
            x = next;
        }
        roots.push(x);
    }
    roots
}
