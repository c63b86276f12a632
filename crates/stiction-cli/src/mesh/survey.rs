//! Everything there is to know about a mesh file, measured; `info` shows it.
//!
//! The file is taken as a scene would take it: tets oriented, unused vertices left out. Where even that is
//! refused, the sound elements are still measured, so that a broken mesh can be judged too.

use std::path::Path;

use serde::Serialize;
use stiction::mesh::{QualityReport, Spread, Tags, TetMesh, TetSoup, TriMesh, TriSoup};
use stiction_scene::mesh_file::{self, MeshFile};

use super::problems::{Finding, findings};
use super::{format_name, with_remedy};

/// What a mesh file holds.
#[derive(Debug, Serialize)]
pub(super) struct Survey {
    pub(super) file: String,
    pub(super) format: &'static str,
    pub(super) bytes: u64,
    pub(super) vertices: usize,
    pub(super) tets: usize,
    pub(super) triangles: usize,
    pub(super) skipped: Vec<Skipped>,
    pub(super) groups: Vec<Group>,
    /// Of all vertices; none when there are none.
    pub(super) bounds: Option<Bounds>,
    pub(super) solid: Option<Solid>,
    pub(super) surface: Option<Surface>,
    pub(super) problems: Vec<Finding>,
}

/// Elements that were left out.
#[derive(Debug, Serialize)]
pub(super) struct Skipped {
    pub(super) kind: &'static str,
    pub(super) count: usize,
}

/// A named group.
#[derive(Debug, Serialize)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) of: &'static str,
    pub(super) count: usize,
}

/// The box around all vertices [m].
#[derive(Debug, Serialize)]
pub(super) struct Bounds {
    pub(super) min: [f64; 3],
    pub(super) max: [f64; 3],
}

/// The tets.
#[derive(Debug, Serialize)]
pub(super) struct Solid {
    pub(super) volume: f64,
    pub(super) surface_area: f64,
    pub(super) surface_triangles: usize,
    pub(super) pieces: usize,
    pub(super) edge_length: Range,
    pub(super) quality: Quality,
}

/// The triangles of the file.
#[derive(Debug, Serialize)]
pub(super) struct Surface {
    pub(super) area: f64,
    pub(super) closed: bool,
    pub(super) rim_edges: usize,
    /// Neighbours agree on a side.
    pub(super) oriented: bool,
    /// Of a closed, oriented surface: positive when normals point outward.
    pub(super) enclosed_volume: Option<f64>,
    pub(super) pieces: usize,
    pub(super) edge_length: Range,
    pub(super) quality: Quality,
}

/// Least, mean and greatest.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Range {
    pub(super) min: f64,
    pub(super) mean: f64,
    pub(super) max: f64,
}

/// Shapes of the elements; see the library's `QualityReport`.
#[derive(Debug, Serialize)]
pub(super) struct Quality {
    pub(super) mean_ratio: Range,
    pub(super) radius_ratio: Range,
    pub(super) min_angle: Range,
    pub(super) max_angle: Range,
    pub(super) aspect: Range,
    /// Elements by mean ratio, in ten bins from 0 to 1.
    pub(super) histogram: [usize; 10],
    /// Elements of least mean ratio, worst first.
    pub(super) worst: Vec<(u32, f64)>,
}

impl Survey {
    /// Reads and measures a file.
    pub(super) fn of_file(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::metadata(path).map_or(0, |m| m.len());
        let mesh = mesh_file::read(path).map_err(with_remedy)?;
        Ok(Self::of(&path.display().to_string(), format_name(path), bytes, &mesh))
    }

    fn of(file: &str, format: &'static str, bytes: u64, mesh: &MeshFile) -> Self {
        let mut problems = Vec::new();
        let solid = (!mesh.tets.is_empty())
            .then(|| solid(mesh.clone().into_tet_soup(), file, &mut problems))
            .flatten();
        // Triangles beside tets are marks on their surface, but a surface all the same.
        let surface = (!mesh.triangles.is_empty())
            .then(|| {
                surface(
                    mesh.clone().into_triangle_soup(),
                    mesh.tets.is_empty(),
                    file,
                    &mut problems,
                )
            })
            .flatten();
        for skipped in mesh.skipped.iter().filter(|s| s.solid) {
            problems.push(Finding {
                what: format!("{} {} that we cannot use", skipped.count, skipped.kind),
                help: "mesh the whole volume with first-order tets".to_owned(),
                refused: true,
            });
        }
        let skipped = |s: &mesh_file::Skipped| Skipped { kind: s.kind, count: s.count };
        Self {
            file: file.to_owned(),
            format,
            bytes,
            vertices: mesh.vertices.len(),
            tets: mesh.tets.len(),
            triangles: mesh.triangles.len(),
            skipped: marks_aside(mesh).map(skipped).collect(),
            groups: groups(mesh),
            bounds: bounds(mesh),
            solid,
            surface,
            problems,
        }
    }
}

