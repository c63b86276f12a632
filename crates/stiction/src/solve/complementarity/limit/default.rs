//! The solver to take when none is asked for: accelerated sweeps, and Newton's method where that is the shorter way.
//!
//! The rule is that of [`cone::default`](super::super::cone::default), with one map and without interior points; costs are counted, not timed, so
//! results do not depend on the machine. The numbers behind it: `solver.rs`.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::super::accelerated::{Accelerated, sweeps_left};
use super::super::cone::operator::Delassus;
use super::super::run::Run;
use super::LimitProblem;
use super::newton::{self, System};
use super::sweep::Sweeper;
use crate::solve::Status;

/// Unknowns up to which systems are written out where the operator knows no bodies.
const DENSE: usize = 400;
/// Sweeps between looks at how it goes.
const LOOK: usize = 10;
/// Newton steps that a solve takes, about, once sweeps have found who slides and who sticks.
const NEWTON_STEPS: f64 = 6.0;
/// Multiplications of a factorisation in the time that one contact takes in a sweep: six unknowns, three small factorisations.
const SWEEP: f64 = 3000.0;
/// Sweeps in the time that an analysis of the structure takes.
const ANALYSIS: f64 = 20.0;
/// Sweeps after Newton's method got stuck, doubled each time, where a step costs no more than [`CHEAP`] of them.
const SWEEPS_BETWEEN: usize = 10;
const CHEAP: f64 = 60.0;

/// Sweeps and Newton steps by turns until the run ends.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    match turns(run, r) {
        ControlFlow::Break(status) => status,
        ControlFlow::Continue(never) => match never {},
    }
}

fn turns<A: Delassus>(
    run: &mut Run<'_, LimitProblem<A>>,
    r: &mut [f64],
) -> ControlFlow<Status, Infallible> {
    let problem = run.problem;
    let mut accelerated = Accelerated::new(Sweeper::new(problem), r, &run.memory);
    let sweep = SWEEP * problem.contacts() as f64;
    let factorises = problem.operator().bodies().is_some() || problem.unknowns() <= DENSE;
    // Multiplications of sweeps and of factorisations so far.
    let (mut swept, mut factorised) = (0.0, 0.0);
    let mut system = None;
    let mut turn = 0;
    // The first residual since sweeps began, or began again.
    let mut first = 1;
    loop {
        let residual = accelerated.sweep(r, &mut run.memory);
        run.proposed(r, residual)?;
        swept += sweep;
        let count = run.residuals().len() - first;
        if !factorises || !count.is_multiple_of(LOOK) {
            continue;
        }
        let left = sweeps_left(&run.residuals()[first..], 2 * LOOK, run.limits.tolerance);
        if left < ANALYSIS {
            continue;
        }
        let system = system.get_or_insert_with(|| System::new(problem));
        let cost = system.cost();
        let enough = match cost < CHEAP * sweep {
            true => turn == 0 || count >= SWEEPS_BETWEEN << turn.min(20),
            false => factorised <= swept,
        };
        if NEWTON_STEPS * cost >= left * sweep || !enough {
            continue;
        }
        run.remember(r);
        let before = run.iterations();
        newton::attempt(run, r, system)?;
        factorised += cost * (run.iterations() - before) as f64;
        turn += 1;
        accelerated.restart(r);
        first = run.residuals().len();
    }
}
