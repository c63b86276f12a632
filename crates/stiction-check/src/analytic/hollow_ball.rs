//! The thick hollow ball under pressure, after Lamé.
//!
//! $$ u(r) = \frac{p_a a^3 - p_b b^3}{b^3 - a^3} \frac{r}{3\lambda + 2\mu}
//!         + \frac{(p_a - p_b)\, a^3 b^3}{b^3 - a^3} \frac{1}{4 \mu r^2} \qquad \text{[TG70, art. 136]} $$
//!
//! `u` radial displacement [m]; `a`, `b` inner and outer radius [m]; `p_a`, `p_b` pressures inside and
//! outside [Pa]. Small strains. `a = 0` gives the full ball.

use stiction::energy::Lame;

/// A ball with a concentric cavity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HollowBall {
    /// [m].
    pub inner_radius: f64,
    /// [m].
    pub outer_radius: f64,
    /// What it is made of [Pa].
    pub lame: Lame,
}

impl HollowBall {
    /// How far a point at radius `r` moves outward under the pressures inside and outside [Pa] [m].
    pub fn displacement(&self, r: f64, inside: f64, outside: f64) -> f64 {
        let (a3, b3) = (self.inner_radius.powi(3), self.outer_radius.powi(3));
        let Lame { mu, lambda } = self.lame;
        let uniform = (inside * a3 - outside * b3) / (b3 - a3) / (3.0 * lambda + 2.0 * mu);
        uniform * r + (inside - outside) * a3 * b3 / (b3 - a3) / (4.0 * mu * r * r)
    }

    /// Radial and tangential stress at radius `r` [Pa]; tension is positive.
    pub fn stress(&self, r: f64, inside: f64, outside: f64) -> (f64, f64) {
        let (a3, b3, r3) = (self.inner_radius.powi(3), self.outer_radius.powi(3), r.powi(3));
        let mean = (inside * a3 - outside * b3) / (b3 - a3);
        let deviation = (inside - outside) * a3 * b3 / ((b3 - a3) * r3);
        (mean - deviation, mean + 0.5 * deviation)
    }
}
