//! Scene and mesh files in, frames out.
//!
//! The library `stiction` knows no files; this crate turns them into its types. What a file says wrongly is
//! refused with the place, what was expected, and a remedy.
#![allow(rustdoc::broken_intra_doc_links, reason = "units [m] are not links")]

pub mod cache;
pub mod capture;
pub mod expectation;
pub mod export;
pub mod frame;
pub mod job;
pub mod library;
mod memory;
pub mod mesh_file;
mod motion_file;
pub mod problem_file;
pub mod run;
pub mod scene_file;
pub mod shown;
pub mod tessellate;
mod texture_file;
