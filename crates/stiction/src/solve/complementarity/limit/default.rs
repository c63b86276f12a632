//! The solver to take when none is asked for: accelerated sweeps, and, as a
//! [portfolio](super::super::portfolio), Newton's method and interior points where those are the shorter way.
//!
//! [Interior points](super::interior_point) come first: from zero, in later rounds from all contacts pushing; then
//! Newton's method from where sweeps came to. Sweeps go on after each, twice as long in each round. The numbers
//! behind it: `solver.rs`.

use std::ops::ControlFlow;

use super::super::cone::operator::Delassus;
use super::super::portfolio::{Methods, Pace, alternate};
use super::super::run::Run;
use super::LimitProblem;
use super::interior_point;
use super::newton::{self, System};
use super::sweep::Sweeper;
use crate::solve::Status;
use crate::solve::vector::max_abs;

/// Unknowns up to which systems are written out where the operator knows no bodies.
const DENSE: usize = 400;
/// Sweeps between looks at how it goes.
const LOOK: usize = 10;
/// Multiplications of a factorisation in the time that one contact takes in a sweep: six unknowns, three small
/// factorisations.
const SWEEP: f64 = 3000.0;
/// Sweeps in the time that an analysis of the structure takes.
const ANALYSIS: f64 = 20.0;
/// Sweeps after all methods got stuck, doubled each time, where factorisations are cheap.
const SWEEPS_BETWEEN: usize = 10;
/// Factorisations of interior points that lead nowhere, about.
const INTERIOR_STEPS: f64 = 25.0;
/// From where those start, round by round: all contacts push this much, in velocities without impulses.
const PUSHES: [f64; 5] = [0.0, 1.0, 10.0, 0.1, 100.0];

/// Alternates sweeps and methods until the run ends.
pub(super) fn iterate<A: Delassus>(run: &mut Run<'_, LimitProblem<A>>, r: &mut [f64]) -> Status {
    let problem = run.problem;
    let sweep = SWEEP * problem.contacts() as f64;
    let pace = Pace { look: LOOK, sweep, analysis: ANALYSIS, wait: 0.0 };
    let mut portfolio =
        Portfolio { problem, system: None, interior: interior_point::suits(problem), round: 0 };
    alternate(run, r, Sweeper::new(problem), &pace, &mut portfolio)
}

/// Methods, one after the other.
struct Portfolio<'a, A> {
    problem: &'a LimitProblem<A>,
    system: Option<System>,
    /// Whether interior points are next, not Newton's method; and how often all have been tried.
    interior: bool,
    round: usize,
}

impl<'a, A: Delassus> Methods<'a, LimitProblem<A>> for Portfolio<'a, A> {
    fn between(&self) -> usize {
        match self.round {
            0 => 0,
            round => SWEEPS_BETWEEN << round.min(20),
        }
    }

    fn ahead(&self) -> f64 {
        if self.interior { INTERIOR_STEPS } else { 0.0 }
    }

    fn cost(&mut self) -> f64 {
        let problem = self.problem;
        match problem.operator().bodies().is_some() || problem.unknowns() <= DENSE {
            true => self.system.get_or_insert_with(|| System::new(problem)).cost(),
            false => f64::INFINITY,
        }
    }

    fn factorisations(&self) -> usize {
        self.system.as_ref().map_or(0, System::factorisations)
    }

    fn take(
        &mut self,
        run: &mut Run<'a, LimitProblem<A>>,
        r: &mut [f64],
        most: usize,
    ) -> ControlFlow<Status> {
        let system = self.system.get_or_insert_with(|| System::new(self.problem));
        if self.interior {
            start_anew(self.problem, PUSHES[self.round % PUSHES.len()], r);
            interior_point::iterate(run, r, system)?;
        } else {
            newton::attempt(run, r, system, most)?;
        }
        self.round += usize::from(!self.interior);
        self.interior = !self.interior && interior_point::suits(self.problem);
        ControlFlow::Continue(())
    }
}

/// Impulses that know nothing: all contacts push alike.
fn start_anew<A: Delassus>(problem: &LimitProblem<A>, push: f64, r: &mut [f64]) {
    let speed = max_abs(problem.b());
    r.fill(0.0);
    for (k, contact) in problem.parts().iter().enumerate() {
        r[problem.range(k).start] = push * speed * contact.mass;
    }
}
