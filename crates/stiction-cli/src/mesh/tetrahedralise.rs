//! `stiction mesh tetrahedralise`: a solid from its surface.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use serde::Serialize;
use stiction::geometry::ClosedSurface;
use stiction::geometry::region::Interior;
use stiction::mesh::tetrahedralise::{Filling, tetrahedralise};
use stiction::mesh::{MeshError, TetMesh};
use stiction_scene::mesh_file::{self, MeshFile};

use super::{Target, store, with_remedy};
use crate::exit;
use crate::terminal::{Terminal, human};

/// Arguments of `stiction mesh tetrahedralise`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TetrahedraliseArgs {
    /// A closed surface: .obj, .ply, .stl, .msh, .vtk or .vtu. Small holes and the like are repaired.
    #[arg(value_name = "SURFACE")]
    surface: PathBuf,
    /// The file to write; its extension names the format.
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Edges along the longest side, about.
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "edge_length")]
    resolution: usize,
    /// Length of edges, about [m].
    #[arg(short, long, value_name = "METRES")]
    edge_length: Option<f64>,
    /// Multiply all coordinates first; 0.001 turns millimetres into metres.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
    /// Faces that turn by more have a sharp edge between them, which is kept [degrees].
    #[arg(long, value_name = "DEGREES", default_value_t = 35.0)]
    sharp: f64,
    /// How often vertices near the surface are moved to better places; 0 for the plain lattice, sharp edges cut off.
    #[arg(long, value_name = "N", default_value_t = 6)]
    rounds: usize,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh tetrahedralise bunny.obj --out bunny.msh
  stiction mesh tetrahedralise bunny.stl --scale 0.001 --resolution 12 --out small.vtu
  stiction mesh tetrahedralise bunny.ply --edge-length 0.02 --out fine.msh

Details thinner than an edge are lost. The number of tets grows with the cube of the resolution.";

pub(super) fn run(args: &TetrahedraliseArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    if !(args.scale.is_finite() && args.scale > 0.0) {
        bail!("--scale is {}\n  help: give a finite factor above zero", args.scale);
    }
    if !(args.sharp > 0.0 && args.sharp <= 180.0) {
        bail!("--sharp is {}\n  help: give an angle above 0 and up to 180 degrees", args.sharp);
    }
    if args.resolution == 0 {
        bail!("--resolution is 0\n  help: give a number above zero, 20 is usual");
    }
    let mut file = mesh_file::read(&args.surface).map_err(with_remedy)?;
    file.vertices.iter_mut().for_each(|x| *x *= args.scale);
    let surface = file.into_closed_surface().map_err(with_remedy)?;
    if !surface.repairs().is_clean() {
        terminal.warn(&format!("{}: {}", args.surface.display(), surface.repairs()), None);
    }
    let started = Instant::now();
    let region = Interior::new(&surface, args.sharp.to_radians());
    let mut filling = Filling::with_resolution(&region, args.resolution);
    filling.edge_length = args.edge_length.unwrap_or(filling.edge_length);
    filling.rounds = args.rounds;
    let mut progress = terminal.progress("filling");
    let mesh = tetrahedralise(&region, &filling, &mut |done| progress.set(done, String::new));
    drop(progress);
    let mesh = mesh.map_err(with_flag_names)?;
    store(&args.out, &MeshFile::from(&mesh), &args.target, terminal)?;
    report(&mesh, &surface, started.elapsed().as_secs_f64(), terminal);
    Ok(ExitCode::from(exit::DONE))
}

/// How good the mesh is, and how near to its surface.
fn report(mesh: &TetMesh, surface: &ClosedSurface, seconds: f64, terminal: &Terminal) {
    let quality = mesh.quality();
    let edge = mesh.edge_lengths().mean;
    let filled = Filled {
        seconds,
        smallest_angle: quality.min_angle.min.to_degrees(),
        largest_angle: quality.max_angle.max.to_degrees(),
        mean_ratio: quality.mean_ratio.min,
        radius_ratio: quality.radius_ratio.min,
        edge_length: edge,
        hausdorff: surface.hausdorff(&mesh.boundary().surface),
        volume: mesh.volume(),
        volume_error: mesh.volume() / surface.volume() - 1.0,
    };
    terminal.print(format!("{quality}"));
    terminal.print(format!(
        "  volume {:.4e} m³, {:+.2} % of that inside the surface",
        filled.volume,
        100.0 * filled.volume_error
    ));
    terminal.print(format!(
        "  distance from the surface: {:.2e} m at most, {:.2} edges",
        filled.hausdorff,
        filled.hausdorff / edge
    ));
    terminal.print(format!("  filled in {}", human::duration(seconds)));
    if filled.volume_error.abs() > 0.02 {
        let message = format!(
            "{:.1} % of the volume is not that of the surface",
            100.0 * filled.volume_error.abs()
        );
        terminal.warn(
            &message,
            Some("give a finer --resolution: what is thinner than an edge is lost"),
        );
    }
    terminal.event("mesh-filled", filled);
}

#[derive(Serialize)]
struct Filled {
    seconds: f64,
    smallest_angle: f64,
    largest_angle: f64,
    mean_ratio: f64,
    radius_ratio: f64,
    edge_length: f64,
    hausdorff: f64,
    volume: f64,
    volume_error: f64,
}

/// The library speaks of `edge_length`; here it is `--edge-length`.
fn with_flag_names(error: MeshError) -> anyhow::Error {
    match error {
        MeshError::Argument { value, help, .. } => {
            anyhow::anyhow!(
                "the edge length is {value}\n  help: {help} (--edge-length, --resolution)"
            )
        }
        other => other.into(),
    }
}
