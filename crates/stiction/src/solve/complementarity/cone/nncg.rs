//! Nonsmooth nonlinear conjugate gradients around Gauss–Seidel sweeps, generalised from boxes to cones
//! (`spec/contact-solvers.md` §2.9.10).
//!
//! What a sweep changes is taken for a gradient, and Fletcher–Reeves directions are added to it. Towers need about as many
//! iterations as they have boxes, where Gauss–Seidel needs the square; large mass ratios cost a root less. No line search
//! and no proof: it restarts whenever the gradient grows, which makes it Gauss–Seidel in the worst case. The last sweep is
//! returned, because the extrapolated impulses may lie outside of their cones.

use std::ops::ControlFlow;

use super::super::{Limits, Watch};
use super::gauss_seidel::{self, Sweeper};
use super::run::conduct;
use super::{ContactProblem, Delassus};
use crate::solve::Report;
use crate::solve::vector::dot;

/// Improves the impulses `r` in place; an iteration is a sweep.
///
/// # Panics
/// When `r` does not have three numbers a contact.
pub fn solve<A: Delassus>(
    problem: &ContactProblem<A>,
    r: &mut [f64],
    limits: &Limits,
    settings: &gauss_seidel::Settings,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, r, limits, watch, |run, r| {
        let mut accelerated = Accelerated::new(problem, settings, r);
        loop {
            let residual = accelerated.sweep(r, &mut run.memory);
            if let ControlFlow::Break(status) = run.proposed(r, residual) {
                break status;
            }
        }
    })
}

/// Sweeps with memory.
pub(super) struct Accelerated<'a, A> {
    problem: &'a ContactProblem<A>,
    sweeper: Sweeper<'a, A>,
    /// Where the next sweep starts.
    x: Vec<f64>,
    direction: Vec<f64>,
    gradient: Vec<f64>,
    square: f64,
}

impl<'a, A: Delassus> Accelerated<'a, A> {
    pub(super) fn new(
        problem: &'a ContactProblem<A>,
        settings: &gauss_seidel::Settings,
        r: &[f64],
    ) -> Self {
        Self {
            problem,
            sweeper: Sweeper::new(problem, settings),
            x: r.to_vec(),
            direction: vec![0.0; r.len()],
            gradient: vec![0.0; r.len()],
            square: f64::INFINITY,
        }
    }

    /// Forgets directions, and goes on from `r`.
    pub(super) fn restart(&mut self, r: &[f64]) {
        self.x.copy_from_slice(r);
        self.direction.fill(0.0);
        self.square = f64::INFINITY;
    }

    /// Leaves the outcome of a sweep in `r`; returns the residual where it started.
    pub(super) fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        r.copy_from_slice(&self.x);
        self.problem.operator().gather(r, memory);
        let residual = self.sweeper.sweep(r, memory);
        for ((g, x), r) in self.gradient.iter_mut().zip(&self.x).zip(&*r) {
            *g = x - r;
        }
        let before = std::mem::replace(&mut self.square, dot(&self.gradient, &self.gradient));
        // The first β is zero: a division by infinity.
        let beta = self.square / before;
        if beta < 1.0 {
            let directions = self.direction.iter_mut().zip(&self.gradient);
            for ((x, r), (p, g)) in self.x.iter_mut().zip(&*r).zip(directions) {
                *x = r + beta * *p;
                *p = beta * *p - g;
            }
        } else {
            let square = self.square;
            self.restart(r);
            self.square = square;
        }
        residual
    }
}
