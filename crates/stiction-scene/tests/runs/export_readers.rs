//! What we export is opened by programs that are not ours, and the numbers are those of the run.
#![expect(clippy::print_stderr, reason = "tests say why they are skipped")]

use std::path::{Path, PathBuf};

use crate::formula::Formula;
use crate::scratch::Scratch;
use stiction_scene::export::{ExportFormat, ExportOptions, Exported, Precision, export};

const FRAMES: usize = 6;

fn exported(format: ExportFormat, out: &Path, options: &ExportOptions) -> Exported {
    exported_run(&Formula::new(FRAMES), format, out, options)
}

fn exported_run(
    run: &Formula,
    format: ExportFormat,
    out: &Path,
    options: &ExportOptions,
) -> Exported {
    let mut heard = Vec::new();
    let done = export(run, format, out, options, &mut |done, of| heard.push((done, of)));
    let done = done.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(heard.last(), Some(&(done.frames, done.frames)));
    assert!(done.main.is_file() && done.files.contains(&done.main), "{done:?}");
    let bytes: u64 = done.files.iter().map(|file| file.metadata().unwrap().len()).sum();
    assert_eq!(bytes, done.bytes);
    done
}

fn open_with(script: &str, main: &Path, more: &[&str]) {
    let script: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let arguments = [&[main.to_str().unwrap()], more].concat();
    match stiction_check::python::run(&script, &arguments) {
        Some(said) => assert!(said.trim_end().ends_with("as expected"), "{said}"),
        None => eprintln!("skipped: no Python to run {}", script.display()),
    }
}

#[test]
fn pyvista_and_meshio_find_the_run_in_vtu() {
    for (precision, tolerance) in [(Precision::Single, "1e-6"), (Precision::Double, "1e-15")] {
        let folder = Scratch::new(&format!("export_vtu_{precision:?}"));
        let options = ExportOptions { precision: Some(precision), ..Default::default() };
        let done = exported(ExportFormat::Vtu, &folder.0, &options);
        assert_eq!(done.files.len(), 3 * FRAMES + 1 + 1, "the floor is written once");
        open_with("export_vtu.py", &done.main, &["6", "1", tolerance]);
    }
}

#[test]
fn a_stride_takes_every_second_frame_with_its_time() {
    let folder = Scratch::new("export_stride");
    let options = ExportOptions { stride: 2, first: 0, last: Some(4), ..Default::default() };
    let done = exported(ExportFormat::Vtu, &folder.0, &options);
    assert_eq!(done.frames, 3);
    open_with("export_vtu.py", &done.main, &["3", "2", "1e-6"]);
}

#[test]
fn trimesh_and_meshio_find_the_surfaces_in_obj() {
    let folder = Scratch::new("export_obj");
    let done = exported(ExportFormat::Obj, &folder.0, &ExportOptions::default());
    assert_eq!(done.files.len(), FRAMES);
    open_with("export_surfaces.py", &done.files[3], &["3"]);
}

#[test]
fn trimesh_pyvista_and_meshio_find_the_surfaces_and_fields_in_ply() {
    let folder = Scratch::new("export_ply");
    let done = exported(ExportFormat::Ply, &folder.0, &ExportOptions::default());
    assert_eq!(done.files.len(), FRAMES);
    open_with("export_surfaces.py", &done.files[3], &["3", "fields"]);

    let mut bare = Formula::new(FRAMES);
    bare.bodies.iter_mut().for_each(|body| body.fields.clear());
    let options = ExportOptions { overwrite: true, ..Default::default() };
    let done = exported_run(&bare, ExportFormat::Ply, &folder.0, &options);
    open_with("export_surfaces.py", &done.files[3], &["3"]);
}

#[test]
fn pygltflib_and_trimesh_find_the_animation_in_glb() {
    let folder = Scratch::new("export_glb");
    let done = exported(ExportFormat::Gltf, &folder.0.join("run"), &ExportOptions::default());
    assert_eq!(done.main, folder.0.join("run.glb"), "the ending is added");
    open_with("export_glb.py", &done.main, &["6", "normals"]);
    let options = ExportOptions { smooth_normals: false, overwrite: true, ..Default::default() };
    let done = exported(ExportFormat::Gltf, &folder.0.join("run.glb"), &options);
    open_with("export_glb.py", &done.main, &["6", "flat"]);
}

#[test]
fn usd_finds_the_time_samples() {
    let folder = Scratch::new("export_usd");
    let done = exported(ExportFormat::Usd, &folder.0.join("run.usda"), &ExportOptions::default());
    open_with("export_usd.py", &done.main, &["6"]);
}

#[test]
fn numpy_finds_all_arrays() {
    let folder = Scratch::new("export_npz");
    let done = exported(ExportFormat::Npz, &folder.0.join("run.npz"), &ExportOptions::default());
    open_with("export_npz.py", &done.main, &["6", "float64", "1e-15"]);
    let precision = Some(Precision::Single);
    let options = ExportOptions { precision, overwrite: true, ..Default::default() };
    let done = exported(ExportFormat::Npz, &folder.0.join("run.npz"), &options);
    open_with("export_npz.py", &done.main, &["6", "float32", "1e-6"]);
}
