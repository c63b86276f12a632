//! Springs between two points.
//!
//! $$ W = \tfrac{k}{2} (r - \ell)^2, \qquad r = \|x_1 - x_0\| $$
//!
//! `k` stiffness [N/m], `ℓ` rest length [m]. The second derivative is `k` along the spring and
//! `k(1 − ℓ/r)` across it; projection drops the latter when the spring is pushed together.
//! Damping acts along the spring only: across, it would brake a swing and, by the couple of its two
//! forces, take angular momentum away. A spring without length has no line; it is damped in all
//! directions, as it pulls.
//! With `ℓ = 0` the spring is linear and everything is exact everywhere. With `ℓ > 0` the energy has a
//! kink at `r = 0`; there the spring is taken to point along the x axis.

use super::{ElementSet, Hessian, Projection};
use crate::math::{Matrix3, Vector3};

/// One spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness [N/m]; at least zero.
    pub stiffness: f64,
    /// Rest length [m]; at least zero.
    pub rest_length: f64,
}

/// Springs between pairs of points.
#[derive(Clone, Debug, Default)]
pub struct SpringSet {
    /// The springs, in the order of their pairs.
    pub springs: Vec<Spring>,
}

impl SpringSet {
    /// Takes the springs as they are.
    pub fn new(springs: Vec<Spring>) -> Self {
        Self { springs }
    }
}

impl ElementSet<2> for SpringSet {
    fn len(&self) -> usize {
        self.springs.len()
    }

    fn energy(&self, e: usize, x: &[Vector3; 2]) -> f64 {
        let Spring { stiffness, rest_length } = self.springs[e];
        0.5 * stiffness * ((x[1] - x[0]).norm() - rest_length).powi(2)
    }

    fn gradient(&self, e: usize, x: &[Vector3; 2]) -> [Vector3; 2] {
        let Spring { stiffness, rest_length } = self.springs[e];
        let d = x[1] - x[0];
        let g = (d - direction(&d) * rest_length) * stiffness;
        [-g, g]
    }

    fn hessian(&self, e: usize, x: &[Vector3; 2], projection: Projection) -> Hessian<2> {
        let Spring { stiffness, rest_length } = self.springs[e];
        let d = x[1] - x[0];
        let n = direction(&d);
        let mut across = if rest_length > 0.0 {
            // Capped: at the kink the curvature has no bound.
            1.0 - rest_length / d.norm().max(1e-9 * rest_length)
        } else {
            1.0
        };
        if projection == Projection::Positive {
            across = across.max(0.0);
        }
        let nn = n * n.transpose();
        let k = (nn * (1.0 - across) + Matrix3::from_diagonal_element(across)) * stiffness;
        [[k, -k], [-k, k]]
    }

    fn damping(&self, e: usize, x: &[Vector3; 2]) -> Hessian<2> {
        let Spring { stiffness, rest_length } = self.springs[e];
        let n = direction(&(x[1] - x[0]));
        let all = Matrix3::from_diagonal_element(1.0);
        let k = if rest_length > 0.0 { n * n.transpose() } else { all } * stiffness;
        [[k, -k], [-k, k]]
    }
}

fn direction(d: &Vector3) -> Vector3 {
    d.try_normalize(0.0).unwrap_or_else(Vector3::x)
}
