//! Exact signs, and the range of numbers in which they are.

use robust::{Coord, Coord3D};

use crate::math::Vector3;

/// −1, 0 or 1.
pub(super) type Sign = i8;

/// Largest coordinates outside of `2^±NEAR` are scaled: products of three stay far from overflow.
const NEAR: i32 = 100;
/// Smaller coordinates are zero, 2⁻³⁰⁰: the last bits of three others, 2⁻³⁵² each, still have a product.
const LEAST: f64 = power_of_two(-300);
/// Rounding of a determinant of differences, relative to its permanent [She97, fig. 21]; `EPSILON` there is half of
/// ours.
const ROUNDING: f64 = (7.0 + 28.0 * f64::EPSILON) * 0.5 * f64::EPSILON;

/// A power of two that brings coordinates near one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale(f64, f64);

impl Scale {
    /// For these points; nothing if one is not finite.
    pub(super) fn of<'a>(points: impl IntoIterator<Item = &'a Vector3>) -> Option<Self> {
        let mut largest = 0.0_f64;
        for x in points.into_iter().flat_map(|point| point.iter()) {
            if !x.is_finite() {
                return None;
            }
            largest = largest.max(x.abs());
        }
        let exponent = exponent(largest);
        if largest == 0.0 || exponent.abs() <= NEAR {
            return Some(Self(1.0, 1.0));
        }
        // In two factors: one alone may be out of range.
        let half = -exponent / 2;
        Some(Self(power_of_two(half), power_of_two(-exponent - half)))
    }

    pub(super) fn apply(self, point: &Vector3) -> Vector3 {
        point.map(|x| {
            let x = x * self.0 * self.1;
            if x.abs() < LEAST { 0.0 } else { x }
        })
    }
}

/// `e` with `2^e ≤ x < 2^(e+1)`, for `x > 0`.
fn exponent(x: f64) -> i32 {
    let of_normal = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    if x < f64::MIN_POSITIVE { of_normal(x * power_of_two(60)) - 60 } else { of_normal(x) }
}

const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// On which side of the plane through `a`, `b`, `c` the point `d` lies, by the sign of `det(b − a, c − a, d − a)`.
pub(super) fn side(a: &Vector3, b: &Vector3, c: &Vector3, d: &Vector3) -> Sign {
    let [a, b, c, d] = [a, b, c, d].map(|x| Coord3D { x: x.x, y: x.y, z: x.z });
    -sign(robust::orient3d(a, b, c, d))
}

/// The same, where rounding leaves no doubt.
#[inline]
pub(super) fn sure_side([a, b, c]: &[Vector3; 3], d: &Vector3) -> Option<Sign> {
    let (a, b, c) = (a - d, b - d, c - d);
    let (bc, cb) = (b.x * c.y, c.x * b.y);
    let (ca, ac) = (c.x * a.y, a.x * c.y);
    let (ab, ba) = (a.x * b.y, b.x * a.y);
    let determinant = a.z * (bc - cb) + b.z * (ca - ac) + c.z * (ab - ba);
    let permanent = (bc.abs() + cb.abs()) * a.z.abs()
        + (ca.abs() + ac.abs()) * b.z.abs()
        + (ab.abs() + ba.abs()) * c.z.abs();
    (determinant.abs() > ROUNDING * permanent).then(|| -sign(determinant))
}

/// The axes beside `k`, which a projection along it keeps.
pub(super) const fn others(k: usize) -> [usize; 2] {
    [(k + 1) % 3, (k + 2) % 3]
}

/// The turn from `a` to `b` to `c`, seen against the axis `k`: 1 is counter-clockwise.
pub(super) fn turn(k: usize, a: &Vector3, b: &Vector3, c: &Vector3) -> Sign {
    let [u, v] = others(k);
    let [a, b, c] = [a, b, c].map(|x| Coord { x: x[u], y: x[v] });
    sign(robust::orient2d(a, b, c))
}

fn sign(x: f64) -> Sign {
    Sign::from(x > 0.0) - Sign::from(x < 0.0)
}