fn groups(mesh: &MeshFile) -> Vec<Group> {
    let kinds: [(&Tags, &str); 3] = [
        (&mesh.vertex_groups, "vertices"),
        (&mesh.triangle_groups, "triangles"),
        (&mesh.tet_groups, "tets"),
    ];
    let mut groups = Vec::new();
    for (tags, of) in kinds {
        let group =
            |(name, ids): (&str, &[u32])| Group { name: name.to_owned(), of, count: ids.len() };
        groups.extend(tags.iter().map(group));
    }
    groups
}

fn bounds(mesh: &MeshFile) -> Option<Bounds> {
    let first = mesh.vertices.first()?;
    let (min, max) =
        mesh.vertices.iter().fold((*first, *first), |(min, max), x| (min.inf(x), max.sup(x)));
    Some(Bounds { min: min.into(), max: max.into() })
}

fn solid(soup: TetSoup, file: &str, problems: &mut Vec<Finding>) -> Option<Solid> {
    if let Err(error) = soup.clone().build() {
        problems.extend(findings(error, file));
    }
    let usable = soup.oriented().without_unused_vertices();
    let mesh = usable.clone().build().or_else(|_| {
        usable.without_degenerate().without_duplicates().without_unused_vertices().build()
    });
    mesh.ok().map(|mesh: TetMesh| {
        let boundary = mesh.boundary().surface;
        Solid {
            volume: mesh.volume(),
            surface_area: boundary.area(),
            surface_triangles: boundary.element_count(),
            pieces: mesh.components().count,
            edge_length: edge_length(&mesh),
            quality: mesh.quality().into(),
        }
    })
}

fn surface(soup: TriSoup, alone: bool, file: &str, problems: &mut Vec<Finding>) -> Option<Surface> {
    // Beside tets, vertices that no triangle uses are those inside.
    let tested = if alone { soup.clone() } else { soup.clone().without_unused_vertices() };
    if let Err(error) = tested.build_cloth() {
        problems.extend(findings(error, file));
    }
    let usable = soup.without_unused_vertices();
    let mesh = usable.clone().build().or_else(|_| {
        usable.without_degenerate().without_duplicates().without_unused_vertices().build()
    });
    mesh.ok().map(|mesh: TriMesh| {
        let edges = mesh.surface_edges();
        let sides = |k: usize| edges.sides(k);
        let closed = (0..edges.len()).all(|k| sides(k).len() == 2);
        let oriented =
            (0..edges.len()).all(|k| !matches!(sides(k), [a, b] if a.forward == b.forward));
        Surface {
            area: mesh.area(),
            closed,
            rim_edges: (0..edges.len()).filter(|&k| sides(k).len() == 1).count(),
            oriented,
            enclosed_volume: (closed && oriented).then(|| mesh.enclosed_volume()),
            pieces: mesh.components().count,
            edge_length: edge_length(&mesh),
            quality: mesh.quality().into(),
        }
    })
}

fn edge_length<const N: usize>(mesh: &stiction::mesh::Mesh<N>) -> Range {
    let lengths = mesh.edge_lengths();
    Range { min: lengths.min, mean: lengths.mean, max: lengths.max }
}

impl From<Spread> for Range {
    fn from(spread: Spread) -> Self {
        Self { min: spread.min, mean: spread.mean, max: spread.max }
    }
}

impl From<QualityReport> for Quality {
    fn from(report: QualityReport) -> Self {
        Self {
            mean_ratio: report.mean_ratio.into(),
            radius_ratio: report.radius_ratio.into(),
            min_angle: report.min_angle.into(),
            max_angle: report.max_angle.into(),
            aspect: report.aspect.into(),
            histogram: report.histogram,
            worst: report.worst,
        }
    }
}

/// What was left out, without points: they only mark vertices, whose groups we have.
fn marks_aside(mesh: &MeshFile) -> impl Iterator<Item = &mesh_file::Skipped> {
    mesh.skipped.iter().filter(|s| s.kind != "points")
}
