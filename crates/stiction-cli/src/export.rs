//! `stiction export`: frames for other programs.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::json;
use stiction_scene::export::{ExportFormat, ExportOptions, Precision, export};
use stiction_scene::run::RunFolder;

use crate::exit;
use crate::terminal::{Terminal, human, style};

/// Arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// Folder of the run.
    run: PathBuf,
    /// Format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: To,
    /// File or folder to write [default: beside the run's frames].
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// First frame, counted from 0.
    #[arg(long, default_value_t = 0, value_name = "FRAME")]
    first: usize,
    /// Last frame [default: the last there is].
    #[arg(long, value_name = "FRAME")]
    last: Option<usize>,
    /// Take every N-th frame.
    #[arg(long, default_value_t = 1, value_name = "N")]
    every: usize,
    /// Digits, where the format has a choice.
    #[arg(long, value_enum)]
    precision: Option<Digits>,
    /// Replace what is there already.
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  stiction export runs/twisting_bar --to vtu        ParaView: open run.pvd
  stiction export runs/twisting_bar --to gltf       Blender, three.js: an animated .glb
  stiction export runs/twisting_bar --to usd --every 2
  stiction export runs/twisting_bar --to npz --out bar.npz";

/// What to write.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// A series for ParaView.
    Vtu,
    /// A series of OBJ files.
    Obj,
    /// An animated .glb.
    #[value(alias = "glb")]
    Gltf,
    /// A .usda with time samples, for Blender and Houdini.
    #[value(alias = "usda")]
    Usd,
    /// Arrays for NumPy.
    Npz,
    /// A series of PLY files.
    Ply,
}

/// Digits of numbers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Digits {
    /// Seven.
    Single,
    /// Sixteen.
    Double,
}

/// Exports a run.
///
/// # Errors
/// When the run cannot be read, or the export not be written.
pub fn run(args: &ExportArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let format = match args.to {
        To::Vtu => ExportFormat::Vtu,
        To::Obj => ExportFormat::Obj,
        To::Gltf => ExportFormat::Gltf,
        To::Usd => ExportFormat::Usd,
        To::Npz => ExportFormat::Npz,
        To::Ply => ExportFormat::Ply,
    };
    let folder = RunFolder::open(&args.run)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let exports = args.run.join("exports");
        match format.extension() {
            None => exports.join(format.name()),
            Some(extension) => exports.join(format!("run.{extension}")),
        }
    });
    let options = ExportOptions {
        first: args.first,
        last: args.last,
        stride: args.every,
        precision: args.precision.map(|digits| match digits {
            Digits::Single => Precision::Single,
            Digits::Double => Precision::Double,
        }),
        overwrite: args.force,
        ..ExportOptions::default()
    };
    let mut progress = terminal.progress("exporting");
    let exported = export(&folder, format, &out, &options, &mut |done, of| {
        progress.set(done as f64 / of.max(1) as f64, || format!("frame {done} of {of}"));
    })?;
    drop(progress);
    for note in &exported.notes {
        terminal.warn(note, None);
    }
    terminal.event(
        "exported",
        json!({
            "format": format.name(), "main": exported.main, "files": exported.files.len(),
            "frames": exported.frames, "bytes": exported.bytes,
        }),
    );
    terminal.print(format!(
        "{}: {}, {}",
        style::bold(exported.main.display()),
        human::plural(exported.frames, "frame", "frames"),
        human::bytes(exported.bytes)
    ));
    Ok(ExitCode::from(exit::DONE))
}
