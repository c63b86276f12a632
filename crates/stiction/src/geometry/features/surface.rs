//! A triangle surface as features.

use crate::math::Vector3;
use crate::mesh::topology::{Adjacency, SurfaceEdges};
use crate::mesh::{BoundingBox, TriMesh};

use super::Feature;

/// Vertices, edges and faces of a triangle mesh, and who is beside whom. Positions are given with every question.
#[derive(Clone, Debug)]
pub struct Surface {
    vertex_count: usize,
    triangles: Vec<[u32; 3]>,
    edges: SurfaceEdges,
    edges_of: Vec<[u32; 3]>, // of each triangle: 01, 02, 12
    around: Adjacency,       // triangles around each vertex
}

impl Surface {
    /// The features of a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let edges = mesh.surface_edges();
        let number = |a: u32, b: u32| {
            let place = edges.edges().binary_search(&[a.min(b), a.max(b)]);
            place.expect("edges of all triangles are there") as u32
        };
        let of = |&[a, b, c]: &[u32; 3]| [number(a, b), number(a, c), number(b, c)];
        Self {
            vertex_count: mesh.vertex_count(),
            triangles: mesh.triangles().to_vec(),
            edges_of: mesh.triangles().iter().map(of).collect(),
            around: mesh.vertex_elements(),
            edges,
        }
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Corners of the faces.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// All edges as `[lower, higher]`, ascending.
    pub fn edges(&self) -> &[[u32; 2]] {
        self.edges.edges()
    }

    /// Whether every edge has two faces.
    pub fn is_closed(&self) -> bool {
        (0..self.edges().len()).all(|edge| self.edges.sides(edge).len() == 2)
    }

    /// The faces around a feature; a face is around itself.
    pub(crate) fn star(&self, feature: Feature) -> impl Iterator<Item = u32> + '_ {
        let (sides, around, itself): (&[_], &[u32], Option<u32>) = match feature {
            Feature::Vertex(v) => (&[], self.around.of(v as usize), None),
            Feature::Edge(e) => (self.edges.sides(e as usize), &[], None),
            Feature::Face(f) => (&[], &[], Some(f)),
        };
        sides.iter().map(|side| side.triangle).chain(around.iter().copied()).chain(itself)
    }

    /// The faces around a vertex.
    pub(crate) fn around(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.star(Feature::Vertex(vertex))
    }

    /// The edges of a face.
    pub(crate) fn edges_around(&self, face: u32) -> [u32; 3] {
        self.edges_of[face as usize]
    }

    /// The faces beside an edge.
    pub(crate) fn beside(&self, edge: u32) -> impl Iterator<Item = u32> + '_ {
        self.star(Feature::Edge(edge))
    }

    /// An edge of a triangle by its corners, as in [`Part::Edge`](crate::geometry::closest::Part).
    pub(super) fn edge_of(&self, triangle: u32, i: usize, j: usize) -> u32 {
        self.edges_of[triangle as usize][i + j - 1]
    }

    /// The corner opposite to the edge in each face beside it.
    pub(super) fn opposite(&self, edge: u32) -> impl Iterator<Item = u32> + '_ {
        self.edges.sides(edge as usize).iter().map(|side| side.opposite)
    }

    pub(crate) fn vertex_boxes(&self, positions: &[&[Vector3]], reach: f64) -> Vec<BoundingBox> {
        (0..self.vertex_count as u32).map(|v| around(&[v], positions, reach)).collect()
    }

    pub(crate) fn edge_boxes(&self, positions: &[&[Vector3]], reach: f64) -> Vec<BoundingBox> {
        self.edges().iter().map(|ends| around(ends, positions, reach)).collect()
    }

    pub(crate) fn face_boxes(&self, positions: &[&[Vector3]], reach: f64) -> Vec<BoundingBox> {
        self.triangles.iter().map(|corners| around(corners, positions, reach)).collect()
    }
}

/// The box around some vertices at one or several times, and `reach` beyond. NaN stays NaN.
fn around(vertices: &[u32], positions: &[&[Vector3]], reach: f64) -> BoundingBox {
    let nothing = BoundingBox {
        min: Vector3::repeat(f64::INFINITY),
        max: Vector3::repeat(f64::NEG_INFINITY),
    };
    let add = |mut b: BoundingBox, x: Vector3| {
        for k in 0..3 {
            // `min` and `max` would drop NaN.
            if x[k] < b.min[k] || x[k].is_nan() {
                b.min[k] = x[k];
            }
            if x[k] > b.max[k] || x[k].is_nan() {
                b.max[k] = x[k];
            }
        }
        b
    };
    let all = positions.iter().flat_map(|x| vertices.iter().map(|&v| x[v as usize]));
    let mut b = all.fold(nothing, add);
    // A little more, so that rounding loses nothing.
    let size = |k: usize| b.min[k].abs().max(b.max[k].abs());
    let margin = Vector3::from_fn(|k, _| reach + 4.0 * f64::EPSILON * (reach + size(k)));
    b.min -= margin;
    b.max += margin;
    b
}
