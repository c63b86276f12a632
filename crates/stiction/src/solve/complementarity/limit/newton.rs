//! Semismooth Newton on all contacts at once [AC91].
//!
//! Ends in a few steps where sweeps take thousands. Systems are solved over velocities of bodies where the operator
//! knows them (`bodies.rs`); otherwise the matrix is dense and costs the cube of the number of unknowns.
//! [`newton`](super::super::newton) says how long steps are, and how systems are regularised: heaps have more
//! unknowns than ways to move, so they are singular.
//!
//! That begins with a tenth of the contacts' own mobility instead of next to nothing as in
//! [`cone`](super::super::cone::newton): in a heap of 64 balls as they come to rest, of fourteen steps in a row
//! eleven converged to 1e-6 m/s within 600 iterations of sweeps and Newton steps; starting from 1e-8, four. Where
//! nothing helps, sweeps go on from there.

use std::ops::ControlFlow;

use nalgebra::{DMatrix, DVector, Dyn, LU};

use super::super::cone::operator::Delassus;
use super::super::newton::bodies::Bodies;
use super::super::newton::regularisation::Regularisation;
use super::super::newton::{Linearised, steps};
use super::super::run::Run;
use super::problem::Block;
use super::{LimitProblem, bodies, sweep};
use crate::solve::Status;

/// Sweeps after a step that did not help, at first.
const SWEEPS: usize = 10;
/// Of the contacts' own mobility, added in linear systems only.
const REGULARISATION: Regularisation = Regularisation { first: 0.1, least: 1e-8 };

/// Newton steps until the run ends, with more and more sweeps wherever they get stuck.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    let mut system = System::new(run.problem);
    let mut sweeps = SWEEPS;
    loop {
        if let ControlFlow::Break(status) = attempt(run, r, &mut system, usize::MAX) {
            return status;
        }
        run.evaluate(r);
        if let Some(status) = sweep::gauss_seidel(run, r, sweeps) {
            return status;
        }
        sweeps *= 2;
    }
}

/// Newton steps while they lead somewhere, or until `most` systems were factorised.
pub(super) fn attempt<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    system: &mut System,
    most: usize,
) -> ControlFlow<Status> {
    let problem = run.problem;
    let contacts = problem.contacts();
    let (rows, scaled) = (Vec::with_capacity(contacts), vec![0.0; 6 * contacts]);
    let mut equations = Equations { problem, system, rows, scaled };
    steps::attempt(run, r, &mut equations, REGULARISATION, most)
}

/// The map of all contacts, and systems to solve for its zero.
struct Equations<'s, A> {
    problem: &'s LimitProblem<A>,
    system: &'s mut System,
    rows: Vec<Linearised<6>>,
    /// A step in the scaled coordinates of contacts, six numbers each.
    scaled: Vec<f64>,
}

impl<A: Delassus> steps::Equations for Equations<'_, A> {
    fn merit(&self, r: &[f64], u: &[f64]) -> f64 {
        let free = self.problem.parts().iter().filter(|contact| !contact.immobile);
        free.map(|c| c.alart_curnier(&c.impulses(r), &c.velocities(u)).norm_squared()).sum()
    }

    fn step(
        &mut self,
        r: &[f64],
        u: &[f64],
        _: f64,
        regularisation: f64,
        step: &mut [f64],
    ) -> bool {
        self.rows.clear();
        for (contact, scaled) in self.problem.parts().iter().zip(self.scaled.chunks_exact_mut(6)) {
            let z = contact.impulses(r);
            let mut row = match contact.immobile {
                true => Linearised::immobile(&z, contact.mass),
                false => contact.linearise(&z, &contact.velocities(u)),
            };
            row.by_impulse += Block::identity() * (regularisation / contact.mass);
            scaled.copy_from_slice((-row.value).as_slice());
            self.rows.push(row);
        }
        self.system.factorise(self.problem, &self.rows);
        let solved = self.system.substitute(self.problem, &self.rows, &mut self.scaled);
        for (k, contact) in self.problem.parts().iter().enumerate() {
            let own = self.scaled[6 * k..].iter().zip(&contact.scale);
            for (step, (scaled, scale)) in step[self.problem.range(k)].iter_mut().zip(own) {
                *step = scaled * scale;
            }
        }
        solved
    }

    fn factorisations(&self) -> usize {
        self.system.factorisations
    }
}

/// Linear systems, and how many there were.
pub(super) struct System {
    form: Form,
    factorisations: usize,
}

