//! A run of 100,000 vertices and 1,000 frames is shown frame by frame.

use std::path::Path;
use std::time::Instant;

use stiction::State;
use stiction::step::Trajectory;
use stiction_scene::frame::{BodyFrame, BodyInfo, BodyKind, Frame};
use stiction_scene::run::{Precision, RunPlan, RunStatus, RunWriter};

use crate::support::{Scratch, get, serve};

const SIDE: usize = 317;
const FRAMES: u64 = 1000;

/// A sheet that ripples.
fn write(folder: &Path) {
    let place = |k: usize| [(k % SIDE) as f64 / 100.0, 0.0, (k / SIDE) as f64 / 100.0];
    let start: Vec<[f64; 3]> = (0..SIDE * SIDE).map(place).collect();
    let cell = |k: usize| {
        let (i, j) = (k % (SIDE - 1), k / (SIDE - 1));
        let a = (j * SIDE + i) as u32;
        let below = a + SIDE as u32;
        [[a, below, a + 1], [a + 1, below, below + 1]]
    };
    let body = BodyInfo {
        name: "sheet".into(),
        kind: BodyKind::Cloth,
        triangles: (0..(SIDE - 1) * (SIDE - 1)).flat_map(cell).collect(),
        start: start.clone(),
        tets: Vec::new(),
        moves: true,
        fields: Vec::new(),
    };
    let plan = RunPlan {
        bodies: vec![body],
        frame_count: FRAMES,
        precision: Precision::Single,
        step_columns: vec!["time [s]".into()],
        probe_columns: vec!["time [s]".into()],
        fingerprint: 1,
    };
    let mut writer = RunWriter::create(folder, &plan, true).expect("a run");
    for step in 0..FRAMES {
        let time = 0.02 * step as f64;
        let ripple = |[x, _, z]: &[f64; 3]| [*x, 0.1 * (5.0 * x + 3.0 * z + 4.0 * time).sin(), *z];
        let positions: Vec<[f64; 3]> = start.iter().map(ripple).collect();
        let velocities = vec![[0.0, 0.1, 0.0]; positions.len()];
        let bodies = vec![BodyFrame { positions, velocities, ..BodyFrame::default() }];
        let (q, v) = (Vec::new(), Vec::new());
        let state =
            State { steps: step, trajectory: Trajectory::new(time, q, v), memory: Vec::new() };
        writer.frame(Frame { time, step, bodies }, state).expect("a frame");
    }
    writer.finish(RunStatus::Finished).expect("an end");
}

/// Memory of this process [MB].
fn memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<f64>().unwrap_or(0.0) / 1024.0
}

#[test]
#[ignore = "writes 2.4 GB; by hand, with --ignored"]
#[expect(clippy::print_stdout, reason = "a measurement, run by hand for its numbers")]
fn a_large_run_scrubs_without_being_loaded() {
    let scratch = Scratch::new("large");
    let folder = std::env::var_os("STICTION_LARGE_RUN").map_or(scratch.0.join("run"), Into::into);
    if !folder.exists() {
        write(&folder);
    }
    let before = memory();
    let opening = Instant::now();
    let server = serve(&folder);
    let (opened, resident) = (opening.elapsed(), memory());
    let mut slowest = 0.0_f64;
    let scrubbing = Instant::now();
    for k in 0..200 {
        let frame = k * 37 % FRAMES as usize;
        let asked = Instant::now();
        let positions = get(&server, &format!("/api/0/frame/{frame}/body/0/positions"));
        assert_eq!(positions.body.len(), 12 * SIDE * SIDE);
        slowest = slowest.max(asked.elapsed().as_secs_f64());
    }
    let mean = scrubbing.elapsed().as_secs_f64() / 200.0;
    println!(
        "opened in {:.0} ms; frames {:.1} ms, at most {:.1} ms; memory {before:.0}, {resident:.0}, {:.0} MB",
        1e3 * opened.as_secs_f64(),
        1e3 * mean,
        1e3 * slowest,
        memory()
    );
    assert!(memory() < resident + 100.0, "frames are not kept");
    assert!(mean < 0.1, "a frame in {mean} s");
}
