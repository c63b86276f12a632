//! What a study found: words, tables, plots; and the files they become.

use crate::report::chart::Chart;
use crate::report::markup::{self, Cell};

/// What a study found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// In a line or two, for the terminal.
    pub(super) words: Vec<String>,
    sheets: Vec<(&'static str, Sheet)>,
    charts: Vec<(&'static str, Chart)>,
}

/// Numbers in rows.
#[derive(Debug)]
pub(super) struct Sheet {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// Longer ones are in the file alone.
const MOST_ROWS_SHOWN: usize = 40;

impl Sheet {
    /// Without rows. Heads have no commas.
    pub(super) fn new(heads: &[&'static str]) -> Self {
        Self { heads: heads.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Texts have no commas.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.heads.len(), "one cell a column");
        self.rows.push(cells.into());
    }

    fn csv(&self) -> String {
        let lines = self.rows.iter().map(|row| row.join(","));
        let mut text = self.heads.join(",");
        for line in lines {
            text.push('\n');
            text.push_str(&line);
        }
        text + "\n"
    }
}

impl Findings {
    /// Says something.
    pub(super) fn say(&mut self, words: String) {
        self.words.push(words);
    }

    /// Adds a table; `part` tells it from others of the study, and may be empty.
    pub(super) fn sheet(&mut self, part: &'static str, sheet: Sheet) {
        self.sheets.push((part, sheet));
    }

    /// Adds a plot.
    pub(super) fn chart(&mut self, part: &'static str, chart: Chart) {
        self.charts.push((part, chart));
    }

    /// Names and contents of all files.
    pub(super) fn files(&self, study: &str) -> Vec<(String, String)> {
        let name = |part: &str, kind: &str| match part {
            "" => format!("{study}.{kind}"),
            part => format!("{study}-{part}.{kind}"),
        };
        let sheets = self.sheets.iter().map(|(part, sheet)| (name(part, "csv"), sheet.csv()));
        let charts = self
            .charts
            .iter()
            .filter_map(|(part, chart)| Some((name(part, "svg"), chart.svg_file()?)));
        sheets.chain(charts).collect()
    }

    /// All of it on a page.
    pub(super) fn html(&self) -> String {
        let words: String = self
            .words
            .iter()
            .map(|line| format!("<p>{}</p>\n", crate::xml::escaped(line)))
            .collect();
        let charts: String = self.charts.iter().filter_map(|(_, chart)| chart.figure()).collect();
        let mut html = format!("{words}<div class=\"charts\">\n{charts}</div>\n");
        for (_, sheet) in &self.sheets {
            let mut table = markup::Table::new(sheet.heads.iter().map(|head| Cell::number(head)));
            for row in sheet.rows.iter().take(MOST_ROWS_SHOWN) {
                table.row(row.iter().map(|cell| Cell::number(&shown(cell))));
            }
            let more = sheet.rows.len().saturating_sub(MOST_ROWS_SHOWN);
            let more = match more {
                0 => String::new(),
                more => format!("<p class=\"soft\">and {more} more rows in the CSV file</p>\n"),
            };
            html.push_str(&format!(
                "<details><summary>Numbers</summary>\n{}{more}</details>\n",
                table.html()
            ));
        }
        html
    }
}

/// A cell with few digits.
fn shown(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(x) if x.fract() != 0.0 => markup::number(x, 5),
        _ => cell.to_owned(),
    }
}
