//! The equation of a stage, for whichever solver is to find its root.
//!
//! $$ r(v) = M (v - \hat v) - \gamma\, f(\hat q + \beta v, v) - e, \qquad
//!    J = M + \gamma\beta K + \gamma (\alpha M + D) $$
//!
//! Where forces have an energy, `r` is the gradient of the incremental potential
//!
//! $$ \Phi(v) = \tfrac12 \|v - \hat v\|_M^2 + \tfrac{\gamma}{\beta} W(\hat q + \beta v)
//!    - (\gamma f_{ext} + e) \cdot v + \tfrac{\gamma}{2} v \cdot (\alpha M + D) v $$

use super::linear::{Outcome, Updated};
use super::matrix_free::Jacobian;
use super::watch::Phase;
use super::{Method, Scratch, Stabilisation, System, Weights};
use crate::element::Projection;
use crate::math::Vector3;
use crate::solve::inexact_newton::{self, InexactRootProblem, InnerSolve};
use crate::solve::low_rank::LowRankOperator;
use crate::solve::minimise::{self, Hessian, NoDirection, Objective};
use crate::solve::newton::{self, Evaluation, LastStep, Residual, RootProblem, StopReason};
use crate::solve::{LinearOperator, Status};
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
    system.set_time(stage.time);
    for ((q, q_hat), v) in q.iter_mut().zip(&stage.q_hat).zip(&*v) {
        *q = q_hat + stage.beta * v;
    }
    system.prescribe(stage.time, q, v);
    system.freeze_damping(q);
    let limits =
        Limits { max_iterations: system.settings.max_iterations, max_change: f64::INFINITY };
    find_root(system, stage, Kind::Dynamic, &limits, q, v)
}

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
    unknowns.resize(system.unknown_count(), 0.0);
    scratch.rows.resize(q.len(), 0.0);
    scratch.points.clear();
    scratch.points.extend(system.rows.free_nodes().iter().map(|&node| system.start[node as usize]));
    system.rows.gather(if kind == Kind::Dynamic { v } else { q }, &mut unknowns);
    system.linear.forget();
    let (method, conservative) = (system.settings.method, system.assembly.is_conservative());
    let (last_change, magnitude) = (f64::INFINITY, 0.0);
    let mut problem = Problem { system, stage, kind, q, v, scratch, last_change, magnitude };
    let report = match method {
        Method::Minimise | Method::Auto if conservative => problem.minimise(&mut unknowns, limits),
        Method::InexactNewton | Method::MatrixFree => problem.inexact_newton(&mut unknowns, limits),
        _ => problem.newton(&mut unknowns, limits),
    };
    problem.place(&unknowns);
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
    }

    /// Whether inertia and damping take part.
    fn inertia(&self) -> f64 {
        if self.kind == Kind::Dynamic { 1.0 } else { 0.0 }
    }

    /// `r` over all rows, at the present point.
    fn balance(&mut self) {
        let inertia = self.inertia();
        self.system.unbalanced(self.q, self.v, &mut self.scratch.work, &mut self.scratch.rows);
        let (stage, system) = (self.stage, &*self.system);
        for (r, &node) in self.scratch.rows.chunks_exact_mut(3).zip(system.rows.nodes()) {
            let mass = inertia * system.masses[node as usize];
            for a in 0..3 {
                let at = 3 * node as usize + a;
                r[a] =
                    mass * (self.v[at] - stage.v_hat[at]) + stage.gamma * r[a] - stage.impulse[at];
            }
        }
    }

    /// `r` over free rows, zero where prescribed.
    fn residual_at(&mut self, unknowns: &[f64], r: &mut [f64]) {
        self.place(unknowns);
        self.balance();
        r.copy_from_slice(&self.scratch.rows[..r.len()]);
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
            Vector3::new(r[0], r[1], r[2]).norm()
                / (self.system.masses[node as usize] * self.stage.gamma)
        });
        each.fold(0.0, |most, a| if a > most || a.is_nan() { a } else { most })
    }

    fn stopped(&self, step: Option<LastStep<'_>>) -> Option<StopReason> {
        let step = step?;
        let change = step.change.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
        let still = step.length >= 1.0 && self.stage.beta * change <= STILL * self.system.size;
        still.then_some(StopReason::Step)
    }

    fn weights(&self) -> Weights {
        let Stage { beta, gamma, .. } = *self.stage;
        let mass = self.inertia();
        Weights { mass, stiffness: gamma * beta, damping: gamma * mass }
    }

    fn fill_jacobian(&mut self, projection: Projection, shift: f64) {
        let weights = self.weights();
        self.system.fill_jacobian(self.q, projection, weights, shift);
    }

    fn note_direction(&mut self, p: &[f64]) {
        let most = p.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
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
        }
    }

    fn newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let (tolerance, max_iterations) = (self.system.settings.tolerance, limits.max_iterations);
        let settings = newton::Settings { tolerance, max_iterations, ..Default::default() };
        let mut workspace = std::mem::take(&mut self.scratch.newton);
        let report = newton::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.newton = workspace;
        self.report(report)
    }

    fn inexact_newton(&mut self, unknowns: &mut [f64], limits: &Limits) -> StageReport {
        let (tolerance, max_iterations) = (self.system.settings.tolerance, limits.max_iterations);
        let settings = inexact_newton::Settings { tolerance, max_iterations, ..Default::default() };
        let mut workspace = std::mem::take(&mut self.scratch.newton);
        let report = inexact_newton::solve(self, unknowns, &settings, &mut workspace);
        self.scratch.newton = workspace;
        self.report(report.newton)
    }

    fn report(&self, report: newton::NewtonReport) -> StageReport {
        StageReport {
            status: self.judge(report.report.status),
            reason: report.reason,
            iterations: report.report.iterations,
            residuals: report.report.residuals,
            projected: 0,
        }
    }

    /// What prescribed coordinates need here. Not from the balance of the stage: its explicit parts hold forces, but
    /// not the reactions of the time they are from.
    fn find_reactions(&mut self) {
        let (inertia, Scratch { work, rows, .. }) = (self.inertia(), &mut self.scratch);
        self.system.react(self.stage.time, self.q, self.v, inertia, work, rows);
    }
}

