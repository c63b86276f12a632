//! Brute-force twins of assembly: everything in full matrices, one element after the other.
//!
//! [`DenseSum`] adds energies, gradients and Hessians of elements into dense storage over nodes, with no
//! ordering, slots or threads; [`difference_jacobian`] needs nothing but the function.

use nalgebra::{DMatrix, DVector};
use stiction::assembly::{Rows, point};
use stiction::element::{ElementSet, Projection};
use stiction::math::Vector3;
use stiction::solve::BlockMatrix;

/// Energy and derivatives of elements at one point, summed over nodes.
#[derive(Clone, Debug)]
pub struct DenseSum {
    /// Positions of the nodes, flat [m].
    x: Vec<f64>,
    /// [J].
    pub energy: f64,
    /// Flat, by node [N].
    pub gradient: DVector<f64>,
    /// Flat, by node [N/m].
    pub hessian: DMatrix<f64>,
}

impl DenseSum {
    /// Nothing yet, at positions `x` of the nodes, flat [m].
    pub fn at(x: &[f64]) -> Self {
        let size = x.len();
        Self {
            x: x.to_vec(),
            energy: 0.0,
            gradient: DVector::zeros(size),
            hessian: DMatrix::zeros(size, size),
        }
    }

    /// Adds elements placed on nodes, times `scale`.
    pub fn add<const N: usize>(
        &mut self,
        set: &impl ElementSet<N>,
        stencils: &[[u32; N]],
        projection: Projection,
        scale: f64,
    ) {
        for (e, nodes) in stencils.iter().enumerate() {
            let corners: [Vector3; N] = nodes.map(|node| point(&self.x, node as usize));
            self.energy += scale * set.energy(e, &corners);
            let gradient = set.gradient(e, &corners);
            let hessian = set.hessian(e, &corners, projection);
            for (a, &row) in nodes.iter().enumerate() {
                let row = 3 * row as usize;
                self.gradient.fixed_rows_mut::<3>(row).zip_apply(&gradient[a], |out, g| {
                    *out += scale * g;
                });
                for (b, &column) in nodes.iter().enumerate() {
                    let mut target = self.hessian.fixed_view_mut::<3, 3>(row, 3 * column as usize);
                    target += hessian[a][b] * scale;
                }
            }
        }
    }
}

/// A sparse matrix over rows as a dense one over nodes.
pub fn by_node(matrix: &BlockMatrix, rows: &Rows) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(3 * matrix.size(), 3 * matrix.size());
    for (row, &node) in rows.nodes().iter().take(matrix.size()).enumerate() {
        for (column, block) in matrix.row(row) {
            let other = rows.nodes()[column];
            dense.fixed_view_mut::<3, 3>(3 * node as usize, 3 * other as usize).copy_from(block);
        }
    }
    dense
}

/// A vector over rows as one over nodes.
pub fn vector_by_node(vector: &[f64], rows: &Rows) -> DVector<f64> {
    let mut dense = DVector::zeros(vector.len());
    for (values, &node) in vector.chunks_exact(3).zip(rows.nodes()) {
        dense.fixed_rows_mut::<3>(3 * node as usize).copy_from_slice(values);
    }
    dense
}

/// The Jacobian of `f` at `x` by central differences of step `h`, column by column.
pub fn difference_jacobian(
    mut f: impl FnMut(&[f64]) -> Vec<f64>,
    x: &[f64],
    h: f64,
) -> DMatrix<f64> {
    let mut moved = x.to_vec();
    let mut columns = Vec::with_capacity(x.len());
    for j in 0..x.len() {
        moved[j] = x[j] + h;
        let ahead = DVector::from_vec(f(&moved));
        moved[j] = x[j] - h;
        let behind = DVector::from_vec(f(&moved));
        moved[j] = x[j];
        columns.push((ahead - behind) / (2.0 * h));
    }
    DMatrix::from_columns(&columns)
}
