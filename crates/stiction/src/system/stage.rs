//! The equation of a stage, for whichever solver is to find its root.
//!
//! $$ r(v) = M (v - \hat v) - \gamma\, f(\hat q + \beta v, v) - e, \qquad
//!    J = M + \gamma\beta K + \gamma (\alpha M + D) $$
//!
//! Where forces have an energy, `r` is the gradient of the incremental potential
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

mod answer;
mod bare;
mod free;
mod guess;

pub(crate) use answer::{Answer, Coupling, ITERATED, Inverse, Iterated};

use super::iterative::Request;
use super::jacobian::{Wanted, Weights};
use super::linear::{Near, Outcome, Symmetry, Updated};
use super::matrix_free::Jacobian;
use super::watch::Phase;
use super::{Method, Scratch, Stabilisation, System};
use crate::assembly::point;
use crate::contact::set::ContactSet;
use crate::element::Projection;
use crate::math::Vector3;
use crate::solve::inexact_newton::{self, InexactRootProblem, InnerSolve};
use crate::solve::minimise::{self, Hessian, NoDirection, Objective};
use crate::solve::newton::{self, Evaluation, LastStep, Residual, RootProblem, StopReason};
use crate::solve::{LinearOperator as _, Status};
use crate::step::{Stage, StageReport};

/// A Newton step that moves no node by more than this, relative to the size of the scene, is rounding.
const STILL: f64 = 1e-12;

/// Solves `stage`; see [`Dynamics::solve`](crate::step::Dynamics::solve).
pub(super) fn solve(
    system: &mut System,
    stage: &Stage,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut corrected = stage.clone();
    system.rigid.correct(&mut corrected);
    let stage = &corrected;
    system.enter(stage, q, v);
    let limits =
        Limits { max_iterations: system.settings.max_iterations, max_change: f64::INFINITY };
    let mut report = StageReport::default();
    for _ in 0..MOST_LOOKS {
        system.fit_contacts();
        system.watch_contacts(|contact| contact.prepare(stage, q, v));
        for pass in 0..system.contact.passes() {
            if pass == 0 {
                system.contact.freeze_at_start();
            } else {
                system.contact.freeze(q);
            }
            let found = find_root(system, stage, Kind::Dynamic, &limits, q, v);
            report.add(found);
        }
        if !report.converged() || !system.watch_contacts(|contact| contact.add_missed(q, v)) {
            break;
        }
    }
    if report.converged() {
        report.retry = system.watch_contacts(|contact| contact.judge(q, v));
        system.contact.finish_stage();
    }
    system.rigid.finish(q, v);
    report
}

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
    system: &mut System,
    stage: &Stage,
    kind: Kind,
    limits: &Limits,
    q: &mut [f64],
    v: &mut [f64],
) -> StageReport {
    let mut scratch = std::mem::take(&mut system.scratch);
    let mut unknowns = std::mem::take(&mut scratch.unknowns);
    let count = system.unknown_count();
    let contacts = if kind == Kind::Dynamic { system.contact.unknowns() } else { 0 };
    unknowns.resize(count + contacts, 0.0);
    scratch.rows.resize(q.len(), 0.0);
    scratch.points.clear();
    scratch.points.extend(system.rows.free_nodes().iter().map(|&node| system.start[node as usize]));
    system.rows.gather(if kind == Kind::Dynamic { v } else { q }, &mut unknowns[..count]);
    if kind == Kind::Dynamic {
        system.contact.guess(&mut unknowns[count..]);
    }
    system.linear.forget();
    let (method, conservative) = (system.settings.method, system.is_conservative(kind));
    let (last_change, magnitude) = (f64::INFINITY, 0.0);
    let mut problem =
        Problem { system, stage, kind, q, v, scratch, last_change, magnitude, careful: false };
    let report = match method {
        Method::Minimise | Method::Auto if conservative => problem.minimise(&mut unknowns, limits),
        _ if kind == Kind::Dynamic && !conservative => problem.friction(&mut unknowns, limits),
        Method::InexactNewton | Method::MatrixFree => problem.inexact_newton(&mut unknowns, limits),
        _ => problem.newton(&mut unknowns, limits),
    };
    problem.look(&unknowns);
    problem.find_reactions();
    problem.scratch.unknowns = unknowns;
    problem.system.scratch = problem.scratch;
    report
}

/// The equation of a stage. Unknowns are those of free rows.
struct Problem<'a> {
    system: &'a mut System,
    stage: &'a Stage,
    kind: Kind,
    /// Positions and velocities of all nodes at the point last looked at.
    q: &'a mut [f64],
    v: &'a mut [f64],
    scratch: Scratch,
    /// Largest move of a node along the last direction [m].
    last_change: f64,
    /// Sum of the sizes of the terms of the last value [J·s].
    magnitude: f64,
    /// Whether to give up where the Jacobian is not positive definite: there Newton's method may lead anywhere.
    careful: bool,
}

