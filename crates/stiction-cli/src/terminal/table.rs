//! Tables with aligned columns.

use std::fmt;

use super::style;

/// A column's heading, and the side its cells lean to.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Text.
    Left(&'a str),
    /// Numbers.
    Right(&'a str),
}

/// Rows under headings; prints without a newline at its end.
///
/// ```
/// use stiction_cli::terminal::{Column::{Left, Right}, Table};
/// let mut table = Table::new(&[Left("group"), Right("vertices")]);
/// table.row(["surface".to_owned(), "1,002".to_owned()]);
/// assert!(table.to_string().ends_with("surface     1,002"));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl Column<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Left(name) | Self::Right(name) => name,
        }
    }
}

impl Table {
    /// An empty table. Where all headings are empty, there is no line for them.
    pub fn new(columns: &[Column<'_>]) -> Self {
        let right = columns.iter().map(|c| matches!(c, Column::Right(_))).collect();
        let mut rows = Vec::new();
        if columns.iter().any(|c| !c.name().is_empty()) {
            rows.push(columns.iter().map(|c| style::dim(c.name())).collect());
        }
        Self { right, rows, indent: 0 }
    }

    /// The same table, with so many spaces before each line.
    #[must_use]
    pub fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Adds a row: one cell a column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row: Vec<String> = cells.into_iter().collect();
        assert_eq!(row.len(), self.right.len(), "one cell for each column");
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = |k: usize| self.rows.iter().map(|row| style::width(&row[k])).max();
        let widths: Vec<usize> = (0..self.right.len()).filter_map(widest).collect();
        for (i, row) in self.rows.iter().enumerate() {
            let mut line = " ".repeat(self.indent);
            for (k, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[k] - style::width(cell));
                let gap = if k == 0 { "" } else { "  " };
                line += &match self.right[k] {
                    true => format!("{gap}{padding}{cell}"),
                    false => format!("{gap}{cell}{padding}"),
                };
            }
            write!(f, "{}{}", if i == 0 { "" } else { "\n" }, line.trim_end())?;
        }
        Ok(())
    }
}
