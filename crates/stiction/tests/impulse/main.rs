//! Contacts as impulses.

mod bodies;
mod common;
mod friction;
mod overlaps;
mod stepping;
