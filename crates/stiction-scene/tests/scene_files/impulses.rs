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

fn strip(body: &str, rest: &str, method: &str) -> String {
    format!(
        "[[body]]\nname = \"strip\"\ncloth = {{ sheet = {{ size = [0.4, 0.1], cells = [8, 2] }} }}\n{body}\n\n\
         [method.{method}]\ntime_step = 0.01\n\n{rest}\n"
    )
}

/// A body touches itself if it says so, or a contact of it with itself does, which has the last word; written and
/// read again it still does.
#[test]
fn bodies_touch_themselves_if_told() {
    let contact = "[[contact]]\nbetween = [\"strip\", \"strip\"]\nfriction = 0.7\nthickness = 2e-3";
    let off = format!("{contact}\nenabled = false");
    for (body, rest, touches) in [
        ("", "", false),
        ("touches_itself = true", "", true),
        ("touches_itself = false", contact, true),
        ("", contact, true),
        ("touches_itself = true", &off, false),
    ] {
        let by_impulse = built(&strip(body, rest, "impulse"), Notation::Toml);
        let resolved = serde_json::to_string_pretty(&by_impulse.resolved);
        let json = resolved.expect("a scene can be written");
        let by_layers = built(&strip(body, rest, "smooth"), Notation::Toml);
        for setup in [&by_impulse, &built(&json, Notation::Json), &by_layers] {
            let id = setup.scene.ids().next().expect("the strip");
            assert_eq!(setup.scene.touches_itself(id), touches, "{body} {rest}");
            assert_eq!(setup.simulation.has_contacts(), touches, "{body} {rest}");
            assert_eq!(setup.simulation.may_touch(id), touches);
            if let [rule] = &*setup.scene.contacts {
                assert_eq!((rule.friction.coefficient, rule.thickness), (0.7, Some(2e-3)));
            }
        }
    }
}
