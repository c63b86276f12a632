//! Direct solution of sparse systems: order, analyse, factor, solve.
//!
//! One multifrontal frame, three kinds of elimination over faer's dense kernels:
//!
//! | factor | for | fails when |
//! |---|---|---|
//! | [`Cholesky`] | symmetric positive definite | a pivot is not positive |
//! | [`Ldlt`] | symmetric indefinite; counts eigenvalue signs | never; see [`Inertia::zero`] |
//! | [`Lu`] | nonsymmetric values on a symmetric structure | never; see [`Lu::replaced_pivots`] |
//!
//! An [`Analysis`] depends on the pattern only and is shared by any number of factors. A factor keeps
//! its memory between factorisations. Results are the same bits for any number of threads.

mod cholesky;
mod dissection;
mod front;
mod inertia_correction;
mod ldlt;
mod lu;
mod pool;
mod refine;
pub(super) mod schur;
mod substitution;
mod symbolic;

use std::sync::Arc;

use super::{BlockMatrix, BlockPattern, LinearOperator, LinearSolve};
use crate::math::{Matrix3, Vector3};
use front::{Scaling, Storage};
pub use inertia_correction::{Corrected, InertiaCorrection, NotCorrected};
pub use ldlt::Inertia;
pub use refine::{RefineError, Refinement, Side, solve_refined};
use symbolic::AssemblyTree;

/// How to choose the order of elimination.
#[derive(Clone, Copy, Debug)]
pub enum Order<'a> {
    /// Nested dissection by the coordinates of the blocks: best for meshes.
    Coordinates(&'a [Vector3]),
    /// Multilevel nested dissection of the graph, where there are no coordinates.
    Graph,
    /// The order of the unknowns.
    Natural,
}

/// What a factorisation needs to know about a pattern.
#[derive(Clone, Debug)]
pub struct Analysis {
    pattern: Arc<BlockPattern>,
    tree: AssemblyTree,
}

impl Analysis {
    /// Orders the blocks and finds the structure of the factors.
    ///
    /// # Panics
    /// When there is not one coordinate per block.
    pub fn new(pattern: &Arc<BlockPattern>, order: Order<'_>) -> Arc<Self> {
        let order = match order {
            Order::Coordinates(points) => {
                assert_eq!(points.len(), pattern.size(), "one coordinate per block");
                dissection::dissect(pattern, points)
            }
            Order::Graph => graph_order(pattern),
            Order::Natural => (0..pattern.size() as u32).collect(),
        };
        let tree = AssemblyTree::new(pattern, &order);
        Arc::new(Self { pattern: Arc::clone(pattern), tree })
    }

    /// The pattern this analysis is for.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The order of elimination: the block eliminated first, second, …
    pub fn order(&self) -> &[u32] {
        &self.tree.order
    }

    /// Scalars in a symmetric factor.
    pub fn symmetric_factor_len(&self) -> usize {
        self.tree.panel_len()
    }

    /// Multiplications of a symmetric factorisation, about; twice that for [`Lu`].
    pub fn multiplications(&self) -> f64 {
        self.tree.multiplications()
    }

    fn check(&self, matrix: &BlockMatrix) {
        let same =
            Arc::ptr_eq(&self.pattern, matrix.pattern()) || self.pattern == *matrix.pattern();
        assert!(same, "the matrix has the analysed pattern");
    }
}

/// Multilevel nested dissection; its failure would be a bug of ours, so the natural order steps in.
fn graph_order(pattern: &BlockPattern) -> Vec<u32> {
    let size = pattern.size();
    let mut start = Vec::with_capacity(size + 1);
    let mut rows = Vec::with_capacity(pattern.block_count());
    start.push(0);
    for i in 0..size {
        rows.extend(pattern.row(i).iter().filter(|&&j| j as usize != i).map(|&j| j as i32));
        start.push(rows.len() as i32);
    }
    let graph = feral_metis::CscPattern::new(size, &start, &rows).filter(|_| size > 0);
    let order = graph.and_then(|graph| feral_metis::metis_order(&graph).ok());
    let order = order.map(|order| order.into_iter().map(|k| k as u32).collect());
    order.unwrap_or_else(|| (0..size as u32).collect())
}

