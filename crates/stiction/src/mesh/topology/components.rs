//! Pieces of a mesh that hang together by shared vertices.

use crate::mesh::Mesh;

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

/// Disjoint sets; the lowest member of a set is its root.
pub(in crate::mesh) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub(in crate::mesh) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The root of `v`; halves the path on the way.
    pub(in crate::mesh) fn root(&mut self, mut v: u32) -> u32 {
        let parent = &mut self.parent;
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }

    pub(in crate::mesh) fn unite(&mut self, v: u32, w: u32) {
        let (a, b) = (self.root(v), self.root(w));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    pub(in crate::mesh) fn piece_count(&self) -> usize {
        self.parent.iter().enumerate().filter(|&(v, &parent)| v == parent as usize).count()
    }
}
