//! How time is advanced.

use super::super::decode::{Spanned, choice, record, word};
use super::super::leaves::{Count, Fraction, Index, Name, NameOr, NotNegative, Number, Positive};

choice! {
    /// The way of taking a step.
    MethodTable, "a method" {
        /// Fully implicit steps.
        "smooth" => Smooth(Box<SmoothTable>),
        /// Impulses that obey Coulomb's law exactly.
        "impulse" => Impulse(ImpulseTable),
        /// Barriers: nothing passes through.
        "barrier" => Barrier(BarrierTable),
    }
}

impl MethodTable {
    /// What the method is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Smooth(_) => "smooth",
            Self::Impulse(_) => "impulse",
            Self::Barrier(_) => "barrier",
        }
    }

    /// The length of a step, if it is written [s].
    pub fn time_step(&self) -> Option<f64> {
        match self {
            Self::Smooth(table) => table.time_step,
            Self::Impulse(table) => table.time_step,
            Self::Barrier(table) => table.time_step,
        }
        .map(|step| step.0)
    }

    /// Writes the length of a step [s].
    pub(crate) fn set_time_step(&mut self, seconds: f64) {
        *match self {
            Self::Smooth(table) => &mut table.time_step,
            Self::Impulse(table) => &mut table.time_step,
            Self::Barrier(table) => &mut table.time_step,
        } = Some(Positive(seconds));
    }
}

record! {
    /// Barriers between features of meshes: nothing passes through.
    BarrierTable, "the barrier method" {
        /// Length of a step [s]; 0.01 by default. Shortened where `frame_rate` asks for it.
        time_step: Option<Positive>,
        /// As of `smooth`; `backward-euler` by default.
        integrator: Option<IntegratorValue>,
        /// Largest unbalanced acceleration that counts as solved [m/s²]; by default a ten-thousandth of gravity or of
        /// one metre per second squared, whichever is more.
        tolerance: Option<Positive>,
        /// Newton iterations of one minimisation; 200 by default.
        max_iterations: Option<Count>,
        /// How often a step that fails may be halved; 6 by default.
        max_halvings: Option<Index>,
        /// How friction knows its normal forces; `implicit` by default.
        coupling: Option<BarrierCouplingWord>,
        /// How often a stage is minimised at most until lagged friction fits normal forces; 8 by default.
        friction_passes: Option<Count>,
    }
}

record! {
    /// Impulses that obey Coulomb's law exactly.
    ImpulseTable, "the impulse method" {
        /// Length of a step [s]; 0.01 by default. Shortened where `frame_rate` asks for it.
        time_step: Option<Positive>,
        /// What finds the impulses; `default` chooses by problem.
        solver: Option<Name>,
        /// What impulses do to bodies that deform or are joined, and how that is computed; `assembled` by default.
        operator: Option<OperatorWord>,
        /// Largest error of a contact's velocity that counts as solved [m/s]; 1e-8 by default.
        tolerance: Option<Positive>,
        /// Iterations of the solver in a step; 10000 by default.
        max_iterations: Option<Count>,
        /// How often a step that fails may be halved; 6 by default.
        max_halvings: Option<Index>,
        /// Where in a step contacts are found; `semi-implicit` by default.
        stepping: Option<SteppingWord>,
        /// What is done about overlaps; `projection` by default.
        stabilisation: Option<OverlapWord>,
        /// Of `projection`: overlaps that may stay, in sizes of the smaller body; 1e-4 by default [-].
        allowed_overlap: Option<Spanned<Positive>>,
        /// Of `projection`: how often bodies are moved after a step, at most; 5 by default.
        passes: Option<Spanned<Count>>,
        /// Of `baumgarte`: part of an overlap that a step takes away, "ERP"; 0.2 by default [-].
        correction: Option<Spanned<Fraction>>,
        /// Of `baumgarte`: how much contacts give way, "CFM"; 0 by default [1/kg].
        compliance: Option<Spanned<NotNegative>>,
        /// Bodies that approach more slowly than this do not bounce [m/s]; 0.02 by default.
        bounce_velocity: Option<NotNegative>,
        /// Bodies that have been calm for so long sleep [s]; by default none ever does.
        sleep_time: Option<Positive>,
        /// Of bodies that sleep: calm is what is nowhere faster than this [m/s]; 0.005 by default.
        sleep_velocity: Option<Spanned<Positive>>,
    }
}

word! {
    /// What impulses do to bodies that deform or are joined. The first three find the same velocities.
    OperatorWord, "an operator" {
        /// One factorisation, and all that contacts do to each other written out.
        "assembled" => Assembled,
        /// One factorisation, used whenever an impulse changes; less memory.
        "factored" => Factored,
        /// No factorisation: the diagonal in place of the matrix, again and again.
        "splitting" => Splitting,
        /// Masses alone, forces as they are at the start of a step: for short steps.
        "mass" => Mass,
    }
}

word! {
    /// Where in a step contacts are found.
    SteppingWord, "a way of stepping" {
        /// At its start.
        "semi-implicit" => SemiImplicit,
        /// Half-way; positions follow the mean velocity of the step.
        "midpoint" => Midpoint,
    }
}

word! {
    /// What is done about overlaps.
    OverlapWord, "a stabilisation" {
        /// Bodies are moved apart after each step, and get no faster by it.
        "projection" => Projection,
        /// Velocities that take overlaps away step by step, and stay.
        "baumgarte" => Baumgarte,
    }
}

