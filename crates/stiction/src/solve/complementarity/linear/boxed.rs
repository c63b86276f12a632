//! Coulomb's cones as boxes: the linear problem that stands in for a frictional one.
//!
//! `|r_s| ≤ μ r_N` and `|r_t| ≤ μ r_N` instead of `‖r_T‖ ≤ μ r_N`: up to √2 too much friction, along the diagonal of
//! the tangents (`docs/theory/contact-solvers.md`, "Box and polygon"). Rows stay where they are, three a contact.

use super::super::cone::{ContactProblem, Delassus};
use super::bounds::Bounds;
use super::matrix::Matrix;
use super::problem::{LinearProblem, ProblemError};
use super::rows::Rows;
use crate::math::Matrix3;

impl LinearProblem {
    /// The same contacts with friction in a box.
    ///
    /// # Errors
    /// When there are more contacts than rows can be counted.
    pub fn boxed<A: Delassus>(problem: &ContactProblem<A>) -> Result<Self, ProblemError> {
        let (n, assembled) = (3 * problem.contacts(), problem.operator().assemble());
        let mut rows = Rows::new(n);
        for i in 0..problem.contacts() {
            for k in 0..3 {
                // Both sides of the diagonal are one number, which rounding may have made two.
                let one = |j: usize, block: &Matrix3| {
                    (j, (block + assembled.block(j, i).transpose()) * 0.5)
                };
                let own = [one(i, &assembled.diagonal(i))].into_iter();
                let others = assembled.others().row(i).map(|(j, block)| one(j, block));
                let entries = own
                    .chain(others)
                    .flat_map(|(j, block)| (0..3).map(move |l| (3 * j + l, block[(k, l)])));
                rows.push(entries.filter(|(_, value)| *value != 0.0));
            }
        }
        let wrong = ProblemError::Length { what: "the operator", found: rows.len(), expected: n };
        let matrix = Matrix::sparse(rows).ok_or(wrong)?;
        let bounds = (0..n).map(|row| match row % 3 {
            0 => Bounds::AT_LEAST_ZERO,
            _ => Bounds::friction(row - row % 3, problem.mu(row / 3)),
        });
        let compliance = problem.compliance().iter().flat_map(|c| [c.x, c.y, c.z]).collect();
        Self::new(matrix, problem.b().to_vec(), bounds.collect())?.with_compliance(compliance)
    }
}
