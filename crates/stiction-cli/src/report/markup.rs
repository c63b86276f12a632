//! Pieces of a page: numbers as they are printed, and tables.

use crate::terminal::human;
use crate::xml::escaped;

/// A number to so many digits, with a power of ten where that is shorter.
pub(crate) fn number(x: f64, digits: usize) -> String {
    match x {
        x if x.is_nan() => "none".to_owned(),
        x if x.is_infinite() => if x > 0.0 { "∞" } else { "−∞" }.to_owned(),
        x => typeset(&human::significant(x, digits)),
    }
}

/// Numbers inside of a text as they are printed: `-1e-7` becomes −1×10⁻⁷.
pub(crate) fn typeset(text: &str) -> String {
    let word = |word: &str| match word.split_once('e') {
        Some((mantissa, power)) if mantissa.parse::<f64>().is_ok() => match power.parse() {
            Ok(power) => format!("{mantissa}×10{}", superscript(power)).replace('-', "−"),
            Err(_) => word.to_owned(),
        },
        _ if word.parse::<f64>().is_ok() => word.replace('-', "−"),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A power, raised.
pub(crate) fn superscript(power: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    power.to_string().chars().map(raised).collect()
}

/// A cell of a table.
pub(crate) struct Cell {
    html: String,
    class: &'static str,
}

impl Cell {
    /// Words, of whomever.
    pub(crate) fn text(text: &str) -> Self {
        Self::html(escaped(text))
    }

    /// A number, which stands at the right.
    pub(crate) fn number(text: &str) -> Self {
        Self { html: escaped(text), class: "number" }
    }

    /// Markup of ours.
    pub(crate) fn html(html: String) -> Self {
        Self { html, class: "" }
    }

    /// Looks as this class does.
    pub(crate) fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}

/// A table whose first column names its rows.
pub(crate) struct Table {
    heads: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Without rows.
    pub(crate) fn new(heads: impl IntoIterator<Item = Cell>) -> Self {
        Self { heads: heads.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// In a frame of its own, which scrolls where it is too wide.
    pub(crate) fn html(&self) -> String {
        let cell = |tag: &str, scope: &str, cell: &Cell| match cell.class {
            "" => format!("<{tag}{scope}>{}</{tag}>", cell.html),
            class => format!("<{tag}{scope} class=\"{class}\">{}</{tag}>", cell.html),
        };
        let row = |cells: &Vec<Cell>| {
            let cells = cells.iter().enumerate().map(|(k, own)| match k {
                0 => cell("th", " scope=\"row\"", own),
                _ => cell("td", "", own),
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let heads: String =
            self.heads.iter().map(|head| cell("th", " scope=\"col\"", head)).collect();
        let heads = match self.heads.is_empty() {
            true => String::new(),
            false => format!("<thead><tr>{heads}</tr></thead>\n"),
        };
        let rows: String = self.rows.iter().map(row).collect();
        format!("<div class=\"wide\"><table>\n{heads}<tbody>\n{rows}</tbody>\n</table></div>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{number, typeset};

    #[test]
    fn numbers_are_printed_as_in_books() {
        assert_eq!(number(-1.25e-9, 3), "−1.25×10⁻⁹");
        assert_eq!(number(0.5, 3), "0.5");
        assert_eq!(number(f64::NAN, 3), "none");
        assert_eq!(typeset("-5 ± 1.00e-10"), "−5 ± 1.00×10⁻¹⁰");
        assert_eq!(typeset("at least one-two"), "at least one-two");
    }
}
