//! Exit codes. The table in `--help` says the same.

/// What was asked is done.
pub const DONE: u8 = 0;
/// It failed, and the last lines on stderr say why.
pub const FAILED: u8 = 1;
/// The command line made no sense.
pub const USAGE: u8 = 2;
/// A step stopped short of its tolerance, under `--strict`.
pub const UNCONVERGED: u8 = 3;
