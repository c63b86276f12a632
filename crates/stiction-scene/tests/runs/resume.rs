//! Jobs that are stopped, dropped or broken off anywhere and resumed end with the same bits as one that was not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::scratch::Scratch;
use crate::support::contents;
use stiction_scene::job::{Job, JobError, Summary};
use stiction_scene::run::{RunFolder, RunStatus};
use stiction_scene::scene_file::{Notation, SceneFile, Wishes};

/// Damped, pinned and measured where forces are: what a restored simulation could get slightly wrong. No title, so
/// that a default has to be remembered.
const SCENE: &str = r#"
duration = 0.3

[[body]]
name = "bar"
solid = { mesh = "meshes/bar.msh" }
material = { preset = "jelly", damping = { mass = 0.2, stiffness = 0.01 } }
spin = [3, 0, 0]

[[body]]
name = "tet"
solid = { mesh = "meshes/tet.ele" }
material = "rubber"

[[body]]
name = "again"
solid = { mesh = "meshes/bar.msh" }
place = { move = [0, 2, 0] }

[[body]]
name = "stamp"
obstacle = { sphere = { radius = 0.2 } }
place = { move = [5, 0, 0] }
motion = { velocity = [0, 1, 0] }

[[pin]]
body = "bar"
where = { half_space = { point = [-0.19, 0, 0], normal = "-x" } }
motion = { keyframes = { frames = [{ time = 0 }, { time = 0.2, axis = "x", degrees = 40 }] } }

[method.smooth]
time_step = 0.01

[output]
every = 4
fields = ["max_stretch"]

[[probe]]
name = "pull"
quantity = "reaction"
body = "bar"
along = "y"

[[probe]]
name = "height"
quantity = "position"
body = "tet"
along = "y"

[[expect]]
probe = "height"
at = 0.2
below = 0.0
kind = "theory"
source = "things fall"
"#;

const STEPS: u64 = 30;

/// The scene and its meshes in a folder.
fn write_scene(folder: &Path, text: &str) -> SceneFile {
    let meshes = folder.join("meshes");
    fs::create_dir_all(&meshes).expect("a folder");
    fs::write(meshes.join("bar.msh"), BAR).expect("a mesh");
    fs::write(meshes.join("tet.node"), "4 3 0 0\n0 0 0 0\n1 0.1 0 0\n2 0 0.1 0\n3 0 0 0.1\n")
        .expect("a mesh");
    fs::write(meshes.join("tet.ele"), "1 4 0\n0 0 1 2 3\n").expect("a mesh");
    fs::write(folder.join("falling.toml"), text).expect("a scene");
    load(folder)
}

/// Two tets in a row.
const BAR: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 -0.2 0 0\n2 0 0 0\n3 -0.2 0.2 0\n4 -0.2 0 0.2\n\
    5 0.1 0.2 0.2\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 3 4 5\n$EndElements\n";

