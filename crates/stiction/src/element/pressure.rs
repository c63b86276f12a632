//! Pressure that follows the surface.
//!
//! $$ f_a = \tfrac{p}{6}\, (x_1 - x_0) \times (x_2 - x_0), \qquad a = 0, 1, 2 $$
//!
//! `p` pressure per deformed area [Pa], positive along the normal of the triangle (counter-clockwise):
//! with outward normals, positive inflates. A single triangle has no energy, so `energy` is zero and
//! the second derivative is not symmetric; over a closed surface of one pressure the parts add up to
//! those of `−p V`.
//!
//! `Projection::Positive` returns zero: the symmetric part of one triangle is indefinite, and clamping
//! it would invent a stiffness that the closed surface does not have.

use super::{ElementSet, Hessian, Projection};
use crate::math::{Matrix3, Vector3};

/// Triangles under pressure.
#[derive(Clone, Debug, Default)]
pub struct PressureSet {
    /// Pressure on each triangle [Pa].
    pub pressures: Vec<f64>,
}

impl PressureSet {
    /// The same pressure [Pa] on `count` triangles.
    pub fn uniform(pressure: f64, count: usize) -> Self {
        Self { pressures: vec![pressure; count] }
    }
}

impl ElementSet<3> for PressureSet {
    fn len(&self) -> usize {
        self.pressures.len()
    }

    fn energy(&self, _e: usize, _x: &[Vector3; 3]) -> f64 {
        0.0
    }

    fn gradient(&self, e: usize, x: &[Vector3; 3]) -> [Vector3; 3] {
        [(x[1] - x[0]).cross(&(x[2] - x[0])) * (-self.pressures[e] / 6.0); 3]
    }

    fn hessian(&self, e: usize, x: &[Vector3; 3], projection: Projection) -> Hessian<3> {
        if projection == Projection::Positive {
            return [[Matrix3::zeros(); 3]; 3];
        }
        // ∂(e1 × e2)/∂x_b is the cross-product matrix of the edge opposite to b.
        let scale = -self.pressures[e] / 6.0;
        let row = [x[2] - x[1], x[0] - x[2], x[1] - x[0]].map(|edge| (edge * scale).cross_matrix());
        [row; 3]
    }

    fn is_conservative(&self) -> bool {
        false
    }
}
