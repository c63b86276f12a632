//! Bodies that overlap are moved apart after a step, and get no faster by it.
//!
//! Displacements `δ = A⁻¹ Jᵀ d` along normals, with gaps `g` linear in them [AEF22, §3.4.6]:
//!
//! $$ 0 \le d \;\perp\; J A^{-1} J^T d + g \ge 0 $$
//!
//! with the matrix `A` of the step. For rigid bodies that is the mass, so heavy ones move less. For soft ones it is
//! how they answer an impulse: what surrounds a vertex goes along, and joints hold. Contacts that are open take part,
//! so that nothing is pushed into a neighbour. Turning and curved surfaces make gaps nonlinear, hence several passes,
//! each with contacts found anew.
//!
//! What is jammed has no solution. A little compliance gives it one: overlaps are then shared.
//!
//! Gaps are told as larger by half of what may stay. So contacts that overlap by less than that have room to give
//! way, and what is moved pushes its neighbours only, not all the pile.

use super::free::deforms;
use super::friction::Row;
use super::inverse_mass::InverseMass;
use super::islands::{Compliance, Equations, Written, islands};
use super::step::respond;
use super::touch::Touch;
use super::{Impulse, ImpulseSettings, Operator};
use crate::model::Model;
use crate::solve::complementarity::cone::Solver;

/// Compliance, in what a contact's own mobility is: an overlap of which this part is left is not worth another pass,
/// and what is jammed is solved in some ten iterations.
const COMPLIANCE: f64 = 1e-3;
/// What may stay after a pass, and errors of displacements, in what is allowed to overlap.
const ROOM: f64 = 0.5;
const ACCURACY: f64 = 0.25;
/// Steps whose errors may add up: a pass takes as long as a step.
const STEPS: f64 = 4.0;
/// Sweeps of a pass: there is another one.
const MOST_SWEEPS: usize = 100;

impl Impulse {
    /// How far a contact may stay inside: what is allowed, or what the tolerance of velocities leaves in some steps;
    /// that would soon be back [m].
    pub(super) fn may_stay(&self, touch: &Touch) -> f64 {
        let allowed = self.settings.stabilisation.slack() * touch.at.size;
        allowed.max(STEPS * self.settings.tolerance * self.step)
    }

    /// Displacements of free rows that move apart what overlaps by more than it may [m].
    pub(super) fn displacements(
        &self,
        touches: &[Touch],
        model: &Model,
        answer: &InverseMass,
        q: &[f64],
    ) -> Vec<f64> {
        let jacobian = self.jacobian(touches, model, q);
        let rows = vec![Row::FRICTIONLESS; touches.len()];
        let mut islands = islands(&jacobian, answer, &rows);
        let deep = |&i: &u32| -touches[i as usize].at.gap > self.may_stay(&touches[i as usize]);
        islands.retain(|island| island.iter().any(deep));
        let room = |touch: &Touch| touch.at.gap + ROOM * self.may_stay(touch);
        let b: Vec<f64> = touches.iter().flat_map(|touch| [room(touch), 0.0, 0.0]).collect();
        let compliance = Compliance::Relative(COMPLIANCE);
        let inside = touches.iter().filter(|touch| touch.at.gap < 0.0);
        let least = inside.map(|touch| self.may_stay(touch)).fold(f64::MAX, f64::min);
        let settings = if deforms(model) {
            // What is moved wrongly is strained, and does not come back: as exact as what velocities do in a step.
            let tolerance = (ACCURACY * least).min(self.settings.tolerance * self.step);
            ImpulseSettings { tolerance, ..self.settings }
        } else {
            ImpulseSettings {
                tolerance: ACCURACY * least,
                solver: Solver::Nncg,
                max_iterations: match self.settings.operator {
                    // Impulses that are not converged do anything to what they meet through `A⁻¹`.
                    Operator::Splitting => self.settings.max_iterations,
                    _ => MOST_SWEEPS,
                },
                ..self.settings
            }
        };
        let equations = Equations { jacobian: &jacobian, answer, b: &b, rows: &rows, compliance };
        let mut d = vec![0.0; b.len()];
        let _ = equations.solve(&islands, &settings, &mut d, &mut Written::default());
        respond(&jacobian, answer, &d)
    }
}
