//! Why a run folder cannot be written or read.

use std::io;
use std::path::{Path, PathBuf};

use crate::frame::FrameError;

/// Why a run folder cannot be written or read. Cheap to clone, as every call after a failed write repeats it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The operating system refused.
    #[error("{}: cannot {action}: {reason}\n  help: {help}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, such as `write it`.
        action: &'static str,
        /// What kind of refusal.
        kind: io::ErrorKind,
        /// The words of the system.
        reason: String,
        /// The remedy.
        help: &'static str,
    },
    /// There is a run already.
    #[error(
        "{}: holds a run already\n  help: resume it, name another folder, or overwrite it (--force)",
        path.display()
    )]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds something that is not ours.
    #[error(
        "{}: is not empty and no run folder, so nothing in it is touched (it has `{found}`)\n  \
         help: name a new or an empty folder",
        path.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// One thing that is in it.
        found: String,
    },
    /// There is no run.
    #[error("{}: is no run folder: {reason}\n  help: name the folder that a run was written to", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// Another process writes it.
    #[error(
        "{}: another process writes this run\n  help: wait for it, stop it, or name another folder",
        path.display()
    )]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// It was written by a run of something else.
    #[error(
        "{}: was written with {what} {stored}, but now it is {given}\n  \
         help: resume with the scene and the settings it was started with, or start a new run",
        path.display()
    )]
    OtherRun {
        /// The file that says so.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// As in the folder.
        stored: String,
        /// As given now.
        given: String,
    },
    /// A file does not hold what it should.
    #[error("{}: {reason}\n  help: {help}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// The remedy.
        help: &'static str,
    },
    /// A number that is not one.
    #[error(
        "body `{body}`: {quantity} of {place} {index} is {value} at {time} s\n  \
         help: the simulation broke down; a shorter time step or softer materials may help"
    )]
    NotFinite {
        /// The body.
        body: String,
        /// `positions`, `velocities`, or a field.
        quantity: String,
        /// `vertex` or `element`.
        place: &'static str,
        /// Which one.
        index: usize,
        /// NaN, infinite, or too large for the precision.
        value: f64,
        /// When [s].
        time: f64,
    },
}

pub(super) const DAMAGE: &str = "restore the file from a copy, or run the scene again";

fn is_full(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

impl RunError {
    /// For `map_err` on whatever the system does with a path.
    pub(super) fn disk(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::of_disk(path, action, &error)
    }

    pub(super) fn of_disk(path: &Path, action: &'static str, error: &io::Error) -> Self {
        let help = match error.kind() {
            kind if is_full(kind) => "make room on the disk, and try again",
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "name a folder that you may write to"
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                "a file is in the way; name another folder"
            }
            io::ErrorKind::NotFound => "check the path; the file or its folder is missing",
            _ => "check the disk and the path",
        };
        let (path, reason) = (path.to_path_buf(), error.to_string());
        Self::Disk { path, action, kind: error.kind(), reason, help }
    }

    /// The same of a run that has frames already: these are kept when the disk is full.
    pub(super) fn while_running(self) -> Self {
        match self {
            Self::Disk { kind, path, action, reason, .. } if is_full(kind) => {
                let help =
                    "make room on the disk, then resume the run; the frames up to now are kept";
                Self::Disk { path, action, kind, reason, help }
            }
            other => other,
        }
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_path_buf(), reason: reason.into(), help: DAMAGE }
    }

    /// The same as readers of frames say it.
    pub(crate) fn into_frame_error(self, folder: &Path) -> FrameError {
        let text = self.to_string();
        let (what, help) = text.split_once("\n  help: ").unwrap_or((&text, DAMAGE));
        match &self {
            Self::Damaged { path, reason, help } => {
                FrameError { path: path.clone(), reason: reason.clone(), help: (*help).into() }
            }
            Self::Disk { path, action, reason, help, .. } => FrameError {
                path: path.clone(),
                reason: format!("cannot {action}: {reason}"),
                help: (*help).into(),
            },
            _ => FrameError { path: folder.to_path_buf(), reason: what.into(), help: help.into() },
        }
    }
}
