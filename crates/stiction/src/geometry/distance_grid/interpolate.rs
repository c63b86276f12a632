//! Between nodes: products of one-dimensional blends along the axes, with their derivatives.

use super::{DistanceGrid, GridInterpolation};
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// Weights of four nodes in a row: value, first and second derivative in units of the spacing.
type Row = [[f64; 4]; 3];

impl DistanceGrid {
    /// In the part where all nodes around a point exist.
    pub(super) fn inner_jet(&self, x: &Vector3) -> Jet {
        let mut cell = [0; 3];
        let mut rows = [[[0.0; 4]; 3]; 3];
        for axis in 0..3 {
            let place = (x[axis] - self.origin[axis]) / self.spacing;
            cell[axis] = (place as usize).clamp(1, self.counts[axis] - 3);
            let t = place - cell[axis] as f64;
            rows[axis] = match self.interpolation {
                GridInterpolation::Linear => linear(t),
                GridInterpolation::Cubic => cubic(t),
            };
        }
        let [rx, ry, rz] = rows;
        // Powers of derivatives along x, y, z: value, three slopes, six curvatures.
        let mut sums = [0.0; 10];
        for k in 0..4 {
            let mut of_plane = [0.0; 6];
            for j in 0..4 {
                let begin = cell[0] - 1
                    + self.counts[0] * (cell[1] + j - 1 + self.counts[1] * (cell[2] + k - 1));
                let line = &self.values[begin..begin + 4];
                let along = |weights: &[f64; 4]| -> f64 {
                    weights[0] * line[0]
                        + weights[1] * line[1]
                        + weights[2] * line[2]
                        + weights[3] * line[3]
                };
                let [v, vx, vxx] = [along(&rx[0]), along(&rx[1]), along(&rx[2])];
                let [y, yy, yyy] = [ry[0][j], ry[1][j], ry[2][j]];
                for (sum, part) in
                    of_plane.iter_mut().zip([v * y, vx * y, v * yy, vxx * y, vx * yy, v * yyy])
                {
                    *sum += part;
                }
            }
            let [v, x, y, xx, xy, yy] = of_plane;
            let [z, dz, dzz] = [rz[0][k], rz[1][k], rz[2][k]];
            let parts =
                [v * z, x * z, y * z, v * dz, xx * z, xy * z, yy * z, x * dz, y * dz, v * dzz];
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        }
        let [value, x, y, z, xx, xy, yy, xz, yz, zz] = sums;
        let h = self.spacing;
        Jet {
            value,
            gradient: Vector3::new(x, y, z) / h,
            hessian: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz) / (h * h),
        }
    }
}

fn linear(t: f64) -> Row {
    [[0.0, 1.0 - t, t, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0; 4]]
}

fn cubic(t: f64) -> Row {
    let polynomial = |[a, b, c, d]: [f64; 4]| {
        [a + t * (b + t * (c + t * d)), b + t * (2.0 * c + t * 3.0 * d), 2.0 * c + 6.0 * d * t]
    };
    let [p, q, r, s] = [
        polynomial([0.0, -0.5, 1.0, -0.5]),
        polynomial([1.0, 0.0, -2.5, 1.5]),
        polynomial([0.0, 0.5, 2.0, -1.5]),
        polynomial([0.0, 0.0, -0.5, 0.5]),
    ];
    [0, 1, 2].map(|order| [p[order], q[order], r[order], s[order]])
}
