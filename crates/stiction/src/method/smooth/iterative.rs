//! Linear systems of a step without complete factors.
//!
//! Newton's method is judged by accelerations, `‖M^{-1/2} r‖`, and so are these solves: the equations are weighted with
//! `M^{-1/2}`, or what is left on one light node would outweigh all that was taken from heavy ones.

use crate::method::linear::{Outcome, Updated, negate};
use crate::model::{Meter, Phase};
use crate::solve::krylov::{self, bicgstab, cg, gmres};
use crate::solve::low_rank::LowRankOperator;
use crate::solve::precondition::{BlockJacobi, IncompleteCholesky, IncompleteLu, Preconditioner};
use crate::solve::{BlockMatrix, LinearOperator, Report, Status};

/// Iterations after which more are no use: the matrix is indefinite, or the preconditioner too poor.
const MOST_ITERATIONS: usize = 300;

/// Krylov methods, their preconditioners, and their memory.
#[derive(Debug, Default)]
pub(super) struct Iterative {
    lu: Option<IncompleteLu>,
    cholesky: Option<IncompleteCholesky>,
    jacobi: Option<BlockJacobi>,
    gmres: gmres::Workspace,
    cg: cg::Workspace,
    bicgstab: bicgstab::Workspace,
}

/// What is asked of a solve, and of how many unknowns each is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request<'a> {
    /// Right-hand side, with the other sign.
    pub(super) r: &'a [f64],
    /// `m^{-1/2}` of every row.
    pub(super) weights: &'a [f64],
    /// Relative residual, in the weighted norm.
    pub(super) tolerance: f64,
}

/// Iterations, and the relative residual that was reached.
pub(super) type Reached = (usize, f64);

impl Iterative {
    /// `p ≈ −(A + U)⁻¹ r` by GMRES, preconditioned with incomplete factors of `A`.
    pub(super) fn regular(
        &mut self,
        Updated { matrix, update }: Updated<'_>,
        request: Request<'_>,
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Result<Reached, Status> {
        let kept = self.lu.take();
        let lu = meter.time(Phase::Factor, || {
            let refreshed = kept.and_then(|mut kept| kept.refactor(matrix).is_ok().then_some(kept));
            refreshed.map_or_else(|| IncompleteLu::new(matrix), Ok)
        });
        let lu = self.lu.insert(lu.map_err(|_| Status::NotFinite)?);
        meter.hold(2 * 9 * matrix.pattern().block_count()); // the factor has the pattern of the matrix
        let operator = LowRankOperator::new(matrix, update);
        let weighted = Weighted { inner: &operator, weights: request.weights };
        let preconditioner = Weighted { inner: &*lu, weights: request.weights };
        let (b, settings, workspace) = (request.b(), request.settings(), &mut self.gmres);
        let report = meter.time(Phase::Solve, || {
            gmres::solve(&weighted, &preconditioner, &b, p, &settings, workspace)
        });
        outcome(&report, &b)
    }

    /// The same from products with `A` alone, by BiCGSTAB, given the diagonal blocks of `A`.
    pub(super) fn matrix_free(
        &mut self,
        operator: &impl LinearOperator,
        diagonal: &BlockMatrix,
        request: Request<'_>,
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Result<Reached, Status> {
        let kept = self.jacobi.take();
        let refreshed = kept.and_then(|mut kept| kept.refactor(diagonal).is_ok().then_some(kept));
        let jacobi = self.jacobi.insert(refreshed.unwrap_or_else(|| BlockJacobi::new(diagonal)));
        let weighted = Weighted { inner: operator, weights: request.weights };
        let preconditioner = Weighted { inner: &*jacobi, weights: request.weights };
        let (b, settings, workspace) = (request.b(), request.settings(), &mut self.bicgstab);
        let settings = krylov::Settings { max_iterations: 2 * settings.max_iterations, ..settings };
        let report = meter.time(Phase::Solve, || {
            bicgstab::solve(&weighted, &preconditioner, &b, p, &settings, workspace)
        });
        outcome(&report, &b)
    }

    /// `p ≈ −(A + U)⁻¹ r` by conjugate gradients, if `A + U` shows no negative curvature on the way.
    pub(super) fn definite(
        &mut self,
        Updated { matrix, update }: Updated<'_>,
        r: &[f64],
        tolerance: f64,
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Outcome {
        let kept = self.cholesky.take();
        let cholesky = meter.time(Phase::Factor, || {
            let refreshed = kept.and_then(|mut kept| kept.refactor(matrix).is_ok().then_some(kept));
            refreshed.map_or_else(|| IncompleteCholesky::new(matrix), Ok)
        });
        let Ok(cholesky) = cholesky else { return Outcome::NotPositiveDefinite };
        let cholesky = self.cholesky.insert(cholesky);
        meter.hold(2 * 9 * matrix.pattern().block_count());
        let mut b = vec![0.0; r.len()];
        negate(r, &mut b);
        p.fill(0.0);
        let settings = krylov::Settings {
            relative_tolerance: tolerance,
            max_iterations: 2 * MOST_ITERATIONS,
            ..Default::default()
        };
        let (operator, workspace) = (LowRankOperator::new(matrix, update), &mut self.cg);
        let report = meter
            .time(Phase::Solve, || cg::solve(&operator, &*cholesky, &b, p, &settings, workspace));
        match report.status {
            Status::Converged | Status::IterationLimit | Status::Stagnated => Outcome::Solved,
            _ => Outcome::NotPositiveDefinite,
        }
    }
}

impl Request<'_> {
    fn b(&self) -> Vec<f64> {
        self.r.iter().zip(self.weights).map(|(r, weight)| -r * weight).collect()
    }

    fn settings(&self) -> krylov::Settings {
        krylov::Settings {
            relative_tolerance: self.tolerance,
            max_iterations: MOST_ITERATIONS,
            ..Default::default()
        }
    }
}

/// `W A` or, as a preconditioner, its approximate inverse.
struct Weighted<'a, T> {
    inner: &'a T,
    weights: &'a [f64],
}

impl<A: LinearOperator> LinearOperator for Weighted<'_, A> {
    fn dimension(&self) -> usize {
        self.inner.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.inner.apply(x, y);
        y.iter_mut().zip(self.weights).for_each(|(y, weight)| *y *= weight);
    }
}

impl<P: Preconditioner> Preconditioner for Weighted<'_, P> {
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let forces: Vec<f64> = r.iter().zip(self.weights).map(|(r, weight)| r / weight).collect();
        self.inner.apply(&forces, z);
    }
}

fn outcome(report: &Report, b: &[f64]) -> Result<Reached, Status> {
    if report.status == Status::NotFinite {
        return Err(Status::NotFinite);
    }
    let size = b.iter().map(|b| b * b).sum::<f64>().sqrt();
    Ok((report.iterations, if size > 0.0 { report.residual() / size } else { 0.0 }))
}
