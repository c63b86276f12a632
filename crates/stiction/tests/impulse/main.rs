//! Contacts as impulses.

mod friction;
