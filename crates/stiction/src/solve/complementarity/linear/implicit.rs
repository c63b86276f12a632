//! Contacts of something implicit, solved without its factor: Jacobi splitting, as in iterative constraint
//! anticipation [OTSG09].
//!
//! Velocities obey `S v = f + Jᵀx` with a sparse `S`, such as mass plus stiffness, and relative velocities
//! `u = J v + c` make a linear problem. Each iteration puts the diagonal of `S` in its place, solves the problem that
//! is left with a few sweeps, and moves on. The fixed point is the solution with `S` itself. The rate is that of
//! Jacobi's method for `S`, so slow where stiffness dominates mass: hundreds of iterations where one factorisation
//! ([`Matrix::factored_by`]) would do. No proof that it converges.

use nalgebra::DMatrix;

use super::bounds::Bounds;
use super::gauss_seidel::sweep;
use super::matrix::Matrix;
use super::problem::{LinearProblem, ProblemError};
use super::rows::Rows;
use crate::solve::complementarity::{Limits, Progress, Watch};
use crate::solve::{Report, Status};

/// `S v = f + Jᵀx` and bounds on `x` against `u = J v + c`.
#[derive(Clone, Debug)]
pub struct ImplicitProblem {
    operator: Rows,
    diagonal: Vec<f64>,
    right: Vec<f64>,
    jacobian: Rows,
    offset: Vec<f64>,
    /// With the diagonal in place of `S`; its `b` changes as iterations go on.
    split: LinearProblem,
}

impl ImplicitProblem {
    /// `operator` is `S` with a positive diagonal, `right` is `f`, `offset` is `c`.
    pub fn new(
        operator: Rows,
        right: Vec<f64>,
        jacobian: Rows,
        offset: Vec<f64>,
        bounds: Vec<Bounds>,
    ) -> Result<Self, ProblemError> {
        let n = operator.len();
        for (what, found) in [
            ("the right side", right.len()),
            ("the Jacobian", jacobian.columns()),
            ("the operator", operator.columns()),
        ] {
            if found != n {
                return Err(ProblemError::Length { what, found, expected: n });
            }
        }
        let diagonal: Vec<f64> = (0..n).map(|i| operator.entry(i, i)).collect();
        if let Some(row) = diagonal.iter().position(|&d| !(d > 0.0 && d.is_finite())) {
            return Err(ProblemError::NotFinite { what: "the inverse of the diagonal", row });
        }
        let inverse: Vec<_> =
            diagonal.iter().map(|&d| DMatrix::from_element(1, 1, 1.0 / d)).collect();
        let wrong =
            ProblemError::Length { what: "the Jacobian", found: jacobian.columns(), expected: n };
        let matrix = Matrix::factored(jacobian.clone(), &inverse).ok_or(wrong)?;
        let split = LinearProblem::new(matrix, offset.clone(), bounds)?;
        Ok(Self { operator, diagonal, right, jacobian, offset, split })
    }

    /// Improves velocities `v` and impulses `x` in place. Iterations end when no velocity changes by more than the
    /// tolerance; `sweeps` make up each. The residual is that change.
    pub fn solve(
        &mut self,
        v: &mut [f64],
        x: &mut [f64],
        sweeps: usize,
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Report {
        let n = self.right.len();
        let mut residuals = Vec::with_capacity(limits.iterations.min(1 << 16) + 1);
        let report =
            |status, residuals: Vec<f64>| Report { status, iterations: residuals.len(), residuals };
        if v.len() != n || x.len() != self.split.len() {
            return report(Status::Refused, residuals);
        }
        let numbers = v.iter().chain(&*x).chain(&self.right).chain(&self.offset);
        if numbers.into_iter().any(|v| !v.is_finite())
            || !self.operator.finite()
            || self.split.check().is_err()
        {
            return report(Status::NotFinite, residuals);
        }
        let groups: Vec<u32> = (0..self.split.groups() as u32).collect();
        let (mut free, mut w) = (vec![0.0; n], Vec::new());
        loop {
            for i in 0..n {
                free[i] = v[i] + (self.right[i] - self.operator.dot(i, v)) / self.diagonal[i];
            }
            for (i, c) in self.offset.iter().enumerate() {
                self.split.b_mut()[i] = self.jacobian.dot(i, &free) + c;
            }
            self.split.project(x);
            self.split.matrix().start(x, &mut w);
            for _ in 0..sweeps.max(1) {
                sweep(&self.split, &groups, 1.0, x, &mut w);
            }
            let mut change = 0.0;
            for i in 0..n {
                let new = free[i] + w[i];
                let by = (new - v[i]).abs();
                if by > change || by.is_nan() {
                    change = by;
                }
                v[i] = new;
            }
            residuals.push(change);
            let progress =
                Progress { iteration: residuals.len(), residual: Some(change), unknowns: x };
            let told = watch.iteration(&progress);
            let status = if change <= limits.tolerance {
                Status::Converged
            } else if !change.is_finite() {
                Status::NotFinite
            } else if told.is_break() {
                Status::Stopped
            } else if residuals.len() >= limits.iterations {
                Status::IterationLimit
            } else {
                continue;
            };
            return report(status, residuals);
        }
    }
}
