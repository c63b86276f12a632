//! Contacts as impulses.

mod bodies;
mod friction;