fn load(folder: &Path) -> SceneFile {
    SceneFile::load(&folder.join("falling.toml"), &Wishes::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn to_the_end(mut job: Job) -> Summary {
    while !job.is_done() {
        job.advance().expect("a step");
    }
    job.finish(RunStatus::Finished).expect("a report")
}

/// Everything in a run folder but how long it took.
fn comparable(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = contents(folder);
    let steps = String::from_utf8(files["steps.csv"].clone()).expect("a table");
    let timed = steps.lines().next().and_then(|head| head.split(',').position(|c| c == "seconds"));
    let timed = timed.expect("a column of seconds");
    let untimed = |row: &str| row.split(',').take(timed).collect::<Vec<_>>().join(",");
    let steps: Vec<String> = steps.lines().map(untimed).collect();
    files.insert("steps.csv".into(), steps.join("\n").into());
    if let Some(report) = files.get("report.json") {
        let mut report: serde_json::Value = serde_json::from_slice(report).expect("a report");
        for timing in ["seconds", "seconds_by_phase"] {
            report["totals"][timing] = serde_json::Value::Null;
        }
        report["checksum"] = serde_json::Value::Null;
        files.insert("report.json".into(), report.to_string().into());
    }
    without_sums_of_timings(&mut files);
    files
}

/// Takes out checksums that depend on how long steps took: of tables, and of what holds these.
fn without_sums_of_timings(files: &mut BTreeMap<String, Vec<u8>>) {
    let root = files.get_mut("frames.zarr/zarr.json").expect("a root");
    let mut json: serde_json::Value = serde_json::from_slice(root).expect("JSON");
    for key in ["tables", "checksum"] {
        json["attributes"][key] = serde_json::Value::Null;
    }
    *root = json.to_string().into();
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.ends_with(".checkpoint")) {
        // See the table of the format in `docs/runs.md`: before them are 56 bytes.
        bytes[56..56 + 32].fill(0);
        bytes.truncate(bytes.len() - 4);
    }
}

#[track_caller]
fn assert_same(
    found: &BTreeMap<String, Vec<u8>>,
    expected: &BTreeMap<String, Vec<u8>>,
    when: &str,
) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{when}");
    for (name, bytes) in expected {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(found[name] == *bytes, "{when}: {name}\n{}\n{}", text(&found[name]), text(bytes));
    }
}

#[test]
fn a_job_dropped_or_stopped_after_any_step_resumes_to_the_same_bits() {
    let scratch = Scratch::new("job-resume");
    let scene = write_scene(&scratch.0, SCENE);
    let whole = scratch.join("whole");
    let summary = to_the_end(Job::start(&scene, &whole, false).expect("a job"));
    assert!(summary.holds() && summary.checked.len() == 1, "{summary:?}");
    assert_eq!((summary.title.as_str(), summary.totals.steps), ("falling", STEPS));
    let expected = comparable(&whole);
    let mesh_names = ["inputs/0-bar.msh", "inputs/1-tet.ele", "inputs/1-tet.node"];
    assert!(mesh_names.iter().all(|name| expected.contains_key(*name)), "{:?}", expected.keys());

    for (number, stop) in [0, 1, 3, 4, 5, 11, 12, 17, 29, 30].into_iter().enumerate() {
        let folder = scratch.join(&format!("run-{number}"));
        let mut job = Job::start(&scene, &folder, false).expect("a job");
        for _ in 0..stop {
            job.advance().expect("a step");
        }
        match number % 2 {
            0 => drop(job),
            _ => drop(job.finish(RunStatus::Stopped).expect("a report")),
        }
        // Neither the scene nor its meshes are needed any more.
        let hidden = scratch.join("hidden");
        fs::rename(scratch.join("meshes"), &hidden).expect("meshes to hide");
        fs::write(scratch.join("falling.toml"), "changed since").expect("a scene");
        let mut job = Job::resume(&folder).expect("a run to resume");
        let done = job.totals().steps;
        assert!(done <= stop && done + 4 > stop.min(done + 3), "{done} of {stop}");
        // And once more in between: a run may be stopped as often as one likes.
        if stop == 11 {
            job.advance().expect("a step");
            drop(job);
            job = Job::resume(&folder).expect("a run to resume");
        }
        let again = to_the_end(job);
        assert_same(&comparable(&folder), &expected, &format!("stopped after {stop}"));
        let untimed = |summary: &Summary| {
            let mut summary = summary.clone();
            (summary.folder, summary.totals.seconds) = (None, 0.0);
            summary.totals.phases = Default::default();
            summary
        };
        assert_eq!(untimed(&again), untimed(&summary), "stopped after {stop}");
        fs::rename(&hidden, scratch.join("meshes")).expect("meshes to bring back");
        fs::write(scratch.join("falling.toml"), SCENE).expect("a scene");
    }
}

