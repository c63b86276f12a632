//! `stiction mesh`: look at, convert, generate, fill and judge meshes.

mod convert;
mod generate;
mod info;
mod picture;
mod problems;
mod quality;
mod survey;
mod tetrahedralise;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use stiction_scene::export::OutputError;
use stiction_scene::mesh_file::write::{self, WriteError, WriteFormat};
use stiction_scene::mesh_file::{Fault, Format, MeshFile, MeshFileError};

use crate::terminal::{Terminal, human, style};

/// Arguments of `stiction mesh`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub struct MeshArgs {
    #[command(subcommand)]
    command: MeshCommand,
}

#[derive(Debug, Subcommand)]
enum MeshCommand {
    /// Say what mesh files hold, how good it is, and what is wrong with it.
    Info(info::InfoArgs),
    /// Write a mesh in another format; scale and repair it on the way.
    Convert(convert::ConvertArgs),
    /// Make a mesh of a simple shape.
    Generate(generate::GenerateArgs),
    /// Fill a closed surface with tets.
    Tetrahedralise(tetrahedralise::TetrahedraliseArgs),
    /// Judge the shape of all elements, in numbers and in a picture.
    Quality(quality::QualityArgs),
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh generate torus --ring-radius 0.1 --tube-radius 0.03 --out torus.msh
  stiction mesh info torus.msh
  stiction mesh tetrahedralise bunny.obj --out bunny.msh
  stiction mesh quality torus.msh --picture torus.png
  stiction mesh convert torus.msh skin.obj --surface";

/// Does what was asked.
///
/// # Errors
/// When a file cannot be read or written, or holds no mesh.
pub fn run(args: &MeshArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    match &args.command {
        MeshCommand::Info(args) => info::run(args, terminal),
        MeshCommand::Convert(args) => convert::run(args, terminal),
        MeshCommand::Generate(args) => generate::run(args, terminal),
        MeshCommand::Tetrahedralise(args) => tetrahedralise::run(args, terminal),
        MeshCommand::Quality(args) => quality::run(args, terminal),
    }
}

/// The format of a file by its beginning and its name, in words.
fn format_name(path: &Path) -> &'static str {
    let mut start = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ele")) {
        return "TetGen";
    }
    match Format::detect(&path.to_string_lossy(), &start[..read]) {
        Some(Format::Gmsh) => "Gmsh",
        Some(Format::Vtk) => "legacy VTK",
        Some(Format::Vtu) => "VTU",
        Some(Format::Obj) => "OBJ",
        Some(Format::Stl) => "STL",
        Some(Format::Ply) => "PLY",
        Some(Format::TetgenNode) => "TetGen",
        None => "unknown",
    }
}

/// The same error, with remedies a user of the command can follow where the library speaks of functions.
fn with_remedy(error: MeshFileError) -> anyhow::Error {
    match error.fault {
        Fault::Broken(_) => anyhow::anyhow!(
            "{0}: the elements make no sound mesh\n  help: `stiction mesh info {0}` says what is wrong and how to \
             repair it",
            error.file
        ),
        _ => error.into(),
    }
}

/// Where a mesh is written, and how.
#[derive(Debug, Args)]
struct Target {
    /// The format, where the name does not say it.
    #[arg(long, value_enum)]
    format: Option<FormatChoice>,
    /// Replace the file if it exists.
    #[arg(short, long)]
    force: bool,
}

/// The formats we write.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatChoice {
    /// Gmsh 4.1, binary; `.msh` by default.
    Msh,
    /// Gmsh 4.1, text.
    MshText,
    /// Gmsh 2.2, binary, for older programs.
    Msh22,
    /// Gmsh 2.2, text.
    Msh22Text,
    /// VTK, legacy.
    Vtk,
    /// VTK's XML.
    Vtu,
    /// Wavefront; the surface only.
    Obj,
    /// Stereolithography; the surface only.
    Stl,
    /// Stanford; the surface only.
    Ply,
    /// TetGen's `.node` and `.ele`.
    Tetgen,
}

impl From<FormatChoice> for WriteFormat {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::Msh => Self::Gmsh41 { text: false },
            FormatChoice::MshText => Self::Gmsh41 { text: true },
            FormatChoice::Msh22 => Self::Gmsh22 { text: false },
            FormatChoice::Msh22Text => Self::Gmsh22 { text: true },
            FormatChoice::Vtk => Self::Vtk,
            FormatChoice::Vtu => Self::Vtu,
            FormatChoice::Obj => Self::Obj,
            FormatChoice::Stl => Self::Stl,
            FormatChoice::Ply => Self::Ply,
            FormatChoice::Tetgen => Self::Tetgen,
        }
    }
}

/// Writes a mesh file, says so, and says what its format could not keep.
fn store(path: &Path, mesh: &MeshFile, target: &Target, terminal: &Terminal) -> anyhow::Result<()> {
    let Some(format) = target.format.map(Into::into).or(WriteFormat::of_path(path)) else {
        bail!(
            "{}: not a format we write\n  help: end the name with .msh, .vtk, .vtu, .obj, .stl, .ply or .node, or \
             give --format",
            path.display()
        );
    };
    let written = match write::write(path, mesh, format, target.force) {
        Err(WriteError::Output(OutputError::Exists { path })) => bail!(
            "{} exists\n  help: choose another name, or replace it with --force",
            path.display()
        ),
        result => result?,
    };
    if !written.lost.is_empty() {
        let lost = format!("{} has no place for {}", path.display(), written.lost.join(", "));
        terminal.warn(&lost, Some("write .msh to keep all groups"));
    }
    // What these formats hold of a solid is its surface.
    let kept = match format {
        WriteFormat::Obj | WriteFormat::Stl | WriteFormat::Ply if !mesh.tets.is_empty() => {
            &convert::surface_of(mesh.clone())?
        }
        _ => mesh,
    };
    let (vertices, tets, triangles) = (kept.vertices.len(), kept.tets.len(), kept.triangles.len());
    let elements = match tets {
        0 => human::plural(triangles, "triangle", "triangles"),
        _ => human::plural(tets, "tet", "tets"),
    };
    let file = path.display().to_string();
    let vertex_words = human::plural(vertices, "vertex", "vertices");
    terminal.print(format!("{} {vertex_words}, {elements} to {file}", style::good("wrote")));
    terminal.event(
        "mesh-written",
        Written { file, format: format_name(path), vertices, tets, triangles },
    );
    Ok(())
}

#[derive(Serialize)]
struct Written {
    file: String,
    format: &'static str,
    vertices: usize,
    tets: usize,
    triangles: usize,
}