impl Problem<'_> {
    /// Goes to the point `unknowns`.
    fn place(&mut self, unknowns: &[f64]) {
        let (beta, q_hat) = (self.stage.beta, &self.stage.q_hat);
        let system = &*self.system;
        for (&node, value) in system.rows.free_nodes().iter().zip(unknowns.chunks_exact(3)) {
            for a in 0..3 {
                if !system.fixed[node as usize][a] {
                    let at = 3 * node as usize + a;
                    self.q[at] = q_hat[at] + beta * value[a];
                    if self.kind == Kind::Dynamic {
                        self.v[at] = value[a];
                    }
                }
            }
        }
        let dynamic = self.kind == Kind::Dynamic;
        self.system.rigid.place(self.stage, dynamic, self.q, self.v);
    }

    /// Goes to the point `unknowns`, and looks at contacts there.
    fn look(&mut self, unknowns: &[f64]) {
        self.place(unknowns);
        if self.kind == Kind::Dynamic {
            let tractions = &unknowns[self.system.unknown_count()..];
            let (q, v) = (&*self.q, &*self.v);
            self.system.watch_contacts(|contact| contact.look(q, v, tractions));
        }
    }

    /// Whether inertia and damping take part.
    fn inertia(&self) -> f64 {
        if self.kind == Kind::Dynamic { 1.0 } else { 0.0 }
    }

    /// `r` over all rows, at the present point.
    fn balance(&mut self) {
        let inertia = self.inertia();
        self.system.unbalanced(self.q, self.v, &mut self.scratch.work, &mut self.scratch.rows);
        if self.kind == Kind::Dynamic {
            self.system.add_contacts(&mut self.scratch.rows);
        }
        let System { rigid, rows, .. } = &mut *self.system;
        rigid.gather(rows, &mut self.scratch.rows);
        let (stage, system) = (self.stage, &*self.system);
        for (r, &node) in self.scratch.rows.chunks_exact_mut(3).zip(system.rows.nodes()) {
            let mass = inertia * system.masses[node as usize];
            for a in 0..3 {
                let at = 3 * node as usize + a;
                r[a] =
                    mass * (self.v[at] - stage.v_hat[at]) + stage.gamma * r[a] - stage.impulse[at];
            }
        }
        let System { rigid, rows, .. } = &mut *self.system;
        rigid.balance(rows, stage, inertia, &mut self.scratch.rows);
    }

    /// `r` over free rows, zero where prescribed; then what friction laws are short of.
    fn residual_at(&mut self, unknowns: &[f64], r: &mut [f64]) {
        self.look(unknowns);
        self.balance();
        let count = self.system.unknown_count();
        r[..count].copy_from_slice(&self.scratch.rows[..count]);
        self.system.contact.law_residuals(&mut r[count..]);
        let system = &*self.system;
        for (r, &node) in r.chunks_exact_mut(3).zip(system.rows.free_nodes()) {
            for a in (0..3).filter(|&a| system.fixed[node as usize][a]) {
                r[a] = 0.0;
            }
        }
    }

    /// The largest unbalanced acceleration [m/s²]; NaN if there is one.
    fn acceleration(&self, r: &[f64]) -> f64 {
        let nodes = self.system.rows.free_nodes();
        let each = r.chunks_exact(3).zip(nodes).map(|(r, &node)| {
            let System { inertias, reaches, .. } = &*self.system;
            // Divided first: the square of a force may overflow.
            let a = Vector3::new(r[0], r[1], r[2]) / (inertias[node as usize] * self.stage.gamma);
            a.norm() * reaches[node as usize]
        });
        let most = each.fold(0.0, |most, a| if a > most || a.is_nan() { a } else { most });
        let laws = self.system.contact.law_acceleration(r.get(3 * nodes.len()..).unwrap_or(&[]));
        if laws > most || laws.is_nan() { laws } else { most }
    }

    /// The mean of unbalanced accelerations, weighted by mass [m/s²]. The largest one is a poor guide: contacts that
    /// begin or let go make single nodes worse while all others get better.
    fn mean_acceleration(&self, r: &[f64]) -> f64 {
        let nodes = self.system.rows.free_nodes();
        let (balances, laws) = r.split_at(3 * nodes.len());
        let (mut sum, mut total) = (self.system.contact.law_square(laws), f64::MIN_POSITIVE);
        for (r, &node) in balances.chunks_exact(3).zip(nodes) {
            let System { inertias, reaches, .. } = &*self.system;
            let inertia = inertias[node as usize];
            let a = Vector3::new(r[0], r[1], r[2]) / (inertia * self.stage.gamma);
            sum += inertia * a.norm_squared();
            total += inertia / reaches[node as usize].powi(2);
        }
        (sum / total).sqrt()
    }

    fn stopped(&self, x: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        let step = step?;
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let (moves, tractions) = step.change.split_at(self.system.unknown_count());
        // Tractions may have a way to go while nothing moves.
        if largest(tractions) > 1e-9 * largest(&x[moves.len()..]) {
            return None;
        }
        let change = largest(moves);
        let still = step.length >= 1.0 && self.stage.beta * change <= STILL * self.system.size;
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
        let System { rows, inertias, .. } = &*self.system;
        let weight = |&node: &u32| [1.0 / inertias[node as usize].sqrt(); 3];
        rows.free_nodes().iter().flat_map(weight).collect()
    }

    fn fill_jacobian(&mut self, projection: Projection, shift: f64, near: bool) {
        let wanted = Wanted { weights: self.weights(), projection, shift, near };
        self.system.fill_jacobian(self.q, self.v, wanted);
    }

    fn note_direction(&mut self, p: &[f64]) {
        let moves = &p[..self.system.unknown_count()];
        let most = moves.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
        self.last_change = self.stage.beta * most;
    }

    /// Where no step improves, but the full one would not move anything, the root is found to rounding.
    fn judge(&self, status: Status) -> Status {
        let stuck = matches!(status, Status::Stagnated | Status::LineSearchFailed);
        if stuck && self.last_change <= STILL * self.system.size {
            Status::Converged
        } else {
            status
        }
    }

    fn minimise(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let Limits { max_iterations, max_change } = *limits;
        let tolerance = self.system.settings.tolerance;
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
            retry: None,
        }
    }

    fn newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let (tolerance, max_iterations) = (self.system.settings.tolerance, limits.max_iterations);
        let line_search = self.line_search();
        let settings = newton::Settings { tolerance, max_iterations, line_search };
        let mut workspace = std::mem::take(&mut self.scratch.newton);
        let report = newton::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.newton = workspace;
        self.report(report)
    }

    fn inexact_newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        /// Rougher directions are no use where contacts begin and let go: line searches refuse them.
        const ROUGHEST: f64 = 0.01;
        let (tolerance, max_iterations) = (self.system.settings.tolerance, limits.max_iterations);
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
        let escape = if self.system.contact.unknowns() > 0 { 1e-3 } else { 0.0 };
        newton::LineSearch { escape, ..Default::default() }
    }

    fn report(&self, report: newton::NewtonReport) -> StageReport {
        StageReport {
            status: self.judge(report.report.status),
            reason: report.reason,
            iterations: report.report.iterations,
            residuals: report.report.residuals,
            projected: 0,
            retry: None,
        }
    }

    /// What prescribed coordinates need here. Not from the balance of the stage: its explicit parts hold forces, but
    /// not the reactions of the time they are from.
    fn find_reactions(&mut self) {
        let (inertia, Scratch { work, rows, .. }) = (self.inertia(), &mut self.scratch);
        self.system.unbalanced(self.q, self.v, work, rows);
        if self.kind == Kind::Dynamic {
            self.system.add_contacts(rows);
        }
        let System { rigid, rows: order, .. } = &mut *self.system;
        rigid.gather(order, rows);
        self.system.react(self.stage.time, inertia, rows);
    }
}