/// A matrix that has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not positive definite: the pivot of unknown {unknown} is not positive")]
pub struct NotPositiveDefinite {
    /// The unknown whose pivot failed.
    pub unknown: usize,
}

/// `A = L Lᵀ` of a symmetric positive definite matrix; reads its lower triangle.
#[derive(Clone, Debug)]
pub struct Cholesky {
    analysis: Arc<Analysis>,
    storage: Storage,
}

impl Cholesky {
    /// Room for a factor.
    pub fn new(analysis: &Arc<Analysis>) -> Self {
        let storage = Storage::new::<cholesky::Cholesky>(&analysis.tree);
        Self { analysis: Arc::clone(analysis), storage }
    }

    /// Factors `matrix`; on failure the factor must not be used.
    ///
    /// # Errors
    /// When the matrix is not positive definite to working precision, or not finite.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), NotPositiveDefinite> {
        self.analysis.check(matrix);
        let tree = &self.analysis.tree;
        self.storage.factor(&cholesky::Cholesky, tree, matrix, None).map_err(
            |cholesky::NotPositive(position)| NotPositiveDefinite {
                unknown: 3 * tree.order[position / 3] as usize + position % 3,
            },
        )
    }
}

impl LinearSolve for Cholesky {
    fn dimension(&self) -> usize {
        3 * self.analysis.pattern.size()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        substitution::cholesky(&self.analysis.tree, &self.storage, b);
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }

    fn schur_complement(&self, rows: &[Vec<(usize, Matrix3)>]) -> Vec<f64> {
        schur::complement(&self.analysis.tree, &self.storage, rows)
    }
}

/// Relative size of pivots that are rounding errors.
const NEGLIGIBLE: f64 = 1e-14;
/// What they become: half the digits, so that refinement can find the other half.
const REPLACEMENT: f64 = 1e-8;

/// `A = L D Lᵀ` of a symmetric matrix, and the signs of its eigenvalues; reads its lower triangle.
#[derive(Clone, Debug)]
pub struct Ldlt {
    analysis: Arc<Analysis>,
    storage: Storage,
    scaling: Scaling,
    inertia: Inertia,
}

impl Ldlt {
    /// Room for a factor.
    pub fn new(analysis: &Arc<Analysis>) -> Self {
        let storage = Storage::new::<ldlt::Ldlt>(&analysis.tree);
        let analysis = Arc::clone(analysis);
        Self { analysis, storage, scaling: Scaling::default(), inertia: Inertia::default() }
    }

    /// Factors `matrix` and counts its eigenvalues by sign.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Inertia {
        self.analysis.check(matrix);
        self.scaling.symmetric(matrix);
        let kernel = ldlt::Ldlt { negligible: NEGLIGIBLE, replacement: REPLACEMENT };
        let Ok(inertia) =
            self.storage.factor(&kernel, &self.analysis.tree, matrix, Some(&self.scaling));
        self.inertia = inertia;
        inertia
    }

    /// The signs found by the last factorisation.
    pub fn inertia(&self) -> Inertia {
        self.inertia
    }
}

impl LinearSolve for Ldlt {
    fn dimension(&self) -> usize {
        3 * self.analysis.pattern.size()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        scale(b, &self.scaling.rows);
        substitution::ldlt(&self.analysis.tree, &self.storage, b);
        scale(b, &self.scaling.columns);
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }
}

/// `A = L U` of a matrix with a symmetric structure, rows interchanged inside fronts.
#[derive(Clone, Debug)]
pub struct Lu {
    analysis: Arc<Analysis>,
    storage: Storage,
    scaling: Scaling,
    replaced: usize,
}

impl Lu {
    /// Room for a factor.
    pub fn new(analysis: &Arc<Analysis>) -> Self {
        let storage = Storage::new::<lu::Lu>(&analysis.tree);
        let analysis = Arc::clone(analysis);
        Self { analysis, storage, scaling: Scaling::default(), replaced: 0 }
    }

