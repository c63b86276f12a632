//! The solver to take when none is asked for: accelerated sweeps while they are the cheaper way, Newton's method
//! otherwise.
//!
//! The rule is in `portfolio.rs`: sweep ([`nncg`](super::nncg)), look every ten sweeps (eight, up to 24 contacts) how
//! many are left, and factorise when that costs less. Of thousands of contacts an analysis waits until sweeps have
//! cost as much. Too large to factorise, or sweeps falling fast: sweeps to the end.
//!
//! Methods that factorise alternate: Newton on the Alart–Curnier map, [interior points](super::interior_point) from
//! zero, Newton on the natural map and on that of Fischer and Burmeister, each until it gets stuck; in the second round
//! then a path from the convex relaxation to Coulomb's law (`continuation.rs`). Newton starts from where sweeps came
//! to; in later rounds elsewhere, with all contacts pushing. Where factorisations are cheap, there are ten sweeps
//! between methods, and twice as many in the second round and in the third.
//!
//! The data behind it: milliseconds and iterations to a residual of 1e-8 (`coulomb table` in `benches`), all from one
//! run in release at real-time priority on a shared machine with two cores (compare columns, not with other
//! machines); `–` is not there after 1.5 s or 100,000 iterations. Random problems couple three contacts a body, with
//! `μ = 0.6`:
//!
//! | | default | Gauss–Seidel | NNCG | APGD | ADMM | Newton, Alart–Curnier | Newton, natural | interior point |
//! |---|---|---|---|---|---|---|---|---|
//! | random, 20 contacts | 0.05 (10) | 0.09 (52) | 0.07 (36) | 0.45 (204) | 0.41 (85) | 0.06 (12) | 0.06 (12) | 0.35 (12) |
//! | random, 100 | 0.53 (55) | 0.77 (83) | 0.52 (55) | 5.2 (483) | 4.5 (140) | 1.2 (15) | 1.2 (15) | 4.6 (11) |
//! | random, 300 | 2.8 (91) | 3.7 (128) | 2.8 (91) | 19 (594) | 38 (288) | 6.4 (15) | 6.5 (15) | 25 (13) |
//! | random, 1,000 | 9.6 (84) | 20 (184) | 9.5 (84) | 85 (795) | 215 (184) | 93 (15) | 161 (16) | 379 (15) |
//! | tower of 20 boxes | 0.34 (32) | – | 62 (13918) | 4.0 (532) | 4.9 (282) | 0.25 (12) | 0.25 (12) | 1.7 (11) |
//! | tower of 100 boxes | 1.9 (32) | – | – | 354 (9370) | 556 (6176) | 1.7 (12) | 1.4 (12) | 16 (20) |
//! | 1,000 kg on 1 kg | 0.03 (11) | – | 1.5 (2232) | 2.2 (2781) | 3.0 (1930) | 0.04 (13) | 0.04 (13) | 0.09 (11) |
//! | 10⁶ kg on 1 kg | 0.06 (16) | – | – | – | – | 0.06 (18) | 0.06 (17) | 0.10 (12) |
//!
//! Why a portfolio: how many problems converge. Walls are of bricks hit by a ball, with gaps that contradict each
//! other. The first six columns within 3,000 iterations and 1.5 s of processor time in release, the default within
//! 5,000 iterations and 4 s:
//!
//! | | Alart–Curnier | natural | Fischer–Burmeister | interior point | NNCG | ADMM | default | its iterations |
//! |---|---|---|---|---|---|---|---|---|
//! | wall, 92 contacts, `μ = 0.3` | 4/4 | 4/4 | 4/4 | 4/4 | 3/4 | 3/4 | 4/4 | 25–50 |
//! | the same, 0.6 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 40–62 |
//! | the same, 1 | 4/4 | 4/4 | 4/4 | 4/4 | 3/4 | 2/4 | 4/4 | 37–144 |
//! | wall, 420 contacts, 0.3 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 76–97 |
//! | the same, 0.6 | 4/4 | 4/4 | 4/4 | 3/4 | 2/4 | 1/4 | 4/4 | 117–1,364 |
//! | the same, 1 | 4/4 | 4/4 | 4/4 | 4/4 | 0/4 | 0/4 | 4/4 | 136–606 |
//! | random, 50 contacts, `μ = 2` | 10/10 | 10/10 | 10/10 | 10/10 | 2/10 | 0/10 | 10/10 | 16–393 |
//! | random, 10 contacts, 5 | 10/10 | 10/10 | 10/10 | 10/10 | 6/10 | 0/10 | 10/10 | 9–28 |
//! | random, 50, 5 | 10/10 | 10/10 | 10/10 | 6/10 | 1/10 | 0/10 | 10/10 | 23–592 |
//! | random, 200, 5 (an earlier version; 20 of the default) | 0/10 | 1/10 | 3/10 | 0/10 | 0/10 | 0/10 | 19/20 | 409–1,325 |
//!
//! Newton's method with sweeps wherever it gets stuck, regularised as much as it needs, solves all but the last row
//! by itself; that made the difference for large walls with `μ = 1`: solutions exist (bricks can part upwards), but
//! on the way from the convex relaxation they appear and vanish in pairs.
//!
//! Packings, in milliseconds of processor time on a busy machine, from zero: 300 balls as they come to rest, 1,492
//! contacts (`coulomb packing 300 60`). At rest and from the impulses of the step before, ten sweeps reach 1e-5 in a
//! millisecond. `–` is not there after 20,000 iterations.
//!
//! | residual | default | NNCG | APGD | interior point |
//! |---|---|---|---|---|
//! | 1e-3 | 16 | 15 | 70 | 300 |
//! | 1e-4 | 270 | 140 | 610 | 1,300 |
//! | 1e-6 | 3,000 | – (1.4e-6 in 2,200) | – (2.5e-6 in 4,200) | – (an earlier version) |
//!
//! Of 3,000 balls that rest, 7,855 contacts, with impulses of looser steps, the default needs 16 s to 1e-3 and NNCG 7
//! s; when interior points might take as many factorisations as they liked, a minute was not enough.
//!
//! A default that did not wait until sweeps have cost as much as what is factorised took 444, 6,634 and 8,000.

