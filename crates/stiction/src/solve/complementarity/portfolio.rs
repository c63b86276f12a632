//! A portfolio: sweeps while they are the cheaper way, methods that factorise otherwise. The rule of default solvers.
//!
//! Sweep with conjugate directions. Every few sweeps predict from the last ones how many are left. When that is more
//! than the sweeps an analysis of the structure costs, analyse; when six factorisations cost less than the sweeps
//! that are left, factorise, with one method after the other, each until it gets stuck. Sweeps go on in between, from
//! the best impulses there were. Costs are counted in multiplications, not in seconds, so results do not depend on
//! the machine.
//!
//! Where a factorisation costs as much as a few sweeps, there are a few dozen between methods. Where it is dear, as
//! in packings, methods wait until sweeps have cost as much as all factorisations together (and as the next will): so
//! nothing that gets stuck costs more than twice what sweeps alone would have. Unless sweeps lead nowhere: then there
//! is nothing to wait for.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::accelerated::{Accelerated, Sweep, sweeps_left};
use super::run::{Posed, Run};
use crate::solve::Status;

/// Newton steps that a solve takes, about, once sweeps have found who slides and who sticks.
const NEWTON_STEPS: f64 = 6.0;
/// Sweeps that lead nowhere: so many, if those that are left cost this many times what was and will be factorised. Of
/// thousands of contacts, no fewer than cost a factorisation, and this part of what the last method took: they often
/// lead somewhere at last.
const STUCK: usize = 50;
const HOPELESS: f64 = 10.0;
const OF_THE_LAST: f64 = 0.25;
/// Sweeps that a cheap factorisation costs at most.
const CHEAP: f64 = 60.0;

/// What sweeps cost, and when to look how they go.
pub(super) struct Pace {
    /// Sweeps between looks.
    pub(super) look: usize,
    /// Of one sweep, in multiplications of a factorisation.
    pub(super) sweep: f64,
    /// Sweeps in the time of an analysis; and how many come before it in any case.
    pub(super) analysis: f64,
    pub(super) wait: f64,
}

/// Methods that factorise, one after the other.
pub(super) trait Methods<'a, P> {
    /// Sweeps before the next, since the last, where factorisations are cheap.
    fn between(&self) -> usize;

    /// Factorisations that sweeps must have cost before the next is tried: what it takes when it fails.
    fn ahead(&self) -> f64;

    /// What a factorisation costs, in multiplications at the pace of a sweep; analyses the structure, once.
    fn cost(&mut self) -> f64;

    /// How many there were.
    fn factorisations(&self) -> usize;

    /// The next method, until it gets stuck or has factorised `most` times.
    fn take(&mut self, run: &mut Run<'a, P>, r: &mut [f64], most: usize) -> ControlFlow<Status>;
}

/// Alternates sweeps and methods until the run ends.
pub(super) fn alternate<'a, P: Posed>(
    run: &mut Run<'a, P>,
    r: &mut [f64],
    sweeper: impl Sweep,
    pace: &Pace,
    methods: &mut impl Methods<'a, P>,
) -> Status {
    match endlessly(run, r, sweeper, pace, methods) {
        ControlFlow::Break(status) => status,
        ControlFlow::Continue(never) => match never {},
    }
}

fn endlessly<'a, P: Posed>(
    run: &mut Run<'a, P>,
    r: &mut [f64],
    sweeper: impl Sweep,
    &Pace { look, sweep, analysis, wait }: &Pace,
    methods: &mut impl Methods<'a, P>,
) -> ControlFlow<Status, Infallible> {
    let mut accelerated = Accelerated::new(sweeper, r, &run.memory);
    // Multiplications of sweeps and of factorisations so far.
    let (mut swept, mut factorised) = (0.0, 0.0);
    let mut last = 0.0;
    // The first residual since sweeps began, or began again.
    let mut first = 1;
    loop {
        let residual = accelerated.sweep(r, &mut run.memory);
        run.proposed(r, residual)?;
        swept += sweep;
        let count = run.residuals().len() - first;
        if !count.is_multiple_of(look) {
            continue;
        }
        let left = sweeps_left(&run.residuals()[first..], 2 * look, run.limits.tolerance);
        if left < analysis || swept < wait * sweep {
            continue;
        }
        let cost = methods.cost();
        let cheap = cost < CHEAP * sweep;
        let enough = match cheap {
            true => count >= methods.between(),
            false => {
                let ahead = factorised + methods.ahead() * cost;
                // Where sweeps lead nowhere, there is nothing to wait for.
                let tried = wait <= 0.0 || count as f64 * sweep >= cost.max(OF_THE_LAST * last);
                let stuck = count >= STUCK && tried && {
                    let left = sweeps_left(&run.residuals()[first..], count, run.limits.tolerance);
                    left * sweep > HOPELESS * ahead
                };
                ahead <= swept || stuck
            }
        };
        if NEWTON_STEPS * cost >= left * sweep || !enough {
            continue;
        }
        run.remember(r);
        let before = methods.factorisations();
        let most = match cheap {
            true => usize::MAX,
            false => (2.0 * NEWTON_STEPS).max((swept - factorised) / cost) as usize,
        };
        methods.take(run, r, most)?;
        run.recall(r);
        last = cost * (methods.factorisations() - before) as f64;
        factorised += last;
        accelerated.restart(r);
        first = run.residuals().len();
    }
}
