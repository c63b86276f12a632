//! The barrier method: nothing passes through anything.

mod potential;
mod rigid;
mod room;
mod scenes;
