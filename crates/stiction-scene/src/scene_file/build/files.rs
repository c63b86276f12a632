//! Files that a scene names: meshes, read, repaired, and made into what bodies need; and pictures of textures.

use std::path::{Path, PathBuf};

use stiction::body::{Gridded, Shape};
use stiction::geometry::ClosedSurface;
use stiction::geometry::distance_grid::{DistanceGrid, GridInterpolation, GridSettings};
use stiction::geometry::region::Interior;
use stiction::mesh::TetMesh;
use stiction::mesh::tetrahedralise::{Filling, tetrahedralise};

use super::super::decode::Spanned;
use super::super::format::{GridTable, InterpolationWord, MeshPath, SurfaceSolidTable};
use super::super::leaves::{Count, Name, NotNegative};
use super::super::problem::Problems;
use super::super::source::Span;
use super::size;
use crate::cache::{Cache, Kept};
use crate::mesh_file::{self, MeshFile};

/// Where files are looked for, and which were read.
pub(super) struct Inputs<'a> {
    pub(super) folder: Option<&'a Path>,
    /// What was made of them before.
    pub(super) cache: &'a Cache,
    pub(super) read: Vec<String>,
    /// What the reader should know about them.
    pub(super) notes: Vec<String>,
    /// Whether matrices will be factored.
    pub(super) direct: bool,
    /// Surfaces that were filled, by file.
    pub(super) filled: Vec<(String, Filled)>,
}

impl Inputs<'_> {
    /// What was found or made; a cache that cannot be written is worth a note, no more.
    fn kept<T>(&mut self, path: &MeshPath, what: &str, kept: Kept<T>) -> T {
        if let (Some(error), Some(folder)) = (kept.unkept, self.cache.folder()) {
            self.notes.push(format!(
                "{}: {what} could not be kept in {}, and are made anew next time: {error}; \
                 STICTION_CACHE_DIR names another folder, or none if it is empty",
                path.value,
                folder.display()
            ));
        }
        kept.value
    }
}

/// The inside of a closed surface, filled with tets.
pub(super) fn filled(
    table: &mut SurfaceSolidTable,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<TetMesh> {
    let surface = closed_surface(&table.mesh, inputs, problems)?;
    let region = Interior::new(&surface, Interior::SHARP);
    let filling = match (&table.resolution, table.edge_length) {
        (Some(resolution), Some(_)) => {
            let message = "`resolution` and `edge_length` say the same thing twice";
            problems.add(resolution.span, message, "keep one of them".to_owned());
            return None;
        }
        (None, Some(edge)) => Filling::new(edge.0),
        (resolution, None) => {
            let resolution = resolution.as_ref().map_or(RESOLUTION, |given| given.value.0);
            table.resolution.get_or_insert(Spanned { value: Count(resolution), span });
            Filling::with_resolution(&region, resolution as usize)
        }
    };
    let count = size::filled(surface.volume(), filling.edge_length);
    if !size::fits(&[(count, span)], inputs.direct, problems) {
        return None;
    }
    let make = || tetrahedralise(&region, &filling, &mut |_| ());
    let kept = inputs.cache.solid(&surface, Interior::SHARP, &filling, make);
    let mesh = inputs.kept(&table.mesh, "tetrahedra", problems.note(span, kept)?);
    let filled = Filled::of(&mesh, &surface, &filling);
    if filled.lost().abs() > LOST_REFUSED {
        let help = format!("{}; a wall or rod needs three edges across", filled.remedy(&surface));
        problems.add(span, format!("{}: {}", table.mesh.value, filled.loss()), help);
        return None;
    }
    if filled.lost().abs() > LOST_NOTED {
        let note = format!("{}: {}", table.mesh.value, filled.loss());
        inputs.notes.push(format!("{note}\n  help: {}", filled.remedy(&surface)));
    }
    inputs.filled.push((table.mesh.value.clone(), filled));
    Some(mesh)
}

/// A solid from a surface that lost, or gained, more than this share of its volume is worth a note [-].
const LOST_NOTED: f64 = 0.02;

/// With more it is another body: its mass and stiffness are not those of the surface [-].
const LOST_REFUSED: f64 = 0.2;

/// How well a solid fills the surface it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filled {
    /// Inside the surface [m³].
    pub inside: f64,
    /// Of the tetrahedra [m³].
    pub volume: f64,
    /// About how long edges were to be [m].
    pub edge_length: f64,
    /// How many tetrahedra there are.
    pub tets: usize,
}

