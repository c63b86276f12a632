//! Edges of a triangle surface with the triangles beside them: hinges, rims, loops.
//!
//! A hinge numbers its points as bending models want them:
//!
//! ```text
//!         x1              e0 = x1 − x0   the edge
//!       ╱ ↑ ╲             e1 = x2 − x0   in face 0
//!     x2  │  x3           e2 = x3 − x0   in face 1
//!       ╲ │ ╱
//!         x0              n0 = e0 × e1,  n1 = e2 × e0
//! ```
//!
//! Face 0 runs through the edge from `x0` to `x1`, face 1 from `x1` to `x0`, so both `n0` and `n1` are the
//! normals of the faces as oriented.

use super::Adjacency;
use crate::mesh::{MeshError, TriMesh, check};

/// A triangle beside an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeSide {
    /// The triangle.
    pub triangle: u32,
    /// Its corner opposite to the edge.
    pub opposite: u32,
    /// True when the triangle runs through the edge from its lower to its higher vertex.
    pub forward: bool,
}

/// All edges of a triangle surface, ascending, with the triangles beside each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceEdges {
    edges: Vec<[u32; 2]>,
    sides: Adjacency<EdgeSide>,
}

/// An edge between two triangles; see the module for the numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hinge {
    /// `[x0, x1, x2, x3]`: the edge, the point opposite in face 0, the point opposite in face 1.
    pub vertices: [u32; 4],
    /// Face 0 and face 1.
    pub triangles: [u32; 2],
}

impl SurfaceEdges {
    /// Edges of triangles whose corners are below `vertex_count` and distinct.
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        let sides = triangles.iter().enumerate().flat_map(|(t, &[a, b, c])| {
            [[a, b, c], [b, c, a], [c, a, b]].map(|[from, to, opposite]| {
                let side = EdgeSide { triangle: t as u32, opposite, forward: from < to };
                (from.min(to), (from.max(to), side))
            })
        });
        let mut by_lower = Adjacency::grouped(vertex_count, sides);
        by_lower.sort_groups();
        let mut edges = Vec::new();
        for a in 0..vertex_count {
            edges.extend(
                by_lower.of(a).chunk_by(|s, t| s.0 == t.0).map(|same| [a as u32, same[0].0]),
            );
        }
        // The sides stand in the order of the edges already; only their edge numbers are missing.
        let mut k = 0;
        let mut numbered = Vec::with_capacity(by_lower.items().len());
        for a in 0..vertex_count {
            for &(b, side) in by_lower.of(a) {
                if edges[k] != [a as u32, b] {
                    k += 1;
                }
                numbered.push((k as u32, side));
            }
        }
        let sides = Adjacency::grouped(edges.len(), numbered.iter().copied());
        Self { edges, sides }
    }

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// True when there are no edges.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Edge `k` as `[lower, higher]`.
    pub fn edge(&self, k: usize) -> [u32; 2] {
        self.edges[k]
    }

    /// All edges as `[lower, higher]`, ascending.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The triangles beside edge `k`, ascending.
    pub fn sides(&self, k: usize) -> &[EdgeSide] {
        self.sides.of(k)
    }

    /// Edges with a single triangle, in the direction that triangle runs through them.
    pub fn boundary(&self) -> Vec<[u32; 2]> {
        let rim = |k: usize| match (self.edge(k), self.sides(k)) {
            ([a, b], [side]) => Some(if side.forward { [a, b] } else { [b, a] }),
            _ => None,
        };
        (0..self.len()).filter_map(rim).collect()
    }

    /// Edges between two triangles that agree on a side, as hinges. All inner edges of a cloth are such.
    pub fn hinges(&self) -> Vec<Hinge> {
        let hinge = |k: usize| {
            let ([x0, x1], [a, b]) = (self.edge(k), self.sides(k)) else { return None };
            let (face0, face1) = match (a.forward, b.forward) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                _ => return None,
            };
            Some(Hinge {
                vertices: [x0, x1, face0.opposite, face1.opposite],
                triangles: [face0.triangle, face1.triangle],
            })
        };
        (0..self.len()).filter_map(hinge).collect()
    }

    /// Each triangle that shares an edge, with its neighbours: its corners, then across each edge from corner `k` to
    /// corner `k + 1` the opposite corner of the neighbour, or its own one where there is none.
    pub fn patches(&self, triangles: &[[u32; 3]]) -> Vec<[u32; 6]> {
        let lone = |&[a, b, c]: &[u32; 3]| [a, b, c, c, a, b];
        let mut patches: Vec<[u32; 6]> = triangles.iter().map(lone).collect();
        for hinge in self.hinges() {
            let [_, _, opposite0, opposite1] = hinge.vertices;
            let [face0, face1] = hinge.triangles;
            for (triangle, own, other) in
                [(face0, opposite0, opposite1), (face1, opposite1, opposite0)]
            {
                let patch = &mut patches[triangle as usize];
                let corner = (0..3).find(|&k| patch[k] == own).expect("a corner of its face");
                // Edge k has corner k + 2 opposite.
                patch[3 + (corner + 1) % 3] = other;
            }
        }
        patches.retain(|&[a, b, c, rest @ ..]| rest != [c, a, b]);
        patches
    }
}

