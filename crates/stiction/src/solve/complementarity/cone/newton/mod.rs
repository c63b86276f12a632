//! Nonsmooth Newton on the natural, Alart–Curnier or Fischer–Burmeister map of all contacts at once
//! (`docs/theory/contact-solvers.md`, "Nonsmooth Newton").
//!
//! Few iterations to full accuracy, whatever the mass ratio or the height of the stack; each one assembles and solves
//! a linear system. Converges from near the solution only: steps are shortened until the merit falls, and when no
//! length helps, Gauss–Seidel sweeps take over for a while. The Fischer–Burmeister map is slow on redundant stacks;
//! prefer the others. Redundant contacts make the systems singular: they are regularised, which costs iterations and
//! no accuracy; more where no step is any good, less again after full ones (Levenberg and Marquardt's way).

mod bodies;
mod dense;
mod system;

pub use system::LinearMethod;

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::super::newton::regularisation::Regularisation;
use super::super::newton::steps::{self, Newton};
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
    /// Of the contacts' own mobility, added in linear systems only, at least [-].
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

impl Settings {
    fn regularised(&self) -> Regularisation {
        Regularisation { first: self.regularisation, least: self.regularisation }
    }
}

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
    match endlessly(run, r, system, sweeper, settings) {
        ControlFlow::Break(status) => status,
        ControlFlow::Continue(never) => match never {},
    }
}

fn endlessly<'a, A: Delassus>(
    run: &mut Run<'a, A>,
    r: &mut [f64],
    system: &mut System<'a, A>,
    sweeper: &mut Sweeper<'a, A>,
    settings: &Settings,
) -> ControlFlow<Status, Infallible> {
    let mut sweeps = settings.sweeps;
    run.evaluate(r);
    let mut equations = Equations::new(run.problem, system, settings.map);
    let mut newton = Newton::new(r.len(), settings.regularised());
    newton.forget(&equations, r, &run.u);
    loop {
        if newton.step(&mut equations, run, r) {
            let residual = residual::natural(run.problem, r, &run.u);
            run.iteration(r, residual)?;
        } else {
            sweeps = (2 * sweeps).max(2);
            sweep(run, sweeper, r, sweeps)?;
            newton.forget(&equations, r, &run.u);
        }
    }
}

/// Newton steps while they lead somewhere, or until `most` systems were factorised.
pub(super) fn attempt<A: Delassus>(
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, A>,
    settings: &Settings,
    most: usize,
) -> ControlFlow<Status> {
    let mut equations = Equations::new(run.problem, system, settings.map);
    steps::attempt(run, r, &mut equations, settings.regularised(), most)
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

/// A map of all contacts, and systems to solve for its zero.
struct Equations<'s, 'a, A> {
    problem: &'s ContactProblem<A>,
    system: &'s mut System<'a, A>,
    map: Map,
    rows: Vec<Linearised>,
}

impl<'s, 'a, A: Delassus> Equations<'s, 'a, A> {
    fn new(problem: &'s ContactProblem<A>, system: &'s mut System<'a, A>, map: Map) -> Self {
        Self { problem, system, map, rows: Vec::with_capacity(problem.contacts()) }
    }
}

impl<A: Delassus> steps::Equations for Equations<'_, '_, A> {
    fn merit(&self, r: &[f64], u: &[f64]) -> f64 {
        residual::merit(self.problem, self.map, r, u)
    }

    fn step(
        &mut self,
        r: &[f64],
        u: &[f64],
        merit: f64,
        regularisation: f64,
        step: &mut [f64],
    ) -> bool {
        self.rows.clear();
        for i in 0..self.problem.contacts() {
            let (r, mass) = (block_of(r, i), self.problem.mass(i));
            let mut row = match self.problem.is_immobile(i) {
                true => Linearised::immobile(&r, mass),
                false => self.map.linearise(&self.problem.law(i), r, block_of(u, i)),
            };
            row.by_impulse += Matrix3::identity() * (regularisation / mass);
            set_block(step, i, -row.value);
            self.rows.push(row);
        }
        // Inexact far from the solution, quadratic near it.
        let tolerance = (0.1 * merit.sqrt()).clamp(1e-8, 1e-2);
        self.system.solve(&self.rows, step, tolerance)
    }

    fn factorisations(&self) -> usize {
        self.system.factorisations()
    }
}
