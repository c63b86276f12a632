//! Sparse rows: what of many unknowns each row touches.

use rayon::prelude::*;

/// Below this many rows a product is not worth a second thread.
const PARALLEL_ROWS: usize = 4096;

/// A sparse matrix, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    columns: usize,
    /// One more than rows: where each begins.
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    /// No rows yet.
    pub fn new(columns: usize) -> Self {
        Self { columns, starts: vec![0], indices: Vec::new(), values: Vec::new() }
    }

    /// Appends a row. Entries of one column are added up; `None` when a column does not exist.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (usize, f64)>) -> Option<()> {
        let mut entries: Vec<(usize, f64)> = entries.into_iter().collect();
        if entries.iter().any(|&(column, _)| column >= self.columns || column > u32::MAX as usize) {
            return None;
        }
        entries.sort_by_key(|&(column, _)| column);
        let first = self.indices.len();
        for (column, value) in entries {
            match self.indices[first..].last() {
                Some(&last) if last as usize == column => *self.values.last_mut()? += value,
                _ => {
                    self.indices.push(column as u32);
                    self.values.push(value);
                }
            }
        }
        self.starts.push(self.indices.len());
        Some(())
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Columns and values of a row, columns ascending.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// A row's entry in a column.
    pub fn entry(&self, i: usize, column: usize) -> f64 {
        let (indices, values) = self.row(i);
        indices.binary_search(&(column as u32)).map_or(0.0, |at| values[at])
    }

    /// A row times a vector.
    pub fn dot(&self, i: usize, x: &[f64]) -> f64 {
        let (indices, values) = self.row(i);
        indices.iter().zip(values).map(|(&j, v)| v * x[j as usize]).sum()
    }

    /// `y += factor · rowᵀ`.
    pub fn add_scaled(&self, i: usize, factor: f64, y: &mut [f64]) {
        let (indices, values) = self.row(i);
        for (&j, v) in indices.iter().zip(values) {
            y[j as usize] += factor * v;
        }
    }

    /// `y = rows · x`.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        if self.len() < PARALLEL_ROWS {
            y.iter_mut().enumerate().for_each(|(i, y)| *y = self.dot(i, x));
        } else {
            y.par_iter_mut().with_min_len(512).enumerate().for_each(|(i, y)| *y = self.dot(i, x));
        }
    }

    /// Which rows touch each column, ascending.
    pub(crate) fn transpose_pattern(&self) -> Rows {
        let mut counts = vec![0; self.columns + 1];
        for &j in &self.indices {
            counts[j as usize + 1] += 1;
        }
        for j in 0..self.columns {
            counts[j + 1] += counts[j];
        }
        let mut next = counts.clone();
        let (mut indices, mut values) =
            (vec![0; self.indices.len()], vec![0.0; self.indices.len()]);
        for i in 0..self.len() {
            let (columns, entries) = self.row(i);
            for (&j, &value) in columns.iter().zip(entries) {
                indices[next[j as usize]] = i as u32;
                values[next[j as usize]] = value;
                next[j as usize] += 1;
            }
        }
        Rows { columns: self.len(), starts: counts, indices, values }
    }

    pub(crate) fn finite(&self) -> bool {
        self.values.iter().all(|v| v.is_finite())
    }
}
