//! Random faults on the files of a run: each is told, with the file and a remedy, or does no harm.
//!
//! A vertex moved by two metres once, by a bit that was flipped in a chunk, and nobody said so.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::kill::{Random, killed_run};
use crate::scratch::Scratch;
use crate::support::{assert_same, contents, resume, run};
use stiction_scene::frame::{Frame, Frames as _};
use stiction_scene::run::{Precision, RunError, RunFolder, RunPlan, RunTable};

#[test]
fn forty_eight_random_faults_are_told_or_harmless() {
    hurt("few", 0..48);
}

#[test]
#[ignore = "two hundred faults, a quarter of them on processes that were killed"]
fn two_hundred_random_faults_are_told_or_harmless() {
    hurt("many", 1000..1200);
}

fn hurt(name: &str, seeds: std::ops::Range<u64>) {
    let scratch = Scratch::new(&format!("faults-{name}"));
    let whole = scratch.join("whole");
    let plan = run(&whole, Precision::Double);
    let expected = contents(&whole);
    let (mut told, mut killed) = (0, 0);
    for seed in seeds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let path = scratch.join(&format!("run-{seed}"));
        let was_killed = seed % 4 == 0 && killed_run(&path, &mut random);
        if !was_killed {
            restore(&path, &expected);
        }
        killed += u32::from(was_killed);
        let before = Seen::of(&path).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let fault = fault(&path, &mut random);
        let when = format!("seed {seed}, {} {:?}, killed: {was_killed}", fault.file, fault.kind);
        told += u32::from(look(&path, &before, &fault, was_killed, &when));
        go_on(&path, &plan, &expected, &fault, &when);
        fs::remove_dir_all(&path).unwrap();
    }
    assert!(told >= 30, "only {told} were told");
    assert!(killed >= 3, "only {killed} were on a run that was killed");
}

/// What readers make of a run.
struct Seen {
    frames: Vec<Frame>,
    tables: [Vec<u8>; 2],
}

impl Seen {
    fn of(path: &Path) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| {
            let text = error.to_string();
            assert!(text.contains("help:"), "no remedy: {text}");
            text
        };
        let run = RunFolder::open(path).map_err(|error| told(&error))?;
        let frames = (0..run.times().len()).map(|index| run.frame(index));
        let frames = frames.collect::<Result<_, _>>().map_err(|error| told(&error))?;
        let [steps, probes] = RunTable::ALL.map(|table| run.table(table));
        let tables = [steps.map_err(|error| told(&error))?, probes.map_err(|error| told(&error))?];
        Ok(Self { frames, tables })
    }
}

#[derive(Debug)]
enum Kind {
    Truncated,
    Flipped,
    Deleted,
}

struct Fault {
    /// In the run.
    file: String,
    kind: Kind,
}

/// Damages one file: chunks are many, so that each kind of file gets its share.
fn fault(path: &Path, random: &mut Random) -> Fault {
    let files = contents(path);
    let classes: [fn(&str) -> bool; 5] = [
        |name| name.contains("/c."),
        |name| name.ends_with("zarr.json"),
        |name| name.ends_with(".csv"),
        |name| name.starts_with("checkpoints"),
        |name| name == "lock" || name == "frames.zarr/zarr.json",
    ];
    let class = classes[random.below(classes.len())];
    let names: Vec<&String> = files.keys().filter(|name| class(name)).collect();
    let file = names[random.below(names.len())].clone();
    let mut bytes = files[&file].clone();
    let kind = match random.below(3) {
        0 if !bytes.is_empty() => {
            bytes.truncate(random.below(bytes.len()));
            Kind::Truncated
        }
        1 if !bytes.is_empty() => {
            let place = random.below(bytes.len());
            bytes[place] ^= 1 << random.below(8);
            Kind::Flipped
        }
        _ => Kind::Deleted,
    };
    match kind {
        Kind::Deleted => fs::remove_file(path.join(&file)).unwrap(),
        _ => fs::write(path.join(&file), bytes).unwrap(),
    }
    Fault { file, kind }
}

/// Readers refuse, or see what was there before; `verify` names the file. Whether it was told.
fn look(path: &Path, before: &Seen, fault: &Fault, was_killed: bool, when: &str) -> bool {
    let file = path.join(&fault.file);
    let named = match RunFolder::verify(path, &mut |_| {}) {
        Ok(found) => {
            let helped = found.damages.iter().all(|damage| !damage.help.is_empty());
            assert!(helped, "{when}: {:?}", found.damages);
            found.damages.iter().any(|damage| damage.path == file)
        }
        Err(RunError::NoRun { .. }) => false,
        Err(error) => panic!("{when}: {error}"),
    };
    // Of a run that was killed, what is not counted may be anything; the older of two checkpoints need not be there.
    let newer = |entry: &fs::DirEntry| entry.path() > file;
    let spare = fault.file.starts_with("checkpoints")
        && matches!(fault.kind, Kind::Deleted)
        && fs::read_dir(path.join("checkpoints")).unwrap().flatten().any(|entry| newer(&entry));
    assert!(named || was_killed || spare, "{when}: `verify` does not name it");
    match Seen::of(path) {
        Err(text) => assert!(text.contains(&*file.to_string_lossy()), "{when}: {text}"),
        Ok(seen) => {
            assert!(seen.frames == before.frames, "{when}: other frames");
            for (seen, before) in seen.tables.iter().zip(&before.tables) {
                assert!(before.starts_with(seen), "{when}: other rows");
                assert!(was_killed || seen == before, "{when}: rows are gone");
            }
        }
    }
    named
}

/// It is refused with a remedy, or ends as if nothing had happened.
fn go_on(
    path: &Path,
    plan: &RunPlan,
    expected: &BTreeMap<String, Vec<u8>>,
    fault: &Fault,
    when: &str,
) {
    let damaged = fs::read(path.join(&fault.file)).ok();
    match resume(path, plan) {
        Err(error) => assert!(error.to_string().contains("help:"), "{when}: {error}"),
        Ok(_) => {
            // The older of two checkpoints is only looked at where the newer one does not serve.
            let file = path.join(&fault.file);
            if fault.file.starts_with("checkpoints")
                && fs::read(&file).ok() == damaged
                && let Some(whole) = expected.get(&fault.file)
            {
                fs::write(file, whole).unwrap();
            }
            assert_same(path, expected, when);
        }
    }
}

pub(crate) fn restore(path: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(path);
    fs::create_dir_all(path.join("checkpoints")).unwrap();
    for (name, bytes) in files {
        fs::create_dir_all(path.join(name).parent().unwrap()).unwrap();
        fs::write(path.join(name), bytes).unwrap();
    }
}
