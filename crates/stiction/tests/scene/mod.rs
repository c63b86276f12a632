//! Scenes: what is refused and why, motions, what passes through what.

mod errors;
mod garbage;
mod intersections;
mod motion;
