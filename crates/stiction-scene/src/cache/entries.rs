//! What is kept: grids of distances, and solids that fill surfaces.

use std::io;

use stiction::geometry::ClosedSurface;
use stiction::geometry::distance_grid::{DistanceGrid, GridInterpolation, GridSettings};
use stiction::math::Vector3;
use stiction::mesh::tetrahedralise::Filling;
use stiction::mesh::{TetMesh, TetSoup};

use super::Cache;
use super::bytes::{Reader, Writer};

/// Smaller grids are made in less than a tenth of a second, and not worth a file [nodes].
const SMALLEST_GRID: usize = 100_000;

/// The same for solids [tets].
const SMALLEST_SOLID: usize = 5_000;

/// What was asked for, and why it could not be kept for the next time, if so.
pub(crate) struct Kept<T> {
    pub(crate) value: T,
    pub(crate) unkept: Option<io::Error>,
}

impl Cache {
    /// The distances of a surface, from the disk or by `make`.
    pub(crate) fn grid<E>(
        &self,
        surface: &ClosedSurface,
        settings: &GridSettings,
        make: impl FnOnce() -> Result<DistanceGrid, E>,
    ) -> Result<Kept<DistanceGrid>, E> {
        let GridSettings { resolution, margin, interpolation } = *settings;
        let mut inputs = of_surface("distance grid", surface);
        inputs.word(resolution as u64).number(margin).word(word_of(interpolation));
        let found = self.get(&inputs.0).and_then(|bytes| read_grid(&bytes, interpolation));
        self.found_or_made(&inputs, found, make, |grid| {
            (grid.values().len() >= SMALLEST_GRID).then(|| write_grid(grid))
        })
    }

    /// The tets that fill a surface, from the disk or by `make`.
    pub(crate) fn solid<E>(
        &self,
        surface: &ClosedSurface,
        sharp: f64,
        filling: &Filling,
        make: impl FnOnce() -> Result<TetMesh, E>,
    ) -> Result<Kept<TetMesh>, E> {
        let Filling { edge_length, rounds } = *filling;
        let mut inputs = of_surface("solid", surface);
        inputs.number(sharp).number(edge_length).word(rounds as u64);
        let found = self.get(&inputs.0).and_then(|bytes| read_mesh(&bytes));
        self.found_or_made(&inputs, found, make, |mesh| {
            (mesh.element_count() >= SMALLEST_SOLID).then(|| write_mesh(mesh))
        })
    }

    fn found_or_made<T, E>(
        &self,
        inputs: &Writer,
        found: Option<T>,
        make: impl FnOnce() -> Result<T, E>,
        write: impl FnOnce(&T) -> Option<Writer>,
    ) -> Result<Kept<T>, E> {
        if let Some(value) = found {
            return Ok(Kept { value, unkept: None });
        }
        let value = make()?;
        let bytes = if self.folder().is_some() { write(&value) } else { None };
        let unkept = bytes.and_then(|bytes| self.put(&inputs.0, &bytes.0).err());
        Ok(Kept { value, unkept })
    }
}

/// What all entries are made of: who makes them, what they are, and from which surface, after repairs.
fn of_surface(what: &str, surface: &ClosedSurface) -> Writer {
    let mut inputs = Writer::default();
    inputs.block(env!("CARGO_PKG_VERSION").as_bytes()).word(METHOD).block(what.as_bytes());
    // Where the surface has cracks, or not, it is asked in different ways.
    inputs.word(surface.repairs().open_edges as u64);
    inputs.numbers(coordinates(surface.vertices()));
    inputs.indices(surface.triangles().as_flattened());
    inputs
}

/// To be raised whenever other bits come out of the same inputs within a version.
const METHOD: u64 = 1;

fn coordinates(vertices: &[Vector3]) -> impl ExactSizeIterator<Item = f64> + '_ {
    (0..3 * vertices.len()).map(|k| vertices[k / 3][k % 3])
}

fn vectors(coordinates: &[f64]) -> Vec<Vector3> {
    coordinates.chunks_exact(3).map(Vector3::from_column_slice).collect()
}

fn word_of(interpolation: GridInterpolation) -> u64 {
    match interpolation {
        GridInterpolation::Linear => 1,
        GridInterpolation::Cubic => 3,
    }
}

fn write_grid(grid: &DistanceGrid) -> Writer {
    let mut out = Writer::default();
    grid.origin().iter().for_each(|c| {
        out.number(*c);
    });
    out.number(grid.spacing());
    grid.counts().iter().for_each(|n| {
        out.word(*n as u64);
    });
    out.numbers(grid.values().iter().copied());
    out
}

fn read_grid(bytes: &[u8], interpolation: GridInterpolation) -> Option<DistanceGrid> {
    let mut from = Reader(bytes);
    let origin = Vector3::new(from.number()?, from.number()?, from.number()?);
    let spacing = from.number()?;
    let mut count = || usize::try_from(from.word()?).ok();
    let counts = [count()?, count()?, count()?];
    let values = from.numbers()?;
    DistanceGrid::from_values(origin, spacing, counts, values, interpolation).ok()
}

fn write_mesh(mesh: &TetMesh) -> Writer {
    let mut out = Writer::default();
    out.numbers(coordinates(mesh.vertices())).indices(mesh.elements().as_flattened());
    for tags in [mesh.vertex_tags(), mesh.element_tags()] {
        out.word(tags.len() as u64);
        for (name, ids) in tags.iter() {
            out.block(name.as_bytes()).indices(ids);
        }
    }
    out
}

fn read_mesh(bytes: &[u8]) -> Option<TetMesh> {
    let mut from = Reader(bytes);
    let vertices = vectors(&from.numbers()?);
    let mut soup = TetSoup::new(vertices, from.indices()?.as_chunks().0.to_vec());
    for tags in [&mut soup.vertex_tags, &mut soup.element_tags] {
        for _ in 0..from.word()? {
            tags.add(str::from_utf8(from.block()?).ok()?, &from.indices()?);
        }
    }
    soup.build().ok()
}
