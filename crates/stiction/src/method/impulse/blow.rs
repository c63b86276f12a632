//! Where bodies are after a blow that happens within a step.
//!
//! A contact with restitution that is apart by `g` and closes at `u < 0` is struck after the time `τ = −g/u`. Impulses
//! act on velocities for all of the step, as if it had been struck at its start: bodies would turn back in mid-air.
//! What they did until the blow is put right after the step,
//!
//! $$ \delta = -\tau A^{-1} J^T r $$
//!
//! so that positions are those of a blow at `τ`: below the start by `g`, and back for the rest of the step. Limit:
//! where others push in the same island, one time does not fit all, and bodies turn back where they are.

use super::inverse_mass::InverseMass;
use super::step::respond;
use super::touch::Touch;
use super::{Impulse, ImpulseSettings};
use crate::assembly::point;
use crate::solve::complementarity::cone::BlockRows;

impl ImpulseSettings {
    /// Whether a contact bounces in a step of length `h`. `before` is the velocity along its normal at the start of the
    /// step [m/s].
    pub(super) fn bounces(&self, touch: &Touch, before: f64, h: f64) -> bool {
        touch.restitution > 0.0 && before < -self.bounce_velocity && touch.at.gap <= -before * h
    }

    /// How long after the start of the step it is struck [s]; nothing if it does not bounce.
    pub(super) fn blow(&self, touch: &Touch, before: f64, h: f64) -> Option<f64> {
        self.bounces(touch, before, h).then(|| touch.at.gap.max(0.0) / -before)
    }
}

impl Impulse {
    /// Displacements of free rows that let blows happen when they do [m], given the times of those of contacts that
    /// bounce [s]; nothing if there is nothing to do.
    pub(super) fn before_blows(
        &self,
        blows: &[Option<f64>],
        islands: &[Vec<u32>],
        jacobian: &BlockRows,
        answer: &InverseMass,
        r: &[f64],
    ) -> Option<Vec<f64>> {
        if !blows.iter().flatten().any(|time| *time > 0.0) {
            return None;
        }
        // Of rows of blocks; of turning ones, that of their contact.
        let time_of = self.touches.iter().zip(blows);
        let times: Vec<Option<f64>> = time_of
            .flat_map(|(touch, time)| std::iter::repeat_n(*time, 1 + usize::from(touch.turns())))
            .collect();
        let mut until = vec![0.0; r.len()];
        for island in islands {
            let idle = |row: usize| point(r, row).norm() <= 0.0;
            let struck = |&row: &u32| times[row as usize].is_some() || idle(row as usize);
            if island.iter().all(struck) {
                for &row in island {
                    let (row, time) = (row as usize, times[row as usize].unwrap_or(0.0));
                    (3 * row..3 * row + 3).for_each(|k| until[k] = -time * r[k]);
                }
            }
        }
        Some(respond(jacobian, answer, &until))
    }
}
