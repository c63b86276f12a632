//! Contacts as impulses.

mod bodies;
mod common;
mod directions;
mod friction;
mod overlaps;
mod resting;
mod sleeping;
mod stepping;
mod turning;
