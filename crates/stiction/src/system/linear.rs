//! Linear systems of a step: which factorisation, kept for which pattern.

use std::sync::Arc;

use super::watch::{Phase, Watch};
use crate::math::Vector3;
use crate::solve::direct::{
    Analysis, Cholesky, InertiaCorrection, Ldlt, Lu, Order, Side, solve_refined,
};
use crate::solve::krylov::{self, bicgstab, gmres};
use crate::solve::precondition::{BlockJacobi, IncompleteLu};
use crate::solve::{BlockMatrix, LinearOperator, LinearSolve, Report, Status};

/// Relative residual that a direct solve must reach.
const DIRECT_TOLERANCE: f64 = 1e-9;

/// Direct and iterative solvers for one pattern; each is made when first needed.
#[derive(Debug, Default)]
pub(super) struct Linear {
    analysis: Option<Arc<Analysis>>,
    cholesky: Option<Cholesky>,
    ldlt: Option<Ldlt>,
    lu: Option<Lu>,
    correction: InertiaCorrection,
    incomplete: Option<IncompleteLu>,
    gmres: gmres::Workspace,
    jacobi: Option<BlockJacobi>,
    bicgstab: bicgstab::Workspace,
}

/// What a solve used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Solved,
    NotPositiveDefinite,
}

impl Linear {
    fn analysis(
        &mut self,
        matrix: &BlockMatrix,
        points: &[Vector3],
        watch: &mut Watch,
    ) -> Arc<Analysis> {
        let known = self
            .analysis
            .as_ref()
            .filter(|analysis| Arc::ptr_eq(analysis.pattern(), matrix.pattern()));
        if let Some(analysis) = known {
            return Arc::clone(analysis);
        }
        *self = Self::default();
        let analysis = watch
            .time(Phase::Analysis, || Analysis::new(matrix.pattern(), Order::Coordinates(points)));
        self.analysis = Some(Arc::clone(&analysis));
        analysis
    }

    /// Forgets what earlier systems taught, so that a restored run solves the same way.
    pub(super) fn forget(&mut self) {
        self.correction.reset();
    }

    /// `p = −A⁻¹ r` if `A` is positive definite.
    pub(super) fn definite(
        &mut self,
        matrix: &BlockMatrix,
        points: &[Vector3],
        r: &[f64],
        p: &mut [f64],
        watch: &mut Watch,
    ) -> Outcome {
        let analysis = self.analysis(matrix, points, watch);
        let cholesky = self.cholesky.get_or_insert_with(|| Cholesky::new(&analysis));
        if watch.time(Phase::Factor, || cholesky.factor(matrix)).is_err() {
            return Outcome::NotPositiveDefinite;
        }
        negate(r, p);
        watch.time(Phase::Solve, || cholesky.solve_in_place(p));
        Outcome::Solved
    }

    /// `p = −(A + δW)⁻¹ r` with the smallest shift that makes it positive definite.
    pub(super) fn corrected(
        &mut self,
        matrix: &BlockMatrix,
        points: &[Vector3],
        weights: &[f64],
        r: &[f64],
        p: &mut [f64],
        watch: &mut Watch,
    ) -> Outcome {
        let analysis = self.analysis(matrix, points, watch);
        let ldlt = self.ldlt.get_or_insert_with(|| Ldlt::new(&analysis));
        let correction = &mut self.correction;
        if watch.time(Phase::Factor, || correction.factor(ldlt, matrix, weights, 0)).is_err() {
            return Outcome::NotPositiveDefinite;
        }
        negate(r, p);
        watch.time(Phase::Solve, || ldlt.solve_in_place(p));
        Outcome::Solved
    }

