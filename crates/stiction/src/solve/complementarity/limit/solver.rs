//! Solvers of contacts with limit surfaces, by name.
//!
//! The default sweeps with conjugate directions. Every ten sweeps it predicts from the last twenty how many are left; where six Newton steps cost less, counted in
//! multiplications, it takes them, and sweeps again where they get stuck, twice as long each time. Newton's systems are over velocities of bodies, where the
//! operator knows them; otherwise dense, up to 400 unknowns, and sweeps alone above.
//!
//! The data behind it (`rolling` in `benches`: balls with friction 0.3, and a tenth of the radius for spin and for rolling, fall into a box; from zero to 1e-6 m/s;
//! milliseconds of processor time and iterations, development profile, busy machine). *Before* is sweeps without directions. The rows of 190 and 521 contacts are from when Newton's method
//! began with a regularisation of 1e-8 instead of 0.1:
//!
//! | contacts | before | NNCG | Newton | default | proximal sweeps | Newton, dense |
//! |---|---|---|---|---|---|---|
//! | 190, falling | | 4 (45) | 20 (25) | 16 (54) | | |
//! | 521, falling | 46 (154) | 21 (53) | 61 (18) | 44 (22) | 51 (293) | – (2 in 17 s) |
//! | 273, coming to rest | – (1.7e-6 after 10 s) | | | | – (3.7e-6) | – (1e-2) |
//!
//! The hard steps are those in which a heap comes to rest. Of 64 balls (144 to 272 contacts), started from the impulses of the step before, all of the first 34 steps reach
//! 1e-5 m/s, most in 15 to 115 iterations and two in 271 and 1,328; to 1e-6 within 600 iterations, of steps 23 to 36 eleven do (sweeps and Newton without growing regularisation:
//! none; the former default stopped after 5,000 sweeps in most, at 1e-6 to 1e-4). Measured with a natural map as every second turn, which never helped and is gone.

use super::super::cone::operator::Delassus;
use super::super::cone::prox::{Factor, Settings, Splitting};
use super::super::run::conduct;
use super::super::{Limits, Watch};
use super::{LimitProblem, default, newton, sweep};
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
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Default,
        Self::GaussSeidel,
        Self::Nncg,
        Self::ProxGaussSeidel,
        Self::ProxJacobi,
        Self::Newton,
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
        }
    }

    /// Improves the impulses `r` in place.
    ///
    /// # Panics
    /// When `r` does not have as many numbers as the problem has unknowns.
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
