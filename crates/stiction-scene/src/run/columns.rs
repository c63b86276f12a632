//! Tables of a run, read as columns.

use std::collections::BTreeMap;

/// A table as columns, all of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns(pub Vec<Column>);

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// What its head says, without the unit.
    pub name: String,
    /// SI; empty if its head names none.
    pub unit: String,
    /// One for each row; NaN where there is a word or nothing.
    pub numbers: Vec<f64>,
    /// What is no number, by row.
    pub words: BTreeMap<usize, String>,
}

impl Columns {
    /// Reads CSV as [`Table`](super::Table) writes it. A last line without its end is still being written, and left
    /// out.
    pub fn parse(csv: &str) -> Self {
        let complete = csv.rfind('\n').map_or("", |end| &csv[..end]);
        let mut lines = complete.lines();
        let mut columns: Vec<Column> = match lines.next() {
            None => Vec::new(),
            Some(heads) => cells(heads).iter().map(|head| Column::new(head)).collect(),
        };
        for (row, line) in lines.enumerate() {
            let mut cells = cells(line).into_iter();
            for column in &mut columns {
                let cell = cells.next().unwrap_or_default();
                let number = cell.parse();
                column.numbers.push(*number.as_ref().unwrap_or(&f64::NAN));
                if number.is_err() && !cell.is_empty() {
                    column.words.insert(row, cell);
                }
            }
        }
        Self(columns)
    }

    /// The column of this name.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.0.iter().find(|column| column.name == name)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.0.first().map_or(0, |column| column.numbers.len())
    }
}

impl Column {
    /// `height [m]` has a name and a unit.
    fn new(head: &str) -> Self {
        let parts = head.strip_suffix(']').and_then(|head| head.rsplit_once(" ["));
        let (name, unit) = parts.unwrap_or((head, ""));
        Self { name: name.to_owned(), unit: unit.to_owned(), ..Self::default() }
    }
}

/// Cells of a line; quotes are doubled inside of quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(letter),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn columns_have_names_units_numbers_and_words() {
        let table = Columns::parse("step,\"a, \"\"b\"\" [m]\",word\n0,1.5,\"x,y\"\n1,NaN,\n2\n3,4");
        assert_eq!(table.rows(), 3, "the last line is torn");
        let [step, a, word] = &table.0[..] else { panic!("three columns") };
        assert_eq!((step.name.as_str(), step.unit.as_str()), ("step", ""));
        assert_eq!((a.name.as_str(), a.unit.as_str(), a.numbers[0]), ("a, \"b\"", "m", 1.5));
        assert!(a.numbers[1].is_nan() && a.numbers[2].is_nan() && a.words.is_empty());
        assert_eq!(word.words.get(&0).map(String::as_str), Some("x,y"));
        assert_eq!(word.words.len(), 1);
        assert_eq!(Columns::parse("").rows(), 0);
        assert!(table.get("word").is_some() && table.get("b").is_none());
    }
}
