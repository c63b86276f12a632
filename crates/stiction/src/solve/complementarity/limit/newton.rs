//! Semismooth Newton on all contacts at once, with a dense matrix [AC91].
//!
//! Ends in a few steps where sweeps take thousands, but costs the cube of the number of unknowns. Steps are shortened until the residual
//! falls; where none helps, sweeps go on from there.

use nalgebra::{DMatrix, DVector};
use std::ops::ControlFlow;

use super::super::cone::operator::Delassus;
use super::super::run::Run;
use super::LimitProblem;
use super::sweep;
use crate::solve::Status;

/// Sweeps after a step that did not help.
const SWEEPS: usize = 10;
/// Halvings of a step.
const HALVINGS: usize = 8;

/// Newton steps until the run ends.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    let problem = run.problem;
    let scale = scales(problem);
    let a = scaled_operator(problem, &scale);
    let mut trial = r.to_vec();
    loop {
        let before = run.evaluate(r);
        let mut better = false;
        if let Some(step) = step(problem, r, &run.u, &a) {
            let mut length = 1.0;
            for _ in 0..HALVINGS {
                for (k, trial) in trial.iter_mut().enumerate() {
                    *trial = r[k] + length * step[k] * scale[k];
                }
                let after = run.evaluate(&trial);
                if after < before * (1.0 - 0.1 * length) {
                    r.copy_from_slice(&trial);
                    if let ControlFlow::Break(status) = run.iteration(r, after) {
                        return status;
                    }
                    better = true;
                    break;
                }
                length *= 0.5;
            }
        }
        if !better {
            run.evaluate(r);
            if let Some(status) = sweep::gauss_seidel(run, r, SWEEPS) {
                return status;
            }
        }
    }
}

/// `D` of every unknown; zero where friction has no reach.
fn scales<A: Delassus>(problem: &LimitProblem<A>) -> Vec<f64> {
    let own = |c: &super::problem::Contact| c.scale.as_slice()[..c.size].to_vec();
    problem.parts().iter().flat_map(own).collect()
}

/// `D A D`.
fn scaled_operator<A: Delassus>(problem: &LimitProblem<A>, scale: &[f64]) -> DMatrix<f64> {
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

/// The Newton step in scaled unknowns.
fn step<A: Delassus>(
    problem: &LimitProblem<A>,
    r: &[f64],
    u: &[f64],
    a: &DMatrix<f64>,
) -> Option<DVector<f64>> {
    let size = problem.unknowns();
    let mut matrix = DMatrix::zeros(size, size);
    let mut rest = DVector::zeros(size);
    for (k, contact) in problem.parts().iter().enumerate() {
        let rows = problem.range(k);
        let count = rows.len();
        if contact.immobile {
            for i in rows {
                matrix[(i, i)] = 1.0;
            }
            continue;
        }
        let linear = contact.linearise(&contact.impulses(r), &contact.velocities(u));
        let by_velocity = linear.by_velocity.view((0, 0), (count, count)).into_owned();
        let part = by_velocity * a.rows(rows.start, count);
        matrix.rows_mut(rows.start, count).copy_from(&part);
        for i in 0..count {
            rest[rows.start + i] = -linear.value[i];
            for j in 0..count {
                matrix[(rows.start + i, rows.start + j)] += linear.by_impulse[(i, j)];
            }
        }
    }
    // Redundant contacts make it singular: a little of the identity, far below what steps are judged by, chooses one of many.
    let lift = 1e-12 * matrix.diagonal().amax();
    for i in 0..size {
        matrix[(i, i)] += lift;
    }
    matrix.lu().solve(&rest).filter(|step| step.iter().all(|x| x.is_finite()))
}
