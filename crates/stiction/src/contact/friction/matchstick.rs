//! The matchstick model: friction of two surfaces with a grain [AEF22, §6.1.2, alg. 21; corrected:
//! `docs/theory/limit-surfaces.md`, "Matchsticks"].
//!
//! Two boxes of matches slide easily on each other where the sticks are parallel, along them. With `θ ∈ [0, π/2]`
//! between both grains,
//!
//! $$ d = 1 - 2\theta/\pi, \quad \mu_t = d\,\mu_\parallel + (1 - d)\,\mu, \quad \mu_b = d\,\mu_\perp + (1 - d)\,\mu $$
//!
//! along the mean `t` of both directions and across it: fully anisotropic where they are parallel, isotropic where
//! they cross at right angles. Where only one surface has a grain, the other follows it: `d = 1`. Where none has (or
//! it points along the normal, as at the end of a log), it is isotropic.

use super::Grip;
use crate::math::{Vector3, any_across};

/// What friction can do where surfaces have grains, along them: unit vectors across `normal`.
pub fn grip(
    normal: Vector3,
    grains: [Option<Vector3>; 2],
    coefficient: f64,
    [along, across]: [f64; 2],
) -> Grip {
    let (tangent, parallel) = match grains {
        [Some(a), Some(b)] => (mean(a, b), parallel(a, b)),
        [Some(only), None] | [None, Some(only)] => (only, 1.0),
        [None, None] => (any_across(normal), 0.0),
    };
    let blend = |own: f64| parallel * own + (1.0 - parallel) * coefficient;
    Grip::ellipse(tangent, [blend(along), blend(across)])
}

/// `d`: one where directions are parallel, zero where they are at right angles.
pub fn parallel(a: Vector3, b: Vector3) -> f64 {
    // Not acos: it loses half the digits where both are nearly parallel.
    let angle = a.cross(&b).norm().atan2(a.dot(&b).abs());
    1.0 - angle / std::f64::consts::FRAC_PI_2
}

/// The mean of two directions whose signs do not matter.
pub fn mean(a: Vector3, b: Vector3) -> Vector3 {
    let b = if a.dot(&b) < 0.0 { -b } else { b };
    // At right angles either diagonal will do: there friction is isotropic.
    (a + b).normalize()
}
