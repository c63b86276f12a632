//! What scene files say about the method of impulses.

use stiction::method::MethodSettings;
use stiction::method::impulse::Operator;
use stiction_scene::scene_file::{Notation, SceneFile, Setup, Wishes};

fn scene(setting: &str) -> String {
    format!(
        "[[body]]\nname = \"cube\"\nsolid = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\n\
         [method.impulse]\ntime_step = 0.01\n{setting}\n"
    )
}

fn built(text: &str, notation: Notation) -> Setup {
    let scene = SceneFile::parse("scene", text, notation, None, &Wishes::default());
    scene.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn operator(setup: &Setup) -> Operator {
    match setup.simulation.settings().method {
        MethodSettings::Impulse(own) => own.operator,
        ref other => panic!("{other:?}"),
    }
}

/// Each word gives its operator, and gives it again after being written and read.
#[test]
fn operators_are_read() {
    let words = [
        ("", Operator::Assembled),
        ("operator = \"assembled\"", Operator::Assembled),
        ("operator = \"factored\"", Operator::Factored),
        ("operator = \"splitting\"", Operator::Splitting),
        ("operator = \"mass\"", Operator::Mass),
    ];
    for (setting, expected) in words {
        let setup = built(&scene(setting), Notation::Toml);
        assert_eq!(operator(&setup), expected, "{setting}");
        let json = serde_json::to_string_pretty(&setup.resolved).expect("a scene can be written");
        assert_eq!(operator(&built(&json, Notation::Json)), expected, "{setting}");
    }
}
