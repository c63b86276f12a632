//! Linear systems of a step: which factorisation, kept for which pattern.

use std::sync::Arc;

use crate::math::Vector3;
use crate::model::{Meter, Phase};
use crate::solve::direct::{
    Analysis, Cholesky, InertiaCorrection, Ldlt, Lu, Order, Side, solve_refined,
};
use crate::solve::krylov::{self, gmres};
use crate::solve::low_rank::{LowRank, LowRankOperator, LowRankSolve};
use crate::solve::vector::norm;
use crate::solve::{BlockMatrix, LinearOperator, LinearSolve, Status};

/// Relative residual that a direct solve must reach.
const DIRECT_TOLERANCE: f64 = 1e-9;

/// Direct solvers for one pattern; each is made when first needed.
#[derive(Debug)]
pub(crate) struct Linear {
    /// Relative residuals between which solves preconditioned with a factor may stop. Newton's method hardly gains from
    /// more than it asks for; if it takes long, it gets all there is.
    pub(crate) accuracy: [f64; 2],
    /// Solves since [`Linear::forget`].
    solves: usize,
    analysis: Option<Arc<Analysis>>,
    cholesky: Option<Cholesky>,
    ldlt: Option<Ldlt>,
    lu: Option<Lu>,
    correction: InertiaCorrection,
    /// The factor that other systems of the same stage can be preconditioned with.
    held: Option<Held>,
    symmetric: Option<BlockMatrix>,
    gmres: gmres::Workspace,
}

impl Default for Linear {
    fn default() -> Self {
        Self {
            accuracy: [1e-6, 1e-3],
            solves: 0,
            analysis: None,
            cholesky: None,
            ldlt: None,
            lu: None,
            correction: InertiaCorrection::default(),
            held: None,
            symmetric: None,
            gmres: gmres::Workspace::default(),
        }
    }
}

/// `A + U`: what a sparse matrix holds, and what would fill it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Updated<'a> {
    pub(crate) matrix: &'a BlockMatrix,
    pub(crate) update: &'a LowRank,
}

/// How a matrix stands to symmetric ones.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symmetry<'a> {
    /// It is one.
    Exact,
    /// It is near one.
    Near(Near<'a>),
}

/// A symmetric matrix, up to rounding, near one that is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a> {
    pub(crate) matrix: &'a BlockMatrix,
    /// Relative residual that is enough for a solve with the other one.
    pub(crate) accuracy: f64,
    /// Whether the caller has something better to do if it is not positive definite.
    pub(crate) definite: bool,
}

/// An attempt with a factor of a similar matrix: until the relative residual is good enough, or so many products are
/// made.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    held: Held,
    enough: f64,
    most: usize,
}

/// Which factor is of a matrix much like the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Cholesky,
    Lu,
}

/// What a solve used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Solved,
    NotPositiveDefinite,
}

impl Linear {
    pub(crate) fn analysis(
        &mut self,
        matrix: &BlockMatrix,
        points: &[Vector3],
        meter: &mut Meter,
    ) -> Arc<Analysis> {
        let known = self
            .analysis
            .as_ref()
            .filter(|analysis| Arc::ptr_eq(analysis.pattern(), matrix.pattern()));
        let numbers = 9 * matrix.pattern().block_count();
        if let Some(analysis) = known {
            meter.hold(numbers + analysis.symmetric_factor_len());
            return Arc::clone(analysis);
        }
        *self = Self { accuracy: self.accuracy, ..Self::default() };
        let analysis = meter
            .time(Phase::Analysis, || Analysis::new(matrix.pattern(), Order::Coordinates(points)));
        meter.hold(numbers + analysis.symmetric_factor_len());
        self.analysis = Some(Arc::clone(&analysis));
        analysis
    }

    /// Forgets what earlier systems taught, so that a restored run solves the same way.
    pub(crate) fn forget(&mut self) {
        self.correction.reset();
        self.held = None;
        self.solves = 0;
    }

