//! Exports: a run as files that ParaView, Blender, Houdini, browsers and numpy open.
//!
//! | format | files | holds |
//! |---|---|---|
//! | [`ExportFormat::Vtu`] | folder with `run.pvd` and a `.vtu` per body and frame | tets, velocities, all fields |
//! | [`ExportFormat::Obj`] | folder with `frame.0000.obj`… | surfaces |
//! | [`ExportFormat::Ply`] | folder with `frame.0000.ply`… | surfaces, velocities, fields of vertices and triangles |
//! | [`ExportFormat::Gltf`] | one `.glb` | animated surfaces |
//! | [`ExportFormat::Usd`] | one `.usda` | animated surfaces, velocities |
//! | [`ExportFormat::Npz`] | one `.npz` | everything, as arrays |
//!
//! All stand on [`Frames`] alone and hold one frame in memory at a time. Files appear when all of them are complete,
//! and never in the place of others unless [`ExportOptions::overwrite`] says so.

mod error;
mod glb;
mod names;
mod npz;
mod obj;
pub(crate) mod palette;
mod ply;
mod selection;
pub(crate) mod staged;
mod surface;
mod usd;
mod vtu;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::frame::Frames;

pub use crate::mesh_file::write::Precision;
pub use error::ExportError;
pub use staged::OutputError;

use selection::Selection;
use staged::Staged;

/// What to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// VTK's `.vtu` series with a `.pvd`, for ParaView.
    Vtu,
    /// Wavefront `.obj` sequence.
    Obj,
    /// Stanford `.ply` sequence, binary.
    Ply,
    /// One animated `.glb`.
    Gltf,
    /// One `.usda` with time samples.
    Usd,
    /// One `.npz` of numpy arrays.
    Npz,
}

impl ExportFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Vtu, Self::Obj, Self::Ply, Self::Gltf, Self::Usd, Self::Npz];

    /// Its name on the command line: `vtu`, `obj`, `ply`, `gltf`, `usd`, `npz`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vtu => "vtu",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Gltf => "gltf",
            Self::Usd => "usd",
            Self::Npz => "npz",
        }
    }

    /// The format with this name; also `glb`, `usda`, `pvd` and `paraview`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "glb" => Some(Self::Gltf),
            "usda" => Some(Self::Usd),
            "pvd" | "paraview" => Some(Self::Vtu),
            _ => Self::ALL.into_iter().find(|format| format.name() == name),
        }
    }

    /// The ending of its one file; nothing for the formats that fill a folder.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Vtu | Self::Obj | Self::Ply => None,
            Self::Gltf => Some("glb"),
            Self::Usd => Some("usda"),
            Self::Npz => Some("npz"),
        }
    }
}

/// Which frames, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The first frame, counted from 0.
    pub first: usize,
    /// The last frame that may be taken; the run's last if none is given.
    pub last: Option<usize>,
    /// Takes every n-th frame from the first on; at least 1.
    pub stride: usize,
    /// Of VTU, PLY, OBJ and NPZ. By default NPZ has double and the others single precision. glTF and USD know
    /// single precision only.
    pub precision: Option<Precision>,
    /// Whether glTF carries a smooth normal for each vertex and frame, which doubles its size. Without, viewers
    /// draw flat triangles.
    pub smooth_normals: bool,
    /// Whether existing files may be replaced. A series then also loses what an earlier, longer one left.
    pub overwrite: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            first: 0,
            last: None,
            stride: 1,
            precision: None,
            smooth_normals: true,
            overwrite: false,
        }
    }
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file to open first.
    pub main: PathBuf,
    /// All files.
    pub files: Vec<PathBuf>,
    /// Frames in them.
    pub frames: usize,
    /// Bytes in them.
    pub bytes: u64,
    /// What the user should know, in sentences; mostly nothing.
    pub notes: Vec<String>,
}

/// Exports a run to `out`: a folder for VTU, OBJ and PLY, else a file, whose ending is added if it is missing.
///
/// `progress` hears how many of how many frames have been read.
///
/// # Errors
/// When there is nothing to export, when a frame cannot be read, when the format cannot hold the run, and when a
/// file cannot be written or exists already. Nothing is left behind then.
pub fn export(
    run: &dyn Frames,
    format: ExportFormat,
    out: &Path,
    options: &ExportOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Exported, ExportError> {
    let mut selection = Selection::new(run, options, progress)?;
    let out = with_extension(out, format);
    let mut staged = Staged::new(options.overwrite);
    let done = match format {
        ExportFormat::Vtu => vtu::export(&mut selection, &out, options, &mut staged)?,
        ExportFormat::Obj => obj::export(&mut selection, &out, options, &mut staged)?,
        ExportFormat::Ply => ply::export(&mut selection, &out, options, &mut staged)?,
        ExportFormat::Gltf => glb::export(&mut selection, &out, options, &mut staged)?,
        ExportFormat::Usd => usd::export(&mut selection, &out, &mut staged)?,
        ExportFormat::Npz => npz::export(&mut selection, &out, options, &mut staged)?,
    };
    let (files, bytes) = staged.publish()?;
    if let (true, Some(extension)) = (options.overwrite, done.series_extension) {
        let kept: BTreeSet<&OsStr> = files.iter().filter_map(|file| file.file_name()).collect();
        staged::remove_stale(&out, |name| {
            let stem = stem_of_frame(name, extension);
            !kept.contains(OsStr::new(name))
                && stem.is_some_and(|stem| done.series_stems.iter().any(|ours| ours == stem))
        })?;
    }
    Ok(Exported { main: done.main, files, frames: selection.len(), bytes, notes: done.notes })
}

/// What a format tells about its export.
struct Done {
    main: PathBuf,
    notes: Vec<String>,
    /// For a series: what its names begin and end with, as given to [`frame_name`].
    series_stems: Vec<String>,
    series_extension: Option<&'static str>,
}

impl Done {
    fn one(main: &Path) -> Self {
        let main = main.to_owned();
        Self { main, notes: Vec::new(), series_stems: Vec::new(), series_extension: None }
    }

    fn series(main: &Path, stems: Vec<String>, extension: &'static str) -> Self {
        Self { series_stems: stems, series_extension: Some(extension), ..Self::one(main) }
    }
}

/// `frame.0007.obj`: numbers count the frames of the run, so that exports with a stride can be compared.
fn frame_name(stem: &str, frame: usize, extension: &str) -> String {
    format!("{stem}.{frame:04}.{extension}")
}

/// The stem from which [`frame_name`] could have made this name.
fn stem_of_frame<'a>(name: &'a str, extension: &str) -> Option<&'a str> {
    let (stem, number) = name.strip_suffix(extension)?.strip_suffix('.')?.rsplit_once('.')?;
    let is_number = number.len() >= 4 && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(stem)
}

fn with_extension(out: &Path, format: ExportFormat) -> PathBuf {
    let Some(extension) = format.extension() else { return out.to_owned() };
    if out.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension)) {
        return out.to_owned();
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}
