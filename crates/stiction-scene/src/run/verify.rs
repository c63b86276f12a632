//! Whether a run folder holds what was written to it.

use std::path::Path;

use super::folder::Places;
use super::{RunError, RunFolder, RunStatus, RunTable, checkpoint};
use crate::frame::{FrameError, Frames as _};

/// What a run folder was found to hold.
#[derive(Debug)]
pub struct Verified {
    /// How it ended, if that can be read.
    pub status: Option<RunStatus>,
    /// Frames that count.
    pub frames: usize,
    /// Whether checksums were there to be compared; runs of older programs have but a few.
    pub has_checksums: bool,
    /// What is damaged, file by file.
    pub damages: Vec<FrameError>,
}

impl RunFolder {
    /// Reads all that is in the folder, but for the scene and the report.
    ///
    /// # Errors
    /// When it is no run.
    pub fn verify(path: &Path, progress: &mut dyn FnMut(f64)) -> Result<Verified, RunError> {
        let mut found =
            Verified { status: None, frames: 0, has_checksums: true, damages: Vec::new() };
        let (places, mut damages) = (Places::new(path), Vec::new());
        let run = match Self::open(path) {
            Ok(run) => run,
            Err(error @ RunError::NoRun { .. }) => return Err(error),
            Err(error) => {
                found.damages.push(error.into_frame_error(path));
                return Ok(found);
            }
        };
        found.status = Some(run.status());
        found.frames = run.times().len();
        found.has_checksums = run.has_checksums();
        damages.extend(run.damages(progress));
        damages.extend(RunTable::ALL.iter().filter_map(|&table| run.table(table).err()));
        match checkpoint::all(&places.checkpoints, run.fingerprint()) {
            Ok(all) => damages.extend(all.into_iter().filter_map(Result::err)),
            Err(error) => damages.push(error),
        }
        // That of the last frame; while a run goes on, it may be gone by now.
        if let Some(&last) = run.steps().last()
            && run.status() != RunStatus::Running
        {
            let newest = checkpoint::path(&places.checkpoints, last);
            if !newest.exists() {
                damages.push(RunError::damaged(&newest, "is missing"));
            }
        }
        found.damages = damages.into_iter().map(|damage| damage.into_frame_error(path)).collect();
        Ok(found)
    }
}
