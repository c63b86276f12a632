//! Take off, stick or slide: the first that is consistent (`docs/theory/contact-solvers.md`, "One contact").
//!
//! Sliding has `u_N = 0` and `u_T = −α r_T` with `α > 0`. Eliminating `r_N` leaves `(S + αI) r_T = −c` with the Schur
//! complement `S`, and one equation for `α`: `μ r_N(α) = ‖r_T(α)‖`. Sticking (`α = 0`) breaks the cone on one side,
//! `α → ∞` on the other: there is always a root between, and `μ r_N/‖r_T‖ − 1` is nearly straight there.
//!
//! The associated model slides with `u` on the boundary of `K*` instead: then `r` is the best ray of the boundary of
//! `K`, found by its angle.

use super::LocalSolver;
use super::newton::newton;
use super::quartic::quartic_slides;
use crate::math::{Matrix3, Vector2, Vector3};
use crate::solve::complementarity::cone::projection::tangential;
use crate::solve::complementarity::cone::{ContactLaw, Model};

/// A block made ready for solving with many `q`.
#[derive(Clone, Debug)]
pub struct Prepared {
    law: ContactLaw,
    w: Matrix3,
    inverse: Matrix3,
    /// Of the normal row: `W_NN`, and `W_NT` in the axes of the Schur complement.
    w_nn: f64,
    w_nt: Vector2,
    /// Axis of the first eigenvalue of the Schur complement.
    axis: Vector2,
    eigenvalues: Vector2,
}

impl Prepared {
    /// Prepares a symmetric positive semidefinite block. What is not symmetric in it is left out, and a singular one
    /// gets a little more on its diagonal: see [`block`](Self::block). The error is a block that is zero or not finite.
    pub fn new(w: Matrix3, mu: f64, model: Model) -> Option<Self> {
        let w = (w + w.transpose()) * 0.5;
        let mean = w.trace() / 3.0;
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        let law = ContactLaw { mu, model, mass: 1.0 / mean };
        // A pivot this small is mostly rounding, and its inverse would only amplify that.
        let definite = |w: &Matrix3| {
            let (inverse, pivot) = inverse_and_pivot(w);
            (pivot > 1e-10 * mean).then_some(inverse)
        };
        let (w, inverse) = match definite(&w) {
            Some(inverse) => (w, inverse),
            None => {
                let more = w + Matrix3::identity() * (1e-6 * mean);
                (more, definite(&more)?)
            }
        };
        let w_nn = w[(0, 0)];
        let w_nt = Vector2::new(w[(1, 0)], w[(2, 0)]);
        let schur = |a: usize, b: usize| w[(a + 1, b + 1)] - w_nt[a] * w_nt[b] / w_nn;
        let (s11, s12, s22) = (schur(0, 0), schur(0, 1), schur(1, 1));
        let (middle, half) = (0.5 * (s11 + s22), 0.5 * (s11 - s22));
        let spread = (half * half + s12 * s12).sqrt();
        // Half the angle of (half, s12), by the half that does not cancel.
        let along = Vector2::new(half + spread, s12);
        let across = Vector2::new(s12, spread - half);
        let axis = if half >= 0.0 { along } else { across };
        let axis = axis.try_normalize(0.0).unwrap_or_else(Vector2::x);
        let eigenvalues = Vector2::new(middle + spread, (middle - spread).max(0.0));
        let w_nt = into(axis, w_nt);
        Some(Self { law, w, inverse, w_nn, w_nt, axis, eigenvalues })
    }

    /// The block that is solved with. Where it had to be changed, solve for increments around a known impulse: the
    /// change then slows convergence and leaves the solution alone.
    pub fn block(&self) -> &Matrix3 {
        &self.w
    }

    /// Coefficient, model and mass.
    pub fn law(&self) -> &ContactLaw {
        &self.law
    }

    /// The impulse `r` with `W r + q` and `r` obeying the law.
    #[inline]
    pub fn solve(&self, q: Vector3) -> Vector3 {
        if let Some(r) = self.without_sliding(q) {
            return r;
        }
        match self.law.model {
            Model::Coulomb | Model::Between(_) => self.slide(q, self.first_ratio(q)),
            Model::Associated => self.slide_associated(q),
        }
    }

