//! Examples of `docs/scenes.md` and the README are scenes, and run.

use stiction_scene::job::Job;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// Blocks of TOML: scenes as they are, parts appended to the scene called "A beam".
fn examples() -> Vec<String> {
    let page = [include_str!("../../../../docs/scenes.md"), include_str!("../../../../README.md")]
        .concat();
    let mut scenes: Vec<String> = Vec::new();
    let beam =
        |scenes: &[String]| scenes.iter().find(|scene| scene.contains("\"A beam\"")).cloned();
    for block in page.split("```toml").skip(1) {
        let (head, rest) = block.split_once('\n').expect("a block has lines");
        let (text, _) = rest.split_once("```").expect("a block ends");
        scenes.push(match head.trim() {
            "files" => continue, // needs meshes; `surfaces.rs` builds the like
            "part" => format!("{}\n{text}", beam(&scenes).expect("the beam comes first")),
            _ => text.to_owned(),
        });
    }
    scenes
}

#[test]
fn examples_of_the_page_run() {
    let scenes = examples();
    assert!(scenes.len() >= 10, "{} examples found", scenes.len());
    for text in scenes {
        let scene = SceneFile::parse("scenes.md", &text, Notation::Toml, None, &Wishes::default())
            .and_then(|scene| scene.build().map(|_| scene))
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut job = Job::rehearse(&scene).expect("the scene begins");
        for _ in 0..3 {
            let advance = job.advance().expect("the scene goes on");
            assert!(advance.report.converged(), "{text}");
        }
    }
}

#[test]
fn expectations_of_the_page_hold() {
    for text in examples().iter().filter(|text| text.contains("[[expect]]")) {
        let scene = SceneFile::parse("scenes.md", text, Notation::Toml, None, &Wishes::default());
        let mut job = Job::rehearse(&scene.expect("the scene is sound")).expect("the scene begins");
        while !job.is_done() {
            job.advance().expect("the scene goes on");
        }
        assert!(job.check().iter().all(|checked| checked.outcome.holds), "{text}");
    }
}

#[test]
fn the_page_lists_all_names() {
    let page = include_str!("../../../../docs/scenes.md");
    let quantities = stiction::measure::Quantity::ALL.map(|quantity| quantity.name());
    let presets = stiction::material::Material::PRESETS.map(|(name, _)| name);
    let laws = stiction::material::SolidLaw::NAMES.map(|(name, _)| name);
    for name in quantities.iter().chain(&presets).chain(&laws) {
        assert!(page.contains(name), "docs/scenes.md does not mention `{name}`");
    }
}

#[test]
fn every_scene_of_the_folder_is_shipped() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of scenes")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    found.sort();
    let shipped: Vec<&str> =
        stiction_scene::library::SCENES.iter().map(|scene| scene.name).collect();
    assert_eq!(found, shipped);
}