use std::ops::ControlFlow;

use super::super::portfolio::{Methods, Pace, alternate};
use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::newton::{self, LinearMethod, System};
use super::run::{Run, conduct};
use super::{ContactProblem, Delassus, Map, continuation, interior_point};
use crate::solve::vector::max_abs;
use crate::solve::{Report, Status};

/// Sweeps between looks at how it goes; for contacts few enough for a dense factorisation, and for more.
const LOOK_SMALL: usize = 8;
const LOOK: usize = 10;
/// Multiplications of a factorisation in the time that one contact takes in a sweep.
const SWEEP: f64 = 300.0;
/// The same of a block that is written out: where contacts act on dozens of others, as on what deforms, these have to
/// come from memory.
const BLOCK: f64 = 36.0;
/// Sweeps in the time it takes to write out the blocks and analyse their structure, for few contacts and for more.
const ANALYSIS_SMALL: f64 = 4.0;
const ANALYSIS: f64 = 150.0;
/// Contacts from which on structures no longer fit into caches, and sweeps that come before one is analysed then: it
/// takes longer than it is said to.
const MANY: usize = 2000;
const SWEEPS_OF_MANY: f64 = 1500.0;
/// Sweeps after a method got stuck, doubled in the second round and the third, where factorisations are cheap.
const SWEEPS_BETWEEN: usize = 10;
/// Factorisations of interior points that lead nowhere, about; and how many they may take of many contacts in any
/// case, with the last digits.
const INTERIOR_STEPS: f64 = 25.0;
const INTERIOR_MOST: usize = 40;

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
    let (look, analysis) = match problem.contacts() <= newton::DENSE {
        true => (LOOK_SMALL, ANALYSIS_SMALL),
        false => (LOOK, ANALYSIS),
    };
    let wait = if problem.contacts() > MANY { SWEEPS_OF_MANY } else { 0.0 };
    let blocks = BLOCK * problem.operator().written_out() as f64;
    let sweep = (SWEEP * problem.contacts() as f64).max(blocks);
    let pace = Pace { look, sweep, analysis, wait };
    let sweeper = Sweeper::new(problem, &gauss_seidel::Settings::default());
    let mut portfolio = Portfolio { problem, system: None, entry: Entry::FIRST };
    alternate(run, r, sweeper, &pace, &mut portfolio)
}

