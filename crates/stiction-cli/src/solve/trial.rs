//! One solver on one problem, watched.

use std::ops::ControlFlow;
use std::time::Instant;

use serde_json::json;
use stiction::solve::complementarity::Progress;
use stiction::solve::{Report, Status};
use stiction_scene::problem_file::{Problem, Stored};

use super::judge::{Accuracy, Judge, Measures};
use super::{SolveArgs, Solver};

/// Up to here every iteration is looked at; after that each that is a hundredth further than the last.
const EVERY: usize = 200;

/// What a solver did.
pub(super) struct Trial {
    pub(super) solver: &'static str,
    pub(super) status: Status,
    pub(super) iterations: usize,
    pub(super) seconds: f64,
    pub(super) measures: Measures,
    /// The residual in the largest velocity without impulses [-].
    pub(super) relative: f64,
    pub(super) accuracy: Accuracy,
    pub(super) unknowns: Vec<f64>,
    pub(super) history: Vec<Sample>,
}

/// A look at an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) iteration: usize,
    /// Since the start, without what looking took.
    pub(super) seconds: f64,
    pub(super) measures: Measures,
}

impl Trial {
    /// Runs a solver; `told` hears how much of its iterations or of its time is spent.
    pub(super) fn run(
        stored: &Stored,
        solver: &Solver,
        args: &SolveArgs,
        mut told: impl FnMut(f64),
    ) -> Self {
        let limits = args.limits(&stored.problem);
        let mut r = stored.start.clone();
        let mut judge = Judge::new(&stored.problem);
        let (mut history, mut next): (Vec<Sample>, usize) = (Vec::new(), 0);
        // Looking costs time that is not the solver's.
        let (started, mut looking) = (Instant::now(), 0.0);
        let mut watch = |progress: &Progress<'_>| {
            let now = Instant::now();
            let seconds = started.elapsed().as_secs_f64() - looking;
            if progress.iteration >= next {
                next = progress.iteration + 1;
                if progress.iteration >= EVERY {
                    next = progress.iteration + progress.iteration / 100;
                }
                let measures = judge.measures(progress.unknowns);
                history.push(Sample { iteration: progress.iteration, seconds, measures });
                let spent = progress.iteration as f64 / args.iterations.max(1) as f64;
                told(spent.max(seconds / args.seconds).min(1.0));
            }
            looking += now.elapsed().as_secs_f64();
            if seconds > args.seconds { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report: Report = match (&stored.problem, solver) {
            (Problem::Contact(problem), Solver::Cone(solver)) => {
                solver.solve(problem, &mut r, &limits, &mut watch)
            }
            (Problem::Bodies(problem), Solver::Cone(solver)) => {
                solver.solve(problem, &mut r, &limits, &mut watch)
            }
            (Problem::Linear(problem), Solver::Linear(_, solver)) => {
                solver.solve(problem, &mut r, &limits, &mut watch)
            }
            // Names are looked up among the solvers of the problem.
            _ => Report { status: Status::Refused, iterations: 0, residuals: Vec::new() },
        };
        let seconds = started.elapsed().as_secs_f64() - looking;
        let measures = judge.measures(&r);
        let last = Sample { iteration: report.iterations, seconds, measures };
        match history.last_mut() {
            Some(shown) if shown.iteration == last.iteration => *shown = last,
            _ => history.push(last),
        }
        Self {
            solver: solver.name(),
            status: report.status,
            iterations: report.iterations,
            seconds,
            measures,
            relative: measures.natural / stored.problem.speed().max(f64::MIN_POSITIVE),
            accuracy: judge.accuracy(&r, 10.0 * limits.tolerance),
            unknowns: r,
            history,
        }
    }

    /// For `--json`.
    pub(super) fn as_json(&self) -> serde_json::Value {
        let Measures { natural, fischer_burmeister, alart_curnier, energy } = self.measures;
        json!({
            "solver": self.solver, "status": self.status.name(), "iterations": self.iterations,
            "seconds": self.seconds, "residual": natural, "relative": self.relative,
            "fischer_burmeister": fischer_burmeister,
            "alart_curnier": alart_curnier, "energy": energy,
            "open": self.accuracy.open, "stick": self.accuracy.stick, "slide": self.accuracy.slide,
        })
    }
}
