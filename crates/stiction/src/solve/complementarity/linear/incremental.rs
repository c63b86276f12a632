//! Incremental pivoting after Dantzig and Baraff [B94]: one row after the other is driven to where it belongs, and
//! all rows before it stay right on the way.
//!
//! The row that is most wrong is pushed until its velocity vanishes; free rows react, and whenever one reaches a
//! bound, or one at a bound begins to move, it changes sides. Exact, for symmetric positive semidefinite matrices; as
//! many iterations as rows change sides, each the square of the size. When pushing meets no end there is no solution
//! ([`Status::Infeasible`]). Starts warm only in bounds. Dense, up to some thousand unknowns.

use super::bounds::nearest;
use super::free_set::FreeSet;
use super::frozen::{self, Frozen};
use super::problem::LinearProblem;
use super::residual::Label;
use crate::solve::complementarity::{Limits, Watch};
use crate::solve::vector::dot;
use crate::solve::{Report, Status};

/// Solves into `x`. An iteration is a row that changes sides. Tied bounds are held, solved for, and held again.
pub fn solve(
    problem: &LinearProblem,
    x: &mut [f64],
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Report {
    let mut memory = None;
    frozen::solve(problem, x, limits, watch, |frozen, x| {
        if !problem.matrix().symmetric() {
            return Err(Status::Breakdown);
        }
        memory.get_or_insert_with(|| Drive::new(x.len())).run(frozen, x)
    })
}

struct Drive {
    /// `None` for rows that nobody has looked at.
    labels: Vec<Option<Label>>,
    free: FreeSet,
    dx: Vec<f64>,
    du: Vec<f64>,
}

/// What stops a push.
enum Blocker {
    /// The pushed row: its velocity has vanished, or it is at a bound.
    Itself(Label),
    /// A row before it, which changes to this side.
    Other(usize, Label),
}

impl Drive {
    fn new(n: usize) -> Self {
        Self { labels: vec![None; n], free: FreeSet::new(n), dx: vec![0.0; n], du: vec![0.0; n] }
    }

    fn run(&mut self, frozen: &mut Frozen<'_>, x: &mut [f64]) -> Result<(), Status> {
        self.free.follow(&frozen.a, &vec![Label::Lower; x.len()]);
        self.labels.fill(None);
        for i in 0..x.len() {
            x[i] = nearest(0.0, frozen.lo[i], frozen.hi[i]);
        }
        if let Some(status) = frozen.monitor.look(x) {
            return Err(status);
        }
        while let Some(row) = self.most_wrong(frozen, x) {
            self.labels[row] = None;
            while self.push(frozen, x, row)? {}
        }
        Ok(())
    }

    fn most_wrong(&self, frozen: &Frozen<'_>, x: &[f64]) -> Option<usize> {
        let mut worst = (frozen.tolerance, None);
        for i in 0..x.len() {
            if matches!(self.labels[i], Some(Label::Free)) {
                continue;
            }
            let (s, u) = (frozen.problem.scale()[i], frozen.monitor.u[i]);
            let residual = nearest(u, s * (x[i] - frozen.hi[i]), s * (x[i] - frozen.lo[i])).abs();
            if residual > worst.0 {
                worst = (residual, Some(i));
            }
        }
        worst.1
    }

    /// Pushes a row until something changes sides; whether to go on with it.
    fn push(&mut self, frozen: &mut Frozen<'_>, x: &mut [f64], row: usize) -> Result<bool, Status> {
        let n = x.len();
        let u = &frozen.monitor.u;
        let sign = -u[row].signum();
        self.dx.fill(0.0);
        self.free.response(&frozen.a, row, &mut self.dx);
        self.dx.iter_mut().for_each(|dx| *dx *= sign);
        self.dx[row] = sign;
        // Changes this small, for what can be expected of them, are rounding.
        let root = |i: usize| frozen.a.at(i, i).max(0.0).sqrt();
        let small = 1e-12 * root(row);
        let mut way = f64::INFINITY;
        let mut blocker = None;
        let mut meet = |at: f64, what: Blocker| {
            if at.max(0.0) < way {
                way = at.max(0.0);
                blocker = Some(what);
            }
        };
        for i in 0..n {
            self.du[i] = if self.labels[i] == Some(Label::Free) {
                0.0
            } else {
                dot(frozen.a.row(i), &self.dx)
            };
            let (dx, du) = (self.dx[i], self.du[i]);
            if i == row {
                if du * sign > small * root(i) {
                    meet(-u[i] / du, Blocker::Itself(Label::Free));
                }
                if sign > 0.0 {
                    meet(frozen.hi[i] - x[i], Blocker::Itself(Label::Upper));
                } else {
                    meet(x[i] - frozen.lo[i], Blocker::Itself(Label::Lower));
                }
                continue;
            }
            match self.labels[i] {
                Some(Label::Free) if dx * root(i) < -small => {
                    meet((frozen.lo[i] - x[i]) / dx, Blocker::Other(i, Label::Lower));
                }
                Some(Label::Free) if dx * root(i) > small => {
                    meet((frozen.hi[i] - x[i]) / dx, Blocker::Other(i, Label::Upper));
                }
                Some(Label::Lower) if du < -small * root(i) => {
                    meet(-u[i] / du, Blocker::Other(i, Label::Free))
                }
                Some(Label::Upper) if du > small * root(i) => {
                    meet(-u[i] / du, Blocker::Other(i, Label::Free))
                }
                _ => {}
            }
        }
        let Some(blocker) = blocker else { return Err(Status::Infeasible) };
        for i in 0..n {
            x[i] += way * self.dx[i];
        }
        let (changed, label) = match blocker {
            Blocker::Itself(label) => (row, label),
            Blocker::Other(i, label) => (i, label),
        };
        match label {
            Label::Lower => x[changed] = frozen.lo[changed],
            Label::Upper => x[changed] = frozen.hi[changed],
            Label::Free => {}
        }
        self.labels[changed] = Some(label);
        if label == Label::Free {
            if !self.free.add(&frozen.a, changed) {
                // It depends on the free ones after all: held where it is, its velocity stays what theirs make it.
                self.labels[changed] = None;
            }
        } else {
            self.free.remove(changed);
        }
        match frozen.monitor.look(x) {
            Some(status) => Err(status),
            None => Ok(changed != row),
        }
    }
}
