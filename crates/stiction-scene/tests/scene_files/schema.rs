//! The schema says what the reader does: an independent validator takes all our scenes, and refuses broken ones.
#![expect(clippy::print_stderr, reason = "tests say why they are skipped")]

use std::fs;
use std::path::Path;

use crate::scratch::Scratch;
use serde_json::Value;
use stiction_scene::library::SCENES;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes, schema};

const EVERY_KEY: &str = include_str!("../../../../fuzz/corpus/scene_toml/every_key.toml");
const SHAPES: &str = include_str!("../../../../fuzz/corpus/scene_toml/shapes.toml");

/// Scenes that are wrong in ways a schema can say.
const BROKEN: &[&str] = &[
    "duratoin = 1",
    "duration = -1",
    "duration = 0",
    "duration = \"2\"",
    "gravity = [0, 1]",
    "gravity = [0, 1, \"z\"]",
    "settle = 1",
    "body = [{ nme = \"a\" }]",
    "body = [{ solid = {} }]",
    "body = [{ solid = \"box\" }]",
    "body = [{ solid = { box = {} } }]",
    "body = [{ solid = { box = { size = [1, 1] } } }]",
    "body = [{ solid = { box = { size = [1, 1, -1] } } }]",
    "body = [{ solid = { box = { size = [1, 1, 1], cells = [1, 1, 0] } } }]",
    "body = [{ solid = { box = { size = [1, 1, 1], cells = [1, 1, 1.5] } } }]",
    "body = [{ solid = { box = { size = [1, 1, 1], split = \"six\" } } }]",
    "body = [{ solid = { box = { size = [1, 1, 1] }, ball = { radius = 1 } } }]",
    "body = [{ material = { density = -1 } }]",
    "body = [{ material = { damping = { mass = -1 } } }]",
    "body = [{ place = { scale = 0 } }]",
    "body = [{ surface = { kernel = \"gauss\" } }]",
    "body = [{ surface = { radius = 0 } }]",
    "body = [{ surface = { robust = true } }]",
    "body = [{ place = { rotate = { axis = \"w\", degrees = 1 } } }]",
    "pin = [{ where = \"all\" }]",
    "pin = [{ body = 3 }]",
    "pin = [{ body = \"a\", where = { ball = 1 } }]",
    "pin = [{ body = \"a\", motion = { velocity = [0, 0] } }]",
    "zone = [{ cavity = true }]",
    "zone = [{ body = \"a\", model = \"gas\" }]",
    "zone = [{ body = \"a\", compressibility = 0 }]",
    "friction = -0.1",
    "friction = [{ between = [\"a\", \"b\"] }]",
    "friction = { coefficient = 0.1, mu = 0.2 }",
    "contact = [{ friction = 0.1 }]",
    "contact = [{ between = [\"a\"] }]",
    "contact = [{ between = [\"a\", \"b\"], friction = -1 }]",
    "contact = [{ between = [\"a\", \"b\"], thickness = 0 }]",
    "contact = [{ between = [\"a\", \"b\"], enabled = 1 }]",
    "method = { smooth = { contact = { law = \"coulomb\" } } }",
    "method = { smooth = { contact = { epsilon = 0 } } }",
    "method = { smooth = { contact = { corner = 1.5 } } }",
    "method = { smooth = { time_step = 0 } }",
    "method = { smooth = { solver = \"magic\" } }",
    "method = { smoth = {} }",
    "output = { precision = \"half\" }",
    "probe = [{ name = \"a\" }]",
    "expect = [{ probe = \"a\", value = 1, tolerance = 1 }]",
    "expect = [{ probe = \"a\", at = \"start\", source = \"s\" }]",
    "variant = [{ name = \"a\" }]",
];

#[test]
fn an_independent_validator_agrees_with_the_reader() {
    let scratch = Scratch::new("scene-schema");
    let [sound, broken] = ["sound", "broken"].map(|name| scratch.join(name));
    for folder in [&sound, &broken] {
        fs::create_dir(folder).expect("a folder");
    }
    let write = |folder: &Path, name: String, text: &str| {
        fs::write(folder.join(name), text).expect("a file");
    };
    let ours = [("every_key", EVERY_KEY), ("shapes", SHAPES)];
    let texts = SCENES.iter().map(|scene| (scene.name, scene.text)).chain(ours);
    let mut count = BROKEN.len();
    for (name, text) in texts {
        let scene = SceneFile::parse(name, text, Notation::Toml, None, &Wishes::default());
        let setup = scene.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"));
        write(&sound, format!("{name}.toml"), text);
        let resolved = serde_json::to_string(&setup.resolved).expect("a scene can be written");
        write(&sound, format!("{name}.resolved.json"), &resolved);
        count += 2;
    }
    for (number, text) in BROKEN.iter().enumerate() {
        let read = SceneFile::parse("broken", text, Notation::Toml, None, &Wishes::default());
        assert!(read.and_then(|scene| scene.build()).is_err(), "the reader takes {text}");
        write(&broken, format!("{number:02}.toml"), text);
    }
    let file = scratch.join("schema.json");
    fs::write(&file, schema().to_string()).expect("a file");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/scene_file_schema.py");
    let arguments = [&file, &sound, &broken].map(|path| path.to_str().expect("a path"));
    match stiction_check::python::run(&script, &arguments) {
        Some(said) => assert_eq!(said.trim(), count.to_string()),
        None => eprintln!("skipped: no Python to validate scenes with"),
    }
}

/// Editors show these while one types.
#[test]
fn every_key_of_the_schema_is_described() {
    let schema = schema();
    assert_eq!(schema["title"], "stiction scene");
    let mut missing = Vec::new();
    let mut keys = 0;
    describe(&schema, "", &mut missing, &mut keys);
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(keys > 120, "only {keys} keys");
}

fn describe(node: &Value, path: &str, missing: &mut Vec<String>, keys: &mut usize) {
    if let Some(properties) = node.get("properties").and_then(Value::as_object) {
        // A table of alternatives describes the table, not its only key.
        let described = node.get("description").is_some();
        for (key, value) in properties.iter().filter(|(key, _)| *key != "$schema") {
            *keys += 1;
            if value.get("description").is_none() && !described {
                missing.push(format!("{path}/{key}"));
            }
        }
    }
    match node {
        Value::Object(members) => {
            for (key, value) in members {
                describe(value, &format!("{path}/{key}"), missing, keys);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                describe(item, &format!("{path}/{at}"), missing, keys);
            }
        }
        _ => {}
    }
}
