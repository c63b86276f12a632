//! A step.

use std::borrow::Cow;

use super::detect::TOUCHES_TOGETHER;
use super::energy::gains;
use super::free::{Linearised, deforms};
use super::inverse_mass::InverseMass;
use super::islands::{Equations, Written, islands};
use super::newton::{LINEARISATIONS, Next};
use super::touch::Touch;
use super::{Ahead, Impulse, Stabilisation, Stepping};
use crate::assembly::point;
use crate::math::Vector3;
use crate::model::{Model, Phase};
use crate::solve::complementarity::cone::{Assembled, BlockRows, ContactProblem};
use crate::solve::vector::dot;
use crate::solve::{Report, Status};
use crate::step::{Dynamics, Stage, StageReport, Trajectory, Unit};
use crate::threads::map_each;

/// A model whose contacts are impulses.
pub(crate) struct WithImpulses<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) impulse: &'a mut Impulse,
}

impl Dynamics for WithImpulses<'_> {
    fn masses(&self) -> &[f64] {
        self.model.mass_diagonal()
    }

    fn begin(&mut self, t: f64, h: f64, q: &[f64], v: &[f64]) {
        self.impulse.step = h;
        self.impulse.look(self.model, (t, h), q, v);
        self.model.begin(self.impulse.middle.as_deref().unwrap_or(q));
    }

    fn end(&mut self, state: &mut Trajectory) {
        self.model.end(state);
        self.impulse.separate(self.model, state);
    }

    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.model.force(t, q, v, |_| {}, f);
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        let stage = self.impulse.as_stepped(stage);
        self.impulse.solve(self.model, &stage, q, v)
    }
}

/// A step without impulses.
pub(super) struct Free {
    pub(super) jacobian: BlockRows,
    pub(super) linearised: Linearised,
    /// What of relative velocities is prescribed.
    prescribed: Vec<Vector3>,
    /// Of each contact, what its normal velocity must be at least [m/s].
    least: Vec<f64>,
    /// Of each contact that bounces, when it is struck after the start of the step [s].
    blows: Vec<Option<f64>>,
}

impl Impulse {
    /// The problem of a step from a state, with impulses to start from, as cones: ellipses are [stretched](Stretch)
    /// to discs; nothing where contacts resist spin or rolling, or one way more than the other. Nothing is changed.
    ///
    /// [Stretch]: crate::solve::complementarity::cone::Stretch
    pub(crate) fn problem(
        &mut self,
        model: &mut Model,
        state: &Trajectory,
        h: f64,
    ) -> Option<(ContactProblem<Assembled>, Vec<f64>)> {
        let before = (std::mem::take(&mut self.touches), self.middle.take(), self.ahead.take());
        let manifolds = self.detection.kept.clone();
        self.look(model, (state.time, h), &state.q, &state.v);
        model.begin(self.middle.as_deref().unwrap_or(&state.q));
        let stage = Stage::implicit(state.time + h, h, &state.q, &state.v);
        let stage = self.as_stepped(&stage).into_owned();
        let (mut q, mut v) = (state.q.clone(), state.v.clone());
        let free = self.free(model, &stage, &mut q, &mut v).ok();
        let b = free.as_ref().map(|free| self.velocities_without_impulses(free));
        let (rows, compliance, mut warm) = (self.rows(), self.compliance(), self.warm());
        (self.touches, self.middle, self.ahead) = before;
        self.detection.kept = manifolds;
        let (Free { jacobian, linearised, .. }, b) = (free?, b?);
        let answer = &linearised.answer;
        let equations = Equations { jacobian: &jacobian, answer, b: &b, rows: &rows, compliance };
        equations.problem(&mut warm).map(|problem| (problem, warm))
    }

    /// Forces on nodes that impulses of the step before were, of contacts that are there at a state; nothing is
    /// changed [N].
    pub(super) fn remembered_forces(
        &mut self,
        model: &mut Model,
        state: &Trajectory,
    ) -> Vec<(u32, Vector3)> {
        let mut forces = Vec::new();
        if self.memory.is_empty() || self.step <= 0.0 {
            return forces;
        }
        let manifolds = self.detection.kept.clone();
        let touches = self.detect(model, (state.time, self.step), &state.q, &state.v);
        self.detection.kept = manifolds;
        for touch in &touches {
            if let Some(known) = self.remembered(&touch.at.key) {
                let force = known.in_world / self.step;
                touch.at.for_each_node_force(force, &mut |node, force| forces.push((node, force)));
            }
        }
        forces
    }

