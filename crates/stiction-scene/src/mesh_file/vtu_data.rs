//! Arrays of VTU files: text, base64 or raw bytes, plain or in zlib blocks.
//!
//! Binary arrays begin with a header of words: their length in bytes; or, compressed, the count of blocks, the
//! size of a block, the size of the last if shorter, and the compressed size of each.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::error::Fault;
use super::number::{Endian, Scalar};
use super::scanner::{Scanner, find};

/// How the file writes binary arrays.
pub(super) struct Encoding<'a> {
    pub(super) endian: Endian,
    /// Type of the words in headers.
    pub(super) header: Scalar,
    pub(super) compressed: bool,
    /// Bytes that arrays may still decode to. Arrays that share their bytes could ask for any amount.
    pub(super) budget: Cell<usize>,
    /// What follows the `_` of `AppendedData`.
    pub(super) appended: Option<Source<'a>>,
}

/// Bytes in the file, to be decoded from their beginning.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

impl<'a> Source<'a> {
    pub(super) fn skip(self, offset: usize) -> Option<Self> {
        match self {
            Self::Raw(bytes) => bytes.get(offset..).map(Self::Raw),
            Self::Base64(text) => text.get(offset..).map(Self::Base64),
        }
    }

    /// The first `length` bytes; none if there are fewer, or if they are not base64.
    fn prefix(self, length: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Self::Raw(bytes) => bytes.get(..length).map(Cow::Borrowed),
            Self::Base64(text) => decode_base64(text, length).map(Cow::Owned),
        }
    }
}

impl Encoding<'_> {
    /// What all arrays of a file of this size can decode to: zlib shrinks data 1032 times at most.
    pub(super) fn greatest_total(file_size: usize, compressed: bool) -> usize {
        file_size.saturating_mul(if compressed { 1032 } else { 1 })
    }

    /// The bytes of one array.
    pub(super) fn decode(&self, source: Source<'_>) -> Result<Vec<u8>, Fault> {
        let bytes = self.decode_any(source)?;
        let Some(left) = self.budget.get().checked_sub(bytes.len()) else {
            let what = "data arrays overlap: together they are larger than the file can hold";
            return Err(Fault::Contradiction { what: what.to_owned() });
        };
        self.budget.set(left);
        Ok(bytes)
    }

    fn decode_any(&self, source: Source<'_>) -> Result<Vec<u8>, Fault> {
        let width = self.header.width();
        let short = || Fault::Truncated { expected: "the bytes of a data array".into() };
        let words = |count: usize| -> Result<Vec<usize>, Fault> {
            let length = count.checked_mul(width).ok_or_else(short)?;
            let bytes = source.prefix(length).ok_or_else(short)?;
            let words = self.header.integers(self.endian, &bytes);
            words.into_iter().map(|w| usize::try_from(w).map_err(|_| short())).collect()
        };
        let first = words(1)?[0];
        if !self.compressed {
            let total = first.checked_add(width).ok_or_else(short)?;
            return Ok(source.prefix(total).ok_or_else(short)?[width..].to_vec());
        }
        if first == 0 {
            return Ok(Vec::new());
        }
        let header = words(first.checked_add(3).ok_or_else(short)?)?;
        let (block_size, last_size, sizes) = (header[1], header[2], &header[3..]);
        let start = header.len() * width;
        let end = sizes.iter().try_fold(start, |sum, &size| sum.checked_add(size));
        let bytes = source.prefix(end.ok_or_else(short)?).ok_or_else(short)?;
        let mut rest = &bytes[start..];
        let mut out = Vec::new();
        for (k, &size) in sizes.iter().enumerate() {
            let is_short = k + 1 == sizes.len() && last_size != 0;
            let expected = if is_short { last_size } else { block_size };
            let (block, behind) = rest.split_at(size);
            rest = behind;
            inflate(block, expected, &mut out)?;
        }
        Ok(out)
    }
}

/// Appends a zlib block, which must give `expected` bytes. Memory grows with what is really there.
fn inflate(block: &[u8], expected: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    let before = out.len();
    let limit = (expected as u64).saturating_add(1);
    let outcome = ZlibDecoder::new(block).take(limit).read_to_end(out);
    let length = out.len() - before;
    if outcome.is_err() || length != expected {
        let what = format!("a zlib block should give {expected} bytes, but gives {length}");
        return Err(Fault::Contradiction { what });
    }
    Ok(())
}

/// The first `length` bytes of base64. Padding may stand in the middle, where VTK joins a header and data
/// that were encoded apart; that is why no ordinary decoder is used.
fn decode_base64(text: &[u8], length: usize) -> Option<Vec<u8>> {
    // Four characters give three bytes, so this bounds the memory by the file.
    if length > text.len() / 4 * 3 {
        return None;
    }
    let mut out = Vec::with_capacity(length + 2);
    let (mut bits, mut count, mut padding) = (0_u32, 0, 0);
    for &character in text.iter().filter(|c| !c.is_ascii_whitespace()) {
        if out.len() >= length {
            break;
        }
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if count >= 2 => {
                padding += 1;
                0
            }
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            out.extend_from_slice(&bits.to_be_bytes()[1..4 - padding]);
            (bits, count, padding) = (0, 0, 0);
        }
    }
    out.truncate(length);
    (out.len() == length).then_some(out)
}

/// Numbers of one array.
pub(super) enum Numbers<'a> {
    Text(&'a [u8]),
    Binary(Vec<u8>, Endian),
}

impl Numbers<'_> {
    pub(super) fn floats(&self, scalar: Scalar) -> Result<Vec<f64>, Fault> {
        match self {
            Self::Binary(bytes, endian) => Ok(scalar.floats(*endian, bytes)),
            Self::Text(text) => all(text, |scanner| scanner.float("a number")),
        }
    }

    pub(super) fn integers(&self, scalar: Scalar) -> Result<Vec<i64>, Fault> {
        match self {
            Self::Binary(bytes, endian) => Ok(scalar.integers(*endian, bytes)),
            Self::Text(text) => all(text, |scanner| scanner.integer("an integer")),
        }
    }
}

fn all<T>(
    text: &[u8],
    one: impl Fn(&mut Scanner<'_>) -> super::error::Parsed<T>,
) -> Result<Vec<T>, Fault> {
    let mut scanner = Scanner::new(text);
    let mut values = Vec::new();
    while scanner.peek().is_some() {
        values.push(one(&mut scanner).map_err(|failure| failure.fault)?);
    }
    Ok(values)
}

/// The XML up to the content of `AppendedData`, closed by us, and what follows the `_`.
///
/// Raw content is not XML, so no parser may see it.
pub(super) fn split_appended(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let tag = find(bytes, b"<AppendedData")?;
    let open = tag + find(&bytes[tag..], b">")? + 1;
    let content = open + find(&bytes[open..], b"_")? + 1;
    let mut xml = bytes[..open].to_vec();
    xml.extend_from_slice(b"</AppendedData></VTKFile>");
    Some((xml, &bytes[content..]))
}
