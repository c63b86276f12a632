//! Files as the Zarr library sees them, and files that are replaced in one go.
//!
//! Metadata is replaced atomically, so that whoever opens the run meanwhile finds the old or the new text, never half
//! of it. Chunks are written in place: nobody looks at them before metadata counts them.
//!
//! Metadata is [sealed](super::seal).
//!
//! The store of `zarrs` itself waits for the disk after every file (`fsync`), which for small scenes costs more than
//! the simulation; this one leaves that to the operating system.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    Bytes, MaybeBytes, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StorePrefix, WritableStorageTraits,
};

use super::{RunError, seal};

/// Ending of files that are not yet what they will be.
pub(super) const UNFINISHED: &str = ".unfinished";

/// No metadata of ours comes near this [bytes].
const LARGEST_METADATA: u64 = 64 << 20;

/// Writes a file so that others see all of it or what was there before.
///
/// # Errors
/// When the disk refuses; the file is then as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(UNFINISHED);
    let unfinished = path.with_file_name(name);
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        // Whatever is left of it would only fill the disk further; if that fails too, the first reason counts.
        let _ = fs::remove_file(&unfinished);
        RunError::of_disk(path, "write it", &error)
    })
}

/// The same for JSON that has a member `checksum`, which is filled in.
///
/// # Errors
/// When the disk refuses; the file is then as it was.
pub fn write_sealed(path: &Path, json: &[u8]) -> Result<(), RunError> {
    write_atomically(path, &seal::seal(json))
}

/// A folder with a Zarr hierarchy in it.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
    /// Whether metadata must be sealed, as it is since version 2 of the format.
    sealed: bool,
    /// What went wrong last, since the errors of `zarrs` keep neither path nor kind.
    failure: Mutex<Option<RunError>>,
}

impl Disk {
    pub(super) fn new(root: PathBuf, sealed: bool) -> Self {
        Self { root, sealed, failure: Mutex::new(None) }
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn path(&self, key: &StoreKey) -> PathBuf {
        self.root.join(key.as_str())
    }

    /// What the disk said, if it did, else what `zarrs` says about a key.
    pub(super) fn explain(&self, at: &Path, error: &dyn std::fmt::Display) -> RunError {
        let failure = self.failure.lock().ok().and_then(|mut failure| failure.take());
        failure.unwrap_or_else(|| RunError::damaged(at, error.to_string()))
    }

    fn fail(&self, error: RunError) -> StorageError {
        let said = StorageError::Other(error.to_string());
        if let Ok(mut failure) = self.failure.lock() {
            *failure = Some(error);
        }
        said
    }

    fn write(&self, key: &StoreKey, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path(key);
        let write = || match key.as_str().ends_with("zarr.json") {
            true => write_sealed(&path, bytes),
            false => fs::write(&path, bytes).map_err(RunError::disk(&path, "write it")),
        };
        match write() {
            Err(RunError::Disk { kind: io::ErrorKind::NotFound, .. }) => {
                let folder = path.parent().unwrap_or(&self.root);
                fs::create_dir_all(folder).map_err(RunError::disk(folder, "make the folder"))?;
                write()
            }
            other => other,
        }
    }

    fn read(&self, key: &StoreKey) -> Result<MaybeBytes, RunError> {
        let path = self.path(key);
        let refuse = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            _ => Err(RunError::of_disk(&path, "read it", &error)),
        };
        let metadata = key.as_str().ends_with("zarr.json");
        if metadata {
            match fs::metadata(&path) {
                Ok(file) if file.len() > LARGEST_METADATA => {
                    return Err(RunError::damaged(&path, "is too large for metadata"));
                }
                Ok(_) => {}
                Err(error) => return refuse(error),
            }
        }
        let bytes = match self.leads_out(&path) {
            Ok(false) => fs::read(&path),
            Ok(true) => {
                return Err(RunError::damaged(&path, "is a link to somewhere outside of the run"));
            }
            Err(error) => Err(error),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return refuse(error),
        };
        if metadata {
            seal::check(&path, &bytes, self.sealed)?;
        }
        Ok(Some(bytes.into()))
    }

    /// Whether links lead from a path to somewhere outside: a run that somebody sends must not show other files.
    fn leads_out(&self, path: &Path) -> io::Result<bool> {
        Ok(!path.canonicalize()?.starts_with(self.root.canonicalize()?))
    }
}

impl ReadableStorageTraits for Disk {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.read(key).map_err(|error| self.fail(error))
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let Some(bytes) = self.get(key)? else { return Ok(None) };
        let size = bytes.len() as u64;
        let parts = ranges.map(move |range| {
            let (start, end) = (range.start(size), range.end(size));
            if start > end || end > size {
                return Err(StorageError::Other("asked for bytes beyond the end".into()));
            }
            Ok(bytes.slice(start as usize..end as usize))
        });
        Ok(Some(Box::new(parts)))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        match fs::metadata(self.path(key)) {
            Ok(file) => Ok(Some(file.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fail(RunError::of_disk(&self.path(key), "look at it", &error))),
        }
    }

    fn supports_get_partial(&self) -> bool {
        false
    }
}

impl WritableStorageTraits for Disk {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        self.write(key, &value).map_err(|error| self.fail(error))
    }

    fn set_partial_many(
        &self,
        _key: &StoreKey,
        _values: OffsetBytesIterator,
    ) -> Result<(), StorageError> {
        Err(StorageError::Unsupported("chunks are written whole".into()))
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        match fs::remove_file(self.path(key)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(self.fail(RunError::of_disk(&self.path(key), "remove it", &error)))
            }
            _ => Ok(()),
        }
    }

    fn erase_prefix(&self, _prefix: &StorePrefix) -> Result<(), StorageError> {
        Err(StorageError::Unsupported("whole groups are never erased".into()))
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}
