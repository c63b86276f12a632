//! What took long to make, kept on the disk for the next run.
//!
//! An entry is a file with all that went into the work, the settings and the version of stiction among it, and with
//! what came out. It counts only if the former is what it would be made of now, byte for byte, and if its checksum is
//! right; everything else is made anew and replaces it. So nothing has to be thrown away by hand when a mesh changes,
//! and a damaged file costs time, not truth. Names of files are a short hash of what went in: two that share one
//! replace each other.
//!
//! Files are written beside their place and renamed, so that others find all of one or none. Together they take 1 GiB
//! at most; those unused for longest go first. Whoever deletes the folder loses nothing but time.
//!
//! | what | where |
//! |---|---|
//! | `STICTION_CACHE_DIR` | there; with an empty value nothing is kept |
//! | `XDG_CACHE_HOME` | in `stiction` in it |
//! | macOS, Windows, others | `~/Library/Caches/stiction`, `%LOCALAPPDATA%\stiction`, `~/.cache/stiction` |

mod bytes;
mod entries;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::{Reader, Writer};
pub(crate) use entries::Kept;

/// Most that all entries take in bytes: a hundred grids of a million nodes.
const LIMIT: u64 = 1 << 30;

/// How entries are laid out; other numbers are not read.
const FORMAT: u32 = 1;

/// First bytes of an entry.
const MARK: &[u8; 8] = b"stiction";

/// Bytes before what the checksum is of: the mark, the layout, the checksum.
const HEAD: usize = 16;

/// Ending of entries; no other files are touched.
const ENDING: &str = "kept";

/// A folder of what has been made before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: Option<PathBuf>,
    limit: u64,
}

impl Cache {
    /// Where the environment says.
    pub fn standard() -> Self {
        let folder = folder(|name| std::env::var_os(name));
        Self { folder, limit: LIMIT }
    }

    /// In a folder, made when it is needed.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), limit: LIMIT }
    }

    /// Keeps nothing.
    pub fn off() -> Self {
        Self { folder: None, limit: 0 }
    }

    /// The same with another limit on all entries together (in bytes).
    #[must_use]
    pub fn limited_to(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Where it is, if anything is kept.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// What came out of these inputs before.
    fn get(&self, inputs: &[u8]) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join(name(inputs));
        // Larger ones are none of ours; there may be anything in that folder.
        let file = File::open(&path).ok()?;
        if file.metadata().ok()?.len() > self.limit.max(LIMIT) {
            return None;
        }
        let result = unpack(fs::read(&path).ok()?, inputs)?;
        // Only to tell which are used; on a disk that cannot be written it does not matter.
        let _ = file.set_modified(SystemTime::now());
        Some(result)
    }

    /// Keeps what came out of these inputs.
    fn put(&self, inputs: &[u8], result: &[u8]) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let bytes = pack(inputs, result);
        if bytes.len() as u64 > self.limit {
            return Ok(());
        }
        fs::create_dir_all(folder)?;
        let path = folder.join(name(inputs));
        let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
        let written = fs::write(&unfinished, &bytes).and_then(|()| fs::rename(&unfinished, &path));
        if written.is_err() {
            // Half a file helps nobody; the first reason counts.
            let _ = fs::remove_file(&unfinished);
        }
        written?;
        self.trim(folder)
    }

    /// Removes entries, the one unused for longest first, until what is left fits.
    fn trim(&self, folder: &Path) -> io::Result<()> {
        let mut entries: Vec<(SystemTime, PathBuf, u64)> = fs::read_dir(folder)?
            .filter_map(Result::ok)
            .filter(|entry| entry.path().extension().is_some_and(|ending| ending == ENDING))
            .filter_map(|entry| {
                let data = entry.metadata().ok()?;
                Some((data.modified().ok()?, entry.path(), data.len()))
            })
            .collect();
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, _, bytes)| bytes).sum();
        for (_, path, bytes) in entries {
            if total <= self.limit {
                break;
            }
            // Another process may have been faster.
            let _ = fs::remove_file(path);
            total -= bytes;
        }
        Ok(())
    }
}

/// The folder that the environment asks for.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(given) = variable("STICTION_CACHE_DIR") {
        return Some(given).filter(|given| !given.is_empty()).map(PathBuf::from);
    }
    let set = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            set("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            set("HOME").map(|home| home.join("Library/Caches"))
        } else {
            set("HOME").map(|home| home.join(".cache"))
        }
    });
    base.map(|base| base.join("stiction"))
}

/// The name of an entry: 64 bits of FNV-1a, enough to keep apart what one user works with.
fn name(inputs: &[u8]) -> String {
    let hash = inputs.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}.{ENDING}")
}

fn pack(inputs: &[u8], result: &[u8]) -> Vec<u8> {
    let mut body = Writer::default();
    body.block(inputs).block(result);
    let mut bytes = Vec::with_capacity(HEAD + body.0.len());
    bytes.extend(MARK);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(checksum(&body.0).to_le_bytes());
    bytes.extend(body.0);
    bytes
}

/// What came out, if an entry is whole and of these inputs.
fn unpack(mut bytes: Vec<u8>, inputs: &[u8]) -> Option<Vec<u8>> {
    let body = bytes.get(HEAD..)?;
    let head = [&MARK[..], &FORMAT.to_le_bytes(), &checksum(body).to_le_bytes()].concat();
    let mut reader = Reader(body);
    let sound = bytes[..HEAD] == head && reader.block()? == inputs;
    let result = reader.block()?.len();
    if !sound || !reader.0.is_empty() {
        return None;
    }
    Some(bytes.split_off(bytes.len() - result))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_where() {
        let with = |set: &[(&str, &str)]| {
            folder(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).into()))
        };
        let own = ("STICTION_CACHE_DIR", "/own");
        assert_eq!(with(&[own, ("XDG_CACHE_HOME", "/xdg")]), Some("/own".into()));
        assert_eq!(with(&[("STICTION_CACHE_DIR", ""), ("HOME", "/home/x")]), None);
        assert_eq!(with(&[]), None);
        if cfg!(unix) {
            let xdg = with(&[("XDG_CACHE_HOME", "/xdg"), ("HOME", "/home/x")]);
            assert_eq!(xdg, Some("/xdg/stiction".into()));
            // As the specification says of paths that are not absolute.
            let relative = with(&[("XDG_CACHE_HOME", "xdg"), ("HOME", "/home/x")]);
            assert!(relative.is_some_and(|folder| folder.starts_with("/home/x")));
        }
    }

    #[test]
    fn entries_come_back_and_no_bit_of_them_may_change() {
        let packed = pack(b"inputs", b"result");
        assert_eq!(unpack(packed.clone(), b"inputs").as_deref(), Some(&b"result"[..]));
        assert_eq!(unpack(packed.clone(), b"others"), None);
        for bit in 0..8 * packed.len() {
            let mut broken = packed.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unpack(broken, b"inputs"), None, "bit {bit}");
        }
        for length in 0..packed.len() {
            assert_eq!(unpack(packed[..length].to_vec(), b"inputs"), None, "{length} bytes");
        }
        assert_eq!(unpack([&packed[..], b"more"].concat(), b"inputs"), None);
    }
}
