//! Runs of the program before there were checksums stay readable, and are gone on with.
//!
//! `version_1/` is what it wrote: a block of jelly that spins and falls, in two steps of 0.01 s.

use std::fs;
use std::path::Path;

use crate::faults::restore;
use crate::scratch::Scratch;
use crate::support::contents;
use stiction_scene::export::{ExportFormat, ExportOptions, export};
use stiction_scene::frame::Frames as _;
use stiction_scene::job::{Job, verify};
use stiction_scene::run::{RunFolder, RunStatus};

fn old_run(scratch: &Scratch) -> std::path::PathBuf {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/version_1");
    let path = scratch.join("run");
    restore(&path, &contents(&kept));
    path
}

#[test]
fn a_run_without_checksums_is_read_and_exported() {
    let scratch = Scratch::new("version-1");
    let path = old_run(&scratch);
    let run = RunFolder::open(&path).unwrap();
    assert_eq!((run.times(), run.status()), (&[0.0, 0.01, 0.02][..], RunStatus::Finished));
    assert!(!run.has_checksums());
    // Predicted: the middle of the block falls by ½ g t², spinning or not; seven digits are stored.
    let height = |index: usize| {
        let frame = run.frame(index).unwrap();
        frame.bodies[0].positions.iter().map(|x| x[1]).sum::<f64>() / 8.0
    };
    for (index, time) in [(1, 0.01), (2, 0.02_f64)] {
        let fallen = height(0) - height(index);
        assert!((fallen - 0.5 * 9.81 * time * time).abs() < 1e-6, "{fallen}");
    }
    let found = verify(&path, &mut |_| {}).unwrap();
    assert!(!found.has_checksums && found.damages.is_empty(), "{found:?}");
    let out = scratch.join("old.npz");
    export(&run, ExportFormat::Npz, &out, &ExportOptions::default(), &mut |_, _| {}).unwrap();
}

#[test]
fn a_run_without_checksums_is_gone_on_with_and_stays_what_it_is() {
    let scratch = Scratch::new("version-1-resumed");
    let path = old_run(&scratch);
    let before = RunFolder::open(&path).unwrap().frame(2).unwrap();
    // Back to the first step, by the checkpoint before the last.
    fs::remove_file(path.join("checkpoints/step-000000000002.checkpoint")).unwrap();
    let mut job = Job::resume(&path).unwrap();
    assert_eq!(job.totals().steps, 1);
    while !job.is_done() {
        job.advance().unwrap();
    }
    job.finish(RunStatus::Finished).unwrap();
    let run = RunFolder::open(&path).unwrap();
    assert!(!run.has_checksums() && run.times().len() == 3);
    let after = run.frame(2).unwrap();
    for (a, b) in before.bodies[0].positions.iter().zip(&after.bodies[0].positions) {
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-6), "{a:?} {b:?}");
    }
    assert!(verify(&path, &mut |_| {}).unwrap().damages.is_empty());
}

#[test]
fn rows_that_are_missing_from_an_old_table_are_refused() {
    let scratch = Scratch::new("version-1-cut");
    let path = old_run(&scratch);
    for table in ["steps.csv", "probes.csv"] {
        let whole = fs::read(path.join(table)).unwrap();
        let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        fs::write(path.join(table), &whole[..head]).unwrap();
        let error = Job::resume(&path).unwrap_err().to_string();
        assert!(error.contains(table) && error.contains("help:"), "{error}");
        // A byte less is a row less: the step is taken again.
        fs::write(path.join(table), &whole[..whole.len() - 1]).unwrap();
        let job = Job::resume(&path).unwrap();
        assert_eq!(job.totals().steps, 1, "{table}");
        drop(job);
        restore(
            &path,
            &contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/version_1")),
        );
    }
}
