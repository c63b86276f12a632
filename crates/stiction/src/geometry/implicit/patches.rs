//! Where a mesh has sharp edges, and the smooth patches between them.

use super::SurfaceError;
use crate::math::Vector3;
use crate::mesh::topology::SurfaceEdges;
use crate::mesh::triangle_normal;
use crate::union_find::UnionFind;

/// Edges of a mesh whose faces turn by more than some angle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharpEdges {
    /// Those that stick out.
    pub convex: usize,
    /// Those that run along grooves.
    pub concave: usize,
    /// The faces beside each.
    faces: Vec<[u32; 2]>,
    /// The faces beside all others.
    joined: Vec<[u32; 2]>,
}

impl SharpEdges {
    /// Finds them: edges between two faces whose normals are more than `angle` [rad] apart. Faces without area have
    /// none.
    pub fn find(vertices: &[Vector3], triangles: &[[u32; 3]], angle: f64) -> Self {
        let at = |v: u32| vertices[v as usize];
        let normal = |face: u32| triangle_normal(&triangles[face as usize].map(at));
        let cosine = angle.cos();
        let mut found = Self::default();
        for hinge in SurfaceEdges::new(vertices.len(), triangles).hinges() {
            let [first, second] = hinge.triangles;
            match (normal(first), normal(second)) {
                (Some(m), Some(n)) if m.dot(&n) < cosine => {
                    let [on_edge, _, _, beyond] = hinge.vertices;
                    let rises = m.dot(&(at(beyond) - at(on_edge))) > 0.0;
                    found.convex += usize::from(!rises);
                    found.concave += usize::from(rises);
                    found.faces.push([first, second]);
                }
                _ => found.joined.push([first, second]),
            }
        }
        found
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }
}

/// Smooth parts of a mesh that meet at sharp edges, all of one sense.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    /// Of each face.
    pub(super) of_face: Vec<u32>,
    /// `1` where edges stick out: what is outside of any patch is outside. `−1` for grooves.
    pub(super) sense: f64,
    /// Patches that share an edge, both ways round, ascending.
    neighbours: Vec<(u32, u32)>,
}

impl Patches {
    pub(super) fn new(face_count: usize, sharp: &SharpEdges) -> Result<Self, SurfaceError> {
        if sharp.convex > 0 && sharp.concave > 0 {
            let (convex, concave) = (sharp.convex, sharp.concave);
            return Err(SurfaceError::MixedEdges { convex, concave });
        }
        let mut pieces = UnionFind::new(face_count);
        for &[a, b] in &sharp.joined {
            pieces.unite(a, b);
        }
        let of_face: Vec<u32> = (0..face_count as u32).map(|face| pieces.root(face)).collect();
        let both = sharp.faces.iter().flat_map(|&[a, b]| {
            let (a, b) = (of_face[a as usize], of_face[b as usize]);
            [(a, b), (b, a)]
        });
        let mut neighbours: Vec<_> = both.filter(|(a, b)| a != b).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        let sense = if sharp.concave > 0 { -1.0 } else { 1.0 };
        Ok(Self { of_face, sense, neighbours })
    }

    /// Whether two patches share a sharp edge, or are the same.
    pub(super) fn meet(&self, a: u32, b: u32) -> bool {
        a == b || self.neighbours.binary_search(&(a, b)).is_ok()
    }
}
