//! Friction by an implicit cone as equations for Newton's method [AEF22, §6.1.5].
//!
//! The limit is `η(f) ≤ 0` with `η = fᵀ C f − p²`, `C` symmetric positive definite, `p` the normal impulse; what
//! slides pushes along the gradient of `η`, by a slip `β ≥ 0`:
//!
//! $$ 0 \le \beta \perp -\eta(f) \ge 0, \qquad w = \nabla\eta(f) + \beta v = 0 \text{ or } v = 0 $$
//!
//! as `ψ(β, −η) = 0` and `ψ(v·v, w·w) = 0`, `ψ` the Fischer–Burmeister function. Both arguments of the second are
//! squares: at a solution its derivative vanishes with one of them, so Newton's method ends linearly there. It is
//! here because the literature has it; the solvers of [`limit`](super) do not need it.

use crate::math::{Matrix2, Vector2};

/// An elliptic cone, given by its matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitCone {
    /// `C`: of an ellipse with semi-axes `μ` along unit vectors `e`, `Σ e eᵀ/μ²`.
    pub matrix: Matrix2,
}

/// Two equations and their derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rows {
    /// `ψ(β, −η)` and `ψ(v·v, w·w)`.
    pub value: [f64; 2],
    /// By `β`.
    pub by_slip: [f64; 2],
    /// By `f`.
    pub by_force: [Vector2; 2],
    /// By `v`.
    pub by_velocity: [Vector2; 2],
}

impl ImplicitCone {
    /// With semi-axes `mu` along a unit vector and across it.
    pub fn ellipse(mu: [f64; 2], along: Vector2) -> Self {
        let across = Vector2::new(-along.y, along.x);
        let part = |e: Vector2, mu: f64| e * e.transpose() / (mu * mu);
        Self { matrix: part(along, mu[0]) + part(across, mu[1]) }
    }

    /// `η`: negative inside.
    pub fn level(&self, f: Vector2, normal: f64) -> f64 {
        f.dot(&(self.matrix * f)) - normal * normal
    }

    /// The equations at slip `β`, force `f`, velocity `v`, under a normal impulse.
    pub fn rows(&self, slip: f64, f: Vector2, v: Vector2, normal: f64) -> Rows {
        let eta = self.level(f, normal);
        let gradient = self.matrix * f * 2.0;
        let w = gradient + v * slip;
        let (first, [a1, b1]) = fischer_burmeister(slip, -eta);
        let (second, [a2, b2]) = fischer_burmeister(v.norm_squared(), w.norm_squared());
        Rows {
            value: [first, second],
            by_slip: [a1, 2.0 * b2 * w.dot(&v)],
            by_force: [-gradient * b1, self.matrix * w * (4.0 * b2)],
            by_velocity: [Vector2::zeros(), (v * a2 + w * (b2 * slip)) * 2.0],
        }
    }
}

/// `a + b − √(a² + b²)` and its derivatives; at the origin, one of them.
fn fischer_burmeister(a: f64, b: f64) -> (f64, [f64; 2]) {
    let length = a.hypot(b);
    let slopes = if length > 0.0 { [1.0 - a / length, 1.0 - b / length] } else { [0.0, 1.0] };
    (a + b - length, slopes)
}
