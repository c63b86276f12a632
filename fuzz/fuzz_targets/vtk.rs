//! Any bytes as a legacy VTK file.
#![no_main]

use stiction_scene::mesh_file::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stiction_fuzz::read(Format::Vtk, bytes));
