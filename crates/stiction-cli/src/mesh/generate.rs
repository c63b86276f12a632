//! `stiction mesh generate`: simple shapes, well meshed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use stiction::mesh::MeshError;
use stiction::mesh::generate::{self, CuboidSplit, Diagonals};
use stiction_scene::mesh_file::MeshFile;

use super::{Target, store};
use crate::exit;
use crate::terminal::Terminal;

/// Arguments of `stiction mesh generate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct GenerateArgs {
    #[command(subcommand)]
    kind: Kind,
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh generate box --size 0.2,0.1,0.1 --cells 8,4,4 --out box.msh
  stiction mesh generate ball --radius 0.1 --edge-length 0.02 --out ball.msh
  stiction mesh generate hollow-ball --inner-radius 0.08 --outer-radius 0.1 --out shell.msh
  stiction mesh generate cylinder --radius 0.05 --length 0.2 --out cylinder.msh
  stiction mesh generate tube --inner-radius 0.04 --outer-radius 0.05 --length 0.2 --out tube.msh
  stiction mesh generate capsule --radius 0.05 --length 0.1 --out capsule.msh
  stiction mesh generate torus --ring-radius 0.1 --tube-radius 0.03 --out torus.msh
  stiction mesh generate sheet --size 1,1 --cells 20,20 --diagonals alternating --out sheet.msh
  stiction mesh generate unstructured-sheet --size 1,0.5 --edge-length 0.05 --seed 7 --out cloth.msh
  stiction mesh generate disk --radius 0.5 --out disk.msh

Lengths are in metres. Shapes are centred at the origin; round ones have z for their axis, sheets lie in
the plane z = 0. Groups of vertices (surface, x-min, top, ...) are written with the mesh.";

