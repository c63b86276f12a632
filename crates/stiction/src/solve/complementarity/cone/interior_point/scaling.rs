//! One contact inside its cones: the scaling of Nesterov and Todd, and the Jordan algebra of `‖x̄‖ ≤ x₀`.
//!
//! For `x`, `y` inside there is one symmetric `W` of the cone's own group with `W y = W⁻¹ x = λ` [NT98]: with `x`, `y` divided by the roots of their
//! determinants, `w = (x + Jy)/√(2 + 2xᵀy)` and `η⁴ = det x/det y`, it is `W = η (w₀, w̄ᵀ; w̄, 1 + w̄w̄ᵀ/(1 + w₀))`, and `W⁻² = (2 Jw wᵀJ − J)/η²`,
//! `J = diag(1, −1, −1)`. The product is `x∘y = (xᵀy, x₀ȳ + y₀x̄)`, with unit `e = (1, 0, 0)`.

use crate::math::{Matrix3, Vector3};

/// The scaling of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    w: Vector3,
    eta: f64,
}

impl Scaling {
    /// Of `x` and `y`, both inside the cone.
    pub(super) fn new(x: Vector3, y: Vector3) -> Self {
        let (dx, dy) = (determinant(x), determinant(y));
        let (x, y) = (x / dx.sqrt(), y / dy.sqrt());
        let w = (x + mirrored(y)) / (2.0 + 2.0 * x.dot(&y)).sqrt();
        Self { w, eta: (dx / dy).powf(0.25) }
    }

    /// `W v`.
    pub(super) fn times(&self, v: Vector3) -> Vector3 {
        spread(self.w, v) * self.eta
    }

    /// `W⁻¹ v`.
    pub(super) fn inverse_times(&self, v: Vector3) -> Vector3 {
        spread(mirrored(self.w), v) / self.eta
    }

    /// `W⁻²`.
    pub(super) fn inverse_square(&self) -> Matrix3 {
        let w = mirrored(self.w);
        let mut block = w * w.transpose() * 2.0;
        block[(0, 0)] -= 1.0;
        block[(1, 1)] += 1.0;
        block[(2, 2)] += 1.0;
        block / (self.eta * self.eta)
    }
}

fn spread(w: Vector3, v: Vector3) -> Vector3 {
    let along = w.y * v.y + w.z * v.z;
    let tail = v.x + along / (1.0 + w.x);
    Vector3::new(w.x * v.x + along, v.y + tail * w.y, v.z + tail * w.z)
}

/// `J x`.
fn mirrored(x: Vector3) -> Vector3 {
    Vector3::new(x.x, -x.y, -x.z)
}

/// `x∘y`.
pub(super) fn jordan(x: Vector3, y: Vector3) -> Vector3 {
    Vector3::new(x.dot(&y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z)
}

/// The `z` with `x∘z = d`.
pub(super) fn jordan_divide(x: Vector3, d: Vector3) -> Vector3 {
    let first = (x.x * d.x - x.y * d.y - x.z * d.z) / determinant(x);
    Vector3::new(first, (d.y - first * x.y) / x.x, (d.z - first * x.z) / x.x)
}

/// `x₀² − ‖x̄‖²`, kept above what rounding makes of a boundary point.
pub(super) fn determinant(x: Vector3) -> f64 {
    let length = x.y.hypot(x.z);
    ((x.x - length) * (x.x + length)).max(1e-30 * x.x * x.x)
}

/// How many steps `d` lead from `x` to the boundary of the cone.
pub(super) fn to_boundary(x: Vector3, d: Vector3) -> f64 {
    // det(x + t d) = a t² + 2 b t + c
    let a = d.x * d.x - d.y * d.y - d.z * d.z;
    let b = x.x * d.x - x.y * d.y - x.z * d.z;
    let c = determinant(x);
    let discriminant = b * b - a * c;
    let mut reach = f64::INFINITY;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for t in [q / a, c / q] {
            if t > 0.0 {
                reach = reach.min(t);
            }
        }
    }
    if d.x < 0.0 { reach.min(-x.x / d.x) } else { reach }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_points_are_scaled_to_one() {
        let (x, y) = (Vector3::new(2.0, 0.7, -1.1), Vector3::new(0.9, -0.3, 0.5));
        let scaling = Scaling::new(x, y);
        let lambda = scaling.times(y);
        assert!((lambda - scaling.inverse_times(x)).norm() < 1e-14);
        assert!((scaling.inverse_square() * x - y).norm() < 1e-14);
        assert!((scaling.inverse_times(scaling.times(x)) - x).norm() < 1e-14);
        assert!((jordan(lambda, jordan_divide(lambda, y)) - y).norm() < 1e-14);
    }

    #[test]
    fn the_boundary_is_where_the_determinant_vanishes() {
        let (x, d) = (Vector3::new(2.0, 0.7, -1.1), Vector3::new(-0.1, 0.4, 0.3));
        let end = x + d * to_boundary(x, d);
        assert!((end.x - end.y.hypot(end.z)).abs() < 1e-13);
        assert!(to_boundary(x, Vector3::new(1.0, 0.5, 0.0)).is_infinite());
    }
}
