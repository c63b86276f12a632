//! Contact problems without bodies: what unknown impulses do to velocities, and the law that ties both.
//!
//! Impulses `r` (or multipliers `x`) make velocities `u = A r + b`. Velocities are those of A relative to B, impulses
//! act on A, normals point from B to A: so normal velocities that open are positive, and so are impulses that push.
//!
//! | problem | law | in |
//! |---|---|---|
//! | linear complementarity | `0 ≤ x ⊥ A x + b ≥ 0`, or between bounds that may depend on other unknowns | [`linear`] |
//! | Coulomb | `r` in the cone, opposite to what slides | [`cone`] |
//! | limit surfaces | friction, torsion and rolling within any ellipsoids that grow with the normal impulse | [`limit`] |
//!
//! Every solver starts from the unknowns it is given, so each can be started warm; tells of each iteration
//! ([`Progress`]); and returns a [`Report`](super::Report). They read no clock: whoever watches does, and may stop
//! them.

pub mod cone;
pub mod limit;
pub mod linear;

mod accelerated;
mod anderson;
mod newton;
mod portfolio;
mod run;
mod second_order_cone;

use std::ops::ControlFlow;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Of the residual that the problem defines, in units of its unknown velocities [m/s].
    pub tolerance: f64,
    /// The most iterations.
    pub iterations: usize,
}

impl Limits {
    /// The same, where a residual that is this part of the problem's speed is small enough too: the tolerance is the
    /// larger of both, `relative` [-] times `speed` [m/s].
    ///
    /// The speed is the largest velocity without impulses, which is given. Impulses are no measure: where there is no
    /// solution they grow, and whatever is divided by them becomes small.
    #[must_use]
    pub fn or_relative(self, relative: f64, speed: f64) -> Self {
        Self { tolerance: self.tolerance.max(relative * speed), ..self }
    }
}

/// An iteration that has just ended.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Counted from one; zero is the start.
    pub iteration: usize,
    /// The residual of `unknowns`, if the solver knows it without extra work.
    pub residual: Option<f64>,
    /// Impulses or multipliers so far.
    pub unknowns: &'a [f64],
}

/// Is told of every iteration, and says whether to go on.
pub trait Watch {
    /// Breaks to stop the solver with what it has.
    fn iteration(&mut self, progress: &Progress<'_>) -> ControlFlow<()>;
}

impl<F: FnMut(&Progress<'_>) -> ControlFlow<()>> Watch for F {
    fn iteration(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        self(progress)
    }
}

/// Nobody watches.
impl Watch for () {
    fn iteration(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
