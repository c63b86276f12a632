//! Solvers of contacts with limit surfaces, by name.
//!
//! The default sweeps with conjugate directions. Every ten sweeps it predicts from the last twenty how many are left;
//! where six factorisations cost less, counted in multiplications, it takes interior points from zero and Newton's
//! method by turns, and sweeps again where they get stuck, twice as long each round. Systems are over velocities of
//! bodies, where the operator knows them; otherwise dense, up to 400 unknowns, and sweeps alone above.
//!
//! The data behind it (`rolling` in `benches`: balls with friction 0.3, and a tenth of the radius for spin and for
//! rolling, fall into a box; to 1e-6 m/s; milliseconds of processor time and iterations, development profile, busy
//! machine). From zero, while sweeps and Newton's method were the default:
//!
//! | contacts | sweeps | NNCG | Newton | proximal sweeps | Newton, dense |
//! |---|---|---|---|---|---|
//! | 190, falling | | 4 (45) | 20 (25) | | |
//! | 521, falling | 46 (154) | 21 (53) | 61 (18) | 51 (293) | – (2 in 17 s) |
//! | 273, coming to rest | – (1.7e-6 after 10 s) | | | – (3.7e-6) | – (1e-2) |
//!
//! The hard steps are those in which a heap comes to rest. Started from the impulses of the step before, how many
//! steps converge, in how many iterations and seconds all together. *Before* is sweeps and Newton's method by turns,
//! *after* has interior points; each goes its own way, so problems are alike and not the same:
//!
//! | balls | steps | contacts | limit | before | after |
//! |---|---|---|---|---|---|
//! | 64 | 17 to 36 | 176 to 273 | 600 iterations | 16 of 20, 3.4 s | 20 of 20, 1.1 s |
//! | 200 | 25 to 44 | 639 to 964 | 1,000 iterations, 6 s each | 15 of 20, 32 s | 20 of 20, 6.3 s |
//!
//! Interior points reach 1e-6 by themselves in 25 to 35 factorisations where balls still move; where they hardly do,
//! they jam at 1e-3 in some steps, on boundaries of cones that are not yet the right ones, and convex programs, other
//! starts and Newton's method have to help. The step after the last of 200 balls (965 contacts, 5 mJ a ball) was left
//! at 1.2e-5 after 6 s; of 64 balls, one of the eight after the last was left at 1.0e-6 after 600 iterations.

use super::super::cone::operator::Delassus;
use super::super::cone::prox::{Factor, Settings, Splitting};
use super::super::run::conduct;
use super::super::{Limits, Watch};
use super::{LimitProblem, default, interior_point, newton, sweep};
use crate::solve::{Report, Status};

/// How a problem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Accelerated sweeps and Newton steps by turns.
    #[default]
    Default,
    /// Each contact solved on its own, one after the other.
    GaussSeidel,
    /// The same with conjugate directions between sweeps.
    Nncg,
    /// A proximal step for each contact, one after the other.
    ProxGaussSeidel,
    /// Proximal steps for all at once.
    ProxJacobi,
    /// Semismooth Newton, over velocities of bodies or dense.
    Newton,
    /// Interior points from zero, then Newton.
    InteriorPoint,
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Default,
        Self::GaussSeidel,
        Self::Nncg,
        Self::ProxGaussSeidel,
        Self::ProxJacobi,
        Self::Newton,
        Self::InteriorPoint,
    ];

    /// Its name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::GaussSeidel => "gauss-seidel",
            Self::Nncg => "nncg",
            Self::ProxGaussSeidel => "prox-gauss-seidel",
            Self::ProxJacobi => "prox-jacobi",
            Self::Newton => "newton",
            Self::InteriorPoint => "interior-point",
        }
    }

    /// Improves the impulses `r` in place.
    ///
    /// # Panics
    /// When `r` does not have as many numbers as the problem has unknowns.
    #[doc(alias("warm start"))]
    pub fn solve<A: Delassus>(
        self,
        problem: &LimitProblem<A>,
        r: &mut [f64],
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Report {
        silence(problem, r);
        conduct(problem, r, limits, watch, |run, r| match self {
            Self::Default => default::iterate(run, r),
            Self::GaussSeidel => {
                sweep::gauss_seidel(run, r, usize::MAX).unwrap_or(Status::IterationLimit)
            }
            Self::Nncg => sweep::accelerated(run, r),
            Self::ProxGaussSeidel => {
                let settings = Settings { factor: Factor::Blocked, ..Settings::default() };
                sweep::proximal(run, r, &settings)
            }
            Self::ProxJacobi => {
                let (splitting, factor) = (Splitting::Jacobi, Factor::Global);
                let settings = Settings { splitting, factor, reduction: Some(0.5) };
                sweep::proximal(run, r, &settings)
            }
            Self::Newton => newton::iterate(run, r),
            Self::InteriorPoint => interior_point::to_the_end(run, r),
        })
    }
}

/// Rows in which friction has no reach carry nothing, whatever they start with.
fn silence<A: Delassus>(problem: &LimitProblem<A>, r: &mut [f64]) {
    for (k, contact) in problem.parts().iter().enumerate() {
        for (r, scale) in r[problem.range(k)].iter_mut().zip(&contact.scale) {
            if *scale == 0.0 {
                *r = 0.0;
            }
        }
    }
}
