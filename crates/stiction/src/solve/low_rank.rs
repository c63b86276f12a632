//! Low-rank updates `A + U C Vᵀ` of a matrix that is already factorised.
//!
//! $$ (A + U C V^T)^{-1} = A^{-1} - Z K^{-1} C V^T A^{-1}, \qquad
//!    Z = A^{-1} U, \quad K = I + C V^T Z $$
//!
//! the identity of [Woo50], in the form that needs no inverse of `C`: `C` may be singular. `K` has
//! one row a column of `U`, and `det K = det(A + U C Vᵀ) / det A`: the core `K` is singular exactly
//! when the updated matrix is. Setting up costs one solve a column. Worth it for a few dozen columns;
//! loses digits when `A` is much worse conditioned than the updated matrix, which
//! [`LowRankSolve::refine`] wins back.

use std::fmt;

use nalgebra::{DMatrix, DVector, DVectorViewMut, Dyn, LU};

use super::operator::Scratch;
use super::vector::{add_scaled, dot};
use super::{LinearOperator, LinearSolve, TransposeOperator};

/// One column of `U` or `V`.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Every entry.
    Dense(Vec<f64>),
    /// Rows and values; repeated rows add up.
    Sparse(Vec<(usize, f64)>),
}

impl Column {
    /// Whether all entries lie in the first `dimension` rows, and a dense column has just those.
    fn fits(&self, dimension: usize) -> bool {
        match self {
            Self::Dense(values) => values.len() == dimension,
            Self::Sparse(entries) => entries.iter().all(|&(i, _)| i < dimension),
        }
    }

    fn dot(&self, x: &[f64]) -> f64 {
        match self {
            Self::Dense(values) => dot(values, x),
            Self::Sparse(entries) => entries.iter().map(|&(i, v)| v * x[i]).sum(),
        }
    }

    fn add_to(&self, weight: f64, y: &mut [f64]) {
        match self {
            Self::Dense(values) => add_scaled(y, weight, values),
            Self::Sparse(entries) => {
                for &(i, v) in entries {
                    y[i] += weight * v;
                }
            }
        }
    }
}

/// Why an update cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LowRankError {
    /// The parts do not fit together.
    #[error(
        "low-rank update of {rows} rows: U has {left} columns, C is {core_rows}×{core_columns}, \
         V has {right}\n  \
         help: C needs a row for each column of U and a column for each of V, all within {rows} rows"
    )]
    Shape {
        /// Rows of `U` and `V`.
        rows: usize,
        /// Columns of `U`.
        left: usize,
        /// Columns of `V`.
        right: usize,
        /// Rows of `C`.
        core_rows: usize,
        /// Columns of `C`.
        core_columns: usize,
    },
    /// The factorisation and the update have different sizes.
    #[error(
        "low-rank update of {update} rows for a matrix of {base}\n  \
         help: both must have the same unknowns"
    )]
    Dimension {
        /// Rows of the factorised matrix.
        base: usize,
        /// Rows of the update.
        update: usize,
    },
    /// `A + U C Vᵀ` is singular to working precision, or holds a NaN.
    #[error(
        "the low-rank update makes the matrix singular \
         (reciprocal condition of the core {reciprocal_condition:e})\n  \
         help: the update cancels a direction of the matrix; drop columns, or shift the matrix"
    )]
    SingularCore {
        /// Of the equilibrated core [-].
        reciprocal_condition: f64,
    },
}

/// The update `U C Vᵀ`.
#[derive(Clone, Debug)]
pub struct LowRank {
    dimension: usize,
    left: Vec<Column>,
    core: DMatrix<f64>,
    right: Vec<Column>,
}

