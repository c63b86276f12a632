//! What scene files say about the barrier method, and about motors with a profile.

use stiction::body::Profile;
use stiction::method::MethodSettings;
use stiction::method::barrier::Coupling;
use stiction_scene::scene_file::{Notation, SceneFile, Setup, Wishes};

fn build(text: &str, notation: Notation) -> Result<Setup, String> {
    let scene = SceneFile::parse("scene", text, notation, None, &Wishes::default());
    scene.and_then(|scene| scene.build()).map_err(|error| error.to_string())
}

fn flush(top: &str, setting: &str) -> String {
    format!(
        "{top}\n[[body]]\nname = \"floor\"\nobstacle = {{ plane = {{}} }}\n\n\
         [[body]]\nname = \"cube\"\nsolid = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\
         place = {{ move = [0, 0.05, 0] }}\n\n\
         [method.barrier]\n{setting}\n"
    )
}

/// What touches is refused, with the key that helps; with that key it starts, says so, and does so again after being
/// written and read.
#[test]
fn room_is_made_if_asked_for() {
    let error = build(&flush("", ""), Notation::Toml).expect_err("it touches");
    assert!(error.contains("in touch with 'floor'") && error.contains("`room = 1e-4`"), "{error}");
    let setup = build(&flush("room = 1e-3", ""), Notation::Toml).expect("there is room");
    assert!(
        setup.notes.iter().any(|note| note.contains("1 body moved apart")),
        "{:?}",
        setup.notes
    );
    let json = serde_json::to_string(&setup.resolved).expect("a scene can be written");
    let again = build(&json, Notation::Json).expect("there is room");
    for setup in [setup, again] {
        let cube = setup.scene.ids().nth(1).expect("two bodies");
        let x = setup.simulation.positions(cube);
        let lowest = x.iter().fold(f64::INFINITY, |least, x| least.min(x.y));
        assert!((lowest - 1e-3).abs() < 1e-8, "{lowest} m");
    }
    let error = build(&flush("room = -1", ""), Notation::Toml).expect_err("no distance");
    assert!(error.contains("room"), "{error}");
}

#[test]
fn couplings_are_read() {
    for (setting, expected) in [
        ("", Coupling::Implicit),
        ("coupling = \"implicit\"", Coupling::Implicit),
        ("coupling = \"lagged\"", Coupling::Lagged),
    ] {
        let setup = build(&flush("room = 1e-3", setting), Notation::Toml).expect("valid");
        match setup.simulation.settings().method {
            MethodSettings::Barrier(own) => assert_eq!(own.coupling, expected, "{setting}"),
            ref other => panic!("{other:?}"),
        }
    }
}

#[test]
fn motors_have_profiles() {
    let scene = |profile: &str| {
        format!(
            "[[body]]\nname = \"wheel\"\nrigid = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\n\
             [[joint]]\nkind = \"hinge\"\nbody = \"wheel\"\nat = [0, 0, 0]\naxis = [0, 0, 1]\n\
             motor = {{ speed = 90, profile = {profile} }}\n"
        )
    };
    let setup = build(&scene("[[0, 0], [1, 2.5]]"), Notation::Toml).expect("valid");
    let motor = setup.scene.joints[0].motor.clone().expect("given");
    assert_eq!(motor.profile, Profile::Points(vec![(0.0, 0.0), (1.0, 2.5)]));
    let error = build(&scene("[[1, 0], [0, 2]]"), Notation::Toml).expect_err("it goes back");
    assert!(error.contains("does not ascend in time"), "{error}");
}
