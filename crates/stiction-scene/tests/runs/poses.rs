//! How rigid bodies stand is in run folders and exports, and agrees with where their vertices are.

use crate::scratch::Scratch;
use stiction::math::Vector3;
use stiction_scene::export::{ExportFormat, ExportOptions, export};
use stiction_scene::frame::{Frames as _, Pose};
use stiction_scene::job::Job;
use stiction_scene::run::{RunFolder, RunStatus};
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// Without gravity about a principal axis, so that all is known: it moves along x and turns about y.
const SCENE: &str = r#"
duration = 0.5
gravity = [0, 0, 0]
[[body]]
name = "brick"
rigid = { box = { size = [0.2, 0.1, 0.3] } }
place = { move = [0.5, 0, 0] }
velocity = [1.5, 0, 0]
spin = [0, 3, 0]
[[body]]
name = "block"
solid = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
place = { move = [0, 2, 0] }
[output]
every = 10
precision = "double"
"#;

fn turned(pose: &Pose, x: Vector3) -> Vector3 {
    let [w, a, b, c] = pose.rotation;
    let u = Vector3::new(a, b, c);
    x + 2.0 * w * u.cross(&x) + 2.0 * u.cross(&u.cross(&x))
}

#[test]
fn poses_are_stored_exported_and_those_of_the_vertices() {
    let scratch = Scratch::new("poses");
    let folder = scratch.join("run");
    let scene = SceneFile::parse("poses.toml", SCENE, Notation::Toml, None, &Wishes::default());
    let mut job = Job::start(&scene.unwrap(), &folder, false).unwrap();
    while !job.is_done() {
        job.advance().unwrap();
    }
    job.finish(RunStatus::Finished).unwrap();
    let run = RunFolder::open(&folder).unwrap();
    let start: Vec<Vector3> = run.bodies()[0].start.iter().map(|x| Vector3::from(*x)).collect();
    let first = run.frame(0).unwrap().bodies[0].pose.unwrap();
    for index in 0..run.times().len() {
        let (frame, time) = (run.frame(index).unwrap(), run.times()[index]);
        assert!(frame.bodies[1].pose.is_none(), "the block is not rigid");
        let pose = frame.bodies[0].pose.unwrap();
        // Predicted: uniform motion, and a turn by 3 rad/s about y.
        let half = 0.5 * 3.0 * time;
        let expected = [
            [0.5 + 1.5 * time, 0.0, 0.0].to_vec(),
            [half.cos(), 0.0, half.sin(), 0.0].to_vec(),
            [1.5, 0.0, 0.0].to_vec(),
            [0.0, 3.0, 0.0].to_vec(),
        ];
        let expected: Vec<f64> = expected.concat();
        for (found, expected) in pose.numbers().iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "frame {index}: {pose:?}");
        }
        // Exactly where the vertices are: two ways to the same numbers, to rounding.
        for (x, start) in frame.bodies[0].positions.iter().zip(&start) {
            let moved =
                Vector3::from(pose.center) + turned(&pose, start - Vector3::from(first.center));
            assert!((moved - Vector3::from(*x)).norm() < 1e-12, "frame {index}: {x:?} {moved:?}");
        }
    }
    let out = scratch.join("run.npz");
    export(&run, ExportFormat::Npz, &out, &ExportOptions::default(), &mut |_, _| {}).unwrap();
    let mut archive = zip_entries(&out);
    archive.sort();
    assert!(archive.contains(&"brick/pose.npy".to_owned()), "{archive:?}");
    assert!(!archive.contains(&"block/pose.npy".to_owned()), "{archive:?}");
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/poses.py");
    let zarr = folder.join("frames.zarr");
    let arguments = [out.to_str().unwrap(), zarr.to_str().unwrap()];
    if let Some(said) = stiction_check::python::run(&script, &arguments) {
        assert!(said.trim_end().ends_with("as expected"), "{said}");
    }
}

/// Names in the directory of an archive.
fn zip_entries(path: &std::path::Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let heads = bytes.windows(4).enumerate().filter(|(_, four)| *four == b"PK\x01\x02");
    heads
        .map(|(at, _)| {
            let length = usize::from(u16::from_le_bytes([bytes[at + 28], bytes[at + 29]]));
            String::from_utf8_lossy(&bytes[at + 46..at + 46 + length]).into_owned()
        })
        .collect()
}