impl Residual for Problem<'_> {
    fn dimension(&self) -> usize {
        self.system.unknown_count()
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

    fn converged(&self, _x: &[f64], _r: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(step)
    }
}

impl RootProblem for Problem<'_> {
    fn direction(&mut self, _x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        self.fill_jacobian(Projection::Exact, 0.0);
        let System { assembly, zones, linear, jacobian, watch, .. } = &mut *self.system;
        let (points, symmetric) = (&self.scratch.points, assembly.is_conservative());
        let sum = Updated { matrix: jacobian, update: zones.update() };
        linear.regular(sum, points, symmetric, r, p, watch)?;
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
        /// Beyond this, a direct solve is as cheap.
        const TIGHTEST: f64 = 1e-9;
        let matrix_free = self.system.settings.method == Method::MatrixFree;
        let diagonal = if matrix_free {
            Some(Jacobian::new(self.system, self.q, self.weights()).diagonal())
        } else {
            self.fill_jacobian(Projection::Exact, 0.0);
            None
        };
        let size = self.acceleration(r);
        let (mut asked, mut iterations) = (tolerance, 0);
        // Krylov methods bound the Euclidean norm, but steps are judged by accelerations: what is left on one light
        // node can outweigh all that was taken from heavy ones. Go on until the promise holds there too.
        while asked > TIGHTEST {
            let mut left = vec![0.0; r.len()];
            let mut linear = std::mem::take(&mut self.system.linear);
            let mut watch = std::mem::take(&mut self.system.watch);
            let solved = if let Some(diagonal) = &diagonal {
                let jacobian = Jacobian::new(self.system, self.q, self.weights());
                let solved = linear.matrix_free(&jacobian, diagonal, asked, r, p, &mut watch);
                jacobian.apply(p, &mut left);
                solved
            } else {
                let (jacobian, update) = (&self.system.jacobian, self.system.zones.update());
                let sum = Updated { matrix: jacobian, update };
                let solved = linear.iterative(sum, asked, r, p, &mut watch);
                LowRankOperator::new(jacobian, update).apply(p, &mut left);
                solved
            };
            (self.system.linear, self.system.watch) = (linear, watch);
            let (count, reached) = solved?;
            iterations += count;
            if reached > asked {
                break;
            }
            left.iter_mut().zip(r).for_each(|(left, r)| *left += r);
            let relative_residual = self.acceleration(&left) / size;
            if relative_residual <= tolerance {
                self.note_direction(p);
                return Ok(InnerSolve { iterations, relative_residual });
            }
            asked *= 0.1;
        }
        RootProblem::direction(self, x, r, p)?;
        Ok(InnerSolve { iterations, relative_residual: 0.0 })
    }
}

impl Objective for Problem<'_> {
    fn dimension(&self) -> usize {
        self.system.unknown_count()
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.place(x);
        let Stage { beta, gamma, .. } = *self.stage;
        let weight = self.inertia();
        let unknown = if self.kind == Kind::Dynamic { &*self.v } else { &*self.q };
        let System {
            assembly, zones, rows, damping, external, masses, mass_damping, watch, ..
        } = &mut *self.system;
        let (zone_energy, zone_magnitude) = zones.energy_and_magnitude(self.q);
        let energy = watch.time(Phase::Forces, || assembly.energy(self.q)) + zone_energy;
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
        let stabilisation = self.system.settings.stabilisation;
        let (projection, shift) = match (hessian, stabilisation) {
            (Hessian::Exact, _) => (Projection::Exact, 0.0),
            (Hessian::Projected { shift }, Stabilisation::Projection) => {
                (Projection::Positive, shift)
            }
            (Hessian::Projected { shift }, Stabilisation::Inertia) => (Projection::Exact, shift),
        };
        self.fill_jacobian(projection, shift);
        let System { linear, jacobian, zones, masses, rows, watch, .. } = &mut *self.system;
        let sum = Updated { matrix: jacobian, update: zones.update() };
        let outcome = match (hessian, stabilisation) {
            (Hessian::Projected { .. }, Stabilisation::Inertia) => {
                let nodes = rows.free_nodes();
                let weights: Vec<f64> =
                    nodes.iter().flat_map(|&node| [masses[node as usize]; 3]).collect();
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

    fn converged(&self, _x: &[f64], _g: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        self.stopped(step)
    }
}
