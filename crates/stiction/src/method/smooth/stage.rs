//! The equation of a stage, for whichever solver is to find its root.
//!
//! $$ r(v) = M (v - \hat v) - \gamma\, f(\hat q + \beta v, v) - e, \qquad
//!    J = M + \gamma\beta K + \gamma (\alpha M + D) $$
//!
//! Where forces have an energy, `r` is the gradient of the incremental potential
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

use super::iterative::Request;
use super::jacobian::Wanted;
use super::matrix_free::Jacobian;
use super::set::ContactSet;
use super::{Scratch, Smooth, StageSolver};
use crate::assembly::{Rows, point};
use crate::element::Projection;
use crate::math::Vector3;
use crate::method::linear::{Near, Outcome, Symmetry, Updated};
use crate::model::{Model, Phase, Weights, subtract};
use crate::solve::Status;
use crate::solve::inexact_newton::{self, InexactRootProblem, InnerSolve};
use crate::solve::minimise;
use crate::solve::newton::{self, Evaluation, LastStep, Residual, RootProblem, StopReason};
use crate::step::{Retry, Stage, StageReport};

/// A Newton step that moves no node by more than this, relative to the size of the scene, is rounding.
const STILL: f64 = 1e-12;

/// Solves `stage`; see [`Dynamics::solve`](crate::step::Dynamics::solve).
pub(super) fn solve(
    smooth: &mut Smooth,
    model: &mut Model,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut corrected = stage.clone();
    model.rigid.correct(&mut corrected);
    let stage = &corrected;
    model.enter(stage, q, v);
    let limits = Limits { max_iterations: smooth.solver.max_iterations, max_change: f64::INFINITY };
    let mut report = StageReport::default();
    if let Some(guard) = &smooth.contact.guard
        && !guard.start(model, stage, q, v)
    {
        report.retry = Some(Retry::Shorter);
        return report;
    }
    for _ in 0..MOST_LOOKS {
        smooth.fit_contacts(model);
        smooth.watch_contacts(model, Phase::Contact, |contact| contact.prepare(stage, q, v));
        for pass in 0..smooth.contact.passes() {
            if pass == 0 {
                smooth.contact.freeze_at_start();
            } else {
                smooth.contact.freeze(q);
            }
            let found = find_root(smooth, model, stage, Kind::Dynamic, &limits, q, v);
            report.add(found);
        }
        if !report.converged()
            || !smooth.watch_contacts(model, Phase::Detection, |contact| contact.add_missed(q, v))
        {
            break;
        }
    }
    if report.converged() {
        report.retry = smooth.watch_contacts(model, Phase::Contact, |contact| contact.judge(q, v));
        smooth.contact.finish_stage();
        if let Some(guard) = &mut smooth.contact.guard {
            guard.end_stage(q);
        }
    }
    model.rigid.finish(q, v);
    report
}

/// Ways tried for what turns, each shorter.
const WAYS: usize = 30;

/// Times a stage is solved again because points touched that nobody expected.
const MOST_LOOKS: usize = 8;

/// What the unknowns of an equation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Velocities.
    Dynamic,
    /// Positions: no inertia, no damping, `v = 0`, `β = γ = 1`, `q̂ = 0`.
    Static,
}

/// How far a solver may go.
pub(super) struct Limits {
    pub(super) max_iterations: usize,
    /// Of any unknown in one iteration, for minimisation.
    pub(super) max_change: f64,
}

