//! A run killed at any moment can be opened, and resumed to the same bytes as one that was not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::faults::restore;
use crate::scratch::Scratch;
use crate::support::{assert_same, contents, plan, resume, run, simulate};
use stiction_scene::frame::Frames as _;
use stiction_scene::run::{Precision, RunError, RunFolder, RunPlan, RunStatus, RunWriter};

const KILLS: u32 = 40;
const CHILD: &str = "STICTION_RUN_KILL_FOLDER";

/// Not a claim of its own: what the killed process does, which is this program once more.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let (path, plan) = (Path::new(&folder), plan(Precision::Double));
    match path.exists() {
        true => drop(resume(path, &plan).unwrap()),
        false => simulate(&plan, RunWriter::create(path, &plan, false).unwrap(), None).unwrap(),
    }
}

fn spawn(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child", "--nocapture", "--test-threads=1"])
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
    // The longest to wait before a kill; follows how busy the machine is.
    let mut longest = begin.elapsed();
    let (plan, expected) = (plan(Precision::Double), contents(&whole));

    let (mut kills, mut halfway, mut random) = (0, 0, Random(1));
    for attempt in 0.. {
        assert!(attempt < 20 * KILLS, "{kills} of {attempt} hit a run");
        let _ = fs::remove_dir_all(&killed);
        let finished = kill(&killed, longest.mul_f64(random.share()));
        if finished || !killed.exists() {
            longest = longest.mul_f64(if finished { 0.9 } else { 1.1 });
            continue;
        }
        if attempt % 3 == 0 {
            // Once more, while it resumes.
            kill(&killed, longest.mul_f64(random.share()));
        }
        kills += 1;
        halfway += u32::from(check_killed(&killed, &plan, &format!("kill {kills}")));
        assert_same(&killed, &expected, &format!("kill {kills}"));
        if kills >= KILLS && halfway >= KILLS / 4 {
            break;
        }
    }
}

/// Starts a run and kills it after a while; whether it was done before that.
fn kill(folder: &Path, after: Duration) -> bool {
    let mut child = spawn(folder);
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap().success()
}

/// Opens and resumes a run that was killed; whether that was somewhere in the middle.
fn check_killed(killed: &Path, plan: &RunPlan, when: &str) -> bool {
    let seen = match RunFolder::open(killed) {
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
    let frames = match resume(killed, plan) {
        Ok(frames) => frames,
        // Killed between making the folder and marking it: nothing to resume, and it can be made.
        Err(RunError::NoRun { .. }) => {
            simulate(plan, RunWriter::create(killed, plan, false).unwrap(), None).unwrap();
            0
        }
        Err(error) => panic!("{when}: {error}"),
    };
    assert!(frames == seen || frames == seen + 1, "{when}: {seen} seen, {frames} resumed");
    frames > 0 && frames < plan.frame_count
}

/// A run killed somewhere in the middle, so that it has frames; whether that came out in a few attempts.
pub(crate) fn killed_run(folder: &Path, random: &mut Random) -> bool {
    let mut longest = Duration::from_millis(100);
    for _ in 0..20 {
        let _ = fs::remove_dir_all(folder);
        let finished = kill(folder, longest.mul_f64(random.share()));
        if RunFolder::open(folder).is_ok_and(|run| !run.times().is_empty()) && !finished {
            return true;
        }
        longest = longest.mul_f64(if finished { 0.8 } else { 1.5 });
    }
    false
}

/// Numbers from 0 to 1, by a linear congruence with the constants of Knuth's MMIX.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A whole number below this.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.share() * end as f64) as usize).min(end - 1)
    }

    pub(crate) fn share(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}

