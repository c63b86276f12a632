//! From masses, contacts and joints to one operator on contact impulses.
//!
//! The global problem is condensed by a sparse Cholesky factor of `M`:
//!
//! ```text
//! W = Hᵀ M⁻¹ H,  q = Hᵀ M⁻¹ f + w,  V = Hᵀ M⁻¹ G,  R = Gᵀ M⁻¹ G,  s = Gᵀ M⁻¹ f + b
//! ```
//!
//! and joints are then eliminated, `λ = −R⁺ (Vᵀ r + s)`:
//!
//! ```text
//! A = W − V R⁺ Vᵀ,  b = q − V R⁺ s
//! ```
//!
//! with the pseudo-inverse, since joints may depend on each other; if `s` then is not in the range of `R` they
//! contradict each other, and the problem is refused. `R` is dense here and so is `A`, which bounds the size.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use stiction::math::Matrix3;
use stiction::solve::complementarity::cone::{Assembled, BlockRows, Delassus as _, Factorised};
use stiction::solve::direct::{Analysis, Cholesky, Order};
use stiction::solve::{BlockMatrix, BlockPattern, LinearSolve as _};

use super::super::contact::{SYMMETRY, skewed};
use super::matrix::Sparse;
use super::read::expect_length;
use super::{FclibError, wrong};

/// Rows of contacts or joints that are made dense at most: 6,000² numbers are 288 MB.
const MOST_DENSE: usize = 6000;

/// A local problem as it is written; joints are `V`, `R` and `s`.
pub(super) struct Local {
    pub(super) operator: Sparse,
    pub(super) joints: Option<(Sparse, Sparse, Vec<f64>)>,
    pub(super) b: Vec<f64>,
    pub(super) friction: Vec<f64>,
}

/// A global problem as it is written; joints are `G` and `b`.
pub(super) struct Global {
    pub(super) mass: Sparse,
    pub(super) contacts: Sparse,
    pub(super) joints: Option<(Sparse, Vec<f64>)>,
    pub(super) forces: Vec<f64>,
    pub(super) offsets: Vec<f64>,
    pub(super) friction: Vec<f64>,
}

impl Local {
    /// Sizes fit each other.
    pub(super) fn check(&self, dimension: usize) -> Result<(), FclibError> {
        let rows = self.friction.len() * dimension;
        expect_length("fclib_local/vectors/q", self.b.len(), rows)?;
        expect_shape("fclib_local/W", &self.operator, rows, rows)?;
        if let Some((v, r, s)) = &self.joints {
            expect_shape("fclib_local/V", v, rows, s.len())?;
            expect_shape("fclib_local/R", r, s.len(), s.len())?;
        }
        Ok(())
    }

    /// `A` and `b`, three rows a contact.
    pub(super) fn reduced(self, dimension: usize) -> Result<(Assembled, Vec<f64>), FclibError> {
        let contacts = self.friction.len();
        let (operator, b) = match &self.joints {
            None => (self.operator, self.b),
            Some((v, r, s)) => without_joints(&self.operator, &self.b, v, r, s)?,
        };
        let blocks = blocks(&operator, contacts, dimension);
        if let Some(skewed) = skewed(&blocks) {
            return Err(wrong("fclib_local/W", skewed, SYMMETRY));
        }
        let third = |k: &[f64]| [k[0], k[1], k.get(2).copied().unwrap_or(0.0)];
        Ok((blocks, b.chunks_exact(dimension).flat_map(third).collect()))
    }
}

impl Global {
    /// Sizes fit each other.
    pub(super) fn check(&self, dimension: usize) -> Result<(), FclibError> {
        let (n, rows) = (self.forces.len(), self.friction.len() * dimension);
        expect_shape("fclib_global/M", &self.mass, n, n)?;
        expect_length("fclib_global/vectors/w", self.offsets.len(), rows)?;
        expect_shape("fclib_global/H", &self.contacts, n, rows)?;
        match &self.joints {
            Some((g, b)) => expect_shape("fclib_global/G", g, n, b.len()),
            None => Ok(()),
        }
    }

