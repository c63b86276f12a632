//! Steps of Newton's method, each as long as it helps, until they lead nowhere.
//!
//! A step is halved until the merit, the sum of squares of the map, is below the largest of the last three: it may be
//! worse than the last, not than all of them. Where no length helps, the system is
//! [regularised](super::regularisation) more.

use std::ops::ControlFlow;

use super::super::run::{Posed, Run};
use super::regularisation::Regularisation;
use crate::solve::Status;

/// Merits that a new one is compared with.
const MEMORY: usize = 3;
/// Shortest step, halved from one.
const HALVINGS: usize = 8;
/// Steps without a residual a tenth smaller after which an attempt is given up.
const PATIENCE: usize = 30;

/// A map of all contacts, and its linear systems.
pub(in super::super) trait Equations {
    /// The sum of squares of the map, for impulses and their velocities.
    fn merit(&self, r: &[f64], u: &[f64]) -> f64;

    /// Newton's step from impulses with the given velocities and merit, into `step`; false when the system could not
    /// be solved.
    fn step(
        &mut self,
        r: &[f64],
        u: &[f64],
        merit: f64,
        regularisation: f64,
        step: &mut [f64],
    ) -> bool;

    /// How often something was factorised.
    fn factorisations(&self) -> usize;
}

/// Newton steps while they lead somewhere: until all are refused, thirty have not made the residual a tenth smaller,
/// or `most` systems were factorised.
pub(in super::super) fn attempt<P: Posed>(
    run: &mut Run<'_, P>,
    r: &mut [f64],
    equations: &mut impl Equations,
    regularisation: Regularisation,
    most: usize,
) -> ControlFlow<Status> {
    let last = equations.factorisations().saturating_add(most);
    let (mut best, mut since) = (run.evaluate(r), 0);
    let mut newton = Newton::new(r.len(), regularisation);
    newton.forget(equations, r, &run.u);
    while since < PATIENCE && equations.factorisations() < last && newton.step(equations, run, r) {
        let residual = run.problem.judge(r, &run.u);
        run.iteration(r, residual)?;
        since += 1;
        if residual < 0.9 * best {
            (best, since) = (residual, 0);
        }
    }
    ControlFlow::Continue(())
}

/// What steps remember of those before.
pub(in super::super) struct Newton {
    regularisation: Regularisation,
    /// What is added in linear systems now.
    added: f64,
    step: Vec<f64>,
    start: Vec<f64>,
    merits: [f64; MEMORY],
}

impl Newton {
    pub(in super::super) fn new(unknowns: usize, regularisation: Regularisation) -> Self {
        Self {
            regularisation,
            added: regularisation.first,
            step: vec![0.0; unknowns],
            start: vec![0.0; unknowns],
            merits: [0.0; MEMORY],
        }
    }

    /// Only the merit of `r` is to be beaten.
    pub(in super::super) fn forget(&mut self, equations: &impl Equations, r: &[f64], u: &[f64]) {
        self.added = self.regularisation.first;
        self.merits = [equations.merit(r, u); MEMORY];
    }

    /// A step from `r` with its velocities in the run; false, and `r` as it was, when none is good, however short and
    /// however regular.
    pub(in super::super) fn step<P: Posed>(
        &mut self,
        equations: &mut impl Equations,
        run: &mut Run<'_, P>,
        r: &mut [f64],
    ) -> bool {
        loop {
            if let Some(length) = self.try_step(equations, run, r) {
                self.added = self.regularisation.less(self.added, length);
                return true;
            }
            match self.regularisation.more(self.added) {
                Some(more) => self.added = more,
                None => return false,
            }
        }
    }

    /// The length of a step that was taken.
    fn try_step<P: Posed>(
        &mut self,
        equations: &mut impl Equations,
        run: &mut Run<'_, P>,
        r: &mut [f64],
    ) -> Option<f64> {
        if !equations.step(r, &run.u, self.merits[0], self.added, &mut self.step) {
            return None;
        }
        let reference = self.merits.iter().copied().fold(0.0, f64::max);
        self.start.copy_from_slice(r);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            for ((r, start), step) in r.iter_mut().zip(&self.start).zip(&self.step) {
                *r = start + length * step;
            }
            run.problem.evaluate(r, &mut run.u, &mut run.memory);
            let new = equations.merit(r, &run.u);
            if new <= (1.0 - 1e-4 * length) * reference {
                self.merits.rotate_right(1);
                self.merits[0] = new;
                return Some(length);
            }
            length *= 0.5;
        }
        r.copy_from_slice(&self.start);
        run.problem.evaluate(r, &mut run.u, &mut run.memory);
        None
    }
}
