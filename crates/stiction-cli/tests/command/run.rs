//! `stiction run` and `stiction resume`: where results go, what is refused, and what a killed run comes to.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::Folder;

/// Quick to run, damped, and measured where forces are.
const BAR: &str = r#"
duration = 0.4
[[body]]
name = "bar"
solid = { box = { size = [0.3, 0.1, 0.1], cells = [3, 1, 1] } }
material = { preset = "jelly", damping = { stiffness = 0.01 } }
spin = [0, 0, 3]
[[pin]]
body = "bar"
where = "x-min"
[[probe]]
name = "pull"
quantity = "reaction"
body = "bar"
along = "y"
[[expect]]
probe = "pull"
above = -1e9
kind = "theory"
source = "anything"
[output]
every = 2
"#;

/// The first scene in a few short steps.
const QUICK: [&str; 4] = ["--set", "body.bar.solid.box.cells=[2, 1, 1]", "--set", "duration=0.05"];

#[test]
fn run_without_arguments_says_where_the_frames_are_and_what_to_try_next() {
    let folder = Folder::new();
    let ran = folder.done(&[&["run"][..], &QUICK].concat());
    assert!(ran.stdout.contains("Twisting bar finished"), "{}", ran.stdout);
    assert!(ran.stdout.contains("frames and report in runs/twisting_bar\n"), "{}", ran.stdout);
    for next in [
        "stiction export runs/twisting_bar --to vtu",
        "stiction run twisting_bar --set",
        "stiction scenes",
    ] {
        assert!(ran.stderr.contains(next), "{}", ran.stderr);
    }
    for file in ["scene.json", "report.json", "steps.csv", "probes.csv", "frames.zarr/zarr.json"] {
        assert!(folder.path().join("runs/twisting_bar").join(file).exists(), "{file}");
    }
    // The next one has a place of its own.
    for number in ["-2", "-3"] {
        let ran = folder.done(&[&["run", "-q"][..], &QUICK].concat());
        assert!(ran.stdout.contains(&format!("in runs/twisting_bar{number}\n")), "{}", ran.stdout);
        assert_eq!(ran.stderr, "", "--quiet");
    }
}

#[test]
fn what_to_try_next_can_be_typed_as_it_stands() {
    let folder = Folder::new();
    folder.write("my bar.toml", BAR);
    let ran = folder.done(&["run", "my bar.toml", "--out", "my runs/a"]);
    assert!(ran.stderr.contains("stiction export 'my runs/a' --to vtu"), "{}", ran.stderr);
    assert!(ran.stderr.contains("stiction run 'my bar.toml' --set "), "{}", ran.stderr);
}

#[test]
fn a_folder_of_the_name_of_a_scene_does_not_hide_it() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("twisting_bar")).expect("a folder");
    folder.done(&["check", "twisting_bar"]);
}

