//! Motions of one degree of freedom.
//!
//! $$ m \ddot q + c \dot q + k q = 0, \qquad
//!    T = 2\pi \sqrt{\frac{I}{m g d}} \Big/ \mathrm{agm}\left(1, \cos\tfrac{\theta_0}{2}\right) $$
//!
//! `T` period of a body swinging by `θ₀` to either side; `I` its moment of inertia about the pivot [kg·m²],
//! `d` from the pivot to its centre of mass [m]. The arithmetic–geometric mean makes the period exact for
//! every amplitude below half a turn.

use std::f64::consts::TAU;

/// A mass on a spring with a damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// [kg].
    pub mass: f64,
    /// [N/m].
    pub stiffness: f64,
    /// [N·s/m].
    pub damping: f64,
}

impl Oscillator {
    /// Position from equilibrium [m] and velocity [m/s] at time `t`, having started at `q0` with `v0`.
    pub fn at(&self, t: f64, q0: f64, v0: f64) -> (f64, f64) {
        let decay = 0.5 * self.damping / self.mass;
        let omega_sq = self.stiffness / self.mass - decay * decay;
        // cos and sin/ω of ωt, also for imaginary and vanishing ω.
        let (c, s) = if omega_sq > 0.0 {
            let omega = omega_sq.sqrt();
            ((omega * t).cos(), (omega * t).sin() / omega)
        } else if omega_sq < 0.0 {
            let omega = (-omega_sq).sqrt();
            ((omega * t).cosh(), (omega * t).sinh() / omega)
        } else {
            (1.0, t)
        };
        let slope = v0 + decay * q0;
        let shrink = (-decay * t).exp();
        let q = q0 * c + slope * s;
        let dq = slope * c - q0 * omega_sq * s;
        (shrink * q, shrink * (dq - decay * q))
    }
}

/// Position [m] and velocity [m/s] of a falling point along the direction of `acceleration` [m/s²].
pub fn free_fall(t: f64, q0: f64, v0: f64, acceleration: f64) -> (f64, f64) {
    (q0 + v0 * t + 0.5 * acceleration * t * t, v0 + acceleration * t)
}

/// Period of a body of `mass` [kg] with moment of `inertia` about its pivot [kg·m²], its centre of mass at
/// `distance` from the pivot [m], swinging by `amplitude` [rad] to either side in `gravity` [m/s²] [s].
pub fn pendulum_period(
    mass: f64,
    inertia: f64,
    distance: f64,
    gravity: f64,
    amplitude: f64,
) -> f64 {
    let small = TAU * (inertia / (mass * gravity * distance)).sqrt();
    let (mut a, mut g) = (1.0, (0.5 * amplitude).cos());
    while (a - g).abs() > 1e-15 * a {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    small / a
}