    /// `p = −(A + U)⁻¹ r` if `A + U` is positive definite, which `A` need not be.
    pub(crate) fn definite(
        &mut self,
        sum: Updated<'_>,
        points: &[Vector3],
        r: &[f64],
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Outcome {
        let Updated { matrix, update } = sum;
        let analysis = self.analysis(matrix, points, meter);
        let cholesky = self.cholesky.get_or_insert_with(|| Cholesky::new(&analysis));
        let definite = meter.time(Phase::Factor, || cholesky.factor(matrix)).is_ok();
        negate(r, p);
        if definite {
            return meter
                .time(Phase::Solve, || solve_definite(cholesky, 0, Some(matrix), update, p));
        }
        if update.rank_bound() == 0 {
            return Outcome::NotPositiveDefinite;
        }
        let ldlt = self.ldlt.get_or_insert_with(|| Ldlt::new(&analysis));
        let inertia = meter.time(Phase::Factor, || ldlt.factor(matrix));
        if inertia.zero > 0 {
            return Outcome::NotPositiveDefinite;
        }
        let negative = inertia.negative;
        meter.time(Phase::Solve, || solve_definite(ldlt, negative, Some(matrix), update, p))
    }

    /// `p = −(A + δW + U)⁻¹ r` with the smallest shift that makes `A + δW` positive definite.
    pub(crate) fn corrected(
        &mut self,
        sum: Updated<'_>,
        points: &[Vector3],
        weights: &[f64],
        r: &[f64],
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Outcome {
        let Updated { matrix, update } = sum;
        let analysis = self.analysis(matrix, points, meter);
        let ldlt = self.ldlt.get_or_insert_with(|| Ldlt::new(&analysis));
        let correction = &mut self.correction;
        if meter.time(Phase::Factor, || correction.factor(ldlt, matrix, weights, 0)).is_err() {
            return Outcome::NotPositiveDefinite;
        }
        negate(r, p);
        // Not refined: the factor is of the shifted matrix.
        meter.time(Phase::Solve, || solve_definite(ldlt, 0, None, update, p))
    }

    /// `p = −(A + U)⁻¹ r` for regular `A` and `A + U`, symmetric or not.
    pub(crate) fn regular(
        &mut self,
        sum: Updated<'_>,
        points: &[Vector3],
        symmetry: Symmetry<'_>,
        r: &[f64],
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Result<Outcome, Status> {
        let symmetric = matches!(symmetry, Symmetry::Exact);
        let Updated { matrix, update } = sum;
        if symmetric && self.definite(sum, points, r, p, meter) == Outcome::Solved {
            return Ok(Outcome::Solved);
        }
        let analysis = self.analysis(matrix, points, meter);
        let mut b = vec![0.0; r.len()];
        negate(r, &mut b);
        if let Symmetry::Near(near) = symmetry {
            self.unsymmetric(sum, near, &analysis, &b, p, meter)
        } else {
            let ldlt = self.ldlt.get_or_insert_with(|| Ldlt::new(&analysis));
            meter.time(Phase::Factor, || ldlt.factor(matrix));
            meter.time(Phase::Solve, || solve_regular(ldlt, matrix, update, &b, p))?;
            Ok(Outcome::Solved)
        }
    }

    /// The relative residual of the next solve of a stage.
    fn enough(&mut self, wanted: f64) -> f64 {
        /// From here on Newton's method is in trouble, and roughness may be the cause.
        const HARD: usize = 6;
        self.solves += 1;
        let [least, most] = self.accuracy;
        if self.solves < HARD { wanted.clamp(least, most) } else { least }
    }

    /// `p = (A + U)⁻¹ b` where `A` is not symmetric, but not far from it: friction touches few of its rows.
    ///
    /// Tried in turn, each as a preconditioner of GMRES: the factor held from an earlier iteration of the stage; a
    /// Cholesky factor of the symmetric matrix `near` it, which costs half of what the last resort does: an LU
    /// factor.
    fn unsymmetric(
        &mut self,
        sum: Updated<'_>,
        near: Near<'_>,
        analysis: &Arc<Analysis>,
        b: &[f64],
        p: &mut [f64],
        meter: &mut Meter,
    ) -> Result<Outcome, Status> {
        /// Products after which another factor is cheaper, and after two of which the residual must have fallen this
        /// far to go on: a factor from before contacts opened or closed does not get there.
        const STALE: usize = 6;
        const PROMISING: f64 = 0.1;
        const SYMMETRIC: usize = 20;
        let Updated { matrix, update } = sum;
        let enough = self.enough(near.accuracy);
        p.fill(0.0);
        if let Some(held) = self.held {
            let first = self.precondition(Attempt { held, enough, most: 2 }, sum, b, p, meter);
            let rest = Attempt { held, enough, most: STALE - 2 };
            if first <= enough
                || first <= PROMISING && self.precondition(rest, sum, b, p, meter) <= enough
            {
                return Ok(Outcome::Solved);
            }
            if !first.is_finite() {
                p.fill(0.0);
            }
        }
        let mut symmetric = self
            .symmetric
            .take()
            .unwrap_or_else(|| BlockMatrix::zeros(Arc::clone(matrix.pattern())));
        meter.time(Phase::Assembly, || symmetric.set_symmetric_part_of(near.matrix));
        let cholesky = self.cholesky.get_or_insert_with(|| Cholesky::new(analysis));
        let definite = meter.time(Phase::Factor, || cholesky.factor(&symmetric)).is_ok();
        self.symmetric = Some(symmetric);
        let fresh = Attempt { held: Held::Cholesky, enough, most: SYMMETRIC };
        if definite && self.precondition(fresh, sum, b, p, meter) <= enough {
            self.held = Some(Held::Cholesky);
            return Ok(Outcome::Solved);
        }
        if !definite && near.definite {
            return Ok(Outcome::NotPositiveDefinite);
        }
        let lu = self.lu.get_or_insert_with(|| Lu::new(analysis));
        meter.time(Phase::Factor, || lu.factor(matrix));
        meter.hold(9 * matrix.pattern().block_count() + lu.len());
        self.held = Some(Held::Lu);
        meter.time(Phase::Solve, || solve_regular(lu, matrix, update, b, p))?;
        Ok(Outcome::Solved)
    }

    /// Improves `p ≈ (A + U)⁻¹ b` by GMRES with a factor of a similar matrix. Returns the relative residual.
    fn precondition(
        &mut self,
        Attempt { held, enough, most }: Attempt,
        sum: Updated<'_>,
        b: &[f64],
        p: &mut [f64],
        meter: &mut Meter,
    ) -> f64 {
        let operator = LowRankOperator::new(sum.matrix, sum.update);
        let settings = krylov::Settings {
            relative_tolerance: enough,
            max_iterations: most,
            ..Default::default()
        };
        let workspace = &mut self.gmres;
        let report = meter.time(Phase::Solve, || match (held, &self.cholesky, &self.lu) {
            (Held::Cholesky, Some(cholesky), _) => {
                Some(gmres::solve(&operator, cholesky, b, p, &settings, workspace))
            }
            (Held::Lu, _, Some(lu)) => {
                Some(gmres::solve(&operator, lu, b, p, &settings, workspace))
            }
            _ => None,
        });
        match report {
            Some(report) if report.converged() => enough,
            Some(report) if report.status != Status::NotFinite => report.residual() / norm(b),
            _ => f64::INFINITY,
        }
    }
}

/// `p ← (A + U)⁻¹ p` from a factor of `A`, which has `negative` negative eigenvalues, if `A + U` has none.
/// Refined, if `A` is given.
fn solve_definite(
    factor: &impl LinearSolve,
    negative: usize,
    matrix: Option<&BlockMatrix>,
    update: &LowRank,
    p: &mut [f64],
) -> Outcome {
    if update.rank_bound() == 0 {
        factor.solve_in_place(p);
        return Outcome::Solved;
    }
    let Ok(updated) = LowRankSolve::new(factor, update) else {
        return Outcome::NotPositiveDefinite;
    };
    if updated.added_negative_eigenvalues() != Some(-(negative as isize)) {
        return Outcome::NotPositiveDefinite;
    }
    let b = p.to_vec();
    updated.solve_in_place(p);
    if let Some(matrix) = matrix {
        updated.refine(matrix, &b, p);
    }
    Outcome::Solved
}

/// `p = (A + U)⁻¹ b` from a factor of `A`, checked.
fn solve_regular(
    factor: &impl LinearSolve,
    matrix: &BlockMatrix,
    update: &LowRank,
    b: &[f64],
    p: &mut [f64],
) -> Result<(), Status> {
    if update.rank_bound() == 0 {
        let refined = solve_refined(factor, matrix, Side::Plain, b, p, DIRECT_TOLERANCE);
        return refined.map(|_| ()).map_err(|_| Status::Breakdown);
    }
    let updated = LowRankSolve::new(factor, update).map_err(|_| Status::Breakdown)?;
    let operator = LowRankOperator::new(matrix, update);
    let mut left = vec![0.0; b.len()];
    p.copy_from_slice(b);
    updated.solve_in_place(p);
    // The first correction wins back what Woodbury's identity loses, others what a poor factor does.
    for _ in 0..3 {
        updated.refine(matrix, b, p);
        operator.apply(p, &mut left);
        let largest = |sizes: &mut dyn Iterator<Item = f64>| {
            sizes.fold(0.0, |most: f64, x| if x > most || x.is_nan() { x } else { most })
        };
        let missed = largest(&mut left.iter().zip(b).map(|(left, b)| (left - b).abs()));
        if missed <= DIRECT_TOLERANCE * largest(&mut b.iter().map(|b| b.abs())) {
            return Ok(());
        }
    }
    Err(Status::Breakdown)
}

pub(crate) fn negate(r: &[f64], p: &mut [f64]) {
    for (p, r) in p.iter_mut().zip(r) {
        *p = -r;
    }
}