/// Rows of `steps.csv` were counted: one byte less, and the run went a step too far and had a frame too many.
#[test]
fn tables_that_were_cut_are_made_again_or_refused() {
    let scratch = Scratch::new("job-cut");
    let scene = write_scene(&scratch.0, SCENE);
    let folder = scratch.join("run");
    let summary = to_the_end(Job::start(&scene, &folder, false).expect("a job"));
    let (expected, whole) = (comparable(&folder), contents(&folder));
    // Frames are at every fourth step, the last checkpoints at 24 and 28.
    let rows = |table: &str, last: u64| -> Vec<u8> {
        let text = String::from_utf8(whole[table].clone()).expect("a table");
        let upto = |line: &&str| {
            let step = line.split(',').next().expect("a step").parse::<u64>();
            step.is_ok_and(|step| step <= last)
        };
        let rows = text.split_inclusive('\n');
        rows.clone().take(1).chain(rows.skip(1).filter(upto)).collect::<String>().into()
    };
    let less = |bytes: &[u8]| bytes[..bytes.len() - 1].to_vec();
    for table in ["steps.csv", "probes.csv"] {
        let cuts = [
            less(&whole[table]),
            rows(table, 29),
            rows(table, 28),
            less(&rows(table, 28)),
            rows(table, 27),
            rows(table, 24),
        ];
        for cut in cuts {
            let length = cut.len();
            fs::write(folder.join(table), cut).expect("cut");
            let again = to_the_end(Job::resume(&folder).expect("a run to resume"));
            assert_eq!((again.time, again.totals.steps), (summary.time, STEPS), "{table} {length}");
            assert_same(&comparable(&folder), &expected, &format!("{table} cut to {length}"));
        }
        let mut changed = rows(table, 30);
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        let cuts = [less(&rows(table, 24)), rows(table, 0), b"step".to_vec(), Vec::new(), changed];
        for cut in cuts {
            let before = fs::read(folder.join(table)).expect("a table");
            fs::write(folder.join(table), cut).expect("cut");
            let error = Job::resume(&folder).expect_err("nothing to go on from").to_string();
            assert!(error.contains(table) && error.contains("help:"), "{error}");
            fs::write(folder.join(table), before).expect("restored");
        }
    }
}

#[test]
fn a_run_goes_on_past_its_end_and_stops_before_it() {
    let scratch = Scratch::new("job-until");
    let scene = write_scene(&scratch.0, SCENE);
    let whole = scratch.join("whole");
    to_the_end(Job::start(&scene, &whole, false).expect("a job"));
    // In three parts: to 0.12 s, to the end, and on to 0.4 s.
    let folder = scratch.join("run");
    drop(Job::start(&scene, &folder, false).expect("a job"));
    let mut job = Job::resume_until(&folder, 0.12).expect("a run");
    while !job.is_done() {
        job.advance().expect("a step");
    }
    assert!((job.simulation().time() - 0.12).abs() < 1e-12 && !job.reached_end());
    job.finish(RunStatus::Stopped).expect("a report");
    let error = Job::resume_until(&folder, 0.1).expect_err("it is past that").to_string();
    assert!(error.contains("already") && error.contains("help:"), "{error}");
    for until in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e12] {
        let error = Job::resume_until(&folder, until).expect_err("no time").to_string();
        assert!(error.contains("help:"), "{error}");
    }
    to_the_end(Job::resume(&folder).expect("a run"));
    assert_same(&comparable(&folder), &comparable(&whole), "in parts");
    let longer = to_the_end(Job::resume_until(&folder, 0.4).expect("a run"));
    assert!((longer.time - 0.4).abs() < 1e-12, "{}", longer.time);
    assert_eq!((longer.totals.steps, longer.checked.len()), (40, 1));
    let run = RunFolder::open(&folder).expect("a run");
    assert_eq!(run.steps(), (0..=10).map(|k| 4 * k).collect::<Vec<u64>>());
}

