//! A triangle and the coordinates around it.

use crate::math::{Matrix3, Vector3};

/// The frame of a triangle: where its plane looks, and how barycentric coordinates change along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Unit normal.
    pub n: Vector3,
    /// Gradients of the barycentric coordinates, in the plane; they sum to zero [1/m].
    pub g: [Vector3; 3],
}

/// Twice the area over the sum of squared edges below which a triangle has no frame [-]; it is at most √3/6. So
/// thin a triangle has lost half of the digits of its normal.
const FLAT: f64 = 1e-8;

impl Face {
    /// Nothing for triangles without area.
    pub(super) fn new(p: &[Vector3; 3]) -> Option<Self> {
        let e = [p[2] - p[1], p[0] - p[2], p[1] - p[0]]; // opposite to each corner
        let normal = e[0].cross(&e[1]);
        let double_area = normal.norm();
        let square_sum = e[0].norm_squared() + e[1].norm_squared() + e[2].norm_squared();
        // Also false for NaN.
        if double_area > FLAT * square_sum {
            let per_area = 1.0 / double_area;
            let n = normal * per_area;
            let across = n * per_area;
            let (g0, g1) = (across.cross(&e[0]), across.cross(&e[1]));
            return Some(Self { n, g: [g0, g1, -(g0 + g1)] });
        }
        None
    }

    /// Barycentric coordinates of the foot and height [m] of a point at `d` from the centroid [m].
    pub(super) fn coordinates(&self, d: &Vector3) -> ([f64; 3], f64) {
        const THIRD: f64 = 1.0 / 3.0;
        let (b0, b1) = (THIRD + self.g[0].dot(d), THIRD + self.g[1].dot(d));
        ([b0, b1, 1.0 - b0 - b1], self.n.dot(d))
    }

    /// `L = Σ v_k g_kᵀ`: the velocity gradient in the plane, from velocities of the corners [1/s].
    pub(super) fn velocity_gradient(&self, v: &[Vector3; 3]) -> Matrix3 {
        outer(&(v[0] - v[2]), &self.g[0]) + outer(&(v[1] - v[2]), &self.g[1])
    }
}

/// The middle of a triangle [m].
pub(super) fn centroid(p: &[Vector3; 3]) -> Vector3 {
    (p[0] + p[1] + p[2]) * (1.0 / 3.0)
}

/// `a bᵀ`.
pub(super) fn outer(a: &Vector3, b: &Vector3) -> Matrix3 {
    Matrix3::from_columns(&[a * b.x, a * b.y, a * b.z])
}
