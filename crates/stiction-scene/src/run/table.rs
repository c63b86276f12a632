//! CSV tables that grow row by row and can be cut back to a step.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::disk::write_atomically;
use super::seal::{StoredSeal, TableSeal};
use super::{RunError, error::DAMAGE};

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A count.
    Count(u64),
    /// A number, written so that reading it gives the same bits.
    Number(f64),
    /// A word.
    Text(&'a str),
}

impl From<u64> for Cell<'_> {
    fn from(value: u64) -> Self {
        Self::Count(value)
    }
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Self::Count(value as u64)
    }
}

impl From<f64> for Cell<'_> {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

/// A CSV file whose first column is the step. Rows wait in memory for an [`append`].
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    columns: usize,
    rows: String,
}

impl Table {
    /// Makes the file, with a header: `step`, then the columns.
    pub(super) fn create(path: &Path, columns: &[String]) -> Result<(Self, TableSeal), RunError> {
        let header = header(columns);
        write_atomically(path, header.as_bytes())?;
        Ok((Self::reopen(path, columns), TableSeal::of(header.as_bytes())))
    }

    /// Opens a file again that was [`kept`].
    pub(super) fn reopen(path: &Path, columns: &[String]) -> Self {
        Self { path: path.to_path_buf(), columns: columns.len(), rows: String::new() }
    }

    /// Adds a row, which must have as many cells as the header.
    pub(super) fn row(&mut self, step: u64, cells: &[Cell<'_>]) {
        assert_eq!(cells.len(), self.columns, "a row of {} fits its header", self.path.display());
        let rows = &mut self.rows;
        // Writing to a string cannot fail.
        let _ = write!(rows, "{step}");
        for cell in cells {
            rows.push(',');
            let _ = match cell {
                Cell::Count(value) => write!(rows, "{value}"),
                Cell::Number(value) => write!(rows, "{value:?}"),
                Cell::Text(text) => rows.write_str(&quoted(text)),
            };
        }
        rows.push('\n');
    }

    /// Takes the rows that wait, for [`append`] elsewhere.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.rows)
    }
}

/// Which of the bytes of a table belong to the steps up to `last_step`: those that were sealed, or, of old runs, rows
/// that are whole and follow each other.
pub(super) fn kept(
    path: &Path,
    columns: &[String],
    seal: Option<StoredSeal>,
    last_step: Option<u64>,
) -> Result<TableSeal, RunError> {
    let bytes = fs::read(path).map_err(RunError::disk(path, "read it"))?;
    if let Some(seal) = seal {
        seal.check(path, &bytes)?;
    }
    let header = header(columns);
    if !bytes.starts_with(header.as_bytes()) {
        let found = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return Err(RunError::OtherRun {
            path: path.to_path_buf(),
            what: "the columns",
            stored: format!("`{}`", String::from_utf8_lossy(&found[..found.len().min(200)])),
            given: format!("`{}`", header.trim_end()),
        });
    }
    let length = match seal {
        Some(seal) => seal.bytes as usize,
        None => header.len() + whole_rows(path, &bytes[header.len()..], last_step)?,
    };
    Ok(TableSeal::of(&bytes[..length]))
}

/// Length of the rows up to a step, if there is one for each step up to it.
fn whole_rows(path: &Path, rows: &[u8], last_step: Option<u64>) -> Result<usize, RunError> {
    let (mut length, mut last) = (0, None);
    for row in rows.split_inclusive(|&byte| byte == b'\n') {
        let step = step_of(row).filter(|_| row.ends_with(b"\n"));
        let follows = |step: &u64| last.map_or(*step <= 1, |last| *step == last + 1);
        let Some(step) = step.filter(|step| Some(*step) <= last_step && follows(step)) else {
            break;
        };
        (length, last) = (length + row.len(), Some(step));
    }
    // Nothing is written of the start unless it was measured.
    match last.unwrap_or(0) >= last_step.unwrap_or(0) {
        true => Ok(length),
        false => {
            let (found, wanted) = (last.unwrap_or(0), last_step.unwrap_or(0));
            let reason =
                format!("has whole rows up to step {found}, and needs them up to {wanted}");
            Err(RunError::damaged(path, reason))
        }
    }
}

/// Cuts off what came after.
pub(super) fn cut(path: &Path, length: u64) -> Result<(), RunError> {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.set_len(length)).map_err(RunError::disk(path, "cut it off"))
}

/// Appends rows; when the disk refuses, what arrived of them is taken back.
pub(super) fn append(path: &Path, rows: &str) -> Result<(), RunError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut file =
        OpenOptions::new().append(true).open(path).map_err(RunError::disk(path, "open it"))?;
    let length = file.metadata().map_err(RunError::disk(path, "look at it"))?.len();
    if length == 0 {
        let (path, reason) = (path.to_path_buf(), "has lost its header".into());
        return Err(RunError::Damaged { path, reason, help: DAMAGE });
    }
    file.write_all(rows.as_bytes()).map_err(|error| {
        // If this fails too, the next resume cuts it off.
        let _ = file.set_len(length);
        RunError::of_disk(path, "write it", &error)
    })
}

fn header(columns: &[String]) -> String {
    let mut header = "step".to_owned();
    for column in columns {
        header.push(',');
        header.push_str(&quoted(column));
    }
    header.push('\n');
    header
}

/// Quotes where CSV asks for it. Line breaks become spaces: a row is a line, whatever is in it.
fn quoted(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn step_of(row: &[u8]) -> Option<u64> {
    let end = row.iter().position(|byte| matches!(byte, b',' | b'\n'))?;
    std::str::from_utf8(&row[..end]).ok()?.parse().ok()
}
