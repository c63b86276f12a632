//! What sparse rows `J` see of an inverse: `J A⁻¹ Jᵀ`, from the fronts of `A = L Lᵀ`.
//!
//! It is what eliminating the unknowns of `[A Jᵀ; J 0]` leaves, less the sign: a Schur complement. With `Y = J L⁻ᵀ` it
//! is `Y Yᵀ`, so there is no backward substitution; and a row of `J` is zero until the first front that holds one of
//! its unknowns, so it is carried only from there to the root. Rows go up the assembly tree together, as dense blocks:
//!
//! ```text
//! [T₁ T₂] ← own entries of J + what children hand up      of the rows that have any in this subtree
//! Y ← T₁ L₁₁⁻ᵀ,   T₂ ← T₂ − Y L₂₁ᵀ,   G ← Σ G of children − Y Yᵀ
//! ```
//!
//! Fronts of one height share nothing and go in parallel; children are added in order, and products are cut into tiles
//! by size alone, so threads never change the bits.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::super::LinearSolve;
use super::cholesky::Cholesky;
use super::front::{Storage, for_column_tiles, for_row_tiles, subtract_lower};
use super::symbolic::{AssemblyTree, Places, ROOT};
use crate::math::Matrix3;

/// A row of blocks of `J`: block columns, in any order, and blocks.
type Row = Vec<(usize, Matrix3)>;

/// A block of `J` where it belongs: row, place of its column in the elimination order.
struct Own<'a> {
    row: u32,
    place: u32,
    block: &'a Matrix3,
}

/// What a front hands up to its parent.
#[derive(Default)]
struct Handed {
    /// Rows of blocks that have entries in the subtree, ascending.
    rows: Vec<u32>,
    /// What they have in the rows below the front, by columns.
    below: Vec<f64>,
    /// `−Y Yᵀ` of the subtree, its lower triangle, by columns.
    gram: Vec<f64>,
}

/// `J A⁻¹ Jᵀ` by columns; of a block of two different rows only the one below the diagonal is filled.
pub(super) fn complement(tree: &AssemblyTree, storage: &Storage, rows: &[Row]) -> Vec<f64> {
    let own = by_front(tree, rows);
    let heights = heights(tree, &own);
    let mut handed: Vec<Handed> = Vec::new();
    handed.resize_with(tree.nodes.len(), Handed::default);
    for level in heights {
        let given = level.iter().map(|&s| {
            let children = tree.nodes[s as usize].children.iter();
            let given: Vec<Handed> =
                children.map(|&c| std::mem::take(&mut handed[c as usize])).collect();
            (s, given)
        });
        let given: Vec<_> = given.collect();
        let front = |(s, given)| (s, front(tree, storage, s, &own[s as usize], given));
        let done: Vec<(u32, Handed)> = match given.len() {
            1 => given.into_iter().map(front).collect(),
            _ => given.into_par_iter().with_max_len(1).map(front).collect(),
        };
        done.into_iter().for_each(|(s, new)| handed[s as usize] = new);
    }
    let size = 3 * rows.len();
    let mut all = vec![0.0; size * size];
    for root in tree.roots() {
        let Handed { rows, gram, .. } = &handed[root as usize];
        add_lower(&Places::new(rows.clone()), gram, &mut all, size);
    }
    all.iter_mut().for_each(|a| *a = -*a);
    all
}

/// Blocks of `J` by the front that holds their column.
fn by_front<'a>(tree: &AssemblyTree, rows: &'a [Row]) -> Vec<Vec<Own<'a>>> {
    let mut place = vec![0; tree.order.len()];
    tree.order.iter().enumerate().for_each(|(k, &v)| place[v as usize] = k as u32);
    let mut own: Vec<Vec<Own<'_>>> = Vec::new();
    own.resize_with(tree.nodes.len(), Vec::new);
    for (row, blocks) in rows.iter().enumerate() {
        for (column, block) in blocks {
            let place = place[*column];
            let front = tree.nodes.partition_point(|node| node.columns.end <= place);
            own[front].push(Own { row: row as u32, place, block });
        }
    }
    own
}

