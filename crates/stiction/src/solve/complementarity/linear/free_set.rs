//! Unknowns between their bounds, solved for with the others held: what every pivoting method does between two guesses.

use super::factor::Factor;
use super::matrix::DenseRows;
use super::residual::Label;
use crate::solve::vector::dot;

/// More unknowns than this make no dense factor: a quarter of a gigabyte, and many seconds without a word to whoever
/// watches.
pub(crate) const LARGEST_DENSE: usize = 4000;

#[derive(Clone, Debug)]
pub(crate) struct FreeSet {
    factor: Factor,
    /// Whether each row is in the factor.
    inside: Vec<bool>,
    right: Vec<f64>,
    refined: Vec<f64>,
}

impl FreeSet {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            factor: Factor::new(n),
            inside: vec![false; n],
            right: vec![0.0; n],
            refined: vec![0.0; n],
        }
    }

    /// Takes all rows out.
    pub(crate) fn clear(&mut self) {
        self.factor.clear();
        self.inside.fill(false);
    }

    /// Makes the factor hold the free rows, as many as are independent: changes it, or starts again if that is cheaper.
    pub(crate) fn follow(&mut self, a: &DenseRows, labels: &[Label]) {
        let free = |i: usize| labels[i] == Label::Free;
        let leaving = self.factor.members().iter().filter(|&&i| !free(i)).count();
        if 3 * leaving > self.factor.members().len() {
            self.clear();
        }
        for position in (0..self.factor.members().len()).rev() {
            let i = self.factor.members()[position];
            if !free(i) {
                self.factor.remove(position);
                self.inside[i] = false;
            }
        }
        for i in 0..labels.len() {
            if free(i) && !self.inside[i] {
                self.inside[i] = self.factor.push(a, i);
            }
        }
    }

    /// Whether a row was solved for, not held.
    pub(crate) fn holds(&self, i: usize) -> bool {
        self.inside[i]
    }

    /// Sets the free unknowns so that their velocities vanish, all others being held; refined once.
    pub(crate) fn solve(&mut self, a: &DenseRows, b: &[f64], x: &mut [f64]) {
        let k = self.factor.members().len();
        for pass in 0..2 {
            for (v, &i) in self.right.iter_mut().zip(self.factor.members()) {
                *v = -b[i] - dot(a.row(i), x);
            }
            self.factor.solve(&mut self.right[..k]);
            let size = |v: &[f64]| v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            // A refinement that is not small shows a factor that is not good: leave it.
            let (now, before) = (size(&self.right[..k]), size(&self.refined[..k]));
            if pass == 1 && (now.is_nan() || now > 1e-3 * before) {
                break;
            }
            for (&change, &i) in self.right.iter().zip(self.factor.members()) {
                x[i] += change;
            }
            self.refined[..k].copy_from_slice(&self.right[..k]);
        }
    }

    /// How the members must change when the right side of row `i` changes by its column times one: `−A_FF⁻¹ A_Fi`,
    /// into `dx`.
    pub(crate) fn response(&mut self, a: &DenseRows, i: usize, dx: &mut [f64]) {
        let k = self.factor.members().len();
        for (v, &member) in self.right.iter_mut().zip(self.factor.members()) {
            *v = -a.at(member, i);
        }
        self.factor.solve(&mut self.right[..k]);
        for (&v, &member) in self.right.iter().zip(self.factor.members()) {
            dx[member] = v;
        }
    }

    /// Whether row `i` could join.
    pub(crate) fn add(&mut self, a: &DenseRows, i: usize) -> bool {
        self.inside[i] = self.factor.push(a, i);
        self.inside[i]
    }

    pub(crate) fn remove(&mut self, i: usize) {
        if let Some(position) = self.factor.members().iter().position(|&member| member == i) {
            self.factor.remove(position);
            self.inside[i] = false;
        }
    }
}
