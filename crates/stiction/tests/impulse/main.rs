//! Contacts as impulses.

mod bodies;
mod directions;
mod friction;
mod turning;
