//! Any text as a scene in TOML.
#![no_main]

use stiction_scene::scene_file::Notation;

libfuzzer_sys::fuzz_target!(|text: &str| stiction_fuzz::read_scene(text, Notation::Toml, &[]));
