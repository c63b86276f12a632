//! `stiction mesh quality`: the shape of all elements, in numbers and in a picture.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use stiction::mesh::{ElementQuality, Mesh, TetMesh, TriMesh, tet_quality, triangle_quality};
use stiction_scene::mesh_file;

use super::info;
use super::picture::{self, Page};
use super::survey::Quality;
use super::with_remedy;
use crate::exit;
use crate::terminal::{Terminal, human, style};

/// Arguments of `stiction mesh quality`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct QualityArgs {
    /// Mesh file; its tets are judged, or its triangles if there are no tets.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Draw a picture too: .svg or .png.
    #[arg(short, long, value_name = "PICTURE")]
    picture: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  stiction mesh quality gear.msh
  stiction mesh quality gear.msh --picture gear.svg
  stiction mesh quality gear.msh --picture gear.png --quiet

The mean ratio compares an element's volume or area with its edges: 1 for the regular one, 0 for a flat one.
In the picture, a triangle has the colour of the worst tet that touches it.";

#[derive(Serialize)]
struct QualityData {
    file: String,
    element: &'static str,
    elements: usize,
    #[serde(flatten)]
    quality: Quality,
    picture: Option<String>,
}

pub(super) fn run(args: &QualityArgs, terminal: &Terminal) -> anyhow::Result<ExitCode> {
    let mesh = mesh_file::read(&args.file).map_err(with_remedy)?;
    let judged = match mesh.tets.is_empty() {
        true => of_surface(mesh.into_surface().map_err(with_remedy)?),
        false => of_solid(&mesh.into_tets().map_err(with_remedy)?),
    };
    let file = args.file.display().to_string();
    let Judged { element, elements, quality, mut page } = judged;
    terminal.print(format!("{}  {}", style::bold(&file), page.subtitle));
    let angle = page.angle_name;
    terminal.print(info::quality(&quality, angle));
    let worst: Vec<String> =
        quality.worst.iter().take(5).map(|(e, q)| format!("{e} ({q:.3})")).collect();
    terminal.print(format!("    worst {element}s: {}", worst.join(", ")));

    if let Some(path) = &args.picture {
        page.title =
            args.file.file_name().map_or_else(|| file.clone(), |n| n.to_string_lossy().into());
        picture::save(&page, path)?;
        terminal.note(format!("{} {}", style::good("drew"), path.display()));
    }
    let picture = args.picture.as_ref().map(|p| p.display().to_string());
    terminal.event("mesh-quality", QualityData { file, element, elements, quality, picture });
    Ok(ExitCode::from(exit::DONE))
}

struct Judged {
    element: &'static str,
    elements: usize,
    quality: Quality,
    page: Page,
}

fn of_solid(mesh: &TetMesh) -> Judged {
    let all: Vec<ElementQuality> =
        (0..mesh.element_count()).map(|e| tet_quality(&mesh.corners(e))).collect();
    let mut worst = vec![1.0_f64; mesh.vertex_count()];
    for (corners, quality) in mesh.tets().iter().zip(&all) {
        for &v in corners {
            worst[v as usize] = worst[v as usize].min(quality.mean_ratio);
        }
    }
    let boundary = mesh.boundary();
    let of_vertex = |v: u32| worst[boundary.vertices[v as usize] as usize];
    let surface_quality = (boundary.surface.triangles().iter())
        .map(|t| t.iter().map(|&v| of_vertex(v)).fold(1.0, f64::min))
        .collect();
    let size = format!(
        "{}, {}, {}",
        human::plural(mesh.vertex_count(), "vertex", "vertices"),
        human::plural(mesh.element_count(), "tet", "tets"),
        human::volume(mesh.volume()),
    );
    let page = Page {
        legend: "worst tet touching each triangle".to_owned(),
        angle_name: "dihedral",
        ..page(mesh, &all, boundary.surface, surface_quality, size)
    };
    Judged { element: "tet", elements: all.len(), quality: mesh.quality().into(), page }
}

fn of_surface(mesh: TriMesh) -> Judged {
    let all: Vec<ElementQuality> =
        (0..mesh.element_count()).map(|e| triangle_quality(&mesh.corners(e))).collect();
    let surface_quality = all.iter().map(|q| q.mean_ratio).collect();
    let size = format!(
        "{}, {}, {}",
        human::plural(mesh.vertex_count(), "vertex", "vertices"),
        human::plural(mesh.element_count(), "triangle", "triangles"),
        human::area(mesh.area()),
    );
    let quality = mesh.quality().into();
    let page = Page {
        legend: "mean ratio of each triangle".to_owned(),
        angle_name: "corner",
        ..page(&mesh.clone(), &all, mesh, surface_quality, size)
    };
    Judged { element: "triangle", elements: all.len(), quality, page }
}

fn page<const N: usize>(
    mesh: &Mesh<N>,
    all: &[ElementQuality],
    surface: TriMesh,
    surface_quality: Vec<f64>,
    subtitle: String,
) -> Page {
    let x = mesh.vertices();
    let length = |[a, b]: [u32; 2]| (x[a as usize] - x[b as usize]).norm();
    Page {
        title: String::new(),
        subtitle,
        surface,
        surface_quality,
        legend: String::new(),
        qualities: all.iter().map(|q| q.mean_ratio).collect(),
        angle_name: "",
        angles: [
            all.iter().map(|q| q.min_angle).collect(),
            all.iter().map(|q| q.max_angle).collect(),
        ],
        edges: mesh.edges().into_iter().map(length).collect(),
    }
}
