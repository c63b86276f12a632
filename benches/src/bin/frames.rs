//! What writing frames costs a run: the same scene with a frame a step, and without a folder.
//!
//! `frames [STEPS]`; a denim sheet of 224 × 224 vertices (50,176) hung by two corners, backward Euler, with two
//! fields, a checkpoint with each frame. A solid of as many vertices spends ten times as long in a step, and the
//! share is smaller.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::{Duration, Instant};

use stiction_scene::job::Job;
use stiction_scene::run::RunStatus;
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

const SCENE: &str = r#"
duration = 10.0
[[body]]
name = "sheet"
cloth = { sheet = { size = [1.0, 1.0], cells = [223, 223] } }
material = "denim"
[[pin]]
body = "sheet"
where = { and = ["corners", "top"] }
[method]
smooth = { time_step = 0.01, integrator = "backward-euler", tolerance = 1e-4 }
[output]
every = 1
fields = ["max_stretch", "strain_energy_density"]
"#;

fn main() {
    let steps = std::env::args().nth(1).map_or(20, |text| text.parse().expect("a number"));
    let scene = SceneFile::parse("frames", SCENE, Notation::Toml, None, &Wishes::default())
        .expect("a sound scene");
    let folder = std::env::temp_dir().join(format!("stiction-frames-{}", std::process::id()));
    let without = Job::rehearse(&scene).expect("a job");
    let with = Job::start(&scene, &folder, true).expect("a job with a folder");
    // Alternating, so that both see the same machine.
    let [mut without, mut with] = [without, with].map(|job| (job, Duration::ZERO));
    for _ in 0..steps {
        for (job, spent) in [&mut without, &mut with] {
            let start = Instant::now();
            job.advance().expect("a step");
            *spent += start.elapsed();
        }
    }
    let start = Instant::now();
    with.0.finish(RunStatus::Stopped).expect("an end");
    let end = start.elapsed();
    let bytes = size(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    let [bare, written] =
        [without.1, with.1 + end].map(|spent| spent.as_secs_f64() / f64::from(steps));
    println!(
        "50,176 vertices, {steps} steps: {bare:.4} s a step without frames, {written:.4} s with"
    );
    println!(
        "frames cost {:.2} %, {:.1} MB a frame",
        100.0 * (written / bare - 1.0),
        bytes as f64 / 1e6 / f64::from(steps)
    );
}

fn size(folder: &std::path::Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                size(&entry.path())
            } else {
                entry.metadata().map_or(0, |m| m.len())
            }
        })
        .sum()
}
