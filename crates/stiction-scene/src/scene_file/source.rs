//! Where a value was written: in which text, from which byte to which.

use std::ops::Range;

/// A stretch of one of the [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    source: u32,
    start: u32,
    end: u32,
}

impl Span {
    pub(super) fn new(source: usize, range: Range<usize>) -> Self {
        Self { source: source as u32, start: range.start as u32, end: range.end as u32 }
    }

    /// Sorts spans by text, and in a text by their start.
    pub(super) fn order(&self) -> (u32, u32) {
        (self.source, self.start)
    }

    /// Bytes of the text.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A text that values came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path, or what stands for it, such as `--set`.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// The scene file, and then each value given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Adds a text and returns its number.
    pub(super) fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.0.push(Source { name: name.into(), text: text.into() });
        self.0.len() - 1
    }

    /// The text a span points into.
    pub fn of(&self, span: Span) -> &Source {
        &self.0[span.source as usize]
    }

    /// Line and column of the start of a span, both counted from 1; columns are characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.of(span).text;
        let before = &text.as_bytes()[..(span.start as usize).min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        // Continuation bytes of UTF-8 are not characters of their own.
        let column = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count();
        (line, column + 1)
    }
}
