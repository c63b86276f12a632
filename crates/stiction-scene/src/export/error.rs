//! Why a run cannot be exported.

use crate::frame::FrameError;

use super::staged::OutputError;

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The run has no frames or no bodies yet.
    #[error("the run has no {what}\n  help: let it reach its first frame, then export again")]
    Empty {
        /// What it lacks.
        what: &'static str,
    },
    /// The options leave no frame, though the run has some.
    #[error(
        "no frame is left from {first} on: the run has the frames 0 to {}\n  help: begin earlier, end later, and \
         step by at least 1",
        frame_count - 1
    )]
    NoneSelected {
        /// The first frame asked for.
        first: usize,
        /// Frames the run has.
        frame_count: usize,
    },
    /// A frame cannot be read.
    #[error("frame {frame}: {source}")]
    Frame {
        /// Its index in the run.
        frame: usize,
        /// Why.
        source: FrameError,
    },
    /// A frame does not fit the bodies of its run.
    #[error(
        "frame {frame}, body `{body}`: {found} {what}, expected {expected}\n  help: the run is damaged; resume it \
         from an earlier checkpoint, or export the frames before with `last`"
    )]
    Mismatch {
        /// Its index in the run.
        frame: usize,
        /// The body.
        body: String,
        /// What was counted.
        what: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A tet or triangle names a vertex that its body does not have.
    #[error(
        "body `{body}`: an element names vertex {corner}, but there are {vertex_count} vertices\n  help: the run is \
         damaged; run the scene again"
    )]
    Corner {
        /// The body.
        body: String,
        /// The vertex named, counted from 0.
        corner: u32,
        /// Vertices there are.
        vertex_count: usize,
    },
    /// A position is NaN or infinite, which this format cannot hold.
    #[error(
        "frame {frame}, body `{body}`: a position is NaN or infinite in single precision\n  help: export the frames \
         before, or to vtu or npz, which can hold it"
    )]
    NotFinite {
        /// Its index in the run.
        frame: usize,
        /// The body.
        body: String,
    },
    /// The format has a limit.
    #[error("{what}\n  help: {help}")]
    Limit {
        /// Which, and how it is passed.
        what: String,
        /// What to do.
        help: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
