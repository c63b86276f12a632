//! Runs tell in which frames bodies pass through each other, also after they were resumed.

use crate::scratch::Scratch;
use stiction_scene::job::{Job, Summary};
use stiction_scene::run::{Columns, RunStatus};
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// A sheet of two triangles that passes through a cube beside its diagonals: eight sides, from step 2 to step 11.
const SCENE: &str = r#"
duration = 0.15
gravity = [0, 0, 0]

[[body]]
name = "sheet"
cloth = { sheet = { size = [8, 8], cells = [1, 1] } }
place = { move = [0, 0, 0.695] }
velocity = [0, 0, -10]

[[body]]
name = "cube"
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }
place = { move = [2.5, 0, 0] }

[[contact]]
between = ["sheet", "cube"]
enabled = false

[method.smooth]
time_step = 0.01

[output]
every = 4

[[probe]]
name = "crossing"
quantity = "intersections"

[[expect]]
probe = "crossing"
at = 0.15
below = 0.5
kind = "theory"
source = "it has passed"
"#;

fn scene(text: &str) -> SceneFile {
    SceneFile::parse("through", text, Notation::Toml, None, &Wishes::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn to_the_end(mut job: Job) -> Summary {
    while !job.is_done() {
        job.advance().expect("a step");
    }
    job.finish(RunStatus::Finished).expect("a report")
}

#[test]
fn frames_in_which_bodies_cross_are_in_the_table_and_the_report() {
    let scratch = Scratch::new("job-crossing");
    // Where it starts, the pairs of triangles in frames 0 to 3 (steps 0, 4, 8, 12), and the worst frame.
    let starts = [("0.695", [0, 8, 8, 0], 1), ("0.055", [8, 8, 0, 0], 0)];
    for (start, frames, worst) in starts {
        let scene = scene(&SCENE.replace("0.695", start));
        let whole = scratch.join(&format!("whole-{start}"));
        let summary = to_the_end(Job::start(&scene, &whole, false).expect("a job"));
        let crossings = &summary.totals.crossings;
        let found = crossings.worst.clone().expect("it passes through");
        assert_eq!((crossings.frames, crossings.crossing), (4, 2));
        assert_eq!((found.frame, found.pairs), (worst, 8));
        assert_eq!(found.between, "sheet | cube");
        assert!(found.to_string().contains("most of `sheet` with `cube`"), "{found}");
        assert!(summary.holds(), "the probe counts too: {summary:?}");

        let table = std::fs::read_to_string(whole.join("steps.csv")).expect("a table");
        let table = Columns::parse(&table);
        let (pairs, between) = (table.get("intersections"), table.get("intersecting"));
        let (pairs, between) =
            (&pairs.expect("a column").numbers, &between.expect("a column").words);
        for (row, count) in pairs.iter().enumerate() {
            let step = row + 1;
            let frame = [4, 8, 12].iter().position(|&of| of == step);
            match frame {
                None => assert!(count.is_nan(), "step {step}"),
                Some(frame) => {
                    let expected = frames[frame + 1];
                    assert!((count - f64::from(expected)).abs() < 1e-9, "step {step}: {count}");
                    assert_eq!(between.contains_key(&row), expected > 0, "step {step}");
                }
            }
        }
        let report = std::fs::read(whole.join("report.json")).expect("a report");
        let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
        assert_eq!(report["totals"]["intersections"]["frames"], 2);
        assert_eq!(report["totals"]["intersections"]["worst"]["between"][1], "cube");

        // Broken off anywhere, the same totals come out.
        for stop in [1, 5, 9, 14] {
            let folder = scratch.join(&format!("{start}-{stop}"));
            let mut job = Job::start(&scene, &folder, false).expect("a job");
            (0..stop).for_each(|_| drop(job.advance().expect("a step")));
            drop(job);
            let again = to_the_end(Job::resume(&folder).expect("a run to resume"));
            assert_eq!(&again.totals.crossings, crossings, "after {stop}");
        }
    }
}
