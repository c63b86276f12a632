//! Nonsmooth Newton on the natural, Alart–Curnier or Fischer–Burmeister map of all contacts at once
//! (`spec/contact-solvers.md` §2.10).
//!
//! Few iterations to full accuracy, whatever the mass ratio or the height of the stack; each one assembles and solves a
//! linear system. Converges from near the solution only: steps are shortened until the merit falls, and when no
//! length helps, Gauss–Seidel sweeps take over for a while. The Fischer–Burmeister map is slow on redundant stacks; prefer the others. Redundant contacts make the systems singular: they are regularised, which costs
//! iterations and no accuracy; more where no step is any good, less again after full ones (Levenberg and Marquardt's way).

mod bodies;
mod dense;
mod system;

pub use system::LinearMethod;

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::operator::block_rows::{block_of, set_block};
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Linearised, Map, residual};
use crate::math::Matrix3;
use crate::solve::{Report, Status};
pub(super) use system::{DENSE, System};

/// What to linearise, and how to solve it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The function to bring to zero.
    pub map: Map,
    /// How to solve the linear systems.
    pub linear: LinearMethod,
    /// Of the contacts' own mobility, added in linear systems only [-].
    pub regularisation: f64,
    /// Gauss–Seidel sweeps before the first step, and at least as many whenever a step fails.
    pub sweeps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            map: Map::AlartCurnier,
            linear: LinearMethod::Auto,
            regularisation: 1e-8,
            sweeps: 10,
        }
    }
}

/// Merits that a new one is compared with: a step may be worse than the last, not than all of them.
const MEMORY: usize = 3;
/// Regularisation after the first step that is refused, at most; by how much it grows with further ones, and falls with those taken in full.
const MORE: f64 = 1e-3;
const MOST: f64 = 1.0;
const GROWTH: f64 = 30.0;
const DECAY: f64 = 0.1;
/// Steps without a residual a tenth smaller after which an attempt is given up.
const PATIENCE: usize = 30;
/// Shortest step, halved from one.
const HALVINGS: usize = 8;

/// Improves the impulses `r` in place; an iteration is a Newton step or a sweep.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let mut sweeper = Sweeper::new(problem, &gauss_seidel::Settings::default());
        match sweep(run, &mut sweeper, r, settings.sweeps) {
            ControlFlow::Break(status) => status,
            ControlFlow::Continue(()) => {
                let mut system = System::new(problem, settings.linear);
                iterate(run, r, &mut system, &mut sweeper, settings)
            }
        }
    })
}

/// Newton steps until the end.
pub(super) fn iterate<'a, A: Delassus>(
    run: &mut Run<'a, A>,
    r: &mut [f64],
    system: &mut System<'a, A>,
    sweeper: &mut Sweeper<'a, A>,
    settings: &Settings,
) -> Status {
    match steps(run, r, system, sweeper, settings) {
        ControlFlow::Break(status) => status,
        ControlFlow::Continue(never) => match never {},
    }
}

fn steps<'a, A: Delassus>(
    run: &mut Run<'a, A>,
    r: &mut [f64],
    system: &mut System<'a, A>,
    sweeper: &mut Sweeper<'a, A>,
    settings: &Settings,
) -> ControlFlow<Status, Infallible> {
    let problem = run.problem;
    let mut sweeps = settings.sweeps;
    run.evaluate(r);
    let mut newton = Newton::new(problem.contacts(), settings);
    newton.forget(problem, r, &run.u);
    loop {
        if newton.step(system, run, r) {
            let residual = residual::natural(problem, r, &run.u);
            run.iteration(r, residual)?;
        } else {
            sweeps = (2 * sweeps).max(2);
            sweep(run, sweeper, r, sweeps)?;
            newton.forget(problem, r, &run.u);
        }
    }
}

/// Newton steps while they lead somewhere: until all are refused, thirty have not made the residual a tenth smaller, or `most`
/// systems were factorised.
pub(super) fn attempt<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    settings: &Settings,
    most: usize,
) -> ControlFlow<Status> {
    let last = system.factorisations().saturating_add(most);
    let (mut best, mut since) = (run.evaluate(r), 0);
    let mut newton = Newton::new(run.problem.contacts(), settings);
    newton.forget(run.problem, r, &run.u);
    while since < PATIENCE && system.factorisations() < last && newton.step(system, run, r) {
        let residual = residual::natural(run.problem, r, &run.u);
        run.iteration(r, residual)?;
        since += 1;
        if residual < 0.9 * best {
            (best, since) = (residual, 0);
        }
    }
    ControlFlow::Continue(())
}