/// Both from the same surface, and a part of a faceted obstacle from another.
const SURFACES: &str = r#"
duration = 0.1
[[body]]
name = "ground"
obstacle = { distance_grid = { mesh = "meshes/cube.obj", resolution = 12 } }
[[body]]
name = "cube"
solid = { surface = { mesh = "meshes/cube.obj", resolution = 3 } }
place = { move = [0.2, 1.01, 0.1] }
[[body]]
name = "beside"
obstacle = { faceted = { surface = { mesh = "meshes/cube.obj", resolution = 2 } } }
place = { move = [5, 0, 0] }
[method.smooth]
time_step = 0.01
"#;

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn solids_and_obstacles_from_surfaces_are_resumed_from_their_copies() {
    let scratch = Scratch::new("job-surfaces");
    let scene = write_scene(&scratch.0, SURFACES);
    fs::write(scratch.join("meshes/cube.obj"), CUBE).expect("a mesh");
    let whole = scratch.join("whole");
    to_the_end(Job::start(&scene, &whole, false).expect("a job"));
    let expected = comparable(&whole);
    assert!(expected.contains_key("inputs/0-cube.obj"), "{:?}", expected.keys());
    let folder = scratch.join("run");
    let mut job = Job::start(&scene, &folder, false).expect("a job");
    for _ in 0..5 {
        job.advance().expect("a step");
    }
    drop(job);
    fs::remove_dir_all(scratch.join("meshes")).expect("meshes to remove");
    to_the_end(Job::resume(&folder).expect("a run to resume"));
    assert_same(&comparable(&folder), &expected, "resumed");
}

/// A rigid body from a mesh file, on a plane whose relief is a picture.
const PICTURE: &str = r#"
duration = 0.1
[[body]]
name = "ground"
obstacle = { plane = {} }
skin = { grain = "x", texture = { normal_map = { image = "meshes/relief.png", size = [0.01, 0.01] } } }
[[body]]
name = "cube"
rigid = { mesh = "meshes/cube.obj" }
velocity = [1, 0, 0.5]
[friction]
coefficient = 0.1
textures = true
[method.impulse]
time_step = 0.01
"#;

#[test]
fn rigid_meshes_and_pictures_are_resumed_from_their_copies() {
    let scratch = Scratch::new("job-pictures");
    let scene = write_scene(&scratch.0, PICTURE);
    fs::write(scratch.join("meshes/cube.obj"), CUBE).expect("a mesh");
    let mut relief = Vec::new();
    let mut encoder = png::Encoder::new(&mut relief, 1, 2);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[128, 220, 220, 128, 36, 220]).expect("pixels");
    writer.finish().expect("an end");
    fs::write(scratch.join("meshes/relief.png"), relief).expect("a picture");
    let whole = scratch.join("whole");
    to_the_end(Job::start(&scene, &whole, false).expect("a job"));
    let expected = comparable(&whole);
    let kept =
        |name: &str| expected.keys().any(|key| key.starts_with("inputs/") && key.ends_with(name));
    assert!(kept("-cube.obj") && kept("-relief.png"), "{:?}", expected.keys());
    let folder = scratch.join("run");
    let mut job = Job::start(&scene, &folder, false).expect("a job");
    for _ in 0..5 {
        job.advance().expect("a step");
    }
    drop(job);
    fs::remove_dir_all(scratch.join("meshes")).expect("files to remove");
    to_the_end(Job::resume(&folder).expect("a run to resume"));
    assert_same(&comparable(&folder), &expected, "resumed");
}

/// Lands askew, slides, and starts inside the ramp with one corner: contacts come and go, remember and are stiffened.
const SLIDE: &str = r#"
duration = 0.4
friction = 0.1

[[body]]
name = "ramp"
obstacle = { plane = { normal = [0.17365, 0.98481, 0.0] } }

[[body]]
name = "block"
solid = { box = { size = [0.2, 0.2, 0.2], cells = [2, 2, 2] } }
material = "rubber"
place = { rotate = { axis = "z", degrees = -12 }, move = [0, 0.1, 0] }
velocity = [1, -1, 0]

