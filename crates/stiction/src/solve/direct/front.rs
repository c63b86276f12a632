//! The numeric half shared by all factorisations: dense fronts, from the leaves of the assembly tree up.
//!
//! The front of a supernode holds its columns (the *panel*), its rows to the right (the *upper* part, for
//! nonsymmetric matrices) and what elimination leaves for its ancestors (the *remainder*, a Schur
//! complement) [DR83]. Assembly gathers blocks of the matrix and the remainders of the children; a
//! [`Kernel`] eliminates. Independent subtrees run in parallel. Children are added in order and every
//! dense operation is cut into tiles that depend only on its size, so threads never change the bits.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::super::BlockMatrix;
use super::pool::Pool;
use super::symbolic::{AssemblyTree, Places, Supernode};

/// Subtrees with less work (multiplications) than this stay on one thread.
const PARALLEL_WORK: f64 = 2e6;

/// Width of the column tiles of dense updates.
const TILE: usize = 192;

/// A way of eliminating the columns of a front.
pub(super) trait Kernel: Sync {
    /// Only the lower triangle is stored and there is no upper part.
    const SYMMETRIC: bool;
    /// Why a front cannot be eliminated.
    type Error: Send;
    /// What is counted over all fronts.
    type Count: Send + Default;

    /// Scalars kept per pivot beside the panel and upper part.
    const PER_PIVOT: usize;

    /// Eliminates the pivots of `front` and writes what that changes in its remainder.
    fn eliminate(
        &self,
        node: &Supernode,
        front: &mut Front<'_>,
    ) -> Result<Self::Count, Self::Error>;

    /// Adds up counts.
    fn add(total: &mut Self::Count, more: Self::Count);
}

/// The dense matrix of a supernode, column-major.
pub(super) struct Front<'a> {
    /// Rows by pivots.
    pub(super) panel: &'a mut [f64],
    /// Pivots by rest; empty when symmetric.
    pub(super) upper: &'a mut [f64],
    /// Scalars per pivot that the kernel wants kept.
    pub(super) extra: &'a mut [f64],
    /// Row interchanges, local.
    pub(super) interchanges: &'a mut [u32],
    /// Rest by rest; the kernel overwrites it. What the children left for it is added afterwards.
    pub(super) remainder: &'a mut [f64],
}

/// Numbers of a factorisation, in the order of the assembly tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    values: Vec<f64>,
    interchanges: Vec<u32>,
    /// Where the values of a supernode start.
    start: Vec<usize>,
    pool: Pool,
}

/// The stored parts of one supernode.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a> {
    pub(super) panel: &'a [f64],
    pub(super) upper: &'a [f64],
    pub(super) extra: &'a [f64],
    pub(super) interchanges: &'a [u32],
}

impl Storage {
    pub(super) fn new<K: Kernel>(tree: &AssemblyTree) -> Self {
        let mut start = Vec::with_capacity(tree.nodes.len() + 1);
        let mut total = 0;
        for node in &tree.nodes {
            start.push(total);
            total += stored_len::<K>(node);
        }
        start.push(total);
        Self {
            values: vec![0.0; total],
            interchanges: vec![0; 3 * tree.order.len()],
            start,
            pool: Pool::default(),
        }
    }

    /// Stored scalars.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The parts of supernode `s`.
    pub(super) fn node<K: Kernel>(&self, tree: &AssemblyTree, s: usize) -> Stored<'_> {
        let node = &tree.nodes[s];
        let values = &self.values[self.start[s]..self.start[s + 1]];
        let (panel, rest) = values.split_at(node.rows() * node.pivots());
        let (upper, extra) = rest.split_at(rest.len() - K::PER_PIVOT * node.pivots());
        let pivots = 3 * node.columns.start as usize..3 * node.columns.end as usize;
        Stored { panel, upper, extra, interchanges: &self.interchanges[pivots] }
    }

    /// Factors `matrix`, scaled if asked: entry `(i, j)` times `rows[i] * columns[j]`.
    pub(super) fn factor<K: Kernel>(
        &mut self,
        kernel: &K,
        tree: &AssemblyTree,
        matrix: &BlockMatrix,
        scaling: Option<&Scaling>,
    ) -> Result<K::Count, K::Error> {
        let Self { values, interchanges, start, pool } = self;
        let work = Work { kernel, tree, matrix, scaling, start, pool };
        let roots = tree.roots();
        let (_, count) = work.all(work.split(&roots, values, interchanges))?;
        Ok(count)
    }
}

