//! Newton's method on a step with joints.
//!
//! The stage is [linearised](super::free) once where forces are nearly linear in a step. Joints are not: motors pull
//! no harder than they can, limits push on one side alone, and what swings on a hinge leaves its tangent. So where
//! there are joints, impulses and velocities are found again with the stage linearised where they led, until
//!
//! $$ \| A^{-1} (r(v) - J^T r) \|_\infty \le \text{tolerance} $$
//!
//! With impulses as they are, the stage is where `E(v) - rᵀ J v` is least, if forces have an energy. Along the way
//! `d` of an iteration its slope is `d · (r(v) - Jᵀ r)`. Where that is turned around at the end of the way, such as by
//! a motor that was too weak at its start and is too strong at its end, the way ends where the slope is nothing.
//! What spins stays as it was linearised first.

use super::free::Linearised;
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

/// What is to be done after contacts were solved.
pub(super) enum Next {
    /// Nothing: forces are what they were thought to be.
    Done,
    /// To solve contacts with another linearisation; velocities are wrong by so much [m/s].
    Again(Linearised, f64),
}

impl Impulse {
    /// Looks at forces where a linearised stage with impulses `r` led, the velocities `x`.
    ///
    /// # Errors
    /// As for a stage without contacts.
    pub(super) fn look_again(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        free: &Free,
        (r, x): (&[f64], &[f64]),
        (q, v): (&mut [f64], &mut [f64]),
    ) -> Result<Next, Status> {
        let inverse = self.settings.operator.inverse();
        // Masses alone: forces are meant to be those of the start.
        if model.joints.is_empty() || inverse == Inverse::Masses {
            return Ok(Next::Done);
        }
        let Linearised { at, r: start, answer, .. } = &free.linearised;
        let push = gather(&free.jacobian, r);
        let mut unbalanced = self.room.unbalanced(model, stage, x, q, v);
        let mut error: Vec<f64> = unbalanced.iter().zip(&push).map(|(r, push)| r - push).collect();
        let way: Vec<f64> = x.iter().zip(at).map(|(x, at)| x - at).collect();
        let slope = |r: &[f64]| dot(&way, r) - dot(&way, &push);
        let (mut first, mut last) = ((0.0, slope(start)), (1.0, slope(&unbalanced)));
        answer.apply(&mut error);
        let left = max_abs(&error);
        if left.is_nan() {
            return Err(Status::NotFinite);
        }
        if left <= self.settings.tolerance {
            return Ok(Next::Done);
        }
        let mut new = x.to_vec();
        if last.1 > -TURNED * first.1 && first.1 < 0.0 {
            // Regula falsi, with the Illinois rule: an end that stays counts half.
            let level = -LEVEL * first.1;
            let mut kept = 0;
            for _ in 0..TRIALS {
                let s = (first.0 * last.1 - last.0 * first.1) / (last.1 - first.1);
                new.iter_mut().zip(at.iter().zip(&way)).for_each(|(x, (at, d))| *x = at + s * d);
                unbalanced = self.room.unbalanced(model, stage, &new, q, v);
                let now = slope(&unbalanced);
                if now.abs() <= level || now.is_nan() {
                    break;
                }
                if now < 0.0 {
                    first = (s, now);
                    last.1 *= if kept == 1 { 0.5 } else { 1.0 };
                    kept = 1;
                } else {
                    last = (s, now);
                    first.1 *= if kept == 2 { 0.5 } else { 1.0 };
                    kept = 2;
                }
            }
        }
        let linearised = self.room.linearise(model, stage, new, unbalanced, q, inverse)?;
        Ok(Next::Again(linearised, left))
    }
}
