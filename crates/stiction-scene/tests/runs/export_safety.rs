//! An export is whole or not there, and never in the place of something else.

use std::fs;
use std::path::Path;

use crate::formula::Formula;
use crate::scratch::Scratch;
use stiction_scene::export::{
    ExportError, ExportFormat, ExportOptions, Exported, OutputError, export,
};
use stiction_scene::frame::BodyInfo;

fn run_to(
    run: &Formula,
    format: ExportFormat,
    out: &Path,
    options: &ExportOptions,
) -> Result<Exported, ExportError> {
    export(run, format, out, options, &mut |_, _| {})
}

/// Everything below a folder, with contents.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let bytes = if path.is_dir() { b"folder".to_vec() } else { fs::read(&path).unwrap() };
            (path.file_name().unwrap().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_frame_that_cannot_be_read_leaves_nothing_behind() {
    let folder = Scratch::new("export_broken_frame");
    let run = Formula { broken: Some(3), ..Formula::new(5) };
    for format in ExportFormat::ALL {
        let out = folder.0.join("deep").join("er");
        let error = run_to(&run, format, &out, &ExportOptions::default()).unwrap_err();
        assert!(matches!(error, ExportError::Frame { frame: 3, .. }), "{error}");
        assert_eq!(error.to_string(), "frame 3: chunk: cut short\n  help: resume the run");
        assert_eq!(content(&folder.0), [], "{format:?}");
        // The frames before it can be had.
        let options = ExportOptions { last: Some(2), ..Default::default() };
        let done = run_to(&run, format, &folder.0.join("before"), &options).unwrap();
        assert_eq!(done.frames, 3);
        fs::remove_dir_all(&folder.0).unwrap();
        fs::create_dir(&folder.0).unwrap();
    }
}

#[test]
fn existing_files_are_kept_unless_overwriting_is_allowed() {
    let run = Formula::new(3);
    for format in ExportFormat::ALL {
        let folder = Scratch::new(&format!("export_existing_{}", format.name()));
        let out = folder.0.join("run");
        let done = run_to(&run, format, &out, &ExportOptions::default()).unwrap();
        let victim = done.files.last().unwrap();
        for file in done.files.iter().filter(|file| *file != victim) {
            fs::remove_file(file).unwrap();
        }
        fs::write(victim, "dear to somebody").unwrap();
        let parent = victim.parent().unwrap();
        let before = content(parent);
        let error = run_to(&run, format, &out, &ExportOptions::default()).unwrap_err();
        match &error {
            ExportError::Output(OutputError::Exists { path }) => assert_eq!(path, victim),
            other => panic!("{other}"),
        }
        assert_eq!(content(parent), before, "{format:?}");

        let options = ExportOptions { overwrite: true, ..Default::default() };
        let again = run_to(&run, format, &out, &options).unwrap();
        assert_eq!(again, done, "{format:?}");
        assert_ne!(fs::read(victim).unwrap(), b"dear to somebody");
    }
}

#[test]
fn overwriting_a_longer_series_leaves_no_tail_and_touches_nothing_else() {
    let folder = Scratch::new("export_tail");
    let options = ExportOptions { overwrite: true, ..Default::default() };
    run_to(&Formula::new(5), ExportFormat::Obj, &folder.0, &options).unwrap();
    for name in ["notes.txt", "other.0003.obj", "frame.0003.mtl", "frame.7.obj"] {
        fs::write(folder.0.join(name), "mine").unwrap();
    }
    run_to(&Formula::new(2), ExportFormat::Obj, &folder.0, &options).unwrap();
    let names: Vec<String> = content(&folder.0).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "frame.0000.obj",
        "frame.0001.obj",
        "frame.0003.mtl",
        "frame.7.obj",
        "notes.txt",
        "other.0003.obj",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    for format in ExportFormat::ALL {
        let (a, b) = (Scratch::new("export_same_a"), Scratch::new("export_same_b"));
        for folder in [&a, &b] {
            run_to(&Formula::new(3), format, &folder.0.join("run"), &ExportOptions::default())
                .unwrap();
        }
        let at = |folder: &Scratch| match format.extension() {
            Some(_) => content(&folder.0),
            None => content(&folder.0.join("run")),
        };
        assert_eq!(at(&a), at(&b), "{format:?}");
    }
}

#[test]
fn an_unwritable_place_is_named_with_a_remedy() {
    let folder = Scratch::new("export_unwritable");
    let file = folder.0.join("file");
    fs::write(&file, "in the way").unwrap();
    for format in ExportFormat::ALL {
        let out = file.join("run");
        let error = run_to(&Formula::new(2), format, &out, &ExportOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, ExportError::Output(OutputError::Unwritable { .. })), "{text}");
        assert!(text.contains("export_unwritable"), "{text}");
        assert!(text.contains("\n  help: "), "{text}");
    }
    assert_eq!(content(&folder.0), [("file".to_owned(), b"in the way".to_vec())]);
}