impl TriMesh {
    /// All edges with the triangles beside them.
    pub fn surface_edges(&self) -> SurfaceEdges {
        SurfaceEdges::new(self.vertex_count(), self.triangles())
    }

    /// Edges between two triangles, numbered for bending.
    pub fn hinges(&self) -> Vec<Hinge> {
        self.surface_edges().hinges()
    }

    /// Triangles that share an edge, with the corners opposite across their edges, numbered for bending: see
    /// [`SurfaceEdges::patches`].
    pub fn patches(&self) -> Vec<[u32; 6]> {
        self.surface_edges().patches(self.triangles())
    }

    /// Edges with a single triangle, in the direction that triangle runs through them.
    pub fn boundary_edges(&self) -> Vec<[u32; 2]> {
        self.surface_edges().boundary()
    }

    /// The rims of the surface: vertices in order, the surface on the left, each loop started at its
    /// lowest vertex, loops ordered by that vertex. Where rims touch in a vertex they may exchange arcs.
    ///
    /// # Errors
    /// When triangles disagree on a side or crowd around an edge, so that rims have no direction.
    pub fn boundary_loops(&self) -> Result<Vec<Vec<u32>>, MeshError> {
        let rim = self.boundary_edges();
        let mut onward = Adjacency::grouped(self.vertex_count(), rim.iter().map(|&[a, b]| (a, b)));
        onward.sort_groups();
        let mut taken = vec![0usize; self.vertex_count()];
        let mut loops = Vec::new();
        for first in 0..self.vertex_count() {
            while taken[first] < onward.of(first).len() {
                let mut cycle = Vec::new();
                let mut v = first;
                loop {
                    let Some(&next) = onward.of(v).get(taken[v]) else {
                        // As many rims enter a vertex as leave it, unless orientation is broken.
                        self.check_cloth()?;
                        unreachable!("rims of a consistently oriented surface close");
                    };
                    taken[v] += 1;
                    cycle.push(v as u32);
                    v = next as usize;
                    if v == first {
                        break;
                    }
                }
                loops.push(cycle);
            }
        }
        Ok(loops)
    }

    /// True when every edge has exactly two triangles.
    pub fn is_closed(&self) -> bool {
        let edges = self.surface_edges();
        (0..edges.len()).all(|k| edges.sides(k).len() == 2)
    }

    /// `V − E + F`: 2 for a sphere, 0 for a torus, 1 for a disk.
    pub fn euler_characteristic(&self) -> i64 {
        self.vertex_count() as i64 - self.edges().len() as i64 + self.element_count() as i64
    }

    /// Refuses what cannot be cloth: crowded edges, pinched vertices, sides that clash.
    ///
    /// # Errors
    /// With all problems, if there are any.
    pub fn check_cloth(&self) -> Result<(), MeshError> {
        check::refuse::<3>(check::cloth_problems(&self.soup))
    }
}
