//! Mesh files: read, broken, written.

mod broken;
mod reading;
mod writing;
