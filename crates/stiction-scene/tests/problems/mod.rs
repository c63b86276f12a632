//! Contact problems in files.

#[cfg(feature = "hdf5")]
mod fclib;
mod json;
mod support;