impl LowRank {
    /// `left` holds the columns of `U`, `right` those of `V`.
    ///
    /// # Errors
    /// When shapes disagree or entries lie outside.
    pub fn new(
        dimension: usize,
        left: Vec<Column>,
        core: DMatrix<f64>,
        right: Vec<Column>,
    ) -> Result<Self, LowRankError> {
        let fit = left.iter().chain(&right).all(|column| column.fits(dimension));
        if !fit || core.shape() != (left.len(), right.len()) {
            return Err(LowRankError::Shape {
                rows: dimension,
                left: left.len(),
                right: right.len(),
                core_rows: core.nrows(),
                core_columns: core.ncols(),
            });
        }
        Ok(Self { dimension, left, core, right })
    }

    /// `Σ w u uᵀ` over pairs of a weight and a column; weights may be negative.
    ///
    /// # Errors
    /// When entries lie outside.
    pub fn symmetric(dimension: usize, parts: Vec<(f64, Column)>) -> Result<Self, LowRankError> {
        let parts = parts.into_iter().filter(|(weight, _)| *weight != 0.0);
        let (weights, columns): (Vec<f64>, Vec<Column>) = parts.unzip();
        let core = DMatrix::from_diagonal(&DVector::from_vec(weights));
        Self::new(dimension, columns.clone(), core, columns)
    }

    /// Columns of `U` and of `V`, the larger number.
    pub fn rank_bound(&self) -> usize {
        self.left.len().max(self.right.len())
    }

    /// `y += U C Vᵀ x`, or `y += V Cᵀ Uᵀ x`. Needs `rank_bound` scratch.
    fn add_product(&self, transposed: bool, x: &[f64], y: &mut [f64], scratch: &mut [f64]) {
        let (from, to) =
            if transposed { (&self.left, &self.right) } else { (&self.right, &self.left) };
        let (inputs, _) = scratch.split_at_mut(from.len());
        for (input, column) in inputs.iter_mut().zip(from) {
            *input = column.dot(x);
        }
        for (i, column) in to.iter().enumerate() {
            let entry = |j| if transposed { self.core[(j, i)] } else { self.core[(i, j)] };
            let weight = inputs.iter().enumerate().map(|(j, input)| entry(j) * input).sum();
            column.add_to(weight, y);
        }
    }
}

/// `A + U C Vᵀ` as an operator.
#[derive(Debug)]
pub struct LowRankOperator<'a, A> {
    base: A,
    update: &'a LowRank,
    scratch: Scratch,
}

impl<'a, A: LinearOperator> LowRankOperator<'a, A> {
    /// # Panics
    /// When the sizes differ.
    pub fn new(base: A, update: &'a LowRank) -> Self {
        assert_eq!(base.dimension(), update.dimension, "matrix and update have one size");
        Self { base, update, scratch: Scratch::default() }
    }
}

impl<A: LinearOperator> LinearOperator for LowRankOperator<'_, A> {
    fn dimension(&self) -> usize {
        self.base.dimension()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.base.apply(x, y);
        self.scratch.with(self.update.rank_bound(), |s| self.update.add_product(false, x, y, s));
    }
}

impl<A: TransposeOperator> TransposeOperator for LowRankOperator<'_, A> {
    fn apply_transpose(&self, x: &[f64], y: &mut [f64]) {
        self.base.apply_transpose(x, y);
        self.scratch.with(self.update.rank_bound(), |s| self.update.add_product(true, x, y, s));
    }
}

/// `A + U C Vᵀ` in a form that solves. A solve allocates two small vectors.
#[doc(alias("Woodbury", "Sherman-Morrison-Woodbury"))]
pub struct LowRankSolve<'a, S: ?Sized> {
    base: &'a S,
    update: &'a LowRank,
    /// `Z = A⁻¹ U`, column after column.
    z: Vec<f64>,
    core: Core,
}

