//! Newton's method on a step with joints, or with bodies that deform.
//!
//! Where a stage is not linear, impulses and velocities are found again with the stage [linearised](super::free) where
//! they led, until
//!
//! $$ \| A^{-1} (r(v) - J^T r) \|_\infty \le \text{tolerance} $$
//!
//! Motors pull no harder than they can, limits push on one side alone, what swings on a hinge leaves its tangent, and
//! what is strained much pulls otherwise than Hooke says. Contacts stay as they were found: their frames are those of
//! the start. Each pass obeys their laws, so what it ends with does.
//!
//! With impulses as they are, the stage is where `L(v) = Φ(v) - rᵀ J v` is least, `Φ` the incremental potential, if
//! forces have an energy. The way `d` of a pass leads down, for its slope is `d · (r(v) - Jᵀ r) = -dᵀ A d`; from
//! velocities that obey Signorini's law it leads down `Φ` as well, which is what passes have in common whatever their
//! impulses (docs/theory/impulses.md#again). It is shortened
//!
//! - where the slope is turned around at its end, such as by a motor that was too weak at its start and is too strong
//!   at its end: to where the slope is nothing;
//! - where `L` does not fall enough [Armijo]: by halves.
//!
//! What spins stays as it was linearised first.

use super::free::{Linearised, Place, Potential, deforms};
use super::step::{Free, gather};
use super::{Impulse, Inverse};
use crate::model::Model;
use crate::solve::Status;
use crate::solve::vector::{dot, max_abs};
use crate::step::Stage;

/// Linearisations of a step at most; two or three are usual.
pub(super) const LINEARISATIONS: usize = 30;
/// Slope at the end of a way, in that at its start, from which on it is too long.
const TURNED: f64 = 0.5;
/// Where along the way it is nothing: to this part of that at the start, in so many trials at most.
const LEVEL: f64 = 0.1;
const TRIALS: usize = 40;
/// How much `L` must fall, in what the slope at the start promises.
const FALL: f64 = 1e-4;
/// Halves of a way at most.
const HALVES: usize = 30;
/// What is left of a pass, in how far it went, up to which the matrix it had will do for the next one: that costs
/// neither a factorisation nor contacts written out, and gains as much again.
const NEAR: f64 = 1e-3;
/// A pass gains less than this: rounding may be what is left.
const GAINED: f64 = 0.5;
/// What is left is rounding if changing the last bits of positions changes it by this part of itself.
const NOISE: f64 = 0.1;

/// What is to be done after contacts were solved.
pub(super) enum Next {
    /// Nothing: forces are what they were thought to be.
    Done,
    /// To solve contacts again from another place.
    Again(Again),
}

/// How the next pass begins.
pub(super) struct Again {
    /// Where.
    pub(super) place: Place,
    /// By how much velocities were wrong [m/s].
    pub(super) left: f64,
    /// Whether the matrix of the pass before will do.
    pub(super) keeps: bool,
}

/// The way of a pass, with impulses as they are.
struct Way {
    /// `d`.
    d: Vec<f64>,
    /// `Jᵀ r`.
    push: Vec<f64>,
}

impl Way {
    fn slope(&self, r: &[f64]) -> f64 {
        dot(&self.d, r) - dot(&self.d, &self.push)
    }

    /// `L` at a place.
    fn potential(&self, place: &Place) -> Option<Potential> {
        let pushed = dot(&self.push, &place.at);
        let Potential { value, magnitude } = place.potential?;
        Some(Potential { value: value - pushed, magnitude: magnitude + pushed.abs() })
    }

    /// What is wrong with velocities at a place.
    fn error(&self, linearised: &Linearised, r: &[f64]) -> Vec<f64> {
        let mut error: Vec<f64> = r.iter().zip(&self.push).map(|(r, push)| r - push).collect();
        linearised.answer.apply(&mut error);
        error
    }
}

