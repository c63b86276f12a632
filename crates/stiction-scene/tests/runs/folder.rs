//! What a run folder gives back, to us and to Python, and whom it lets in.

use std::fs;
use std::path::Path;

use crate::scratch::Scratch;
use crate::support::{
    FINGERPRINT, STEPS, assert_same, contents, frame, plan, resume, run, simulation,
};
use stiction_scene::frame::{BodyFrame, Frame, Frames as _};
use stiction_scene::run::{Precision, RunError, RunFolder, RunStatus, RunWriter, write_atomically};

/// All frames of the run, straight from the simulation.
fn frames() -> Vec<Frame> {
    let (plan, (mut simulation, ids)) = (plan(Precision::Double), simulation());
    let mut frames = vec![frame(&plan, &simulation, &ids)];
    for step in 1..=STEPS {
        simulation.step();
        if step % crate::support::STEPS_A_FRAME == 0 {
            frames.push(frame(&plan, &simulation, &ids));
        }
    }
    frames
}

fn rounded(frame: &Frame) -> Frame {
    let round = |value: f64| f64::from(value as f32);
    let bodies = frame.bodies.iter().map(|body| BodyFrame {
        positions: body.positions.iter().map(|x| x.map(round)).collect(),
        velocities: body.velocities.iter().map(|v| v.map(round)).collect(),
        fields: body.fields.iter().map(|f| f.iter().copied().map(round).collect()).collect(),
        pose: body.pose,
    });
    Frame { bodies: bodies.collect(), ..frame.clone() }
}

#[test]
fn a_run_gives_back_what_was_written() {
    let scratch = Scratch::new("round");
    for precision in [Precision::Single, Precision::Double] {
        let path = scratch.join(&format!("{precision:?}"));
        let plan = run(&path, precision);
        let folder = RunFolder::open(&path).unwrap();
        assert_eq!(folder.bodies(), plan.bodies);
        assert_eq!(folder.status(), RunStatus::Finished);
        assert_eq!((folder.precision(), folder.fingerprint()), (precision, FINGERPRINT));
        let expected = frames();
        assert_eq!(folder.times().len(), expected.len());
        for (index, expected) in expected.iter().enumerate() {
            let expected = match precision {
                Precision::Single => &rounded(expected),
                Precision::Double => expected,
            };
            assert_eq!(folder.frame(index).unwrap(), *expected, "{precision:?}, frame {index}");
            assert_eq!(folder.steps()[index], expected.step);
        }
        let error = folder.frame(expected.len()).unwrap_err();
        assert!(error.to_string().contains("help:"), "{error}");
        let steps = fs::read_to_string(path.join("steps.csv")).unwrap();
        assert!(steps.starts_with("step,time [s],iterations,status\n1,0.01,"), "{steps}");
        assert_eq!(steps.lines().count() as u64, STEPS + 1);
        let probes = fs::read_to_string(path.join("probes.csv")).unwrap();
        assert!(probes.starts_with("step,\"tip, x [m]\",tip z [m]\n1,"), "{probes}");
    }
}

