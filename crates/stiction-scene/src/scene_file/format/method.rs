//! How time is advanced.

use super::super::decode::{Spanned, choice, record, word};
use super::super::leaves::{Count, Index, NameOr, Number, Positive};

choice! {
    /// The way of taking a step.
    MethodTable, "a method" {
        /// Fully implicit steps.
        "smooth" => Smooth(SmoothTable),
    }
}

record! {
    /// Fully implicit steps.
    SmoothTable, "the smooth method" {
        /// Length of a step [s]; by default 0.01, or a hundredth of the duration if that is shorter.
        time_step: Option<Positive>,
        /// `backward-euler`, `bdf2` (default), `trapezoid`, `tr-bdf2`, `sdirk2`, `newmark`, or a table with parameters.
        integrator: Option<IntegratorValue>,
        /// Largest unbalanced acceleration that counts as solved [m/s²]; by default a ten-millionth of gravity or of
        /// one metre per second squared, whichever is more.
        tolerance: Option<Positive>,
        /// Newton iterations per stage; 60 by default.
        max_iterations: Option<Count>,
        /// How often a step that fails may be halved; 6 by default.
        max_halvings: Option<Index>,
        /// How the equations are solved; `auto` by default.
        solver: Option<SolverWord>,
        /// What is done about indefinite Hessians; `projection` by default.
        stabilisation: Option<StabilisationWord>,
    }
}

/// A scheme by name, or with its parameters.
pub type IntegratorValue = Spanned<NameOr<IntegratorTable>>;

choice! {
    /// A scheme with parameters.
    IntegratorTable, "an integrator" {
        /// A trapezoid stage, then BDF2.
        "tr-bdf2" => TrBdf2(SplitTable),
        /// The classic of structural dynamics.
        "newmark" => Newmark(NewmarkTable),
    }
}

record! {
    /// Where TR-BDF2 splits a step.
    SplitTable, "tr-bdf2" {
        /// In (0, 1) [-].
        split: Number,
    }
}

record! {
    /// Parameters of Newmark's scheme.
    NewmarkTable, "newmark" {
        /// Weight of the new acceleration in the position [-].
        beta: Number,
        /// Weight of the new acceleration in the velocity [-].
        gamma: Number,
    }
}

word! {
    /// How equations are solved.
    SolverWord, "a solver" {
        /// Minimisation where forces have an energy, Newton where not.
        "auto" => Auto,
        /// Minimisation of the incremental potential.
        "minimise" => Minimise,
        /// Damped Newton with direct solves.
        "newton" => Newton,
        /// Inexact Newton with GMRES and incomplete factors.
        "inexact-newton" => InexactNewton,
        /// Inexact Newton with products that never form a matrix.
        "matrix-free" => MatrixFree,
    }
}

word! {
    /// What makes an indefinite Hessian positive definite.
    StabilisationWord, "a stabilisation" {
        /// Each element's Hessian loses its negative eigenvalues.
        "projection" => Projection,
        /// The diagonal is shifted as little as the whole matrix asks for.
        "inertia" => Inertia,
    }
}