/// Finds the root, starting from `v` or, if static, from `q`. Prescribed coordinates are already set.
pub(super) fn find_root(
    smooth: &mut Smooth,
    model: &mut Model,
    stage: &Stage,
    kind: Kind,
    limits: &Limits,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut scratch = std::mem::take(&mut smooth.scratch);
    let mut unknowns = std::mem::take(&mut scratch.unknowns);
    let count = model.unknown_count();
    let contacts = if kind == Kind::Dynamic { smooth.contact.unknowns() } else { 0 };
    unknowns.resize(count + contacts, 0.0);
    scratch.rows.resize(q.len(), 0.0);
    scratch.points.clear();
    scratch.points.extend(model.rows.free_nodes().iter().map(|&node| model.start[node as usize]));
    model.rows.gather(if kind == Kind::Dynamic { v } else { q }, &mut unknowns[..count]);
    if kind == Kind::Dynamic {
        smooth.contact.guess(&mut unknowns[count..]);
    }
    smooth.linear.forget();
    let (method, tolerance) = (smooth.solver.method, smooth.solver.tolerance);
    let conservative = is_conservative(model, &smooth.contact, kind);
    let mut problem = Problem {
        model,
        smooth,
        stage,
        kind,
        q,
        v,
        scratch,
        tolerance,
        last_change: f64::INFINITY,
        magnitude: 0.0,
        careful: false,
    };
    let report = match method {
        StageSolver::Minimise | StageSolver::Auto if conservative => {
            problem.minimise(&mut unknowns, limits)
        }
        _ if kind == Kind::Dynamic && !conservative => problem.friction(&mut unknowns, limits),
        StageSolver::InexactNewton | StageSolver::MatrixFree => {
            problem.inexact_newton(&mut unknowns, limits)
        }
        _ => problem.newton(&mut unknowns, limits),
    };
    problem.look(&unknowns);
    problem.find_reactions();
    problem.scratch.unknowns = unknowns;
    problem.smooth.scratch = problem.scratch;
    report
}

/// The equation of a stage. Unknowns are those of free rows.
pub(super) struct Problem<'a> {
    pub(super) model: &'a mut Model,
    pub(super) smooth: &'a mut Smooth,
    pub(super) stage: &'a Stage,
    pub(super) kind: Kind,
    /// Positions and velocities of all nodes at the point last looked at.
    pub(super) q: &'a mut [f64],
    pub(super) v: &'a mut [f64],
    pub(super) scratch: Scratch,
    /// Largest acceptable unbalanced acceleration of any node [m/s²].
    pub(super) tolerance: f64,
    /// Largest move of a node along the last direction [m].
    pub(super) last_change: f64,
    /// Sum of the sizes of the terms of the last value [J·s].
    pub(super) magnitude: f64,
    /// Whether to give up where the Jacobian is not positive definite: there Newton's method may lead anywhere.
    pub(super) careful: bool,
}