record! {
    /// Fully implicit steps.
    SmoothTable, "the smooth method" {
        /// Length of a step [s]; 0.01 by default. Shortened where `frame_rate` asks for it.
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
        /// How contacts are modelled.
        contact: Option<ContactMethodTable>,
    }
}

record! {
    /// How contacts are modelled: numerics, not physics.
    ContactMethodTable, "contact of the smooth method" {
        /// False to ignore all contacts; true by default.
        enabled: Option<bool>,
        /// The friction law; `anchored` by default.
        law: Option<LawWord>,
        /// Of `anchored`: stiffness of the tangential spring, in units of the normal one at half thickness [-]; 100 by
        /// default.
        tangential_ratio: Option<Spanned<Positive>>,
        /// Of `anchored`: damping of that spring, 1 (default) is critical [-].
        tangential_damping: Option<Spanned<NotNegative>>,
        /// Of `anchored`: half width of the rounded passage from stick to slip [-]; 0 by default.
        corner: Option<Spanned<Fraction>>,
        /// Of `anchored`: whether tractions are unknowns of their own; `mixed` by default.
        newton: Option<Spanned<NewtonWord>>,
        /// Of `smoothed`: how traction rises with slip velocity; `quadratic` by default.
        profile: Option<Spanned<ProfileWord>>,
        /// Of `smoothed`: over which velocity it rises [m/s]; 1e-4 by default.
        epsilon: Option<Spanned<Positive>>,
        /// Of `viscous`: traction per slip velocity of a contact [N·s/m]; 1e4 by default.
        resistance: Option<Spanned<Positive>>,
        /// How hard bodies push, the nearer they are; `cubic` by default.
        push: Option<PushWord>,
        /// Of `power`: which one, at least 1; 2 by default.
        power: Option<Spanned<Positive>>,
        /// Of `exponential`: over which part of the thickness it grows; 0.125 by default [-].
        decay: Option<Spanned<Positive>>,
        /// Damping of the push, 1 is critical for the lighter body; 0 by default [-].
        damping: Option<NotNegative>,
        /// Part of its energy that a bounce returns; 1 by default [-].
        rebound: Option<Fraction>,
        /// How friction is coupled to the rest; `implicit` by default.
        coupling: Option<CouplingWord>,
        /// Of `lagged` coupling: how often a step is solved; 1 by default.
        passes: Option<Spanned<Count>>,
        /// What slip is measured from; `auto` by default.
        slip: Option<SlipWord>,
        /// Gap at which bodies begin to push, for pairs that give none [m]; by default chosen for each pair.
        thickness: Option<Positive>,
        /// A third of the normal stiffness at half the thickness, for pairs that give none [N/m]; by default chosen for
        /// each pair.
        stiffness: Option<Positive>,
        /// Gap at which points that came nearer than the thickness let go, for pairs that give none [m]; by default
        /// they never hold on.
        fracture: Option<Positive>,
        /// Times a step may be repeated with stiffer contacts because something penetrated; 8 by default.
        max_stiffenings: Option<Index>,
    }
}

word! {
    /// A friction law.
    LawWord, "a friction law" {
        /// A stiff spring in series with a Coulomb slider: holds without creep.
        "anchored" => Anchored,
        /// Coulomb friction, without a spring.
        "exact" => Exact,
        /// Traction rises with slip velocity: creeps.
        "smoothed" => Smoothed,
        /// Viscous up to Coulomb's limit: creeps.
        "viscous" => Viscous,
    }
}

word! {
    /// How the push grows with depth. All carry the same load at half the thickness.
    PushWord, "a push" {
        /// Energy with the third power of the depth.
        "cubic" => Cubic,
        /// A spring.
        "spring" => Spring,
        /// A power of the depth.
        "power" => Power,
        /// Exponentially.
        "exponential" => Exponential,
    }
}

word! {
    /// Unknowns of Newton's method.
    NewtonWord, "a form of Newton's method" {
        /// Velocities and tractions.
        "mixed" => Mixed,
        /// Velocities only; more iterations.
        "primal" => Primal,
    }
}

word! {
    /// How traction rises with slip velocity `x`.
    ProfileWord, "a profile" {
        /// `2y − y²` with `y = x/ε`, and 1 above `ε`.
        "quadratic" => Quadratic,
        /// `x/(x + ε)`: reaches the limit nowhere.
        "rational" => Rational,
    }
}

word! {
    /// How friction is coupled to the rest.
    CouplingWord, "a coupling" {
        /// Everything at the end of the stage.
        "implicit" => Implicit,
        /// Normal forces of the start of the step, or of the pass before; for comparison.
        "lagged" => Lagged,
        /// The trapezoid rule for all but contact; for comparison.
        "decoupled" => Decoupled,
    }
}

word! {
    /// What slip is measured from.
    SlipWord, "a measure of slip" {
        /// Positions where the integrator allows it, else velocities.
        "auto" => Auto,
        /// Velocities.
        "velocity" => Velocity,
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
    /// How friction of the barrier method knows its normal forces.
    BarrierCouplingWord, "a coupling of friction" {
        /// They are unknown as everything else is.
        "implicit" => Implicit,
        /// Of the minimum before, found again until they fit.
        "lagged" => Lagged,
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
