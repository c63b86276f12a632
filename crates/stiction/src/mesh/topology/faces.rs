//! Faces of tets, each once, with the one or two tets it belongs to.

use super::Adjacency;
use crate::mesh::{Boundary, Mesh, Soup, TetMesh, TriMesh};

/// Local corners of the face opposite to each corner, outward for a positive tet.
pub const TET_FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// A face of a tet mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// Corners, lowest first, turned so that the normal points out of `tet`.
    pub corners: [u32; 3],
    /// The tet it belongs to; the lower of two.
    pub tet: u32,
    /// The tet on the other side; none on the boundary.
    pub other: Option<u32>,
}

/// All faces, each once, ordered by their sorted corners.
///
/// Expects a sound mesh: positive tets, at most two to a face.
pub fn tet_faces(vertex_count: usize, tets: &[[u32; 4]]) -> Vec<Face> {
    // Under the lowest corner: the other two ascending, the tet, and whether they stood in that order.
    let sides = tets.iter().enumerate().flat_map(|(e, corners)| {
        TET_FACES.map(|face| {
            let [a, b, c] = lowest_first(face.map(|k| corners[k]));
            (a, (b.min(c), b.max(c), e as u32, b < c))
        })
    });
    let mut sides = Adjacency::grouped(vertex_count, sides);
    sides.sort_groups();
    let mut faces = Vec::with_capacity(sides.items().len() / 2 + 1);
    for a in 0..vertex_count {
        for same in sides.of(a).chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
            let (low, high, tet, ascending) = same[0];
            let corners = if ascending { [a as u32, low, high] } else { [a as u32, high, low] };
            faces.push(Face { corners, tet, other: same.get(1).map(|side| side.2) });
        }
    }
    faces
}

impl TetMesh {
    /// All faces, each once, ordered by their sorted corners.
    pub fn faces(&self) -> Vec<Face> {
        tet_faces(self.vertex_count(), self.tets())
    }

    /// The surface of the solid, outward, with the way back to the mesh.
    ///
    /// Groups of vertices are carried over; groups of tets are not.
    pub fn boundary(&self) -> Boundary {
        let outer: Vec<Face> =
            self.faces().into_iter().filter(|face| face.other.is_none()).collect();
        let mut on_surface = vec![false; self.vertex_count()];
        for &v in outer.iter().flat_map(|face| &face.corners) {
            on_surface[v as usize] = true;
        }
        let vertices: Vec<u32> =
            (0..self.vertex_count() as u32).filter(|&v| on_surface[v as usize]).collect();
        let mut surface_id = vec![None; self.vertex_count()];
        for (s, &v) in vertices.iter().enumerate() {
            surface_id[v as usize] = Some(s as u32);
        }
        let local =
            |v: u32| surface_id[v as usize].expect("corners of outer faces are on the surface");
        let mut soup = Soup::new(
            vertices.iter().map(|&v| self.vertices()[v as usize]).collect(),
            outer.iter().map(|face| face.corners.map(local)).collect(),
        );
        soup.vertex_tags = self.vertex_tags().clone();
        soup.vertex_tags.renumber(&surface_id);
        // Faces of sound tets are sound triangles (see `check`), each occurs once, all vertices are used.
        let surface: TriMesh = Mesh { soup };
        Boundary { surface, vertices, tets: outer.iter().map(|face| face.tet).collect() }
    }

    /// `V − E + F − T`: 1 for a ball, 0 for a solid torus, 2 for a ball with a cavity.
    pub fn euler_characteristic(&self) -> i64 {
        let counts =
            [self.vertex_count(), self.edges().len(), self.faces().len(), self.element_count()];
        let [v, e, f, t] = counts.map(|n| n as i64);
        v - e + f - t
    }
}

/// The same cycle, started at its lowest corner.
fn lowest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        low if low == a => [a, b, c],
        low if low == b => [b, c, a],
        _ => [c, a, b],
    }
}