impl Problem<'_> {
    /// Eliminates the unknown tractions from the residual: `r + γ Bᵀ T₀`.
    fn condense(&self, r: &[f64]) -> Vec<f64> {
        let mut condensed = r[..self.system.unknown_count()].to_vec();
        if self.kind == Kind::Dynamic {
            let System { contact, rows, fixed, rigid, .. } = &*self.system;
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
        let System { rows, rigid, .. } = &*self.system;
        let free = |node: u32| {
            let row = rows.of_node(node) as usize;
            if row < rows.free() { point(moves, row) } else { Vector3::zeros() }
        };
        let change = |node: u32| match rigid.arm(node) {
            Some(arm) => free(arm.center) + arm.by_turn * free(arm.turn),
            None => free(node),
        };
        self.system.contact.traction_steps(change, tractions);
    }
}

impl Residual for Problem<'_> {
    fn dimension(&self) -> usize {
        let contacts = if self.kind == Kind::Dynamic { self.system.contact.unknowns() } else { 0 };
        self.system.unknown_count() + contacts
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
        self.place(x);
        if !self.system.zones.is_defined(self.q) {
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

    fn converged(&self, x: &[f64], _r: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(x, step)
    }
}

impl RootProblem for Problem<'_> {
    fn direction(&mut self, _x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        // So that this step can be the last one, if the equation is near enough to a linear one.
        let accuracy = 0.1 * self.system.settings.tolerance / self.acceleration(r);
        let r = self.condense(r);
        let conservative = self.system.is_conservative(self.kind);
        self.fill_jacobian(Projection::Exact, 0.0, !conservative);
        let (moves, tractions) = p.split_at_mut(r.len());
        let definite = self.careful;
        let System { zones, linear, jacobian, uncoupled, watch, .. } = &mut *self.system;
        let points = &self.scratch.points;
        let symmetry = match uncoupled {
            Some(matrix) => Symmetry::Near(Near { matrix, accuracy, definite }),
            None => Symmetry::Exact,
        };
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let outcome = linear.regular(sum, points, symmetry, &r, moves, watch)?;
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
        let mut iterative = std::mem::take(&mut self.system.iterative);
        let mut watch = std::mem::take(&mut self.system.watch);
        let matrix_free = self.system.settings.method == Method::MatrixFree;
        // Products of elements know nothing of rigid bodies.
        let solved = if matrix_free && self.system.rigid.is_empty() {
            let jacobian = Jacobian::new(self.system, self.q, self.v, self.weights());
            iterative.matrix_free(&jacobian, &jacobian.diagonal(), request, p, &mut watch)
        } else {
            self.fill_jacobian(Projection::Exact, 0.0, false);
            let System { jacobian, zones, .. } = &*self.system;
            let sum = Updated { matrix: jacobian, update: zones.update() };
            iterative.regular(sum, request, p, &mut watch)
        };
        (self.system.iterative, self.system.watch) = (iterative, watch);
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

impl System {
    /// Goes to where the velocities `v` lead in a stage, and sets what is prescribed there.
    fn enter(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) {
        self.set_time(stage.time);
        for ((q, q_hat), v) in q.iter_mut().zip(&stage.q_hat).zip(&*v) {
            *q = q_hat + stage.beta * v;
        }
        self.prescribe(stage.time, q, v);
        self.rigid.place(stage, true, q, v);
        self.freeze_damping(q);
    }

    /// Whether every force of a stage derives from an energy.
    fn is_conservative(&self, kind: Kind) -> bool {
        // What spins has no potential.
        let still = self.rigid.is_empty() && self.contact.is_conservative();
        self.assembly.is_conservative() && (kind == Kind::Static || still)
    }

    /// Whether linear systems are solved without complete factors, as long as that goes.
    fn iterates(&self) -> bool {
        matches!(self.settings.method, Method::InexactNewton | Method::MatrixFree)
    }

    /// Works on contacts, and books the time.
    fn watch_contacts<T>(&mut self, work: impl FnOnce(&mut ContactSet) -> T) -> T {
        let Self { contact, watch, .. } = self;
        watch.time(Phase::Contact, || work(contact))
    }
}

impl Objective for Problem<'_> {
    fn dimension(&self) -> usize {
        self.system.unknown_count()
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.look(x);
        let Stage { beta, gamma, .. } = *self.stage;
        let weight = self.inertia();
        let unknown = if self.kind == Kind::Dynamic { &*self.v } else { &*self.q };
        let System {
            assembly,
            zones,
            rows,
            damping,
            external,
            masses,
            mass_damping,
            contact,
            watch,
            ..
        } = &mut *self.system;
        let touching = if self.kind == Kind::Dynamic { contact.energy() } else { 0.0 };
        let (zone_energy, zone_magnitude) = zones.energy_and_magnitude(self.q);
        let energy = watch.time(Phase::Forces, || assembly.energy(self.q)) + zone_energy + touching;
        let (mut inertia, mut work, mut loss) = (0.0, 0.0, 0.0);
        for (node, mass) in masses.iter().enumerate() {
            for at in 3 * node..3 * node + 3 {
                inertia += 0.5 * weight * mass * (self.v[at] - self.stage.v_hat[at]).powi(2);
                work += (gamma * external[at] + self.stage.impulse[at]) * unknown[at];
                loss += 0.5 * gamma * mass_damping[node] * self.v[at].powi(2);
            }
        }
        if let Some(damping) = damping {
            self.scratch.work.gather_rows(rows, self.v);
            damping.apply(&self.scratch.work.rows, &mut self.scratch.work.product);
            let product: f64 = self
                .scratch
                .work
                .rows
                .iter()
                .zip(&self.scratch.work.product)
                .map(|(v, dv)| v * dv)
                .sum();
            loss += 0.5 * gamma * product;
        }
        let elastic = gamma / beta * energy;
        self.magnitude = inertia
            + elastic.abs()
            + work.abs()
            + loss
            + gamma / beta * (assembly.energy_magnitude() + zone_magnitude);
        inertia + elastic - work + loss
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        self.residual_at(x, g);
    }

    fn direction(
        &mut self,
        _x: &[f64],
        g: &[f64],
        hessian: Hessian,
        p: &mut [f64],
    ) -> Result<(), NoDirection> {
        /// Relative residual of directions by conjugate gradients.
        const CURVATURE: f64 = 1e-2;
        let stabilisation = self.system.settings.stabilisation;
        let (projection, shift) = match (hessian, stabilisation) {
            (Hessian::Exact, _) => (Projection::Exact, 0.0),
            (Hessian::Projected { shift }, Stabilisation::Projection) => {
                (Projection::Positive, shift)
            }
            (Hessian::Projected { shift }, Stabilisation::Inertia) => (Projection::Exact, shift),
        };
        self.fill_jacobian(projection, shift, false);
        let iterates = self.system.iterates();
        let System { linear, iterative, jacobian, zones, inertias, rows, watch, .. } =
            &mut *self.system;
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let outcome = match (hessian, stabilisation) {
            _ if iterates => iterative.definite(sum, g, CURVATURE, p, watch),
            (Hessian::Projected { .. }, Stabilisation::Inertia) => {
                let nodes = rows.free_nodes();
                let weights: Vec<f64> =
                    nodes.iter().flat_map(|&node| [inertias[node as usize]; 3]).collect();
                linear.corrected(sum, &self.scratch.points, &weights, g, p, watch)
            }
            _ => linear.definite(sum, &self.scratch.points, g, p, watch),
        };
        if outcome == Outcome::NotPositiveDefinite {
            return Err(NoDirection::NotPositiveDefinite);
        }
        self.note_direction(p);
        Ok(())
    }

    fn norm(&self, g: &[f64]) -> f64 {
        self.acceleration(g)
    }

    fn value_rounding(&self, _value: f64) -> f64 {
        8.0 * f64::EPSILON * self.magnitude
    }

    fn converged(&self, x: &[f64], _g: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(x, step)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Scene;
    use crate::body::{Anchor, Cloth, Motion, Obstacle, Rigid, Shape, Solid, Spring};
    use crate::contact::friction::{Directional, Grain, NormalMap};
    use crate::contact::law::Profile;
    use crate::contact::{ContactSettings, Friction, Law, Roles, SlipLevel};
    use crate::step::{Dynamics, Integrator, StageHistory, Trajectory};
    use crate::system::SolverSettings;

    /// Along Newton's direction, all unbalanced forces and all laws fall in proportion: `r(x + ε p) = (1 − ε) r(x) + O(ε²)`.
    /// So the whole Jacobian is right, elimination of tractions included.
    fn check(scene: &Scene, law: Law, slip: SlipLevel, integrator: Integrator, least: usize) {
        let contact = ContactSettings { law, slip, max_stiffenings: 0, ..Default::default() };
        let method = Method::Newton;
        let solver = SolverSettings { contact, method, tolerance: 1e-8, ..Default::default() };
        let (mut system, q, v) = System::new(scene, solver).expect("valid");
        system.linear.accuracy = [1e-12; 2];
        let mut state = Trajectory::new(0.0, q, v);
        let h = 0.01;
        for _ in 0..3 {
            integrator.step(&mut system, &mut state, h).expect("converges");
            system.accept(&state.q);
        }
        system.begin(state.time, h, &state.q, &state.v);
        let count = state.q.len();
        let history =
            StageHistory { now: 1.3, before: -0.3, by_position: true, ..Default::default() };
        let stage = Stage {
            time: state.time + h,
            beta: h,
            gamma: h,
            q_hat: state.q.clone(),
            v_hat: state.v.clone(),
            impulse: vec![0.0; count],
            history,
        };
        system.set_time(stage.time);
        system.freeze_damping(&state.q);
        system.contact.prepare(&stage, &state.q, &state.v);
        let unknown = system.unknown_count();
        let mut x = vec![0.0; unknown + system.contact.unknowns()];
        system.rows.gather(&state.v, &mut x[..unknown]);
        system.contact.guess(&mut x[unknown..]);
        // Any point will do, the less special the better.
        for (k, x) in x.iter_mut().enumerate() {
            let noise = (1.9 * k as f64 + 0.3).sin();
            *x += noise * if k < unknown { 2e-3 } else { 0.4 };
        }
        let (mut q, mut v) = (state.q.clone(), state.v.clone());
        let mut problem = Problem {
            system: &mut system,
            stage: &stage,
            kind: Kind::Dynamic,
            q: &mut q,
            v: &mut v,
            scratch: Scratch { rows: vec![0.0; count], ..Default::default() },
            last_change: 0.0,
            magnitude: 0.0,
            careful: false,
        };
        let System { rows, start, .. } = &*problem.system;
        let points = rows.free_nodes().iter().map(|&node| start[node as usize]).collect();
        problem.scratch.points = points;
        let mut r = vec![0.0; x.len()];
        problem.residual_at(&x, &mut r);
        let touching = problem.system.contact.report().touching;
        assert!(touching >= least, "{touching} contacts push: {law:?} {slip:?} {integrator}");
        let mut p = vec![0.0; x.len()];
        RootProblem::direction(&mut problem, &x, &r, &mut p).expect("regular");
        let mut left = |epsilon: f64| {
            let trial: Vec<f64> = x.iter().zip(&p).map(|(x, p)| x + epsilon * p).collect();
            let mut there = vec![0.0; x.len()];
            problem.residual_at(&trial, &mut there);
            there.iter_mut().zip(&r).for_each(|(there, r)| *there -= (1.0 - epsilon) * r);
            problem.acceleration(&there)
        };
        let (coarse, fine) = (left(1e-3), left(1e-4));
        let size = problem.acceleration(&r);
        assert!(fine < 0.025 * coarse + 1e-10 * size, "{law:?} {slip:?}: {coarse:e}, {fine:e}");
    }

    fn laws() -> [Law; 5] {
        [
            Law::Anchored { ratio: 100.0, damping: 1.0, corner: 0.0, mixed: true },
            Law::Anchored { ratio: 1.0, damping: 0.3, corner: 0.0, mixed: true },
            Law::Anchored { ratio: 1.0, damping: 1.0, corner: 0.3, mixed: false },
            Law::Smoothed { profile: Profile::Quadratic, epsilon: 0.02 },
            Law::Smoothed { profile: Profile::Rational, epsilon: 0.01 },
        ]
    }

    fn block_on(obstacle: Obstacle, at: [f64; 3], friction: Friction) -> Scene {
        let mut scene = Scene::new();
        let cube = Solid::cuboid([0.4, 0.2, 0.4], [3, 2, 3]).expect("valid");
        let cube = scene.add(cube.at(at).velocity([0.3, -0.5, 0.1]).spin([0.2, 1.0, -0.3]));
        let below = scene.add(obstacle);
        let rule = scene.contact(cube, below);
        rule.friction = friction;
        rule.thickness = Some(0.02);
        scene
    }

    #[test]
    fn jacobian_of_contact_on_a_plane_is_complete() {
        let friction = Friction {
            coefficient: 0.4,
            static_coefficient: Some(0.6),
            stribeck_velocity: 0.05,
            viscosity: 3.0,
            ..Friction::NONE
        };
        let scene = block_on(Obstacle::plane([0.1, 1.0, 0.05], 0.0), [0.0, 0.112, 0.0], friction);
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(&scene, law, slip, Integrator::BackwardEuler, 4);
            }
        }
    }

    /// A block that rises from a plane and a ball that hold on to it.
    #[test]
    fn jacobian_of_contacts_that_pull_is_complete() {
        let ball = Obstacle::new(Shape::Sphere { radius: 0.5 }).at([0.0, -0.5, 0.0]);
        for (below, gap) in [(Obstacle::plane([0.05, 1.0, 0.03], 0.0), 0.115), (ball, 0.105)] {
            let mut scene = block_on(below, [0.0, gap, 0.0], Friction::coulomb(0.4));
            scene.contacts[0].fracture = Some(0.2);
            let crate::body::Body::Solid(cube) = &mut scene.bodies[0] else { panic!("a solid") };
            cube.velocity = Vector3::new(0.2, 1.0, 0.1);
            for law in laws() {
                check(&scene, law, SlipLevel::Auto, Integrator::BackwardEuler, 4);
                check(&scene, law, SlipLevel::Velocity, Integrator::Sdirk2, 4);
            }
        }
    }

    #[test]
    fn jacobian_of_contact_on_a_curved_turning_obstacle_is_complete() {
        let motion =
            Motion::Rotation { center: Vector3::zeros(), rate: Vector3::new(0.5, 2.0, 0.3) };
        let torus =
            Obstacle::new(Shape::Torus { ring_radius: 0.3, tube_radius: 0.15 }).motion(motion);
        let scene = block_on(torus, [0.0, 0.24, 0.0], Friction::coulomb(0.5));
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(&scene, law, slip, Integrator::Sdirk2, 4);
            }
        }
    }

    /// A rigid box on a plane, on a solid, and under cloth, held by a spring, spinning.
    fn rigid(on: u32) -> Scene {
        let mut scene = Scene::new();
        let cube = Solid::cuboid([0.3, 0.2, 0.3], [3, 2, 3]).expect("valid");
        let cube = Rigid::new(cube.mesh.boundary().surface)
            .turned([0.1, 1.0, 0.0], 0.4)
            .velocity([0.3, -0.5, 0.1]);
        let spin = [0.2, 3.0, -0.3];
        let (rigid, other) = match on {
            0 => {
                let cube = scene.add(cube.at([0.0, 0.108, 0.0]).spin(spin));
                (cube, scene.add(Obstacle::plane([0.05, 1.0, 0.03], 0.0)))
            }
            1 => {
                let below = Solid::cuboid([0.6, 0.2, 0.6], [8, 2, 8]).expect("valid");
                let below = scene.add(below.spin([0.1, 0.5, -0.2]));
                (scene.add(cube.at([0.02, 0.206, 0.01]).spin(spin)), below)
            }
            _ => {
                let cube = scene.add(cube.velocity([0.1, 0.0, 0.1]).spin(spin.map(|w| 0.1 * w)));
                let sheet = Cloth::sheet([0.2, 0.2], [5, 5]).expect("valid");
                let sheet = sheet.turned([1.0, 0.0, 0.0], -1.57).at([0.02, 0.112, 0.01]);
                (cube, scene.add(sheet.velocity([0.2, -0.3, 0.1])))
            }
        };
        let rule = scene.contact(rigid, other);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        rule.thickness = Some(0.02);
        // It pulls a box with cloth on it so hard that the cloth stays there.
        let stiffness = if on == 2 { 300.0 } else { 30.0 };
        let ends = [Anchor::Vertex(rigid, 3), Anchor::Point(Vector3::new(0.1, 1.5, 0.0))];
        scene.spring(Spring { ends, stiffness, damping: 0.2, rest_length: Some(0.3) });
        scene
    }

    #[test]
    fn jacobian_of_rigid_bodies_is_complete() {
        for on in 0..3 {
            let scene = rigid(on);
            for law in laws() {
                for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                    check(&scene, law, slip, Integrator::BackwardEuler, 4);
                    // Cloth, so light, is thrown off by schemes that do not damp.
                    if on < 2 {
                        check(&scene, law, slip, Integrator::Sdirk2, 4);
                    }
                }
            }
        }
    }

    /// Four balls in one body, on a large ball that turns.
    fn balls_on_obstacle() -> Scene {
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
        let places = [[0.12, 0.12], [0.12, -0.12], [-0.12, 0.12], [-0.12, -0.12]];
        let balls = places.map(|[x, z]| ball.clone().at([x, 0.0, z]));
        let body = Rigid::joined(&balls).expect("has mass").turned([0.01, 1.0, 0.0], 0.4);
        let center = Vector3::new(0.0, -1.0, 0.0);
        let motion = Motion::Rotation { center, rate: Vector3::new(0.5, 2.0, 0.3) };
        let mut scene = Scene::new();
        let body =
            scene.add(body.at([0.0, 0.12, 0.0]).velocity([0.3, -0.5, 0.1]).spin([0.2, 3.0, -0.3]));
        let below = Obstacle::new(Shape::Sphere { radius: 1.0 }).at([0.0, -1.0, 0.0]);
        let below = scene.add(below.motion(motion));
        let rule = scene.contact(body, below);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        rule.thickness = Some(0.05);
        scene
    }

    #[test]
    fn jacobian_of_round_bodies_is_complete() {
        check_all(&balls_on_obstacle(), 4);
    }

    /// Four balls in one body, on a large ball that is free too.
    fn balls_on_ball() -> Scene {
        let ball = Rigid::shape(&Shape::Sphere { radius: 0.1 }, 12).expect("a ball");
        let places = [[0.12, 0.12], [0.12, -0.12], [-0.12, 0.12], [-0.12, -0.12]];
        let balls = places.map(|[x, z]| ball.clone().at([x, 0.0, z]));
        let body = Rigid::joined(&balls).expect("has mass").turned([0.01, 1.0, 0.0], 0.4);
        let mut scene = Scene::new();
        let body =
            scene.add(body.at([0.0, 0.12, 0.0]).velocity([0.3, -0.5, 0.1]).spin([0.2, 3.0, -0.3]));
        let below = Rigid::shape(&Shape::Sphere { radius: 1.0 }, 12).expect("a ball");
        let below = scene.add(below.at([0.0, -1.0, 0.0]).spin([0.5, 2.0, 0.3]));
        let rule = scene.contact(body, below);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        rule.thickness = Some(0.05);
        // Not what would carry the large one.
        rule.stiffness = Some(4e3);
        scene
    }

    #[test]
    fn jacobian_of_balls_on_a_ball_is_complete() {
        check_all(&balls_on_ball(), 4);
    }

    /// Two planks: across each other they touch with edges alone, side by side with vertices.
    fn planks(turn: f64) -> Scene {
        let shape = Shape::Box { size: Vector3::new(0.5, 0.1, 0.1), rounding: 0.0 };
        let plank = Rigid::shape(&shape, 4).expect("a box");
        let mut scene = Scene::new();
        let below = scene.add(plank.clone().spin([0.05, 0.3, -0.1]));
        let above = plank.turned([0.02, 1.0, 0.01], turn).at([0.02, 0.11, 0.01]);
        let above = scene.add(above.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.6, -0.15]));
        let rule = scene.contact(above, below);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        rule.thickness = Some(0.02);
        // Not what would carry them: they are to touch for a while.
        rule.stiffness = Some(500.0);
        scene
    }

    #[test]
    fn jacobian_of_planks_is_complete() {
        [1.4, 0.05].into_iter().for_each(|turn| check_all(&planks(turn), 1));
    }

    /// Spin that is resisted: round bodies on an obstacle and on each other, edges, vertices on an obstacle, on a simple shape, on a smooth surface through a
    /// mesh. With coefficients that are the same, differ when sticking, and differ along a grain.
    #[test]
    fn jacobian_of_spin_is_complete() {
        let mut on_mesh = rigid(1);
        let below = Solid::cuboid([0.6, 0.2, 0.6], [8, 2, 8]).expect("valid");
        let below = Rigid::new(below.mesh.boundary().surface).spin([0.1, 0.5, -0.2]);
        let surface = on_mesh.contacts[0].between[1];
        on_mesh.bodies[surface.index()] = below.into();
        on_mesh.contacts[0].roles = Roles::SecondIsSurface;
        // Two ways for each: derivatives of every law are there without spin.
        let check = |scene: &Scene, least: usize| {
            for law in [laws()[1], laws()[3]] {
                check(scene, law, SlipLevel::Auto, Integrator::BackwardEuler, least);
                check(scene, law, SlipLevel::Velocity, Integrator::Sdirk2, least);
            }
        };
        check_all(&resisting(balls_on_ball(), 0.06), 4);
        let scenes = [
            (balls_on_obstacle(), 4),
            (planks(1.4), 1),
            (planks(0.05), 1),
            (rigid(0), 4),
            (on_mesh, 4),
        ];
        for (scene, least) in scenes {
            let mut scene = resisting(scene, 0.06);
            check(&scene, least);
            let friction = scene.contacts[0].friction;
            let [_, b] = scene.contacts[0].between;
            if matches!(scene.bodies[b.index()], crate::body::Body::Obstacle(_)) {
                let static_coefficient = Some(0.8);
                scene.contacts[0].friction = Friction { static_coefficient, ..friction };
                check(&scene, least);
                scene.skin(b).grain = Some(Grain::Straight(Vector3::new(1.0, 0.2, 0.4)));
                let direction = Directional::Grain { along: 0.2, across: 0.6 };
                scene.contacts[0].friction = Friction { direction, ..friction };
                check(&scene, least);
            }
        }
    }

    fn resisting(mut scene: Scene, torsion: f64) -> Scene {
        scene.contacts[0].friction.torsion = torsion;
        scene
    }

    /// A capsule across a cylinder that is thicker, and across a box with rounded edges: round sides, between vertices.
    #[test]
    fn jacobian_of_logs_is_complete() {
        let capsule = Shape::Capsule { radius: 0.04, length: 0.5 };
        let others = [
            (Shape::Cylinder { radius: 0.07, length: 0.5 }, 0.115, 0.0),
            (Shape::Box { size: Vector3::new(0.1, 0.5, 0.1), rounding: 0.02 }, 0.1, 0.7),
        ];
        for (other, height, roll) in others {
            let log = |shape: &Shape| Rigid::shape(shape, 12).expect("a shape");
            let mut scene = Scene::new();
            let below = log(&other).turned([0.0, 1.0, 0.0], roll).turned([1.0, 0.0, 0.0], 1.5);
            let below = scene.add(below.spin([0.05, 0.3, -0.1]));
            let above = log(&capsule).turned([0.01, 0.03, 1.0], 1.6).at([0.02, height, 0.01]);
            let above = scene.add(above.velocity([0.3, -0.1, 0.1]).spin([0.1, 0.6, -0.15]));
            let rule = scene.contact(above, below);
            rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
            (rule.thickness, rule.stiffness) = (Some(0.02), Some(500.0));
            check_all(&scene, 1);
        }
    }

    /// Quarters of ellipses, which differ forth and back: where slip, traction and what is remembered are in the same one, and where they are not.
    #[test]
    fn jacobian_of_friction_by_textures_is_complete() {
        let friction = Friction { direction: Directional::Texture, ..Friction::coulomb(0.2) };
        let relief = NormalMap::sawtooth(0.02, 0.015, 0.75).expect("a relief");
        let ball = Obstacle::new(Shape::Sphere { radius: 1.0 }).at([0.0, -1.0, 0.0]);
        for (torsion, grain) in [(0.0, [1.0, 0.2, 0.4]), (0.03, [-0.3, 0.1, 1.0])] {
            let mut scene = balls_on_obstacle();
            if torsion <= 0.0 {
                scene = block_on(ball.clone(), [0.0, 0.11, 0.0], friction);
            }
            scene.contacts[0].friction = Friction { torsion, viscosity: 0.5, ..friction };
            let [_, b] = scene.contacts[0].between;
            scene.skin(b).grain = Some(Grain::Straight(grain.into()));
            scene.skin(b).texture = Some(Arc::new(relief.clone()));
            check_all(&scene, 4);
        }
    }

    /// With every law, by position and by velocity.
    fn check_all(scene: &Scene, least: usize) {
        for law in laws() {
            for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                check(scene, law, slip, Integrator::BackwardEuler, least);
                check(scene, law, slip, Integrator::Sdirk2, least);
            }
        }
    }

    /// One block on top of another, both free, the upper one turned a little; or a cloth on it.
    fn two_bodies(cloth: bool) -> Scene {
        let mut scene = Scene::new();
        let below = Solid::cuboid([0.6, 0.2, 0.6], [5, 2, 5]).expect("valid");
        let below = scene.add(below.spin([0.1, 0.5, -0.2]));
        let above = if cloth {
            let sheet = Cloth::sheet([0.3, 0.3], [5, 5]).expect("valid");
            let sheet = sheet.turned([1.0, 0.0, 0.1], -1.6).at([0.02, 0.112, 0.01]);
            scene.add(sheet.velocity([0.2, -0.3, 0.1]))
        } else {
            let cube = Solid::cuboid([0.3, 0.2, 0.3], [3, 2, 3]).expect("valid");
            let cube = cube.turned([0.1, 1.0, 0.0], 0.4).at([0.02, 0.21, 0.01]);
            scene.add(cube.velocity([0.3, -0.5, 0.1]).spin([0.2, 1.0, -0.3]))
        };
        let rule = scene.contact(above, below);
        rule.friction = Friction { viscosity: 0.5, ..Friction::coulomb(0.5) };
        rule.thickness = Some(0.02);
        scene
    }

    #[test]
    fn jacobian_of_contact_between_bodies_is_complete() {
        for cloth in [false, true] {
            let scene = two_bodies(cloth);
            for law in laws() {
                for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                    check(&scene, law, slip, Integrator::BackwardEuler, 4);
                }
            }
        }
    }

    /// Friction by direction: on a plane, on a curved obstacle that turns, on and of bodies that have nodes.
    #[test]
    fn jacobian_of_friction_along_a_grain_is_complete() {
        let direction = Directional::Grain { along: 0.2, across: 0.6 };
        let friction = Friction { direction, ..Friction::coulomb(0.5) };
        let motion =
            Motion::Rotation { center: Vector3::zeros(), rate: Vector3::new(0.5, 2.0, 0.3) };
        let torus =
            Obstacle::new(Shape::Torus { ring_radius: 0.3, tube_radius: 0.15 }).motion(motion);
        let plane = Obstacle::plane([0.1, 1.0, 0.05], 0.0);
        let scenes = [
            block_on(plane, [0.0, 0.112, 0.0], friction),
            block_on(torus, [0.0, 0.24, 0.0], friction),
            rigid(1),
            two_bodies(false),
        ];
        for (k, mut scene) in scenes.into_iter().enumerate() {
            scene.contacts[0].friction =
                Friction { direction, viscosity: 0.5, ..Friction::coulomb(0.5) };
            let [a, b] = scene.contacts[0].between;
            scene.skin(b).grain = Some(Grain::Straight(Vector3::new(1.0, 0.2, 0.4)));
            if k > 0 {
                scene.skin(a).grain = Some(Grain::Straight(Vector3::new(0.9, 0.0, -0.3)));
            }
            for law in laws() {
                for slip in [SlipLevel::Auto, SlipLevel::Velocity] {
                    check(&scene, law, slip, Integrator::BackwardEuler, 4);
                }
            }
        }
    }
}
