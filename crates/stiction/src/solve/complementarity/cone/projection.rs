//! Nearest points of the friction cone `K = {‖r_T‖ ≤ μ r_N}`, of its polar `K° = −K*`, and of a disc.
//!
//! Normal first, then two tangents. `z = P_K(z) + P_K°(z)`, and both parts are orthogonal.

use crate::math::{Matrix3, Vector2, Vector3};

/// The length of the tangential part. Not `hypot`, which takes longer than all the rest of a projection: squares of
/// what is below 1e-154 vanish.
#[inline]
pub(super) fn tangential(z: Vector3) -> f64 {
    (z.y * z.y + z.z * z.z).sqrt()
}

/// The nearest impulse that friction with coefficient `mu` can give.
#[inline]
#[doc(alias("Coulomb cone", "friction cone"))]
pub fn project_cone(mu: f64, z: Vector3) -> Vector3 {
    let slip = tangential(z);
    // Without friction the cone is a half-line, on which zero slip says nothing.
    if slip <= mu * z.x && z.x >= 0.0 {
        return z;
    }
    if mu * slip <= -z.x {
        return Vector3::zeros();
    }
    // Never divides by zero: with no tangential part, a test above has held.
    let normal = (z.x + mu * slip) / (1.0 + mu * mu);
    let scale = mu * normal / slip;
    Vector3::new(normal, scale * z.y, scale * z.z)
}

/// The nearest point of the polar cone `K° = {z : zᵀr ≤ 0 for all r in K}`.
pub fn project_polar(mu: f64, z: Vector3) -> Vector3 {
    z - project_cone(mu, z)
}

/// The nearest point of a disc around the origin; a negative radius counts as zero.
pub fn project_disc(radius: f64, z: Vector2) -> Vector2 {
    let length = z.norm();
    if length <= radius { z } else { z * (radius.max(0.0) / length) }
}

/// An element of the generalised derivative of [`project_cone`].
pub fn project_cone_derivative(mu: f64, z: Vector3) -> Matrix3 {
    if mu <= 0.0 {
        let pushes = if z.x > 0.0 { 1.0 } else { 0.0 };
        return Matrix3::from_diagonal(&Vector3::new(pushes, 0.0, 0.0));
    }
    let slip = tangential(z);
    if slip <= mu * z.x {
        return Matrix3::identity();
    }
    if mu * slip <= -z.x {
        return Matrix3::zeros();
    }
    let t = Vector2::new(z.y, z.z) / slip;
    let weight = 1.0 / (1.0 + mu * mu);
    let normal = (z.x + mu * slip) * weight;
    // P = normal (1, μ t): normal changes with both parts, t turns.
    let along = mu * mu * weight;
    let turn = mu * normal / slip;
    let tangent = |a: usize, b: usize| {
        let same = if a == b { 1.0 } else { 0.0 };
        along * t[a] * t[b] + turn * (same - t[a] * t[b])
    };
    let mixed = mu * weight * t;
    Matrix3::new(
        weight,
        mixed.x,
        mixed.y,
        mixed.x,
        tangent(0, 0),
        tangent(0, 1),
        mixed.y,
        tangent(1, 0),
        tangent(1, 1),
    )
}
