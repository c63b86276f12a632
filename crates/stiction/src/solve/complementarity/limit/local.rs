//! One contact with a limit surface: `w = B z + q`, in its scaled coordinates.
//!
//! Semismooth Newton on the Alart–Curnier map [AC91]: with `s = z/ρ` and `y = s − w`,
//!
//! ```text
//! F_N = s_N − (y_N)₊,     F_T = s_T − P(y_T),   P onto the ellipsoids of the normal impulse (y_N)₊
//! ```
//!
//! Where that gets lost, proximal steps lead back.

use super::super::newton::Linearised;
use super::ellipsoid::project_ellipsoid_derivative;
use super::problem::{Block, Contact, Six};
use super::surface::ROWS;
use nalgebra::SVector;

/// Newton steps for one contact; three are usual.
const STEPS: usize = 25;
/// Proximal steps where Newton's method does not get better.
const PROXIMAL: usize = 8;

impl Contact {
    /// The Alart–Curnier map.
    pub(super) fn alart_curnier(&self, z: &Six, w: &Six) -> Six {
        let s = z / self.mass;
        let y = s - w;
        let mut nearest = self.project(y.x, &y);
        nearest.x = y.x.max(0.0);
        s - nearest
    }

    /// The Alart–Curnier map, and its derivatives by `z` and `w`.
    pub(super) fn linearise(&self, z: &Six, w: &Six) -> Linearised<6> {
        let s = z / self.mass;
        let y = s - w;
        if y.x <= 0.0 {
            let by_impulse = Block::identity() / self.mass;
            return Linearised { value: s, by_impulse, by_velocity: Block::zeros() };
        }
        let axes = self.axes_at(y.x, &y);
        let mut value = s;
        value.x = w.x;
        let mut by_s = Block::identity();
        let mut by_velocity = Block::zeros();
        by_s[(0, 0)] = 0.0;
        by_velocity[(0, 0)] = 1.0;
        for group in 0..ROWS as u8 {
            let own = |k: usize| self.surface.group[k] == group && axes[k] > 0.0;
            if !(0..ROWS).any(own) {
                continue;
            }
            let only = |k: usize, x: f64| if own(k) { x } else { 0.0 };
            let a = SVector::<f64, ROWS>::from_fn(|k, _| only(k, axes[k]));
            let y_t = SVector::<f64, ROWS>::from_fn(|k, _| only(k, y[k + 1]));
            let (x, by_y, by_factor) = project_ellipsoid_derivative(&a, &y_t);
            for i in (0..ROWS).filter(|&k| own(k)) {
                value[i + 1] -= x[i];
                by_s[(i + 1, 0)] = -by_factor[i] / y.x;
                by_velocity[(i + 1, 0)] = by_factor[i] / y.x;
                for j in (0..ROWS).filter(|&k| own(k)) {
                    by_s[(i + 1, j + 1)] -= by_y[(i, j)];
                    by_velocity[(i + 1, j + 1)] = by_y[(i, j)];
                }
            }
        }
        Linearised { value, by_impulse: by_s / self.mass, by_velocity }
    }

    /// One proximal step with factors along the normal and for friction.
    pub(super) fn step(&self, z: &Six, w: &Six, factors: &Six, normal_of_old: bool) -> Six {
        let mut moved = z - factors.component_mul(w);
        moved.x = moved.x.max(0.0);
        let normal = if normal_of_old { z.x } else { moved.x };
        self.project(normal, &moved)
    }

    /// Step factors that contract for this contact alone: the inverse of `B_NN`, and of the largest eigenvalue of
    /// each group's block.
    pub(super) fn factors(&self, blocked: bool) -> Six {
        let invert = |a: f64| if a * self.mass > 1e-12 { 1.0 / a } else { self.mass };
        let mut factors = Six::repeat(self.mass);
        factors.x = invert(self.block[(0, 0)]);
        for group in 0..ROWS as u8 {
            let own = |k: usize| k > 0 && self.surface.group[k - 1] == group && self.scale[k] > 0.0;
            let only = |i: usize, j: usize| if own(i) && own(j) { self.block[(i, j)] } else { 0.0 };
            let largest = match blocked {
                true => Block::from_fn(only).symmetric_eigenvalues().max(),
                false => (0..6).map(|k| only(k, k)).fold(0.0, f64::max),
            };
            for k in (0..6).filter(|&k| own(k)) {
                factors[k] = invert(largest);
            }
        }
        factors
    }

    /// The impulses that obey the law for `w = B z + q`, from `z`; as near as it comes.
    pub(super) fn solve(&self, q: &Six, z: &Six) -> Six {
        let residual = |z: &Six| self.natural(z, &(self.block * z + q)).norm();
        let mut z = *z;
        let mut now = residual(&z);
        let (mut best, mut best_residual) = (z, now);
        let enough = 1e-15 * q.amax();
        for _ in 0..STEPS {
            if now <= enough || !now.is_finite() {
                break;
            }
            let w = self.block * z + q;
            let linear = self.linearise(&z, &w);
            let matrix = linear.by_impulse + linear.by_velocity * self.block;
            let newton = matrix.lu().solve(&-linear.value);
            let trial =
                newton.filter(|step| step.iter().all(|x| x.is_finite())).map(|step| z + step);
            let better =
                trial.map(|trial| (trial, residual(&trial))).filter(|(_, r)| *r < 0.9 * now);
            (z, now) = better.unwrap_or_else(|| {
                let factors = self.factors(true);
                for _ in 0..PROXIMAL {
                    z = self.step(&z, &(self.block * z + q), &factors, false);
                }
                (z, residual(&z))
            });
            if now < best_residual {
                (best, best_residual) = (z, now);
            }
        }
        best.x = best.x.max(0.0);
        best
    }
}
