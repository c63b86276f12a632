//! A stage without contacts, linearised: where impulses start from, and what they move.
//!
//! $$ A\,(v^* - \tilde v) = -r(\tilde v), \qquad A = M + \gamma D + \gamma \beta K $$
//!
//! the first Newton step of the stage, from velocities `ṽ` at which free bodies spin on by themselves. `A` is made
//! symmetric and positive definite, without what is gyroscopic, so that any impulse `p` moves things by `A⁻¹ p`, and
//! lets no work out of nothing. How `A⁻¹` is had: `inverse_mass.rs`; with masses alone `M` stands in its place, here
//! and there, and the stage is explicit.

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
    /// Of each rigid body, what it has of its own in the balance at `ṽ`, less `I w`: linear from there on [N·m·s].
    spins: Vec<Vector3>,
}

/// Whether anything has an energy of its own besides joints.
pub(super) fn deforms(model: &Model) -> bool {
    model.assembly.terms().len() > usize::from(!model.joints.is_empty())
}

/// A stage, linearised at velocities of free rows.
#[derive(Debug)]
pub(super) struct Linearised {
    /// Where.
    pub(super) at: Vec<f64>,
    /// What is out of balance there [N·s]; empty of bodies that are each for themselves.
    pub(super) r: Vec<f64>,
    /// The incremental potential there, if something deforms.
    pub(super) potential: Option<Potential>,
    /// Velocities without impulses.
    pub(super) x: Vec<f64>,
    pub(super) answer: InverseMass,
}

/// Velocities of free rows, and what was found there: see [`Linearised`].
pub(super) struct Place {
    pub(super) at: Vec<f64>,
    pub(super) r: Vec<f64>,
    pub(super) potential: Option<Potential>,
}

/// The incremental potential of a stage at a point of it, without contacts [J].
#[derive(Clone, Copy, Debug)]
pub(super) struct Potential {
    pub(super) value: f64,
    /// Sum of the sizes of its terms.
    pub(super) magnitude: f64,
}

impl Linearised {
    /// Goes to another place, with the matrix it has.
    pub(super) fn go_to(&mut self, Place { at, r, potential }: Place) {
        let mut x = r.clone();
        self.answer.apply(&mut x);
        x.iter_mut().zip(&at).for_each(|(x, at)| *x = at - *x);
        (self.at, self.r, self.potential, self.x) = (at, r, potential, x);
    }
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
    ) -> Result<Linearised, Status> {
        if bare::is_bare(model) {
            let (x, answer) = bare::free_bodies(model, stage, v);
            let finite = x.iter().all(|x| x.is_finite());
            let (at, r) = (Vec::new(), Vec::new());
            let linearised = Linearised { at, r, potential: None, x, answer };
            return if finite { Ok(linearised) } else { Err(Status::NotFinite) };
        }
        model.rigid.coast(stage.gamma, v);
        model.enter(stage, q, v);
        let mut at = vec![0.0; model.unknown_count()];
        model.rows.gather(v, &mut at);
        let r = self.balance(model, stage, &at, q, v);
        self.spins.clear();
        model.rigid.for_each_own(stage, |_, rate, own, moments| {
            self.spins.push(own - moments.component_mul(&rate));
        });
        let potential = self.potential(model, stage, q, v);
        self.linearise(model, stage, Place { at, r, potential }, q, (inverse, false))
    }

    /// The same at another place, where nodes are at `q`; whether it is `again`, nearer to the end of the step.
    ///
    /// # Errors
    /// As for [`Room::free_stage`].
    pub(super) fn linearise(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        Place { at, r, potential }: Place,
        q: &[f64],
        (inverse, again): (Inverse, bool),
    ) -> Result<Linearised, Status> {
        if !r.iter().all(|r| r.is_finite()) {
            return Err(Status::NotFinite);
        }
        // Near the end of a step the exact second derivative leads there faster, if there is one; at its start, far
        // from there, a way of impulses should not depend on what is about to buckle.
        let exact = again && inverse == Inverse::Factor && deforms(model);
        let answer = match exact.then(|| self.answer(model, stage, q, inverse, Projection::Exact)) {
            Some(Ok(answer)) => answer,
            _ => self.answer(model, stage, q, inverse, Projection::Positive)?,
        };
        let mut x = r.clone();
        answer.apply(&mut x);
        x.iter_mut().zip(&at).for_each(|(x, at)| *x = at - *x);
        Ok(Linearised { at, r, potential, x, answer })
    }

    /// How velocities answer impulses where nodes are at `q`.
    ///
    /// # Errors
    /// When the matrix is not positive definite.
    fn answer(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        q: &[f64],
        inverse: Inverse,
        projection: Projection,
    ) -> Result<InverseMass, Status> {
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
            Inverse::Factor | Inverse::Iterated => (weights, projection),
        };
        model.fill_jacobian(q, weights, projection);
        model.finish_jacobian(0.0, None);
        match inverse {
            Inverse::Masses => Ok(InverseMass::of_masses(model)),
            _ => InverseMass::of_jacobian(model, &mut self.linear, inverse == Inverse::Iterated),
        }
    }

    /// What is out of balance at velocities `x` of free rows [N·s], in `(q, v)` as well.
    fn balance(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        x: &[f64],
        q: &mut [f64],
        v: &mut [f64],
    ) -> Vec<f64> {
        model.place(stage, true, x, q, v);
        self.rows.resize(q.len(), 0.0);
        model.balance(stage, 1.0, (&*q, &*v), |_, _| {}, &mut self.work, &mut self.rows);
        let mut r = self.rows[..x.len()].to_vec();
        model.clear_prescribed(&mut r);
        r
    }

    /// The same after [`Room::free_stage`], with what spins linear from there on: forces alone are looked at anew.
    pub(super) fn unbalanced(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        x: &[f64],
        q: &mut [f64],
        v: &mut [f64],
    ) -> Vec<f64> {
        let mut r = self.balance(model, stage, x, q, v);
        let (rows, mut spins) = (&model.rows, self.spins.iter());
        model.rigid.for_each_own(stage, |turn, rate, own, moments| {
            let (row, spin) = (rows.of_node(turn) as usize, spins.next());
            let linear = spin.copied().unwrap_or(own) + moments.component_mul(&rate);
            if row < rows.free() {
                let r = r[3 * row..][..3].iter_mut();
                r.zip((linear - own).iter()).for_each(|(r, change)| *r += change);
            }
        });
        model.clear_prescribed(&mut r);
        r
    }

    /// The incremental potential where [`Room::unbalanced`] just looked, with what spins linear; nothing if nothing
    /// deforms, or not all forces have an energy.
    pub(super) fn potential(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        q: &[f64],
        v: &[f64],
    ) -> Option<Potential> {
        if !deforms(model) || !model.assembly.is_conservative() {
            return None;
        }
        let (value, magnitude) =
            model.incremental_potential(stage, 1.0, (q, v), 0.0, &mut self.work);
        let mut potential = Potential { value, magnitude };
        let mut spins = self.spins.iter();
        model.rigid.for_each_own(stage, |_, rate, _, moments| {
            let Some(spin) = spins.next() else { return };
            let own = rate.dot(&(spin + moments.component_mul(&rate) * 0.5));
            potential.value += own;
            potential.magnitude += own.abs();
        });
        Some(potential)
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
