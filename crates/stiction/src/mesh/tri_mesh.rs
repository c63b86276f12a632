//! Triangle meshes: cloth, and the surfaces of solids and obstacles.

use super::{Mesh, MeshError, TriSoup};
use crate::math::Vector3;

/// An oriented triangle surface, closed or open, not necessarily a manifold.
pub type TriMesh = Mesh<3>;

impl TriMesh {
    /// Checks the lists and keeps them: any surface will do.
    ///
    /// # Errors
    /// With all problems, if there are any; [`TriSoup`] has the repairs they mention.
    pub fn new(vertices: Vec<Vector3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        TriSoup::new(vertices, triangles).build()
    }

    /// Checks the lists and keeps them: a manifold with one side up, as cloth must be.
    ///
    /// # Errors
    /// With all problems, if there are any; [`TriSoup`] has the repairs they mention.
    pub fn cloth(vertices: Vec<Vector3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        TriSoup::new(vertices, triangles).build_cloth()
    }

    /// Corners of the triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.elements()
    }
}
