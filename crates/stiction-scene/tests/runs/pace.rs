//! Frames come at the rate that was asked for, evenly, whatever the step; and steps do not depend on the duration.

use std::fs;

use crate::scratch::Scratch;
use stiction_scene::export::{ExportFormat, ExportOptions, export};
use stiction_scene::frame::Frames as _;
use stiction_scene::job::Job;
use stiction_scene::run::{RunFolder, RunStatus};
use stiction_scene::scene_file::{Notation, SceneFile, SceneFileError, Setup, Wishes};

fn scene(duration: f64, method: &str, output: &str) -> SceneFile {
    let text = format!(
        "duration = {duration}\n[[body]]\nname = \"block\"\n\
         solid = {{ box = {{ size = [0.2, 0.2, 0.2], cells = [1, 1, 1] }} }}\n\
         {method}\n{output}\n"
    );
    SceneFile::parse("pace.toml", &text, Notation::Toml, None, &Wishes::default()).unwrap()
}

fn built(duration: f64, method: &str, output: &str) -> Result<Setup, SceneFileError> {
    scene(duration, method, output).build()
}

/// Of a run, and the time codes of its export to USD.
fn times(duration: f64, method: &str, output: &str) -> (Vec<f64>, String) {
    let name = format!("pace-{duration}-{output}");
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let scratch = Scratch::new(&name);
    let folder = scratch.join("run");
    let mut job = Job::start(&scene(duration, method, output), &folder, false).unwrap();
    while !job.is_done() {
        job.advance().unwrap();
    }
    job.finish(RunStatus::Finished).unwrap();
    let run = RunFolder::open(&folder).unwrap();
    let usd = scratch.join("run.usda");
    export(&run, ExportFormat::Usd, &usd, &ExportOptions::default(), &mut |_, _| {}).unwrap();
    (run.times().to_vec(), fs::read_to_string(usd).unwrap())
}

/// 24 frames a second came out as 25, 60 as 50, and time codes as 33.33.
#[test]
fn frames_are_as_many_a_second_as_the_scene_says() {
    for (rate, method) in
        [(24.0, ""), (60.0, ""), (25.0, ""), (30.0, "[method.smooth]\ntime_step = 0.02")]
    {
        let (times, usd) = times(0.5, method, &format!("[output]\nframe_rate = {rate}"));
        assert_eq!(times.len(), 1 + (0.5 * rate) as usize, "{rate}: {times:?}");
        for (k, time) in times.iter().enumerate() {
            assert!((time - k as f64 / rate).abs() < 1e-12, "{rate}: frame {k} at {time}");
        }
        assert!(usd.contains(&format!("timeCodesPerSecond = {rate}\n")), "{rate}");
        assert!(usd.contains(&format!("endTimeCode = {}\n", times.len() - 1)), "{rate}");
        assert!(!usd.contains(".5: ["), "{rate}: codes are whole");
    }
}

#[test]
fn the_last_frame_is_as_far_from_the_one_before_as_all_others() {
    let (times, usd) = times(0.11, "", "[output]\nframe_rate = 25");
    assert_eq!(times.len(), 3, "{times:?}");
    assert!(
        usd.contains("timeCodesPerSecond = 25\n") && usd.contains("endTimeCode = 2\n"),
        "{usd}"
    );
    let (times, _) = self::times(0.11, "", "[output]\nevery = 3");
    assert_eq!(times.len(), 4, "{times:?}");
}

#[test]
fn shorter_steps_are_said_and_written_into_the_resolved_scene() {
    let setup = built(1.0, "", "[output]\nframe_rate = 24").unwrap();
    assert!((setup.simulation.settings().time_step - 1.0 / 120.0).abs() < 1e-15);
    assert_eq!((setup.steps, setup.steps_per_frame), (120, 5));
    let note = setup.notes.iter().find(|note| note.contains("0.00833333"));
    assert!(note.is_some_and(|note| note.contains("24 frames")), "{:?}", setup.notes);
    let json = serde_json::to_value(&setup.resolved).unwrap();
    assert_eq!(json["method"]["smooth"]["time_step"], 1.0 / 120.0);
    assert_eq!(json["output"]["every"], 5);
    // What fits stays as it is.
    let setup = built(1.0, "", "[output]\nframe_rate = 25").unwrap();
    let bits = setup.simulation.settings().time_step.to_bits();
    assert!(bits == 0.01_f64.to_bits() && setup.notes.is_empty());
    // By default the end has a frame.
    let setup = built(0.25, "", "").unwrap();
    assert_eq!(setup.steps % setup.steps_per_frame, 0);
}

/// `--set duration=0.1` made steps ten times as short.
#[test]
fn the_step_does_not_depend_on_the_duration() {
    for method in ["", "[method.impulse]", "[method.barrier]"] {
        for duration in [0.05, 0.1, 1.0, 20.0] {
            let setup = built(duration, method, "").unwrap();
            let time_step = setup.simulation.settings().time_step;
            assert_eq!(time_step.to_bits(), 0.01_f64.to_bits(), "{method} {duration}");
        }
    }
}

#[test]
fn a_step_longer_than_the_run_is_refused() {
    for (duration, method) in [
        (0.005, ""),
        (0.1, "[method.smooth]\ntime_step = 0.2"),
        (0.1, "[method.impulse]\ntime_step = 1"),
    ] {
        let error = built(duration, method, "").unwrap_err().render(false);
        assert!(error.contains("longer than") && error.contains("time_step"), "{error}");
    }
    built(0.1, "[method.smooth]\ntime_step = 0.1", "").unwrap();
}
