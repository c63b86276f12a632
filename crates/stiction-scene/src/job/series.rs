//! Probes over time.

use std::path::Path;

use crate::frame::FrameError;

/// Values of probes, one row a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What the probes are called.
    pub names: Vec<String>,
    /// When they were measured [s].
    pub times: Vec<f64>,
    /// Their values, a list for each probe.
    pub values: Vec<Vec<f64>>,
}

impl Series {
    pub(super) fn new(names: Vec<String>) -> Self {
        let values = vec![Vec::new(); names.len()];
        Self { names, times: Vec::new(), values }
    }

    pub(super) fn push(&mut self, time: f64, values: &[f64]) {
        self.times.push(time);
        self.values.iter_mut().zip(values).for_each(|(series, &value)| series.push(value));
    }

    /// Reads what an earlier part of the run has written: step, time, then the probes.
    pub(super) fn read(path: &Path, names: Vec<String>) -> Result<Self, FrameError> {
        let mut series = Self::new(names);
        for row in rows(path)? {
            let numbers: Option<Vec<f64>> =
                row.iter().skip(1).map(|cell| cell.parse().ok()).collect();
            match numbers.as_deref() {
                Some([time, values @ ..]) if values.len() == series.names.len() => {
                    series.push(*time, values);
                }
                _ => return Err(damaged(path, &row)),
            }
        }
        Ok(series)
    }
}

/// Cells of a table, without its head.
pub(super) fn rows(path: &Path) -> Result<Vec<Vec<String>>, FrameError> {
    let text = std::fs::read_to_string(path).map_err(|error| FrameError {
        path: path.to_path_buf(),
        reason: format!("cannot be read: {error}"),
        help: "restore it from a copy, or run the scene again".into(),
    })?;
    Ok(text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect())
}

pub(super) fn damaged(path: &Path, row: &[String]) -> FrameError {
    FrameError {
        path: path.to_path_buf(),
        reason: format!("has a row that is not understood: {}", row.join(",")),
        help: "restore it from a copy, or run the scene again".into(),
    }
}
