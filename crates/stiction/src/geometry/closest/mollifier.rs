//! A factor that takes away what two edges feel of each other as they become parallel.
//!
//! $$ m = (2 - y)\, y, \quad y = \frac{|u \times v|^2}{\epsilon} < 1, \qquad m = 1 \text{ beyond}, \qquad
//!    \epsilon = 10^{-3} |u_0|^2 |v_0|^2 $$
//!
//! with the edges `u`, `v`, at rest `u₀`, `v₀` [LFS+20, §4.2]. Without it the distance of edges has a kink where
//! they are parallel.

use crate::math::{Matrix3, Vector3};

/// Square of the sine below which edges at rest lengths count as parallel.
const PARALLEL: f64 = 1e-3;

/// `m` of two edges, with derivatives by their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mollifier {
    /// `m` [-].
    pub value: f64,
    /// `∂m` [1/m].
    pub gradient: [Vector3; 4],
    /// `∂²m` [1/m²].
    pub hessian: [[Matrix3; 4]; 4],
}

/// `ε` of two edges by their lengths at rest [m⁴].
pub fn mollifier_threshold(lengths: [f64; 2]) -> f64 {
    PARALLEL * (lengths[0] * lengths[1]).powi(2)
}

/// `m` alone of the edges `x[0] x[1]` and `x[2] x[3]`.
pub fn mollifier_value(x: &[Vector3; 4], threshold: f64) -> f64 {
    let y = (x[1] - x[0]).cross(&(x[3] - x[2])).norm_squared() / threshold;
    if y < 1.0 { (2.0 - y) * y } else { 1.0 }
}

impl Mollifier {
    /// Of the edges `x[0] x[1]` and `x[2] x[3]`; nothing where it is one.
    pub fn new(x: &[Vector3; 4], threshold: f64) -> Option<Self> {
        let (u, v) = (x[1] - x[0], x[3] - x[2]);
        let cross = u.cross(&v);
        let y = cross.norm_squared() / threshold;
        if y >= 1.0 {
            return None;
        }
        let (first, second) = (2.0 * (1.0 - y) / threshold, -2.0 / (threshold * threshold));
        let slope = [v.cross(&cross) * 2.0, cross.cross(&u) * 2.0];
        let diagonal = |w: Vector3| {
            (Matrix3::from_diagonal_element(w.norm_squared()) - w * w.transpose()) * 2.0
        };
        let mixed = u * v.transpose() * 4.0
            - v * u.transpose() * 2.0
            - Matrix3::from_diagonal_element(2.0 * u.dot(&v));
        let bend = [[diagonal(v), mixed], [mixed.transpose(), diagonal(u)]];
        // Ends: which edge, and with which sign.
        const ENDS: [(usize, f64); 4] = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)];
        Some(Self {
            value: (2.0 - y) * y,
            gradient: ENDS.map(|(edge, sign)| slope[edge] * (sign * first)),
            hessian: ENDS.map(|(a, s)| {
                ENDS.map(|(b, t)| {
                    (slope[a] * slope[b].transpose() * second + bend[a][b] * first) * (s * t)
                })
            }),
        })
    }
}
