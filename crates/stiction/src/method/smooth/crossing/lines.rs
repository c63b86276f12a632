//! The nearest points of two lines, the gap of two edges along them, and its derivatives.
//!
//! From the linear system for `p = (s, t, k)`, `A p = r`, `A = (u, −v, −c)`, `r = Q₀ − P₀`:
//!
//! $$ A\,\partial p = \partial r - \partial A\, p, \qquad
//!    \omega \cdot \partial_1\partial_2 p = -z \cdot (\partial_1 A\, \partial_2 p + \partial_2 A\, \partial_1 p +
//! \partial_1 \partial_2 A\, p), \quad A^T z = \omega $$
//!
//! Lengths of edges are given, and do not change.

use crate::math::{Matrix3, Vector3};

/// `σ`: sine of the angle below which edges count as parallel.
const PARALLEL: f64 = 0.05;

/// A function of `u`, `v`, `r`: its slopes.
pub(crate) type Slopes = [Vector3; 3];

/// The nearest points of two lines, and the gap.
pub(crate) struct Lines {
    pub(crate) u: Vector3,
    pub(crate) v: Vector3,
    pub(crate) c: Vector3,
    /// `|c|`, and its slopes.
    pub(crate) length: f64,
    pub(crate) by_length: Slopes,
    pub(crate) sign: f64,
    pub(crate) normal: Vector3,
    /// `s, t, k`, and their slopes.
    pub(crate) p: Vector3,
    pub(crate) by: [Slopes; 3],
    pub(crate) gap: f64,
    /// Of the gap.
    pub(crate) slope: Slopes,
    /// Of the gap, by `s, t, k` and by `|c|`; and second derivatives by `s`, `t`, `|c|`.
    by_p: Vector3,
    by_c: f64,
    bend: Vector3,
}

impl Lines {
    /// Nothing where lines have no direction, or the same.
    pub(crate) fn new(
        ends: &[[Vector3; 2]; 2],
        lengths: [f64; 2],
        sign: f64,
        radii: f64,
        thickness: f64,
    ) -> Option<Self> {
        let [[p0, p1], [q0, q1]] = ends;
        let (u, v, r) = (p1 - p0, q1 - q0, q0 - p0);
        let c = u.cross(&v);
        let length = c.norm();
        if length <= 1e-6 * lengths[0] * lengths[1] {
            return None;
        }
        // Rows of A⁻¹, A = (u, −v, −c).
        let rows = [v.cross(&c), u.cross(&c), -c].map(|row| row / (length * length));
        let p = Vector3::from_iterator(rows.iter().map(|row| row.dot(&r)));
        let [s, t, k] = [p.x, p.y, p.z];
        let by_u = Matrix3::from_diagonal_element(-s) - v.cross_matrix() * k;
        let by_v = Matrix3::from_diagonal_element(t) + u.cross_matrix() * k;
        let by = rows.map(|row| [by_u.tr_mul(&row), by_v.tr_mul(&row), row]);
        let unit = c / length;
        let by_length = [v.cross(&unit), unit.cross(&u), Vector3::zeros()];
        let mut gap = sign * k * length - radii;
        let mut by_p = Vector3::new(0.0, 0.0, sign * length);
        let mut by_c = sign * k;
        let mut bend = Vector3::zeros();
        for (axis, size) in lengths.into_iter().enumerate() {
            for (way, toward) in [(-p[axis], -1.0), (p[axis] - 1.0, 1.0)] {
                let x = (way * size / thickness + 1.0).max(0.0);
                gap += thickness * x.powi(3);
                by_p[axis] += 3.0 * x * x * size * toward;
                bend[axis] += 6.0 * x * size * size / thickness;
            }
        }
        let scale = PARALLEL * lengths[0] * lengths[1];
        let x = (1.0 - length / scale).max(0.0);
        gap += 10.0 * thickness * x.powi(3);
        by_c -= 30.0 * thickness * x * x / scale;
        bend.z = 60.0 * thickness * x / (scale * scale);
        let slope = [0, 1, 2].map(|k| {
            by[0][k] * by_p.x + by[1][k] * by_p.y + by[2][k] * by_p.z + by_length[k] * by_c
        });
        let normal = unit * sign;
        Some(Self { u, v, c, length, by_length, sign, normal, p, by, gap, slope, by_p, by_c, bend })
    }

    /// Halfway between the nearest points, and further along the normal [m].
    pub(crate) fn place(&self, [[p0, _], [q0, _]]: &[[Vector3; 2]; 2], further: f64) -> Vector3 {
        (p0 + self.u * self.p.x + q0 + self.v * self.p.y) * 0.5 + self.normal * further
    }

    /// Derivatives of the normal by `u` and `v`.
    pub(crate) fn by_normal(&self) -> [Matrix3; 2] {
        let across = Matrix3::identity() - self.normal * self.normal.transpose();
        let by_c = across * (self.sign / self.length);
        [-by_c * self.v.cross_matrix(), by_c * self.u.cross_matrix()]
    }