impl Problem<'_> {
    /// Goes to the point `unknowns`.
    fn place(&mut self, unknowns: &[f64]) {
        let dynamic = self.kind == Kind::Dynamic;
        self.model.place(self.stage, dynamic, unknowns, self.q, self.v);
    }

    /// Goes to the point `unknowns`, and looks at contacts there.
    pub(super) fn look(&mut self, unknowns: &[f64]) {
        self.place(unknowns);
        if self.kind == Kind::Dynamic {
            let tractions = &unknowns[self.model.unknown_count()..];
            let (q, v) = (&*self.q, &*self.v);
            let look = |contact: &mut ContactSet| contact.look(q, v, tractions);
            self.smooth.watch_contacts(self.model, Phase::Contact, look);
        }
    }

    /// Whether inertia and damping take part.
    pub(super) fn inertia(&self) -> f64 {
        if self.kind == Kind::Dynamic { 1.0 } else { 0.0 }
    }

    /// `r` over all rows, at the present point.
    pub(super) fn balance(&mut self) {
        let (inertia, Scratch { work, rows, .. }) = (self.inertia(), &mut self.scratch);
        let contact = (self.kind == Kind::Dynamic).then_some(&self.smooth.contact);
        let forces = |order: &Rows, rows: &mut [f64]| add_contacts(contact, order, rows);
        self.model.balance(self.stage, inertia, (&*self.q, &*self.v), forces, work, rows);
    }

    /// `r` over free rows, zero where prescribed; then what friction laws are short of.
    pub(super) fn residual_at(&mut self, unknowns: &[f64], r: &mut [f64]) {
        self.look(unknowns);
        self.balance();
        let count = self.model.unknown_count();
        r[..count].copy_from_slice(&self.scratch.rows[..count]);
        self.smooth.contact.law_residuals(&mut r[count..]);
        self.model.clear_prescribed(r);
    }

    /// The largest unbalanced acceleration [m/s²]; NaN if there is one.
    pub(super) fn acceleration(&self, r: &[f64]) -> f64 {
        let count = self.model.unknown_count();
        let most = self.model.largest_acceleration(self.stage.gamma, &r[..count.min(r.len())]);
        let laws = self.smooth.contact.law_acceleration(r.get(count..).unwrap_or(&[]));
        if laws > most || laws.is_nan() { laws } else { most }
    }

    /// The mean of unbalanced accelerations, weighted by mass [m/s²]. The largest one is a poor guide: contacts that
    /// begin or let go make single nodes worse while all others get better.
    fn mean_acceleration(&self, r: &[f64]) -> f64 {
        let (balances, laws) = r.split_at(self.model.unknown_count());
        let [sum, total] = self.model.acceleration_squares(self.stage.gamma, balances);
        let sum = sum + self.smooth.contact.law_square(laws);
        (sum / total).sqrt()
    }

    pub(super) fn stopped(&self, x: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        let step = step?;
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let (moves, tractions) = step.change.split_at(self.model.unknown_count());
        // Tractions may have a way to go while nothing moves.
        if largest(tractions) > 1e-9 * largest(&x[moves.len()..]) {
            return None;
        }
        let change = largest(moves);
        let still = step.length >= 1.0 && self.stage.beta * change <= STILL * self.model.size;
        still.then_some(StopReason::Step)
    }

    fn weights(&self) -> Weights {
        let Stage { beta, gamma, .. } = *self.stage;
        let mass = self.inertia();
        Weights {
            mass,
            stiffness: gamma * beta,
            damping: gamma * mass,
            contact: gamma * mass,
            position: beta,
        }
    }

    /// `m^{-1/2}` of every unknown.
    fn weigh(&self) -> Vec<f64> {
        let Model { rows, inertias, .. } = &*self.model;
        let weight = |&node: &u32| [1.0 / inertias[node as usize].sqrt(); 3];
        rows.free_nodes().iter().flat_map(weight).collect()
    }

    pub(super) fn fill_jacobian(&mut self, projection: Projection, shift: f64, near: bool) {
        let wanted = Wanted { weights: self.weights(), projection, shift, near };
        self.smooth.fill_jacobian(self.model, self.q, self.v, wanted);
    }

    pub(super) fn note_direction(&mut self, p: &[f64]) {
        let moves = &p[..self.model.unknown_count()];
        let most = moves.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
        self.last_change = self.stage.beta * most;
    }

    /// Where no step improves, but the full one would not move anything, the root is found to rounding.
    fn judge(&self, status: Status) -> Status {
        let stuck = matches!(status, Status::Stagnated | Status::LineSearchFailed);
        if stuck && self.last_change <= STILL * self.model.size {
            Status::Converged
        } else {
            status
        }
    }

    pub(super) fn minimise(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let Limits { max_iterations, max_change } = *limits;
        let tolerance = self.tolerance;
        let settings =
            minimise::Settings { tolerance, max_iterations, max_change, ..Default::default() };
        let mut workspace = std::mem::take(&mut self.scratch.minimise);
        let report = minimise::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.minimise = workspace;
        StageReport {
            status: self.judge(report.report.status),
            reason: report.reason,
            iterations: report.report.iterations,
            residuals: report.report.residuals,
            projected: report.projected_steps + report.shifted_steps,
            ..StageReport::default()
        }
    }

    pub(super) fn newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let (tolerance, max_iterations) = (self.tolerance, limits.max_iterations);
        let line_search = self.line_search();
        let settings = newton::Settings { tolerance, max_iterations, line_search };
        let mut workspace = std::mem::take(&mut self.scratch.newton);
        let report = newton::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.newton = workspace;
        self.report(report)
    }

    pub(super) fn inexact_newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        /// Rougher directions are no use where contacts begin and let go: line searches refuse them.
        const ROUGHEST: f64 = 0.01;
        let (tolerance, max_iterations) = (self.tolerance, limits.max_iterations);
        let line_search = self.line_search();
        let settings = inexact_newton::Settings {
            tolerance,
            max_iterations,
            line_search,
            max_forcing: ROUGHEST,
            ..Default::default()
        };
        let mut workspace = std::mem::take(&mut self.scratch.newton);
        let report = inexact_newton::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.newton = workspace;
        self.report(report.newton)
    }

    /// Friction has kinks, from which a short step may not lead away.
    fn line_search(&self) -> newton::LineSearch {
        let escape = if self.smooth.contact.unknowns() > 0 { 1e-3 } else { 0.0 };
        newton::LineSearch { escape, ..Default::default() }
    }

    fn report(&self, report: newton::NewtonReport) -> StageReport {
        StageReport {
            status: self.judge(report.report.status),
            reason: report.reason,
            iterations: report.report.iterations,
            residuals: report.report.residuals,
            ..StageReport::default()
        }
    }

    /// What prescribed coordinates need here.
    fn find_reactions(&mut self) {
        let (inertia, Scratch { work, rows, .. }) = (self.inertia(), &mut self.scratch);
        let contact = (self.kind == Kind::Dynamic).then_some(&self.smooth.contact);
        let forces = |order: &Rows, rows: &mut [f64]| add_contacts(contact, order, rows);
        let at = (&*self.q, &*self.v);
        self.model.find_stage_reactions(self.stage, inertia, at, forces, work, rows);
    }
}

