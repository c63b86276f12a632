//! Bodies from closed surfaces: solids that fill them, obstacles known by their distance on a grid.

use std::fmt::Write as _;
use std::fs;

use crate::scratch::Scratch;
use stiction::body::{Body, Shape};
use stiction::mesh::TriMesh;
use stiction::mesh::generate::{self, CuboidSplit};
use stiction_scene::capture::Capture;
use stiction_scene::scene_file::{SceneFile, SceneFileError, Setup, Wishes};

pub(crate) fn obj(mesh: &TriMesh, without: usize) -> String {
    let mut text = String::new();
    for x in mesh.vertices() {
        writeln!(text, "v {} {} {}", x.x, x.y, x.z).expect("to memory");
    }
    for [a, b, c] in mesh.triangles().iter().skip(without) {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).expect("to memory");
    }
    text
}

fn ball() -> TriMesh {
    generate::ball(0.1, 0.03).expect("a ball").boundary().surface
}

fn slab() -> TriMesh {
    generate::cuboid([1.0, 0.2, 1.0], [4, 1, 4], CuboidSplit::Kuhn)
        .expect("a box")
        .boundary()
        .surface
}

fn build(folder: &str, ball: &str, scene: &str) -> Result<Setup, SceneFileError> {
    let scratch = Scratch::new(folder);
    fs::write(scratch.join("ball.obj"), ball).expect("a scratch file");
    fs::write(scratch.join("slab.obj"), obj(&slab(), 0)).expect("a scratch file");
    fs::write(scratch.join("scene.toml"), scene).expect("a scratch file");
    SceneFile::load(&scratch.join("scene.toml"), &Wishes::default())?.build()
}

const SCENE: &str = r#"
[[body]]
name = "slab"
obstacle = { distance_grid = { mesh = "slab.obj", resolution = 30 } }
place = { move = [0, -0.1, 0] }
[[body]]
name = "ball"
solid = { surface = { mesh = "ball.obj", resolution = 6 } }
place = { move = [0, 0.1005, 0] }
"#;

#[test]
fn a_filled_ball_lies_on_a_slab_of_distances() {
    let mut setup = build("filled", &obj(&ball(), 0), SCENE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(setup.inputs, ["slab.obj", "ball.obj"]);
    let [lost] = setup.notes.as_slice() else { panic!("{:?}", setup.notes) };
    assert!(lost.contains("% of the volume is lost"), "{lost}");
    let resolved = serde_json::to_value(&setup.resolved).expect("a scene can be written");
    let grid = &resolved["body"][0]["obstacle"]["distance_grid"];
    assert_eq!((&grid["interpolation"], &grid["margin"]), (&"cubic".into(), &0.1.into()));
    assert_eq!(resolved["body"][1]["solid"]["surface"]["resolution"], 6);
    let [Body::Obstacle(slab), Body::Solid(solid)] = setup.scene.bodies.as_slice() else {
        panic!("an obstacle and a solid")
    };
    assert!(matches!(slab.shape, Shape::Grid(_)));
    assert!(solid.mesh.vertex_tags().get("surface").is_some());
    for _ in 0..20 {
        assert!(setup.simulation.step().converged());
    }
    let q = &setup.simulation.trajectory().q;
    let lowest = q.chunks_exact(3).map(|x| x[1]).fold(f64::INFINITY, f64::min);
    assert!(lowest > -1e-3 && lowest < 5e-3, "{lowest}");
    // What is drawn is the mesh.
    let capture = Capture::new(&setup.scene, &setup.simulation, &setup.fields);
    assert_eq!(capture.bodies()[0].triangles.len(), self::slab().element_count());
}

#[test]
fn repairs_are_noted() {
    let setup = build("holed", &obj(&ball(), 1), SCENE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(setup.notes[0], "ball.obj: 1 hole filled");
    assert!(setup.notes[1].contains("% of the volume is lost"), "{:?}", setup.notes);
    assert_eq!(setup.notes.len(), 2);
}

#[test]
fn what_cannot_be_filled_is_refused_at_its_place() {
    let refuse = |folder: &str, ball: &str, scene: &str| {
        build(folder, ball, scene).map(|_| ()).expect_err("no body").to_string()
    };
    let half = obj(&ball(), ball().element_count() / 2);
    let text = refuse("open", &half, SCENE);
    for words in ["ball.obj", "the surface is open", "scene.toml:8", "help:"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let whole = obj(&ball(), 0);
    let twice = SCENE.replace("resolution = 6", "resolution = 6, edge_length = 0.1");
    assert!(refuse("twice", &whole, &twice).contains("say the same thing twice"));
    let coarse = SCENE.replace("resolution = 6", "edge_length = 3");
    assert!(refuse("coarse", &whole, &coarse).contains("too long for any tet"));
    let fine = SCENE.replace("resolution = 30", "resolution = 3000");
    assert!(refuse("fine", &whole, &fine).contains("nodes"));
    let stretched = SCENE.replace("move = [0, -0.1, 0]", "scale = [1, 2, 1]");
    assert!(refuse("stretched", &whole, &stretched).contains("alike along all axes"));
    let missing = SCENE.replace("slab.obj", "slob.obj");
    assert!(refuse("missing", &whole, &missing).contains("slob.obj"));
}
