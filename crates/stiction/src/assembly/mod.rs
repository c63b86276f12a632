//! From elements to vectors and matrices: in parallel, through precomputed slots, always the same bits.
//!
//! Nodes are blocks of three unknowns in the state; *rows* are their places in vectors and matrices of the
//! linear algebra: free nodes first, neighbours in space near each other, held nodes last. Rows are cut
//! into contiguous [`Parts`], one per thread. A thread computes every element that touches its rows and
//! keeps only what falls into them; the few elements on a cut are computed twice. So no two threads write
//! to one place, nothing is coloured, locked or sorted, and each sum runs over elements in their order,
//! whatever the number of threads.

mod parts;
mod rows;
mod term;

pub use parts::Parts;
pub use rows::Rows;
pub use term::Term;

use std::sync::Arc;

use term::Target;

use crate::element::Projection;
use crate::math::{Matrix3, Vector3};
use crate::solve::{BlockMatrix, BlockPattern};

/// The point at block `i` of a flat vector.
pub fn point(x: &[f64], i: usize) -> Vector3 {
    Vector3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])
}

/// Fewer elements than this are assembled by one thread: waking others takes longer.
const ALONE: usize = 32;

/// All terms of an energy, ready to be assembled.
#[derive(Debug)]
pub struct Assembly {
    terms: Vec<Term>,
    pattern: Arc<BlockPattern>,
    parts: Parts,
}

impl Assembly {
    /// Looks up slots for all terms, in a pattern that also couples the nodes of each stencil of `more`.
    pub fn new(mut terms: Vec<Term>, rows: &Rows, more: &[Vec<u32>]) -> Self {
        let mut stencils: Vec<u32> = Vec::new();
        let mut lengths = Vec::new();
        for nodes in more {
            stencils.extend(nodes.iter().map(|&node| rows.of_node(node)));
            lengths.push(nodes.len());
        }
        for term in &terms {
            term.for_each_stencil(&mut |nodes| {
                stencils.extend(nodes.iter().map(|&node| rows.of_node(node)));
                lengths.push(nodes.len());
            });
        }
        let mut rest = &stencils[..];
        let slices: Vec<&[u32]> = lengths
            .iter()
            .map(|&length| {
                let (stencil, tail) = rest.split_at(length);
                rest = tail;
                stencil
            })
            .collect();
        let pattern = Arc::new(BlockPattern::from_stencils(rows.len(), slices.iter().copied()));
        let few = terms.iter().map(Term::len).sum::<usize>() < ALONE;
        let parts = Parts::balanced(&pattern, if few { 1 } else { rayon::current_num_threads() });
        for term in &mut terms {
            term.prepare(rows, &pattern, &parts);
        }
        Self { terms, pattern, parts }
    }

    /// Takes the terms out, to be arranged anew.
    pub fn take_terms(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.terms)
    }

    /// The pattern of the stiffness matrix, over all rows.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The terms.
    pub fn terms_mut(&mut self) -> &mut [Term] {
        &mut self.terms
    }

    /// Whether every term is the derivative of an energy, so that matrices are symmetric.
    pub fn is_conservative(&self) -> bool {
        self.terms.iter().all(Term::is_conservative)
    }

    /// The energy at positions `x` of the nodes [J].
    pub fn energy(&self, x: &[f64]) -> f64 {
        self.terms.iter().map(|term| term.energy(x)).sum()
    }

    /// Size of the terms that cancel inside energies, for estimates of rounding [J].
    pub fn energy_magnitude(&self) -> f64 {
        self.terms.iter().map(Term::energy_magnitude).sum()
    }

    /// Writes the derivative of the energy, in rows [N].
    pub fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        self.fill_vector(gradient, |term, target| term.add_gradient(target, x));
    }

    /// Writes the exact second derivative of the energy times a change of the nodes, in rows, without
    /// forming it [N].
    pub fn hessian_product(&self, x: &[f64], dx: &[f64], product: &mut [f64]) {
        self.fill_vector(product, |term, target| term.add_product(target, x, dx));
    }

    /// Writes the diagonal blocks of the exact second derivative, in rows [N/m].
    pub fn hessian_diagonal(&self, x: &[f64], diagonal: &mut [Matrix3]) {
        self.parts.for_each_chunk(diagonal, 1, |part, values| {
            values.fill(Matrix3::zeros());
            let rows = self.parts.rows(part);
            let first = rows.start as usize;
            for term in &self.terms {
                term.add_diagonal(Target { part, rows: rows.clone(), first, values }, x);
            }
        });
    }

    fn fill_vector(&self, vector: &mut [f64], add: impl Fn(&Term, Target<'_, f64>) + Sync) {
        self.parts.for_each_chunk(vector, 3, |part, values| {
            values.fill(0.0);
            let rows = self.parts.rows(part);
            let first = 3 * rows.start as usize;
            for term in &self.terms {
                add(term, Target { part, rows: rows.clone(), first, values });
            }
        });
    }

    /// Writes the second derivative of the energy, in rows [N/m].
    pub fn hessian(&self, x: &[f64], projection: Projection, matrix: &mut BlockMatrix) {
        self.fill(matrix, |term, target| term.add_hessian(target, x, projection));
    }

    /// Writes the matrix of stiffness-proportional damping, in rows [N·s/m]. Terms without cost nothing.
    pub fn damping(&self, x: &[f64], matrix: &mut BlockMatrix) {
        self.fill(matrix, |term, target| term.add_damping(target, x));
    }

    fn fill(&self, matrix: &mut BlockMatrix, add: impl Fn(&Term, Target<'_, Matrix3>) + Sync) {
        let pattern = &self.pattern;
        debug_assert!(
            Arc::ptr_eq(pattern, matrix.pattern()),
            "the matrix has the pattern of the terms"
        );
        self.parts.for_each_block_chunk(
            pattern,
            matrix.values_mut(),
            |part, values: &mut [Matrix3]| {
                values.fill(Matrix3::zeros());
                let rows = self.parts.rows(part);
                let first = pattern.row_slots(rows.start as usize).start;
                for term in &self.terms {
                    add(term, Target { part, rows: rows.clone(), first, values });
                }
            },
        );
    }
}
