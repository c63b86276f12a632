//! Tetrahedral and triangle meshes: checked once, then trusted.
//!
//! Raw lists of vertices and elements are a [`Soup`]; it may be repaired. [`TetMesh::new`] and
//! [`TriMesh::new`] parse it into a [`Mesh`] that cannot be wrong, or say everything that is wrong with it.
//! Kernels that take a mesh need no checks of their own.
//!
//! Conventions, held by every function here:
//!
//! - Lengths are in metres; ids are `u32`, counted from zero.
//! - A tet `[0, 1, 2, 3]` is positive: `det[x1 − x0, x2 − x0, x3 − x0] > 0`.
//! - A triangle's normal is `(x1 − x0) × (x2 − x0)`; on the surface of a solid it points outward.
//! - Lists that come out of topology are sorted, so that the same mesh always gives the same bits.

mod check;
mod error;
pub mod generate;
mod measure;
mod quality;
mod selection;
mod soup;
mod tags;
mod tet_mesh;
pub mod tetrahedralise;
pub mod topology;
mod transform;
mod tri_mesh;
mod weld;

pub use error::{MeshError, Problem, Sample};
pub use measure::{BoundingBox, EdgeLengths, tet_volume, triangle_area, triangle_normal};
pub use quality::{ElementQuality, QualityReport, Spread, tet_quality, triangle_quality};
pub use selection::{Selectable, Selection, SelectionError};
pub use soup::{Soup, TetSoup, TriSoup};
pub use tags::Tags;
pub use tet_mesh::{Boundary, TetMesh};
pub use transform::Transform;
pub use tri_mesh::TriMesh;

use crate::math::Vector3;

/// A checked mesh of simplices with `N` corners; see [`TetMesh`] and [`TriMesh`].
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh<const N: usize> {
    // Only constructors that checked it, or that derive it from a checked mesh, write here.
    soup: Soup<N>,
}

impl<const N: usize> Mesh<N> {
    /// Positions of the vertices [m].
    pub fn vertices(&self) -> &[Vector3] {
        &self.soup.vertices
    }

    /// Corners of the elements.
    pub fn elements(&self) -> &[[u32; N]] {
        &self.soup.elements
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.soup.vertices.len()
    }

    /// How many elements there are.
    pub fn element_count(&self) -> usize {
        self.soup.elements.len()
    }

    /// Positions of the corners of element `e` [m].
    pub fn corners(&self, e: usize) -> [Vector3; N] {
        self.soup.elements[e].map(|v| self.soup.vertices[v as usize])
    }

    /// Named groups of vertices.
    pub fn vertex_tags(&self) -> &Tags {
        &self.soup.vertex_tags
    }

    /// Named groups of elements.
    pub fn element_tags(&self) -> &Tags {
        &self.soup.element_tags
    }

    /// Names a group of vertices; adds to the group if it exists.
    ///
    /// # Errors
    /// When an id is out of range. The mesh is then unchanged.
    pub fn tag_vertices(&mut self, name: &str, ids: &[u32]) -> Result<(), MeshError> {
        check::tag_in_range::<N>(name, ids, self.vertex_count(), "vertex")?;
        self.soup.vertex_tags.add(name, ids);
        Ok(())
    }

    /// Names a group of elements; adds to the group if it exists.
    ///
    /// # Errors
    /// When an id is out of range. The mesh is then unchanged.
    pub fn tag_elements(&mut self, name: &str, ids: &[u32]) -> Result<(), MeshError> {
        check::tag_in_range::<N>(name, ids, self.element_count(), check::element_name(N))?;
        self.soup.element_tags.add(name, ids);
        Ok(())
    }

    /// Back to raw lists, for repairs and edits.
    pub fn into_soup(self) -> Soup<N> {
        self.soup
    }

    /// Puts `other` beside this mesh: its vertices and elements follow ours, groups of the same name unite.
    ///
    /// Nothing is glued; [`Soup::welded`] does that.
    ///
    /// # Errors
    /// When the two together have more vertices or elements than a `u32` can count.
    pub fn append(&mut self, other: &Self) -> Result<(), MeshError> {
        let vertex_offset = self.vertex_count();
        let element_offset = self.element_count();
        check::countable::<N>(
            vertex_offset + other.vertex_count(),
            element_offset + other.element_count(),
        )?;
        let shift = |corners: &[u32; N]| corners.map(|v| v + vertex_offset as u32);
        self.soup.vertices.extend_from_slice(other.vertices());
        self.soup.elements.extend(other.elements().iter().map(shift));
        self.soup.vertex_tags.append(other.vertex_tags(), vertex_offset as u32);
        self.soup.element_tags.append(other.element_tags(), element_offset as u32);
        Ok(())
    }
}
