//! Cells of VTK, legacy and XML: connectivity to elements, cell arrays to groups.

use super::MeshFile;
use super::error::Fault;
use super::groups::{self, Groups};
use super::shape::Shape;

/// Cells read so far, and which elements each became.
#[derive(Default)]
pub(super) struct Cells {
    triangles: Vec<[u32; 2]>,
    tets: Vec<[u32; 2]>,
    corners: Vec<u32>,
    triangle_groups: Groups,
    tet_groups: Groups,
}

/// The vertices that ids speak of: `count` from `first` on.
#[derive(Clone, Copy)]
pub(super) struct Vertices {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl Cells {
    pub(super) fn len(&self) -> usize {
        self.tets.len()
    }

    pub(super) fn add(
        &mut self,
        file: &mut MeshFile,
        shape: Shape,
        ids: &[i64],
        vertices: Vertices,
    ) -> Result<(), Fault> {
        self.corners.clear();
        for &id in ids {
            if id < 0 || id >= vertices.count as i64 {
                let element = if shape == Shape::Tet { "a tet" } else { "a cell" };
                return Err(Fault::OutOfRange { element, id, vertex_count: vertices.count });
            }
            self.corners.push((vertices.first + id as usize) as u32);
        }
        let starts = [file.triangles.len() as u32, file.tets.len() as u32];
        file.add(shape, &self.corners)?;
        self.triangles.push([starts[0], file.triangles.len() as u32]);
        self.tets.push([starts[1], file.tets.len() as u32]);
        Ok(())
    }

    /// Adds cells whose ids end at `ends` in `connectivity`.
    pub(super) fn add_all(
        &mut self,
        file: &mut MeshFile,
        connectivity: &[i64],
        ends: &[i64],
        shapes: impl Iterator<Item = Shape>,
        vertices: Vertices,
    ) -> Result<(), Fault> {
        let mut start = 0;
        for (cell, (&end, shape)) in ends.iter().zip(shapes).enumerate() {
            let ids = usize::try_from(end).ok().and_then(|end| connectivity.get(start..end));
            let Some(ids) = ids else {
                let length = connectivity.len();
                let what =
                    format!("cell {cell} ends at {end}, but begins at {start} of {length} ids");
                return Err(Fault::Contradiction { what });
            };
            self.add(file, shape, ids, vertices)?;
            start += ids.len();
        }
        Ok(())
    }

    /// Makes groups of an array with one value a cell, for the cells from `first` on.
    pub(super) fn group_by(&mut self, array: &str, values: &[i64], first: usize) {
        groups::by_value(&mut self.triangle_groups, array, values, &self.triangles[first..]);
        groups::by_value(&mut self.tet_groups, array, values, &self.tets[first..]);
    }

    pub(super) fn finish(self, file: &mut MeshFile) {
        file.triangle_groups = self.triangle_groups.finish();
        file.tet_groups = self.tet_groups.finish();
    }
}
