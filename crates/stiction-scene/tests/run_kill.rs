//! A run killed at any moment can be opened, and resumed to the same bytes as one that was not.

mod run_support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use run_support::{Scratch, assert_same, contents, plan, resume, run, simulate};
use stiction_scene::frame::Frames as _;
use stiction_scene::run::{Precision, RunError, RunFolder, RunWriter};

const KILLS: u32 = 60;
const CHILD: &str = "STICTION_RUN_KILL_FOLDER";

/// Not a claim of its own: what the killed process does, which is this program once more.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let (path, plan) = (Path::new(&folder), plan(Precision::F64));
    match path.exists() {
        true => drop(resume(path, &plan).unwrap()),
        false => simulate(&plan, RunWriter::create(path, &plan, false).unwrap(), None).unwrap(),
    }
}

fn spawn(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env(CHILD, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_at_any_time_it_opens_and_resumes_to_the_same_bytes() {
    let scratch = Scratch::new("kill");
    let (whole, killed) = (scratch.join("whole"), scratch.join("killed"));
    let begin = Instant::now();
    assert!(spawn(&whole).wait().unwrap().success());
    let duration = begin.elapsed();
    let plan = plan(Precision::F64);
    let expected = contents(&whole);

    let (mut random, mut partial, mut early) = (1u64, 0, 0);
    for kill in 0..KILLS {
        let _ = std::fs::remove_dir_all(&killed);
        // Every third is killed once more while it resumes.
        for round in 0..1 + u32::from(kill % 3 == 0) {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let share = (random >> 40) as f64 / (1u64 << 24) as f64;
            let mut child = spawn(&killed);
            std::thread::sleep(Duration::from_secs_f64(share * duration.as_secs_f64()));
            child.kill().unwrap();
            child.wait().unwrap();
            if !killed.exists() && round == 0 {
                break;
            }
        }
        let when = format!("kill {kill}");
        if !killed.exists() {
            early += 1;
            continue;
        }
        let seen = match RunFolder::open(&killed) {
            Ok(folder) => {
                for index in 0..folder.times().len() {
                    folder.frame(index).unwrap_or_else(|error| panic!("{when}: {error}"));
                }
                folder.times().len() as u64
            }
            // Killed before the folder was complete.
            Err(RunError::NoRun { .. }) => 0,
            Err(error) => panic!("{when}: {error}"),
        };
        let frames = match resume(&killed, &plan) {
            Ok(frames) => frames,
            // Killed between making the folder and marking it: nothing to resume, and it can be made.
            Err(RunError::NoRun { .. }) => {
                simulate(&plan, RunWriter::create(&killed, &plan, false).unwrap(), None).unwrap();
                0
            }
            Err(error) => panic!("{when}: {error}"),
        };
        assert!(frames == seen || frames == seen + 1, "{when}: {seen} seen, {frames} resumed");
        partial += u32::from(frames > 0 && frames < plan.frame_count);
        assert_same(&killed, &expected, &when);
    }
    assert!(early < KILLS / 2 && partial >= 10, "{early} too early, {partial} in the middle");
}

#[test]
fn a_run_dropped_halfway_resumes_to_the_same_bytes() {
    let scratch = Scratch::new("drop");
    let (whole, half) = (scratch.join("whole"), scratch.join("half"));
    let plan = run(&whole, Precision::F32);
    let (mut simulation, ids) = run_support::simulation();
    let mut writer = RunWriter::create(&half, &plan, false).unwrap();
    for _ in 0..3 {
        let frame = run_support::frame(&plan, &simulation, &ids);
        writer.frame(frame, simulation.state()).unwrap();
        // Rows of a step whose frame never comes are not lost for good: the step is taken again.
        for _ in 0..run_support::STEPS_A_FRAME {
            let report = simulation.step();
            let (step, tip) = (simulation.state().steps, simulation.positions(ids[1])[3]);
            let status = format!("{:?}", report.status);
            let cells = [report.time.into(), report.iterations().into(), status.as_str().into()];
            writer.step_row(step, &cells).unwrap();
            writer.probe_row(step, &[tip.x.into(), tip.z.into()]).unwrap();
        }
    }
    drop(writer);
    assert_eq!(resume(&half, &plan).unwrap(), 3);
    assert_same(&half, &contents(&whole), "dropped");
}
