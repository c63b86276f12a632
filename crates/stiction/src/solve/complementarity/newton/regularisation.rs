//! How much linear systems are regularised: Levenberg and Marquardt's way.
//!
//! Redundant contacts make Newton's systems singular, so a part of the contacts' own mobility is added to `∂F/∂r` in
//! them, and in them alone: it costs steps and no accuracy. It grows where no length of a step is any good, and falls
//! after steps that are taken in full, so that the end is quadratic.

/// After the first step that is refused, at least; and at most.
const MORE: f64 = 1e-3;
const MOST: f64 = 1.0;
/// By how much it grows with steps that are refused, and falls with those taken in full.
const GROWTH: f64 = 30.0;
const DECAY: f64 = 0.1;

/// Of the contacts' own mobility, added in linear systems only [-].
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Regularisation {
    /// What is added first; and never less than this.
    pub(in super::super) first: f64,
    pub(in super::super) least: f64,
}

impl Regularisation {
    /// After a step that was refused, if there is any left to try.
    pub(super) fn more(self, now: f64) -> Option<f64> {
        (now < MOST).then(|| (GROWTH * now).clamp(MORE, MOST))
    }

    /// After a step of some length was taken.
    pub(super) fn less(self, now: f64, length: f64) -> f64 {
        if length >= 1.0 { (DECAY * now).max(self.least) } else { now }
    }
}
