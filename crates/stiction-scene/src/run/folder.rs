//! Whose folder it is, and who writes it.
//!
//! The file `lock` marks a folder as ours from the first moment on. Its writer holds a lock of the operating system
//! on it, which ends with the process, however it ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::RunError;

const LOCK: &str = "lock";
const MARK: &str = "A run of stiction. Whoever writes it has this file locked.\n";

const LOST_MARK: &str =
    "if the folder is what a run wrote, restore the file, or copy that of any other run";

/// The scene as resolved; kept by whoever runs it.
pub const SCENE: &str = "scene.json";
/// What came out; kept by whoever runs it.
pub const REPORT: &str = "report.json";
/// Copies of the files it was made of.
pub(crate) const INPUTS: &str = "inputs";

/// What steps took, and what probes measured.
pub(super) const TABLES: [&str; 2] = ["steps.csv", "probes.csv"];

/// The right to write a folder, for as long as this lives.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread is just starting holds a copy of it for
        // a moment, and the lock with it.
        let _ = self.0.unlock();
    }
}

/// Where the parts of a run are.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) folder: PathBuf,
    pub(super) zarr: PathBuf,
    /// As in [`TABLES`].
    pub(super) tables: [PathBuf; 2],
    pub(super) checkpoints: PathBuf,
    report: PathBuf,
    scene: PathBuf,
    inputs: PathBuf,
}

impl Places {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            zarr: folder.join("frames.zarr"),
            tables: TABLES.map(|name| folder.join(name)),
            checkpoints: folder.join("checkpoints"),
            report: folder.join(REPORT),
            scene: folder.join(SCENE),
            inputs: folder.join(INPUTS),
        }
    }

    /// This file comes last into a new run and is the first to go.
    pub(super) fn root(&self) -> PathBuf {
        self.zarr.join("zarr.json")
    }

    /// Whether there is a root, without which nothing was run yet: it comes before the first checkpoint.
    pub(super) fn has_root(&self) -> Result<bool, RunError> {
        let root = self.root();
        let begun = || fs::read_dir(&self.checkpoints).is_ok_and(|mut list| list.next().is_some());
        match root.exists() {
            false if begun() => Err(RunError::damaged(&root, "is missing")),
            exists => Ok(exists),
        }
    }

    /// Makes the folder ours. What an old run left is removed if `overwrite` allows it; nothing else ever is.
    pub(super) fn claim(&self, overwrite: bool) -> Result<Lock, RunError> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(RunError::disk(folder, "make the folder"))?;
        let found = names(folder)?;
        // A process killed right after it made the lock leaves an empty one.
        let new = found.is_empty() || (found == [LOCK] && !self.marked()? && self.lock_is_empty());
        if !new && !self.marked()? {
            let found = found.into_iter().find(|name| name != LOCK).unwrap_or_else(|| LOCK.into());
            return Err(RunError::Foreign { path: folder.clone(), found });
        }
        let mut lock = self.lock(true)?;
        if !new {
            if !overwrite && found != [LOCK] {
                return Err(RunError::Occupied { path: folder.clone() });
            }
            self.clear()?;
            return Ok(lock);
        }
        lock.0
            .write_all(MARK.as_bytes())
            .map_err(RunError::disk(&folder.join(LOCK), "write it"))?;
        Ok(lock)
    }

    /// Locks a folder that is ours already.
    pub(super) fn reclaim(&self) -> Result<Lock, RunError> {
        self.check()?;
        self.lock(false)
    }

    /// Whether the folder is ours at all.
    pub(super) fn check(&self) -> Result<(), RunError> {
        let missing = |reason: &str| {
            Err(RunError::NoRun { path: self.folder.clone(), reason: reason.into() })
        };
        match fs::metadata(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing("it does not exist"),
            Err(error) => Err(RunError::of_disk(&self.folder, "look at it", &error)),
            Ok(found) if !found.is_dir() => missing("it is a file"),
            Ok(_) if !self.marked()? && self.root().exists() => Err(RunError::Damaged {
                path: self.folder.join(LOCK),
                reason: "is missing or changed; it marks the folder as a run".into(),
                help: LOST_MARK,
            }),
            Ok(_) if !self.marked()? => missing("its file `lock` is missing or not ours"),
            Ok(_) => Ok(()),
        }
    }

    fn lock(&self, create: bool) -> Result<Lock, RunError> {
        let path = self.folder.join(LOCK);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(create)
            .truncate(false)
            .open(&path)
            .map_err(RunError::disk(&path, "open it"))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(RunError::InUse { path: self.folder.clone() }),
            Err(TryLockError::Error(error)) => Err(RunError::of_disk(&path, "lock it", &error)),
        }
    }

    fn marked(&self) -> Result<bool, RunError> {
        let path = self.folder.join(LOCK);
        let mut start = Vec::new();
        match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            // A folder of that name is no lock of ours.
            Ok(file) if file.metadata().is_ok_and(|file| !file.is_file()) => return Ok(false),
            Ok(file) => file.take(MARK.len() as u64).read_to_end(&mut start),
            Err(error) => Err(error),
        }
        .map_err(RunError::disk(&path, "read it"))?;
        Ok(start == MARK.as_bytes())
    }

    fn lock_is_empty(&self) -> bool {
        fs::metadata(self.folder.join(LOCK)).is_ok_and(|file| file.is_file() && file.len() == 0)
    }

    /// The scene goes first, so that nobody resumes what was to be replaced; then the metadata of the root: without
    /// it the rest is no run that could be mistaken for a whole one.
    fn clear(&self) -> Result<(), RunError> {
        let [steps, probes] = &self.tables;
        for file in [&self.scene, &self.root(), &self.report, steps, probes] {
            gone(fs::remove_file(file)).map_err(RunError::disk(file, "remove it"))?;
        }
        for folder in [&self.zarr, &self.checkpoints, &self.inputs] {
            gone(fs::remove_dir_all(folder)).map_err(RunError::disk(folder, "remove it"))?;
        }
        Ok(())
    }
}

fn names(folder: &Path) -> Result<Vec<String>, RunError> {
    let list = || -> io::Result<Vec<String>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    };
    let mut names = list().map_err(RunError::disk(folder, "list the folder"))?;
    names.sort();
    Ok(names)
}

fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(()),
        other => other,
    }
}