    /// Finds the contacts of a step.
    fn look(&mut self, model: &mut Model, (t, h): (f64, f64), q: &[f64], v: &[f64]) {
        let ahead = self.ahead.take().filter(|ahead| ahead.is_for(t, h));
        self.middle = None;
        self.touches = match (self.settings.stepping, ahead) {
            (Stepping::SemiImplicit, ahead) => {
                let found = ahead.map(|ahead| ahead.touches);
                let found = found.unwrap_or_else(|| self.detect_timed(model, (t, h), q, v));
                self.take_hold(found, model, t, q, v)
            }
            (Stepping::Midpoint, _) => {
                let (mut q, mut v) = (q.to_vec(), v.to_vec());
                let mut moves = vec![0.0; model.unknown_count()];
                model.gather(&v, &mut moves);
                moves.iter_mut().for_each(|x| *x *= 0.5 * h);
                model.displace(&moves, &mut q, &mut v);
                let half = t + 0.5 * h;
                let touches = self.detect_timed(model, (half, 0.5 * h), &q, &v);
                let touches = self.take_hold(touches, model, half, &q, &v);
                self.middle = Some(q);
                touches
            }
        };
    }

    /// [`Impulse::detect`], and the time it takes is booked.
    pub(super) fn detect_timed(
        &mut self,
        model: &mut Model,
        (t, h): (f64, f64),
        q: &[f64],
        v: &[f64],
    ) -> Vec<Touch> {
        let detection = model.meter.start(Phase::Detection);
        let touches = self.detect(model, (t, h), q, v);
        model.meter.stop(detection);
        touches
    }

