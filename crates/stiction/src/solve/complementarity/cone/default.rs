//! The solver to take when none is asked for: accelerated sweeps while they are the cheaper way, Newton's method otherwise.
//!
//! The rule: sweep ([`nncg`](super::nncg)). Every ten sweeps (eight, up to 24 contacts) predict from the last twenty how many are left. When that is
//! more than the sweeps an analysis of the structure costs, analyse; when six factorisations cost less than the
//! sweeps that are left, factorise. Costs are counted in multiplications, not in seconds, so results do not depend
//! on the machine. Of thousands of contacts an analysis waits until sweeps have cost as much. Too large to factorise, or sweeps falling fast: sweeps to the end.
//!
//! Factorising goes by turns: Newton on the Alart–Curnier map, [interior points](super::interior_point) from zero, Newton on the natural map and on that of
//! Fischer and Burmeister, each until it gets stuck; in the second round then a path from the convex relaxation to Coulomb's law (`continuation.rs`). Newton starts from where
//! sweeps came to; in later rounds elsewhere, with all contacts pushing. After each turn sweeps go on, from the best impulses there were. Where a
//! factorisation costs as much as a few sweeps, there are ten between turns, and twice as many in the second round and in the third. Where it is dear, as in packings, turns wait until sweeps
//! have cost as much as all factorisations together (and before interior points, as those will): so nothing that gets stuck costs more than twice what sweeps alone would have. Unless sweeps
//! lead nowhere: then there is nothing to wait for.
//!
//! The data behind it: milliseconds and iterations to a residual of 1e-8 (`coulomb table` in `benches`), all from one run on a shared machine with two busy cores (compare
//! columns, not with other machines); `–` is not there after 0.4 s or 100,000 iterations. Random problems couple three contacts a body, with `μ = 0.6`:
//!
//! | | default | Gauss–Seidel | NNCG | APGD | ADMM | Newton, Alart–Curnier | Newton, natural | interior point |
//! |---|---|---|---|---|---|---|---|---|
//! | random, 20 contacts | 0.08 (10) | 0.12 (52) | 0.12 (36) | 0.59 (204) | 0.47 (85) | 0.08 (12) | 0.08 (12) | 0.71 (12) |
//! | random, 100 | 0.78 (55) | 1.0 (83) | 0.75 (55) | 7.7 (483) | 9.4 (140) | 2.6 (15) | 2.5 (15) | 9.9 (11) |
//! | random, 300 | 7.8 (91) | 8.1 (128) | 3.7 (91) | 44 (594) | 203 (288) | 88 (15) | 68 (15) | 220 (13) |
//! | random, 1,000 | 41 (84) | 60 (184) | 40 (84) | 336 (795) | – | – | – | – |
//! | tower of 20 boxes | 0.74 (32) | – | 230 (12257) | 3.5 (528) | 10 (282) | 0.58 (12) | 0.59 (12) | 8.2 (11) |
//! | tower of 100 boxes | 16 (32) | – | – | – | – | 8.3 (12) | 6.7 (12) | 94 (20) |
//! | 1,000 kg on 1 kg | 0.05 (11) | – | 2.0 (2232) | 2.0 (2764) | 3.3 (1930) | 0.05 (13) | 0.05 (13) | 0.15 (11) |
//! | 10⁶ kg on 1 kg | 0.10 (16) | – | – | – | – | 0.10 (18) | 0.09 (17) | 0.17 (12) |
//!
//! Default and NNCG do the same on random problems of 300 contacts: the difference is the machine.
//!
//! Those times are from before systems were solved over velocities of bodies; since then, beside other work, interior points take 38 ms for 300 random contacts and 0.5 s for
//! 1,000, 26 ms for the tower of 100.
//!
//! Why by turns: how many problems converge. Walls are of bricks hit by a ball, with gaps that contradict each other. The first six columns within 3,000 iterations and
//! 1.5 s (and before systems were solved over velocities); the default within 5,000 iterations and 4 s of processor time.
//!
//! | | Alart–Curnier | natural | Fischer–Burmeister | interior point | NNCG | ADMM | default | its iterations |
//! |---|---|---|---|---|---|---|---|---|
//! | wall, 92 contacts, `μ = 0.3` | 3/4 | 3/4 | 4/4 | 4/4 | 4/4 | 4/4 | 4/4 | 55–88 |
//! | the same, 0.6 | 2/4 | 3/4 | 3/4 | 3/4 | 3/4 | 2/4 | 4/4 | 49–76 |
//! | the same, 1 | 3/4 | 3/4 | 4/4 | 2/4 | 4/4 | 4/4 | 4/4 | 63–1,639 |
//! | wall, 420 contacts, 0.3 | 0/4 | 0/4 | 0/4 | 3/4 | 1/4 | 0/4 | 4/4 | 64–106 |
//! | the same, 0.6 | 0/4 | 0/4 | 0/4 | 2/4 | 0/4 | 0/4 | 4/4 | 71–960 |
//! | the same, 1 | 0/4 | 0/4 | 0/4 | 0/4 | 0/4 | 0/4 | 4/4 | 1,102–2,671 |
//! | random, 50 contacts, `μ = 2` | 10/10 | 9/10 | 10/10 | 5/10 | 2/10 | 0/10 | 10/10 | 16–125 |
//! | random, 10 contacts, 5 | 10/10 | 9/10 | 10/10 | 10/10 | 6/10 | 1/10 | 10/10 | 9–28 |
//! | random, 50, 5 | 6/10 | 4/10 | 8/10 | 3/10 | 1/10 | 0/10 | 60/60 | 16–1,474 |
//! | random, 200, 5 | 0/10 | 1/10 | 3/10 | 0/10 | 0/10 | 0/10 | 19/20 | 409–1,325 |
//!
//! The other columns are from before Newton's systems were regularised as much as they need. That made the difference for large walls with `μ = 1`, of which the default solved one or two
//! before: solutions exist (bricks can part upwards), but on the way from the convex relaxation they appear and vanish in pairs.
//!
//! Packings, in milliseconds on a busy machine, from zero: 300 balls as they come to rest, 1,493 contacts. At rest and from the impulses of the step before, ten sweeps reach 1e-5
//! in a millisecond.
//!
//! | residual | default | NNCG | APGD | interior point | default that did not wait |
//! |---|---|---|---|---|---|
//! | 1e-3 | 90 | 25 | 73 | 220 | 444 |
//! | 1e-4 | 250 | 180 | 813 | 250 | 6,634 |
//! | 1e-6 | 960 | 920 | 7,633 | – | 8,000 |

