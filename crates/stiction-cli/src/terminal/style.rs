//! Colours, by meaning. [`super::Terminal`] takes them out where they are not wanted.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

/// The word before an error.
pub fn error(text: impl Display) -> String {
    paint(AnsiColor::Red.on_default().bold(), text)
}

/// The word before a warning, and numbers to worry about.
pub fn warning(text: impl Display) -> String {
    paint(AnsiColor::Yellow.on_default().bold(), text)
}

/// The word before a remedy.
pub fn help(text: impl Display) -> String {
    paint(AnsiColor::Cyan.on_default(), text)
}

/// What went well.
pub fn good(text: impl Display) -> String {
    paint(AnsiColor::Green.on_default(), text)
}

/// A heading.
pub fn bold(text: impl Display) -> String {
    paint(Style::new().bold(), text)
}

/// What one may skip.
pub fn dim(text: impl Display) -> String {
    paint(Style::new().dimmed(), text)
}

fn paint(style: Style, text: impl Display) -> String {
    match text.to_string() {
        empty if empty.is_empty() => empty, // nothing to paint, and nothing to trim later
        text => format!("{style}{text}{style:#}"),
    }
}

/// How many columns `text` takes on a terminal, styles not counted.
pub fn width(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().chars().count()
}