/// Methods, one after the other.
struct Portfolio<'a, A> {
    problem: &'a ContactProblem<A>,
    system: Option<System<'a, A>>,
    entry: Entry,
}

impl<'a, A: Delassus> Portfolio<'a, A> {
    fn system(&mut self) -> &mut System<'a, A> {
        self.system.get_or_insert_with(|| System::new(self.problem, LinearMethod::Auto))
    }
}

impl<'a, A: Delassus> Methods<'a, ContactProblem<A>> for Portfolio<'a, A> {
    fn between(&self) -> usize {
        match self.entry.round {
            0 => 0,
            round => SWEEPS_BETWEEN << round.min(2),
        }
    }

    fn ahead(&self) -> f64 {
        self.entry.method.ahead()
    }

    fn cost(&mut self) -> f64 {
        self.system().cost()
    }

    fn factorisations(&self) -> usize {
        self.system.as_ref().map_or(0, System::factorisations)
    }

    fn take(&mut self, run: &mut Run<'a, A>, r: &mut [f64], most: usize) -> ControlFlow<Status> {
        let entry = self.entry;
        if let Some(push) = entry.push() {
            start_anew(self.problem, push, r);
        }
        entry.method.take(run, r, self.system(), most)?;
        self.entry = entry.next();
        ControlFlow::Continue(())
    }
}

/// What factorises.
#[derive(Clone, Copy)]
enum Method {
    Newton(Map),
    InteriorPoint,
    Continuation,
}

/// A method of the portfolio, and how often all have been tried.
#[derive(Clone, Copy)]
struct Entry {
    method: Method,
    round: usize,
}

impl Entry {
    const FIRST: Self = Self { method: Method::Newton(Map::AlartCurnier), round: 0 };

    /// Where sweeps lead to the same place over and over, later rounds start elsewhere: all contacts push this much,
    /// in velocities without impulses.
    fn push(self) -> Option<f64> {
        match self.method {
            Method::InteriorPoint => Some(0.0),
            _ => self.round.checked_sub(2).map(|later| [1.0, 10.0, 0.1, 100.0][later % 4]),
        }
    }

    fn next(self) -> Self {
        let round = self.round;
        let method = match self.method {
            Method::Newton(Map::AlartCurnier) => Method::InteriorPoint,
            Method::InteriorPoint => Method::Newton(Map::Natural),
            Method::Newton(Map::Natural) => Method::Newton(Map::FischerBurmeister),
            Method::Newton(Map::FischerBurmeister) if round == 1 => Method::Continuation,
            Method::Newton(Map::FischerBurmeister) | Method::Continuation => {
                return Self { round: round + 1, ..Self::FIRST };
            }
        };
        Self { method, round }
    }
}

impl Method {
    /// Factorisations that sweeps must have cost before this is tried: what it takes when it fails.
    fn ahead(self) -> f64 {
        match self {
            Self::Newton(_) => 0.0,
            Self::InteriorPoint => INTERIOR_STEPS,
            Self::Continuation => 4.0 * INTERIOR_STEPS,
        }
    }

    fn take<'a, A: Delassus>(
        self,
        run: &mut Run<'a, A>,
        r: &mut [f64],
        system: &mut System<'a, A>,
        most: usize,
    ) -> ControlFlow<Status> {
        match self {
            Self::Newton(map) => {
                let settings = newton::Settings { map, ..Default::default() };
                newton::attempt(run, r, system, &settings, most)
            }
            Self::InteriorPoint => {
                let many = run.problem.contacts() > MANY;
                let most = if many { most.max(INTERIOR_MOST) } else { usize::MAX };
                interior_point::iterate(run, r, system, most)
            }
            Self::Continuation => continuation::iterate(run, r),
        }
    }
}

/// Impulses that know nothing: all contacts push alike.
fn start_anew<A: Delassus>(problem: &ContactProblem<A>, push: f64, r: &mut [f64]) {
    let speed = max_abs(problem.b());
    for (i, r) in r.chunks_exact_mut(3).enumerate() {
        r.copy_from_slice(&[push * speed * problem.mass(i), 0.0, 0.0]);
    }
}
