//! Pieces of a mesh that hang together by shared vertices.

use crate::mesh::Mesh;
use crate::union_find::UnionFind;

/// The connected pieces of a mesh, numbered by their lowest vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// How many pieces there are.
    pub count: usize,
    /// The piece of each vertex.
    pub of_vertex: Vec<u32>,
    /// The piece of each element.
    pub of_element: Vec<u32>,
}

impl<const N: usize> Mesh<N> {
    /// The connected pieces.
    pub fn components(&self) -> Components {
        let mut pieces = UnionFind::new(self.vertex_count());
        for corners in self.elements() {
            for &v in &corners[1..] {
                pieces.unite(corners[0], v);
            }
        }
        let mut count = 0;
        let mut of_vertex = vec![0u32; self.vertex_count()];
        for v in 0..self.vertex_count() as u32 {
            let root = pieces.root(v);
            of_vertex[v as usize] = if root == v {
                count += 1;
                count - 1
            } else {
                of_vertex[root as usize]
            };
        }
        let of_element =
            self.elements().iter().map(|corners| of_vertex[corners[0] as usize]).collect();
        Components { count: count as usize, of_vertex, of_element }
    }
}
