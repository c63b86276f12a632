//! Anderson's acceleration of an iteration `x ← G(x)` [And65]: the next start is the combination of the last few whose
//! steps `f = G(x) − x`, combined alike, are shortest.
//!
//! $$ x' = G(x) - \Delta G\, c, \qquad c = \arg\min \| f - \Delta F\, c \| $$
//!
//! `ΔF`, `ΔG` are differences of the last steps and of where they led. For linear iterations it is GMRES; where who
//! sticks and who slides has settled, most iterations are linear. A step that is twice as long as the last is taken
//! back and all is forgotten, so it does not lead far away from what the iteration does by itself.

use nalgebra::{DMatrix, DVector};

use crate::solve::vector::{add_scaled, dot, norm};

/// Steps that were taken, and where they led.
pub(super) struct Anderson {
    /// Steps to combine, at most.
    depth: usize,
    /// What unknowns are multiplied with, so that all are of one unit.
    weights: Vec<f64>,
    /// Steps and ends of them, weighed; the newest last.
    steps: Vec<Vec<f64>>,
    ends: Vec<Vec<f64>>,
    /// The length of the last step, and its end where the next began elsewhere.
    length: f64,
    end: Option<Vec<f64>>,
}

/// How much longer than the last a step may be.
const LONGER: f64 = 2.0;
/// Of the mean square of differences, added to all: those that say the same as others do not count.
const REGULARISATION: f64 = 1e-10;

impl Anderson {
    pub(super) fn new(depth: usize, weights: Vec<f64>) -> Self {
        Self {
            depth,
            weights,
            steps: Vec::new(),
            ends: Vec::new(),
            length: f64::INFINITY,
            end: None,
        }
    }

    /// Forgets all steps: the iteration is another one from now on.
    pub(super) fn restart(&mut self) {
        self.steps.clear();
        self.ends.clear();
        self.length = f64::INFINITY;
        self.end = None;
    }

    /// From where an iteration began, `x`, and where it led, `end`, to where the next begins, in `x`.
    pub(super) fn step(&mut self, x: &mut [f64], end: &[f64]) {
        if self.depth == 0 {
            return x.copy_from_slice(end);
        }
        let weighed = |k: usize, v: f64| self.weights[k] * v;
        let step: Vec<f64> = (0..x.len()).map(|k| weighed(k, end[k] - x[k])).collect();
        let length = norm(&step);
        if let Some(before) = self.end.take()
            && length > LONGER * self.length
        {
            x.copy_from_slice(&before);
            return self.restart();
        }
        self.length = length;
        let new: Vec<f64> = (0..x.len()).map(|k| weighed(k, end[k])).collect();
        x.copy_from_slice(end);
        if self.steps.len() > self.depth {
            self.steps.remove(0);
            self.ends.remove(0);
        }
        self.steps.push(step);
        self.ends.push(new);
        let Some(parts) = self.parts() else { return };
        let mut away = vec![0.0; x.len()];
        for (pair, part) in self.ends.windows(2).zip(parts.iter()) {
            add_scaled(&mut away, *part, &pair[1]);
            add_scaled(&mut away, -part, &pair[0]);
        }
        if away.iter().all(|away| away.is_finite()) {
            x.iter_mut()
                .zip(away.iter().zip(&self.weights))
                .for_each(|(x, (away, w))| *x -= away / w);
            self.end = Some(end.to_vec());
        }
    }

    /// `c`, by normal equations; none before there are differences.
    fn parts(&self) -> Option<DVector<f64>> {
        let difference = |pair: &[Vec<f64>]| -> Vec<f64> {
            pair[1].iter().zip(&pair[0]).map(|(new, old)| new - old).collect()
        };
        let differences: Vec<Vec<f64>> = self.steps.windows(2).map(difference).collect();
        let count = differences.len();
        if count == 0 {
            return None;
        }
        let mut matrix =
            DMatrix::from_fn(count, count, |i, j| dot(&differences[i], &differences[j]));
        let more = REGULARISATION * matrix.trace();
        (0..count).for_each(|i| matrix[(i, i)] += more);
        let last = self.steps.last()?;
        let right = DVector::from_fn(count, |i, _| dot(&differences[i], last));
        matrix.cholesky().map(|factor| factor.solve(&right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x ← A x + b` with three eigenvalues, the largest 0.99: linear, so as many steps as it has unknowns and one more
    /// find the fixed point, which it alone would not in a thousand.
    #[test]
    fn linear_iterations_end_after_as_many_steps_as_unknowns() {
        let (eigenvalues, b) = ([0.99, -0.5, 0.9], [1.0, 2.0, -3.0]);
        let iterate =
            |x: &[f64]| -> Vec<f64> { (0..3).map(|k| eigenvalues[k] * x[k] + b[k]).collect() };
        let left = |depth: usize, steps: usize| {
            let (mut anderson, mut x) = (Anderson::new(depth, vec![1.0; 3]), vec![0.0; 3]);
            for _ in 0..steps {
                let end = iterate(&x);
                anderson.step(&mut x, &end);
            }
            let error = |k: usize| (x[k] - b[k] / (1.0 - eigenvalues[k])).abs();
            (0..3).map(error).fold(0.0, f64::max)
        };
        assert!(left(3, 6) < 1e-6, "{:e}", left(3, 6));
        assert!(left(0, 1000) > 1e-3, "{:e}", left(0, 1000));
    }
}
