//! One contact inside its cones: the scaling of Nesterov and Todd, and the Jordan algebra of `‖x̄‖ ≤ x₀`, in any
//! dimension.
//!
//! For `x`, `y` inside there is one symmetric `W` of the cone's own group with `W y = W⁻¹ x = λ` [NT98]: with `x`,
//! `y` divided by the roots of their determinants, `w = (x + Jy)/√(2 + 2xᵀy)` and `η⁴ = det x/det y`, it is
//! `W = η (w₀, w̄ᵀ; w̄, 1 + w̄w̄ᵀ/(1 + w₀))`, and `W⁻² = (2 Jw wᵀJ − J)/η²`, `J = diag(1, −1, −1, …)`. The product is
//! `x∘y = (xᵀy, x₀ȳ + y₀x̄)`, with unit `e = (1, 0, 0, …)`. A cone of fewer dimensions is one with zeros after its
//! own numbers.

use nalgebra::{SMatrix, SVector};

/// The scaling of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling<const N: usize> {
    w: SVector<f64, N>,
    eta: f64,
}

impl<const N: usize> Scaling<N> {
    /// Of `x` and `y`, both inside the cone.
    pub(super) fn new(x: SVector<f64, N>, y: SVector<f64, N>) -> Self {
        let (dx, dy) = (determinant(x), determinant(y));
        let (x, y) = (x / dx.sqrt(), y / dy.sqrt());
        let w = (x + mirrored(y)) / (2.0 + 2.0 * x.dot(&y)).sqrt();
        Self { w, eta: (dx / dy).powf(0.25) }
    }

    /// `W v`.
    pub(super) fn times(&self, v: SVector<f64, N>) -> SVector<f64, N> {
        spread(self.w, v) * self.eta
    }

    /// `W⁻¹ v`.
    pub(super) fn inverse_times(&self, v: SVector<f64, N>) -> SVector<f64, N> {
        spread(mirrored(self.w), v) / self.eta
    }

    /// `W⁻²`.
    pub(super) fn inverse_square(&self) -> SMatrix<f64, N, N> {
        let w = mirrored(self.w);
        let mut block = w * w.transpose() * 2.0;
        block[(0, 0)] -= 1.0;
        for k in 1..N {
            block[(k, k)] += 1.0;
        }
        block / (self.eta * self.eta)
    }
}

fn spread<const N: usize>(w: SVector<f64, N>, v: SVector<f64, N>) -> SVector<f64, N> {
    let along: f64 = (1..N).map(|k| w[k] * v[k]).sum();
    let tail = v[0] + along / (1.0 + w[0]);
    SVector::from_fn(|k, _| if k == 0 { w[0] * v[0] + along } else { v[k] + tail * w[k] })
}

/// `J x`.
fn mirrored<const N: usize>(x: SVector<f64, N>) -> SVector<f64, N> {
    SVector::from_fn(|k, _| if k == 0 { x[0] } else { -x[k] })
}

/// `x∘y`.
pub(super) fn jordan<const N: usize>(x: SVector<f64, N>, y: SVector<f64, N>) -> SVector<f64, N> {
    SVector::from_fn(|k, _| if k == 0 { x.dot(&y) } else { x[0] * y[k] + y[0] * x[k] })
}

/// The `z` with `x∘z = d`.
pub(super) fn jordan_divide<const N: usize>(
    x: SVector<f64, N>,
    d: SVector<f64, N>,
) -> SVector<f64, N> {
    let first = lorentz(x, d) / determinant(x);
    SVector::from_fn(|k, _| if k == 0 { first } else { (d[k] - first * x[k]) / x[0] })
}

/// `xᵀ J y`.
fn lorentz<const N: usize>(x: SVector<f64, N>, y: SVector<f64, N>) -> f64 {
    (1..N).fold(x[0] * y[0], |sum, k| sum - x[k] * y[k])
}

/// `x₀² − ‖x̄‖²`, kept above what rounding makes of a boundary point.
pub(super) fn determinant<const N: usize>(x: SVector<f64, N>) -> f64 {
    let length = (2..N).fold(x[1].abs(), |length, k| length.hypot(x[k]));
    ((x[0] - length) * (x[0] + length)).max(1e-30 * x[0] * x[0])
}

/// How many steps `d` lead from `x` to the boundary of the cone.
pub(super) fn to_boundary<const N: usize>(x: SVector<f64, N>, d: SVector<f64, N>) -> f64 {
    // det(x + t d) = a t² + 2 b t + c
    let (a, b, c) = (lorentz(d, d), lorentz(x, d), determinant(x));
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
    if d[0] < 0.0 { reach.min(-x[0] / d[0]) } else { reach }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vector3;

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

    /// Numbers after its own that are zero change nothing.
    #[test]
    fn smaller_cones_are_those_with_zeros() {
        let (x, y) = (Vector3::new(2.0, 0.7, -1.1), Vector3::new(0.9, -0.3, 0.5));
        let wide = |v: Vector3| SVector::<f64, 6>::new(v.x, v.y, v.z, 0.0, 0.0, 0.0);
        let (scaling, wider) = (Scaling::new(x, y), Scaling::new(wide(x), wide(y)));
        assert!((wider.times(wide(y)) - wide(scaling.times(y))).norm() < 1e-14);
        assert!((wider.inverse_square() * wide(x) - wide(y)).norm() < 1e-14);
        assert!((jordan_divide(wide(x), wide(y)) - wide(jordan_divide(x, y))).norm() < 1e-14);
        assert!((to_boundary(wide(x), -wide(y)) - to_boundary(x, -y)).abs() < 1e-14);
    }
}