#[test]
fn a_run_without_frames_or_bodies_is_refused_in_words() {
    let folder = Scratch::new("export_empty");
    let bodies: Vec<BodyInfo> = Vec::new();
    for format in ExportFormat::ALL {
        let out = folder.0.join("run");
        let error = run_to(&Formula::new(0), format, &out, &ExportOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with("the run has no frames\n  help: "), "{error}");
        let nobody = Formula { bodies: bodies.clone(), ..Formula::new(2) };
        let error = run_to(&nobody, format, &out, &ExportOptions::default()).unwrap_err();
        assert!(matches!(error, ExportError::Empty { what: "bodies" }), "{error}");
        for options in [
            ExportOptions { first: 2, ..Default::default() },
            ExportOptions { stride: 0, ..Default::default() },
        ] {
            let error = run_to(&Formula::new(2), format, &out, &options).unwrap_err();
            assert!(matches!(error, ExportError::NoneSelected { frame_count: 2, .. }), "{error}");
        }
    }
    assert_eq!(content(&folder.0), []);
}

#[test]
fn bodies_that_differ_only_in_odd_characters_stay_apart() {
    let folder = Scratch::new("export_names");
    let mut run = Formula::new(2);
    let names = ["a/b", "a b", "A_B", "../../a"];
    for (body, name) in run.bodies.iter_mut().zip(names) {
        name.clone_into(&mut body.name);
    }
    run_to(&run, ExportFormat::Vtu, &folder.0, &ExportOptions::default()).unwrap();
    let found: Vec<String> = content(&folder.0).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "A_B_3.vtu",
        "_a.0000.vtu",
        "_a.0001.vtu",
        "a_b.0000.vtu",
        "a_b.0001.vtu",
        "a_b_2.0000.vtu",
        "a_b_2.0001.vtu",
        "run.pvd",
    ];
    assert_eq!(found, expected);
}

#[test]
fn damaged_runs_are_refused_not_written() {
    let folder = Scratch::new("export_damaged");
    for format in ExportFormat::ALL {
        let out = folder.0.join("run");
        let mut run = Formula::new(2);
        run.bodies[0].triangles[0][0] = 99;
        let error = run_to(&run, format, &out, &ExportOptions::default()).unwrap_err();
        assert!(matches!(error, ExportError::Corner { corner: 99, .. }), "{error}");
    }
    let run = Formula { times: vec![0.0, f64::INFINITY], ..Formula::new(2) };
    for format in [ExportFormat::Gltf, ExportFormat::Usd] {
        let error =
            run_to(&run, format, &folder.0.join("run"), &ExportOptions::default()).unwrap_err();
        assert!(error.to_string().contains("\n  help: "), "{error}");
    }
    assert_eq!(content(&folder.0), []);
}

#[test]
fn a_glb_of_too_many_frames_says_which_stride_fits() {
    let folder = Scratch::new("export_glb_limit");
    let run = Formula::new(4001);
    let out = folder.0.join("run.glb");
    let error = run_to(&run, ExportFormat::Gltf, &out, &ExportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("stride 3"), "{error}");
    let options = ExportOptions { stride: 10, ..Default::default() };
    let done = run_to(&run, ExportFormat::Gltf, &out, &options).unwrap();
    assert_eq!((done.frames, done.notes.len()), (401, 1), "{:?}", done.notes);
}

#[test]
#[ignore = "writes 9 GB; by hand, with --ignored"]
fn an_npz_beyond_four_gib_is_whole() {
    let folder = Scratch::new("export_zip64");
    let mut run = Formula::new(140);
    run.bodies.truncate(1);
    run.bodies[0].fields[0].name = "large".to_owned();
    run.bodies[0].fields[0].components = 820_000;
    let out = folder.0.join("run.npz");
    let done = run_to(&run, ExportFormat::Npz, &out, &ExportOptions::default()).unwrap();
    assert!(done.bytes > 1 << 32, "{}", done.bytes);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/export_zip64.py");
    let said = stiction_check::python::run(&script, &[out.to_str().unwrap()]);
    let said = said.expect("this test is run by hand, with STICTION_TEST_PYTHON");
    assert!(said.trim_end().ends_with("as expected"), "{said}");
}
