//! The incremental potential of a stage with barriers, minimised by Newton's method, no step of which leads through
//! anything [LFS+20, alg. 1].
//!
//! Whatever is prescribed (pins, obstacles) begins where it was, and is led to its place at the end of the stage as far
//! as there is room, between Newton steps that make room. Lagged friction has the normal forces of the minimum before;
//! it is minimised again until the balance holds with those of the minimum itself.

use super::bound::{Places, Room, free_part};
use super::{Barrier, BarrierSettings, Coupling, Scratch, implicit};
use crate::assembly::Rows;
use crate::element::Projection;
use crate::math::{Matrix3, Vector3};
use crate::method::linear::{Outcome, Updated};
use crate::model::{Clique, Model, Phase, Places as Slots, Weights, subtract};
use crate::solve::minimise::{self, Hessian, NoDirection, Objective};
use crate::solve::newton::{LastStep, StopReason};
use crate::solve::{BlockMatrix, Status};
use crate::step::{Stage, StageReport};

/// A Newton step that moves no node by more than this, relative to the size of the scene, is rounding.
const STILL: f64 = 1e-12;
/// Newton steps between moves of what is prescribed, where there was no room.
const MAKING_ROOM: usize = 4;
/// Minimisations at most until torques of what spins are those of the minimum.
const SPINS: usize = 40;
/// Part of the error of these torques to which a minimum is found before they are looked at again.
const PART: f64 = 0.1;
/// Ways tried for what turns, each shorter.
const WAYS: usize = 30;
/// Part of the residual down to which a minimum with what is held is found before the root is looked for.
const NEAR: f64 = 1e-3;
/// Minima from which the root is looked for.
const ROUNDS: usize = 6;
/// How often what is prescribed is moved in a stage.
const MOST_MOVES: usize = 64;

/// How far a solver may go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) max_iterations: usize,
    /// [m/s²].
    pub(super) tolerance: f64,
}

/// The equation of a stage. Unknowns are velocities of free rows.
pub(super) struct Problem<'a> {
    pub(super) model: &'a mut Model,
    pub(super) barrier: &'a mut Barrier,
    pub(super) stage: &'a Stage,
    pub(super) q: &'a mut [f64],
    v: &'a mut [f64],
    pub(super) scratch: Scratch,
    magnitude: f64,
    last_change: f64,
    /// Where the present step begins and what was looked at of it, of what turns.
    way: Option<Way>,
}

/// A step of what turns. Its vertices move along arcs, and are led along straight lines: that nothing touches on these
/// is enough, whichever they are.
struct Way {
    /// Unknowns at its start, and where vertices are there [m].
    from: (Vec<f64>, Vec<Vector3>),
    /// Unknowns that a free way leads to.
    to: Vec<f64>,
}

/// Solves a stage; `v` comes in as a guess.
pub(super) fn solve(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut corrected = stage.clone();
    model.rigid.correct(&mut corrected);
    let stage = &corrected;
    model.enter(stage, q, v);
    barrier.find_free(model);
    let report = if barrier.take_guess(q, stage.time) {
        find_balance(barrier, model, stage, q, v)
    } else {
        q.copy_from_slice(&barrier.feasible);
        for ((v, q), q_hat) in v.iter_mut().zip(&*q).zip(&stage.q_hat) {
            *v = (q - q_hat) / stage.beta;
        }
        lead(barrier, model, stage, q, v)
    };
    barrier.feasible.copy_from_slice(q);
    barrier.end_stage();
    model.rigid.finish(q, v);
    report
}

/// Leads what is prescribed to the end of the stage, and minimises.
fn lead(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut report = StageReport::default();
    for _ in 0..MOST_MOVES {
        barrier.advance(model, stage.time, q, v);
        if barrier.now.time >= stage.time {
            report.add(find_balance(barrier, model, stage, q, v));
            return report;
        }
        report.add(minimise_spinning(barrier, model, stage, q, v, MAKING_ROOM));
    }
    report.status = Status::Stagnated;
    report
}

/// Friction that follows, and what spins, make the balance no gradient: near a minimum with these held, the root of
/// the balance is looked for; if that fails, from the next minimum, with these held as they are at this one. If it is
/// never found, friction is lagged; what that leaves is told.
fn find_balance(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let BarrierSettings { coupling, tolerance, max_iterations, .. } = barrier.settings;
    let no_gradient = barrier.may_rub() || !model.rigid.is_empty();
    if coupling == Coupling::Lagged || !no_gradient {
        return minimise_with_friction(barrier, model, stage, q, v);
    }
    let mut report = StageReport::default();
    for _ in 0..ROUNDS {
        barrier.freeze_friction();
        barrier.hold_lag(model, stage, q, v);
        let left = Problem::new(barrier, model, stage, q, v).residual();
        let near = Limits { max_iterations, tolerance: tolerance.max(NEAR * left) };
        report.add(Problem::new(barrier, model, stage, q, v).minimise(near));
        if !report.converged() {
            return report;
        }
        let minimum = (q.to_vec(), v.to_vec());
        report.add(implicit::solve(barrier, model, stage, q, v));
        if report.converged() {
            return report;
        }
        q.copy_from_slice(&minimum.0);
        v.copy_from_slice(&minimum.1);
        barrier.look(q);
    }
    report.add(minimise_with_friction(barrier, model, stage, q, v));
    report
}

