//! The clamped logarithmic barrier [LFS+20, eq. 6]:
//!
//! $$ b(d) = -(d - \hat d)^2 \ln\frac{d}{\hat d}, \quad 0 < d < \hat d, \qquad 0 \text{ beyond},
//!    \qquad \infty \text{ at } d \le 0 $$
//!
//! Twice differentiable at `d̂`. Times a stiffness `κ` [N/m], it carries `1.193 κ d̂` at half of `d̂`.

/// The force at half the thickness, in `κ d̂`: `−b'(1/2)` for `d̂ = 1`.
pub const HALF_WAY: f64 = 0.5 + std::f64::consts::LN_2;

/// `b` [m²].
pub fn value(d: f64, d_hat: f64) -> f64 {
    if d >= d_hat {
        0.0
    } else if d <= 0.0 {
        f64::INFINITY
    } else {
        -(d - d_hat).powi(2) * (d / d_hat).ln()
    }
}

/// `b'`, never above zero [m].
pub fn slope(d: f64, d_hat: f64) -> f64 {
    if d >= d_hat {
        return 0.0;
    }
    (d_hat - d) * (2.0 * (d / d_hat).ln() - d_hat / d + 1.0)
}

/// `b''`, never below zero [-].
pub fn bend(d: f64, d_hat: f64) -> f64 {
    if d >= d_hat {
        return 0.0;
    }
    let y = d_hat / d;
    (y + 2.0) * y - 2.0 * (d / d_hat).ln() - 3.0
}
