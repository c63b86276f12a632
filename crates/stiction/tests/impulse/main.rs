//! Contacts as impulses.

mod bodies;
mod common;
mod directions;
mod edges;
mod explicit;
mod friction;
mod operators;
mod overlaps;
mod resting;
mod sleeping;
mod stepping;
mod turning;
