//! The solver to take when nobody says which: a short list, tried in order, each from where the one before has come to.
//!
//! | problem | tried |
//! |---|---|
//! | not symmetric, or zeros on the diagonal | Lemke, Newton |
//! | up to 400 rows | block pivoting; if it goes in circles one row at a time, the interior point, conjugate sweeps |
//! | up to 3,000 rows | conjugate sweeps, 300 of them; then as above |
//! | more | conjugate sweeps, as many as allowed |
//!
//! The numbers behind this are in `docs/solvers.md`: below some hundred rows a handful of factorisations beats any
//! number of sweeps and ends with all digits; above, sweeps win wherever masses and stacks are tame, and the dense
//! matrix of pivoting is worth it only where they are not.

use std::ops::ControlFlow;

use super::gauss_seidel::sweepable;
use super::problem::LinearProblem;
use super::solver::Solver;
use super::{block_principal, gauss_seidel, newton};
use crate::solve::complementarity::{Limits, Progress, Watch};
use crate::solve::{Report, Status};

/// Up to here factorisations come first.
const SMALL: usize = 400;
/// Up to here a dense matrix is worth it.
const MEDIUM: usize = 3000;

/// What is tried, in order, with how many iterations at most.
pub fn plan(problem: &LinearProblem) -> Vec<(Solver, usize)> {
    let n = problem.len();
    let all = usize::MAX;
    let sweeps = |most| (Solver::Conjugate(gauss_seidel::Settings::default()), most);
    if !problem.matrix().symmetric() || !sweepable(problem) {
        let function = newton::Function::FischerBurmeister;
        return vec![
            (Solver::Lemke, all),
            (Solver::Newton(newton::Settings { function, ..Default::default() }), all),
        ];
    }
    if n > MEDIUM {
        return vec![sweeps(all)];
    }
    let mut plan = if n > SMALL { vec![sweeps(300)] } else { Vec::new() };
    let block = Solver::BlockPrincipal(block_principal::Settings::default());
    plan.extend([
        (block, 100),
        (Solver::Principal, n + 100),
        (Solver::InteriorPoint, 200),
        sweeps(all),
    ]);
    plan
}

/// Improves `x` in place by the methods of the [`plan`].
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    let mut history = Vec::new();
    let mut iterations = 0;
    let mut before = x.to_vec();
    let mut status = Status::IterationLimit;
    let mut best = f64::INFINITY;
    for (solver, most) in plan(problem) {
        let left = limits.iterations.saturating_sub(iterations);
        let share = Limits { iterations: left.min(most), ..*limits };
        let mut watch = |progress: &Progress<'_>| -> ControlFlow<()> {
            watch.iteration(&Progress { iteration: iterations + progress.iteration, ..*progress })
        };
        let report = solver.solve(problem, x, &share, &mut watch);
        let residual = report.residual();
        // What it began with was the end of the one before.
        let skip = usize::from(!history.is_empty());
        history.extend(report.residuals.iter().skip(skip));
        iterations += report.iterations;
        status = report.status;
        if matches!(
            status,
            Status::Converged
                | Status::Stopped
                | Status::NotFinite
                | Status::Infeasible
                | Status::Refused
        ) {
            break;
        }
        if residual < best {
            best = residual;
            before.copy_from_slice(x);
        } else {
            x.copy_from_slice(&before);
        }
        if iterations >= limits.iterations {
            status = Status::IterationLimit;
            break;
        }
    }
    if let Some(last) = history.last_mut()
        && status != Status::Converged
        && best < *last
    {
        x.copy_from_slice(&before);
        *last = best;
    }
    Report { status, iterations, residuals: history }
}