    /// Second derivatives of the gap by `u`, `v`, `r`.
    pub(crate) fn hessian(&self) -> [[Matrix3; 3]; 3] {
        let Self { u, v, c, length, p, by, by_length, .. } = self;
        let zero = Vector3::zeros();
        let mut h = [[Matrix3::zeros(); 3]; 3];
        let mut add = |a: &Slopes, b: &Slopes, weight: f64| {
            for (row, a) in h.iter_mut().zip(a) {
                for (block, b) in row.iter_mut().zip(b) {
                    *block += a * b.transpose() * weight;
                }
            }
        };
        // Of s, t, k: z = A⁻ᵀ ω.
        let rows = [v.cross(c), u.cross(c), -*c].map(|row| row / (length * length));
        let z = rows[0] * self.by_p.x + rows[1] * self.by_p.y + rows[2] * self.by_p.z;
        let changes = [[z, zero, zero], [zero, z, zero], [v.cross(&z), z.cross(u), zero]];
        for (k, weight) in [(0, -1.0), (1, 1.0), (2, 1.0)] {
            add(&changes[k], &by[k], weight);
            add(&by[k], &changes[k], weight);
        }
        // d = ± k |c|: the product, and what widens it.
        add(&by[2], by_length, self.sign);
        add(by_length, &by[2], self.sign);
        add(&by[0], &by[0], self.bend.x);
        add(&by[1], &by[1], self.bend.y);
        add(by_length, by_length, self.bend.z);
        // Of |c|.
        let unit = c / *length;
        let across = Matrix3::identity() - unit * unit.transpose();
        let by_c = [-v.cross_matrix(), u.cross_matrix()];
        for i in 0..2 {
            for j in 0..2 {
                h[i][j] += by_c[i].tr_mul(&(across * by_c[j])) * (self.by_c / length);
            }
        }
        // And of c itself, which is bilinear.
        let bilinear = z.cross_matrix() * p.z + unit.cross_matrix() * self.by_c;
        h[0][1] -= bilinear;
        h[1][0] += bilinear;
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    const THICKNESS: f64 = 0.1;

    /// Edges that turn and move with time, nearest to each other in the middle of one and at a part `reach` of the
    /// other: where they are, and how `u`, `v`, `r` change at first and second order at time zero.
    fn ends(t: f64, reach: f64, tilt: f64) -> ([[Vector3; 2]; 2], [[Vector3; 2]; 3]) {
        let spins = [Vector3::new(0.3, -0.5, 0.2), Vector3::new(-0.2, 0.4, 0.6)];
        let u = Vector3::new(1.0, 0.1, -0.2);
        let v = Rotation3::new(Vector3::new(0.2, 1.0, 0.1).normalize() * tilt) * u * 0.9;
        let apart = u.cross(&v).normalize() * 0.1;
        let [u1, v1] = [(u, 0), (v, 1)].map(|(x, k)| Rotation3::new(spins[k] * t) * x);
        let move_by = Vector3::new(0.2, 0.3, -0.1);
        let q0 = u * 0.5 - apart - v * reach + move_by * t;
        let p0 = Vector3::zeros();
        let rates = |x: Vector3, w: Vector3| [w.cross(&x), w.cross(&w.cross(&x))];
        let by = [rates(u, spins[0]), rates(v, spins[1]), [move_by, Vector3::zeros()]];
        ([[p0, p0 + u1], [q0, q0 + v1]], by)
    }

    /// Between the ends, near and beyond one, and nearly parallel.
    #[test]
    fn derivatives_of_the_gap_are_complete() {
        for (reach, tilt, widens) in
            [(0.5, 1.2, false), (0.96, 1.2, true), (1.1, 1.0, true), (0.5, 0.03, true)]
        {
            let at = |t: f64| {
                let ends = ends(t, reach, tilt).0;
                let lengths = ends.map(|[from, to]| (to - from).norm());
                Lines::new(&ends, lengths, 1.0, 0.02, THICKNESS).expect("lines")
            };
            let (_, by) = ends(0.0, reach, tilt);
            let lines = at(0.0);
            let plain = lines.p.z * lines.length - 0.02;
            assert_eq!(lines.gap > plain + 1e-12, widens, "{reach}, {tilt}");
            let h = lines.hessian();
            let (mut first, mut second) = (0.0, 0.0);
            for i in 0..3 {
                first += lines.slope[i].dot(&by[i][0]);
                second += lines.slope[i].dot(&by[i][1]);
                second += (0..3).map(|j| by[i][0].dot(&(h[i][j] * by[j][0]))).sum::<f64>();
            }
            let gap = |t: f64| at(t).gap;
            let errors = |t: f64| {
                let slope = (gap(t) - gap(-t)) / (2.0 * t);
                let bend = (gap(t) - 2.0 * gap(0.0) + gap(-t)) / (t * t);
                [(slope - first).abs(), (bend - second).abs()]
            };
            let (coarse, fine) = (errors(1e-2), errors(1e-3));
            let scale = 1.0 + first.abs() + second.abs();
            for (coarse, fine) in coarse.into_iter().zip(fine) {
                let falls = fine < 0.05 * coarse || fine < 1e-7 * scale;
                assert!(falls, "{reach}, {tilt}: {coarse:e} -> {fine:e} of {scale}");
            }
        }
    }
}