    /// The same from a guess: near the solution its ratio of slip to friction is the right one, and the search is
    /// over at once.
    #[inline]
    fn solve_from(&self, q: Vector3, start: Vector3) -> Vector3 {
        if let Some(r) = self.without_sliding(q) {
            return r;
        }
        if self.law.model == Model::Associated {
            return self.slide_associated(q);
        }
        let friction = tangential(start);
        let ratio = match friction > 0.0 {
            true => tangential(self.w * start + q) / friction,
            false => self.first_ratio(q),
        };
        self.slide(q, ratio)
    }

    /// The same by another solver, from `start`.
    #[inline]
    pub fn solve_by(&self, solver: LocalSolver, q: Vector3, start: Vector3) -> Vector3 {
        match solver {
            LocalSolver::Enumeration => self.solve_from(q, start),
            LocalSolver::Quartic => self.solve_by_quartic(q),
            LocalSolver::Newton(map) => {
                newton(map, &self.law, &self.w, q, start).unwrap_or_else(|| self.solve(q))
            }
        }
    }

    #[inline]
    fn without_sliding(&self, q: Vector3) -> Option<Vector3> {
        let mu = self.law.mu;
        let opens = match self.law.model {
            Model::Coulomb | Model::Between(_) => q.x >= 0.0,
            Model::Associated => q.x >= mu * tangential(q),
        };
        if opens {
            return Some(Vector3::zeros());
        }
        if mu <= 0.0 {
            return Some(Vector3::new(-q.x / self.w_nn, 0.0, 0.0));
        }
        let r = -(self.inverse * q);
        (tangential(r) <= mu * r.x).then_some(r)
    }

    fn solve_by_quartic(&self, q: Vector3) -> Vector3 {
        if let Some(r) = self.without_sliding(q) {
            return r;
        }
        if self.law.model == Model::Associated {
            return self.slide_associated(q);
        }
        quartic_slides(&self.w, q, self.law.mu)
            .first()
            .copied()
            .unwrap_or_else(|| self.slide(q, self.first_ratio(q)))
    }

    /// Reduced right-hand side `c`, in the axes of `S`.
    fn reduced(&self, q: Vector3) -> Vector2 {
        into(self.axis, Vector2::new(q.y, q.z)) - self.w_nt * (q.x / self.w_nn)
    }

    /// Slip over friction, exact if `S` were isotropic and uncoupled from the normal.
    fn first_ratio(&self, q: Vector3) -> f64 {
        let mean = 0.5 * (self.eigenvalues.x + self.eigenvalues.y);
        (self.reduced(q).norm() * self.w_nn / (self.law.mu * -q.x) - mean).max(0.0)
    }

