//! A stage without contacts, linearised: where impulses start from, and what they move.
//!
//! $$ A\,(v^* - \tilde v) = -r(\tilde v), \qquad A = M + \gamma D + \gamma \beta K $$
//!
//! the first Newton step of the stage, from velocities `ṽ` at which free bodies spin on by themselves. `A` is made
//! symmetric and positive definite, without what is gyroscopic, so that any impulse `p` moves things by `A⁻¹ p`, and
//! lets no work out of nothing. How `A⁻¹` is had: `answer.rs`; with masses alone `M` stands in its place, here and
//! there, and the stage is explicit.

use super::bare;
use super::inverse_mass::{Inverse, InverseMass};
use crate::assembly::Rows;
use crate::element::Projection;
use crate::math::Vector3;
use crate::method::linear::Linear;
use crate::model::{Model, Weights, Work, subtract};
use crate::solve::Status;
use crate::step::Stage;

/// Memory that steps use again.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) linear: Linear,
    work: Work,
    rows: Vec<f64>,
}

impl Room {
    /// Finds velocities without contacts, over free rows, and how they answer impulses.
    ///
    /// # Errors
    /// When no positive definite matrix is found, or forces are not finite.
    pub(super) fn free_stage(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
        inverse: Inverse,
    ) -> Result<(Vec<f64>, InverseMass), Status> {
        if bare::is_bare(model) {
            let (x, answer) = bare::free_bodies(model, stage, v);
            let finite = x.iter().all(|x| x.is_finite());
            return if finite { Ok((x, answer)) } else { Err(Status::NotFinite) };
        }
        model.rigid.coast(stage.gamma, v);
        model.enter(stage, q, v);
        let mut unknowns = vec![0.0; model.unknown_count()];
        model.rows.gather(v, &mut unknowns);
        let mut r = vec![0.0; unknowns.len()];
        model.place(stage, true, &unknowns, q, v);
        self.rows.resize(q.len(), 0.0);
        model.balance(stage, 1.0, (&*q, &*v), |_, _| {}, &mut self.work, &mut self.rows);
        r.copy_from_slice(&self.rows[..unknowns.len()]);
        model.clear_prescribed(&mut r);
        // What spins is done: its terms are not symmetric, and what is left of them for bodies that turn by a radian
        // in a step is not positive definite. Impulses would make energy.
        let Stage { beta, gamma, .. } = *stage;
        let weights = Weights {
            mass: 1.0,
            stiffness: gamma * beta,
            damping: gamma,
            contact: 0.0,
            position: 0.0,
        };
        let (weights, projection) = match inverse {
            Inverse::Masses => (Weights { mass: 0.0, ..weights }, Projection::Exact),
            Inverse::Factor | Inverse::Iterated => (weights, Projection::Positive),
        };
        model.fill_jacobian(q, weights, projection);
        model.finish_jacobian(0.0, None);
        if !r.iter().all(|r| r.is_finite()) {
            return Err(Status::NotFinite);
        }
        let answer = match inverse {
            Inverse::Masses => InverseMass::of_masses(model),
            _ => InverseMass::of_jacobian(model, &mut self.linear, inverse == Inverse::Iterated)?,
        };
        answer.apply(&mut r);
        unknowns.iter_mut().zip(&r).for_each(|(x, r)| *x -= r);
        Ok((unknowns, answer))
    }

    /// Takes the velocities of free rows: writes positions and velocities at the end of the stage. `contacts` tells
    /// forces on nodes, for reactions.
    pub(super) fn take(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        x: &[f64],
        contacts: impl FnOnce(&mut dyn FnMut(u32, Vector3)),
        q: &mut [f64],
        v: &mut [f64],
    ) {
        if bare::is_bare(model) {
            return bare::take_bodies(model, stage, x, q, v);
        }
        model.place(stage, true, x, q, v);
        self.rows.resize(q.len(), 0.0);
        let (work, rows) = (&mut self.work, &mut self.rows);
        let forces = |order: &Rows, rows: &mut [f64]| {
            contacts(&mut |node, force| subtract(order, node, force, rows));
        };
        model.find_stage_reactions(stage, 1.0, (&*q, &*v), forces, work, rows);
        model.rigid.finish(q, v);
    }
}
