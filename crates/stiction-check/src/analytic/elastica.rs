//! The elastica: a strip that bends far without getting longer.
//!
//! $$ B \varphi'' = -(F + q (L - s)) \cos\varphi, \qquad \varphi(0) = 0, \quad \varphi'(L) = 0 \qquad \text{[BD45]} $$
//!
//! `s` length from the clamp [m], `φ` angle below the horizontal [rad], `B` flexural rigidity per width [N·m], `F` load
//! at the tip and `q` weight per length, both per width [N/m, N/m²]. Integrated by the classical Runge–Kutta scheme
//! from the tip, whose angle is found by halving.

use super::root_between;

/// A cantilever that is level at its clamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastica {
    /// Free length `L` [m].
    pub length: f64,
    /// Moment per width over curvature, `B` [N·m].
    pub rigidity: f64,
    /// Load at the tip per width, `F` [N/m].
    pub tip_load: f64,
    /// Weight per area, `q` [N/m²].
    pub weight: f64,
}

impl Elastica {
    /// How far the tip is from the clamp, and how far below it [m].
    pub fn tip(&self) -> (f64, f64) {
        let quarter = std::f64::consts::FRAC_PI_2;
        // The angle at the clamp grows with that at the tip.
        let angle = root_between(0.0, quarter, |angle| self.end_with(angle).0);
        let (_, along, down) = self.end_with(angle);
        (along, down)
    }

    /// From the tip to the clamp: the angle there [rad], and what was passed along and down [m].
    fn end_with(&self, angle: f64) -> (f64, f64, f64) {
        const STEPS: usize = 2000;
        let h = self.length / STEPS as f64;
        // Of (φ, φ′, x, z), with t the length from the tip.
        let rate = |t: f64, [phi, slope, ..]: [f64; 4]| {
            let bend = (self.tip_load + self.weight * t) * phi.cos() / self.rigidity;
            [-slope, bend, phi.cos(), phi.sin()]
        };
        let add = |y: [f64; 4], k: [f64; 4], h: f64| -> [f64; 4] {
            std::array::from_fn(|i| y[i] + h * k[i])
        };
        let mut y = [angle, 0.0, 0.0, 0.0];
        for step in 0..STEPS {
            let t = h * step as f64;
            let k1 = rate(t, y);
            let k2 = rate(t + 0.5 * h, add(y, k1, 0.5 * h));
            let k3 = rate(t + 0.5 * h, add(y, k2, 0.5 * h));
            let k4 = rate(t + h, add(y, k3, h));
            y = std::array::from_fn(|i| {
                y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
            });
        }
        (y[0], y[2], y[3])
    }
}
