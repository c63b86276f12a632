//! Bodies that overlap are moved apart after a step, and get no faster by it.
//!
//! Displacements `δ = A⁻¹ Jᵀ d` along normals, with gaps `g` linear in them [AEF22, §3.4.6]:
//!
//! $$ 0 \le d \;\perp\; J A^{-1} J^T d + g \ge 0 $$
//!
//! with the matrix `A` of the step. For rigid bodies that is the mass, so heavy ones move less. For soft ones it
//! is how they answer an impulse: what surrounds a vertex goes along, and joints hold. Contacts that are open take part, so that nothing is pushed
//! into a neighbour. Turning and curved surfaces make gaps nonlinear, hence several passes, each with contacts found anew.
//!
//! What is jammed has no solution. A little compliance gives it one: overlaps are then shared.

use super::friction::Row;
use super::islands::{Equations, Give, islands};
use super::step::respond;
use super::touch::Touch;
use super::{Impulse, ImpulseSettings, Operator};
use crate::system::{Answer, System};

/// Compliance, in what a contact's own mobility is: an overlap of which this part is left is not worth another pass, and what is
/// jammed is solved in some ten iterations.
const GIVE: f64 = 1e-3;
/// Errors of displacements, in what is allowed to overlap.
const ACCURACY: f64 = 0.1;
/// Sweeps or Newton steps of a pass: there is another one.
const MOST_ITERATIONS: usize = 200;

impl Impulse {
    /// Displacements of free rows that move apart what overlaps by more than `allowed` sizes [m].
    pub(super) fn displacements(
        &self,
        touches: &[Touch],
        system: &System,
        answer: &Answer,
        allowed: f64,
        q: &[f64],
    ) -> Vec<f64> {
        let jacobian = self.jacobian(touches, system, q);
        let rows = vec![Row::FRICTIONLESS; touches.len()];
        let mut islands = islands(&jacobian, answer, &rows);
        let deep = |&i: &u32| -touches[i as usize].gap > allowed * touches[i as usize].size;
        islands.retain(|island| island.iter().any(deep));
        let b: Vec<f64> = touches.iter().flat_map(|touch| [touch.gap, 0.0, 0.0]).collect();
        let give = Give::Relative(GIVE);
        let smallest = touches.iter().filter(|touch| touch.gap < 0.0).map(|touch| touch.size);
        let settings = ImpulseSettings {
            tolerance: ACCURACY * allowed * smallest.fold(f64::MAX, f64::min),
            max_iterations: match self.settings.operator {
                // Impulses that are not converged do anything to what they meet through `A⁻¹`.
                Operator::Splitting => self.settings.max_iterations,
                _ => MOST_ITERATIONS,
            },
            ..self.settings
        };
        let equations = Equations { jacobian: &jacobian, answer, b: &b, rows: &rows, give };
        let mut d = vec![0.0; b.len()];
        let _ = equations.solve(&islands, &settings, &mut d);
        respond(&jacobian, answer, &d)
    }
}