[method.smooth]
time_step = 0.01
integrator = "INTEGRATOR"

[output]
every = 3

[[probe]]
name = "way"
quantity = "center_of_mass"
body = "block"
along = "x"
"#;

#[test]
fn a_block_that_lands_and_slides_resumes_to_the_same_bits_wherever_it_is_dropped() {
    let scratch = Scratch::new("job-slide");
    for integrator in ["bdf2", "tr-bdf2"] {
        let text = SLIDE.replace("INTEGRATOR", integrator);
        let scene = SceneFile::parse("slide", &text, Notation::Toml, None, &Wishes::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let whole = scratch.join(&format!("{integrator}-whole"));
        let summary = to_the_end(Job::start(&scene, &whole, false).expect("a job"));
        let totals = &summary.totals;
        assert!(totals.most_contacts >= 4 && totals.unconverged == 0, "{totals:?}");
        let deepest = totals.deepest.clone().expect("it starts inside");
        assert_eq!(deepest.between, "block | ramp");
        let expected = comparable(&whole);
        // Memory has another length in each of these places: in the air, on an edge, on a face.
        for stop in [1, 3, 4, 7, 10, 20, 33] {
            let folder = scratch.join(&format!("{integrator}-{stop}"));
            let mut job = Job::start(&scene, &folder, false).expect("a job");
            (0..stop).for_each(|_| drop(job.advance().expect("a step")));
            drop(job);
            let again = to_the_end(Job::resume(&folder).expect("a run to resume"));
            assert_same(&comparable(&folder), &expected, &format!("{integrator} after {stop}"));
            assert_eq!(again.totals.deepest.as_ref(), Some(&deepest));
        }
    }
}

#[test]
fn a_finished_run_resumes_to_itself() {
    let scratch = Scratch::new("job-finished");
    let folder = scratch.join("run");
    // Its end has a frame, and so a checkpoint.
    let scene = write_scene(&scratch.0, &SCENE.replace("every = 4", "every = 5"));
    to_the_end(Job::start(&scene, &folder, false).expect("a job"));
    let before = comparable(&folder);
    let job = Job::resume(&folder).expect("a run to resume");
    assert!(job.is_done());
    to_the_end(job);
    assert_same(&comparable(&folder), &before, "resumed after its end");
}

#[test]
fn a_run_whose_scene_or_meshes_were_changed_is_refused() {
    let scratch = Scratch::new("job-changed");
    let scene = write_scene(&scratch.0, SCENE);
    let start = |name: &str| {
        let folder = scratch.join(name);
        let mut job = Job::start(&scene, &folder, false).expect("a job");
        (0..6).for_each(|_| drop(job.advance().expect("a step")));
        drop(job);
        folder
    };
    let cases: [(&str, &str, &str, &str); 3] = [
        ("scene.json", "\"duration\": 0.3", "\"duration\": 0.4", "has been changed"),
        ("inputs/0-bar.msh", "5 0.1 0.2 0.2", "5 0.1 0.2 0.25", "inputs/0-bar.msh"),
        ("inputs/1-tet.node", "3 0 0 0.1", "3 0 0 0.2", "inputs/1-tet.node"),
    ];
    for (number, (file, from, to, message)) in cases.into_iter().enumerate() {
        let folder = start(&format!("changed-{number}"));
        let text = fs::read_to_string(folder.join(file)).expect("a text");
        assert!(text.contains(from), "{file}: {text}");
        fs::write(folder.join(file), text.replace(from, to)).expect("a file");
        let error = Job::resume(&folder).expect_err(file).to_string();
        assert!(error.contains(message) && error.contains("\n  help: "), "{file}: {error}");
    }
    for file in ["scene.json", "inputs/0-bar.msh", "inputs/1-tet.node"] {
        let folder = start(&format!("missing-{}", file.replace('/', "-")));
        fs::remove_file(folder.join(file)).expect("a file");
        let error = Job::resume(&folder).expect_err(file).to_string();
        assert!(!error.is_empty(), "{file}");
    }
    let error = Job::resume(&scratch.join("nowhere")).expect_err("nothing there").to_string();
    assert!(error.contains("nowhere") && error.contains("\n  help: "), "{error}");
}

#[test]
fn a_run_replaced_by_force_leaves_nothing_of_the_old_one() {
    let scratch = Scratch::new("job-force");
    let folder = scratch.join("run");
    to_the_end(Job::start(&write_scene(&scratch.0, SCENE), &folder, false).expect("a job"));
    let plain = "[body]\nsolid = { ball = { radius = 1, edge_length = 1 } }\n[method.smooth]\ntime_step = 1.0\n";
    let other = write_scene(&scratch.0, plain);
    let error = Job::start(&other, &folder, false).expect_err("occupied").to_string();
    assert!(error.contains("holds a run already"), "{error}");
    assert!(folder.join("inputs/0-bar.msh").exists(), "a refusal touches nothing");
    to_the_end(Job::start(&other, &folder, true).expect("a job"));
    let files = contents(&folder);
    assert!(!files.keys().any(|name| name.starts_with("inputs")), "{:?}", files.keys());
    assert!(!String::from_utf8_lossy(&files["scene.json"]).contains("msh"));
}

#[test]
fn the_report_holds_the_scene_the_versions_and_the_totals() {
    let scratch = Scratch::new("job-report");
    let folder = scratch.join("run");
    let summary =
        to_the_end(Job::start(&write_scene(&scratch.0, SCENE), &folder, false).expect("a job"));
    let report = fs::read_to_string(folder.join("report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["format"], "stiction report 1");
    assert_eq!(report["status"], "finished");
    assert_eq!(report["versions"]["stiction"], env!("CARGO_PKG_VERSION"));
    assert!(report["threads"].as_u64().is_some_and(|threads| threads >= 1));
    assert_eq!(report["scene"]["method"]["smooth"]["integrator"], "bdf2", "defaults are in it");
    assert_eq!(report["scene"]["body"][0]["solid"]["mesh"], "inputs/0-bar.msh");
    let totals = &report["totals"];
    assert_eq!(totals["steps"], STEPS);
    assert_eq!(totals["iterations"], summary.totals.iterations);
    assert_eq!(totals["vertices"], 5 + 4 + 5);
    assert_eq!(totals["elements"], 2 + 1 + 2);
    let phases = totals["seconds_by_phase"].as_object().expect("phases");
    let sum: f64 = phases.values().filter_map(serde_json::Value::as_f64).sum();
    let seconds = totals["seconds"].as_f64().expect("seconds");
    assert_eq!(phases.len(), stiction::model::Phase::ALL.len());
    assert!(0.0 < sum && sum <= seconds, "{sum} of {seconds}");
    assert_eq!(report["probes"]["height"]["unit"], "m");
    assert_eq!(report["expectations"][0]["holds"], true);
    // A row a step, and one for the start.
    let rows = |name: &str| fs::read_to_string(folder.join(name)).expect("a table").lines().count();
    assert_eq!((rows("steps.csv"), rows("probes.csv")), (1 + 30, 1 + 1 + 30));
    assert_eq!(RunFolder::open(&folder).expect("a run").steps().len(), 1 + 7);
}

/// A bar on a wall, from its equilibrium.
const SETTLED: &str = r#"
settle = true
duration = 0.1
[[body]]
name = "bar"
solid = { box = { size = [0.3, 0.1, 0.1], cells = [3, 1, 1] } }
material = "jelly"
[[pin]]
body = "bar"
where = "x-min"
[[probe]]
name = "tip"
quantity = "position"
body = "bar"
where = "x-max"
along = "y"
[output]
every = 2
"#;

/// A sheet on one vertex that its own pressure blows about.
const UNSETTLED: &str = r#"
settle = true
duration = 0.01
[[body]]
name = "sheet"
cloth = { sheet = { size = [0.3, 0.3], cells = [2, 2] } }
[[pin]]
body = "sheet"
where = { ids = [0] }
[[load]]
body = "sheet"
pressure = 1e5
[method.smooth]
time_step = 0.001
[output]
every = 2
"#;

#[test]
fn a_settled_start_stays_where_it_is_and_is_remembered() {
    let scratch = Scratch::new("job-settle");
    let whole = scratch.join("whole");
    let scene = write_scene(&scratch.0, SETTLED);
    let summary = to_the_end(Job::start(&scene, &whole, false).expect("a job"));
    assert!(summary.totals.unsettled.is_none() && summary.notes.is_empty(), "{summary:?}");
    let tip = &summary.probes[0];
    assert!(tip.first < -1e-3, "it sags: {tip:?}");
    assert!((tip.max - tip.min) < 1e-3 * tip.first.abs(), "and stays so: {tip:?}");
    let steps = fs::read_to_string(whole.join("steps.csv")).expect("a table");
    assert!(
        steps.lines().nth(1).is_some_and(
            |row| row.starts_with("0,0,converged,") || row.starts_with("0,0.0,converged,")
        ),
        "{steps}"
    );

    // One that cannot settle says so, also after it was resumed.
    let scene = write_scene(&scratch.0, UNSETTLED);
    let folder = scratch.join("unsettled");
    let mut job = Job::start(&scene, &folder, false).expect("a job");
    let (unsettled, notes) = (job.totals().unsettled, job.notes().to_vec());
    assert!(
        unsettled.is_some() && notes.iter().any(|note| note.contains("not quite settled")),
        "{notes:?}"
    );
    (0..5).for_each(|_| drop(job.advance().expect("a step")));
    drop(job);
    let job = Job::resume(&folder).expect("a run to resume");
    assert_eq!((job.totals().unsettled, job.notes()), (unsettled, notes.as_slice()));
    to_the_end(job);
}

#[test]
fn a_scene_with_nothing_to_hold_it_cannot_settle() {
    let scratch = Scratch::new("job-adrift");
    let text = "settle = true\n[[body]]\nsolid = { ball = { radius = 1, edge_length = 1 } }\n";
    let error = Job::start(&write_scene(&scratch.0, text), &scratch.join("run"), false)
        .expect_err("adrift");
    assert!(
        matches!(error, JobError::Adrift(_)) && error.to_string().contains("cannot settle"),
        "{error}"
    );
}

#[test]
fn a_simulation_that_breaks_down_keeps_the_frames_before() {
    let scratch = Scratch::new("job-failed");
    // Beyond the numbers of single precision after some steps.
    let text = "duration = 2\ngravity = [0, 0, 0]\n[[body]]\nname = \"ball\"\n\
        solid = { ball = { radius = 1, edge_length = 1 } }\nvelocity = [3e38, 0, 0]\n\
        [method.smooth]\ntime_step = 0.1\ntolerance = 1e30\n[output]\nevery = 1\n";
    let scene = write_scene(&scratch.0, text);
    let folder = scratch.join("run");
    let started = Job::start(&scene, &folder, false);
    let mut job = match started {
        Ok(job) => job,
        Err(error) => panic!("{error}"),
    };
    let error = loop {
        match job.advance() {
            Ok(_) => assert!(!job.is_done(), "it should have broken down"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("body `ball`") && error.contains("\n  help: "), "{error}");
    let steps = job.totals().steps;
    let summary = job.finish(RunStatus::Failed).expect("a report");
    assert_eq!(summary.status, RunStatus::Failed);
    assert!(summary.checked.is_empty());
    let run = RunFolder::open(&folder).expect("a run");
    assert_eq!((run.steps().len() as u64, run.status()), (steps, RunStatus::Failed));
    let report = fs::read_to_string(folder.join("report.json")).expect("a report");
    assert!(report.contains("\"failed\"") && report.contains("body `ball`"), "{report}");
}
