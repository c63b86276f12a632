//! FCLIB's sparse matrices: `m` rows, `n` columns, and in `nz` which of three forms.
//!
//! | `nz` | `p` | `i` |
//! |---|---|---|
//! | −1, by columns | where each of `n` columns begins, and the end | rows |
//! | −2, by rows | where each of `m` rows begins, and the end | columns |
//! | at least 0, entries | row of each | column of each |
//!
//! FCLIB says so; CSparse, whose structures it casts to, means rows and columns of entries the other way round.
//! Entries that fit the matrix in that way only are taken that way; in symmetric matrices it does not matter.

use hdf5_pure::GroupBuilder;

use super::read::Source;
use super::{FclibError, wrong};

/// A sparse matrix by its entries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sparse {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Row, column, value; several at one place add up.
    pub(super) entries: Vec<(usize, usize, f64)>,
}

impl Sparse {
    /// Reads the group `path`.
    pub(super) fn read(source: &Source, path: &str) -> Result<Self, FclibError> {
        let size = |name: &str| -> Result<usize, FclibError> {
            let path = format!("{path}/{name}");
            let value = source.integer(&path)?;
            usize::try_from(value)
                .ok()
                .filter(|&size| size <= u32::MAX as usize)
                .ok_or_else(|| wrong(&path, format!("is {value}"), "it counts rows or columns"))
        };
        let (rows, columns) = (size("m")?, size("n")?);
        let nz = source.integer(&format!("{path}/nz"))?;
        let p = source.indices(&format!("{path}/p"))?;
        let i = source.indices(&format!("{path}/i"))?;
        let x = source.numbers(&format!("{path}/x"))?;
        let entries = match nz {
            -1 => compressed(path, &p, &i, &x, columns, rows)?
                .into_iter()
                .map(|(column, row, value)| (row, column, value))
                .collect(),
            -2 => compressed(path, &p, &i, &x, rows, columns)?,
            nz if nz >= 0 => listed(path, nz as usize, [&p, &i], &x, [rows, columns])?,
            nz => {
                return Err(wrong(
                    &format!("{path}/nz"),
                    format!("is {nz}"),
                    "-1 means by columns, -2 by rows, zero and above a list of entries",
                ));
            }
        };
        Ok(Self { rows, columns, entries })
    }

    /// Adds it to a group, by columns.
    pub(super) fn write(&self, group: &mut GroupBuilder) -> Result<(), FclibError> {
        let too_large =
            || FclibError::Unfit("the problem is too large: FCLIB counts with 32 bits".into());
        let int = |n: usize| i32::try_from(n).map_err(|_| too_large());
        let mut sorted = self.entries.clone();
        sorted.sort_by_key(|&(row, column, _)| (column, row));
        let mut starts = vec![0; self.columns + 1];
        for &(_, column, _) in &sorted {
            starts[column + 1] += 1;
        }
        for column in 0..self.columns {
            starts[column + 1] += starts[column];
        }
        let rows = sorted.iter().map(|&(row, ..)| int(row)).collect::<Result<Vec<_>, _>>()?;
        let values: Vec<f64> = sorted.iter().map(|&(.., value)| value).collect();
        group.create_dataset("nzmax").with_i32_data(&[int(sorted.len())?]);
        group.create_dataset("m").with_i32_data(&[int(self.rows)?]);
        group.create_dataset("n").with_i32_data(&[int(self.columns)?]);
        group.create_dataset("nz").with_i32_data(&[-1]);
        group.create_dataset("p").with_i32_data(&starts);
        group.create_dataset("i").with_i32_data(&rows);
        group.create_dataset("x").with_f64_data(&values);
        Ok(())
    }
}

/// Entries by line (a row or a column), as line, place in it, value.
fn compressed(
    path: &str,
    starts: &[i64],
    places: &[i64],
    values: &[f64],
    lines: usize,
    length: usize,
) -> Result<Vec<(usize, usize, f64)>, FclibError> {
    const HELP: &str = "a compressed matrix has one start for each row or column, and the end";
    if starts.len() != lines + 1 {
        let problem = format!("has {} numbers, {} were expected", starts.len(), lines + 1);
        return Err(wrong(&format!("{path}/p"), problem, HELP));
    }
    let stored = places.len().min(values.len());
    let mut entries = Vec::with_capacity(stored);
    for line in 0..lines {
        let (from, to) = (starts[line], starts[line + 1]);
        if from < 0 || to < from || to as usize > stored {
            let problem = format!("goes from {from} to {to}, but {stored} numbers are stored");
            return Err(wrong(&format!("{path}/p"), problem, HELP));
        }
        for k in from as usize..to as usize {
            entries.push((line, within(path, places[k], length)?, values[k]));
        }
    }
    Ok(entries)
}

/// Entries one by one.
fn listed(
    path: &str,
    count: usize,
    [first, second]: [&[i64]; 2],
    values: &[f64],
    [rows, columns]: [usize; 2],
) -> Result<Vec<(usize, usize, f64)>, FclibError> {
    let stored = first.len().min(second.len()).min(values.len());
    if stored < count {
        let problem = format!("is {count}, but {stored} entries are stored");
        return Err(wrong(&format!("{path}/nz"), problem, "it counts entries"));
    }
    let (first, second) = (&first[..count], &second[..count]);
    let fits =
        |places: &[i64], length: usize| places.iter().all(|&k| k >= 0 && (k as usize) < length);
    let swapped =
        !(fits(first, rows) && fits(second, columns)) && fits(first, columns) && fits(second, rows);
    let (by_row, by_column) = if swapped { (second, first) } else { (first, second) };
    (0..count)
        .map(|k| {
            Ok((within(path, by_row[k], rows)?, within(path, by_column[k], columns)?, values[k]))
        })
        .collect()
}

fn within(path: &str, place: i64, length: usize) -> Result<usize, FclibError> {
    match usize::try_from(place) {
        Ok(place) if place < length => Ok(place),
        _ => Err(wrong(
            path,
            format!("has a number at {place} of {length}"),
            "rows and columns are counted from zero",
        )),
    }
}
