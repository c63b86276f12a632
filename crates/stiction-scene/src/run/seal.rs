//! Checksums of what is no chunk: of JSON, in a member of its own, and of tables, up to a length.
//!
//! A sealed JSON file has a member `"checksum"` with the CRC-32 of its text, this member being `"00000000"`.

use std::fs;
use std::path::Path;

use super::RunError;

/// The member, up to its eight hexadecimal digits.
const MEMBER: &[u8] = b"\"checksum\": \"";
const DIGITS: usize = 8;
/// What the member is before it is filled in, and while the sum is taken.
pub(crate) const OPEN: &str = "00000000";

/// CRC-32, as of gzip.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Fills in the checksum of a text that has room for one.
pub(super) fn seal(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    if let Some(at) = place(&text) {
        text[at..at + DIGITS].copy_from_slice(OPEN.as_bytes());
        let sum = format!("{:08x}", checksum(&text));
        text[at..at + DIGITS].copy_from_slice(sum.as_bytes());
    }
    text
}

/// Compares a text with its checksum; one without passes unless it `must` have one.
pub(super) fn check(path: &Path, text: &[u8], must: bool) -> Result<(), RunError> {
    let Some(at) = place(text) else {
        return match must {
            true => Err(RunError::damaged(path, "is cut off or changed: it has no checksum")),
            false => Ok(()),
        };
    };
    let mut open = text.to_vec();
    let stored = open[at..at + DIGITS].to_vec();
    open[at..at + DIGITS].copy_from_slice(OPEN.as_bytes());
    match format!("{:08x}", checksum(&open)).as_bytes() == stored {
        true => Ok(()),
        false => Err(RunError::damaged(path, CHANGED)),
    }
}

/// What is said of a file whose checksum is another.
pub(super) const CHANGED: &str = "is cut off or changed: its checksum does not fit";

/// Reads a file that is sealed, or was written before there were seals.
///
/// # Errors
/// When it cannot be read, or has changed since it was written.
pub fn read_sealed(path: &Path) -> Result<Vec<u8>, RunError> {
    let text = fs::read(path).map_err(RunError::disk(path, "read it"))?;
    check(path, &text, false)?;
    Ok(text)
}

/// Where the digits are: quotes inside of strings are escaped, so that nothing else looks like the member.
fn place(text: &[u8]) -> Option<usize> {
    let starts = 0..text.len().saturating_sub(MEMBER.len() + DIGITS);
    starts.map(|start| start + MEMBER.len()).find(|&at| {
        text[at - MEMBER.len()..at] == *MEMBER
            && text[at..at + DIGITS].iter().all(u8::is_ascii_hexdigit)
            && text[at + DIGITS] == b'"'
    })
}

/// How long a table was at a moment, and what was in it.
#[derive(Debug, Default)]
pub(super) struct TableSeal {
    /// Its length [bytes].
    pub(super) bytes: u64,
    crc: flate2::Crc,
}

impl TableSeal {
    /// Of everything that is in it.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut seal = Self::default();
        seal.add(bytes);
        seal
    }

    /// With what was appended.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc.update(bytes);
    }

    pub(super) fn stored(&self) -> StoredSeal {
        StoredSeal { bytes: self.bytes, sum: self.crc.sum() }
    }
}

/// The same as it is kept in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredSeal {
    /// How long the table was [bytes].
    pub(super) bytes: u64,
    /// CRC-32 of so much of it.
    pub(super) sum: u32,
}

impl StoredSeal {
    /// Says what is wrong with a table that should begin with what was sealed.
    pub(super) fn check(self, path: &Path, table: &[u8]) -> Result<(), RunError> {
        let (found, expected) = (table.len() as u64, self.bytes);
        if found < expected {
            let reason = format!("is cut off: it has {found} bytes, and had {expected}");
            return Err(RunError::damaged(path, reason));
        }
        match checksum(&table[..expected as usize]) == self.sum {
            true => Ok(()),
            false => Err(RunError::damaged(path, CHANGED)),
        }
    }
}
