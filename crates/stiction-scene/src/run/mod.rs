//! Run folders: frames, tables and checkpoints of a simulation, safe against being killed.
//!
//! | in the folder | what |
//! |---|---|
//! | `frames.zarr/` | Zarr v3; its layout is in `docs/runs.md` |
//! | `steps.csv`, `probes.csv` | a table each, a row a step |
//! | `checkpoints/` | the state at the last two frames |
//! | `scene.json`, `inputs/` | what was run; written by [`job`](crate::job) |
//! | `report.json` | written by whoever runs the simulation, with [`write_atomically`] |
//! | `lock` | marks the folder as a run; locked while it is written |
//!
//! [`RunWriter`] writes one, [`RunFolder`] reads it, also meanwhile; [`Columns`] reads its tables.
//!
//! # What survives what
//!
//! Arrays have room for all planned frames from the start. A frame is written in this order, and counts once the
//! attribute `frames` of the root does, which is replaced by a rename. Killed after frame `k` was complete and during
//! the next, the folder is left as follows:
//!
//! | killed while writing | checkpoint | root | resume |
//! |---|---|---|---|
//! | chunks | `k` | `k` | writes the chunks again |
//! | rows of tables | `k` | `k` | cuts them off: all steps after the checkpoint, and a torn line |
//! | the checkpoint | `k` | `k` | as above; the unfinished file is removed |
//! | the root | `k + 1` | `k` | goes on at `k + 1`: chunks and rows came before their checkpoint |
//! | removing the old checkpoint | `k + 1` | `k + 1` | removes it |
//!
//! Only damage from elsewhere makes a checkpoint older than the root: if the newest is broken, or tables or frames do
//! not reach up to it, the one before is taken, the root goes back to its frames, and the simulation, being
//! deterministic, writes the same ones again. What is broken before that is refused, by name.
//!
//! # What tells damage
//!
//! | file | checksum |
//! |---|---|
//! | chunks | CRC-32C at their end, by the codec `crc32c` |
//! | `zarr.json`, `report.json` | CRC-32 of the text, in the text |
//! | tables | length and CRC-32 up to the last frame, in the root; up to a state, in its checkpoint |
//! | checkpoints | CRC-32 at their end |
//! | `scene.json`, `inputs/` | the fingerprint, in the root |
//!
//! Runs of version 1 of the format have them for checkpoints and inputs only; lengths, and whether numbers are
//! finite, tell some of the rest. What they are resumed to stays of version 1.
//!
//! While a folder is made, the root comes last; without it, `resume` begins anew. At the end shapes are trimmed to
//! the frames there are, then the root gets its status; killed in between, shapes still hold at least `frames`, and
//! `resume` sets all of them. It does so by atomic replacements only, hence may itself be killed.
//!
//! This is about processes. When the power fails, what the operating system had not yet written is lost, and the
//! order in which it writes is its own. Checksums then tell what is damaged.

mod checkpoint;
mod columns;
mod disk;
mod error;
mod folder;
mod layout;
mod names;
mod reader;
mod root;
mod seal;
mod table;
mod verify;
mod writer;

use stiction::State;

use crate::frame::BodyInfo;
pub use crate::frame::Precision;

pub use columns::{Column, Columns};
pub use disk::{write_atomically, write_sealed};
pub use error::RunError;
pub(crate) use folder::INPUTS;
pub use folder::{REPORT, SCENE};
pub use reader::{Part, RunFolder, RunTable};
pub(crate) use seal::OPEN;
pub use seal::read_sealed;
pub use table::Cell;
pub use verify::Verified;
pub use writer::RunWriter;

/// What a run will hold.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPlan {
    /// What frames show.
    pub bodies: Vec<BodyInfo>,
    /// Frames to make room for; more may come, fewer too.
    pub frame_count: u64,
    /// How positions, velocities and fields are stored.
    pub precision: Precision,
    /// Columns of `steps.csv`, after `step`.
    pub step_columns: Vec<String>,
    /// Columns of `probes.csv`, after `step`.
    pub probe_columns: Vec<String>,
    /// Equal for equal scenes, so that no run is resumed with another one.
    pub fingerprint: u64,
}

/// A run to go on with.
#[derive(Debug)]
pub struct Resumed {
    /// Takes the next frame.
    pub writer: RunWriter,
    /// Where to go on; none if not even the first frame was written.
    pub state: Option<State>,
    /// Frames there are.
    pub frames: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Being written, or killed.
    Running,
    /// Came to its end.
    Finished,
    /// Was asked to stop, and can be resumed.
    Stopped,
    /// Broke down.
    Failed,
}

impl RunStatus {
    const ALL: [Self; 4] = [Self::Running, Self::Finished, Self::Stopped, Self::Failed];

    /// As written to the run.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}
