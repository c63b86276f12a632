//! `L D Lᵀ` factorisation of symmetric indefinite matrices, and their inertia.
//!
//! `D` has 1×1 and 2×2 blocks chosen by Bunch and Kaufman's pivoting inside a front [BK77]. The signs of
//! `D` are those of the eigenvalues [Sylvester's law]. A block of `D` that is negligible counts as a
//! zero eigenvalue and is replaced by a small one, to be repaired by refinement.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::lblt::factor as lblt;
use faer::linalg::triangular_solve::solve_unit_lower_triangular_in_place;
use faer::{Accum, Mat, MatMut, Par};

use super::front::{Front, Kernel, for_column_tiles, for_row_tiles, subtract_lower};
use super::symbolic::Supernode;

/// Signs of the eigenvalues of a symmetric matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inertia {
    /// Positive eigenvalues.
    pub positive: usize,
    /// Negative eigenvalues.
    pub negative: usize,
    /// Eigenvalues too small to have a sign.
    pub zero: usize,
}

/// `L D Lᵀ` elimination of a front; the matrix is scaled so that entries are of order one.
pub(super) struct Ldlt {
    /// Eigenvalues of blocks of `D` below this are replaced.
    pub(super) negligible: f64,
    /// What replaces them.
    pub(super) replacement: f64,
}

impl Kernel for Ldlt {
    const SYMMETRIC: bool = true;
    /// The subdiagonal of `D`.
    const PER_PIVOT: usize = 1;
    type Error = std::convert::Infallible;
    type Count = Inertia;

    fn add(total: &mut Inertia, more: Inertia) {
        total.positive += more.positive;
        total.negative += more.negative;
        total.zero += more.zero;
    }

    fn eliminate(&self, node: &Supernode, front: &mut Front<'_>) -> Result<Inertia, Self::Error> {
        let (rows, pivots, rest) = (node.rows(), node.pivots(), node.rest());
        let mut panel = MatMut::from_column_major_slice_mut(&mut *front.panel, rows, pivots);
        let (mut diagonal, mut below) = panel.as_mut().split_at_row_mut(pivots);
        let mut inverse = vec![0u32; pivots];
        let scratch =
            lblt::cholesky_in_place_scratch::<u32, f64>(pivots, Par::Seq, Default::default());
        lblt::cholesky_in_place(
            diagonal.as_mut(),
            DiagMut::from_slice_mut(front.extra),
            front.interchanges,
            &mut inverse,
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(scratch)),
            Default::default(),
        );
        let mut inertia = Inertia::default();
        for_each_block(front.extra, |i, two| {
            let (positive, negative, zero) = if two {
                self.settle_pair(&mut diagonal, i, front.extra[i])
            } else {
                self.settle_single(&mut diagonal[(i, i)])
            };
            inertia.positive += positive;
            inertia.negative += negative;
            inertia.zero += zero;
        });
        if rest == 0 {
            return Ok(inertia);
        }

        // X = F21 Pᵀ L⁻ᵀ, L21 = X D⁻¹, remainder -= L21 Xᵀ.
        let mut x = Mat::<f64>::zeros(rest, pivots);
        for j in 0..pivots {
            x.col_mut(j).copy_from(below.as_ref().col(front.interchanges[j] as usize));
        }
        let unit_lower = diagonal.as_ref();
        for_row_tiles(x.as_mut(), 0, &|tile, _| {
            solve_unit_lower_triangular_in_place(unit_lower, tile.transpose_mut(), Par::Seq);
        });
        for_each_block(front.extra, |i, two| {
            if two {
                let inverse =
                    invert_pair(unit_lower[(i, i)], front.extra[i], unit_lower[(i + 1, i + 1)]);
                for k in 0..rest {
                    let (u, v) = (x[(k, i)], x[(k, i + 1)]);
                    below[(k, i)] = inverse[0] * u + inverse[1] * v;
                    below[(k, i + 1)] = inverse[1] * u + inverse[2] * v;
                }
            } else {
                for k in 0..rest {
                    below[(k, i)] = x[(k, i)] / unit_lower[(i, i)];
                }
            }
        });
        let (below, x) = (below.as_ref(), x.as_ref());
        let remainder = MatMut::from_column_major_slice_mut(front.remainder, rest, rest);
        for_column_tiles(remainder, 0, &|tile, start| {
            subtract_lower(tile, Accum::Replace, below, x, start);
        });
        Ok(inertia)
    }
}

impl Ldlt {
    /// Counts a 1×1 block, replaced where negligible. NaN counts as negligible too.
    fn settle_single(&self, d: &mut f64) -> (usize, usize, usize) {
        if d.is_nan() || d.abs() <= self.negligible {
            *d = self.replacement.copysign(*d);
            return (0, 0, 1);
        }
        if *d > 0.0 { (1, 0, 0) } else { (0, 1, 0) }
    }

    /// Counts a 2×2 block. Pivoting chooses them indefinite, with a large off-diagonal entry; one that
    /// is nearly singular all the same is shifted away from it.
    fn settle_pair(&self, a: &mut MatMut<'_, f64>, i: usize, off: f64) -> (usize, usize, usize) {
        let (p, q) = (a[(i, i)], a[(i + 1, i + 1)]);
        let determinant = p * q - off * off;
        let scale = p.abs().max(q.abs()).max(off.abs());
        if determinant.is_nan() || determinant.abs() <= self.negligible * scale {
            a[(i, i)] = p + self.replacement.copysign(p);
            a[(i + 1, i + 1)] = q + self.replacement.copysign(q);
            return if p + q > 0.0 { (1, 0, 1) } else { (0, 1, 1) };
        }
        match (determinant > 0.0, p > 0.0) {
            (false, _) => (1, 1, 0),
            (true, true) => (2, 0, 0),
            (true, false) => (0, 2, 0),
        }
    }
}

/// Calls `f(i, true)` for a 2×2 block at `i`, `f(i, false)` for a 1×1 block.
pub(super) fn for_each_block(subdiagonal: &[f64], mut f: impl FnMut(usize, bool)) {
    let mut i = 0;
    while i < subdiagonal.len() {
        let two = subdiagonal[i] != 0.0;
        f(i, two);
        i += 1 + usize::from(two);
    }
}

/// The inverse of `[a b; b c]` as `[a', b', c']`, scaled by `b`, its largest entry.
pub(super) fn invert_pair(a: f64, b: f64, c: f64) -> [f64; 3] {
    let (p, q) = (a / b, c / b);
    let denominator = b * (p * q - 1.0);
    [q / denominator, -1.0 / denominator, p / denominator]
}