impl<'a, S: LinearSolve + ?Sized> LowRankSolve<'a, S> {
    /// One solve with `base` for every column of `U`.
    ///
    /// # Errors
    /// When the sizes differ, or `A + U C Vᵀ` is singular.
    pub fn new(base: &'a S, update: &'a LowRank) -> Result<Self, LowRankError> {
        let n = update.dimension;
        if base.dimension() != n {
            return Err(LowRankError::Dimension { base: base.dimension(), update: n });
        }
        let k = update.left.len();
        let mut z = vec![0.0; n * k];
        for (i, column) in update.left.iter().enumerate() {
            let z = &mut z[i * n..(i + 1) * n];
            column.add_to(1.0, z);
            base.solve_in_place(z);
        }
        let vz = DMatrix::from_fn(update.right.len(), k, |i, j| {
            update.right[i].dot(&z[j * n..(j + 1) * n])
        });
        let sizes = DMatrix::identity(k, k) + update.core.abs() * vz.abs();
        let core = Core::new(DMatrix::identity(k, k) + &update.core * vz, sizes)?;
        Ok(Self { base, update, z, core })
    }

    /// Estimate of how close the update comes to a singular matrix [-]; 1 is best.
    pub fn reciprocal_condition(&self) -> f64 {
        self.core.reciprocal_condition
    }

    /// How many more negative eigenvalues `A + U C Uᵀ` has than `A`, for a symmetric `A` and an update made by
    /// [`LowRank::symmetric`]; none for other updates.
    ///
    /// Both are Schur complements of one matrix with the blocks `A`, `U` and `−C⁻¹`, whose signs they share out
    /// between them [Hay68]: the answer is the number of positive eigenvalues of `C⁻¹ + Uᵀ A⁻¹ U` less that of `C`.
    pub fn added_negative_eigenvalues(&self) -> Option<isize> {
        let LowRank { left, core, right, .. } = self.update;
        let k = left.len();
        let diagonal = (0..k).all(|i| (0..k).all(|j| i == j || core[(i, j)] == 0.0));
        if !diagonal || left != right {
            return None;
        }
        // Scaled by √|C| from both sides, which changes no sign.
        let root = |i: usize| core[(i, i)].abs().sqrt();
        let product = |i: usize, j: usize| root(i) * root(j) * left[i].dot(self.z_column(j));
        let signs = DMatrix::from_fn(k, k, |i, j| {
            let own = if i == j { core[(i, i)].signum() } else { 0.0 };
            own + 0.5 * (product(i, j) + product(j, i))
        });
        if k == 0 {
            return Some(0);
        }
        let positive =
            |values: &[f64]| values.iter().filter(|&&value| value > 0.0).count() as isize;
        let after = positive(signs.symmetric_eigenvalues().as_slice());
        Some(after - positive(core.diagonal().as_slice()))
    }

    /// One step of iterative refinement: `x += (A + U C Vᵀ)⁻¹ (b − (A + U C Vᵀ) x)`.
    pub fn refine<A: LinearOperator + ?Sized>(&self, base: &A, b: &[f64], x: &mut [f64]) {
        let mut r = vec![0.0; b.len()];
        LowRankOperator::new(base, self.update).apply(x, &mut r);
        for (r, b) in r.iter_mut().zip(b) {
            *r = b - *r;
        }
        self.solve_in_place(&mut r);
        add_scaled(x, 1.0, &r);
    }

    fn z_column(&self, i: usize) -> &[f64] {
        let n = self.update.dimension;
        &self.z[i * n..(i + 1) * n]
    }
}

impl<S: LinearSolve + ?Sized> LinearSolve for LowRankSolve<'_, S> {
    fn dimension(&self) -> usize {
        self.update.dimension
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        // y = A⁻¹ b, then x = y − Z K⁻¹ C Vᵀ y
        let LowRank { left, core, right, .. } = self.update;
        self.base.solve_in_place(b);
        let v: Vec<f64> = right.iter().map(|column| column.dot(b)).collect();
        let row = |i: usize| v.iter().enumerate().map(|(j, v)| core[(i, j)] * v).sum();
        let mut weights: Vec<f64> = (0..left.len()).map(row).collect();
        self.core.solve(&mut weights);
        for (i, weight) in weights.iter().enumerate() {
            add_scaled(b, -weight, self.z_column(i));
        }
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        // x = A⁻ᵀ (b − V Cᵀ K⁻ᵀ Zᵀ b)
        let LowRank { left, core, right, .. } = self.update;
        let mut u: Vec<f64> = (0..left.len()).map(|i| dot(self.z_column(i), b)).collect();
        self.core.solve_transpose(&mut u);
        for (j, column) in right.iter().enumerate() {
            let weight: f64 = u.iter().enumerate().map(|(i, u)| core[(i, j)] * u).sum();
            column.add_to(-weight, b);
        }
        self.base.solve_transpose_in_place(b);
    }
}