impl Filled {
    fn of(mesh: &TetMesh, surface: &ClosedSurface, filling: &Filling) -> Self {
        let (volume, tets) = (mesh.volume(), mesh.element_count());
        let edge_length = filling.edge_length;
        let mut filled = Self { inside: surface.volume(), volume, edge_length, tets };
        // What is in two overlapping pieces was counted twice.
        if filled.lost().abs() > LOST_NOTED {
            filled.inside = surface.united_volume();
        }
        filled
    }

    /// The share of the volume that is missing; negative if there is too much [-].
    pub fn lost(&self) -> f64 {
        1.0 - self.volume / self.inside
    }

    fn loss(&self) -> String {
        let Self { inside, volume, edge_length, .. } = self;
        let (share, word) =
            (100.0 * self.lost().abs(), if self.lost() > 0.0 { "lost" } else { "added" });
        format!(
            "{share:.1} % of the volume is {word} ({volume:.3e} of {inside:.3e} m³): what is thinner than an edge of \
             {edge_length:.3e} m is not filled"
        )
    }

    /// Six edges in four times the volume over the area: six across a rod, three across a plate.
    fn remedy(&self, surface: &ClosedSurface) -> String {
        let thickness = 2.0 * self.inside / surface.area();
        let edge = (thickness / 3.0).min(0.7 * self.edge_length);
        let resolution = (surface.bounds().size().max() / edge).ceil();
        format!(
            "give its `surface` a `resolution` of {resolution} or more, or an `edge_length` of {edge:.2e} or less"
        )
    }
}

/// Edges along the longest side of a solid from a surface, unless the scene says otherwise.
const RESOLUTION: u32 = 20;

/// A closed surface on a grid.
pub(super) fn gridded(
    table: &mut GridTable,
    span: Span,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Shape> {
    let surface = closed_surface(&table.mesh, inputs, problems)?;
    let size = surface.bounds().size().max();
    let settings = GridSettings {
        resolution: table.resolution.get_or_insert(Count(64)).0 as usize,
        margin: table.margin.get_or_insert(NotNegative(0.1 * size)).0,
        interpolation: match table.interpolation.get_or_insert(InterpolationWord::Cubic) {
            InterpolationWord::Linear => GridInterpolation::Linear,
            InterpolationWord::Cubic => GridInterpolation::Cubic,
        },
    };
    let make = || DistanceGrid::from_surface(&surface, &settings);
    let kept = problems.note(span, inputs.cache.grid(&surface, &settings, make))?;
    let grid = inputs.kept(&table.mesh, "distances", kept);
    problems.note(span, Gridded::with_grid(&surface, grid)).map(Shape::Grid)
}

/// Reads a surface with an inside; repairs are noted.
fn closed_surface(
    path: &MeshPath,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<ClosedSurface> {
    let file = read_mesh(path, inputs, problems)?;
    let surface = problems.note(path.span, file.into_closed_surface())?;
    if !surface.repairs().is_clean() {
        inputs.notes.push(format!("{}: {}", path.value, surface.repairs()));
    }
    Some(surface)
}

/// Reads a mesh file, relative to the folder of the scene.
pub(super) fn read_mesh(
    path: &MeshPath,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<MeshFile> {
    let place = found(path, inputs, problems)?;
    problems.note(path.span, mesh_file::read(&place))
}

/// Where a file is that the scene names, relative to its folder; noted as one that is read.
pub(super) fn found(
    path: &Name,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<PathBuf> {
    let Some(folder) = inputs.folder else {
        let help = "save the scene to a file, beside those that it names".to_owned();
        problems.add(path.span, "a scene without a folder can read no other files", help);
        return None;
    };
    let place = folder.join(&path.value);
    if !place.is_file() {
        let message = format!("there is no file {}", place.display());
        let help = "paths are relative to the folder of the scene file".to_owned();
        problems.add(path.span, message, help);
        return None;
    }
    if !inputs.read.contains(&path.value) {
        inputs.read.push(path.value.clone());
    }
    Some(place)
}