#[test]
fn a_run_stopped_halfway_resumes_to_the_same_bytes() {
    let scratch = Scratch::new("stopped");
    let (whole, half) = (scratch.join("whole"), scratch.join("half"));
    let plan = run(&whole, Precision::Double);
    begin(&half, 3);
    // Ended in good order between two frames: arrays are trimmed, and rows of steps without a frame are there.
    let mut writer = RunWriter::resume(&half, &plan).unwrap().writer;
    writer.step_row(5, &[0.05.into(), 2u64.into(), "Converged".into()]).unwrap();
    writer.finish(RunStatus::Stopped).unwrap();
    let folder = RunFolder::open(&half).unwrap();
    assert_eq!((folder.times().len(), folder.status()), (3, RunStatus::Stopped));
    assert_eq!(fs::read_to_string(half.join("steps.csv")).unwrap().lines().count(), 6);
    assert_eq!(resume(&half, &plan).unwrap(), 3);
    assert_same(&half, &contents(&whole), "stopped");
}

/// The first frames of the run, and no more.
fn begin(path: &Path, frames: u64) -> BTreeMap<String, Vec<u8>> {
    let plan = plan(Precision::Double);
    let (mut simulation, ids) = crate::support::simulation();
    let mut writer = RunWriter::create(path, &plan, false).unwrap();
    for index in 0..frames {
        while simulation.state().steps < index * crate::support::STEPS_A_FRAME {
            let report = simulation.step();
            let (step, tip) = (simulation.state().steps, simulation.positions(ids[1])[3]);
            let status = format!("{:?}", report.status);
            let cells = [report.time.into(), report.iterations().into(), status.as_str().into()];
            writer.step_row(step, &cells).unwrap();
            writer.probe_row(step, &[tip.x.into(), tip.z.into()]).unwrap();
        }
        let frame = crate::support::frame(&plan, &simulation, &ids);
        writer.frame(frame, simulation.state()).unwrap();
    }
    drop(writer);
    contents(path)
}

/// Random times rarely hit the short moments between two files; here each of them is put together by hand.
#[test]
fn every_moment_of_a_commit_can_be_the_last() {
    let scratch = Scratch::new("moments");
    let plan = run(&scratch.join("whole"), Precision::Double);
    let whole = contents(&scratch.join("whole"));
    let path = scratch.join("moment");
    for frames in [0, 1, 5] {
        let before = begin(&scratch.join(&format!("{frames}-before")), frames);
        let after = begin(&scratch.join(&format!("{frames}-after")), frames + 1);
        let mut changed: Vec<&String> =
            after.keys().filter(|name| before.get(*name) != after.get(*name)).collect();
        changed.sort_by_key(|name| Part::of(name));
        assert_eq!(Part::of(changed[changed.len() - 1]), Part::Root);

        let mut moment = before.clone();
        for name in changed {
            let (part, bytes) = (Part::of(name), &after[name]);
            let half = bytes[..bytes.len() / 2].to_vec();
            let mut torn = moment.clone();
            match part {
                Part::Chunks => torn.insert(name.clone(), half),
                Part::Tables => {
                    let middle = (before[name].len() + bytes.len()) / 2;
                    torn.insert(name.clone(), bytes[..middle].to_vec())
                }
                Part::Checkpoint | Part::Root => torn.insert(format!("{name}.unfinished"), half),
            };
            moment.insert(name.clone(), bytes.clone());
            // What readers count, and where resume goes on, while the file is written and after it.
            let writing = [frames, frames + u64::from(part > Part::Checkpoint)];
            let written = [
                frames + u64::from(part == Part::Root),
                frames + u64::from(part >= Part::Checkpoint),
            ];
            for (files, [counted, resumed]) in [(&torn, writing), (&moment, written)] {
                let when = format!("{frames} frames, then {name}");
                restore(&path, files);
                let folder =
                    RunFolder::open(&path).unwrap_or_else(|error| panic!("{when}: {error}"));
                assert_eq!(folder.times().len() as u64, counted, "{when}");
                let found = resume(&path, &plan).unwrap_or_else(|error| panic!("{when}: {error}"));
                assert_eq!(found, resumed, "{when}");
                assert_same(&path, &whole, &when);
            }
        }
    }
}

/// Parts of a commit, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Chunks,
    Tables,
    Checkpoint,
    Root,
}

impl Part {
    fn of(name: &str) -> Self {
        match name {
            "frames.zarr/zarr.json" => Self::Root,
            name if name.starts_with("checkpoints") => Self::Checkpoint,
            name if name.ends_with(".csv") => Self::Tables,
            _ => Self::Chunks,
        }
    }
}
