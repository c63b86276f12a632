//! Nonsmooth Newton's method: roots of functions that vanish exactly at solutions.
//!
//! With the minimum map (the natural residual) a step solves for the unknowns that look free: once it looks right it
//! is exact, so few iterations, and bounds that are tied move along. With the Fischer–Burmeister function the way is
//! smoother and the tail quadratic. A line search on the sum of squares keeps both from going in circles, but may get
//! stuck where nothing improves; a few Gauss–Seidel sweeps then lead on, if the matrix has a positive diagonal, else
//! it is [`Status::LineSearchFailed`]. Any matrix; dense, with an elimination every iteration.

use super::active_step::ActiveStep;
use super::elimination::eliminate;
use super::free_set::LARGEST_DENSE;
use super::gauss_seidel::{sweep, sweepable};
use super::matrix::DenseRows;
use super::monitor::conduct;
use super::problem::LinearProblem;
use super::residual::{Label, fischer_burmeister, fischer_burmeister_row, labels, natural_row};
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Whose root is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Function {
    /// The natural residual.
    #[default]
    MinimumMap,
    /// `a + b − √(a² + b²)`, once for each bound.
    FischerBurmeister,
}

/// Shortest step of the line search, and what of the promised decrease must come.
const SHORTEST: f64 = 1e-9;
const ENOUGH: f64 = 1e-4;

/// How to step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whose root is looked for.
    pub function: Function,
    /// Sweeps when stuck.
    pub sweeps: usize,
    /// How often to be stuck before giving up.
    pub rescues: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { function: Function::MinimumMap, sweeps: 10, rescues: 100 }
    }
}

/// Improves `x` in place. An iteration is a step, or the sweeps after a step that failed.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    settings: &Settings,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    conduct(problem, x, limits, watch, |mut monitor, x| {
        let n = problem.len();
        if n > LARGEST_DENSE {
            return monitor.finish(Status::Breakdown);
        }
        let function = settings.function;
        let groups: Vec<u32> = (0..problem.groups() as u32).collect();
        let mut rescues = if sweepable(problem) { settings.rescues } else { 0 };
        let a = problem.assemble_dense();
        let mut sides = Vec::<Label>::with_capacity(n);
        let (mut active, mut smooth) = (ActiveStep::default(), SmoothStep::default());
        let (mut dx, mut trial, mut u) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        loop {
            match function {
                Function::MinimumMap => {
                    labels(problem, x, &monitor.u, &mut sides);
                    active.solve(problem, &a, &sides, x, &monitor.u, &mut dx);
                }
                Function::FischerBurmeister => smooth.solve(problem, &a, x, &monitor.u, &mut dx),
            }
            let before = squares(problem, function, x, &monitor.u);
            let mut length = 1.0;
            let accepted = loop {
                for i in 0..n {
                    trial[i] = x[i] + length * dx[i];
                }
                problem.velocities(&trial, &mut u, &mut monitor.w);
                if squares(problem, function, &trial, &u) <= (1.0 - 2.0 * ENOUGH * length) * before
                {
                    break true;
                }
                length *= 0.5;
                if length < SHORTEST {
                    break false;
                }
            };
            if accepted {
                x.copy_from_slice(&trial);
            } else if rescues > 0 {
                rescues -= 1;
                problem.project(x);
                problem.matrix().start(x, &mut monitor.w);
                for _ in 0..settings.sweeps {
                    sweep(problem, &groups, 1.0, x, &mut monitor.w);
                }
            } else {
                return monitor.finish_with(x, Status::LineSearchFailed);
            }
            if let Some(status) = monitor.look(x) {
                return monitor.finish(status);
            }
        }
    })
}

fn squares(problem: &LinearProblem, function: Function, x: &[f64], u: &[f64]) -> f64 {
    let row = match function {
        Function::MinimumMap => natural_row,
        Function::FischerBurmeister => fischer_burmeister_row,
    };
    (0..x.len()).map(|i| row(problem, i, x, u[i]).powi(2)).sum()
}

/// Newton's step for the Fischer–Burmeister functions of all rows.
#[derive(Clone, Debug, Default)]
struct SmoothStep {
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl SmoothStep {
    fn solve(
        &mut self,
        problem: &LinearProblem,
        a: &DenseRows,
        x: &[f64],
        u: &[f64],
        dx: &mut [f64],
    ) {
        let n = x.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.right.clear();
        for (i, row) in self.matrix.chunks_exact_mut(n).enumerate() {
            let (by_x, by_tie, by_u) = slopes(problem, i, x, u[i]);
            for (entry, a) in row.iter_mut().zip(a.row(i)) {
                *entry = by_u * a;
            }
            row[i] += by_x;
            if let Some(tie) = problem.bounds()[i].tie {
                row[tie.row] += by_tie;
            }
            self.right.push(-fischer_burmeister_row(problem, i, x, u[i]));
        }
        eliminate(&mut self.matrix, &mut self.right, dx);
    }
}

/// How the function of a row changes with its unknown, with the unknown its bounds are tied to, and with its velocity.
fn slopes(problem: &LinearProblem, i: usize, x: &[f64], u: f64) -> (f64, f64, f64) {
    let bounds = problem.bounds()[i];
    let (lo, hi) = bounds.at(x);
    let s = problem.scale()[i];
    let (mut value, mut by_x, mut by_tie, mut by_u) = (u, 0.0, 0.0, 1.0);
    // Where the positive part has its kink, the side on which there is friction.
    let tie = bounds.tie.filter(|tie| x[tie.row] >= 0.0);
    if hi != f64::INFINITY {
        let (above, below) = gradient(s * (hi - x[i]), -u);
        value = -fischer_burmeister(s * (hi - x[i]), -u);
        (by_x, by_u) = (above * s, below);
        by_tie = -above * s * tie.map_or(0.0, |tie| tie.above);
    }
    if lo != f64::NEG_INFINITY {
        let (gap, rest) = gradient(s * (x[i] - lo), value);
        by_x = gap * s + rest * by_x;
        by_tie = gap * s * tie.map_or(0.0, |tie| tie.below) + rest * by_tie;
        by_u *= rest;
    }
    (by_x, by_tie, by_u)
}

/// Of the Fischer–Burmeister function; any choice will do at its kink.
fn gradient(a: f64, b: f64) -> (f64, f64) {
    let length = a.hypot(b);
    if length > 0.0 { (1.0 - a / length, 1.0 - b / length) } else { (0.0, 1.0) }
}