/// Factors for rows and columns, in the order of the unknowns.
#[derive(Clone, Debug, Default)]
pub(super) struct Scaling {
    pub(super) rows: Vec<f64>,
    pub(super) columns: Vec<f64>,
}

fn stored_len<K: Kernel>(node: &Supernode) -> usize {
    let upper = if K::SYMMETRIC { 0 } else { node.rest() };
    node.pivots() * (node.rows() + upper + K::PER_PIVOT)
}

/// All that a subtree needs to be factored.
struct Work<'a, K> {
    kernel: &'a K,
    tree: &'a AssemblyTree,
    matrix: &'a BlockMatrix,
    scaling: Option<&'a Scaling>,
    start: &'a [usize],
    pool: &'a Pool,
}

/// A remainder, at the start of a buffer that may be longer.
type Remainder = Vec<f64>;

/// A subtree and its storage.
struct Subtree<'a> {
    top: u32,
    values: &'a mut [f64],
    interchanges: &'a mut [u32],
}

/// A supernode on the way down to its heaviest leaf.
struct Level<'a> {
    own: Subtree<'a>,
    /// Children to do when the way leads up again.
    others: Vec<Subtree<'a>>,
    /// Where the child on the way stands among the children.
    next: Option<usize>,
}

impl<K: Kernel> Work<'_, K> {
    /// Divides storage among subtrees that lie back to back.
    fn split<'b>(
        &self,
        tops: &[u32],
        mut values: &'b mut [f64],
        mut interchanges: &'b mut [u32],
    ) -> Vec<Subtree<'b>> {
        let mut subtrees = Vec::with_capacity(tops.len());
        for &top in tops {
            let node = &self.tree.nodes[top as usize];
            let first = &self.tree.nodes[node.first as usize];
            let (own, rest) =
                values.split_at_mut(self.start[top as usize + 1] - self.start[node.first as usize]);
            let (own_interchanges, rest_interchanges) =
                interchanges.split_at_mut(3 * (node.columns.end - first.columns.start) as usize);
            (values, interchanges) = (rest, rest_interchanges);
            subtrees.push(Subtree { top, values: own, interchanges: own_interchanges });
        }
        subtrees
    }

    fn is_heavy(&self, subtree: &Subtree<'_>) -> bool {
        self.tree.nodes[subtree.top as usize].subtree_work > PARALLEL_WORK
    }

    /// Factors subtrees, in parallel if that pays.
    fn all(&self, subtrees: Vec<Subtree<'_>>) -> Result<(Vec<Remainder>, K::Count), K::Error> {
        let parallel = subtrees.iter().filter(|subtree| self.is_heavy(subtree)).count() > 1;
        let results: Vec<_> = if parallel {
            subtrees.into_par_iter().with_max_len(1).map(|subtree| self.one(subtree)).collect()
        } else {
            subtrees.into_iter().map(|subtree| self.one(subtree)).collect()
        };
        let mut remainders = Vec::with_capacity(results.len());
        let mut count = K::Count::default();
        for result in results {
            let (remainder, more) = result?;
            remainders.push(remainder);
            K::add(&mut count, more);
        }
        Ok((remainders, count))
    }

    /// Factors a subtree: down to a leaf or a fork worth two threads, then up again. Following the heaviest
    /// child in a loop bounds the depth of recursion by a logarithm, however deep the tree.
    fn one(&self, subtree: Subtree<'_>) -> Result<(Remainder, K::Count), K::Error> {
        let mut levels = Vec::new();
        let mut way = Some(subtree);
        while let Some(Subtree { top, values, interchanges }) = way.take() {
            let node = &self.tree.nodes[top as usize];
            let (below, values) = values.split_at_mut(values.len() - stored_len::<K>(node));
            let (below_interchanges, interchanges) =
                interchanges.split_at_mut(interchanges.len() - node.pivots());
            let mut others = self.split(&node.children, below, below_interchanges);
            let work = |k: usize| self.tree.nodes[node.children[k] as usize].subtree_work;
            let fork = others.iter().filter(|child| self.is_heavy(child)).count() > 1;
            let heaviest = (0..others.len()).max_by(|&a, &b| work(a).total_cmp(&work(b)));
            let next = heaviest.filter(|_| !fork);
            way = next.map(|k| others.remove(k));
            levels.push(Level { own: Subtree { top, values, interchanges }, others, next });
        }
        let mut count = K::Count::default();
        let mut last = Remainder::new();
        for Level { own, others, next } in levels.into_iter().rev() {
            let (mut remainders, more) = self.all(others)?;
            K::add(&mut count, more);
            if let Some(k) = next {
                remainders.insert(k, last);
            }
            let (remainder, more) = self.front(own, remainders)?;
            K::add(&mut count, more);
            last = remainder;
        }
        Ok((last, count))
    }

    /// Assembles and eliminates one front.
    fn front(
        &self,
        own: Subtree<'_>,
        remainders: Vec<Remainder>,
    ) -> Result<(Remainder, K::Count), K::Error> {
        let node = &self.tree.nodes[own.top as usize];
        let (panel, tail) = own.values.split_at_mut(node.rows() * node.pivots());
        let (upper, extra) = tail.split_at_mut(tail.len() - K::PER_PIVOT * node.pivots());
        let mut buffer = self.pool.take(node.rest() * node.rest());
        let remainder = &mut buffer[..node.rest() * node.rest()];
        let mut front = Front { panel, upper, extra, interchanges: own.interchanges, remainder };
        self.assemble(node, &remainders, &mut front);
        let count = self.kernel.eliminate(node, &mut front)?;
        for (&child, remainder) in node.children.iter().zip(remainders) {
            let place = &self.tree.nodes[child as usize].in_parent;
            add_to_remainder::<K>(place, &remainder, node, front.remainder);
            self.pool.give(remainder);
        }
        Ok((buffer, count))
    }

    fn assemble(&self, node: &Supernode, remainders: &[Remainder], front: &mut Front<'_>) {
        front.panel.fill(0.0);
        front.upper.fill(0.0);
        let (rows, pivots) = (node.rows(), node.pivots());
        for entry in &self.tree.entries[node.entries.clone()] {
            if K::SYMMETRIC && entry.row < entry.column {
                continue;
            }
            let (i, j) = (3 * entry.row as usize, 3 * entry.column as usize);
            let mut block = self.matrix.values()[entry.slot as usize];
            if let Some(scaling) = self.scaling {
                let unknown = |local: u32| 3 * self.tree.order[node.position(local)] as usize;
                let (row, column) = (unknown(entry.row), unknown(entry.column));
                for b in 0..3 {
                    for a in 0..3 {
                        block[(a, b)] *= scaling.rows[row + a] * scaling.columns[column + b];
                    }
                }
            }
            let (target, stride, j) = if j < pivots {
                (&mut *front.panel, rows, j)
            } else {
                (&mut *front.upper, pivots, j - pivots)
            };
            for b in 0..3 {
                let at = (j + b) * stride + i;
                target[at..at + 3].copy_from_slice(&block.as_slice()[3 * b..3 * b + 3]);
            }
        }
        for (&child, remainder) in node.children.iter().zip(remainders) {
            add_to_pivots::<K>(&self.tree.nodes[child as usize].in_parent, remainder, node, front);
        }
    }
}

