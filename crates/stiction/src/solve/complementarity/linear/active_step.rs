//! The step that solves a problem if every unknown is where its label says: free ones make their velocities vanish,
//! others go to their bounds, and tied bounds move with what they are tied to. It is Newton's step for the natural
//! residual.

use super::elimination::eliminate;
use super::matrix::DenseRows;
use super::problem::LinearProblem;
use super::residual::Label;

#[derive(Clone, Debug, Default)]
pub(crate) struct ActiveStep {
    free: Vec<usize>,
    /// Where each row is among free ones.
    place: Vec<usize>,
    /// How far each row that is held moves for one unit of the row it is tied to.
    slope: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    step: Vec<f64>,
}

impl ActiveStep {
    /// Fills `dx`; `u` are the velocities of `x`.
    pub(crate) fn solve(
        &mut self,
        problem: &LinearProblem,
        a: &DenseRows,
        labels: &[Label],
        x: &[f64],
        u: &[f64],
        dx: &mut [f64],
    ) {
        let n = x.len();
        self.free.clear();
        self.place.clear();
        self.place.resize(n, usize::MAX);
        self.slope.clear();
        self.slope.resize(n, 0.0);
        for i in 0..n {
            if labels[i] == Label::Free {
                self.place[i] = self.free.len();
                self.free.push(i);
            }
        }
        // Rows with fixed bounds first: others follow them.
        for tied in [false, true] {
            for i in 0..n {
                let bounds = problem.bounds()[i];
                if labels[i] == Label::Free || bounds.tie.is_some() != tied {
                    continue;
                }
                let (lo, hi) = bounds.at(x);
                dx[i] = if labels[i] == Label::Lower { lo - x[i] } else { hi - x[i] };
                if let Some(tie) = bounds.tie {
                    let slope = if labels[i] == Label::Lower { -tie.below } else { tie.above };
                    if labels[tie.row] == Label::Free {
                        self.slope[i] = slope;
                    } else {
                        let target = x[tie.row] + dx[tie.row];
                        dx[i] += slope * (target.max(0.0) - x[tie.row].max(0.0));
                    }
                }
            }
        }
        let k = self.free.len();
        self.matrix.clear();
        self.matrix.resize(k * k, 0.0);
        self.right.clear();
        self.right.resize(k, 0.0);
        for (p, &i) in self.free.iter().enumerate() {
            let (row, entries) = (a.row(i), &mut self.matrix[p * k..(p + 1) * k]);
            let mut right = -u[i];
            for j in 0..n {
                if labels[j] == Label::Free {
                    entries[self.place[j]] += row[j];
                } else {
                    right -= row[j] * dx[j];
                    if let Some(tie) = problem.bounds()[j].tie
                        && self.slope[j] != 0.0
                    {
                        entries[self.place[tie.row]] += row[j] * self.slope[j];
                    }
                }
            }
            self.right[p] = right;
        }
        self.step.clear();
        self.step.resize(k, 0.0);
        eliminate(&mut self.matrix, &mut self.right, &mut self.step);
        for (&i, &step) in self.free.iter().zip(&self.step) {
            dx[i] = step;
        }
        for i in 0..n {
            if let Some(tie) = problem.bounds()[i].tie
                && self.slope[i] != 0.0
            {
                dx[i] += self.slope[i] * dx[tie.row];
            }
        }
    }
}
