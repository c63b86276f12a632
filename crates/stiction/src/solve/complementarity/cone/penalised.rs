//! The operator plus something on each contact's own block, factorised.

use std::sync::Arc;

use super::{Assembled, ContactProblem, Delassus};
use crate::math::Matrix3;
use crate::solve::direct::{Analysis, Cholesky, Order};
use crate::solve::{BlockMatrix, BlockPattern, LinearSolve};

/// `A + C + D` with a block diagonal `D` that changes.
pub(super) struct Penalised {
    problem: ContactProblem<Assembled>,
    matrix: BlockMatrix,
    factor: Cholesky,
}

impl Penalised {
    pub(super) fn new<A: Delassus>(problem: &ContactProblem<A>) -> Self {
        let problem = problem.assembled();
        let pattern = Arc::new(pattern(problem.operator()));
        let factor = Cholesky::new(&Analysis::new(&pattern, Order::Graph));
        Self { problem, matrix: BlockMatrix::zeros(pattern), factor }
    }

    /// Factorises with another `D`; false when the sum is not positive definite.
    pub(super) fn set(&mut self, own: impl Fn(usize) -> Matrix3) -> bool {
        let pattern = Arc::clone(self.matrix.pattern());
        let values = self.matrix.values_mut();
        for i in 0..self.problem.contacts() {
            let mut others = self.problem.operator().others().row_blocks(i).iter();
            for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
                let other = if j as usize == i { None } else { others.next().copied() };
                values[slot] = other.unwrap_or_else(|| self.problem.diagonal(i) + own(i));
            }
        }
        self.factor.factor(&self.matrix).is_ok()
    }

    pub(super) fn solve_in_place(&self, x: &mut [f64]) {
        self.factor.solve_in_place(x);
    }
}

/// The structure of the operator.
pub(super) fn pattern(operator: &Assembled) -> BlockPattern {
    let others = operator.others();
    let pairs: Vec<[u32; 2]> = (0..others.rows())
        .flat_map(|i| others.row_columns(i).iter().map(move |&j| [i as u32, j]))
        .collect();
    BlockPattern::from_stencils(others.rows(), pairs.iter().map(|pair| &pair[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_holds_every_block_and_the_diagonal() {
        let one = Matrix3::identity();
        let operator =
            Assembled::from_rows(3, [vec![(0, one), (2, one)], vec![], vec![(0, one), (2, one)]]);
        let pattern = pattern(&operator);
        assert_eq!(pattern.row(0), [0, 2]);
        assert_eq!(pattern.row(1), [1]);
        assert_eq!(pattern.row(2), [0, 2]);
    }
}