/// Takes contact forces of the present iterate away from what pulls on rows.
fn add_contacts(contact: Option<&ContactSet>, order: &Rows, rows: &mut [f64]) {
    if let Some(contact) = contact {
        contact.for_each_force(|node, force| subtract(order, node, force, rows));
    }
}

/// Whether every force of a stage derives from an energy.
fn is_conservative(model: &Model, contact: &ContactSet, kind: Kind) -> bool {
    // What spins has no potential.
    let still = model.rigid.is_empty() && contact.is_conservative();
    model.assembly.is_conservative() && (kind == Kind::Static || still)
}

impl Problem<'_> {
    /// Eliminates the unknown tractions from the residual: `r + γ Bᵀ T₀`.
    fn condense(&self, r: &[f64]) -> Vec<f64> {
        let mut condensed = r[..self.model.unknown_count()].to_vec();
        if self.kind == Kind::Dynamic {
            let Model { rows, fixed, rigid, .. } = &*self.model;
            let contact = &self.smooth.contact;
            let mut add = |node: u32, force: Vector3| {
                let at = 3 * rows.of_node(node) as usize;
                if at < condensed.len() {
                    for a in (0..3).filter(|&a| !fixed[node as usize][a]) {
                        condensed[at + a] += self.stage.gamma * force[a];
                    }
                }
            };
            contact.for_each_correction(|node, force| match rigid.arm(node) {
                Some(arm) => {
                    add(arm.center, force);
                    add(arm.turn, arm.by_turn.tr_mul(&force));
                }
                None => add(node, force),
            });
        }
        condensed
    }

    /// What a step of velocities does to the eliminated tractions.
    fn expand(&self, moves: &[f64], tractions: &mut [f64]) {
        let Model { rows, rigid, .. } = &*self.model;
        let free = |node: u32| {
            let row = rows.of_node(node) as usize;
            if row < rows.free() { point(moves, row) } else { Vector3::zeros() }
        };
        let change = |node: u32| match rigid.arm(node) {
            Some(arm) => free(arm.center) + arm.by_turn * free(arm.turn),
            None => free(node),
        };
        self.smooth.contact.traction_steps(change, tractions);
    }
}

impl Problem<'_> {
    /// The part of a step that may be taken before features of what touches itself meet.
    pub(super) fn bound(&mut self, x: &[f64], p: &[f64]) -> f64 {
        let Some(guard) = self.smooth.contact.guard.as_ref().filter(|_| self.kind == Kind::Dynamic)
        else {
            return f64::INFINITY;
        };
        let count = self.model.unknown_count();
        let (mut q, mut v) = (self.q.to_vec(), self.v.to_vec());
        let mut length = 1.0;
        for _ in 0..if guard.carried { WAYS } else { 1 } {
            let end: Vec<f64> = x.iter().zip(p).take(count).map(|(x, p)| x + length * p).collect();
            self.model.place(self.stage, true, &end, &mut q, &mut v);
            let part = self.model.meter.time(Phase::Detection, || guard.way_to(&q));
            match part >= 1.0 {
                true if length < 1.0 => return length,
                true => return f64::INFINITY,
                // What a rigid body carries turns: the way to a nearer end is another one.
                false => length *= if guard.carried { 0.9 * part } else { part },
            }
        }
        if guard.carried { 0.0 } else { length }
    }
}

