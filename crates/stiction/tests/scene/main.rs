//! Scenes: what is refused and why, motions.

mod errors;
mod garbage;
mod motion;
