//! An interior point method with Mehrotra's predictor and corrector [M92, W97]: straight through the middle of the box.
//!
//! Ten to thirty iterations whatever the size and however bad the masses, each with one factorisation of the whole
//! matrix; no use of a good start. For positive semidefinite matrices, symmetric or not; polyhedral friction is not,
//! and may fail. Unknowns end a hair inside their bounds. No solution ends in [`Status::Stagnated`] or
//! [`Status::Breakdown`]. Dense.

use super::elimination::eliminate;
use super::factor::Factor;
use super::frozen::{self, Frozen};
use super::matrix::DenseRows;
use super::problem::LinearProblem;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::{Report, Status};

/// Iterations without an end: it is lost.
const MOST: usize = 200;
/// How much of the way to a wall is gone at most.
const CARE: f64 = 0.995;

/// Solves into `x`. An iteration is a factorisation. Tied bounds are held, solved for, and held again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    frozen::solve(problem, x, limits, watch, |frozen, x| Interior::new(frozen, x).run(frozen, x))
}

struct Interior {
    /// Forces that keep from both walls; zero where there is none.
    from_lo: Vec<f64>,
    from_hi: Vec<f64>,
    dx: Vec<f64>,
    push_lo: Vec<f64>,
    push_hi: Vec<f64>,
}

impl Interior {
    fn new(frozen: &Frozen<'_>, x: &mut [f64]) -> Self {
        let n = x.len();
        let speed = frozen.problem.b().iter().fold(1e-12_f64, |m, b| m.max(b.abs()));
        let (mut from_lo, mut from_hi) = (vec![0.0; n], vec![0.0; n]);
        for i in 0..n {
            let (lo, hi) = (frozen.lo[i], frozen.hi[i]);
            let room = speed / frozen.problem.scale()[i];
            x[i] = match (lo.is_finite(), hi.is_finite()) {
                (true, true) => {
                    let edge = room.min(0.25 * (hi - lo));
                    super::bounds::nearest(x[i], lo + edge, hi - edge)
                }
                (true, false) => x[i].max(lo + room),
                (false, true) => x[i].min(hi - room),
                (false, false) => x[i],
            };
            if lo < hi {
                from_lo[i] = if lo.is_finite() { speed } else { 0.0 };
                from_hi[i] = if hi.is_finite() { speed } else { 0.0 };
            }
        }
        Self { from_lo, from_hi, dx: vec![0.0; n], push_lo: vec![0.0; n], push_hi: vec![0.0; n] }
    }

    fn run(&mut self, frozen: &mut Frozen<'_>, x: &mut [f64]) -> Result<(), Status> {
        let n = x.len();
        if let Some(status) = frozen.monitor.look(x) {
            return Err(status);
        }
        let walls: usize = (0..n)
            .map(|i| usize::from(self.from_lo[i] > 0.0) + usize::from(self.from_hi[i] > 0.0))
            .sum();
        let mut system = System::new(n, frozen.problem.matrix().symmetric());
        for _ in 0..MOST {
            system.matrix.values.copy_from_slice(&frozen.a.values);
            for i in 0..n {
                system.held[i] = frozen.lo[i] >= frozen.hi[i];
                if !system.held[i] {
                    system.matrix.values[i * n + i] +=
                        stiffness(self.from_lo[i], x[i] - frozen.lo[i])
                            + stiffness(self.from_hi[i], frozen.hi[i] - x[i]);
                }
            }
            system.factorise();
            let centre = self.gap(frozen, x, 0.0) / f64::max(walls as f64, 1.0);
            // Straight to the solution, to see how far one gets.
            self.push_lo.fill(0.0);
            self.push_hi.fill(0.0);
            self.direction(frozen, x, 0.0, &mut system)?;
            let way = self.way(frozen, x, 0.0);
            let ahead = self.gap(frozen, x, way) / f64::max(walls as f64, 1.0);
            let target = if centre > 0.0 { centre * (ahead / centre).powi(3) } else { 0.0 };
            // Then towards the middle, with what the straight line has left out.
            for i in 0..n {
                let (lo, hi) = self.forces(frozen, x, i, 0.0);
                (self.push_lo[i], self.push_hi[i]) = (self.dx[i] * lo, -self.dx[i] * hi);
            }
            self.direction(frozen, x, target, &mut system)?;
            let way = (CARE * self.way(frozen, x, target)).min(1.0);
            for i in 0..n {
                let (lo, hi) = self.forces(frozen, x, i, target);
                self.from_lo[i] += way * lo;
                self.from_hi[i] += way * hi;
            }
            for i in 0..n {
                x[i] += way * self.dx[i];
            }
            if let Some(status) = frozen.monitor.look(x) {
                return Err(status);
            }
            // For the sake of bounds that move: solved well enough to look where they have gone.
            if frozen.problem.tied() && self.solved(frozen, x) {
                return Ok(());
            }
        }
        Err(Status::Stagnated)
    }