    /// Moreau's rule for a step of backward Euler's [AEF22, §3.4.5]: half of it has gone by with the velocity of its
    /// start.
    fn as_stepped<'a>(&self, stage: &'a Stage) -> Cow<'a, Stage> {
        match &self.middle {
            None => Cow::Borrowed(stage),
            Some(q) => {
                Cow::Owned(Stage { beta: 0.5 * stage.beta, q_hat: q.clone(), ..stage.clone() })
            }
        }
    }

    fn free(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<Free, Status> {
        let assemble = model.meter.start(Phase::Contact);
        let jacobian = self.jacobian_with_turning(model, &stage.q_hat);
        let mut x = vec![0.0; model.unknown_count()];
        model.gather(v, &mut x);
        let before = relative(&jacobian, &x, &self.prescribed(model, v));
        model.meter.stop(assemble);
        let inverse = self.settings.operator.inverse();
        let linearised = self.room.free_stage(model, stage, q, v, inverse)?;
        let prescribed = self.prescribed(model, v);
        let bounds = self.touches.iter().zip(self.first_rows()).map(|(touch, row)| {
            let before = before[row].x;
            let least = self.settings.least_opening(touch, before, stage.beta);
            (least, self.settings.blow(touch, before, stage.beta))
        });
        let (least, blows) = bounds.unzip();
        Ok(Free { jacobian, linearised, prescribed, least, blows })
    }

    /// Relative velocities without impulses, less what normal ones must be at least.
    fn velocities_without_impulses(&self, free: &Free) -> Vec<f64> {
        let all = relative(&free.jacobian, &free.linearised.x, &free.prescribed);
        let mut b: Vec<f64> = all.iter().flat_map(|u| [u.x, u.y, u.z]).collect();
        for (row, least) in self.first_rows().zip(&free.least) {
            b[3 * row] -= least;
        }
        b
    }

    fn solve(
        &mut self,
        model: &mut Model,
        stage: &Stage,
        q: &mut [f64],
        v: &mut [f64],
    ) -> StageReport {
        let start = self.sleepers.are_meant().then(|| {
            let mut start = vec![0.0; model.unknown_count()];
            model.gather(v, &mut start);
            start
        });
        let mut free = match self.free(model, stage, q, v) {
            Ok(free) => free,
            Err(status) => return self.without_impulses(status),
        };
        let (mut r, rows, compliance) = (self.warm(), self.rows(), self.compliance());
        let (mut linearisations, mut iterations, mut left) = (0, 0, f64::INFINITY);
        let mut written = Written::default();
        let (solved, islands, mut x) = loop {
            let solving = model.meter.start(Phase::ContactSolver);
            let b = self.velocities_without_impulses(&free);
            let (jacobian, answer) = (&free.jacobian, &free.linearised.answer);
            let equations = Equations { jacobian, answer, b: &b, rows: &rows, compliance };
            let islands = islands(jacobian, answer, &rows);
            let mut solved = equations.solve(&islands, &self.settings, &mut r, &mut written);
            let mut x = respond(jacobian, answer, &r);
            model.meter.stop(solving);
            x.iter_mut().zip(&free.linearised.x).for_each(|(x, free)| *x += free);
            linearisations += 1;
            iterations += solved.iterations;
            if !solved.status.converged() {
                break (solved, islands, x);
            }
            match self.look_again(model, stage, &free, (&r, &x, left), (&mut *q, &mut *v)) {
                Ok(Next::Done) => break (solved, islands, x),
                Ok(Next::Again(again)) if linearisations < LINEARISATIONS => {
                    left = again.left;
                    if again.keeps {
                        free.linearised.go_to(again.place);
                        continue;
                    }
                    written.clear();
                    let inverse = (self.settings.operator.inverse(), true);
                    match self.room.linearise(model, stage, again.place, q, inverse) {
                        Ok(linearised) => free.linearised = linearised,
                        Err(status) => return self.without_impulses(status),
                    }
                }
                Ok(Next::Again(again)) => {
                    solved.status = Status::IterationLimit;
                    solved.residuals.push(again.left);
                    break (solved, islands, x);
                }
                Err(status) => return self.without_impulses(status),
            }
        };
        let Free { jacobian, linearised, prescribed, blows, .. } = free;
        let Linearised { x: without, answer, .. } = linearised;
        let Report { status, residuals, .. } = solved;
        self.back = self.before_blows(&blows, &islands, &jacobian, &answer, &r);
        if let Some(start) = &start {
            self.hold_still(model, self.step, [start, &without], &mut x);
        }
        let velocities = relative(&jacobian, &x, &prescribed);
        let first: Vec<usize> = self.first_rows().collect();
        self.impulses = first.iter().map(|&row| point(&r, row)).collect();
        self.velocities = first.iter().map(|&row| velocities[row]).collect();
        let turning = |(touch, row): (&Touch, &usize)| match touch.turns() {
            true => point(&r, row + 1),
            false => Vector3::zeros(),
        };
        self.turnings = self.touches.iter().zip(&first).map(turning).collect();
        // Taken all the same if nothing shorter is tried: what it does to energy is looked at then.
        let status =
            if status.converged() && !answer.is_stable() { Status::Refused } else { status };
        self.answer = Some(answer);
        let (touches, impulses) = (&self.touches, &self.impulses);
        let forces = |add: &mut dyn FnMut(u32, Vector3)| {
            for (touch, r) in touches.iter().zip(impulses) {
                touch.at.for_each_node_force(touch.at.frame * r / stage.gamma, &mut *add);
            }
        };
        self.room.take(model, stage, &x, forces, q, v);
        // Half-way positions are of no state: there is nothing to compare with.
        let compares = linearisations > 1 && deforms(model) && self.middle.is_none();
        let done = || dot(&gather(&jacobian, &r), &x);
        let status = match status {
            Status::Converged if compares && gains(model, stage, done(), (q, v)) => Status::Refused,
            status => status,
        };
        StageReport { status, iterations, residuals, unit: Unit::Velocity, ..Default::default() }
    }

    /// A stage that found no impulses: those of another attempt belong to other contacts.
    fn without_impulses(&mut self, status: Status) -> StageReport {
        self.back = None;
        (self.impulses, self.turnings) = (Vec::new(), Vec::new());
        self.velocities.clear();
        StageReport { status, unit: Unit::Velocity, ..Default::default() }
    }

    /// Moves bodies apart that overlap, if that is how it is done, and finds contacts for the step that follows.
    fn separate(&mut self, model: &mut Model, state: &mut Trajectory) {
        let (time, step) = (state.time, self.step);
        let answer = self.answer.take();
        if let Some(back) = self.back.take() {
            model.displace(&back, &mut state.q, &mut state.v);
        }
        self.fall_asleep(model, answer.as_ref(), step, state);
        let mut touches = self.detect_timed(model, (time, step), &state.q, &state.v);
        if let (Stabilisation::Projection { passes, .. }, Some(answer)) =
            (self.settings.stabilisation, answer)
        {
            for _ in 0..passes {
                if !touches.iter().any(|touch| -touch.at.gap > self.may_stay(touch)) {
                    break;
                }
                let solving = model.meter.start(Phase::ContactSolver);
                let moves = self.displacements(&touches, model, &answer, &state.q);
                model.meter.stop(solving);
                model.displace(&moves, &mut state.q, &mut state.v);
                touches = self.detect_timed(model, (time, step), &state.q, &state.v);
            }
        }
        self.ahead = Some(Ahead { time, step, touches });
    }
}

/// What impulses do to velocities of free rows: `A⁻¹ Jᵀ r`, or `M⁻¹ Jᵀ r`.
pub(super) fn respond(jacobian: &BlockRows, answer: &InverseMass, r: &[f64]) -> Vec<f64> {
    let mut p = gather(jacobian, r);
    answer.apply(&mut p);
    p
}

/// Impulses on free rows: `Jᵀ r`.
pub(super) fn gather(jacobian: &BlockRows, r: &[f64]) -> Vec<f64> {
    let mut p = vec![0.0; 3 * jacobian.columns()];
    for k in 0..jacobian.rows() {
        jacobian.add_transposed_row(k, point(r, k), &mut p);
    }
    p
}

/// Relative velocities of contacts, given those of free rows and what is prescribed.
fn relative(jacobian: &BlockRows, x: &[f64], prescribed: &[Vector3]) -> Vec<Vector3> {
    map_each(prescribed, TOUCHES_TOGETHER, |k, given| jacobian.row_times(k, x) + given)
}
