//! Where the time goes is told by every method, by the caller's clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use stiction::model::{Phase, Timings};
use stiction::{Scene, Simulation};
use stiction_check::scenes::{block, floor, soft_block};

use crate::harness::{Verdict, claims, holds, within};
use crate::methods::Method;

claims!(
    "timings": most_of_the_time_is_booked, finding_contacts_is_timed, solving_for_contacts_is_timed,
    without_a_clock_nothing_is_timed, the_clock_changes_nothing
);

/// Rigid and soft blocks in a heap.
fn heap() -> Scene {
    let mut scene = Scene::new();
    scene.add(floor());
    for k in 0..12 {
        let (column, row) = (k % 4, k / 4);
        let at = [0.25 * f64::from(column), 0.051 + 0.103 * f64::from(row), 0.01 * f64::from(row)];
        match row {
            1 => scene.add(soft_block([0.2, 0.1, 0.2], [2, 1, 2]).at(at)),
            _ => scene.add(block([0.2, 0.1, 0.2]).at(at)),
        };
    }
    scene
}

fn booked(timings: &Timings) -> f64 {
    Phase::ALL.iter().map(|phase| timings.seconds(*phase)).sum()
}

/// A clock that goes on by a second whenever somebody looks at it.
fn count(simulation: &mut Simulation) -> Arc<AtomicU64> {
    let ticks = Arc::new(AtomicU64::new(0));
    let own = Arc::clone(&ticks);
    simulation.set_clock(move || own.fetch_add(1, Ordering::Relaxed) as f64);
    ticks
}

/// Parts of the time of a step, by a true clock: of contacts, of what is solved, and all that is booked. A
/// clock that counts looks
/// does not know how long work takes. Ratios of times of one run do not depend on how busy the machine is; of
/// three runs the
/// largest are taken.
fn shares(method: &Method) -> Verdict<[f64; 3]> {
    let mut best = [0.0; 3];
    for _ in 0..3 {
        let mut simulation = method.start(&heap(), 5e-3)?;
        // What is made once, for all steps, is no part of a step.
        simulation.step();
        let start = Instant::now();
        simulation.set_clock(move || start.elapsed().as_secs_f64());
        let begin = Instant::now();
        for _ in 0..5 {
            simulation.step();
        }
        let whole = begin.elapsed().as_secs_f64();
        holds("nothing touches", !simulation.contacts().is_empty())?;
        let timings = simulation.timings();
        let seconds = |phase| timings.seconds(phase);
        let solve = seconds(Phase::Solve) + seconds(Phase::ContactSolver);
        let found =
            [seconds(Phase::Detection), solve, booked(&timings)].map(|seconds| seconds / whole);
        best = std::array::from_fn(|k| f64::max(best[k], found[k]));
    }
    Ok(best)
}

fn most_of_the_time_is_booked(method: &Method) -> Verdict {
    // What is not booked is measured between other processes: a quarter was booked before, nine tenths are on a quiet
    // machine.
    within("part of the time that is booked", shares(method)?[2], 0.6, 1.01)
}

fn finding_contacts_is_timed(method: &Method) -> Verdict {
    within("part of the time", shares(method)?[0], 1e-3, 1.0)
}

/// In the phase that solves, of whatever is solved.
fn solving_for_contacts_is_timed(method: &Method) -> Verdict {
    within("part of the time", shares(method)?[1], 1e-3, 1.0)
}

fn without_a_clock_nothing_is_timed(method: &Method) -> Verdict {
    let mut simulation = method.start(&heap(), 5e-3)?;
    simulation.step();
    within("seconds", booked(&simulation.timings()), 0.0, 0.0)
}

fn the_clock_changes_nothing(method: &Method) -> Verdict {
    let run = |clock: bool| -> Verdict<Vec<u64>> {
        let mut simulation = method.start(&heap(), 5e-3)?;
        if clock {
            count(&mut simulation);
        }
        (0..5).for_each(|_| drop(simulation.step()));
        Ok(stiction_check::scenes::bits(&simulation.state()))
    };
    holds("it goes another way", run(true)? == run(false)?)
}