fn minimise_with_friction(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let settings = barrier.settings;
    let mut report = StageReport::default();
    barrier.freeze_friction();
    for pass in 1..=settings.friction_passes.max(1) {
        report.add(minimise_spinning(barrier, model, stage, q, v, settings.max_iterations));
        if !report.converged() || !barrier.rubs() {
            break;
        }
        barrier.look(q);
        let last = barrier.held.clone();
        barrier.freeze_friction();
        let left = Problem::new(barrier, model, stage, q, v).residual();
        report.residuals.push(left);
        if left <= settings.tolerance {
            break;
        }
        if pass == settings.friction_passes {
            // What was asked for; the residual with the new normal forces is told.
            barrier.held = last;
        }
    }
    report
}

/// Minimises until torques of what spins, which have no potential, are those of the minimum.
fn minimise_spinning(
    barrier: &mut Barrier,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
    max_iterations: usize,
) -> StageReport {
    let tolerance = barrier.settings.tolerance;
    let (mut report, mut enough) = (StageReport::default(), tolerance);
    for _ in 0..SPINS {
        barrier.hold_lag(model, stage, q, v);
        let limits = Limits { max_iterations, tolerance: enough };
        report.add(Problem::new(barrier, model, stage, q, v).minimise(limits));
        if !report.converged() || model.rigid.is_empty() {
            return report;
        }
        let mut left = vec![0.0; model.unknown_count()];
        barrier.add_lag(model, stage, &mut left);
        let left = model.largest_acceleration(stage.gamma, &left);
        if left <= tolerance && enough <= tolerance {
            return report;
        }
        enough = tolerance.max(PART * left);
    }
    report.status = Status::Stagnated;
    report
}

impl Barrier {
    /// Holds what of rotations has no potential.
    fn hold_lag(&mut self, model: &mut Model, stage: &Stage, q: &mut [f64], v: &mut [f64]) {
        model.rigid.place(stage, true, q, v);
        self.lag.clear();
        model.rigid.for_each_lag(stage, |node, _, lag| self.lag.push((node, lag)));
    }

