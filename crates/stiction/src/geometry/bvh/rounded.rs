//! Boxes in `f32`, relative to an origin.
//!
//! `x ↦ f32(x − o)` never changes the order of two coordinates: subtraction and conversion round to the nearest, both
//! keep `≤`.

use crate::mesh::BoundingBox;

/// Boxes that are farther away than so many times their extent get an origin of their own: `f32` then still has 2¹³
/// steps across them. Nearer ones share zero, so that two trees can be compared as they are.
const FAR: f64 = 2048.0;

/// A box in `f32`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// Where `f32` coordinates start from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Origin([f64; 3]);

impl Origin {
    /// For boxes that fill `around`.
    pub(super) fn of(around: &BoundingBox) -> Self {
        let (low, high) = (around.min, around.max);
        Self([0, 1, 2].map(|k| {
            let is_far = low[k].abs().max(high[k].abs()) > FAR * (high - low).amax();
            if is_far { 0.5 * low[k] + 0.5 * high[k] } else { 0.0 }
        }))
    }

    #[inline(always)]
    pub(super) fn round(&self, b: &BoundingBox) -> Rounded {
        // Finite, so that differences are never NaN.
        let near = |x: f64, k: usize| ((x - self.0[k]) as f32).clamp(-f32::MAX, f32::MAX);
        Rounded {
            min: [0, 1, 2].map(|k| near(b.min[k], k)),
            max: [0, 1, 2].map(|k| near(b.max[k], k)),
        }
    }
}

impl Rounded {
    /// Around both.
    #[inline(always)]
    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            min: [0, 1, 2].map(|k| -higher(-self.min[k], -other.min[k])),
            max: [0, 1, 2].map(|k| higher(self.max[k], other.max[k])),
        }
    }
}

/// One instruction, where `f32::max` takes care of NaN as well.
#[inline(always)]
pub(super) fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