#[test]
fn a_run_is_not_overwritten_without_force_and_nothing_else_ever() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    folder.done(&["run", "bar.toml", "--out", "out"]);
    let before = folder.read("out/probes.csv");
    let ran = folder.run(&["run", "bar.toml", "--out", "out", "--set", "gravity=[0, 0, 0]"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("holds a run already") && ran.stderr.contains("help: "),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(folder.read("out/probes.csv"), before);
    folder.done(&["run", "bar.toml", "--out", "out", "--set", "gravity=[0, 0, 0]", "--force"]);
    assert_ne!(folder.read("out/probes.csv"), before);

    folder.write("file", "mine");
    std::fs::create_dir(folder.path().join("mine")).expect("a folder");
    folder.write("mine/letter", "dear");
    for out in ["file", "mine"] {
        let ran = folder.run(&["run", "bar.toml", "--out", out, "--force"]);
        assert_eq!(ran.code, 1, "{out}");
        assert!(ran.stderr.contains("error: ") && ran.stderr.contains("help: "), "{}", ran.stderr);
    }
    assert_eq!(
        (folder.read("file"), folder.read("mine/letter")),
        (b"mine".to_vec(), b"dear".to_vec())
    );
}

#[test]
fn places_that_cannot_be_written_are_a_message() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    let ran = folder.run(&["run", "bar.toml", "--out", "/proc/stiction/run"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("/proc/stiction") && ran.stderr.contains("help: "),
        "{}",
        ran.stderr
    );
    for missing in ["nowhere", "bar.toml"] {
        let ran = folder.run(&["resume", missing]);
        assert_eq!(ran.code, 1);
        assert!(
            ran.stderr.contains(missing) && ran.stderr.contains("help: name the folder"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn strict_tells_by_its_exit_code_that_steps_stopped_short() {
    let folder = Folder::new();
    let hard = BAR.replace("spin = [0, 0, 3]", "spin = [0, 90, 200]");
    folder.write(
        "hard.toml",
        &format!("{hard}[method.smooth]\nmax_iterations = 1\nmax_halvings = 0\n"),
    );
    let ran = folder.done(&["run", "hard.toml"]);
    assert!(ran.stderr.contains("steps stopped short of their tolerance"), "{}", ran.stderr);
    assert_eq!(folder.run(&["run", "hard.toml", "--strict"]).code, 3);
    assert_eq!(folder.run(&["resume", "runs/hard", "--strict"]).code, 3, "it remembers");
    folder.write("bar.toml", BAR);
    assert_eq!(folder.run(&["run", "bar.toml", "--strict"]).code, 0);
}

#[test]
fn a_simulation_that_breaks_down_fails_and_keeps_its_frames() {
    let folder = Folder::new();
    folder.write(
        "far.toml",
        "gravity = [0, 0, 0]\n[body]\nsolid = { ball = { radius = 1, edge_length = 1 } }\nvelocity = [3e38, 0, 0]\n\
         [method.smooth]\ntime_step = 0.1\ntolerance = 1e30\n[output]\nevery = 1\n",
    );
    let ran = folder.run(&["run", "far.toml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("error: body `body-0`") && ran.stderr.contains("help: "),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("runs/far"), "{}", ran.stderr);
    let report: serde_json::Value =
        serde_json::from_slice(&folder.read("runs/far/report.json")).expect("JSON");
    assert_eq!(report["status"], "failed");
    folder.done(&["export", "runs/far", "--to", "npz"]);
}

#[test]
fn every_json_line_parses_and_says_what_happens() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    let events = folder.done(&["run", "bar.toml", "--json"]).events();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds.len(), events.len());
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("run-started", "run-ended"), "{kinds:?}");
    let ended = &events[events.len() - 1];
    assert_eq!((&ended["status"], &ended["folder"]), (&"finished".into(), &"runs/bar".into()));
    assert_eq!(ended["expectations"][0]["holds"], true);
    for arguments in [
        &["check", "bar.toml", "twisting_bar"][..],
        &["check", "bar.toml", "--resolved"],
        &["schema"],
        &["scenes"],
        &["scenes", "show", "twisting_bar"],
        &["scenes", "copy", "twisting_bar"],
        &["export", "runs/bar", "--to", "npz"],
        &["verify", "bar.toml"],
        &["resume", "runs/bar"],
    ] {
        let events = folder.done(&[arguments, &["--json"]].concat()).events();
        assert!(!events.is_empty(), "{arguments:?}");
    }
    folder.write("wrong.toml", "duration = -1\ntitel = 3\n");
    for command in ["run", "check"] {
        let ran = folder.run(&[command, "wrong.toml", "--json"]);
        assert_eq!(ran.code, 1);
        let events = ran.events();
        assert_eq!(events.len(), 3, "{events:?}");
        assert_eq!(
            (&events[0]["line"], &events[0]["column"]),
            (&1.into(), &1.into()),
            "{events:?}"
        );
        assert!(
            events.iter().all(|event| event["event"] == "error" && event["file"] == "wrong.toml")
        );
    }
}

#[test]
fn errors_of_scenes_have_colours_only_where_they_are_wanted() {
    let folder = Folder::new();
    folder.write("wrong.toml", "duration = -1\n");
    let escape = '\u{1b}';
    assert!(!folder.run(&["check", "wrong.toml"]).stderr.contains(escape), "piped");
    assert!(folder.run(&["check", "wrong.toml", "--color", "always"]).stderr.contains(escape));
    for (variable, coloured) in [("NO_COLOR", false), ("CLICOLOR_FORCE", true)] {
        let mut command = folder.command(&["check", "wrong.toml"]);
        let output = command.env(variable, "1").output().expect("the command starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr.contains(escape), coloured, "{variable}: {stderr}");
        assert!(stderr.contains("wrong.toml:1:12"), "{stderr}");
    }
}

/// All files of a run but the report, steps without how long they took.
fn comparable(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("inside").display().to_string();
            match path.is_dir() {
                true => folders.push(path),
                false if name == "report.json" => {}
                false => drop(files.insert(name, std::fs::read(&path).expect("a file"))),
            }
        }
    }
    let steps = String::from_utf8(files["steps.csv"].clone()).expect("a table");
    let untimed = |row: &str| row.split(',').take(18).collect::<Vec<_>>().join(",");
    files.insert(
        "steps.csv".into(),
        steps.lines().map(untimed).collect::<Vec<_>>().join("\n").into(),
    );
    // Checksums that depend on how long steps took: of tables, in the root and in checkpoints.
    let root = files.get_mut("frames.zarr/zarr.json").expect("a root");
    let mut json: serde_json::Value = serde_json::from_slice(root).expect("JSON");
    for key in ["tables", "checksum"] {
        json["attributes"][key] = serde_json::Value::Null;
    }
    *root = json.to_string().into();
    for (_, bytes) in files.iter_mut().filter(|(name, _)| name.ends_with(".checkpoint")) {
        bytes[56..56 + 32].fill(0);
        bytes.truncate(bytes.len() - 4);
    }
    files
}

/// A run that takes about half a second.
const LONGER: [&str; 4] = ["--set", "duration=1.5", "--set", "method.smooth.time_step=0.0025"];

#[test]
fn a_run_killed_at_any_time_resumes_to_the_same_bits() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    folder.done(&[&["run", "bar.toml", "--out", "whole"][..], &LONGER].concat());
    let expected = comparable(&folder.path().join("whole"));
    let written = |out: &str| {
        std::fs::metadata(folder.path().join(out).join("probes.csv")).map_or(0, |file| file.len())
    };
    let whole = written("whole");
    let mut interrupted = 0;
    for kill in 0..16_u32 {
        let out = format!("run-{kill}");
        let arguments = [&["run", "bar.toml", "--out", &out][..], &LONGER].concat();
        let mut child = folder
            .command(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        // Spread over what the run writes, not over the clock: other tests slow it down as they like.
        let until = whole * u64::from(kill) / 18;
        while written(&out) < until && child.try_wait().expect("a state").is_none() {
            sleep(Duration::from_micros(200));
        }
        // And at times that no clock of ours divides.
        sleep(Duration::from_micros(u64::from(kill * 7919 % 10_000)));
        child.kill().expect("SIGKILL");
        child.wait().expect("an end");
        let path = folder.path().join(&out);
        if !path.join("scene.json").exists() {
            // Killed before it began; there is nothing to resume, and that is said.
            assert_eq!(folder.run(&["resume", &out]).code, 1);
            continue;
        }
        let report = std::fs::read_to_string(path.join("report.json")).unwrap_or_default();
        interrupted += u32::from(!report.contains("\"status\": \"finished\""));
        folder.done(&["resume", &out]);
        let found = comparable(&path);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{out}");
        for (name, bytes) in &expected {
            assert!(found[name] == *bytes, "{out}: {name} differs");
        }
    }
    assert!(interrupted >= 5, "only {interrupted} runs were caught in the middle");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_so_that_resume_goes_on() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    let long = ["--set", "duration=60", "--set", "method.smooth.time_step=0.0025"];
    let child = folder
        .command(&[&["run", "bar.toml"][..], &long].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let probes = folder.path().join("runs/bar/probes.csv");
    let started = Instant::now();
    // Until it is well under way.
    while std::fs::metadata(&probes).map_or(0, |file| file.len()) < 200 {
        assert!(started.elapsed() < Duration::from_secs(60), "it does not get going");
        sleep(Duration::from_millis(5));
    }
    let interrupt =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill").success());
    let ran: crate::common::Ran = child.wait_with_output().expect("an end").into();
    assert_eq!(ran.code, 130, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("stopped")
            && ran.stderr.contains("go on with it: stiction resume runs/bar"),
        "{}",
        ran.stderr
    );
    let report: serde_json::Value =
        serde_json::from_slice(&folder.read("runs/bar/report.json")).expect("JSON");
    assert_eq!(report["status"], "stopped");
    let steps = report["totals"]["steps"].as_u64().expect("steps");

    // It goes on at its last frame; that it ends with the same bits is the test above and those of jobs.
    let mut child = folder
        .command(&["resume", "runs/bar", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    sleep(Duration::from_millis(300));
    let interrupt =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    let report: serde_json::Value =
        serde_json::from_slice(&folder.read("runs/bar/report.json")).expect("JSON");
    assert!(report["totals"]["steps"].as_u64().expect("steps") + 2 > steps);
}

/// Needs the right to mount; without it, the disk of this machine would have to be filled.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "tests say why they are skipped")]
fn a_full_disk_is_a_message_and_the_run_goes_on_once_there_is_room() {
    use std::process::Command;
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let mount = |options: &str| {
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&disk).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !mount("size=200k") {
        eprintln!("skipped: no right to mount a small disk");
        return;
    }
    let arguments = ["run", "bar.toml", "--out", "disk/run", "--set", "output.every=1"];
    let full = folder.run(&arguments);
    let roomy = mount("remount,size=20m");
    let resumed = folder.run(&["resume", "disk/run"]);
    let whole = folder.run(&["run", "bar.toml", "--out", "whole", "--set", "output.every=1"]);
    let same = comparable(&disk.join("run")) == comparable(&folder.path().join("whole"));
    assert!(Command::new("umount").arg(&disk).status().is_ok_and(|status| status.success()));
    assert_eq!(full.code, 1, "{}", full.stdout);
    assert!(
        full.stderr.contains("No space left") && full.stderr.contains("help: make room"),
        "{}",
        full.stderr
    );
    assert!(roomy);
    assert_eq!((resumed.code, whole.code), (0, 0), "{}", resumed.stderr);
    assert!(same, "resumed to the same bits");
}

/// A cube of exact shape that falls on the floor and stays there.
const CUBE: &str = r#"
duration = 0.5
[[body]]
name = "floor"
obstacle = { plane = {} }
[[body]]
name = "cube"
rigid = { box = { size = [0.1, 0.1, 0.1] } }
place = { move = [0, START, 0] }
[method.impulse]
time_step = 0.01
"#;

#[test]
fn overlaps_are_told_where_the_method_does_not_allow_them() {
    let folder = Folder::new();
    folder.write("apart.toml", &CUBE.replace("START", "0.1"));
    let ran = folder.done(&["run", "apart.toml"]);
    assert!(!ran.stderr.contains("overlapped"), "{}", ran.stderr);
    assert!(ran.stderr.contains("method.impulse.time_step="), "{}", ran.stderr);
    // Too deep for one step to move it out.
    folder.write("inside.toml", &CUBE.replace("START", "0.03"));
    let ran = folder.done(&[
        "run",
        "inside.toml",
        "--set",
        "method.impulse.stabilisation=\"baumgarte\"",
        "--set",
        "method.impulse.correction=0.01",
    ]);
    assert!(ran.stderr.contains("overlapped"), "{}", ran.stderr);
}

/// A bit that was flipped moved a vertex by two metres, and every command went on with it.
#[test]
fn every_command_tells_which_file_of_a_run_is_damaged() {
    let folder = Folder::new();
    folder.write("bar.toml", BAR);
    folder.done(&["run", "bar.toml", "--out", "run", "--set", "duration=0.1"]);
    let sound = folder.done(&["check", "run"]);
    assert!(
        sound.stdout.contains("sound") && sound.stdout.contains("6 frames"),
        "{}",
        sound.stdout
    );
    let commands: [&[&str]; 5] = [
        &["check", "run"],
        &["export", "run", "--to", "npz", "--force"],
        &["render", "run", "--out", "last.png"],
        &["report", "run"],
        &["resume", "run"],
    ];
    for command in commands {
        folder.done(command);
    }
    let file = "run/frames.zarr/bodies/bar/positions/c.5.0.0";
    let whole = folder.read(file);
    let mut flipped = whole.clone();
    // The highest bit of an exponent, for the largest harm.
    flipped[3] ^= 0x40;
    for damaged in [flipped, whole[..whole.len() - 1].to_vec()] {
        std::fs::write(folder.path().join(file), &damaged).expect("damaged");
        // The last: it goes back to the frame before, and makes the damaged one anew.
        for command in &commands[..4] {
            let ran = folder.run(command);
            assert_eq!(ran.code, 1, "{command:?}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains(file) && ran.stderr.contains("help:"), "{}", ran.stderr);
        }
        folder.done(&["resume", "run"]);
        folder.done(&["check", "run"]);
    }
    // What no checkpoint is old enough for is refused.
    let early = "run/frames.zarr/bodies/bar/positions/c.1.0.0";
    let steps = "run/steps.csv";
    for file in [early, steps, "run/scene.json"] {
        let whole = folder.read(file);
        let mut flipped = whole.clone();
        flipped[whole.len() / 3] ^= 1;
        std::fs::write(folder.path().join(file), &flipped).expect("damaged");
        for command in [&["check", "run"], &["resume", "run"]] {
            let ran = folder.run(command);
            assert_eq!(ran.code, 1, "{command:?}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains(file) && ran.stderr.contains("help:"), "{}", ran.stderr);
        }
        std::fs::write(folder.path().join(file), whole).expect("restored");
    }
    folder.done(&["check", "run"]);
}