#[derive(Debug, Subcommand)]
enum Kind {
    /// A box of tets. Groups: x-min, x-max, y-min, y-max, z-min, z-max.
    Box {
        /// Widths along x, y, z [m]; one number for a cube.
        #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', required = true)]
        size: Vec<f64>,
        #[command(flatten)]
        cells: Cells,
        /// How cells are split into tets.
        #[arg(long, value_enum, default_value_t)]
        split: Split,
        #[command(flatten)]
        out: Out,
    },
    /// A ball of tets. Groups: surface.
    Ball {
        /// Radius [m].
        #[arg(long, value_name = "R")]
        radius: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A ball with a cavity, of tets. Groups: inner, outer.
    HollowBall {
        /// Radius of the cavity [m].
        #[arg(long, value_name = "R")]
        inner_radius: f64,
        /// Radius of the ball [m].
        #[arg(long, value_name = "R")]
        outer_radius: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A cylinder of tets along z. Groups: bottom, top, side.
    Cylinder {
        /// Radius [m].
        #[arg(long, value_name = "R")]
        radius: f64,
        /// Length along z [m].
        #[arg(long, value_name = "L")]
        length: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A hollow cylinder of tets along z. Groups: bottom, top, inner, outer.
    Tube {
        /// Radius of the bore [m].
        #[arg(long, value_name = "R")]
        inner_radius: f64,
        /// Radius outside [m].
        #[arg(long, value_name = "R")]
        outer_radius: f64,
        /// Length along z [m].
        #[arg(long, value_name = "L")]
        length: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A capsule of tets along z: a cylinder with half balls at its ends. Groups: surface.
    Capsule {
        /// Radius [m].
        #[arg(long, value_name = "R")]
        radius: f64,
        /// Length of the cylinder between the half balls [m].
        #[arg(long, value_name = "L")]
        length: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A solid torus of tets around z. Groups: surface.
    Torus {
        /// From the axis to the middle of the tube [m].
        #[arg(long, value_name = "R")]
        ring_radius: f64,
        /// Radius of the tube [m].
        #[arg(long, value_name = "R")]
        tube_radius: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A ball of tets in layers around a hollow, alike all around. Groups: inner, outer, layer-1, layer-2, …
    LayeredBall {
        /// Radii of the layers, from the hollow outward [m].
        #[arg(long, value_name = "R,R,…", value_delimiter = ',', required = true)]
        radii: Vec<f64>,
        /// Edges a side of the twenty triangles around it.
        #[arg(long, value_name = "N")]
        cells: usize,
        #[command(flatten)]
        out: Out,
    },
    /// The lower half of a hollow ball of tets, open upward along z. Groups: inner, outer, rim.
    Bowl {
        /// Radius of the hollow [m].
        #[arg(long, value_name = "R")]
        inner_radius: f64,
        /// Radius outside [m].
        #[arg(long, value_name = "R")]
        outer_radius: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
    /// A belt of tets around two wheels on the x axis. Groups: inner, outer, bottom, top.
    Belt {
        /// Radii of the wheels, left and right [m]; one number for both.
        #[arg(long, value_name = "R,R", value_delimiter = ',', required = true)]
        radii: Vec<f64>,
        /// Between the axes of the wheels [m].
        #[arg(long, value_name = "L")]
        distance: f64,
        /// Of the belt [m].
        #[arg(long, value_name = "L")]
        thickness: f64,
        /// Along z [m].
        #[arg(long, value_name = "L")]
        width: f64,
        /// Cells along the belt, through it and across.
        #[arg(long, value_name = "N,N,N", value_delimiter = ',', required = true)]
        cells: Vec<usize>,
        #[command(flatten)]
        out: Out,
    },
    /// An open tube of triangles along z. Groups: bottom, top.
    Sleeve {
        /// Radii of bottom and top [m]; one number for both.
        #[arg(long, value_name = "R,R", value_delimiter = ',', required = true)]
        radii: Vec<f64>,
        /// Length along z [m].
        #[arg(long, value_name = "L")]
        length: f64,
        /// Cells around and along.
        #[arg(long, value_name = "N,N", value_delimiter = ',', required = true)]
        cells: Vec<usize>,
        /// Which way cells are cut.
        #[arg(long, value_enum, default_value_t)]
        diagonals: Cut,
        #[command(flatten)]
        out: Out,
    },
    /// A tank top of triangles along z. Groups: hem, straps.
    TankTop {
        /// Radii of hem and chest [m]; one number for both.
        #[arg(long, value_name = "R,R", value_delimiter = ',', required = true)]
        radii: Vec<f64>,
        /// From hem to armpit [m].
        #[arg(long, value_name = "L")]
        length: f64,
        /// Cells around and along.
        #[arg(long, value_name = "N,N", value_delimiter = ',', required = true)]
        cells: Vec<usize>,
        /// Cells across a strap.
        #[arg(long, value_name = "N")]
        strap_cells: usize,
        #[command(flatten)]
        out: Out,
    },
    /// A closed tyre of triangles around z. Groups: bead, sidewall, tread.
    Tyre {
        /// Where it meets the rim [m].
        #[arg(long, value_name = "R")]
        rim_radius: f64,
        /// To the tread [m].
        #[arg(long, value_name = "R")]
        outer_radius: f64,
        /// Along z [m].
        #[arg(long, value_name = "L")]
        width: f64,
        /// Radius of the corners of its section [m].
        #[arg(long, value_name = "R")]
        rounding: f64,
        /// Cells around the axis and around the section.
        #[arg(long, value_name = "N,N", value_delimiter = ',', required = true)]
        cells: Vec<usize>,
        #[command(flatten)]
        out: Out,
    },
    /// A sheet of regular triangles. Groups: left, right, bottom, top, corners.
    Sheet {
        /// Widths along x and y [m]; one number for a square.
        #[arg(long, value_name = "X,Y", value_delimiter = ',', required = true)]
        size: Vec<f64>,
        #[command(flatten)]
        cells: Cells,
        /// Which way cells are cut.
        #[arg(long, value_enum, default_value_t)]
        diagonals: Cut,
        #[command(flatten)]
        out: Out,
    },
    /// A sheet of irregular triangles. Groups: left, right, bottom, top, corners.
    UnstructuredSheet {
        /// Widths along x and y [m]; one number for a square.
        #[arg(long, value_name = "X,Y", value_delimiter = ',', required = true)]
        size: Vec<f64>,
        #[command(flatten)]
        edge: Edge,
        /// The same seed gives the same sheet.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        out: Out,
    },
    /// A disk of triangles. Groups: rim.
    Disk {
        /// Radius [m].
        #[arg(long, value_name = "R")]
        radius: f64,
        #[command(flatten)]
        edge: Edge,
        #[command(flatten)]
        out: Out,
    },
}

#[derive(Debug, Args)]
struct Out {
    /// The file to write; its extension names the format.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Edge {
    /// Length of edges, about [m] [default: a sixth of the thinnest part].
    #[arg(short, long, value_name = "METRES")]
    edge_length: Option<f64>,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct Cells {
    /// Cells along each axis; one number for all.
    #[arg(long, value_name = "N,N,N", value_delimiter = ',')]
    cells: Vec<usize>,
    /// Length of edges along the axes, about [m] [default: a sixth of the thinnest part].
    #[arg(short, long, value_name = "METRES")]
    edge_length: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Split {
    /// Six tets, all cells alike.
    #[default]
    Kuhn,
    /// Six tets, cells mirrored in turn: symmetric where counts are even.
    MirroredKuhn,
    /// Five tets, cells in turn: the fewest, and the best shaped.
    Five,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Cut {
    /// All alike, from lower left to upper right.
    #[default]
    Regular,
    /// In turn: no preferred diagonal.
    Alternating,
}

impl From<Cut> for Diagonals {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::Regular => Self::Regular,
            Cut::Alternating => Self::Alternating,
        }
    }
}

/// Without a wish, the thinnest part is this many edges thick.
const EDGES_ACROSS: f64 = 6.0;

pub(super) fn run(args: &GenerateArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let (mesh, out) = make(&args.kind).map_err(with_flag_names)?;
    store(&out.out, &mesh, &out.target, terminal)?;
    Ok(ExitCode::from(exit::DONE))
}

fn make(kind: &Kind) -> Result<(MeshFile, &Out), anyhow::Error> {
    Ok(match kind {
        Kind::Box { size, cells, split, out } => {
            let size: [f64; 3] = all("size", size)?;
            let split = match split {
                Split::Kuhn => CuboidSplit::Kuhn,
                Split::MirroredKuhn => CuboidSplit::MirroredKuhn,
                Split::Five => CuboidSplit::Five,
            };
            (MeshFile::from(&generate::cuboid(size, cells.along(size)?, split)?), out)
        }
        Kind::Ball { radius, edge, out } => {
            (MeshFile::from(&generate::ball(*radius, edge.or(2.0 * radius))?), out)
        }
        Kind::HollowBall { inner_radius, outer_radius, edge, out } => {
            // A wall of six layers would make a thin shell huge; two bend well enough.
            let edge = edge.edge_length.unwrap_or(0.5 * (outer_radius - inner_radius));
            (MeshFile::from(&generate::hollow_ball(*inner_radius, *outer_radius, edge)?), out)
        }
        Kind::Cylinder { radius, length, edge, out } => {
            let edge = edge.or((2.0 * radius).min(*length));
            (MeshFile::from(&generate::cylinder(*radius, *length, edge)?), out)
        }
        Kind::Tube { inner_radius, outer_radius, length, edge, out } => {
            let edge = edge.edge_length.unwrap_or(0.5 * (outer_radius - inner_radius));
            (MeshFile::from(&generate::tube(*inner_radius, *outer_radius, *length, edge)?), out)
        }
        Kind::Capsule { radius, length, edge, out } => {
            (MeshFile::from(&generate::capsule(*radius, *length, edge.or(2.0 * radius))?), out)
        }
        Kind::Torus { ring_radius, tube_radius, edge, out } => {
            let edge = edge.or(2.0 * tube_radius);
            (MeshFile::from(&generate::torus(*ring_radius, *tube_radius, edge)?), out)
        }
        Kind::LayeredBall { radii, cells, out } => {
            (MeshFile::from(&generate::layered_ball(radii, *cells)?), out)
        }
        Kind::Bowl { inner_radius, outer_radius, edge, out } => {
            let edge = edge.edge_length.unwrap_or(0.5 * (outer_radius - inner_radius));
            (MeshFile::from(&generate::bowl(*inner_radius, *outer_radius, edge)?), out)
        }
        Kind::Belt { radii, distance, thickness, width, cells, out } => {
            let (radii, cells) = (all("radii", radii)?, all("cells", cells)?);
            let belt = generate::belt(radii, *distance, *thickness, *width, cells)?;
            (MeshFile::from(&belt), out)
        }
        Kind::Sleeve { radii, length, cells, diagonals, out } => {
            let (radii, cells) = (all("radii", radii)?, all("cells", cells)?);
            let sleeve = generate::sleeve(radii, *length, cells, (*diagonals).into())?;
            (MeshFile::from(&sleeve), out)
        }
        Kind::TankTop { radii, length, cells, strap_cells, out } => {
            let (radii, cells) = (all("radii", radii)?, all("cells", cells)?);
            (MeshFile::from(&generate::tank_top(radii, *length, cells, *strap_cells)?), out)
        }
        Kind::Tyre { rim_radius, outer_radius, width, rounding, cells, out } => {
            let cells = all("cells", cells)?;
            let tyre = generate::tyre(*rim_radius, *outer_radius, *width, *rounding, cells)?;
            (MeshFile::from(&tyre), out)
        }
        Kind::Sheet { size, cells, diagonals, out } => {
            let size: [f64; 2] = all("size", size)?;
            let cells = cells.along(size)?;
            (MeshFile::from(&generate::sheet(size, cells, (*diagonals).into())?), out)
        }
        Kind::UnstructuredSheet { size, edge, seed, out } => {
            let size: [f64; 2] = all("size", size)?;
            let edge = edge.or(size[0].min(size[1]));
            (MeshFile::from(&generate::unstructured_sheet(size, edge, *seed)?), out)
        }
        Kind::Disk { radius, edge, out } => {
            (MeshFile::from(&generate::disk(*radius, edge.or(2.0 * radius))?), out)
        }
    })
}

impl Edge {
    /// The wish, or a fraction of the thinnest part [m].
    fn or(&self, thinnest: f64) -> f64 {
        self.edge_length.unwrap_or(thinnest / EDGES_ACROSS)
    }
}

impl Cells {
    /// Cells along each axis of a shape of this size [m].
    fn along<const N: usize>(&self, size: [f64; N]) -> anyhow::Result<[usize; N]> {
        if !self.cells.is_empty() {
            return all("cells", &self.cells);
        }
        let thinnest = size.iter().copied().fold(f64::INFINITY, f64::min);
        let edge = self.edge_length.unwrap_or(thinnest / EDGES_ACROSS);
        if !(edge.is_finite() && edge > 0.0) {
            anyhow::bail!("--edge-length is {edge}\n  help: give a finite length above zero [m]");
        }
        // A size that makes no sense is refused by the generator; it must not overflow before.
        Ok(size.map(|s| (s / edge).round().clamp(1.0, 1e9) as usize))
    }
}

/// One value for each axis, or one for all.
fn all<T: Copy, const N: usize>(flag: &str, values: &[T]) -> anyhow::Result<[T; N]> {
    match (values, <[T; N]>::try_from(values)) {
        (_, Ok(each)) => Ok(each),
        (&[one], Err(_)) => Ok([one; N]),
        _ => anyhow::bail!(
            "--{flag} has {} values\n  help: give {N}, separated by commas, or one for all",
            values.len()
        ),
    }
}

/// The library speaks of `edge_length`; here it is `--edge-length`.
fn with_flag_names(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<MeshError>() {
        Ok(MeshError::Argument { argument, value, help, .. }) => {
            anyhow::anyhow!(
                "--{} is {value}\n  help: {}",
                argument.replace('_', "-"),
                help.replace('_', "-")
            )
        }
        Ok(other) => other.into(),
        Err(error) => error,
    }
}
