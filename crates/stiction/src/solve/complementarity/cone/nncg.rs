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
        let mut accelerated = Accelerated::new(problem, settings, r, &run.memory);
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
    /// The operator's memory of `x` and of `direction`: it is linear, so nothing need be gathered anew.
    x_memory: Vec<f64>,
    direction_memory: Vec<f64>,
    /// Sweeps since it was gathered.
    since: usize,
}

/// Sweeps after which the operator's memory is gathered anew, because rounding adds up.
const GATHER: usize = 50;

impl<'a, A: Delassus> Accelerated<'a, A> {
    /// From impulses `r`, for which the operator's memory is true.
    pub(super) fn new(
        problem: &'a ContactProblem<A>,
        settings: &gauss_seidel::Settings,
        r: &[f64],
        memory: &[f64],
    ) -> Self {
        Self {
            problem,
            sweeper: Sweeper::new(problem, settings),
            x: r.to_vec(),
            direction: vec![0.0; r.len()],
            gradient: vec![0.0; r.len()],
            square: f64::INFINITY,
            x_memory: memory.to_vec(),
            direction_memory: problem.memory(),
            since: 0,
        }
    }

    /// Forgets directions, and goes on from `r`.
    pub(super) fn restart(&mut self, r: &[f64]) {
        self.x.copy_from_slice(r);
        self.direction.fill(0.0);
        self.square = f64::INFINITY;
        self.since = GATHER;
    }

    /// Leaves the outcome of a sweep in `r`; returns the residual where it started.
    pub(super) fn sweep(&mut self, r: &mut [f64], memory: &mut [f64]) -> f64 {
        r.copy_from_slice(&self.x);
        if self.since == GATHER {
            self.problem.operator().gather(&self.x, &mut self.x_memory);
            self.problem.operator().gather(&self.direction, &mut self.direction_memory);
            self.since = 0;
        }
        self.since += 1;
        memory.copy_from_slice(&self.x_memory);
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
            let directions = self.direction_memory.iter_mut();
            for ((x, r), p) in self.x_memory.iter_mut().zip(&*memory).zip(directions) {
                let gradient = *x - r;
                *x = r + beta * *p;
                *p = beta * *p - gradient;
            }
        } else {
            self.direction.fill(0.0);
            self.direction_memory.fill(0.0);
            self.x.copy_from_slice(r);
            self.x_memory.copy_from_slice(memory);
        }
        residual
    }
}
