//! Semismooth Newton on all contacts at once [AC91].
//!
//! Ends in a few steps where sweeps take thousands. Systems are solved over velocities of bodies where the operator knows them
//! (`bodies.rs`); otherwise the matrix is dense and costs the cube of the number of unknowns. Steps are halved until the merit, the sum of squares of
//! the map, is less than the largest of the last three.
//!
//! Heaps have more unknowns than ways to move: systems are singular. So a part of the contacts' own mobility is added to `∂F/∂r` in them, and in them
//! alone, which costs steps and no accuracy: a tenth at first, a hundred times as much when no length of a step helps (Levenberg and Marquardt's way), a tenth of it after a full
//! step, so that the end is quadratic. Without that, in a heap of 64 balls as they come to rest, none of fourteen steps in a row converged to 1e-6 m/s within 600
//! iterations; starting from 1e-8 four, from a tenth eleven. Where nothing helps, sweeps go on from there.

use nalgebra::{DMatrix, DVector};
use std::ops::ControlFlow;

use super::super::cone::operator::Delassus;
use super::super::run::Run;
use super::LimitProblem;
use super::bodies::Bodies;
use super::local::Linear;
use super::problem::{Block, Six};
use super::sweep;
use crate::solve::Status;

/// Sweeps after a step that did not help, at first.
const SWEEPS: usize = 10;
/// Halvings of a step.
const HALVINGS: usize = 8;
/// Merits that a new one is compared with.
const MEMORY: usize = 3;
/// Of the contacts' own mobility, added in linear systems only: at first, at least and at most.
const FIRST: f64 = 0.1;
const LEAST: f64 = 1e-8;
const MOST: f64 = 1.0;
/// By how much that grows with a step that is refused, and falls with one that is taken in full.
const GROWTH: f64 = 100.0;
const DECAY: f64 = 0.1;
/// Steps without a residual a tenth smaller after which it is given up.
const PATIENCE: usize = 30;

/// Newton steps until the run ends, with more and more sweeps wherever they get stuck.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    let mut system = System::new(run.problem);
    let mut sweeps = SWEEPS;
    loop {
        if let ControlFlow::Break(status) = attempt(run, r, &mut system) {
            return status;
        }
        run.evaluate(r);
        if let Some(status) = sweep::gauss_seidel(run, r, sweeps) {
            return status;
        }
        sweeps *= 2;
    }
}

/// Newton steps while they lead somewhere: until all are refused, or thirty have not made the residual a tenth smaller.
pub(super) fn attempt<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
    system: &mut System,
) -> ControlFlow<Status> {
    let problem = run.problem;
    let (mut best, mut since) = (run.evaluate(r), 0);
    let mut merits = [merit(problem, r, &run.u); MEMORY];
    let (mut rows, mut step) = (Vec::new(), Vec::new());
    let mut trial = r.to_vec();
    let mut regularisation = FIRST;
    while since < PATIENCE {
        problem.velocities(r, &mut run.u, &mut run.memory);
        linearise(problem, r, &run.u, regularisation, &mut rows);
        step.clear();
        step.extend(rows.iter().map(|row| -row.value));
        let solved = system.solve(problem, &rows, &mut step);
        let bar = merits.iter().copied().fold(0.0, f64::max);
        let mut length = 1.0;
        let halvings = if solved { HALVINGS } else { 0 };
        let found = (0..halvings).find_map(|_| {
            for (k, contact) in problem.parts().iter().enumerate() {
                for (j, i) in problem.range(k).enumerate() {
                    trial[i] = r[i] + length * step[k][j] * contact.scale[j];
                }
            }
            let residual = run.evaluate(&trial);
            let new = merit(problem, &trial, &run.u);
            let taken = length;
            length *= 0.5;
            (new <= (1.0 - 1e-4 * taken) * bar).then_some((new, residual, taken))
        });
        let Some((new, residual, taken)) = found else {
            regularisation *= GROWTH;
            if regularisation > MOST {
                break;
            }
            continue;
        };
        if taken >= 1.0 {
            regularisation = (DECAY * regularisation).max(LEAST);
        }
        r.copy_from_slice(&trial);
        merits.rotate_right(1);
        merits[0] = new;
        run.iteration(r, residual)?;
        since += 1;
        if residual < 0.9 * best {
            (best, since) = (residual, 0);
        }
    }
    ControlFlow::Continue(())
}

fn merit<A: Delassus>(problem: &LimitProblem<A>, r: &[f64], u: &[f64]) -> f64 {
    let free = problem.parts().iter().filter(|contact| !contact.immobile);
    free.map(|c| c.alart_curnier(&c.impulses(r), &c.velocities(u)).norm_squared()).sum()
}

fn linearise<A: Delassus>(
    problem: &LimitProblem<A>,
    r: &[f64],
    u: &[f64],
    regularisation: f64,
    rows: &mut Vec<Linear>,
) {
    rows.clear();
    rows.extend(problem.parts().iter().map(|contact| {
        let z = contact.impulses(r);
        let mut row = match contact.immobile {
            true => Linear {
                value: z / contact.mass,
                by_impulse: Block::identity() / contact.mass,
                by_velocity: Block::zeros(),
            },
            false => contact.linearise(&z, &contact.velocities(u)),
        };
        row.by_impulse += Block::identity() * (regularisation / contact.mass);
        row
    }));
}

/// Linear systems, in the way that suits the operator.
pub(super) enum System {
    Bodies(Box<Bodies>),
    /// `D A D`, with compliance.
    Dense(DMatrix<f64>),
}

impl System {
    pub(super) fn new<A: Delassus>(problem: &LimitProblem<A>) -> Self {
        match problem.operator().bodies() {
            Some(bodies) => Self::Bodies(Box::new(Bodies::new(problem, bodies))),
            None => Self::Dense(scaled_operator(problem)),
        }
    }

    /// What a step costs, in multiplications at the pace of a sweep.
    pub(super) fn cost(&self) -> f64 {
        match self {
            Self::Bodies(bodies) => bodies.cost(),
            Self::Dense(a) => 2.0 * (a.nrows() as f64).powi(3),
        }
    }

    fn solve<A: Delassus>(
        &mut self,
        problem: &LimitProblem<A>,
        rows: &[Linear],
        step: &mut [Six],
    ) -> bool {
        match self {
            Self::Bodies(bodies) => bodies.solve(rows, step),
            Self::Dense(a) => dense(problem, rows, a, step).is_some(),
        }
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

fn dense<A: Delassus>(
    problem: &LimitProblem<A>,
    rows: &[Linear],
    a: &DMatrix<f64>,
    step: &mut [Six],
) -> Option<()> {
    let size = problem.unknowns();
    let mut matrix = DMatrix::zeros(size, size);
    let mut right = DVector::zeros(size);
    for (k, row) in rows.iter().enumerate() {
        let range = problem.range(k);
        let (start, count) = (range.start, range.len());
        let by_velocity = row.by_velocity.view((0, 0), (count, count)).into_owned();
        matrix.rows_mut(start, count).copy_from(&(by_velocity * a.rows(start, count)));
        for i in 0..count {
            right[start + i] = step[k][i];
            for j in 0..count {
                matrix[(start + i, start + j)] += row.by_impulse[(i, j)];
            }
        }
    }
    let solved = matrix.lu().solve(&right)?;
    for (k, step) in step.iter_mut().enumerate() {
        for (j, i) in problem.range(k).enumerate() {
            step[j] = solved[i];
        }
    }
    solved.iter().all(|x| x.is_finite()).then_some(())
}