    /// Adds to a balance what is held of rotations, in place of what it is where everything is.
    fn add_lag(&self, model: &Model, stage: &Stage, in_rows: &mut [f64]) {
        let mut held = self.lag.iter();
        model.rigid.for_each_lag(stage, |node, _, lag| {
            let held = held.next().map_or(lag, |(_, held)| *held);
            subtract(&model.rows, node, lag - held, in_rows);
        });
    }
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        barrier: &'a mut Barrier,
        model: &'a mut Model,
        stage: &'a Stage,
        q: &'a mut [f64],
        v: &'a mut [f64],
    ) -> Self {
        let mut scratch = std::mem::take(&mut barrier.scratch);
        scratch.rows.resize(q.len(), 0.0);
        scratch.points.clear();
        let start = |&node: &u32| model.start[node as usize];
        scratch.points.extend(model.rows.free_nodes().iter().map(start));
        let (magnitude, last_change) = (0.0, f64::INFINITY);
        Self { model, barrier, stage, q, v, scratch, magnitude, last_change, way: None }
    }

    /// The largest unbalanced acceleration where everything is [m/s²].
    fn residual(mut self) -> f64 {
        self.balance();
        let count = self.model.unknown_count();
        let mut r = self.scratch.rows[..count].to_vec();
        self.model.clear_prescribed(&mut r);
        self.barrier.scratch = self.scratch;
        self.model.largest_acceleration(self.stage.gamma, &r)
    }

    fn minimise(self, limits: Limits) -> StageReport {
        let Limits { max_iterations, tolerance } = limits;
        self.find(|problem, unknowns| {
            let settings =
                minimise::Settings { tolerance, max_iterations, ..minimise::Settings::default() };
            let mut workspace = std::mem::take(&mut problem.scratch.minimise);
            let report = minimise::solve(problem, unknowns, &settings, &mut workspace);
            problem.scratch.minimise = workspace;
            StageReport {
                status: report.report.status,
                reason: report.reason,
                iterations: report.report.iterations,
                residuals: report.report.residuals,
                projected: report.projected_steps + report.shifted_steps,
                ..StageReport::default()
            }
        })
    }

    /// Goes to what a solver finds, with what is prescribed pushed back.
    pub(super) fn find(
        mut self,
        solver: impl FnOnce(&mut Self, &mut [f64]) -> StageReport,
    ) -> StageReport {
        let mut unknowns = vec![0.0; self.model.unknown_count()];
        self.model.rows.gather(self.v, &mut unknowns);
        self.barrier.linear.forget();
        let mut report = solver(&mut self, &mut unknowns);
        self.look(&unknowns);
        self.balance();
        let Scratch { work, rows, .. } = &mut self.scratch;
        let barrier = &*self.barrier;
        let forces = |order: &Rows, rows: &mut [f64]| {
            barrier.for_each_force(|node, force| subtract(order, node, force, rows));
        };
        let at = (&*self.q, &*self.v);
        self.model.find_stage_reactions(self.stage, 1.0, at, forces, work, rows);
        let stuck = matches!(report.status, Status::Stagnated | Status::LineSearchFailed);
        // What ends farther from balance than it began has not found it.
        let nearer = report.residuals.last() <= report.residuals.first();
        if stuck && nearer && self.last_change <= STILL * self.model.size {
            report.status = Status::Converged;
        }
        self.barrier.scratch = self.scratch;
        report
    }

    /// Goes to a point.
    pub(super) fn look(&mut self, unknowns: &[f64]) {
        self.model.place(self.stage, true, unknowns, self.q, self.v);
        let (barrier, q) = (&mut *self.barrier, &*self.q);
        self.model.meter.time(Phase::Contact, || barrier.look(q));
    }

    /// The incremental potential at a point; infinite where something touches.
    fn potential(&mut self, x: &[f64]) -> f64 {
        self.look(x);
        let barrier = &*self.barrier;
        let [touching, forces] = self.model.meter.time(Phase::Contact, || barrier.energy());
        if !touching.is_finite() {
            return f64::INFINITY;
        }
        let at = (&*self.q, &*self.v);
        let (value, magnitude) =
            self.model.incremental_potential(self.stage, 1.0, at, touching, &mut self.scratch.work);
        let [mut turning, mut size] = self.model.rigid.potential(self.stage);
        let mut lags = self.barrier.lag.iter();
        self.model.rigid.for_each_lag(self.stage, |_, rate, _| {
            let held = lags.next().map_or(Vector3::zeros(), |(_, lag)| *lag);
            (turning, size) = (turning + held.dot(&rate), size + held.norm() * rate.norm());
        });
        self.magnitude = magnitude + size;
        if !self.model.rigid.is_empty() {
            // Places on arms are rounded by more than nodes, which forces make of energies.
            let Stage { beta, gamma, .. } = *self.stage;
            self.magnitude += gamma / beta * forces * self.model.size;
        }
        value + turning
    }

    /// Whether nothing is in the way from the start of the present step to a point, which was looked at.
    pub(super) fn is_way_free(&self, x: &[f64]) -> bool {
        let Some(Way { from: (start, places), to }) = &self.way else { return true };
        if x == start || x == to {
            return true;
        }
        let barrier = &*self.barrier;
        let planes = &barrier.now.planes;
        let start = Places { x: places, planes };
        let end = Places { x: &barrier.now.x, planes };
        free_part(barrier.filter(), &barrier.now.near, start, end, Room::ARC) >= 1.0
    }

    /// `r` over all rows, at the present point.
    pub(super) fn balance(&mut self) {
        let Scratch { work, rows, .. } = &mut self.scratch;
        let barrier = &*self.barrier;
        let forces = |order: &Rows, rows: &mut [f64]| {
            barrier.for_each_force(|node, force| subtract(order, node, force, rows));
        };
        self.model.balance(self.stage, 1.0, (&*self.q, &*self.v), forces, work, rows);
    }

    /// Fills the Jacobian, symmetric or as it is: then with another one, in which friction does not follow.
    pub(super) fn fill_jacobian(
        &mut self,
        projection: Projection,
        shift: f64,
        mut near: Option<&mut Option<BlockMatrix>>,
    ) {
        let Stage { beta, gamma, .. } = *self.stage;
        let weights = Weights {
            mass: 1.0,
            stiffness: gamma * beta,
            damping: gamma,
            contact: gamma,
            position: beta,
        };
        self.model.fit(self.barrier.stencils());
        self.model.fill_jacobian(self.q, weights, projection);
        let Model { jacobian, rows, rigid, meter, .. } = &mut *self.model;
        if let Some(near) = &mut near {
            **near = Some(jacobian.copied_into(near.take()));
        } else {
            rigid.symmetrise(rows, weights, projection, jacobian);
        }
        let mut near = near.and_then(Option::as_mut);
        let barrier = &*self.barrier;
        meter.time(Phase::Contact, || {
            let (mut slots, mut reduced) = (Slots::default(), Clique::default());
            barrier.for_each_clique(projection, |clique: &Clique| {
                let carried = rigid.reduce(clique, &mut reduced);
                let clique = if carried { &reduced } else { clique };
                slots.find(rows, clique);
                slots.add(clique, gamma * beta, jacobian, near.as_deref_mut());
            });
        });
        self.model.finish_jacobian(shift, near);
    }

    pub(super) fn note_direction(&mut self, p: &[f64]) {
        let most = p.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
        self.last_change = self.stage.beta * most;
    }

    pub(super) fn stands_still(&self, step: Option<LastStep<'_>>) -> Option<StopReason> {
        let step = step?;
        let most = step.change.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let still = step.length >= 1.0 && self.stage.beta * most <= STILL * self.model.size;
        still.then_some(StopReason::Step)
    }

    /// How much of a step may be taken before anything touches; infinite if all of it and more.
    pub(super) fn free_step(&mut self, x: &[f64], p: &[f64]) -> f64 {
        let to =
            |length: f64| -> Vec<f64> { x.iter().zip(p).map(|(x, p)| x + length * p).collect() };
        let part = self.free_way(&to(1.0), Room::STEP);
        if self.model.rigid.is_empty() {
            return if part < 1.0 { part } else { f64::INFINITY };
        }
        let mut length = part.min(1.0);
        for _ in 0..WAYS {
            let end = to(length);
            let part = self.free_way(&end, Room::ARC);
            if part >= 1.0 {
                self.way = Some(Way { from: (x.to_vec(), self.barrier.now.x.clone()), to: end });
                return if length < 1.0 { length } else { f64::INFINITY };
            }
            length *= 0.9 * part;
        }
        0.0
    }
}

