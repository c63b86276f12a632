//! Friction tensors [PTS09; AEF22, §6.2].
//!
//! Each surface has a matrix `Q` in its own tangent frame (grain, and across it); friction of two is
//!
//! $$ f = -N\, L\, \hat v, \qquad L = \kappa\,(Q_A + R\, Q_B R^T), \qquad \hat v = v_T/\|v_T\| $$
//!
//! with `R` from the frame of B to that of A, signed. It takes energy from every motion if the symmetric part of `L` is positive
//! definite. It is not what takes most, unless `v̂` is an eigenvector: so it is no cone, and [`resistance`] evaluates it for a slip that is
//! known, from the step before.
//!
//! The forces `L v̂` of all directions make an ellipse, `fᵀ C f = N²` with `C = L⁻ᵀL⁻¹`: its axes are the eigenvectors of `L Lᵀ`, its semi-axes the singular
//! values of `L`. [`grip`] is that cone. Both agree on how hard directions are; where `v̂` is no eigenvector, not on where friction points.
//!
//! A surface whose `backward` tensor is another one resists differently where the other body slides against its grain: which one is
//! meant is decided by the last slip.

use super::{ContactAt, Grip};
use crate::math::{Matrix2, Vector2, Vector3};

/// One surface's part in friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionTensor {
    /// `Q`, in the frame of grain and normal × grain, where the other body slides along the grain [-].
    pub forward: Matrix2,
    /// `Q` where it slides the other way, if that is another one [-].
    pub backward: Option<Matrix2>,
}

impl FrictionTensor {
    /// The same both ways, with coefficients along and across the grain.
    pub fn diagonal(along: f64, across: f64) -> Self {
        Self { forward: Matrix2::new(along, 0.0, 0.0, across), backward: None }
    }

    /// Whether it never drives anything: symmetric parts are positive semidefinite, numbers finite.
    pub fn is_dissipative(&self) -> bool {
        let fine = |q: &Matrix2| {
            let mixed = 0.5 * (q.m12 + q.m21);
            let size = q.norm();
            size.is_finite()
                && q.m11 >= 0.0
                && q.m22 >= 0.0
                && q.m11 * q.m22 - mixed * mixed >= -1e-14 * size * size
        };
        fine(&self.forward) && self.backward.as_ref().is_none_or(fine)
    }

    /// The one that counts where the other body slides with `along` along the grain.
    fn of(&self, along: f64) -> &Matrix2 {
        match &self.backward {
            Some(backward) if along < 0.0 => backward,
            _ => &self.forward,
        }
    }
}

/// `L` in the frame of `t` and `n × t`, for the last slip; nothing if no surface has a tensor and a grain.
pub fn tensor(contact: &ContactAt<'_>, t: Vector3, scale: f64) -> Option<Matrix2> {
    let n = contact.normal;
    let b = n.cross(&t);
    let mut sum: Option<Matrix2> = None;
    for (surface, sign) in contact.surfaces.iter().zip([-1.0, 1.0]) {
        let Some(surface) = surface else { continue };
        let (Some(own), Some(grain)) = (&surface.skin.tensor, surface.grain(n)) else { continue };
        // What A sees slide along itself is B, at minus the slip.
        let q = own.of(sign * grain.dot(&contact.slip));
        // Each has its own outward normal, so what is across the grain changes sign with the side.
        let outward = n * sign;
        let across = outward.cross(&grain);
        let rotation = Matrix2::new(grain.dot(&t), across.dot(&t), grain.dot(&b), across.dot(&b));
        let turned = rotation * q * rotation.transpose() * scale;
        sum = Some(sum.unwrap_or_else(Matrix2::zeros) + turned);
    }
    sum
}

/// Friction per normal force on A, for a slip that is known: `−L v̂`; zero where nothing slips.
pub fn resistance(contact: &ContactAt<'_>, scale: f64) -> Vector3 {
    let n = contact.normal;
    let t = contact.tangent();
    let b = n.cross(&t);
    let slip = Vector2::new(contact.slip.dot(&t), contact.slip.dot(&b));
    let speed = slip.norm();
    match tensor(contact, t, scale) {
        Some(tensor) if speed > 0.0 => {
            let f = tensor * slip / -speed;
            t * f.x + b * f.y
        }
        _ => Vector3::zeros(),
    }
}

/// The cone of a tensor; where no surface has one, isotropic with a coefficient.
pub fn grip(contact: &ContactAt<'_>, scale: f64, coefficient: f64) -> Grip {
    let t = contact.tangent();
    let Some(l) = tensor(contact, t, scale) else { return Grip::isotropic(t, coefficient) };
    let (axis, semi_axes) = principal_axes(l);
    let b = contact.normal.cross(&t);
    Grip::ellipse((t * axis.x + b * axis.y).normalize(), semi_axes)
}

/// The first axis and both semi-axes of the ellipse `L v̂`, the longer one first.
pub fn principal_axes(l: Matrix2) -> (Vector2, [f64; 2]) {
    let s = l * l.transpose();
    let (mean, half) = (0.5 * (s.m11 + s.m22), 0.5 * (s.m11 - s.m22));
    let spread = half.hypot(s.m12);
    let angle = if spread > 0.0 { 0.5 * s.m12.atan2(half) } else { 0.0 };
    let semi_axes = [mean + spread, (mean - spread).max(0.0)].map(f64::sqrt);
    (Vector2::new(angle.cos(), angle.sin()), semi_axes)
}
