//! The matrix of a problem, in the form it is at hand.
//!
//! | form | one row of a sweep costs | for |
//! |---|---|---|
//! | dense | `n` | small problems, bodies that couple everything |
//! | sparse | what the row touches | assembled Delassus matrices |
//! | factored, `J P Jᵀ` | what a row of `J` and of `J P` touches | rigid bodies: never assembled; velocities `w = P Jᵀ x` are kept instead |

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::rows::Rows;
use crate::solve::LinearSolve;
use crate::solve::vector::dot;

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix(Form);

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Dense { rows: DenseRows, symmetric: bool },
    Sparse { rows: Rows, symmetric: bool },
    Factored { jacobian: Rows, response: Rows },
}

/// Dense, rows one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DenseRows {
    pub(crate) n: usize,
    pub(crate) values: Vec<f64>,
}

impl DenseRows {
    pub(crate) fn zeros(n: usize) -> Self {
        Self { n, values: vec![0.0; n * n] }
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n..(i + 1) * self.n]
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }
}

impl Matrix {
    /// From a dense matrix; `None` when it is not square.
    pub fn dense(a: &DMatrix<f64>) -> Option<Self> {
        let n = a.nrows();
        if a.ncols() != n {
            return None;
        }
        let rows = DenseRows { n, values: a.transpose().as_slice().to_vec() };
        let symmetric = (0..n).all(|i| (0..i).all(|j| same(rows.at(i, j), rows.at(j, i))));
        Some(Self(Form::Dense { rows, symmetric }))
    }

    /// From sparse rows; `None` when they are not square.
    pub fn sparse(rows: Rows) -> Option<Self> {
        if rows.columns() != rows.len() {
            return None;
        }
        let symmetric = (0..rows.len()).all(|i| {
            let (columns, values) = rows.row(i);
            columns.iter().zip(values).all(|(&j, &v)| same(v, rows.entry(j as usize, i)))
        });
        Some(Self(Form::Sparse { rows, symmetric }))
    }

    /// `J M⁻¹ Jᵀ`, never assembled. `inverse_mass` has square blocks that follow each other along the
    /// columns of `jacobian`; `None` when they do not add up to them.
    pub fn factored(jacobian: Rows, inverse_mass: &[DMatrix<f64>]) -> Option<Self> {
        let mut block_of = Vec::with_capacity(jacobian.columns());
        let mut first = 0;
        for (k, block) in inverse_mass.iter().enumerate() {
            if block.nrows() != block.ncols() {
                return None;
            }
            block_of.extend(std::iter::repeat_n((k, first), block.nrows()));
            first += block.nrows();
        }
        if first != jacobian.columns() {
            return None;
        }
        let mut response = Rows::new(jacobian.columns());
        for i in 0..jacobian.len() {
            let (columns, values) = jacobian.row(i);
            let entries = columns.iter().zip(values).flat_map(|(&j, &value)| {
                let (k, first) = block_of[j as usize];
                let column = inverse_mass[k].column(j as usize - first);
                (0..column.len()).map(move |r| (first + r, column[r] * value)).collect::<Vec<_>>()
            });
            response.push(entries)?;
        }
        Some(Self(Form::Factored { jacobian, response }))
    }

    /// `J S⁻¹ Jᵀ` with a factorised operator, such as that of an implicit step: one solve a row, in parallel.
    /// Costs a dense vector a row.
    pub fn factored_by(jacobian: Rows, operator: &dyn LinearSolve) -> Option<Self> {
        let columns = jacobian.columns();
        if operator.dimension() != columns {
            return None;
        }
        let solved: Vec<Vec<f64>> = (0..jacobian.len())
            .into_par_iter()
            .map(|i| {
                let mut column = vec![0.0; columns];
                jacobian.add_scaled(i, 1.0, &mut column);
                operator.solve_in_place(&mut column);
                column
            })
            .collect();
        let mut response = Rows::new(columns);
        for column in &solved {
            let entries = column.iter().copied().enumerate().filter(|&(_, v)| v != 0.0);
            response.push(entries)?;
        }
        Some(Self(Form::Factored { jacobian, response }))
    }

    /// Rows and columns.
    pub fn dimension(&self) -> usize {
        match &self.0 {
            Form::Dense { rows, .. } => rows.n,
            Form::Sparse { rows, .. } => rows.len(),
            Form::Factored { jacobian, .. } => jacobian.len(),
        }
    }

    /// Whether it equals its transpose, to rounding.
    pub fn symmetric(&self) -> bool {
        match &self.0 {
            Form::Dense { symmetric, .. } | Form::Sparse { symmetric, .. } => *symmetric,
            Form::Factored { .. } => true,
        }
    }

    /// Whether products with a row are cheap beside products with the whole.
    pub fn is_sparse(&self) -> bool {
        !matches!(self.0, Form::Dense { .. })
    }

