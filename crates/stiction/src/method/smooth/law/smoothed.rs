//! Smoothed friction: the traction rises with the slip velocity [Lar22, §4.3.2].
//!
//! $$ t = \bigl(\mu_d + (\mu_s - \mu_d)\, F(|u|)\bigr) N\, s(|u|)\, \frac{u}{|u|} $$
//!
//! It has no memory and never quite holds: below the limit a contact creeps. Kept to reproduce and to compare.
//!
//! | profile | `s(x)` | |
//! |---|---|---|
//! | quadratic | `2y − y²` for `y = x/ε < 1`, else 1 | reaches the limit at `ε` |
//! | rational | `x/(x + ε)` | smooth everywhere, reaches it nowhere |
//!
//! The Stribeck falloff is `F(x) = (2x + v)(x − v)²/v³` below the velocity `v`, zero above.

use super::Response;
use crate::math::{Matrix3, Vector3};

/// How the traction rises with slip velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// `2y − y²`.
    #[default]
    Quadratic,
    /// `x/(x + ε)`.
    Rational,
}

impl Profile {
    /// `s(x)` and its slope.
    pub fn at(self, x: f64, epsilon: f64) -> (f64, f64) {
        match self {
            Self::Quadratic if x < epsilon => {
                let y = x / epsilon;
                (2.0 * y - y * y, 2.0 * (1.0 - y) / epsilon)
            }
            Self::Quadratic => (1.0, 0.0),
            Self::Rational => (x / (x + epsilon), epsilon / (x + epsilon).powi(2)),
        }
    }

    /// `∫ s`, for the potential of friction with a lagged normal force [m/s].
    pub fn integral(self, x: f64, epsilon: f64) -> f64 {
        match self {
            Self::Quadratic if x < epsilon => {
                x * x / epsilon - x.powi(3) / (3.0 * epsilon * epsilon) + epsilon / 3.0
            }
            Self::Quadratic => x,
            Self::Rational => x - epsilon * (x / epsilon).ln_1p(),
        }
    }
}

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothed {
    /// The profile.
    pub profile: Profile,
    /// Slip velocity over which it rises, `ε` [m/s].
    pub epsilon: f64,
    /// `μ_d` of a contact that slides [-].
    pub kinetic: f64,
    /// `μ_s` of a contact that barely slides [-].
    pub stick: f64,
    /// Velocity above which friction is kinetic; zero for none [m/s].
    pub stribeck: f64,
}

impl Smoothed {
    /// The traction for a slip velocity [N], and its derivatives. `beta` is the slip of a stage per velocity [s].
    pub fn respond(&self, velocity: Vector3, normal: f64, beta: f64) -> (Vector3, Response) {
        let speed = velocity.norm();
        let (s, ds) = self.profile.at(speed, self.epsilon);
        let (mu, dmu) = self.coefficient(speed);
        let direction = if speed > 0.0 { velocity / speed } else { Vector3::zeros() };
        let across = if speed > 0.0 { s / speed } else { ds };
        let along = mu * ds + dmu * s;
        let by_velocity = Matrix3::from_diagonal_element(mu * across)
            + direction * direction.transpose() * (along - mu * across);
        let zero = Vector3::zeros();
        let by_slip = by_velocity * (normal / beta);
        let by_normal = direction * (mu * s);
        (by_normal * normal, Response { residual: zero, correction: zero, by_slip, by_normal })
    }

    /// The coefficient at a slip velocity, and its slope [Lar22; the slope corrected].
    fn coefficient(&self, x: f64) -> (f64, f64) {
        let (v, rise) = (self.stribeck, self.stick - self.kinetic);
        if x >= v || rise == 0.0 {
            return (self.kinetic, 0.0);
        }
        let falloff = (2.0 * x + v) * (x - v).powi(2) / v.powi(3);
        (self.kinetic + rise * falloff, rise * 6.0 * x * (x - v) / v.powi(3))
    }
}