enum Form {
    Bodies(Box<Bodies<6>>),
    Dense(Box<Dense>),
}

/// Where the operator knows no bodies.
struct Dense {
    /// `D A D`, with compliance.
    operator: DMatrix<f64>,
    factor: Option<LU<f64, Dyn, Dyn>>,
}

impl System {
    pub(super) fn new<A: Delassus>(problem: &LimitProblem<A>) -> Self {
        let form = match problem.operator().bodies() {
            Some(bodies) => Form::Bodies(Box::new(bodies::new(problem, bodies))),
            None => {
                Form::Dense(Box::new(Dense { operator: scaled_operator(problem), factor: None }))
            }
        };
        Self { form, factorisations: 0 }
    }

    /// How often something was factorised.
    pub(super) fn factorisations(&self) -> usize {
        self.factorisations
    }

    /// What a step costs, in multiplications at the pace of a sweep: those of the factorisation, which goes faster,
    /// and what is read and written.
    pub(super) fn cost(&self) -> f64 {
        match &self.form {
            Form::Bodies(bodies) => {
                let (products, numbers) = (bodies.products() as f64, bodies.factor_len() as f64);
                1000.0 * bodies.contacts() as f64
                    + 120.0 * products
                    + 20.0 * numbers
                    + bodies.multiplications() / 3.0
            }
            Form::Dense(dense) => 2.0 * (dense.operator.nrows() as f64).powi(3),
        }
    }

    /// Makes ready for the matrix of `rows`.
    pub(super) fn factorise<A: Delassus>(
        &mut self,
        problem: &LimitProblem<A>,
        rows: &[Linearised<6>],
    ) {
        self.factorisations += 1;
        match &mut self.form {
            Form::Bodies(bodies) => bodies.factorise(rows),
            Form::Dense(dense) => dense.factorise(problem, rows),
        }
    }

    /// Solves for the step, six numbers a contact, which comes in as the right side; false when that failed.
    pub(super) fn substitute<A: Delassus>(
        &mut self,
        problem: &LimitProblem<A>,
        rows: &[Linearised<6>],
        step: &mut [f64],
    ) -> bool {
        match &mut self.form {
            Form::Bodies(bodies) => bodies.substitute(rows, step),
            Form::Dense(dense) => dense.substitute(problem, step).is_some(),
        }
    }
}

impl Dense {
    fn factorise<A: Delassus>(&mut self, problem: &LimitProblem<A>, rows: &[Linearised<6>]) {
        let size = problem.unknowns();
        let mut matrix = DMatrix::zeros(size, size);
        for (k, row) in rows.iter().enumerate() {
            let range = problem.range(k);
            let (start, count) = (range.start, range.len());
            let by_velocity = row.by_velocity.view((0, 0), (count, count)).into_owned();
            let product = by_velocity * self.operator.rows(start, count);
            matrix.rows_mut(start, count).copy_from(&product);
            for i in 0..count {
                for j in 0..count {
                    matrix[(start + i, start + j)] += row.by_impulse[(i, j)];
                }
            }
        }
        self.factor = Some(matrix.lu());
    }

    fn substitute<A: Delassus>(&self, problem: &LimitProblem<A>, step: &mut [f64]) -> Option<()> {
        let mut right = DVector::zeros(problem.unknowns());
        for (k, step) in step.chunks_exact(6).enumerate() {
            problem.range(k).zip(step).for_each(|(i, step)| right[i] = *step);
        }
        let solved = self.factor.as_ref()?.solve(&right)?;
        for (k, step) in step.chunks_exact_mut(6).enumerate() {
            problem.range(k).zip(step).for_each(|(i, step)| *step = solved[i]);
        }
        solved.iter().all(|x| x.is_finite()).then_some(())
    }
}

fn scaled_operator<A: Delassus>(problem: &LimitProblem<A>) -> DMatrix<f64> {
    let own = |c: &super::problem::Contact| c.scale.as_slice()[..c.size].to_vec();
    let scale: Vec<f64> = problem.parts().iter().flat_map(own).collect();
    let size = problem.unknowns();
    let blocks = problem.operator().assemble();
    let mut a = DMatrix::from_fn(size, size, |i, j| {
        blocks.block(i / 3, j / 3)[(i % 3, j % 3)] * scale[i] * scale[j]
    });
    for contact in problem.parts() {
        a[(3 * contact.row, 3 * contact.row)] += contact.compliance;
    }
    a
}
