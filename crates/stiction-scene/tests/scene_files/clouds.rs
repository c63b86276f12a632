//! Obstacles that are scanned points, from PLY files.

use std::fmt::Write as _;
use std::fs;

use crate::scratch::Scratch;
use stiction_scene::capture::Capture;
use stiction_scene::scene_file::{SceneFile, SceneFileError, Setup, Wishes};

/// A file of points on the plane `y = 0`, with these normals if any.
fn ply(normal: Option<[f64; 3]>) -> String {
    let mut text = "ply\nformat ascii 1.0\nelement vertex 441\n".to_owned();
    let names =
        if normal.is_some() { &["x", "y", "z", "nx", "ny", "nz"][..] } else { &["x", "y", "z"] };
    for name in names {
        writeln!(text, "property double {name}").expect("to memory");
    }
    text += "end_header\n";
    for (i, k) in (0..21).flat_map(|i| (0..21).map(move |k| (i, k))) {
        write!(text, "{} 0 {}", 0.05 * f64::from(i - 10), 0.05 * f64::from(k - 10))
            .expect("to memory");
        if let Some([x, y, z]) = normal {
            write!(text, " {x} {y} {z}").expect("to memory");
        }
        text.push('\n');
    }
    text
}

const SCENE: &str = r#"
[[body]]
name = "scan"
obstacle = { points = "scan.ply" }
[[body]]
name = "block"
solid = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }
place = { move = [0, 0.0502, 0] }
"#;

fn build(folder: &str, ply: &str) -> Result<Setup, SceneFileError> {
    let scratch = Scratch::new(folder);
    fs::write(scratch.join("scan.ply"), ply).expect("a scratch file");
    fs::write(scratch.join("scene.toml"), SCENE).expect("a scratch file");
    SceneFile::load(&scratch.join("scene.toml"), &Wishes::default())?.build()
}

#[test]
fn a_block_lies_on_scanned_points() {
    let mut setup =
        build("cloud", &ply(Some([0.0, 2.0, 0.0]))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(setup.inputs, ["scan.ply"]);
    let resolved = serde_json::to_value(&setup.resolved).expect("a scene can be written");
    let surface = &resolved["body"][0]["surface"];
    assert_eq!(surface["kernel"], "quartic", "{surface}");
    assert!(
        surface["radius"].as_f64().is_some_and(|r| r > 0.1) && surface.get("samples").is_none()
    );
    for _ in 0..20 {
        assert!(setup.simulation.step().converged());
    }
    // Its corners are far apart for its size, so that points of the cloud touch it, too.
    let block = setup.scene.ids().nth(1).expect("the block");
    let own = setup.simulation.contacts().iter().filter(|c| c.collider == block).count();
    assert_eq!(own, 9, "all of its bottom");
    let capture = Capture::new(&setup.scene, &setup.simulation, &[]);
    let shown = &capture.bodies()[0];
    assert_eq!((shown.start.len(), shown.triangles.len()), (3 * 441, 441));
    assert!(shown.start.iter().all(|x| x[1].abs() < 1e-15), "across the normals");
}

#[test]
fn points_without_use_are_refused_with_a_remedy() {
    let message = |ply: &str| build("no_cloud", ply).map(drop).expect_err("no cloud").to_string();
    let none = message(&ply(None));
    assert!(none.contains("no normals") && none.contains("`nx`, `ny` and `nz`"), "{none}");
    let zero = message(&ply(Some([0.0; 3])));
    assert!(zero.contains("the normal of point 0 has no direction"), "{zero}");
    assert!(zero.contains("leave such points out"), "{zero}");
}