    /// An entry of the diagonal.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.entry(i, i)
    }

    /// One entry.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        match &self.0 {
            Form::Dense { rows, .. } => rows.at(i, j),
            Form::Sparse { rows, .. } => rows.entry(i, j),
            Form::Factored { jacobian, response } => dot_rows(jacobian.row(i), response.row(j)),
        }
    }

    /// `y = A x`; `w` is memory, and holds what [`row`](Self::row) needs afterwards.
    pub fn multiply(&self, x: &[f64], y: &mut [f64], w: &mut Vec<f64>) {
        self.start(x, w);
        match &self.0 {
            Form::Dense { rows, .. } => {
                y.iter_mut().enumerate().for_each(|(i, y)| *y = dot(rows.row(i), x))
            }
            Form::Sparse { rows, .. } => rows.multiply(x, y),
            Form::Factored { jacobian, .. } => jacobian.multiply(w, y),
        }
    }

    /// Makes `w` what [`row`](Self::row) needs for these `x`: nothing, or velocities.
    pub fn start(&self, x: &[f64], w: &mut Vec<f64>) {
        w.clear();
        if let Form::Factored { response, .. } = &self.0 {
            w.resize(response.columns(), 0.0);
            for (i, &x) in x.iter().enumerate() {
                if x != 0.0 {
                    response.add_scaled(i, x, w);
                }
            }
        }
    }

    /// `(A x)_i`.
    pub fn row(&self, i: usize, x: &[f64], w: &[f64]) -> f64 {
        match &self.0 {
            Form::Dense { rows, .. } => dot(rows.row(i), x),
            Form::Sparse { rows, .. } => rows.dot(i, x),
            Form::Factored { jacobian, .. } => jacobian.dot(i, w),
        }
    }

    /// Keeps `w` true after `x_i` has changed.
    pub fn change(&self, i: usize, change: f64, w: &mut [f64]) {
        if let Form::Factored { response, .. } = &self.0 {
            response.add_scaled(i, change, w);
        }
    }

    /// Entries that are not zero, row by row, as column and value.
    pub fn entries(&self) -> Vec<Vec<(usize, f64)>> {
        let kept = |(j, v): (usize, &f64)| (*v != 0.0).then_some((j, *v));
        match &self.0 {
            Form::Sparse { rows, .. } => (0..rows.len())
                .map(|i| {
                    let (columns, values) = rows.row(i);
                    columns.iter().map(|&j| j as usize).zip(values).filter_map(kept).collect()
                })
                .collect(),
            Form::Dense { .. } | Form::Factored { .. } => {
                let all = self.assemble_dense();
                (0..all.n)
                    .map(|i| all.row(i).iter().enumerate().filter_map(kept).collect())
                    .collect()
            }
        }
    }

    /// The same matrix with all its entries.
    pub fn densified(&self) -> Self {
        Self(Form::Dense { rows: self.assemble_dense(), symmetric: self.symmetric() })
    }

    /// All entries, assembled; row `i` and row `j` are `A_ij`.
    pub(crate) fn assemble_dense(&self) -> DenseRows {
        let n = self.dimension();
        match &self.0 {
            Form::Dense { rows, .. } => rows.clone(),
            Form::Sparse { rows, .. } => {
                let mut dense = DenseRows::zeros(n);
                for i in 0..n {
                    rows.add_scaled(i, 1.0, &mut dense.values[i * n..(i + 1) * n]);
                }
                dense
            }
            Form::Factored { jacobian, response } => {
                let mut dense = DenseRows::zeros(n);
                let touches = response.transpose_pattern();
                for i in 0..n {
                    let row = &mut dense.values[i * n..(i + 1) * n];
                    let (columns, values) = jacobian.row(i);
                    for (&j, &value) in columns.iter().zip(values) {
                        touches.add_scaled(j as usize, value, row);
                    }
                }
                dense
            }
        }
    }

    /// Calls `f` with every column that row `i` may couple to, some of them several times.
    pub(crate) fn neighbours(&self, transpose: &Rows, i: usize, mut f: impl FnMut(usize)) {
        match &self.0 {
            Form::Dense { rows, .. } => {
                (0..rows.n).filter(|&j| rows.at(i, j) != 0.0 || rows.at(j, i) != 0.0).for_each(f);
            }
            Form::Sparse { rows, .. } => {
                rows.row(i).0.iter().chain(transpose.row(i).0).for_each(|&j| f(j as usize))
            }
            Form::Factored { jacobian, .. } => {
                for &k in jacobian.row(i).0 {
                    transpose.row(k as usize).0.iter().for_each(|&j| f(j as usize));
                }
            }
        }
    }

    /// What [`neighbours`](Self::neighbours) needs.
    pub(crate) fn transpose_pattern(&self) -> Rows {
        match &self.0 {
            Form::Dense { .. } => Rows::new(0),
            Form::Sparse { rows, .. } => rows.transpose_pattern(),
            Form::Factored { response, .. } => response.transpose_pattern(),
        }
    }

    pub(crate) fn finite(&self) -> bool {
        match &self.0 {
            Form::Dense { rows, .. } => rows.values.iter().all(|v| v.is_finite()),
            Form::Sparse { rows, .. } => rows.finite(),
            Form::Factored { jacobian, response } => jacobian.finite() && response.finite(),
        }
    }

    /// Whether a row is nothing but zeros.
    pub(crate) fn zero_row(&self, i: usize) -> bool {
        let zero = |values: &[f64]| values.iter().all(|&v| v == 0.0);
        match &self.0 {
            Form::Dense { rows, .. } => zero(rows.row(i)),
            Form::Sparse { rows, .. } => zero(rows.row(i).1),
            Form::Factored { response, .. } => zero(response.row(i).1),
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (a.abs() + b.abs())
}

fn dot_rows((a, x): (&[u32], &[f64]), (b, y): (&[u32], &[f64])) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += x[i] * y[j];
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    sum
}
