//! Tetrahedral meshes: solids.

use super::{Mesh, MeshError, TetSoup, TriMesh};
use crate::math::Vector3;

/// A solid made of positive tets, at most two to a face.
pub type TetMesh = Mesh<4>;

/// The surface of a solid, and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The surface, closed, normals outward.
    pub surface: TriMesh,
    /// The mesh vertex of each surface vertex, ascending.
    pub vertices: Vec<u32>,
    /// The tet behind each surface triangle.
    pub tets: Vec<u32>,
}

impl TetMesh {
    /// Checks the lists and keeps them.
    ///
    /// # Errors
    /// With all problems, if there are any; [`TetSoup`] has the repairs they mention.
    pub fn new(vertices: Vec<Vector3>, tets: Vec<[u32; 4]>) -> Result<Self, MeshError> {
        TetSoup::new(vertices, tets).build()
    }

    /// Corners of the tets.
    pub fn tets(&self) -> &[[u32; 4]] {
        self.elements()
    }
}
