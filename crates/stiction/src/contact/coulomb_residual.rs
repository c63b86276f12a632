//! How far contacts are from Coulomb's law, whichever method found them.
//!
//! What friction can do at a contact is a set; with coefficients `D` along two tangents it is `‖D⁻¹ f‖ ≤ N`. A force
//! `f` that obeys is in the set, and among those in it takes most from the slip `u` [AEF22, §1.5.1]: `−f·u = N ‖D
//! u‖`. So a contact is short of the law by
//!
//! $$ e = \Bigl(\frac{\|D^{-1} f\|}{N} - 1\Bigr)_+ , \qquad
//!    s = \frac{1}{\mu} \Bigl(\|D u\| + \frac{f \cdot u}{N}\Bigr)_+ , \qquad \mu = \max D $$
//!
//! `s` is slip that nothing resists: all of `‖u‖` where there is no friction, none where contacts stick, or slide
//! against their full friction. Forces outside by `e` may resist too much: then `s` is none. Where spin shares the
//! limit of sliding, neither says anything.

use super::friction::Grip;
use crate::math::Vector3;

/// By how much friction is not what Coulomb's law says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias("Coulomb residual", "maximum dissipation"))]
pub struct FrictionError {
    /// `e`: how far forces are beyond the limit, in limits [-].
    pub excess: f64,
    /// `s`: slip that is not resisted [m/s].
    pub unresisted: f64,
}

impl FrictionError {
    /// Of a contact with a normal, a force along it and friction [N], and slip [m/s].
    pub fn of(
        grip: &Grip,
        normal: Vector3,
        normal_force: f64,
        friction: Vector3,
        slip: Vector3,
    ) -> Self {
        let most = grip.most();
        let shared = grip.shared && grip.torsion > 0.0;
        if normal_force <= 0.0 || most <= 0.0 || shared {
            return Self::default();
        }
        let tangents = [grip.tangent, normal.cross(&grip.tangent)];
        let along = |v: Vector3| tangents.map(|t| t.dot(&v));
        // What resists slip points the other way.
        let against =
            |k: usize, slips: f64| if slips >= 0.0 { grip.plus[k] } else { grip.minus[k] };
        let (f, u) = (along(friction / normal_force), along(slip));
        let mut used = 0.0;
        for k in 0..2 {
            let limit = against(k, -f[k]);
            used += match f[k].abs() {
                // Nothing of nothing.
                f if f <= f64::EPSILON * most => 0.0,
                f => (f / limit).powi(2),
            };
        }
        let resisted = against(0, u[0]) * u[0];
        let across = against(1, u[1]) * u[1];
        let power = f[0] * u[0] + f[1] * u[1];
        Self {
            excess: (used.sqrt() - 1.0).max(0.0),
            unresisted: ((resisted.hypot(across) + power) / most).max(0.0),
        }
    }

    /// The worst of both.
    pub fn or(self, other: Self) -> Self {
        Self {
            excess: self.excess.max(other.excess),
            unresisted: self.unresisted.max(other.unresisted),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMAL: f64 = 4.0; // [N]

    fn error(grip: &Grip, friction: [f64; 2], slip: [f64; 2]) -> FrictionError {
        let along = |[a, b]: [f64; 2]| Vector3::new(a, 0.0, -b);
        FrictionError::of(grip, Vector3::y(), NORMAL, along(friction), along(slip))
    }

    #[test]
    fn what_obeys_is_short_of_nothing() {
        let grip = Grip { minus: [0.2, 0.8], ..Grip::ellipse(Vector3::x(), [0.5, 0.1]) };
        for k in 0..16 {
            let (sin, cos) = (0.1 + 0.4 * f64::from(k)).sin_cos();
            let mu = |k: usize, slips: f64| if slips > 0.0 { grip.plus[k] } else { grip.minus[k] };
            let d = [mu(0, cos), mu(1, sin)];
            let length = (d[0] * cos).hypot(d[1] * sin);
            let full = [d[0] * d[0] * cos, d[1] * d[1] * sin].map(|f| -f * NORMAL / length);
            let slides = error(&grip, full, [3.0 * cos, 3.0 * sin]);
            assert!(slides.excess < 1e-14 && slides.unresisted < 1e-14, "{slides:?}");
            let sticks = error(&grip, full.map(|f| 0.7 * f), [0.0; 2]);
            assert_eq!(sticks, FrictionError::default());
        }
    }

    #[test]
    fn what_does_not_is_short_of_something() {
        let grip = Grip::isotropic(Vector3::x(), 0.5);
        assert!((error(&grip, [0.0, 0.0], [0.3, 0.4]).unresisted - 0.5).abs() < 1e-15);
        assert!((error(&grip, [-1.0, 0.0], [0.3, 0.0]).unresisted - 0.15).abs() < 1e-15);
        // Askew by a right angle: nothing is resisted. Along the slip: twice of it.
        assert!((error(&grip, [0.0, -2.0], [0.3, 0.0]).unresisted - 0.3).abs() < 1e-15);
        assert!((error(&grip, [2.0, 0.0], [0.3, 0.0]).unresisted - 0.6).abs() < 1e-15);
        assert!((error(&grip, [-3.0, 0.0], [0.3, 0.0]).excess - 0.5).abs() < 1e-15);
        assert!(error(&Grip::ellipse(Vector3::x(), [0.5, 0.0]), [0.0, 0.1], [0.0; 2]).excess > 1e3);
    }
}
