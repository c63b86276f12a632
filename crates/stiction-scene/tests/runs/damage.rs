//! Damaged, unwritable and full: messages, never panics, and what was written stays.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scratch::Scratch;
use crate::support::{assert_same, contents, frame, plan, resume, run, simulation};
use stiction_scene::frame::Frames as _;
use stiction_scene::run::{Precision, RunError, RunFolder, RunStatus, RunWriter, write_atomically};

fn newest_checkpoint(run: &Path) -> PathBuf {
    let files = fs::read_dir(run.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    files.max().unwrap()
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    let scratch = Scratch::new("fallback");
    let path = scratch.join("run");
    let plan = run(&path, Precision::Double);
    let whole = contents(&path);
    assert_eq!(fs::read_dir(path.join("checkpoints")).unwrap().count(), 2);
    let newest = newest_checkpoint(&path);
    let bytes = fs::read(&newest).unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 0x10;
    let damages = [flipped, bytes[..bytes.len() - 1].to_vec(), bytes[..40].to_vec(), Vec::new()];
    for damaged in damages {
        fs::write(&newest, damaged).unwrap();
        assert_eq!(resume(&path, &plan).unwrap(), plan.frame_count - 1);
        assert_same(&path, &whole, "after a damaged checkpoint");
    }
}

#[test]
fn without_a_sound_checkpoint_resume_says_which_file_is_broken() {
    let scratch = Scratch::new("none");
    let path = scratch.join("run");
    let plan = run(&path, Precision::Double);
    for (entry, damaged) in
        fs::read_dir(path.join("checkpoints")).unwrap().zip([&b"STICTION"[..], b"", b"STIC"])
    {
        fs::write(entry.unwrap().path(), damaged).unwrap();
    }
    let newest = newest_checkpoint(&path);
    let error = RunWriter::resume(&path, &plan).unwrap_err();
    assert!(matches!(&error, RunError::Damaged { path, .. } if *path == newest), "{error}");
    assert_eq!(
        RunFolder::open(&path).unwrap().times().len() as u64,
        plan.frame_count,
        "still readable"
    );
    fs::remove_dir_all(path.join("checkpoints")).unwrap();
    fs::create_dir(path.join("checkpoints")).unwrap();
    assert!(RunWriter::resume(&path, &plan).unwrap_err().to_string().contains("no checkpoint"));
}

#[test]
fn a_torn_table_is_mended() {
    let scratch = Scratch::new("torn");
    let path = scratch.join("run");
    let plan = run(&path, Precision::Double);
    let whole = contents(&path);
    for (file, rest) in [
        ("steps.csv", "25,0.25,3"),
        ("probes.csv", "25,1.0,2.0\n26,3"),
        ("steps.csv", "\u{0}\u{0}"),
    ] {
        let mut bytes = whole[file].clone();
        bytes.extend(rest.as_bytes());
        fs::write(path.join(file), bytes).unwrap();
        resume(&path, &plan).unwrap();
        assert_same(&path, &whole, file);
    }
}

/// Each file of a run in turn cut, emptied, removed, grown, or filled with something else.
#[test]
fn readers_survive_garbage() {
    let scratch = Scratch::new("garbage");
    let path = scratch.join("run");
    let plan = run(&path, Precision::Single);
    let whole = contents(&path);
    let mut refused = 0;
    // Of the frames, one is enough.
    let touched = |name: &str| {
        name.starts_with("frames.zarr")
            && (name.ends_with(".json") || name.contains("/c.0") || name.contains("/c.7"))
    };
    for (name, bytes) in whole.iter().filter(|(name, _)| touched(name)) {
        let text = String::from_utf8_lossy(bytes);
        let mut variants = vec![
            Some(Vec::new()),
            Some(bytes[..bytes.len() / 2].to_vec()),
            Some([bytes.as_slice(), b"more"].concat()),
            Some(b"{\"zarr_format\": 3}".to_vec()),
            None,
        ];
        if name.ends_with("zarr.json") {
            for (from, to) in [
                ("3", "4611686018427387904"),
                ("3", "-1"),
                ("3", "0"),
                ("1", "18446744073709551615"),
                ("[", "[["),
                ("float32", "float64"),
                ("float64", "string"),
                ("\"frames\": 13", "\"frames\": 9007199254740993"),
                ("bodies/block", "../../../etc"),
                ("vertex", "nowhere"),
                ("solid", "gas"),
                ("stiction-run", "other"),
                ("little", "big"),
                ("true", "7"),
                ("uint32", "float32"),
            ] {
                variants.push(Some(text.replace(from, to).into_bytes()));
            }
        }
        for variant in variants {
            if variant.as_ref() == Some(bytes) {
                continue;
            }
            match &variant {
                Some(variant) => fs::write(path.join(name), variant).unwrap(),
                None => fs::remove_file(path.join(name)).unwrap(),
            }
            let read = || -> Result<(), String> {
                let folder = RunFolder::open(&path).map_err(|error| error.to_string())?;
                for index in 0..folder.times().len() {
                    folder.frame(index).map_err(|error| error.to_string())?;
                }
                Ok(())
            };
            if let Err(error) = read() {
                assert!(error.contains("help:"), "{error}");
                refused += 1;
            }
            // To go on with it must not panic either, whatever it says.
            if name.ends_with("frames.zarr/zarr.json") {
                drop(RunWriter::resume(&path, &plan));
            }
            fs::write(path.join(name), bytes).unwrap();
        }
    }
    assert!(refused > 300, "only {refused} were noticed");
}

#[test]
fn a_place_that_cannot_be_written_is_a_message() {
    let scratch = Scratch::new("unwritable");
    let plan = plan(Precision::Single);
    let file = scratch.join("file");
    fs::write(&file, "in the way").unwrap();
    let mut places = vec![file.clone(), file.join("run")];
    if cfg!(target_os = "linux") {
        places.push("/proc/no-such-run".into());
    }
    for place in places {
        let error = RunWriter::create(&place, &plan, true).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, RunError::Disk { .. }), "{text}");
        assert!(text.contains(place.to_str().unwrap()) && text.contains("help:"), "{text}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "in the way");
    for nowhere in [scratch.join("nowhere"), file] {
        assert!(matches!(RunWriter::resume(&nowhere, &plan), Err(RunError::NoRun { .. })));
        assert!(matches!(RunFolder::open(&nowhere), Err(RunError::NoRun { .. })));
    }
}

/// A file system of a given size, gone with the value.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where we may not mount one.
    fn mount(path: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir_all(&path).unwrap();
        let options = format!("size={size}");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options.as_str(), "tmpfs"]).arg(&path);
        let mounted = command.output().is_ok_and(|output| output.status.success());
        mounted.then_some(Self(path))
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount").args(["-o", options]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_a_message_and_the_run_goes_on_when_there_is_room() {
    let scratch = Scratch::new("full");
    let Some(disk) = SmallDisk::mount(scratch.join("disk"), "420k") else {
        skipped();
        return;
    };
    let whole = scratch.join("whole");
    let plan = run(&whole, Precision::Double);
    let path = disk.0.join("run");
    let writer = RunWriter::create(&path, &plan, false).unwrap();
    let error = crate::support::simulate(&plan, writer, None).unwrap_err();
    let RunError::Disk { kind: io::ErrorKind::StorageFull, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains("resume the run"), "{error}");
    // Nothing that is no run can be resumed.
    let error = write_atomically(&disk.0.join("report.html"), &vec![0; 1 << 20]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("make room") && !text.contains("resume"), "{text}");

    let folder = RunFolder::open(&path).unwrap();
    let frames = folder.times().len();
    assert!(frames > 0 && (frames as u64) < plan.frame_count, "{frames} frames fit");
    for index in 0..frames {
        folder.frame(index).unwrap();
    }
    // Still full, it still says so, and nothing gets worse.
    if let Err(error) = resume(&path, &plan) {
        assert!(
            matches!(error, RunError::Disk { kind: io::ErrorKind::StorageFull, .. }),
            "{error}"
        );
    }
    assert!(RunFolder::open(&path).unwrap().times().len() >= frames);
    disk.remount("remount,size=8m");
    resume(&path, &plan).unwrap();
    assert_same(&path, &contents(&whole), "after the disk was full");

    disk.remount("remount,ro");
    let error = RunWriter::resume(&path, &plan).unwrap_err();
    assert!(
        matches!(error, RunError::Disk { kind: io::ErrorKind::ReadOnlyFilesystem, .. }),
        "{error}"
    );
    assert_eq!(RunFolder::open(&path).unwrap().times().len() as u64, plan.frame_count);
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn skipped() {
    eprintln!("skipped: may not mount a small disk");
}

#[test]
fn a_failed_write_comes_back_with_every_call_after_it() {
    let scratch = Scratch::new("failed");
    let (path, plan) = (scratch.join("run"), plan(Precision::Single));
    let (simulation, ids) = simulation();
    let mut writer = RunWriter::create(&path, &plan, false).unwrap();
    // A folder where a chunk should go.
    fs::create_dir(path.join("frames.zarr/time/c.0")).unwrap();
    let frame = frame(&plan, &simulation, &ids);
    let mut first = writer.frame(frame.clone(), simulation.state());
    for _ in 0..1000 {
        std::thread::sleep(std::time::Duration::from_millis(1));
        if first.is_err() {
            break;
        }
        first = writer.step_row(1, &[0.0.into(), 1u64.into(), "fine".into()]);
    }
    let error = first.unwrap_err();
    assert!(error.to_string().contains("c.0"), "{error}");
    assert_eq!(writer.probe_row(1, &[0.0.into(), 0.0.into()]).unwrap_err(), error);
    assert_eq!(writer.frame(frame, simulation.state()).unwrap_err(), error);
    assert_eq!(writer.finish(RunStatus::Finished).unwrap_err(), error);
}
