//! Friction tensors [PTS09; AEF22, §6.2].
//!
//! Each surface has a matrix `Q` in its own tangent frame (grain, and across it); friction of two is
//!
//! $$ f = -N\, L\, \hat v, \qquad L = \kappa\,(Q_A + R\, Q_B R^T), \qquad \hat v = v_T/\|v_T\| $$
//!
//! with `R` from the frame of B to that of A, signed. It takes energy from every motion if the symmetric part of `L`
//! is positive definite. It is not what takes most, unless `v̂` is an eigenvector: so it is no cone, and
//! [`resistance`] evaluates it for a slip that is known, from the step before.
//!
//! The forces `L v̂` of all directions make an ellipse, `fᵀ C f = N²` with `C = L⁻ᵀL⁻¹`: its axes are the
//! eigenvectors of `L Lᵀ`, its semi-axes the singular values of `L`. [`grip`] is that cone. Both agree on how hard
//! directions are; where `v̂` is no eigenvector, not on where friction points.
//!
//! A surface whose `backward` tensor is another one resists differently where the other body slides against its
//! grain. Which one is meant is decided by the last slip that was one ([`against`]): at rest velocities are rounding,
//! and a tensor that followed their sign would let go of what it holds.

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

    /// The one that counts.
    fn of(&self, against: bool) -> &Matrix2 {
        match &self.backward {
            Some(backward) if against => backward,
            _ => &self.forward,
        }
    }
}

/// Of each surface, whether the other body slides against its grain: as `before`, unless it is faster than `least`
/// along the grain [m/s].
pub fn against(contact: &ContactAt<'_>, before: [bool; 2], least: f64) -> [bool; 2] {
    let mut against = before;
    for ((against, surface), sign) in against.iter_mut().zip(&contact.surfaces).zip(SIDES) {
        let Some(surface) = surface else { continue };
        let differs = surface.skin.tensor.is_some_and(|tensor| tensor.backward.is_some());
        let Some(grain) = surface.grain(contact.normal).filter(|_| differs) else { continue };
        let along = sign * grain.dot(&contact.slip);
        if along.abs() > least {
            *against = along < 0.0;
        }
    }
    against
}

/// How the other body slides along A and along B, in slips of A relative to B; and which way they look, in normals.
const SIDES: [f64; 2] = [-1.0, 1.0];

/// `L` in the frame of `t` and `n × t`, for the last slip; nothing if no surface has a tensor and a grain.
pub fn tensor(contact: &ContactAt<'_>, t: Vector3, scale: f64) -> Option<Matrix2> {
    let n = contact.normal;
    let b = n.cross(&t);
    let mut sum: Option<Matrix2> = None;
    for ((surface, sign), against) in contact.surfaces.iter().zip(SIDES).zip(contact.against) {
        let Some(surface) = surface else { continue };
        let (Some(own), Some(grain)) = (&surface.skin.tensor, surface.grain(n)) else { continue };
        let q = own.of(against);
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
