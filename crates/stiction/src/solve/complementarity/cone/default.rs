//! The solver to take when none is asked for: accelerated sweeps while they are the cheaper way, Newton's method otherwise.
//!
//! The rule: sweep ([`nncg`](super::nncg)). Every ten sweeps (four, up to 24 contacts) predict from the last twenty how many are left. When that is
//! more than the sweeps an analysis of the structure costs, analyse; when six factorisations cost less than the
//! sweeps that are left, go on with Newton on the Alart–Curnier map. Costs are counted in multiplications, not in seconds, so results do not depend
//! on the machine. Too large to factorise, or sweeps falling fast: sweeps to the end.
//!
//! The data behind it: milliseconds and iterations to a residual of 1e-8, all from one run on a shared machine with two busy cores (compare columns, not
//! with other machines); `–` is not there after a second or 100,000 iterations. Random problems couple three contacts a body, with `μ = 0.6`:
//!
//! | | default | Gauss–Seidel | NNCG | APGD | ADMM | Newton, Alart–Curnier |
//! |---|---|---|---|---|---|---|
//! | random, 20 contacts | 0.12 (15) | 0.39 (140) | 0.34 (67) | 2.7 (426) | 1.7 (119) | 0.14 (15) |
//! | random, 100 | 1.3 (63) | 1.5 (80) | 2.3 (63) | 33 (479) | 24 (132) | 2.7 (14) |
//! | random, 300 | 4.5 (73) | 14 (168) | 9.8 (73) | 126 (779) | 178 (290) | 29 (14) |
//! | random, 1,000 | 59 (128) | 139 (357) | 64 (128) | 968 (1407) | – | 972 (16) |
//! | tower of 20 boxes | 1.2 (32) | – | 288 (12391) | 20 (528) | 13 (282) | 1.6 (12) |
//! | tower of 100 boxes | 14 (32) | – | – | – | – | 9.2 (12) |
//! | 1,000 kg on 1 kg | 0.05 (7) | – | 8.4 (2232) | 2.5 (2764) | 10 (1930) | 0.11 (13) |
//! | 10⁶ kg on 1 kg | 0.08 (12) | – | – | – | – | 0.18 (18) |
//!
//! Of random problems of 10, 50 and 200 contacts, ten each, with at most 3,000 iterations: all converge for `μ = 0.3` and 2, all but one for 1; for
//! `μ = 5` it is 10, 6 and 1 of ten, and the status says which.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::newton::{self, LinearMethod, System};
use super::nncg::Accelerated;
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Map, interior_point};
use crate::solve::{Report, Status};

/// Sweeps between looks at how it goes; for contacts few enough for a dense factorisation, and for more.
const LOOK_SMALL: usize = 8;
const LOOK: usize = 10;
/// Newton steps that a solve takes, about, once sweeps have found who slides and who sticks.
const NEWTON_STEPS: f64 = 6.0;
/// Multiplications of a factorisation in the time that one contact takes in a sweep.
const SWEEP: f64 = 300.0;
/// Sweeps in the time it takes to write out the blocks and analyse their structure, for few contacts and for more.
const ANALYSIS_SMALL: f64 = 4.0;
const ANALYSIS: f64 = 150.0;
/// Sweeps after a map of Newton's method got stuck, doubled in every round.
const SWEEPS_BETWEEN: usize = 10;

/// Improves the impulses `r` in place.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| iterate(run, r))
}

fn iterate<A: Delassus>(run: &mut Run<'_, A>, r: &mut [f64]) -> Status {
    let problem = run.problem;
    let sweeps = gauss_seidel::Settings::default();
    let mut accelerated = Accelerated::new(problem, &sweeps, r);
    let (look, analysis) = match problem.contacts() <= newton::DENSE {
        true => (LOOK_SMALL, ANALYSIS_SMALL),
        false => (LOOK, ANALYSIS),
    };
    let mut system = None;
    loop {
        let residual = accelerated.sweep(r, &mut run.memory);
        if let ControlFlow::Break(status) = run.proposed(r, residual) {
            return status;
        }
        if !run.iterations().is_multiple_of(look) {
            continue;
        }
        let left = sweeps_left(&run.residuals()[1..], 2 * look, run.limits.tolerance);
        if left < analysis {
            continue;
        }
        let system = system.get_or_insert_with(|| System::new(problem, LinearMethod::Auto));
        if NEWTON_STEPS * system.cost() < left * SWEEP * problem.contacts() as f64 {
            return match factorising(run, r, system) {
                ControlFlow::Break(status) => status,
                ControlFlow::Continue(never) => match never {},
            };
        }
    }
}

/// Methods that factorise, by turns, with sweeps between them.
fn factorising<'a, A: Delassus>(
    run: &mut Run<'a, A>,
    r: &mut [f64],
    system: &mut System<'a, A>,
) -> ControlFlow<Status, Infallible> {
    let mut sweeper = Sweeper::new(run.problem, &gauss_seidel::Settings::default());
    let newton = |map| newton::Settings { map, ..Default::default() };
    let mut sweeps = SWEEPS_BETWEEN;
    for round in 0.. {
        for map in [Map::AlartCurnier, Map::Natural, Map::FischerBurmeister] {
            newton::attempt(run, r, system, &newton(map))?;
            newton::sweep(run, &mut sweeper, r, sweeps)?;
        }
        if round == 0 {
            interior_point::iterate(run, r, system)?;
        }
        sweeps *= 2;
    }
    unreachable!("rounds do not end")
}

/// How many sweeps are still needed if the residual goes on falling as it did.
fn sweeps_left(residuals: &[f64], window: usize, tolerance: f64) -> f64 {
    let window = window.min(residuals.len() - 1);
    let (now, before) = (residuals[residuals.len() - 1], residuals[residuals.len() - 1 - window]);
    let rate = (now / before).ln() / window as f64;
    if rate < 0.0 { (tolerance / now).ln() / rate } else { f64::INFINITY }
}
