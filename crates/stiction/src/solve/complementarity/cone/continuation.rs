//! From the convex relaxation to Coulomb's law, step by step.
//!
//! The associated model has a solution that interior points always find. Coulomb's law is the same with a shift
//! `μ‖u_T‖` of normal velocities; a part `θ` of that shift ([`Model::Between`]) leads from one to the other, `θ` from
//! zero to one, each problem started from the solution of the one before: Newton's method first, then interior
//! points. Steps of `θ` grow where that works and shrink where it fails.
//!
//! Finds solutions for friction coefficients at which everything else goes in circles (`μ = 5`). It cannot go
//! backwards: where solutions appear and vanish in pairs, as on walls with `μ = 1`, the path turns round before it
//! gets to one, and it gives up there. Problems between the two are nobody's: only the residual of Coulomb's law is
//! told and counts.

use std::ops::ControlFlow;

use super::super::{Limits, Progress};
use super::newton::{self, LinearMethod, System};
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Map, Model, interior_point};
use crate::solve::Status;

/// The first step of `θ`, by how much it grows and shrinks, and the least.
const FIRST: f64 = 0.25;
const GROW: f64 = 1.5;
const SHRINK: f64 = 0.4;
const LEAST: f64 = 2e-3;
/// Iterations for one `θ`.
const ITERATIONS: usize = 100;

/// Goes along the path until the run is over, or the path ends; leaves the best impulses there were in `r`.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, A>, r: &mut [f64]) -> ControlFlow<Status> {
    let problem = run.problem;
    if problem.model() != Model::Coulomb {
        return ControlFlow::Continue(());
    }
    let convex = problem.borrowed(Model::Between(0.0));
    let mut system = System::new(&convex, LinearMethod::Auto);
    // Solved up to here, from `r`; and the next step.
    let (mut part, mut step) = (None, FIRST);
    let mut trial = r.to_vec();
    while part != Some(1.0) && step > LEAST {
        let next = part.map_or(0.0, |part| f64::min(part + step, 1.0));
        let between = problem.borrowed(Model::Between(next));
        trial.copy_from_slice(r);
        if solve(&between, run, &mut trial, &mut system)? {
            r.copy_from_slice(&trial);
            (part, step) = (Some(next), if part.is_some() { GROW * step } else { step });
        } else if part.is_none() {
            break;
        } else {
            step *= SHRINK;
        }
    }
    run.recall(r);
    ControlFlow::Continue(())
}

/// Whether one problem on the way was solved; the run is told of each iteration, with what it is worth for Coulomb's
/// law.
fn solve<A: Delassus, B: Delassus>(
    between: &ContactProblem<B>,
    run: &mut Run<'_, A>,
    r: &mut [f64],
    system: &mut System<'_, B>,
) -> ControlFlow<Status, bool> {
    let limits = Limits { tolerance: run.limits.tolerance, iterations: ITERATIONS };
    let mut over = None;
    let mut watch = |progress: &Progress<'_>| {
        if progress.iteration == 0 {
            return ControlFlow::Continue(());
        }
        let residual = run.evaluate(progress.unknowns);
        match run.iteration(progress.unknowns, residual) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(status) => {
                over = Some(status);
                ControlFlow::Break(())
            }
        }
    };
    let report =
        conduct(between, r, &limits, &mut watch, |inner, r| match steps(inner, r, system) {
            ControlFlow::Break(status) => status,
            ControlFlow::Continue(()) => Status::Stagnated,
        });
    match over {
        Some(status) => ControlFlow::Break(status),
        None => ControlFlow::Continue(report.converged()),
    }
}

fn steps<B: Delassus>(
    run: &mut Run<'_, B>,
    r: &mut [f64],
    system: &mut System<'_, B>,
) -> ControlFlow<Status> {
    for map in [Map::Natural, Map::FischerBurmeister] {
        let settings = newton::Settings { map, ..Default::default() };
        newton::attempt(run, r, system, &settings, usize::MAX)?;
        run.recall(r);
    }
    interior_point::directly(run, r, system, usize::MAX)
}