    /// The local problem.
    pub(super) fn local(self, dimension: usize) -> Result<Local, FclibError> {
        let factor = factorised(&self.mass)?;
        let solved = |mut v: Vec<f64>| {
            factor.solve_in_place(&mut v);
            v
        };
        let padded = factor.dimension();
        let mut free = self.forces.clone();
        free.resize(padded, 0.0);
        let free = solved(free);
        let mut b = self.offsets.clone();
        add_transposed(&self.contacts, &free, &mut b);
        let contacts = self.friction.len();
        let jacobian = contact_rows(&self.contacts, contacts, dimension, padded / 3);
        let operator = Factorised::new(&factor, jacobian).assemble();
        let joints = self.joints.map(|(g, offsets)| {
            // V and R, column by column.
            let mut columns = vec![vec![0.0; padded]; g.columns];
            for &(row, column, value) in &g.entries {
                columns[column][row] += value;
            }
            let (mut v, mut r) = (Vec::new(), Vec::new());
            for (column, unit) in columns.into_iter().enumerate() {
                let answer = solved(unit);
                let mut relative = vec![0.0; self.contacts.columns];
                add_transposed(&self.contacts, &answer, &mut relative);
                v.extend(relative.into_iter().enumerate().map(|(row, x)| (row, column, x)));
                let mut own = vec![0.0; g.columns];
                add_transposed(&g, &answer, &mut own);
                r.extend(own.into_iter().enumerate().map(|(row, x)| (row, column, x)));
            }
            let mut s = offsets;
            add_transposed(&g, &free, &mut s);
            let rows = self.contacts.columns;
            let v = Sparse { rows, columns: g.columns, entries: v };
            (v, Sparse { rows: g.columns, columns: g.columns, entries: r }, s)
        });
        let operator = entries(&operator, contacts, dimension);
        Ok(Local { operator, joints, b, friction: self.friction })
    }
}

fn expect_shape(what: &str, m: &Sparse, rows: usize, columns: usize) -> Result<(), FclibError> {
    match (m.rows, m.columns) == (rows, columns) {
        true => Ok(()),
        false => Err(wrong(
            what,
            format!("is {} by {}, but {rows} by {columns} was expected", m.rows, m.columns),
            "contacts have spacedim rows each; vectors are as long as matrices are wide",
        )),
    }
}

/// `y += mᵀ x`.
fn add_transposed(m: &Sparse, x: &[f64], y: &mut [f64]) {
    for &(row, column, value) in &m.entries {
        y[column] += value * x[row];
    }
}

/// A factor of `M`, filled up to whole blocks of three.
fn factorised(mass: &Sparse) -> Result<Cholesky, FclibError> {
    let size = mass.rows.div_ceil(3);
    let pairs: Vec<[u32; 2]> =
        mass.entries.iter().map(|&(i, j, _)| [(i / 3) as u32, (j / 3) as u32]).collect();
    let pattern =
        Arc::new(BlockPattern::from_stencils(size, pairs.iter().map(|pair| pair.as_slice())));
    let mut matrix = BlockMatrix::zeros(Arc::clone(&pattern));
    for &(i, j, value) in &mass.entries {
        let slot = pattern.slot(i / 3, j / 3).expect("in the pattern made of all entries");
        matrix.values_mut()[slot][(i % 3, j % 3)] += value;
    }
    for i in mass.rows..3 * size {
        let slot = pattern.slot(i / 3, i / 3).expect("the diagonal is always there");
        matrix.values_mut()[slot][(i % 3, i % 3)] = 1.0;
    }
    let mut factor = Cholesky::new(&Analysis::new(&pattern, Order::Graph));
    factor.factor(&matrix).map_err(|_| {
        wrong(
            "fclib_global/M",
            "is not positive definite",
            "masses are; see whether it was written in full",
        )
    })?;
    Ok(factor)
}

/// `Hᵀ` by blocks, a row for each contact.
fn contact_rows(h: &Sparse, contacts: usize, dimension: usize, columns: usize) -> BlockRows {
    let mut rows: Vec<Vec<(usize, Matrix3)>> = vec![Vec::new(); contacts];
    for &(velocity, row, value) in &h.entries {
        let mut block = Matrix3::zeros();
        block[(row % dimension, velocity % 3)] = value;
        rows[row / dimension].push((velocity / 3, block));
    }
    BlockRows::from_rows(columns, rows)
}

