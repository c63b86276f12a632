//! How long a solver waits for its frames to be written, and how fast the disk takes them.
//!
//! ```console
//! $ cargo run --release -p stiction-scene --example cost_of_frames [FOLDER]
//! ```
//!
//! A body of 50 000 vertices and 250 000 tets with two fields per tet; frames come every 100 ms, as from a fast solver,
//! then as fast as they are taken.
#![expect(clippy::print_stdout, reason = "this is what it is for")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use stiction::State;
use stiction::step::{Before, Trajectory};
use stiction_scene::frame::{BodyFrame, BodyInfo, BodyKind, FieldInfo, FieldPlace, Frame};
use stiction_scene::run::{Precision, RunError, RunPlan, RunStatus, RunWriter};

const VERTICES: usize = 50_000;
const TETS: usize = 250_000;
const FRAMES: u64 = 30;

fn main() -> Result<(), RunError> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("stiction-cost-of-frames-{}", std::process::id()));
    let (first_frame, first_state) = (frame(), state());
    for precision in [Precision::Single, Precision::Double] {
        for pause in [Duration::from_millis(100), Duration::ZERO] {
            let begin = Instant::now();
            let (mut writer, mut waits) =
                (RunWriter::create(&folder, &plan(precision), true)?, Vec::new());
            let created = begin.elapsed();
            for step in 0..FRAMES {
                let (mut frame, mut state) = (first_frame.clone(), first_state.clone());
                (frame.step, frame.time, state.steps) = (step, step as f64, step);
                std::thread::sleep(pause);
                let begin = Instant::now();
                writer.frame(frame, state)?;
                waits.push(begin.elapsed());
            }
            let last = Instant::now();
            writer.finish(RunStatus::Finished)?;
            let (all, last) = (begin.elapsed(), last.elapsed());
            waits.sort();
            println!(
                "{precision:?}, a pause of {pause:?}: frame() waits {:.2?} (median), {:.2?} (longest); \
                 created in {created:.2?}, finished in {last:.2?}, {FRAMES} frames in {all:.2?}",
                waits[waits.len() / 2],
                waits[waits.len() - 1],
            );
        }
    }
    std::fs::remove_dir_all(&folder).map_err(|error| RunError::Disk {
        path: folder,
        action: "remove it",
        kind: error.kind(),
        reason: error.to_string(),
        help: "remove it by hand",
    })
}

fn plan(precision: Precision) -> RunPlan {
    let field = |name: &str| FieldInfo {
        name: name.into(),
        unit: "J/m³".into(),
        place: FieldPlace::Element,
        components: 1,
    };
    let corner = |index: usize| (index % VERTICES) as u32;
    let body = BodyInfo {
        name: "block".into(),
        kind: BodyKind::Solid,
        start: numbers(VERTICES),
        tets: (0..TETS).map(|t| [0, 1, 2, 3].map(|k| corner(t + k))).collect(),
        triangles: Vec::new(),
        moves: true,
        fields: vec![field("strain_energy"), field("pressure")],
    };
    RunPlan {
        bodies: vec![body],
        frame_count: FRAMES,
        precision,
        step_columns: Vec::new(),
        probe_columns: Vec::new(),
        fingerprint: 1,
    }
}

fn frame() -> Frame {
    let field = || numbers(TETS).into_iter().map(|[x, ..]| x).collect();
    let body = BodyFrame {
        positions: numbers(VERTICES),
        velocities: numbers(VERTICES),
        fields: vec![field(), field()],
        pose: None,
    };
    Frame { time: 0.0, step: 0, bodies: vec![body] }
}

fn state() -> State {
    let flat = || numbers(VERTICES).into_flattened();
    let before = Some(Before { step: 0.01, q: flat(), v: flat() });
    let trajectory = Trajectory { time: 0.0, q: flat(), v: flat(), before };
    State { steps: 0, trajectory, memory: Vec::new() }
}

fn numbers(count: usize) -> Vec<[f64; 3]> {
    (0..count).map(|index| [0, 1, 2].map(|axis| ((3 * index + axis) as f64).sin())).collect()
}
