//! Where the time goes, measured by the caller's clock: the library has none of its own.

use std::fmt;

/// Parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Energies and their gradients.
    Forces,
    /// Second derivatives and the Jacobian.
    Assembly,
    /// Ordering and symbolic factorisation.
    Analysis,
    /// Numeric factorisation, of a matrix or a preconditioner.
    Factor,
    /// Substitution, refinement and Krylov iterations.
    Solve,
    /// Finding contacts: broad and narrow phase.
    Detection,
    /// Forces of contacts, and their derivatives.
    Contact,
    /// The solver of contact impulses, where a method has one.
    ContactSolver,
    /// Energies and contacts at the points that a line search compares.
    LineSearch,
}

impl Phase {
    /// All, in order.
    pub const ALL: [Self; 9] = [
        Self::Forces,
        Self::Assembly,
        Self::Analysis,
        Self::Factor,
        Self::Solve,
        Self::Detection,
        Self::Contact,
        Self::ContactSolver,
        Self::LineSearch,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forces => "forces",
            Self::Assembly => "assembly",
            Self::Analysis => "analysis",
            Self::Factor => "factor",
            Self::Solve => "solve",
            Self::Detection => "detection",
            Self::Contact => "contact",
            Self::ContactSolver => "contact_solver",
            Self::LineSearch => "line_search",
        }
    }
}

/// Seconds per phase, since the clock was set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    seconds: [f64; Phase::ALL.len()],
}

impl Timings {
    /// Seconds spent in a phase.
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }
}

/// A clock and what it has measured.
#[derive(Default)]
pub(crate) struct Meter {
    clock: Option<Box<dyn Fn() -> f64 + Send + Sync>>,
    pub(super) timings: Timings,
    /// Whether what is looked at are trial points of a line search: all phases are that one.
    searching: bool,
    /// Most bytes that a matrix and its factor have taken since [`Meter::begin_step`].
    memory: usize,
}

/// A phase that has begun.
#[must_use = "a phase ends with `Meter::stop`"]
pub(crate) struct Started {
    phase: Phase,
    at: Option<f64>,
}

impl Meter {
    pub(crate) fn set_clock(&mut self, clock: Box<dyn Fn() -> f64 + Send + Sync>) {
        *self = Self { clock: Some(clock), ..Self::default() };
    }

    /// Time is booked on the line search from here on, or no longer.
    pub(crate) fn set_searching(&mut self, searching: bool) {
        self.searching = searching;
    }

    /// A step begins: nothing is held in memory.
    pub(crate) fn begin_step(&mut self) {
        self.memory = 0;
    }

    /// A matrix and a factor of it take so many numbers together.
    pub(crate) fn hold(&mut self, numbers: usize) {
        self.memory = self.memory.max(numbers * size_of::<f64>());
    }

    /// Most memory that a matrix and its factor took in the step [bytes].
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    fn book(&mut self, phase: Phase, seconds: f64) {
        let phase = if self.searching { Phase::LineSearch } else { phase };
        self.timings.seconds[phase as usize] += seconds;
    }

    /// Begins a phase that is not one call.
    pub(crate) fn start(&self, phase: Phase) -> Started {
        Started { phase, at: self.clock.as_ref().map(|clock| clock()) }
    }

    /// Ends it, and books its time.
    pub(crate) fn stop(&mut self, Started { phase, at }: Started) {
        if let (Some(clock), Some(at)) = (&self.clock, at) {
            let seconds = clock() - at;
            self.book(phase, seconds);
        }
    }

    /// Runs `work` and books its time.
    pub(crate) fn time<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let Some(clock) = &self.clock else { return work() };
        let start = clock();
        let result = work();
        let seconds = clock() - start;
        self.book(phase, seconds);
        result
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").field("timings", &self.timings).finish_non_exhaustive()
    }
}