impl Residual for Problem<'_> {
    fn dimension(&self) -> usize {
        let contacts = if self.kind == Kind::Dynamic { self.smooth.contact.unknowns() } else { 0 };
        self.model.unknown_count() + contacts
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
        self.place(x);
        if !self.model.zones.is_defined(self.q) {
            return Evaluation::Infeasible;
        }
        self.residual_at(x, r);
        Evaluation::Valid
    }

    fn norm(&self, r: &[f64]) -> f64 {
        self.acceleration(r)
    }

    fn merit(&self, r: &[f64]) -> f64 {
        self.mean_acceleration(r)
    }

    fn step_bound(&mut self, x: &[f64], p: &[f64]) -> f64 {
        self.bound(x, p)
    }

    fn converged(&self, x: &[f64], _r: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(x, step)
    }
}

impl RootProblem for Problem<'_> {
    fn direction(&mut self, _x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        // So that this step can be the last one, if the equation is near enough to a linear one.
        let accuracy = 0.1 * self.tolerance / self.acceleration(r);
        let r = self.condense(r);
        let conservative = is_conservative(self.model, &self.smooth.contact, self.kind);
        self.fill_jacobian(Projection::Exact, 0.0, !conservative);
        let (moves, tractions) = p.split_at_mut(r.len());
        let definite = self.careful;
        let Model { zones, jacobian, meter, .. } = &mut *self.model;
        let Smooth { linear, uncoupled, .. } = &mut *self.smooth;
        let points = &self.scratch.points;
        let symmetry = match uncoupled {
            Some(matrix) => Symmetry::Near(Near { matrix, accuracy, definite }),
            None => Symmetry::Exact,
        };
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let outcome = linear.regular(sum, points, symmetry, &r, moves, meter)?;
        if outcome == Outcome::NotPositiveDefinite {
            return Err(Status::Breakdown);
        }
        self.expand(moves, tractions);
        self.note_direction(p);
        Ok(())
    }
}

impl InexactRootProblem for Problem<'_> {
    fn direction(
        &mut self,
        x: &[f64],
        r: &[f64],
        tolerance: f64,
        p: &mut [f64],
    ) -> Result<InnerSolve, Status> {
        let full = r;
        let r = &*self.condense(r);
        let (p, tractions) = p.split_at_mut(r.len());
        let weights = self.weigh();
        let request = Request { r, weights: &weights, tolerance };
        let mut iterative = std::mem::take(&mut self.smooth.iterative);
        let mut meter = std::mem::take(&mut self.model.meter);
        let matrix_free = self.smooth.solver.method == StageSolver::MatrixFree;
        // Products of elements know nothing of rigid bodies.
        let solved = if matrix_free && self.model.rigid.is_empty() {
            let (weights, contact) = (self.weights(), &mut self.smooth.contact);
            let jacobian = Jacobian::new(self.model, contact, self.q, self.v, weights);
            iterative.matrix_free(&jacobian, &jacobian.diagonal(), request, p, &mut meter)
        } else {
            self.fill_jacobian(Projection::Exact, 0.0, false);
            let Model { jacobian, zones, .. } = &*self.model;
            let sum = Updated { matrix: jacobian, update: zones.update() };
            iterative.regular(sum, request, p, &mut meter)
        };
        (self.smooth.iterative, self.model.meter) = (iterative, meter);
        let (iterations, relative_residual) = solved?;
        if relative_residual <= tolerance {
            self.expand(p, tractions);
            self.note_direction(p);
            return Ok(InnerSolve { iterations, relative_residual });
        }
        if self.careful {
            return Err(Status::Breakdown);
        }
        let mut direct = vec![0.0; full.len()];
        RootProblem::direction(self, x, full, &mut direct)?;
        p.copy_from_slice(&direct[..p.len()]);
        tractions.copy_from_slice(&direct[p.len()..]);
        Ok(InnerSolve { iterations, relative_residual: 0.0 })
    }
}
