//! Contact problems in files.

#[cfg(feature = "hdf5")]
mod fclib;
mod json;
#[path = "../scratch/mod.rs"]
mod scratch;
mod support;