impl Objective for Problem<'_> {
    fn dimension(&self) -> usize {
        self.model.unknown_count()
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.model.meter.set_searching(true);
        let value = self.potential(x);
        let value = if value.is_finite() && !self.is_way_free(x) { f64::INFINITY } else { value };
        self.model.meter.set_searching(false);
        value
    }

    fn gradient(&mut self, _x: &[f64], g: &mut [f64]) {
        self.balance();
        g.copy_from_slice(&self.scratch.rows[..g.len()]);
        self.barrier.add_lag(self.model, self.stage, g);
        self.model.clear_prescribed(g);
    }

    fn direction(
        &mut self,
        _x: &[f64],
        g: &[f64],
        hessian: Hessian,
        p: &mut [f64],
    ) -> Result<(), NoDirection> {
        let (projection, shift) = match hessian {
            Hessian::Exact => (Projection::Exact, 0.0),
            Hessian::Projected { shift } => (Projection::Positive, shift),
        };
        self.fill_jacobian(projection, shift, None);
        let Model { jacobian, zones, meter, .. } = &mut *self.model;
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let linear = &mut self.barrier.linear;
        if linear.definite(sum, &self.scratch.points, g, p, meter) == Outcome::NotPositiveDefinite {
            return Err(NoDirection::NotPositiveDefinite);
        }
        self.note_direction(p);
        Ok(())
    }

    fn norm(&self, g: &[f64]) -> f64 {
        self.model.largest_acceleration(self.stage.gamma, g)
    }

    fn value_rounding(&self, _value: f64) -> f64 {
        8.0 * f64::EPSILON * self.magnitude
    }

    fn converged(&self, _x: &[f64], _g: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stands_still(step)
    }

    fn step_bound(&mut self, x: &[f64], p: &[f64]) -> f64 {
        self.free_step(x, p)
    }
}

impl Problem<'_> {
    /// The part of the straight way to a point before which nothing touches.
    fn free_way(&mut self, unknowns: &[f64], room: Room) -> f64 {
        let (mut q, mut v) = (self.q.to_vec(), self.v.to_vec());
        self.model.place(self.stage, true, unknowns, &mut q, &mut v);
        let barrier = &*self.barrier;
        let end = barrier.mesh.positions(&q, barrier.now.time);
        let planes = &barrier.now.planes;
        self.model.meter.time(Phase::Detection, || {
            let places = |x| Places { x, planes };
            free_part(
                barrier.filter(),
                &barrier.now.near,
                places(&barrier.now.x),
                places(&end),
                room,
            )
        })
    }
}

/// Blocks of a clique over the vertices of a contact.
pub(super) fn blocks_of(coefficients: &[f64; 4], bend: Matrix3) -> Vec<Matrix3> {
    let each = coefficients.iter().flat_map(|a| coefficients.iter().map(move |b| a * b));
    each.map(|weight| bend * weight).collect()
}

/// A force that acts with weights.
pub(super) fn weighted(coefficients: &[f64; 4], force: Vector3) -> [Vector3; 4] {
    coefficients.map(|c| force * c)
}