    fn solved(&self, frozen: &Frozen<'_>, x: &[f64]) -> bool {
        (0..x.len()).all(|i| {
            let (s, u) = (frozen.problem.scale()[i], frozen.monitor.u[i]);
            super::bounds::nearest(u, s * (x[i] - frozen.hi[i]), s * (x[i] - frozen.lo[i])).abs()
                <= frozen.tolerance
        })
    }

    /// Sum of products of distances and forces, after going along `dx`.
    fn gap(&self, frozen: &Frozen<'_>, x: &[f64], way: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let moved = x[i] + way * self.dx[i];
            let (lo, hi) = if way > 0.0 { self.forces(frozen, x, i, 0.0) } else { (0.0, 0.0) };
            if self.from_lo[i] > 0.0 {
                sum += (moved - frozen.lo[i]) * (self.from_lo[i] + way * lo);
            }
            if self.from_hi[i] > 0.0 {
                sum += (frozen.hi[i] - moved) * (self.from_hi[i] + way * hi);
            }
        }
        sum
    }

    /// How the forces of walls change along `dx`.
    fn forces(&self, frozen: &Frozen<'_>, x: &[f64], i: usize, target: f64) -> (f64, f64) {
        let (down, up) = (x[i] - frozen.lo[i], frozen.hi[i] - x[i]);
        let change = |force: f64, distance: f64, dx: f64, push: f64| {
            if force > 0.0 {
                (target - force * distance - push - force * dx) / distance
            } else {
                0.0
            }
        };
        (
            change(self.from_lo[i], down, self.dx[i], self.push_lo[i]),
            change(self.from_hi[i], up, -self.dx[i], self.push_hi[i]),
        )
    }

    fn direction(
        &mut self,
        frozen: &Frozen<'_>,
        x: &[f64],
        target: f64,
        system: &mut System,
    ) -> Result<(), Status> {
        for i in 0..x.len() {
            if frozen.lo[i] >= frozen.hi[i] {
                self.dx[i] = 0.0;
                continue;
            }
            let mut right = -frozen.monitor.u[i] + self.from_lo[i] - self.from_hi[i];
            if self.from_lo[i] > 0.0 {
                let down = x[i] - frozen.lo[i];
                right += (target - self.from_lo[i] * down - self.push_lo[i]) / down;
            }
            if self.from_hi[i] > 0.0 {
                let up = frozen.hi[i] - x[i];
                right -= (target - self.from_hi[i] * up - self.push_hi[i]) / up;
            }
            self.dx[i] = right;
        }
        system.solve(&mut self.dx);
        if self.dx.iter().all(|v| v.is_finite()) { Ok(()) } else { Err(Status::Breakdown) }
    }

    /// How far along `dx` no wall and no force is crossed.
    fn way(&self, frozen: &Frozen<'_>, x: &[f64], target: f64) -> f64 {
        let mut way = 1.0_f64;
        let mut keep = |value: f64, change: f64| {
            if change < 0.0 {
                way = way.min(-value / change);
            }
        };
        for i in 0..x.len() {
            let (lo, hi) = self.forces(frozen, x, i, target);
            if self.from_lo[i] > 0.0 {
                keep(x[i] - frozen.lo[i], self.dx[i]);
                keep(self.from_lo[i], lo);
            }
            if self.from_hi[i] > 0.0 {
                keep(frozen.hi[i] - x[i], -self.dx[i]);
                keep(self.from_hi[i], hi);
            }
        }
        way
    }
}

fn stiffness(force: f64, distance: f64) -> f64 {
    if force > 0.0 { force / distance } else { 0.0 }
}

/// The matrix of an iteration: a Cholesky factor, or elimination when it is not symmetric. Held rows do not move.
struct System {
    matrix: DenseRows,
    held: Vec<bool>,
    factor: Option<Factor>,
    copy: Vec<f64>,
    right: Vec<f64>,
}

impl System {
    fn new(n: usize, symmetric: bool) -> Self {
        let factor = symmetric.then(|| Factor::new(n));
        Self {
            matrix: DenseRows::zeros(n),
            held: vec![false; n],
            factor,
            copy: Vec::new(),
            right: vec![0.0; n],
        }
    }

    fn factorise(&mut self) {
        if let Some(factor) = &mut self.factor {
            factor.clear();
            for i in (0..self.matrix.n).filter(|&i| !self.held[i]) {
                factor.push(&self.matrix, i);
            }
        }
    }

    fn solve(&mut self, v: &mut [f64]) {
        let n = v.len();
        if let Some(factor) = &self.factor {
            let members = factor.members();
            members.iter().zip(&mut self.right).for_each(|(&i, right)| *right = v[i]);
            factor.solve(&mut self.right[..members.len()]);
            v.fill(0.0);
            members.iter().zip(&self.right).for_each(|(&i, &right)| v[i] = right);
            return;
        }
        self.copy.clear();
        self.copy.extend_from_slice(&self.matrix.values);
        for i in (0..n).filter(|&i| self.held[i]) {
            self.copy[i * n..(i + 1) * n].fill(0.0);
            self.copy[i * n + i] = 1.0;
            v[i] = 0.0;
        }
        self.right.copy_from_slice(v);
        eliminate(&mut self.copy, &mut self.right, v);
    }
}
