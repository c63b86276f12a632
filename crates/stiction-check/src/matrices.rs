//! Block matrices for testing linear solvers, each with one difficulty.
//!
//! All live on box grids of vertices numbered x first. Random numbers are the same on every run.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::{BlockMatrix, BlockPattern};

/// Vertices along each axis.
pub type Grid = [usize; 3];

/// Symmetric positive definite: the seven-point Laplacian with fixed surroundings, coordinate-wise.
pub fn laplacian(grid: Grid) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(pattern(grid, |d| d.norm_squared() <= 1.0));
    let fill = |i, j, _: Vector3| Matrix3::identity() * if i == j { 6.0 } else { -1.0 };
    fill_blocks(&mut matrix, grid, fill);
    matrix
}

/// Springs between all vertices of a cell, and every vertex held by a spring of stiffness `ground`.
///
/// Symmetric, coupled like linear elasticity: positive definite for `ground > 0`; for zero the
/// rigid translations are its null space (and, with enough vertices, infinitesimal rotations).
pub fn elasticity(grid: Grid, ground: f64) -> BlockMatrix {
    let mut matrix = BlockMatrix::zeros(pattern(grid, |d| d.amax() <= 1.0));
    let spring = |d: Vector3| d * d.transpose() / d.norm_squared();
    let fill = |i, j, d: Vector3| if i == j { Matrix3::identity() * ground } else { -spring(d) };
    fill_blocks(&mut matrix, grid, fill);
    for i in 0..matrix.size() {
        let sum: Matrix3 = matrix.row(i).filter(|&(j, _)| j != i).map(|(_, block)| *block).sum();
        add_to_block(&mut matrix, i, i, &-sum);
    }
    matrix
}

/// A chain of vertices: block tridiagonal, symmetric positive definite, blocks full and random.
pub fn chain(length: usize, seed: u64) -> BlockMatrix {
    let grid = [length, 1, 1];
    let mut random = Random::new(seed);
    let mut matrix = BlockMatrix::zeros(pattern(grid, |d| d.norm_squared() <= 1.0));
    for i in 0..length {
        let spread = random.matrix();
        add_to_block(&mut matrix, i, i, &(Matrix3::identity() * 4.0 + spread * spread.transpose()));
        if i + 1 < length {
            let coupling = random.matrix();
            add_to_block(&mut matrix, i, i + 1, &coupling);
            add_to_block(&mut matrix, i + 1, i, &coupling.transpose());
        }
    }
    matrix
}

/// Adds a random part of the given size to every block: no symmetry left, same pattern.
pub fn nonsymmetric(mut matrix: BlockMatrix, size: f64, seed: u64) -> BlockMatrix {
    let mut random = Random::new(seed);
    for block in matrix.values_mut() {
        *block += random.matrix() * size;
    }
    matrix
}

/// `S A S` with a diagonal `S` spread evenly over that many decades: symmetry and signs stay.
pub fn ill_scaled(mut matrix: BlockMatrix, decades: f64, seed: u64) -> BlockMatrix {
    let mut random = Random::new(seed);
    let mut scale = || 10.0_f64.powf(0.5 * decades * random.value());
    let scales: Vec<Vector3> =
        (0..matrix.size()).map(|_| Vector3::new(scale(), scale(), scale())).collect();
    let pattern = matrix.pattern().clone();
    for i in 0..pattern.size() {
        for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
            let block = matrix.values()[slot];
            let scaled = block.component_mul(&(scales[i] * scales[j as usize].transpose()));
            matrix.values_mut()[slot] = scaled;
        }
    }
    matrix
}

/// `A − s I`: symmetric and indefinite for `s` inside the spectrum.
pub fn shifted(mut matrix: BlockMatrix, s: f64) -> BlockMatrix {
    for i in 0..matrix.size() {
        add_to_block(&mut matrix, i, i, &(Matrix3::identity() * -s));
    }
    matrix
}

/// Adds to a stored block.
///
/// # Panics
/// When the pattern has no such block.
pub fn add_to_block(matrix: &mut BlockMatrix, i: usize, j: usize, block: &Matrix3) {
    let slot = matrix.pattern().slot(i, j).expect("the block is in the pattern");
    matrix.values_mut()[slot] += block;
}

/// Every entry.
pub fn dense(matrix: &BlockMatrix) -> DMatrix<f64> {
    let n = 3 * matrix.size();
    let mut dense = DMatrix::zeros(n, n);
    for i in 0..matrix.size() {
        for (j, block) in matrix.row(i) {
            dense.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block);
        }
    }
    dense
}

/// The solution by dense LU with full pivoting.
///
/// # Panics
/// When the matrix is singular.
pub fn dense_solve(matrix: &DMatrix<f64>, b: &[f64]) -> Vec<f64> {
    let solution = matrix.clone().full_piv_lu().solve(&DVector::from_column_slice(b));
    solution.expect("the matrix is regular").as_slice().to_vec()
}

/// Evenly distributed in (−1, 1).
pub fn random_vector(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..n).map(|_| random.value()).collect()
}

/// The generator SplitMix64: short, and good enough for test data.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Evenly distributed in (−1, 1).
    pub fn value(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Entries as [`Random::value`].
    pub fn matrix(&mut self) -> Matrix3 {
        Matrix3::from_fn(|_, _| self.value())
    }
}

/// Couples vertices whose difference `near` accepts; it must accept within one cell only.
fn pattern(grid: Grid, near: impl Fn(Vector3) -> bool) -> Arc<BlockPattern> {
    let size = grid.iter().product();
    let mut pairs = Vec::new();
    for i in 0..size {
        for j in neighbours(grid, i) {
            if j > i && near(position(grid, j) - position(grid, i)) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    Arc::new(BlockPattern::from_stencils(size, pairs.iter().map(|pair| &pair[..])))
}

fn fill_blocks(
    matrix: &mut BlockMatrix,
    grid: Grid,
    value: impl Fn(usize, usize, Vector3) -> Matrix3,
) {
    let pattern = matrix.pattern().clone();
    for i in 0..pattern.size() {
        for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
            let d = position(grid, j as usize) - position(grid, i);
            matrix.values_mut()[slot] = value(i, j as usize, d);
        }
    }
}

/// Vertices that share a cell with `i`, and `i` itself.
fn neighbours(grid: Grid, i: usize) -> impl Iterator<Item = usize> {
    let at = [i % grid[0], i / grid[0] % grid[1], i / (grid[0] * grid[1])];
    let span = move |axis: usize| at[axis].saturating_sub(1)..(at[axis] + 2).min(grid[axis]);
    span(2).flat_map(move |z| {
        span(1).flat_map(move |y| span(0).map(move |x| x + grid[0] * (y + grid[1] * z)))
    })
}

fn position(grid: Grid, i: usize) -> Vector3 {
    let (x, y, z) = (i % grid[0], i / grid[0] % grid[1], i / (grid[0] * grid[1]));
    Vector3::new(x as f64, y as f64, z as f64)
}