/// Blocks of a matrix with `dimension` rows a contact. A third direction moves like the mean of the others, alone.
fn blocks(m: &Sparse, contacts: usize, dimension: usize) -> Assembled {
    let mut rows: Vec<Vec<(usize, Matrix3)>> = vec![Vec::new(); contacts];
    let mut mobility = vec![0.0; contacts];
    for &(i, j, value) in &m.entries {
        let mut block = Matrix3::zeros();
        block[(i % dimension, j % dimension)] = value;
        rows[i / dimension].push((j / dimension, block));
        if i == j {
            mobility[i / dimension] += value / dimension as f64;
        }
    }
    if dimension == 2 {
        for (i, row) in rows.iter_mut().enumerate() {
            let mut block = Matrix3::zeros();
            block[(2, 2)] = mobility[i];
            row.push((i, block));
        }
    }
    Assembled::from_rows(contacts, rows)
}

/// Entries of the first `dimension` rows and columns of each block that are not zero.
pub(super) fn entries(a: &Assembled, contacts: usize, dimension: usize) -> Sparse {
    let mut entries = Vec::new();
    for i in 0..contacts {
        let own = [(i, a.block(i, i))];
        let all = own.into_iter().chain(a.others().row(i).map(|(j, block)| (j, *block)));
        for (j, block) in all {
            for (k, l) in (0..dimension).flat_map(|k| (0..dimension).map(move |l| (k, l))) {
                if block[(k, l)] != 0.0 {
                    entries.push((dimension * i + k, dimension * j + l, block[(k, l)]));
                }
            }
        }
    }
    Sparse { rows: dimension * contacts, columns: dimension * contacts, entries }
}

fn dense(m: &Sparse) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(m.rows, m.columns);
    for &(i, j, value) in &m.entries {
        all[(i, j)] += value;
    }
    all
}

/// `W − V R⁺ Vᵀ` and `q − V R⁺ s`.
fn without_joints(
    w: &Sparse,
    q: &[f64],
    v: &Sparse,
    r: &Sparse,
    s: &[f64],
) -> Result<(Sparse, Vec<f64>), FclibError> {
    if w.rows.max(r.rows) > MOST_DENSE {
        return Err(wrong(
            "the problem",
            format!("has {} rows of contacts and {} of joints", w.rows, r.rows),
            "with joints, 6,000 of each are the most",
        ));
    }
    let (v, r, s) = (dense(v), dense(r), DVector::from_column_slice(s));
    let size = r.amax();
    if (&r - r.transpose()).amax() > 1e-9 * size {
        return Err(wrong("fclib_local/R", "is not symmetric", "joints act and react alike"));
    }
    let eigen = r.clone().symmetric_eigen();
    // Rounding of a joint that others imply.
    let least = 1e-12 * eigen.eigenvalues.amax();
    let inverse =
        eigen.eigenvalues.map(|value| if value.abs() > least { 1.0 / value } else { 0.0 });
    let solve = |b: &DMatrix<f64>| {
        let turned = eigen.eigenvectors.tr_mul(b);
        &eigen.eigenvectors
            * DMatrix::from_fn(turned.nrows(), turned.ncols(), |i, j| inverse[i] * turned[(i, j)])
    };
    let free = solve(&DMatrix::from_column_slice(s.len(), 1, s.as_slice()));
    let left = (&r * &free - &s).amax();
    if left > 1e-8 * s.amax() {
        return Err(wrong("joints", "contradict each other", "take out those that others imply"));
    }
    let a = dense(w) - &v * solve(&v.transpose());
    let b = DVector::from_column_slice(q) - &v * free.column(0);
    // Symmetric to the last bit, as the sources are.
    let entry = |i: usize, j: usize| (i, j, 0.5 * (a[(i, j)] + a[(j, i)]));
    let all = (0..w.rows).flat_map(|i| (0..w.columns).map(move |j| (i, j)));
    let entries = all.map(|(i, j)| entry(i, j)).filter(|e| e.2 != 0.0).collect();
    Ok((Sparse { rows: w.rows, columns: w.columns, entries }, b.as_slice().to_vec()))
}
