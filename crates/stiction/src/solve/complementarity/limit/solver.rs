//! Solvers of contacts with limit surfaces, by name.

use super::super::cone::operator::Delassus;
use super::super::cone::prox::{Factor, Settings, Splitting};
use super::super::run::conduct;
use super::super::{Limits, Watch};
use super::{LimitProblem, newton, sweep};
use crate::solve::{Report, Status};

/// Unknowns up to which a dense factorisation costs less than the sweeps it saves.
const DENSE: usize = 400;
/// Sweeps before the default tries Newton's method.
const SWEEPS: usize = 12;

/// How a problem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Sweeps; after some, where contacts are few, Newton's method.
    #[default]
    Default,
    /// Each contact solved on its own, one after the other.
    GaussSeidel,
    /// A proximal step for each contact, one after the other.
    ProxGaussSeidel,
    /// Proximal steps for all at once.
    ProxJacobi,
    /// Semismooth Newton, dense.
    Newton,
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Default, Self::GaussSeidel, Self::ProxGaussSeidel, Self::ProxJacobi, Self::Newton];

    /// Its name, for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::GaussSeidel => "gauss-seidel",
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
            Self::Default => {
                let small = problem.unknowns() <= DENSE;
                let most = if small { SWEEPS } else { usize::MAX };
                let ended = sweep::gauss_seidel(run, r, most);
                ended.unwrap_or_else(|| newton::iterate(run, r))
            }
            Self::GaussSeidel => {
                sweep::gauss_seidel(run, r, usize::MAX).unwrap_or(Status::IterationLimit)
            }
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