/// Sweeps, and leaves velocities and memory true.
pub(super) fn sweep<A: Delassus>(
    run: &mut Run<'_, A>,
    sweeper: &mut Sweeper<'_, A>,
    r: &mut [f64],
    count: usize,
) -> ControlFlow<Status> {
    run.evaluate(r);
    for _ in 0..count {
        let residual = sweeper.sweep(r, &mut run.memory);
        run.proposed(r, residual)?;
    }
    run.evaluate(r);
    ControlFlow::Continue(())
}

struct Newton {
    settings: Settings,
    rows: Vec<Linearised>,
    step: Vec<f64>,
    start: Vec<f64>,
    merits: [f64; MEMORY],
    /// What is added in linear systems now.
    regularisation: f64,
}

impl Newton {
    fn new(contacts: usize, settings: &Settings) -> Self {
        Self {
            settings: *settings,
            rows: Vec::with_capacity(contacts),
            step: vec![0.0; 3 * contacts],
            start: vec![0.0; 3 * contacts],
            merits: [0.0; MEMORY],
            regularisation: settings.regularisation,
        }
    }

    /// Only the merit of `r` is to be beaten.
    fn forget<A: Delassus>(&mut self, problem: &ContactProblem<A>, r: &[f64], u: &[f64]) {
        self.regularisation = self.settings.regularisation;
        self.merits = [residual::merit(problem, self.settings.map, r, u); MEMORY];
    }

    /// A step from `r` with its velocities in the run; false, and `r` as it was, when none is good, however short and however regular.
    fn step<A: Delassus>(
        &mut self,
        system: &mut System<'_, A>,
        run: &mut Run<'_, A>,
        r: &mut [f64],
    ) -> bool {
        loop {
            if let Some(length) = self.try_step(system, run, r) {
                if length >= 1.0 {
                    let less = DECAY * self.regularisation;
                    self.regularisation = less.max(self.settings.regularisation);
                }
                return true;
            }
            if self.regularisation >= MOST {
                return false;
            }
            self.regularisation = (GROWTH * self.regularisation).clamp(MORE, MOST);
        }
    }

    /// The length of a step that was taken.
    fn try_step<A: Delassus>(
        &mut self,
        system: &mut System<'_, A>,
        run: &mut Run<'_, A>,
        r: &mut [f64],
    ) -> Option<f64> {
        let problem = run.problem;
        let map = self.settings.map;
        self.rows.clear();
        for i in 0..problem.contacts() {
            let mut row = map.linearise(&problem.law(i), block_of(r, i), block_of(&run.u, i));
            if problem.is_immobile(i) {
                row.value = block_of(r, i) / problem.mass(i);
                row.by_impulse = Matrix3::identity() / problem.mass(i);
                row.by_velocity = Matrix3::zeros();
            }
            let extra = self.regularisation / problem.mass(i);
            row.by_impulse += Matrix3::identity() * extra;
            set_block(&mut self.step, i, -row.value);
            self.rows.push(row);
        }
        let merit = self.merits[0];
        // Inexact far from the solution, quadratic near it.
        let tolerance = (0.1 * merit.sqrt()).clamp(1e-8, 1e-2);
        if !system.solve(&self.rows, &mut self.step, tolerance) {
            return None;
        }
        let reference = self.merits.iter().copied().fold(0.0, f64::max);
        self.start.copy_from_slice(r);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            for ((r, start), step) in r.iter_mut().zip(&self.start).zip(&self.step) {
                *r = start + length * step;
            }
            problem.velocities(r, &mut run.u, &mut run.memory);
            let new = residual::merit(problem, map, r, &run.u);
            if new <= (1.0 - 1e-4 * length) * reference {
                self.merits.rotate_right(1);
                self.merits[0] = new;
                return Some(length);
            }
            length *= 0.5;
        }
        r.copy_from_slice(&self.start);
        problem.velocities(r, &mut run.u, &mut run.memory);
        None
    }
}
