//! Exit codes. The table in `--help` says the same.

/// What was asked is done.
pub const DONE: u8 = 0;
/// It failed, and the last lines on stderr say why.
pub const FAILED: u8 = 1;
/// The command line made no sense.
pub const USAGE: u8 = 2;
/// A step stopped short of its tolerance, under `--strict`; or a solver that `solve` was told to take.
pub const UNCONVERGED: u8 = 3;
/// Ctrl-C came before the end: 128 and the number of the signal, as shells have it, so that scripts stop as well.
pub const STOPPED: u8 = 130;
