//! Any lines as `--set` of a sound scene.
#![no_main]

use stiction_scene::scene_file::Notation;

const SCENE: &str = include_str!("../corpus/scene_toml/every_key.toml");

libfuzzer_sys::fuzz_target!(|text: &str| {
    let arguments: Vec<&str> = text.lines().collect();
    stiction_fuzz::read_scene(SCENE, Notation::Toml, &arguments);
});