    /// Factors `matrix` and returns how many negligible pivots were replaced.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> usize {
        self.analysis.check(matrix);
        self.scaling.general(matrix);
        let kernel = lu::Lu { negligible: NEGLIGIBLE, replacement: REPLACEMENT };
        let Ok(replaced) =
            self.storage.factor(&kernel, &self.analysis.tree, matrix, Some(&self.scaling));
        self.replaced = replaced;
        replaced
    }

    /// Negligible pivots replaced by the last factorisation: if any, the factor is only approximate.
    pub fn replaced_pivots(&self) -> usize {
        self.replaced
    }

    /// Scalars in the factor.
    pub fn len(&self) -> usize {
        self.storage.len()
    }

    /// True for a system without unknowns.
    pub fn is_empty(&self) -> bool {
        self.storage.len() == 0
    }
}

impl LinearSolve for Lu {
    fn dimension(&self) -> usize {
        3 * self.analysis.pattern.size()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        scale(b, &self.scaling.rows);
        substitution::lu(&self.analysis.tree, &self.storage, b);
        scale(b, &self.scaling.columns);
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        scale(b, &self.scaling.columns);
        substitution::lu_transpose(&self.analysis.tree, &self.storage, b);
        scale(b, &self.scaling.rows);
    }
}

fn scale(b: &mut [f64], factors: &[f64]) {
    for (b, factor) in b.iter_mut().zip(factors) {
        *b *= factor;
    }
}

impl Scaling {
    /// Rows, then columns, to a largest entry of about one. Powers of two, so that no digit changes.
    fn general(&mut self, matrix: &BlockMatrix) {
        let size = matrix.dimension();
        self.rows.clear();
        self.rows.resize(size, 0.0);
        self.columns.clear();
        self.columns.resize(size, 0.0);
        for i in 0..matrix.size() {
            for (_, block) in matrix.row(i) {
                for a in 0..3 {
                    self.rows[3 * i + a] = self.rows[3 * i + a].max(block.row(a).amax());
                }
            }
        }
        self.rows.iter_mut().for_each(|r| *r = power_of_two(1.0 / *r));
        for i in 0..matrix.size() {
            for (j, block) in matrix.row(i) {
                for b in 0..3 {
                    for a in 0..3 {
                        let entry = block[(a, b)].abs() * self.rows[3 * i + a];
                        self.columns[3 * j + b] = self.columns[3 * j + b].max(entry);
                    }
                }
            }
        }
        self.columns.iter_mut().for_each(|c| *c = power_of_two(1.0 / *c));
    }

    /// The same for rows and columns, so that symmetry and inertia stay: three sweeps towards rows whose
    /// largest entry is one [Ruiz01].
    fn symmetric(&mut self, matrix: &BlockMatrix) {
        let size = matrix.dimension();
        self.rows.clear();
        self.rows.resize(size, 1.0);
        for _ in 0..3 {
            self.columns.clear();
            self.columns.resize(size, 0.0);
            for i in 0..matrix.size() {
                for (j, block) in matrix.row(i).filter(|(j, _)| *j <= i) {
                    for b in 0..3 {
                        for a in 0..3 {
                            let (p, q) = (3 * i + a, 3 * j + b);
                            let entry = (block[(a, b)] * self.rows[p] * self.rows[q]).abs();
                            self.columns[p] = self.columns[p].max(entry);
                            self.columns[q] = self.columns[q].max(entry);
                        }
                    }
                }
            }
            for (row, largest) in self.rows.iter_mut().zip(&self.columns) {
                *row *= power_of_two(1.0 / largest.sqrt());
            }
        }
        self.columns.clone_from(&self.rows);
    }
}

/// The power of two next below `x`; one where there is none.
fn power_of_two(x: f64) -> f64 {
    if x.is_normal() { f64::from_bits(x.abs().to_bits() & (0x7ff << 52)) } else { 1.0 }
}