#[test]
fn python_reads_the_same_numbers() {
    let scratch = Scratch::new("python");
    let path = scratch.join("run");
    run(&path, Precision::Double);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/read_run.py");
    let Some(printed) = stiction_check::python::run(&script, &[path.to_str().unwrap()]) else {
        eprintln_skipped();
        return;
    };
    let mut expected = String::new();
    for frame in frames() {
        let bodies = frame.bodies.iter().filter(|body| !body.positions.is_empty());
        let numbers: Vec<f64> = bodies
            .flat_map(|body| {
                let motion = body.positions.iter().chain(&body.velocities).flatten();
                motion.chain(body.fields.iter().flatten()).copied().collect::<Vec<_>>()
            })
            .collect();
        let bits = [frame.time].into_iter().chain(numbers).map(|x| format!("{:016x}", x.to_bits()));
        expected += &format!("{} {}\n", frame.step, bits.collect::<Vec<_>>().join(" "));
    }
    assert!(printed == expected, "python sees other numbers:\n{printed}\ninstead of\n{expected}");
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn eprintln_skipped() {
    eprintln!("skipped: no Python");
}

/// The snippet of `docs/runs.md`, taken from the page and run as it stands.
#[test]
fn the_python_snippet_of_the_docs_runs() {
    let scratch = Scratch::new("snippet");
    run(&scratch.join("run"), Precision::Single);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runs.md");
    let page = fs::read_to_string(page).unwrap();
    let snippet = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let run = scratch.join("run/frames.zarr");
    let script = scratch.join("snippet.py");
    fs::write(&script, snippet.replace("runs/twisting_bar/frames.zarr", run.to_str().unwrap()))
        .unwrap();
    if let Some(printed) = stiction_check::python::run(&script, &[]) {
        assert!(printed.contains("block"), "{printed}");
    }
}

#[test]
fn a_run_can_be_watched_while_it_is_written() {
    let scratch = Scratch::new("live");
    let (path, plan) = (scratch.join("run"), plan(Precision::Single));
    let (simulation, ids) = simulation();
    let mut writer = RunWriter::create(&path, &plan, false).unwrap();
    let mut folder = RunFolder::open(&path).unwrap();
    assert_eq!((folder.times().len(), folder.status()), (0, RunStatus::Running));
    writer.frame(frame(&plan, &simulation, &ids), simulation.state()).unwrap();
    let limit = std::time::Instant::now();
    while folder.times().is_empty() {
        assert!(limit.elapsed().as_secs() < 10, "the frame never came");
        folder.refresh().unwrap();
    }
    assert_eq!(folder.frame(0).unwrap(), rounded(&frames()[0]));
    // Frames nobody planned find room, too.
    for extra in 1..plan.frame_count + 3 {
        let (mut frame, mut state) = (frame(&plan, &simulation, &ids), simulation.state());
        (frame.step, frame.time, state.steps) = (extra, extra as f64, extra);
        writer.frame(frame, state).unwrap();
    }
    writer.finish(RunStatus::Stopped).unwrap();
    folder.refresh().unwrap();
    assert_eq!(folder.times().len() as u64, plan.frame_count + 3);
    assert_eq!(folder.status(), RunStatus::Stopped);
}

#[test]
fn two_writers_never_share_a_folder() {
    let scratch = Scratch::new("lock");
    let (path, plan) = (scratch.join("run"), plan(Precision::Single));
    let writer = RunWriter::create(&path, &plan, false).unwrap();
    for overwrite in [false, true] {
        let error = RunWriter::create(&path, &plan, overwrite).unwrap_err();
        assert!(matches!(error, RunError::InUse { .. }), "{error}");
    }
    assert!(matches!(RunWriter::resume(&path, &plan).unwrap_err(), RunError::InUse { .. }));
    // Stopped before its first frame, it is a run without frames.
    writer.finish(RunStatus::Stopped).unwrap();
    assert_eq!(RunFolder::open(&path).unwrap().times().len(), 0);
    // The file `lock` is still there; a lock that nobody holds stops nobody.
    assert!(path.join("lock").exists());
    assert_eq!(resume(&path, &plan).unwrap(), 0);
}

#[test]
fn nothing_is_overwritten_that_is_not_a_run_and_allowed() {
    let scratch = Scratch::new("overwrite");
    let plan = plan(Precision::Single);

    let documents = scratch.join("documents");
    fs::create_dir(&documents).unwrap();
    fs::write(documents.join("thesis.txt"), "ten years").unwrap();
    for overwrite in [false, true] {
        let error = RunWriter::create(&documents, &plan, overwrite).unwrap_err();
        assert!(
            matches!(&error, RunError::Foreign { found, .. } if found == "thesis.txt"),
            "{error}"
        );
    }
    // Even a file that happens to have the name of our lock protects nothing of theirs.
    fs::write(documents.join("lock"), "").unwrap();
    assert!(RunWriter::create(&documents, &plan, true).is_err());
    assert!(RunWriter::resume(&documents, &plan).is_err());
    assert_eq!(fs::read_to_string(documents.join("thesis.txt")).unwrap(), "ten years");
    assert_eq!(fs::read_dir(&documents).unwrap().count(), 2);

    let path = scratch.join("run");
    run(&path, Precision::Single);
    fs::write(path.join("notes.txt"), "mine").unwrap();
    fs::write(path.join("report.json"), "{}").unwrap();
    let before = contents(&path);
    let error = RunWriter::create(&path, &plan, false).unwrap_err();
    assert!(matches!(error, RunError::Occupied { .. }), "{error}");
    assert_same(&path, &before, "refused");

    drop(RunWriter::create(&path, &plan, true).unwrap());
    assert_eq!(RunFolder::open(&path).unwrap().times().len(), 0);
    assert!(!path.join("report.json").exists());
    assert!(!path.join("frames.zarr/time/c.0").exists(), "chunks of the old run are gone");
    assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_run_of_another_scene_is_not_resumed() {
    let scratch = Scratch::new("other");
    let path = scratch.join("run");
    let plan = run(&path, Precision::Single);
    let before = contents(&path);
    let mut others = vec![plan.clone(); 5];
    others[0].fingerprint += 1;
    others[1].precision = Precision::Double;
    others[2].step_columns.pop();
    others[3].probe_columns[0] = "tip".into();
    others[4].bodies[0].name = "brick".into();
    for other in others {
        let error = RunWriter::resume(&path, &other).unwrap_err();
        assert!(matches!(error, RunError::OtherRun { .. }), "{error}");
        assert!(error.to_string().contains("help:"), "{error}");
        assert_same(&path, &before, "refused");
    }
}

#[test]
fn what_is_not_finite_is_refused_by_name() {
    let scratch = Scratch::new("finite");
    let (path, plan) = (scratch.join("run"), plan(Precision::Single));
    let (simulation, ids) = simulation();
    let mut writer = RunWriter::create(&path, &plan, false).unwrap();
    let good = frame(&plan, &simulation, &ids);
    writer.frame(good.clone(), simulation.state()).unwrap();

    let mut bad = vec![good.clone(); 3];
    bad[0].bodies[2].velocities[5][1] = f64::NAN;
    bad[1].bodies[0].fields[1][4] = f64::INFINITY;
    bad[2].bodies[0].positions[7][0] = 1e39; // finite, but not as it is stored
    let says = [
        ("Wäsche/strip", "velocities of vertex 5"),
        ("block", "middle of element 1"),
        ("block", "positions of vertex 7"),
    ];
    for (bad, (body, place)) in bad.into_iter().zip(says) {
        let error = writer.frame(bad, simulation.state()).unwrap_err().to_string();
        assert!(
            error.contains(body) && error.contains(place) && error.contains("help:"),
            "{error}"
        );
    }
    writer.finish(RunStatus::Failed).unwrap();
    let folder = RunFolder::open(&path).unwrap();
    assert_eq!((folder.times().len(), folder.status()), (1, RunStatus::Failed));
}

#[test]
fn names_that_are_no_paths_stay_inside_the_run() {
    let scratch = Scratch::new("names");
    let (path, mut plan) = (scratch.join("run"), plan(Precision::Single));
    let names = ["../../escape", "a/b", "a b", "A B", "", "con", "日本", "positions", "\u{1F980}"];
    let template = plan.bodies[0].clone();
    plan.bodies = names
        .map(|name| {
            let mut body = template.clone();
            body.name = name.into();
            body
        })
        .to_vec();
    // A field called like an array of ours, and one called like another.
    for body in &mut plan.bodies {
        (body.fields[0].name, body.fields[1].name) = ("velocities".into(), "velocities-2".into());
    }
    let (simulation, ids) = simulation();
    let body = frame(&crate::support::plan(Precision::Single), &simulation, &ids).bodies[0].clone();
    let frame = Frame { time: 0.0, step: 0, bodies: vec![body; names.len()] };
    let mut writer = RunWriter::create(&path, &plan, false).unwrap();
    writer.frame(frame.clone(), simulation.state()).unwrap();
    writer.finish(RunStatus::Finished).unwrap();
    let folder = RunFolder::open(&path).unwrap();
    assert_eq!(folder.bodies(), plan.bodies);
    assert_eq!(folder.frame(0).unwrap(), rounded(&frame));
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1, "nothing is next to the run");
}

#[test]
fn a_report_is_replaced_whole() {
    let scratch = Scratch::new("report");
    let path = scratch.join("report.json");
    write_atomically(&path, b"{\"long\": \"report\"}").unwrap();
    write_atomically(&path, b"{}").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"{}");
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
    assert!(write_atomically(&scratch.join("no/such/folder"), b"").is_err());
}
