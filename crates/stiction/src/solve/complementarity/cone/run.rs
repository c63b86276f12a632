//! Solves of contact problems, from start to end: see [`run`](super::super::run).

use super::super::run::{self, Posed};
use super::residual::{infeasibility, natural};
use super::{ContactProblem, Delassus};
use crate::solve::vector::max_abs;

pub(super) use run::conduct;

/// A solve under way.
pub(super) type Run<'a, A> = run::Run<'a, ContactProblem<A>>;

impl<A: Delassus> Posed for ContactProblem<A> {
    fn unknowns(&self) -> usize {
        3 * self.contacts()
    }

    fn room(&self) -> Vec<f64> {
        self.memory()
    }

    fn evaluate(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]) {
        self.velocities(r, u, memory);
    }

    fn judge(&self, r: &[f64], u: &[f64]) -> f64 {
        natural(self, r, u)
    }

    fn hopeless(&self) -> f64 {
        infeasibility(self)
    }

    fn free_speed(&self) -> f64 {
        self.speed()
    }

    fn largest_term(&self, r: &[f64]) -> f64 {
        let term = |i: usize| max_abs(&r[3 * i..3 * i + 3]) / self.mass(i);
        (0..self.contacts()).map(term).fold(0.0, f64::max)
    }
}