/// Fronts that rows reach, by the longest way down to one where a row begins.
fn heights(tree: &AssemblyTree, own: &[Vec<Own<'_>>]) -> Vec<Vec<u32>> {
    // Zero: no row reaches it.
    let mut height = vec![0_usize; tree.nodes.len()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for s in 0..tree.nodes.len() {
        if height[s] == 0 && own[s].is_empty() {
            continue;
        }
        height[s] = height[s].max(1);
        levels.resize_with(levels.len().max(height[s]), Vec::new);
        levels[height[s] - 1].push(s as u32);
        let parent = tree.nodes[s].parent;
        if parent != ROOT {
            height[parent as usize] = height[parent as usize].max(height[s] + 1);
        }
    }
    levels
}

/// Assembles the rows of a front, and eliminates its pivots from them.
fn front(
    tree: &AssemblyTree,
    storage: &Storage,
    s: u32,
    own: &[Own<'_>],
    mut children: Vec<Handed>,
) -> Handed {
    let node = &tree.nodes[s as usize];
    let (pivots, rest) = (node.pivots(), node.rest());
    let mut rows: Vec<u32> = children.iter().flat_map(|child| &child.rows).copied().collect();
    rows.extend(own.iter().map(|own| own.row));
    rows.sort_unstable();
    rows.dedup();
    let at = |row: u32| rows.binary_search(&row).expect("gathered above");
    let size = 3 * rows.len();
    let mut t = vec![0.0; size * (pivots + rest)];
    for Own { row, place, block } in own {
        let (row, column) = (3 * at(*row), 3 * (place - node.columns.start) as usize);
        for l in 0..3 {
            let target = &mut t[(column + l) * size + row..][..3];
            target.iter_mut().zip(block.column(l).iter()).for_each(|(t, b)| *t += b);
        }
    }
    // The Gram matrix of a child with the same rows is gone on with; those of others are added to it.
    let heir = children.iter_mut().find(|child| child.rows == rows);
    let mut gram = match heir {
        Some(child) => std::mem::take(&mut child.gram),
        None => vec![0.0; size * size],
    };
    for (child, &c) in children.iter().zip(&node.children) {
        let length = child.rows.len();
        let places = Places::new(child.rows.iter().map(|&row| at(row) as u32).collect());
        let in_parent = &tree.nodes[c as usize].in_parent;
        for (column, source) in child.below.chunks_exact((3 * length).max(1)).enumerate() {
            let column = 3 * in_parent.of(column / 3) + column % 3;
            places.add(source, 0..length, &mut t[column * size..][..size], 0);
        }
        add_lower(&places, &child.gram, &mut gram, size);
    }
    let panel = storage.node::<Cholesky>(tree, s as usize).panel;
    let panel = MatRef::from_column_major_slice(panel, pivots + rest, pivots);
    let (diagonal, lower) = panel.split_at_row(pivots);
    let t_all = MatMut::from_column_major_slice_mut(&mut t, size, pivots + rest);
    let (mut y, below) = t_all.split_at_col_mut(pivots);
    for_row_tiles(y.as_mut(), 0, &|tile, _| {
        solve_lower_triangular_in_place(diagonal, tile.transpose_mut(), Par::Seq);
    });
    let y = y.as_ref();
    for_column_tiles(below, 0, &|tile, start| {
        let lower = lower.subrows(start, tile.ncols()).transpose();
        matmul(tile, Accum::Add, y, lower, -1.0, Par::Seq);
    });
    let all = MatMut::from_column_major_slice_mut(&mut gram, size, size);
    for_column_tiles(all, 0, &|tile, start| subtract_lower(tile, Accum::Add, y, y, start));
    t.drain(..size * pivots);
    Handed { rows, below: t, gram }
}

/// Adds the lower triangle of a symmetric matrix to where its rows of blocks belong in a larger one.
fn add_lower(places: &Places, source: &[f64], target: &mut [f64], size: usize) {
    let length = places.len();
    for (column, source) in source.chunks_exact((3 * length).max(1)).enumerate() {
        let to = 3 * places.of(column / 3) + column % 3;
        places.add(source, column / 3..length, &mut target[to * size..][..size], 0);
    }
}

/// The same for any `A` that can be solved with: three solves a row of blocks, in parallel.
pub(in super::super) fn by_columns<S: LinearSolve + ?Sized>(a: &S, rows: &[Row]) -> Vec<f64> {
    let size = 3 * rows.len();
    let mut all = vec![0.0; size * size];
    let room = || vec![0.0; a.dimension()];
    all.par_chunks_mut(size.max(1)).enumerate().for_each_init(room, |v, (column, answers)| {
        v.fill(0.0);
        for (j, block) in &rows[column / 3] {
            let given = block.row(column % 3);
            v[3 * j..][..3].iter_mut().zip(given.iter()).for_each(|(v, b)| *v += b);
        }
        a.solve_in_place(v);
        for (row, answers) in rows.iter().zip(answers.chunks_exact_mut(3)).skip(column / 3) {
            for (j, block) in row {
                for (k, answer) in answers.iter_mut().enumerate() {
                    *answer += (0..3).map(|l| block[(k, l)] * v[3 * j + l]).sum::<f64>();
                }
            }
        }
    });
    all
}