    /// Slides, with the search begun at `alpha`.
    fn slide(&self, q: Vector3, mut alpha: f64) -> Vector3 {
        let mu = self.law.mu;
        let s = self.eigenvalues;
        let c = self.reduced(q);
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut normal = 0.0;
        let mut tangent = Vector2::zeros();
        for _ in 0..100 {
            let denominator = Vector2::new(s.x + alpha, s.y + alpha);
            tangent = -c.component_div(&denominator);
            normal = -(q.x + self.w_nt.dot(&tangent)) / self.w_nn;
            let length = tangent.norm();
            if length <= 0.0 {
                break;
            }
            let change = -tangent.component_div(&denominator);
            let length_change = tangent.dot(&change) / length;
            let normal_change = -self.w_nt.dot(&change) / self.w_nn;
            let value = mu * normal - length;
            if value < 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            // Newton for μ r_N/‖r_T‖ − 1.
            let slope = mu * normal_change - mu * normal * length_change / length;
            let mut next = if slope > 0.0 { alpha - value / slope } else { f64::NAN };
            let inside = next > low && next < high;
            if !inside {
                next = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * alpha + s.x };
            }
            let done = (next - alpha).abs() <= 4.0 * f64::EPSILON * (alpha + s.x);
            if done || value.abs() <= 8.0 * f64::EPSILON * length {
                break;
            }
            alpha = next;
        }
        // Onto the cone to the last bit.
        let normal = normal.max(0.0);
        let length = tangent.norm();
        if length > 0.0 {
            tangent *= mu * normal / length;
        }
        let tangent = out_of(self.axis, tangent);
        Vector3::new(normal, tangent.x, tangent.y)
    }

    fn slide_associated(&self, q: Vector3) -> Vector3 {
        let mu = self.law.mu;
        // Along a ray d the best impulse is −d (q·d)/(dᵀWd), which lowers the energy by (q·d)²/2dᵀWd if q·d < 0.
        let ray = |angle: f64| Vector3::new(1.0, mu * angle.cos(), mu * angle.sin());
        let gain = |angle: f64| {
            let d = ray(angle);
            let along = q.dot(&d).min(0.0);
            along * along / d.dot(&(self.w * d))
        };
        // Stationarity of the gain, positive beyond the best ray; and its slope.
        let beyond = |angle: f64| {
            let d = ray(angle);
            let turn = Vector3::new(0.0, -d.z, d.y);
            let bend = Vector3::new(0.0, -d.y, -d.z);
            let wd = self.w * d;
            let (a, a1, a2) = (q.dot(&d), q.dot(&turn), q.dot(&bend));
            let m = d.dot(&wd);
            let m1 = 2.0 * turn.dot(&wd);
            let m2 = 2.0 * (bend.dot(&wd) + turn.dot(&(self.w * turn)));
            (a, 2.0 * a1 * m - a * m1, 2.0 * a2 * m + a1 * m1 - a * m2)
        };
        const SAMPLES: usize = 12;
        let step = std::f64::consts::TAU / SAMPLES as f64;
        // Opposite to q_T the product q·d is least, so this ray gains if any does.
        let against = (-q.z).atan2(-q.y);
        let best = (0..SAMPLES)
            .map(|k| against + k as f64 * step)
            .max_by(|&a, &b| gain(a).total_cmp(&gain(b)))
            .unwrap_or(against);
        let (mut low, mut high) = (best - step, best + step);
        let mut angle = best;
        for _ in 0..100 {
            let (along, value, slope) = beyond(angle);
            let right = if along < 0.0 { value > 0.0 } else { angle > best };
            if right {
                high = angle;
            } else {
                low = angle;
            }
            let mut next =
                if slope > 0.0 && along < 0.0 { angle - value / slope } else { f64::NAN };
            let inside = next >= low && next <= high;
            if !inside {
                next = 0.5 * (low + high);
            }
            if (next - angle).abs() <= f64::EPSILON {
                break;
            }
            angle = next;
        }
        let d = ray(angle);
        d * (-q.dot(&d) / d.dot(&(self.w * d))).max(0.0)
    }
}

/// The inverse of a symmetric matrix, and the least pivot of its elimination: `L D Lᵀ`, written out.
fn inverse_and_pivot(w: &Matrix3) -> (Matrix3, f64) {
    let d0 = w[(0, 0)];
    let [l1, l2] = [w[(1, 0)] / d0, w[(2, 0)] / d0];
    let d1 = w[(1, 1)] - l1 * w[(1, 0)];
    let rest = w[(2, 1)] - l2 * w[(1, 0)];
    let l3 = rest / d1;
    let d2 = w[(2, 2)] - l2 * w[(2, 0)] - l3 * rest;
    // L⁻¹ has −l1, −l3 and this below its diagonal.
    let m2 = l1 * l3 - l2;
    let [e0, e1, e2] = [1.0 / d0, 1.0 / d1, 1.0 / d2];
    let (a, b, c) = (-l1 * e1 - l3 * m2 * e2, m2 * e2, -l3 * e2);
    let inverse =
        Matrix3::new(e0 + l1 * l1 * e1 + m2 * m2 * e2, a, b, a, e1 + l3 * l3 * e2, c, b, c, e2);
    // Not `f64::min`: it drops NaN.
    let least =
        [d0, d1, d2].into_iter().fold(f64::INFINITY, |least, d| if d >= least { least } else { d });
    (inverse, least)
}

/// Coordinates in the frame of an axis and its left normal.
fn into(axis: Vector2, v: Vector2) -> Vector2 {
    Vector2::new(axis.dot(&v), axis.x * v.y - axis.y * v.x)
}

fn out_of(axis: Vector2, v: Vector2) -> Vector2 {
    Vector2::new(axis.x * v.x - axis.y * v.y, axis.y * v.x + axis.x * v.y)
}
