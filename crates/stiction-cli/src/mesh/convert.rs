//! `stiction mesh convert`: another format, scaled and repaired on the way.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use stiction::mesh::{Soup, Tags};
use stiction_scene::mesh_file::{self, MeshFile};

use super::{Target, store, with_remedy};
use crate::exit;
use crate::terminal::{Terminal, human};

/// Arguments of `stiction mesh convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArgs {
    /// The mesh to read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; its extension names the format.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Multiply all coordinates; 0.001 turns millimetres into metres.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
    /// Write the surface only: the triangles of the file, or the boundary of its tets.
    #[arg(long)]
    surface: bool,
    /// Merge vertices that are no farther apart than this, after scaling [m].
    #[arg(long, value_name = "METRES")]
    weld: Option<f64>,
    /// Drop degenerate and duplicate elements and unused vertices; turn elements the right way.
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    target: Target,
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh convert gear.vtu part.msh
  stiction mesh convert gear.stl metres.msh --scale 0.001
  stiction mesh convert gear.msh skin.obj --surface
  stiction mesh convert gear.msh old.msh --format msh22-text
  stiction mesh convert scan.ply scan.msh --weld 1e-6 --repair";

pub(super) fn run(args: &ConvertArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    if !(args.scale.is_finite() && args.scale > 0.0) {
        bail!("--scale is {}\n  help: give a finite factor above zero", args.scale);
    }
    if let Some(weld) = args.weld.filter(|w| !(w.is_finite() && *w >= 0.0)) {
        bail!("--weld is {weld}\n  help: give a finite length, zero or above [m]");
    }
    let mut mesh = mesh_file::read(&args.input).map_err(with_remedy)?;
    if mesh.vertices.is_empty() {
        bail!("{}: no vertices\n  help: was the file written to its end?", args.input.display());
    }
    for skipped in mesh.skipped.iter().filter(|s| s.kind != "points") {
        let what = format!("{} {} are left out", human::count(skipped.count), skipped.kind);
        terminal.warn(&what, None);
    }
    for x in &mut mesh.vertices {
        *x *= args.scale;
    }
    if args.surface {
        mesh = surface_of(mesh)?;
    }
    if args.weld.is_some() || args.repair {
        mesh = repaired(mesh, args, terminal);
    }
    store(&args.output, &mesh, &args.target, terminal)?;
    Ok(ExitCode::from(exit::DONE))
}

/// The triangles of the file, or the boundary of its tets, without vertices inside.
pub(super) fn surface_of(mesh: MeshFile) -> anyhow::Result<MeshFile> {
    let soup = match mesh.triangles.is_empty() {
        true => mesh.into_surface().map_err(with_remedy)?.into_soup(),
        false => mesh.into_triangle_soup().without_unused_vertices(),
    };
    Ok(MeshFile {
        vertices: soup.vertices,
        triangles: soup.elements,
        vertex_groups: soup.vertex_tags,
        triangle_groups: soup.element_tags,
        ..MeshFile::default()
    })
}

/// Repairs the tets, or the triangles where there are no tets. Triangles beside tets are marks on them;
/// their groups live on as groups of vertices.
fn repaired(mesh: MeshFile, args: &ConvertArgs, terminal: &Terminal) -> MeshFile {
    if mesh.tets.is_empty() {
        let mut soup = mended(mesh.into_triangle_soup(), args, terminal);
        if args.repair {
            soup = soup.oriented_consistently();
        }
        return MeshFile {
            vertices: soup.vertices,
            triangles: soup.elements,
            vertex_groups: without_empty(&soup.vertex_tags),
            triangle_groups: without_empty(&soup.element_tags),
            ..MeshFile::default()
        };
    }
    let mut soup = mended(mesh.into_tet_soup(), args, terminal);
    if args.repair {
        soup = soup.oriented();
    }
    MeshFile {
        vertices: soup.vertices,
        tets: soup.elements,
        vertex_groups: without_empty(&soup.vertex_tags),
        tet_groups: without_empty(&soup.element_tags),
        ..MeshFile::default()
    }
}

/// What can be mended whatever the elements are; says what changed.
fn mended<const N: usize>(mut soup: Soup<N>, args: &ConvertArgs, terminal: &Terminal) -> Soup<N> {
    let (vertices, elements) = (soup.vertices.len(), soup.elements.len());
    if let Some(tolerance) = args.weld {
        soup = soup.welded(tolerance);
        let merged = vertices - soup.vertices.len();
        terminal.note(format!("merged {}", human::plural(merged, "vertex", "vertices")));
    }
    if args.repair {
        let before = soup.vertices.len();
        soup = soup.without_degenerate().without_duplicates().without_unused_vertices();
        terminal.note(format!(
            "dropped {} and {}",
            human::plural(elements - soup.elements.len(), "element", "elements"),
            human::plural(before - soup.vertices.len(), "vertex", "vertices"),
        ));
    }
    soup
}

fn without_empty(tags: &Tags) -> Tags {
    let mut kept = Tags::new();
    for (name, ids) in tags.iter().filter(|(_, ids)| !ids.is_empty()) {
        kept.add(name, ids);
    }
    kept
}