impl Supernode {
    /// Position in the elimination order of a block of the front.
    pub(super) fn position(&self, local: u32) -> usize {
        let width = self.columns.end - self.columns.start;
        if local < width {
            (self.columns.start + local) as usize
        } else {
            self.below[(local - width) as usize] as usize
        }
    }
}

/// Adds the part of a child's remainder that falls into the parent's panel and upper part.
fn add_to_pivots<K: Kernel>(
    place: &Places,
    remainder: &[f64],
    node: &Supernode,
    front: &mut Front<'_>,
) {
    let (rows, pivots) = (node.rows(), node.pivots());
    let size = 3 * place.len();
    let in_panel = place.before(pivots / 3);
    for column in 0..3 * in_panel {
        let target = 3 * place.of(column / 3) + column % 3;
        let target = &mut front.panel[target * rows..][..rows];
        let first = if K::SYMMETRIC { column / 3 } else { 0 };
        place.add(&remainder[column * size..][..size], first..place.len(), target, 0);
    }
    if !K::SYMMETRIC {
        for column in 3 * in_panel..size {
            let target = 3 * place.of(column / 3) + column % 3 - pivots;
            let target = &mut front.upper[target * pivots..][..pivots];
            place.add(&remainder[column * size..][..size], 0..in_panel, target, 0);
        }
    }
}

