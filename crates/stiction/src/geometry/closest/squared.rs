//! Squared distances of a point and a triangle, and of two segments, with first and second derivatives.
//!
//! The closest points are `r = Σ cᵢ xᵢ` apart, with coefficients `c` that are weights on one side and minus weights on
//! the other. Where a closest point may move along its feature, by parameters `β`, it is optimal there, so that
//!
//! $$ d^2 = |r|^2, \qquad \partial_i d^2 = 2 c_i r, \qquad
//!    \partial^2 d^2 = 2\, c c^T \otimes I - Q\, (2\, T^T T)^{-1} Q^T, $$
//! $$ T_k = \sum_i \frac{\partial c_i}{\partial \beta_k} x_i, \qquad
//!    Q_k[i] = 2 c_i T_k + 2 \frac{\partial c_i}{\partial \beta_k} r $$
//!
//! in all seven regions of a triangle and all nine of two segments, without a case for each (envelope theorem;
//! docs/theory/barrier.md). `d²` is once differentiable where regions meet.

use super::{closest_segment_segment, weights_on_triangle};
use crate::math::{Matrix3, Vector3};

/// The squared distance of two features of four points together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredDistance {
    /// `c`: weights of the closest point of the first feature, minus those of the second.
    pub coefficients: [f64; 4],
    /// `r`: from the closest point of the second feature to that of the first [m].
    pub offset: Vector3,
    /// How many points the first feature has.
    first: usize,
}

impl SquaredDistance {
    /// Of the point `x[0]` and the triangle of the others.
    #[doc(alias = "point-triangle")]
    pub fn point_triangle(x: &[Vector3; 4]) -> Self {
        let [p, a, b, c] = *x;
        let w = weights_on_triangle(&[a, b, c], p);
        Self::new([1.0, -w[0], -w[1], -w[2]], 1, x)
    }

    /// Of the segment from `x[0]` to `x[1]` and that of the others.
    #[doc(alias = "edge-edge")]
    pub fn edge_edge(x: &[Vector3; 4]) -> Self {
        let [a, b, c, d] = *x;
        let closest = closest_segment_segment(&[a, b], &[c, d]);
        let ([s0, s1], [t0, t1]) = (closest.weights_a, closest.weights_b);
        Self::new([s0, s1, -t0, -t1], 2, x)
    }

    fn new(coefficients: [f64; 4], first: usize, x: &[Vector3; 4]) -> Self {
        // They add up to zero: from the first point, so that nothing is lost far from the origin.
        let offset = (1..4).map(|k| (x[k] - x[0]) * coefficients[k]).sum();
        Self { coefficients, offset, first }
    }

    /// `d²` [m²].
    pub fn value(&self) -> f64 {
        self.offset.norm_squared()
    }

    /// `∂d²` [m].
    pub fn gradient(&self) -> [Vector3; 4] {
        self.coefficients.map(|c| self.offset * (2.0 * c))
    }

    /// `∂²d²` [-].
    pub fn hessian(&self, x: &[Vector3; 4]) -> [[Matrix3; 4]; 4] {
        let c = &self.coefficients;
        let mut h: [[Matrix3; 4]; 4] = std::array::from_fn(|i| {
            std::array::from_fn(|j| Matrix3::from_diagonal_element(2.0 * c[i] * c[j]))
        });
        let (free, count) = self.free();
        if count == 0 {
            return h;
        }
        let along = [0, 1].map(|k| -> Vector3 { (0..4).map(|i| x[i] * free[k][i]).sum() });
        let q = [0, 1].map(|k| -> [Vector3; 4] {
            std::array::from_fn(|i| (along[k] * c[i] + self.offset * free[k][i]) * 2.0)
        });
        let inverse = inverse(&along, count);
        for i in 0..4 {
            for j in 0..4 {
                for k in 0..count {
                    for l in 0..count {
                        h[i][j] -= q[k][i] * q[l][j].transpose() * inverse[k][l];
                    }
                }
            }
        }
        h
    }

    /// `∂c/∂β`, and how many of them there are: weight goes from the first point of a feature that has some to each
    /// other one that has.
    fn free(&self) -> ([[f64; 4]; 2], usize) {
        let (mut free, mut count) = ([[0.0; 4]; 2], 0);
        for (points, sign) in [(0..self.first, 1.0), (self.first..4, -1.0)] {
            let mut used = points.filter(|&i| self.coefficients[i] != 0.0);
            let Some(from) = used.next() else { continue };
            for to in used {
                free[count][from] = -sign;
                free[count][to] = sign;
                count += 1;
            }
        }
        (free, count)
    }
}

/// `(2 TᵀT)⁻¹`.
fn inverse(along: &[Vector3; 2], count: usize) -> [[f64; 2]; 2] {
    let [a, b] = along;
    let aa = 2.0 * a.norm_squared();
    if count == 1 {
        return [[1.0 / aa, 0.0], [0.0, 0.0]];
    }
    let (ab, bb) = (2.0 * a.dot(b), 2.0 * b.norm_squared());
    // |2a × b|² = aa bb − ab², without cancellation.
    let determinant = 4.0 * a.cross(b).norm_squared();
    [[bb / determinant, -ab / determinant], [-ab / determinant, aa / determinant]]
}