impl Impulse {
    /// Looks at forces where a linearised stage with impulses `r` led, the velocities `x`. `before` is by how much
    /// velocities were wrong a pass before [m/s].
    ///
    /// # Errors
    /// As for a stage without contacts.
    pub(super) fn look_again(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        free: &Free,
        (r, x, before): (&[f64], &[f64], f64),
        (q, v): (&mut [f64], &mut [f64]),
    ) -> Result<Next, Status> {
        let inverse = self.settings.operator.inverse();
        // Masses alone: forces are meant to be those of the start.
        if model.assembly.terms().is_empty() || inverse == Inverse::Masses {
            return Ok(Next::Done);
        }
        let linearised = &free.linearised;
        let d = x.iter().zip(&linearised.at).map(|(x, at)| x - at).collect();
        let way = Way { d, push: gather(&free.jacobian, r) };
        let full = self.look_at(model, stage, x.to_vec(), q, v);
        let left = max_abs(&way.error(linearised, &full.r));
        if left <= self.settings.tolerance {
            return Ok(Next::Done);
        }
        if left > GAINED * before
            && self.is_noise(model, stage, &way, &full, (left, linearised), (q, v))
        {
            return Ok(Next::Done);
        }
        let place = self.shorten(model, stage, &way, full, linearised, (q, v));
        if !place.r.iter().all(|r| r.is_finite()) {
            return Err(Status::NotFinite);
        }
        let keeps = deforms(model) && left <= NEAR * max_abs(&way.d).min(before);
        Ok(Next::Again(Again { place, left, keeps }))
    }

    fn look_at(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        at: Vec<f64>,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Place {
        let r = self.room.unbalanced(model, stage, &at, q, v);
        let potential = self.room.potential(model, stage, q, v);
        Place { at, r, potential }
    }

    /// The place where a way ends; that is where the model was last looked at. `full` is its end, if it is not
    /// shortened.
    fn shorten(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        way: &Way,
        full: Place,
        linearised: &Linearised,
        (q, v): (&mut [f64], &mut [f64]),
    ) -> Place {
        let Linearised { at, r, potential, .. } = linearised;
        let along = |s: f64| at.iter().zip(&way.d).map(|(at, d)| at + s * d).collect::<Vec<f64>>();
        let start = Place { at: at.clone(), r: r.clone(), potential: *potential };
        let slope = way.slope(r);
        let (mut first, mut last) = ((0.0, slope), (1.0, way.slope(&full.r)));
        let (mut place, mut length) = (full, 1.0);
        if last.1 > -TURNED * slope && slope < 0.0 {
            // Regula falsi, with the Illinois rule: an end that stays counts half.
            let level = -LEVEL * slope;
            let mut kept = 0;
            for _ in 0..TRIALS {
                length = (first.0 * last.1 - last.0 * first.1) / (last.1 - first.1);
                place = self.look_at(model, stage, along(length), q, v);
                let now = way.slope(&place.r);
                if now.abs() <= level || now.is_nan() {
                    break;
                }
                if now < 0.0 {
                    first = (length, now);
                    last.1 *= if kept == 1 { 0.5 } else { 1.0 };
                    kept = 1;
                } else {
                    last = (length, now);
                    first.1 *= if kept == 2 { 0.5 } else { 1.0 };
                    kept = 2;
                }
            }
        }
        let Some(before) = way.potential(&start).filter(|start| start.value.is_finite()) else {
            return place;
        };
        let rounding = 8.0 * f64::EPSILON * before.magnitude;
        for _ in 0..HALVES {
            let enough = before.value + FALL * length * slope + rounding;
            // Written so that NaN does not fall.
            if way.potential(&place).is_some_and(|now| now.value <= enough) {
                break;
            }
            length *= 0.5;
            place = self.look_at(model, stage, along(length), q, v);
        }
        place
    }

    /// Whether what is wrong with velocities is what rounding of positions makes of forces.
    fn is_noise(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        way: &Way,
        full: &Place,
        (left, linearised): (f64, &Linearised),
        (q, v): (&mut [f64], &mut [f64]),
    ) -> bool {
        if !deforms(model) {
            return false;
        }
        let bit = f64::EPSILON * model.size / stage.beta;
        // Signs without pattern, but the same ones every time.
        let sign = |i: usize| if (i.wrapping_mul(0x9e37_79b9) >> 7) & 1 == 0 { 1.0 } else { -1.0 };
        let moved = full.at.iter().enumerate().map(|(i, x)| x + sign(i) * bit).collect();
        let moved = self.look_at(model, stage, moved, q, v);
        let (here, there) = (way.error(linearised, &full.r), way.error(linearised, &moved.r));
        let changed: Vec<f64> = here.iter().zip(&there).map(|(here, there)| here - there).collect();
        // Back to where the way ends.
        self.look_at(model, stage, full.at.clone(), q, v);
        max_abs(&changed) >= NOISE * left
    }
}
