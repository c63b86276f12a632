//! Pictures as files, still and moving.

mod png;

pub use png::write_png;
