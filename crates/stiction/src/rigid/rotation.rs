//! Rotations near one that is known: `R = R₀ exp[θ]`.
//!
//! With `φ = |θ|`, a change of `θ` turns the body by `T(θ) dθ` about its own axes [IMNZ00, §4]:
//!
//! $$ T(\theta) = I - a\,[\theta] + b\,[\theta]^2, \qquad
//!    a = \frac{1 - \cos\varphi}{\varphi^2}, \qquad b = \frac{\varphi - \sin\varphi}{\varphi^3} $$
//!
//! A body that turns with `Ω` about its own axes therefore has `Ω = T(θ) dθ/dt`.

use nalgebra::UnitQuaternion;

use crate::math::{Matrix3, Vector3};

/// `exp[θ]`.
pub fn exponential(theta: Vector3) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(theta)
}

/// `T(θ)`.
pub fn tangent(theta: Vector3) -> Matrix3 {
    let Coefficients { a, b, .. } = Coefficients::of(theta.norm_squared());
    let cross = theta.cross_matrix();
    Matrix3::identity() - cross * a + cross * cross * b
}

/// `∂(T(θ) w)/∂θ` for constant `w`.
pub fn tangent_change(theta: Vector3, w: Vector3) -> Matrix3 {
    // T w = w − a θ×w + b (θ (θ·w) − w θ²)
    change(theta, w, -1.0)
}

/// `∂(T(θ)ᵀ m)/∂θ` for constant `m`.
pub fn transpose_change(theta: Vector3, m: Vector3) -> Matrix3 {
    change(theta, m, 1.0)
}

/// The derivative of `± a θ×y + b θ×(θ×y)`.
fn change(theta: Vector3, y: Vector3, sign: f64) -> Matrix3 {
    let Coefficients { a, b, a_slope, b_slope } = Coefficients::of(theta.norm_squared());
    let (first, square) = (theta.cross(&y), theta.norm_squared());
    let second = theta * theta.dot(&y) - y * square;
    let by_first = -y.cross_matrix() * a + first * theta.transpose() * (2.0 * a_slope);
    let by_second = (Matrix3::from_diagonal_element(theta.dot(&y)) + theta * y.transpose()
        - y * theta.transpose() * 2.0)
        * b
        + second * theta.transpose() * (2.0 * b_slope);
    by_first * sign + by_second
}

/// `a` and `b` as functions of `φ²`, and their derivatives by it.
struct Coefficients {
    a: f64,
    b: f64,
    a_slope: f64,
    b_slope: f64,
}

impl Coefficients {
    fn of(square: f64) -> Self {
        /// Below, series are exact to rounding, and closed forms cancel.
        const SMALL: f64 = 0.25;
        if square < SMALL {
            // a = Σ (−x)ᵏ/(2k+2)!, b = Σ (−x)ᵏ/(2k+3)!
            let (mut a, mut b, mut a_slope, mut b_slope) = (0.0, 0.0, 0.0, 0.0);
            let (mut even, mut odd, mut power, mut power_below) = (0.5, 1.0 / 6.0, 1.0, 0.0);
            for k in 0..9 {
                let n = f64::from(k);
                a += power * even;
                b += power * odd;
                a_slope += n * power_below * even;
                b_slope += n * power_below * odd;
                even /= (2.0 * n + 3.0) * (2.0 * n + 4.0);
                odd /= (2.0 * n + 4.0) * (2.0 * n + 5.0);
                (power_below, power) = (-power, -power * square);
            }
            return Self { a, b, a_slope, b_slope };
        }
        let angle = square.sqrt();
        let (sine, cosine) = angle.sin_cos();
        let (a, b) = ((1.0 - cosine) / square, (angle - sine) / (square * angle));
        let a_slope = 0.5 * (sine / angle - 2.0 * a) / square;
        let b_slope = 0.5 * (a - 3.0 * b) / square;
        Self { a, b, a_slope, b_slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn angles() -> [Vector3; 5] {
        [
            Vector3::zeros(),
            Vector3::new(1e-5, -2e-5, 0.5e-5),
            Vector3::new(0.2, -0.3, 0.25),
            Vector3::new(0.3, 0.28, -0.29),
            Vector3::new(1.2, -0.7, 2.0),
        ]
    }

    #[test]
    fn the_tangent_tells_how_the_body_turns() {
        for theta in angles() {
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                let turned = |h: f64| exponential(theta).inverse() * exponential(theta + axis * h);
                let h = 1e-4;
                let by_differences =
                    (turned(h).scaled_axis() - turned(-h).scaled_axis()) / (2.0 * h);
                let off = (tangent(theta) * axis - by_differences).norm();
                assert!(off < 1e-8, "{theta:?}: {off:e}");
            }
        }
    }

    #[test]
    fn derivatives_of_the_tangent_are_those_of_differences() {
        let y = Vector3::new(0.7, -1.1, 0.4);
        for theta in angles() {
            for k in 0..3 {
                let h = 1e-5;
                let mut step = Vector3::zeros();
                step[k] = h;
                let differences = |of: &dyn Fn(Vector3) -> Vector3| {
                    (of(theta + step) - of(theta - step)) / (2.0 * h)
                };
                let plain = differences(&|theta| tangent(theta) * y);
                let transposed = differences(&|theta| tangent(theta).transpose() * y);
                let off = (tangent_change(theta, y).column(k) - plain).norm();
                assert!(off < 1e-9, "{theta:?}: {off:e}");
                let off = (transpose_change(theta, y).column(k) - transposed).norm();
                assert!(off < 1e-9, "{theta:?}: {off:e}");
            }
        }
    }

    #[test]
    fn series_and_closed_forms_meet() {
        let (below, above) = (Coefficients::of(0.25 - 1e-12), Coefficients::of(0.25 + 1e-12));
        for (x, y) in [
            (below.a, above.a),
            (below.b, above.b),
            (below.a_slope, above.a_slope),
            (below.b_slope, above.b_slope),
        ] {
            assert!((x - y).abs() < 1e-13, "{x} and {y}");
        }
    }
}
