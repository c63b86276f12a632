//! Motions from tables.

use std::fs;

use crate::scratch::Scratch;
use stiction::body::{Body, Motion};
use stiction::math::Vector3;
use stiction_scene::scene_file::{Notation, SceneFile, Setup, Wishes};

fn build(scratch: &Scratch, keyframes: &str) -> Result<Setup, String> {
    let scene = format!(
        "[[body]]\nname = \"arm\"\nobstacle = {{ sphere = {{ radius = 0.1 }} }}\n\
         motion = {{ keyframes = {{ {keyframes} }} }}\n\n\
         [[body]]\nname = \"cube\"\nsolid = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\
         place = {{ move = [0, 1, 0] }}\n\n\
         [[pin]]\nbody = \"cube\"\nwhere = \"x-max\"\nmotion = {{ keyframes = {{ {keyframes} }} }}\n"
    );
    fs::write(scratch.join("scene.toml"), scene).expect("a scratch file");
    let scene = SceneFile::load(&scratch.join("scene.toml"), &Wishes::default());
    scene.and_then(|scene| scene.build()).map_err(|error| error.to_string())
}

fn motion(setup: &Setup) -> &Motion {
    match &setup.scene.bodies[0] {
        Body::Obstacle(obstacle) => &obstacle.motion,
        other => panic!("{other:?}"),
    }
}

/// The same motion in the scene and in a table, for an obstacle and a pin; the table is one of the files to keep, and
/// the resolved scene names it.
#[test]
fn a_table_moves_as_keyframes_do() {
    let scratch = Scratch::new("motion_table");
    fs::write(scratch.join("path.csv"), "time,ry,x\n0,0,0\n1,90,0.5\n").expect("a scratch file");
    let told =
        "frames = [{ time = 0 }, { time = 1, move = [0.5, 0, 0], axis = \"y\", degrees = 90 }]";
    let told = build(&scratch, told).expect("valid");
    let read = build(&scratch, "file = \"path.csv\"").expect("valid");
    let x = Vector3::new(0.1, 0.2, 0.3);
    for t in [0.0, 0.3, 0.8, 2.0] {
        for [one, other] in [
            [motion(&told), motion(&read)],
            [&told.scene.pins[0].motion, &read.scene.pins[0].motion],
        ] {
            let apart = one.at(x, t).0 - other.at(x, t).0;
            assert!(apart.norm() < 1e-15, "{t} s: {apart:?}");
        }
    }
    assert!((motion(&read).at(Vector3::zeros(), 1.0).0.x - 0.5).abs() < 1e-15);
    assert_eq!(read.inputs, ["path.csv"]);
    let json = serde_json::to_string(&read.resolved).expect("a scene can be written");
    let folder = Some(scratch.join(""));
    let again = SceneFile::parse("scene", &json, Notation::Json, folder, &Wishes::default());
    let again = again.and_then(|scene| scene.build()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(motion(&again), motion(&read));
}

#[test]
fn what_is_no_table_is_refused_by_line() {
    let scratch = Scratch::new("motion_faults");
    fs::write(scratch.join("path.csv"), "time,x\n0,0\n0,1\n").expect("a scratch file");
    let error = build(&scratch, "file = \"path.csv\"").expect_err("it goes back");
    for part in ["path.csv", "line 3", "does not come after 0 s", "sort rows by time"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    let error = build(&scratch, "file = \"none.csv\"").expect_err("it is not there");
    assert!(error.contains("there is no file"), "{error}");
    for both in ["file = \"path.csv\", frames = [{ time = 0 }]", "smooth = false"] {
        let error = build(&scratch, both).expect_err("one or the other");
        assert!(error.contains("either `frames` or a `file`"), "{error}");
    }
}
