//! Two capsules: nearest points of their segments, and the stretch they lie side by side.

use super::clip;
use super::pair::{Pair, Witness, Writer};
use crate::math::Vector3;

/// Squares of lengths below this share of the largest are zero.
const NOTHING: f64 = 1e-24;

pub(super) fn contacts(pair: &Pair, writer: &mut Writer) {
    let witness = nearest(pair);
    if witness.gap - pair.radii() > writer.reach {
        return;
    }
    let lowest = clip::faces(pair, &witness.normal, writer);
    if lowest > witness.gap + pair.tolerance() {
        writer.push_witness(pair, &witness);
    }
}

/// Nearest points of the segments [Ericson, Real-Time Collision Detection, §5.1.9].
fn nearest(pair: &Pair) -> Witness {
    let ends_a =
        [-Vector3::y(), Vector3::y()].map(|d| pair.turn * pair.a.core.support(&d).x + pair.shift);
    let ends_b = [-Vector3::y(), Vector3::y()].map(|d| pair.b.core.support(&d).x);
    let (d1, d2, r) = (ends_a[1] - ends_a[0], ends_b[1] - ends_b[0], ends_a[0] - ends_b[0]);
    let (a, e, f) = (d1.norm_squared(), d2.norm_squared(), d2.dot(&r));
    let (b, c) = (d1.dot(&d2), d1.dot(&r));
    let scale = a.max(e);
    let share = |top: f64, bottom: f64| {
        if bottom > NOTHING * scale { (top / bottom).clamp(0.0, 1.0) } else { 0.0 }
    };
    // Parallel segments may start anywhere; those at right angles make the denominator the product.
    let denominator = a * e - b * b;
    let s = if denominator > 1e-12 * a * e {
        ((b * f - c * e) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = share(b * s + f, e);
    let s = share(b * t - c, a);
    let (on_a, on_b) = (ends_a[0] + d1 * s, ends_b[0] + d2 * t);
    let v = on_a - on_b;
    let gap = v.norm();
    if gap * gap > NOTHING * scale {
        return Witness { normal: v / gap, gap, b: on_b };
    }
    // The axes cross: out across both of them, on the side where the middle of A is.
    let across = d1.cross(&d2);
    let across = if across.norm_squared() > 1e-12 * a * e { across } else { any_across(&d2, &d1) };
    let normal = across.normalize();
    let normal = if normal.dot(&pair.shift) < 0.0 { -normal } else { normal };
    Witness { normal, gap: 0.0, b: on_b }
}

/// Some direction across the longer of two parallel segments; `x` if both are points.
fn any_across(d: &Vector3, other: &Vector3) -> Vector3 {
    let d = if d.norm_squared() >= other.norm_squared() { d } else { other };
    let across = d.cross(&Vector3::ith(d.iamin(), 1.0));
    if across.norm_squared() > 0.0 { across } else { Vector3::x() }
}
