//! Twisted bars, after Saint-Venant.
//!
//! $$ T = G J \frac{\theta}{L}, \qquad J_\circ = \frac{\pi r^4}{2}, \qquad
//!    J_\square = a b^3 \left( \frac13 - \frac{64}{\pi^5} \frac{b}{a}
//!      \sum_{n = 1, 3, \dots} \frac{1}{n^5} \tanh\frac{n \pi a}{2 b} \right) \qquad \text{[TG70, art. 109]} $$
//!
//! `T` torque [N·m], `G` shear modulus [Pa], `θ` angle [rad] over length `L`; `a ≥ b` sides of the section.
//! Small angles, ends free to warp.

use std::f64::consts::{FRAC_PI_2, PI};

/// `J` of a full circle of `radius` [m] [m⁴].
pub fn torsion_constant_circle(radius: f64) -> f64 {
    FRAC_PI_2 * radius.powi(4)
}

/// `J` of a rectangle with these sides [m] [m⁴].
pub fn torsion_constant_rectangle(side: f64, other: f64) -> f64 {
    let (a, b) = (side.max(other), side.min(other));
    // The terms fall like n⁻⁵: the last one is below rounding. Smallest first.
    let odd = (0..500).rev().map(|k| f64::from(2 * k + 1));
    let sum: f64 = odd.map(|n| (n * FRAC_PI_2 * a / b).tanh() / n.powi(5)).sum();
    a * b.powi(3) * (1.0 / 3.0 - 64.0 / PI.powi(5) * (b / a) * sum)
}
