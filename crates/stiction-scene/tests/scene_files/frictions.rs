//! Friction by material, direction, spin and rolling, as scene files say it.

use stiction::contact::Friction;
use stiction::contact::friction::{Combination, Condition, Directional, Grain};
use stiction::math::Vector3;
use stiction_scene::scene_file::{Notation, SceneFile, Setup, Wishes};

const BODIES: &str = r#"
[[body]]
name = "floor"
obstacle = { plane = {} }
skin = FLOOR
[[body]]
name = "cube"
rigid = { box = { size = [0.1, 0.1, 0.1] } }
place = { move = [0, 0.05, 0] }
skin = CUBE
[method.impulse]
time_step = 0.01
"#;

fn scene(floor: &str, cube: &str, rest: &str) -> String {
    format!("{}\n{rest}", BODIES.replace("FLOOR", floor).replace("CUBE", cube))
}

fn built(text: &str) -> Setup {
    let scene = SceneFile::parse("scene", text, Notation::Toml, None, &Wishes::default());
    scene.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> String {
    let scene = SceneFile::parse("scene", text, Notation::Toml, None, &Wishes::default());
    scene.and_then(|scene| scene.build()).map(drop).expect_err(text).to_string()
}

/// Friction of cube and floor in the library, and after being written and read again.
fn friction(text: &str) -> Friction {
    let setup = built(text);
    let of = |setup: &Setup| {
        let mut ids = setup.scene.ids();
        let (floor, cube) = (ids.next().expect("one"), ids.next().expect("two"));
        let named = setup.scene.contacts.first().map(|rule| rule.friction);
        named.unwrap_or_else(|| setup.scene.friction_of(floor, cube))
    };
    let json = serde_json::to_string_pretty(&setup.resolved).expect("a scene can be written");
    let again = SceneFile::parse("again", &json, Notation::Json, None, &Wishes::default())
        .and_then(|scene| scene.build())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(of(&setup), of(&again), "{text}");
    assert_eq!(setup.scene.skins, again.scene.skins, "{text}");
    of(&setup)
}

const PAIR: &str = "[[friction]]\nbetween = [\"cube\", \"floor\"]\n";

#[test]
fn presets_give_numbers_that_other_keys_replace() {
    let with = |keys: &str| friction(&scene("{}", "{}", &format!("{PAIR}{keys}")));
    let dry = with("preset = \"steel on steel, dry\"");
    assert_eq!((dry.coefficient, dry.static_coefficient), (0.42, Some(0.65)));
    let own = with("preset = \"steel on steel\"\ncoefficient = 0.2\nrolling = 1e-4");
    assert_eq!((own.coefficient, own.static_coefficient, own.rolling), (0.2, None, 1e-4));
    let all =
        friction(&scene("{}", "{}", "[friction]\npreset = \"asphalt on tyre\"\ntorsion = 0.01"));
    assert_eq!((all.coefficient, all.torsion, all.shared), (0.72, 0.01, true));
}

#[test]
fn skins_find_their_pair_or_combine() {
    let mu = |floor: &str, cube: &str, rest: &str| {
        let found = friction(&scene(floor, cube, rest));
        assert_eq!(found, friction(&scene(cube, floor, rest)), "the other way round");
        Some(found.coefficient)
    };
    assert_eq!(mu("\"steel\"", "\"steel\"", ""), Some(0.42));
    assert_eq!(mu("\"steel\"", "{ material = \"steel\", condition = \"greasy\" }", ""), Some(0.16));
    assert_eq!(mu("\"wood\"", "\"ice\"", ""), Some(0.05));
    // No table has both, and nobody says a number.
    assert_eq!(mu("\"rubber\"", "\"steel\"", ""), Some(0.3));
    let own = ["{ friction = 0.2 }", "{ friction = 0.8 }"];
    for (word, expected) in
        [("average", 0.5), ("geometric", 0.4), ("smaller", 0.2), ("larger", 0.8)]
    {
        let rest = format!("[friction]\ncoefficient = 0.3\ncombine = \"{word}\"");
        let found = mu(own[0], own[1], &rest).expect("a number");
        assert!((found - expected).abs() < 1e-15, "{word}");
    }
    assert_eq!(built(&scene("{}", "{}", "")).scene.combination, Combination::Average);
    // What is said of a pair counts, whatever skins are.
    assert_eq!(mu("\"steel\"", "\"steel\"", &format!("{PAIR}coefficient = 0.9")), Some(0.9));
    let contact = "[[contact]]\nbetween = [\"cube\", \"floor\"]\nrestitution = 0.5";
    assert_eq!(mu("\"steel\"", "\"steel\"", contact), Some(0.42));
}

#[test]
fn directions_reach_the_library() {
    let grain =
        friction(&scene("{ grain = \"z\" }", "{}", &format!("{PAIR}along = 0.2\nacross = 0.6")));
    assert_eq!(grain.direction, Directional::Grain { along: 0.2, across: 0.6 });
    assert!((grain.coefficient - 0.4).abs() < 1e-15);
    let tensors = "{ grain = { around = { axis = \"y\", through = [1, 0, 0] } }, tensor = { along = 0.1, across = \
         0.3, back_along = 0.5 } }";
    let setup = built(&scene(tensors, "{}", &format!("{PAIR}tensors = 1.5")));
    let skin = setup.scene.skins.values().next().expect("a skin");
    let through = Vector3::x();
    assert_eq!(skin.grain, Some(Grain::Around { axis: Vector3::y(), through }));
    let backward = skin.tensor.and_then(|tensor| tensor.backward).expect("another one");
    assert_eq!((backward.m11, backward.m22), (0.5, 0.3));
    for texture in [
        "{ sawtooth = { pitch = 0.004, height = 0.002, rise = 0.7, patch = 0.01 } }",
        "{ bumps = { pitch = 0.004, height = 0.002 } }",
        "{ heights = { size = [0.01, 0.01], rows = [[0, 0.001], [0.001, 0]] } }",
    ] {
        let skin = format!("{{ grain = \"x\", texture = {texture} }}");
        let found =
            friction(&scene(&skin, "{}", &format!("{PAIR}coefficient = 0.1\ntextures = true")));
        assert_eq!(found.direction, Directional::Texture);
    }
    let oiled = built(&scene("{ material = \"steel\", condition = \"castor-oil\" }", "{}", ""));
    let condition = oiled.scene.skins.values().next().expect("a skin").stuff.condition;
    assert_eq!(condition, Condition::CastorOil);
}

#[test]
fn mistakes_are_told_with_a_remedy() {
    let cases = [
        (
            scene("\"stel\"", "{}", ""),
            "no table of friction has the material `stel`",
            "did you mean `steel`",
        ),
        (
            scene("{}", "{}", &format!("{PAIR}preset = \"steel on cheese\"")),
            "no pair of materials called `steel on cheese`",
            "known: ",
        ),
        (scene("{}", "{}", PAIR), "needs `coefficient`", "preset"),
        (
            scene("{ grain = \"x\" }", "{}", &format!("{PAIR}along = 0.2")),
            "needs friction across it",
            "give both",
        ),
        (
            scene(
                "{ grain = \"x\" }",
                "{}",
                &format!("{PAIR}along = 0.2\nacross = 0.3\ntensors = 1"),
            ),
            "more than one way",
            "keep one of",
        ),
        (
            scene("{}", "{}", &format!("{PAIR}along = 0.2\nacross = 0.3")),
            "grain that neither has",
            "grain",
        ),
        (scene("{}", "{}", &format!("{PAIR}coefficient = -0.2")), "not negative", "zero or more"),
        (
            scene("{}", "{}", &format!("{PAIR}coefficient = 0.2\ntorsion = -1")),
            "not negative",
            "zero or more",
        ),
        (
            scene("{}", "{}", &format!("{PAIR}coefficient = 0.2\ncombine = \"average\"")),
            "`combine` is not for one pair",
            "all pairs",
        ),
        (scene("{ tensor = { along = 1, across = 1 } }", "{}", ""), "without a grain", "grain"),
        (scene("{ grain = [0, 0, 0] }", "{}", ""), "a direction", "above zero"),
        (
            scene("{ texture = { sawtooth = { pitch = 0.1, height = 0.1, rise = 1 } } }", "{}", ""),
            "the rising part of a texture is 1",
            "lengths are positive",
        ),
        (
            scene("{ texture = { heights = { size = [1, 1], rows = [[0, 1], [0]] } } }", "{}", ""),
            "heights for",
            "row after row",
        ),
        (
            scene("{ friction = 0.2, grian = \"x\" }", "{}", ""),
            "no key `grian`",
            "did you mean `grain`",
        ),
        (
            scene("{}", "{}", &format!("{PAIR}coefficient = 0.2\nrolling = 0.1"))
                .replace("impulse", "smooth"),
            "rolling resistance",
            "impulse method",
        ),
    ];
    for (text, message, help) in cases {
        let error = refused(&text);
        assert!(
            error.contains(message) && error.contains(help),
            "{text}\n{error}\nnot: {message}, {help}"
        );
    }
}

#[test]
fn bonds_that_the_method_does_not_know_are_refused() {
    let bond = "[[contact]]\nbetween = [\"cube\", \"floor\"]\nfracture = 0.001";
    let bound = scene("\"steel\"", "\"steel\"", bond);
    let error = refused(&bound);
    assert!(error.contains("fracture length") && error.contains("smooth method"), "{error}");
    assert_eq!(built(&bound.replace("impulse", "smooth")).notes, [""; 0]);
    assert_eq!(built(&bound.replace("fracture = 0.001", "")).notes, [""; 0]);
}

/// Nothing is left of the scene's own method, and what is wrong in the other one is found where it is written.
#[test]
fn variants_may_have_another_method() {
    let variant = |method: &str| {
        let text = format!("[[variant]]\nname = \"other\"\nmethod = {method}");
        let text = scene("\"steel\"", "\"steel\"", &text);
        let wishes = Wishes { variant: Some("other".into()), ..Wishes::default() };
        let scene = SceneFile::parse("scene", &text, Notation::Toml, None, &wishes);
        scene.and_then(|scene| scene.build())
    };
    let setup = variant("{ smooth = { time_step = 0.02 } }").expect("valid");
    assert_eq!(setup.method(), "smooth");
    assert!((setup.simulation.settings().time_step - 0.02).abs() < 1e-12);
    let refused = variant("{ smooth = { integrator = \"bfd2\" } }").map(drop).expect_err("a typo");
    assert!(refused.to_string().contains("bdf2"), "{refused}");
}
