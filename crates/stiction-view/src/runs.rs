//! Runs that are shown: opened once, looked at again while they grow.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use serde_json::Value;
use stiction_scene::frame::Frames as _;
use stiction_scene::run::{REPORT, RunError, RunStatus, RunTable, read_sealed};
use stiction_scene::shown::Shown;

use crate::answer::Answer;

/// Growth is looked for no more often.
const REFRESH: Duration = Duration::from_millis(200);
/// No table or report comes near this [bytes].
const LARGEST_FILE: u64 = 1 << 30;

/// A run that is shown.
#[derive(Debug)]
pub(crate) struct Run {
    folder: PathBuf,
    opened: RwLock<Opened>,
}

/// What was found in the folder.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) shown: Shown,
    /// How often the folder turned out to hold another run than before.
    pub(crate) generation: u64,
    looked: Instant,
}

impl Run {
    pub(crate) fn open(folder: &Path) -> Result<Self, RunError> {
        let shown = open(folder)?;
        let opened = Opened { shown, generation: 0, looked: Instant::now() };
        Ok(Self { folder: folder.to_path_buf(), opened: RwLock::new(opened) })
    }

    /// As it was found last.
    pub(crate) fn opened(&self) -> RwLockReadGuard<'_, Opened> {
        // A thread that panicked has left nothing half done: all writes replace whole values.
        self.opened.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the folder, without the way to it.
    pub(crate) fn name(&self) -> String {
        let folder = self.folder.canonicalize().unwrap_or_else(|_| self.folder.clone());
        folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Looks how far the run is. Another run in its place is opened anew.
    pub(crate) fn look(&self) -> Result<RwLockReadGuard<'_, Opened>, RunError> {
        let mut opened = self.opened.write().unwrap_or_else(PoisonError::into_inner);
        if opened.looked.elapsed() >= REFRESH {
            let (fingerprint, frames) = (opened.shown.run().fingerprint(), frames_of(&opened));
            let refreshed = opened.shown.refresh();
            let other = refreshed.is_err()
                || opened.shown.run().fingerprint() != fingerprint
                || frames_of(&opened) + 1 < frames;
            if other {
                opened.shown = open(&self.folder)?;
                opened.generation += 1;
            }
            opened.looked = Instant::now();
        }
        drop(opened);
        Ok(self.opened())
    }

    /// A table, as it is.
    pub(crate) fn table(&self, table: RunTable) -> Result<Vec<u8>, Answer> {
        self.guard(table.file_name())?;
        let read = self.opened().shown.run().table(table);
        read.map_err(|error| Answer::broken(&error))
    }

    /// The report; an answer that says why if it cannot be read.
    pub(crate) fn report(&self) -> Result<Value, Answer> {
        self.guard(REPORT)?;
        let text = read_sealed(&self.folder.join(REPORT));
        let text = text.map_err(|error| Answer::broken(&error))?;
        serde_json::from_slice(&text).map_err(|error| {
            let reason = format!("{REPORT} is no JSON: {error}");
            Answer::error(500, &reason, "restore it from a copy, or run the scene again")
        })
    }

    /// Refuses what is no plain file of the run: one of a few, by name.
    fn guard(&self, name: &'static str) -> Result<(), Answer> {
        let refuse = |reason: &str| {
            let help = "look whether the run is still there";
            Answer::error(404, &format!("{name} {reason}"), help)
        };
        match fs::symlink_metadata(self.folder.join(name)) {
            Err(error) => Err(refuse(&format!("cannot be read: {error}"))),
            Ok(file) if !file.is_file() => Err(refuse("is no file of this run")),
            Ok(file) if file.len() > LARGEST_FILE => Err(refuse("is too large")),
            Ok(_) => Ok(()),
        }
    }
}

fn frames_of(opened: &Opened) -> usize {
    opened.shown.run().times().len()
}

/// Opens a run whose frames are inside of its folder.
fn open(folder: &Path) -> Result<Shown, RunError> {
    let frames = folder.join("frames.zarr");
    if frames.is_symlink() {
        let reason = "its frames are a link to somewhere else".into();
        return Err(RunError::NoRun { path: folder.to_path_buf(), reason });
    }
    Shown::open(folder)
}

/// Whether frames may still come.
pub(crate) fn is_open_ended(status: RunStatus) -> bool {
    status == RunStatus::Running
}