/// Adds the part of a child's remainder that falls into the parent's remainder.
fn add_to_remainder<K: Kernel>(
    place: &Places,
    child: &[f64],
    node: &Supernode,
    remainder: &mut [f64],
) {
    let (pivots, rest) = (node.pivots(), node.rest());
    let size = 3 * place.len();
    let in_panel = place.before(pivots / 3);
    for column in 3 * in_panel..size {
        let target = 3 * place.of(column / 3) + column % 3 - pivots;
        let target = &mut remainder[target * rest..][..rest];
        let first = if K::SYMMETRIC { column / 3 } else { in_panel };
        place.add(&child[column * size..][..size], first..place.len(), target, pivots);
    }
}

/// `c = −a b`, in tiles of columns.
pub(super) fn set_negative_product(c: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    for_column_tiles(c, 0, &|c, start| {
        let b = b.subcols(start, c.ncols());
        matmul(c, Accum::Replace, a, b, -1.0, Par::Seq);
    });
}

/// Columns `start..` of a symmetric `C = C₀ − A Bᵀ`, on and below the diagonal, with `C₀` zero or what is
/// there. `tile` is those columns of `C`; some entries above the diagonal are written too.
pub(super) fn subtract_lower(
    tile: MatMut<'_, f64>,
    accumulate: Accum,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    start: usize,
) {
    /// Width of the steps down the diagonal; what is computed above it is wasted.
    const STEP: usize = 48;
    // Kernels are a third faster on columns than on rows, and the copy is small.
    let columns = b.subrows(start, tile.ncols()).transpose().to_owned();
    let width = tile.ncols();
    let (mut diagonal, below) = tile.split_at_row_mut(start).1.split_at_row_mut(width);
    for step in (0..width).step_by(STEP) {
        let step_width = STEP.min(width - step);
        let target = diagonal.as_mut().submatrix_mut(step, step, width - step, step_width);
        let rows = a.subrows(start + step, width - step);
        matmul(
            target,
            accumulate,
            rows,
            columns.as_ref().subcols(step, step_width),
            -1.0,
            Par::Seq,
        );
    }
    if below.nrows() > 0 {
        matmul(
            below,
            accumulate,
            a.split_at_row(start + width).1,
            columns.as_ref(),
            -1.0,
            Par::Seq,
        );
    }
}

/// Calls `f` on tiles of columns of `c`, in parallel, with each tile's first column.
pub(super) fn for_column_tiles(
    c: MatMut<'_, f64>,
    start: usize,
    f: &(impl Fn(MatMut<'_, f64>, usize) + Sync),
) {
    if c.ncols() <= TILE {
        return f(c, start);
    }
    let half = c.ncols().div_ceil(TILE) / 2 * TILE;
    let (left, right) = c.split_at_col_mut(half);
    rayon::join(|| for_column_tiles(left, start, f), || for_column_tiles(right, start + half, f));
}

/// Calls `f` on tiles of rows of `c`, in parallel, with each tile's first row.
pub(super) fn for_row_tiles(
    c: MatMut<'_, f64>,
    start: usize,
    f: &(impl Fn(MatMut<'_, f64>, usize) + Sync),
) {
    const ROWS: usize = 512;
    if c.nrows() <= ROWS {
        return f(c, start);
    }
    let half = c.nrows().div_ceil(ROWS) / 2 * ROWS;
    let (top, bottom) = c.split_at_row_mut(half);
    rayon::join(|| for_row_tiles(top, start, f), || for_row_tiles(bottom, start + half, f));
}
