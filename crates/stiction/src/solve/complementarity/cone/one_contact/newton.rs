//! Semismooth Newton for one contact, with a line search on `½‖map‖²` (`docs/theory/contact-solvers.md`, "One
//! contact").
//!
//! Quadratic near the solution. A stationary point of the merit that is no solution stops it, so other starts are
//! tried; `None` when all fail.

use crate::math::{Matrix3, Vector3};
use crate::solve::complementarity::cone::projection::project_cone;
use crate::solve::complementarity::cone::{ContactLaw, Map};

/// The impulse that makes `map` vanish for `u = W r + q`, if Newton finds it from `start` or from starts of its own.
pub fn newton(
    map: Map,
    law: &ContactLaw,
    w: &Matrix3,
    q: Vector3,
    start: Vector3,
) -> Option<Vector3> {
    let stick = w.try_inverse().map_or_else(Vector3::zeros, |inverse| -(inverse * q));
    let frictionless = Vector3::new((-q.x / w[(0, 0)]).max(0.0), 0.0, 0.0);
    let starts = [start, project_cone(law.mu, stick), frictionless, stick];
    starts.into_iter().find_map(|start| from(map, law, w, q, start))
}

fn from(map: Map, law: &ContactLaw, w: &Matrix3, q: Vector3, mut r: Vector3) -> Option<Vector3> {
    let tolerance = 1e-13 * (q.norm() + r.norm() / law.mass);
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let at = map.linearise(law, r, w * r + q);
        let merit = at.value.norm();
        if merit <= 0.01 * tolerance || (merit >= 0.5 * best && merit <= tolerance) {
            return Some(r);
        }
        best = best.min(merit);
        let jacobian = at.by_impulse + at.by_velocity * w;
        let gradient = jacobian.tr_mul(&at.value);
        let step =
            jacobian.lu().solve(&-at.value).filter(|step| step.iter().all(|v| v.is_finite()));
        let mut step = step.unwrap_or(-gradient * (law.mass * law.mass));
        if gradient.dot(&step) >= 0.0 {
            step = -gradient * (law.mass * law.mass);
        }
        let slope = gradient.dot(&step);
        let mut length = 1.0;
        let accepted = loop {
            let next = r + step * length;
            let value = map.value(law, next, w * next + q).norm_squared();
            if 0.5 * value <= 0.5 * merit * merit + 1e-4 * length * slope {
                break Some(next);
            }
            length *= 0.5;
            if length < 1e-10 {
                break None;
            }
        };
        match accepted {
            Some(next) => r = next,
            None => return (merit <= tolerance).then_some(r),
        }
    }
    None
}
