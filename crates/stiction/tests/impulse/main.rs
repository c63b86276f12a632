//! Contacts as impulses.

mod alike;
mod bodies;
mod cloth_on_cloth;
mod common;
mod directions;
mod edges;
mod explicit;
mod flush;
mod friction;
mod joints;
mod large_strains;
mod operators;
mod overlaps;
mod resting;
mod self_contact;
mod sleeping;
mod stepping;
mod turning;