    /// `p = −A⁻¹ r` for a regular `A`, symmetric or not.
    pub(super) fn regular(
        &mut self,
        matrix: &BlockMatrix,
        points: &[Vector3],
        symmetric: bool,
        r: &[f64],
        p: &mut [f64],
        watch: &mut Watch,
    ) -> Result<(), Status> {
        if symmetric && self.definite(matrix, points, r, p, watch) == Outcome::Solved {
            return Ok(());
        }
        let analysis = self.analysis(matrix, points, watch);
        let mut b = vec![0.0; r.len()];
        negate(r, &mut b);
        let refined = if symmetric {
            let ldlt = self.ldlt.get_or_insert_with(|| Ldlt::new(&analysis));
            watch.time(Phase::Factor, || ldlt.factor(matrix));
            watch.time(Phase::Solve, || {
                solve_refined(&*ldlt, matrix, Side::Plain, &b, p, DIRECT_TOLERANCE)
            })
        } else {
            let lu = self.lu.get_or_insert_with(|| Lu::new(&analysis));
            watch.time(Phase::Factor, || lu.factor(matrix));
            watch.time(Phase::Solve, || {
                solve_refined(&*lu, matrix, Side::Plain, &b, p, DIRECT_TOLERANCE)
            })
        };
        refined.map(|_| ()).map_err(|_| Status::Breakdown)
    }

    /// `p ≈ −A⁻¹ r` to a relative residual, by preconditioned GMRES; returns iterations and what was reached.
    pub(super) fn iterative(
        &mut self,
        matrix: &BlockMatrix,
        tolerance: f64,
        r: &[f64],
        p: &mut [f64],
        watch: &mut Watch,
    ) -> Result<(usize, f64), Status> {
        let kept = self.incomplete.take();
        let incomplete = watch.time(Phase::Factor, || {
            let refreshed = kept.and_then(|mut kept| kept.refactor(matrix).is_ok().then_some(kept));
            refreshed.map_or_else(|| IncompleteLu::new(matrix), Ok)
        });
        let incomplete = self.incomplete.insert(incomplete.map_err(|_| Status::NotFinite)?);
        let mut b = vec![0.0; r.len()];
        negate(r, &mut b);
        let settings = krylov::Settings { relative_tolerance: tolerance, ..Default::default() };
        let workspace = &mut self.gmres;
        let report = watch
            .time(Phase::Solve, || gmres::solve(matrix, &*incomplete, &b, p, &settings, workspace));
        outcome(&report, &b)
    }

    /// The same from products with `A` alone, by BiCGSTAB, given the diagonal blocks of `A`.
    pub(super) fn matrix_free(
        &mut self,
        operator: &impl LinearOperator,
        diagonal: &BlockMatrix,
        tolerance: f64,
        r: &[f64],
        p: &mut [f64],
        watch: &mut Watch,
    ) -> Result<(usize, f64), Status> {
        let kept = self.jacobi.take();
        let refreshed = kept.and_then(|mut kept| kept.refactor(diagonal).is_ok().then_some(kept));
        let jacobi = self.jacobi.insert(refreshed.unwrap_or_else(|| BlockJacobi::new(diagonal)));
        let mut b = vec![0.0; r.len()];
        negate(r, &mut b);
        let settings = krylov::Settings { relative_tolerance: tolerance, ..Default::default() };
        let workspace = &mut self.bicgstab;
        let report = watch.time(Phase::Solve, || {
            bicgstab::solve(operator, &*jacobi, &b, p, &settings, workspace)
        });
        outcome(&report, &b)
    }
}

/// Iterations, and the relative residual that was reached.
fn outcome(report: &Report, b: &[f64]) -> Result<(usize, f64), Status> {
    if report.status == Status::NotFinite {
        return Err(Status::NotFinite);
    }
    let size = b.iter().map(|b| b * b).sum::<f64>().sqrt();
    Ok((report.iterations, if size > 0.0 { report.residual() / size } else { 0.0 }))
}

fn negate(r: &[f64], p: &mut [f64]) {
    for (p, r) in p.iter_mut().zip(r) {
        *p = -r;
    }
}
