//! Guesses at which unknowns are free, and what is wrong with a guess: shared by methods that exchange rows.

use super::free_set::FreeSet;
use super::frozen::Frozen;
use super::residual::{self, Label};
use crate::solve::Status;

pub(crate) struct Pivots {
    pub(crate) labels: Vec<Label>,
    /// Rows whose label is wrong, ascending, and what it should be.
    pub(crate) wrong: Vec<(usize, Label)>,
    free: FreeSet,
    direction: Vec<f64>,
}

impl Pivots {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            labels: vec![Label::Free; n],
            wrong: Vec::with_capacity(n),
            free: FreeSet::new(n),
            direction: vec![0.0; n],
        }
    }

    /// A first guess: all free from nothing, else what `x` looks like.
    pub(crate) fn guess(&mut self, frozen: &Frozen<'_>, x: &[f64]) {
        if x.iter().all(|&x| x == 0.0) {
            self.labels.fill(Label::Free);
        } else {
            residual::labels(frozen.problem, x, &frozen.monitor.u, &mut self.labels);
        }
        for i in 0..x.len() {
            if frozen.lo[i] >= frozen.hi[i] {
                self.labels[i] = Label::Lower;
            }
        }
    }

    /// Lets the next guess be factorised from nothing.
    pub(crate) fn forget_factor(&mut self) {
        self.free.clear();
    }

    /// Puts `x` where labels say, looks, and lists what is wrong. A status when it is time to stop.
    pub(crate) fn settle(&mut self, frozen: &mut Frozen<'_>, x: &mut [f64]) -> Result<(), Status> {
        for i in 0..x.len() {
            x[i] = match self.labels[i] {
                Label::Lower => frozen.lo[i],
                Label::Upper => frozen.hi[i],
                Label::Free => super::bounds::nearest(x[i], frozen.lo[i], frozen.hi[i]),
            };
        }
        self.free.follow(&frozen.a, &self.labels);
        self.free.solve(&frozen.a, frozen.problem.b(), x);
        if let Some(status) = frozen.monitor.look(x) {
            return Err(status);
        }
        self.wrong.clear();
        for i in 0..x.len() {
            let (lo, hi, u) = (frozen.lo[i], frozen.hi[i], frozen.monitor.u[i]);
            let slack = frozen.tolerance / frozen.problem.scale()[i];
            let better = match self.labels[i] {
                _ if lo >= hi => continue,
                Label::Free if x[i] < lo - slack => Label::Lower,
                Label::Free if x[i] > hi + slack => Label::Upper,
                // One that depends on the others, and need not push.
                Label::Free if !self.free.holds(i) && u > frozen.tolerance && lo.is_finite() => {
                    Label::Lower
                }
                Label::Free if !self.free.holds(i) && u < -frozen.tolerance && hi.is_finite() => {
                    Label::Upper
                }
                Label::Lower if u < -frozen.tolerance => Label::Free,
                Label::Upper if u > frozen.tolerance => Label::Free,
                _ => continue,
            };
            self.wrong.push((i, better));
        }
        Ok(())
    }

    /// For when nothing is wrong but a row that depends on others still moves the wrong way: it must push, and the
    /// first of the others that reaches a bound makes room. A ray of impulses without end means that there is no
    /// solution.
    pub(crate) fn exchange(&mut self, frozen: &Frozen<'_>, x: &[f64]) -> Result<bool, Status> {
        let depends = |i: &usize| self.labels[*i] == Label::Free && !self.free.holds(*i);
        let moves = |i: &usize| frozen.monitor.u[*i].abs() > frozen.tolerance;
        let Some(row) = (0..x.len()).filter(depends).find(moves) else { return Ok(false) };
        let sign = -frozen.monitor.u[row].signum();
        self.direction.fill(0.0);
        self.free.response(&frozen.a, row, &mut self.direction);
        let mut first = (f64::INFINITY, None);
        for i in 0..x.len() {
            let d = sign * self.direction[i];
            let small = 1e-12 * frozen.a.at(row, row).sqrt() / frozen.a.at(i, i).sqrt();
            let (bound, label) =
                if d < 0.0 { (frozen.lo[i], Label::Lower) } else { (frozen.hi[i], Label::Upper) };
            if d.abs() > small && bound.is_finite() {
                let way = ((bound - x[i]) / d).max(0.0);
                if way < first.0 {
                    first = (way, Some((i, label)));
                }
            }
        }
        let (i, label) = first.1.ok_or(Status::Infeasible)?;
        self.labels[i] = label;
        Ok(true)
    }
}
