//! A cursor over the bytes of a file, for text and binary parts alike.
//!
//! Tokens are slices of the input: nothing is allocated until something is wrong. Line numbers are
//! counted only then, too.

use std::borrow::Cow;

use stiction::math::Vector3;

use super::error::{Failure, Fault, Parsed, Place};

/// Where we are in the file.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Whether places are told as bytes; otherwise as lines.
    pub(super) binary: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, binary: false }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Another cursor over the same file.
    pub(super) fn clone_at(&self, position: usize) -> Self {
        Self { position, ..self.clone() }
    }

    pub(super) fn remaining(&self) -> &'a [u8] {
        &self.bytes[self.position..]
    }

    /// Where the cursor is, for messages.
    pub(super) fn place(&self) -> Place {
        self.place_at(self.position)
    }

    pub(super) fn place_at(&self, position: usize) -> Place {
        if self.binary {
            return Place::Byte(position);
        }
        let before = &self.bytes[..position.min(self.bytes.len())];
        Place::Line(1 + before.iter().filter(|&&b| b == b'\n').count())
    }

    /// The next token, wherever it is; none at the end of the file.
    pub(super) fn token(&mut self) -> Option<&'a [u8]> {
        self.skip_while(|b| b.is_ascii_whitespace());
        self.token_here()
    }

    /// The next token of this line; none at its end.
    pub(super) fn token_in_line(&mut self) -> Option<&'a [u8]> {
        self.skip_while(|b| b.is_ascii_whitespace() && b != b'\n');
        self.token_here()
    }

    /// The next token without moving on.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().token()
    }

    /// The rest of this line without its end; the cursor moves behind it. None at the end of the file.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.remaining();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&b| b == b'\n');
        self.position += length.map_or(rest.len(), |n| n + 1);
        let line = &rest[..length.unwrap_or(rest.len())];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    pub(super) fn word(&mut self, expected: &'static str) -> Parsed<&'a [u8]> {
        self.token().ok_or_else(|| self.truncated(expected))
    }

    pub(super) fn float(&mut self, expected: &'static str) -> Parsed<f64> {
        let token = self.word(expected)?;
        parse_float(token).ok_or_else(|| self.unexpected(token, expected))
    }

    pub(super) fn integer(&mut self, expected: &'static str) -> Parsed<i64> {
        let token = self.word(expected)?;
        parse_integer(token).ok_or_else(|| self.unexpected(token, expected))
    }

    /// A count of things that take at least `bytes_each` bytes of what follows.
    pub(super) fn count(&mut self, what: &'static str, bytes_each: usize) -> Parsed<usize> {
        let count = self.integer(what)?;
        self.checked_count(count, what, bytes_each)
    }

    /// Refuses counts the rest of the file cannot hold, so that they may be trusted with memory.
    pub(super) fn checked_count(
        &self,
        count: i64,
        what: &'static str,
        bytes_each: usize,
    ) -> Parsed<usize> {
        let remaining = self.remaining().len();
        // One byte of grace: the last token of a text needs no separator behind it.
        if count < 0 || count.saturating_mul(bytes_each as i64) > remaining as i64 + 1 {
            return Err(self.failure(Fault::TooMany { what, count, remaining }));
        }
        Ok(count as usize)
    }

    /// The next `length` bytes as they are.
    pub(super) fn take(&mut self, length: usize, expected: &'static str) -> Parsed<&'a [u8]> {
        let Some(bytes) = self.remaining().get(..length) else {
            self.position = self.bytes.len();
            return Err(self.truncated(expected));
        };
        self.position += length;
        Ok(bytes)
    }

    /// The next `N` bytes as they are.
    pub(super) fn array<const N: usize>(&mut self, expected: &'static str) -> Parsed<[u8; N]> {
        let bytes = self.take(N, expected)?;
        Ok(bytes.try_into().expect("as many as asked for"))
    }

    /// Moves behind the next occurrence of `text`; false, and no move, if there is none.
    pub(super) fn skip_past(&mut self, text: &[u8]) -> bool {
        let found = find(self.remaining(), text);
        if let Some(at) = found {
            self.position += at + text.len();
        }
        found.is_some()
    }

    /// A vertex, if it is finite.
    pub(super) fn vertex(&self, x: [f64; 3], index: usize) -> Parsed<Vector3> {
        if x.iter().all(|c| c.is_finite()) {
            return Ok(Vector3::from(x));
        }
        Err(self.failure_before(Fault::NotFinite { vertex: index }))
    }

    pub(super) fn failure(&self, fault: Fault) -> Failure {
        Failure { place: self.place(), fault }
    }

    /// A fault of what was just read.
    pub(super) fn failure_before(&self, fault: Fault) -> Failure {
        Failure { place: self.place_at(self.position.saturating_sub(1)), fault }
    }

    pub(super) fn truncated(&self, expected: impl Into<Cow<'static, str>>) -> Failure {
        self.failure(Fault::Truncated { expected: expected.into() })
    }

    /// `found` was just read and is not what it should be.
    pub(super) fn unexpected(
        &self,
        found: &[u8],
        expected: impl Into<Cow<'static, str>>,
    ) -> Failure {
        self.failure_before(Fault::Unexpected { expected: expected.into(), found: shown(found) })
    }

    fn token_here(&mut self) -> Option<&'a [u8]> {
        let start = self.position;
        self.skip_while(|b| !b.is_ascii_whitespace());
        (self.position > start).then(|| &self.bytes[start..self.position])
    }

    fn skip_while(&mut self, holds: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().position(|&b| !holds(b)).unwrap_or(rest.len());
    }
}

/// A number in any of the usual ways of writing.
pub(super) fn parse_float(token: &[u8]) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// A decimal integer with an optional sign.
pub(super) fn parse_integer(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    // Eighteen digits cannot overflow; no mesh counts farther.
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |n, d| 10 * n + i64::from(d - b'0'));
    Some(if negative { -value } else { value })
}

/// Where `text` first occurs in `bytes`.
pub(super) fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text)
}

/// Bytes for a message: quoted, at most 40 characters, nothing that upsets a terminal.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    let mut short: String =
        text.chars().take(40).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().count() > 40 || bytes.len() > 160 {
        short.push('…');
    }
    format!("`{short}`")
}