use std::ops::ControlFlow;

use super::super::turns::{Methods, Pace, alternate};
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
/// Sweeps in the time it takes to write out the blocks and analyse their structure, for few contacts and for more.
const ANALYSIS_SMALL: f64 = 4.0;
const ANALYSIS: f64 = 150.0;
/// Contacts from which on structures no longer fit into caches, and sweeps that come before one is analysed then: it takes longer than it is said to.
const MANY: usize = 2000;
const SWEEPS_OF_MANY: f64 = 1500.0;
/// Sweeps after a method got stuck, doubled in the second round and the third, where factorisations are cheap.
const SWEEPS_BETWEEN: usize = 10;
/// Factorisations of interior points that lead nowhere, about.
const INTERIOR_STEPS: f64 = 25.0;

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
    let pace = Pace { look, sweep: SWEEP * problem.contacts() as f64, analysis, wait };
    let sweeper = Sweeper::new(problem, &gauss_seidel::Settings::default());
    let mut turns = Turns { problem, system: None, turn: Turn::FIRST };
    alternate(run, r, sweeper, &pace, &mut turns)
}

/// Methods by turns.
struct Turns<'a, A> {
    problem: &'a ContactProblem<A>,
    system: Option<System<'a, A>>,
    turn: Turn,
}

impl<'a, A: Delassus> Turns<'a, A> {
    fn system(&mut self) -> &mut System<'a, A> {
        self.system.get_or_insert_with(|| System::new(self.problem, LinearMethod::Auto))
    }
}

impl<'a, A: Delassus> Methods<'a, ContactProblem<A>> for Turns<'a, A> {
    fn between(&self) -> usize {
        match self.turn.round {
            0 => 0,
            round => SWEEPS_BETWEEN << round.min(2),
        }
    }

    fn ahead(&self) -> f64 {
        self.turn.method.ahead()
    }

    fn cost(&mut self) -> f64 {
        self.system().cost()
    }

    fn factorisations(&self) -> usize {
        self.system.as_ref().map_or(0, System::factorisations)
    }

    fn take(&mut self, run: &mut Run<'a, A>, r: &mut [f64], most: usize) -> ControlFlow<Status> {
        let turn = self.turn;
        if let Some(push) = turn.push() {
            start_anew(self.problem, push, r);
        }
        turn.method.take(run, r, self.system(), most)?;
        self.turn = turn.next();
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

/// Whose turn it is, and how often all have had theirs.
#[derive(Clone, Copy)]
struct Turn {
    method: Method,
    round: usize,
}

impl Turn {
    const FIRST: Self = Self { method: Method::Newton(Map::AlartCurnier), round: 0 };

    /// Where sweeps lead to the same place over and over, later rounds start elsewhere: all contacts push this much, in velocities without impulses.
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
            Self::InteriorPoint => interior_point::iterate(run, r, system),
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