impl<S: ?Sized> fmt::Debug for LowRankSolve<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("LowRankSolve");
        debug.field("dimension", &self.update.dimension);
        debug.field("reciprocal_condition", &self.core.reciprocal_condition);
        debug.finish_non_exhaustive()
    }
}

/// The small dense matrix `K`, equilibrated and factorised with pivoting, both ways round.
struct Core {
    factor: LU<f64, Dyn, Dyn>,
    factor_transposed: LU<f64, Dyn, Dyn>,
    /// The factorised matrix is `diag(rows) K diag(columns)`.
    rows: Vec<f64>,
    columns: Vec<f64>,
    reciprocal_condition: f64,
}

impl Core {
    /// `sizes` holds what the entries of `k` were before terms cancelled: the scale of rounding.
    fn new(mut k: DMatrix<f64>, mut sizes: DMatrix<f64>) -> Result<Self, LowRankError> {
        // Penalties span many decades. Scaled by powers of two, which round nothing, what remains
        // of the condition is the distance to singularity.
        let rows: Vec<f64> = sizes.row_iter().map(|row| power_of_two(row.amax())).collect();
        for m in [&mut k, &mut sizes] {
            m.row_iter_mut().zip(&rows).for_each(|(mut row, s)| row *= *s);
        }
        let columns: Vec<f64> = sizes.column_iter().map(|c| power_of_two(c.amax())).collect();
        for m in [&mut k, &mut sizes] {
            m.column_iter_mut().zip(&columns).for_each(|(mut column, s)| column *= *s);
        }

        let one_norm = |m: &DMatrix<f64>| m.column_iter().map(|c| c.lp_norm(1)).fold(0.0, f64::max);
        let finite = sizes.iter().all(|v| v.is_finite());
        let factor = k.clone().lu();
        let inverse = if finite { factor.try_inverse() } else { None };
        let reciprocal_condition = match &inverse {
            Some(_) if k.is_empty() => 1.0,
            Some(inverse) => 1.0 / (one_norm(&sizes) * one_norm(inverse)),
            None => 0.0,
        };
        if reciprocal_condition <= 10.0 * f64::EPSILON || reciprocal_condition.is_nan() {
            return Err(LowRankError::SingularCore { reciprocal_condition });
        }
        let factor_transposed = k.transpose().lu();
        Ok(Self { factor, factor_transposed, rows, columns, reciprocal_condition })
    }

    fn solve(&self, b: &mut [f64]) {
        Self::solve_scaled(&self.factor, &self.rows, &self.columns, b);
    }

    fn solve_transpose(&self, b: &mut [f64]) {
        Self::solve_scaled(&self.factor_transposed, &self.columns, &self.rows, b);
    }

    fn solve_scaled(factor: &LU<f64, Dyn, Dyn>, rows: &[f64], columns: &[f64], b: &mut [f64]) {
        b.iter_mut().zip(rows).for_each(|(b, s)| *b *= s);
        let n = b.len();
        if n == 0 {
            return; // which nalgebra does not expect
        }
        let solved = factor.solve_mut(&mut DVectorViewMut::from_slice(b, n));
        assert!(solved, "a core that passed its condition test has no zero pivot");
        b.iter_mut().zip(columns).for_each(|(b, s)| *b *= s);
    }
}

/// The power of two that brings `size` near one.
fn power_of_two(size: f64) -> f64 {
    if size > 0.0 && size.is_finite() { (-size.log2().round()).exp2() } else { 1.0 }
}
