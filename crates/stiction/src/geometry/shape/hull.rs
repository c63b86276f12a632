//! Convex hulls of points, with faces as large as they are flat.

mod build;
mod facets;

use super::ShapeError;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// More corners than this would not fit into the name of an edge.
const MAX_VERTICES: usize = 1 << 15;

/// The convex hull of points: corners and polygonal faces.
///
/// Points that lie inside, on faces or on edges are left out, to about 10⁻¹¹ of the size.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vector3>,
    starts: Vec<u32>, // of each face in `corners`, and the end
    corners: Vec<u32>,
    normals: Vec<Vector3>,
    offsets: Vec<f64>, // of the planes of faces along their normals
    vertex_starts: Vec<u32>,
    vertex_faces: Vec<u32>,
    extent: f64,
}

impl Hull {
    /// The hull of at least four points that are not in a plane [m].
    ///
    /// # Errors
    /// When a point is not finite, or the points enclose nothing.
    pub fn new(points: &[Vector3]) -> Result<Self, ShapeError> {
        let finite = |x: &Vector3| x.iter().all(|c| c.is_finite());
        if let Some(index) = points.iter().position(|x| !finite(x)) {
            return Err(ShapeError::NotFinite { index });
        }
        let triangles = build::triangles(points)?;
        let facets = facets::merged(points, &triangles);
        Self::of_faces(points, &facets)
    }

    /// Corners [m].
    pub fn vertices(&self) -> &[Vector3] {
        &self.vertices
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.normals.len()
    }

    /// Corners of a face, counter-clockwise from outside.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// Outward unit normals of faces.
    pub fn normals(&self) -> &[Vector3] {
        &self.normals
    }

    /// The faces, cut into triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
        (0..self.face_count()).flat_map(|face| {
            let corners = self.face(face);
            (2..corners.len()).map(move |k| [corners[0], corners[k - 1], corners[k]])
        })
    }

    /// How far a point is outside of the plane of the face that is the most in front of it [m]: negative inside,
    /// where it is the distance from the surface. Also that face.
    pub fn deepest_plane(&self, x: &Vector3) -> (f64, usize) {
        let mut most = (f64::NEG_INFINITY, 0);
        for (face, (normal, offset)) in self.normals.iter().zip(&self.offsets).enumerate() {
            let height = normal.dot(x) - offset;
            if height > most.0 {
                most = (height, face);
            }
        }
        most
    }

    /// The corner farthest along `d`, the first of several.
    pub(super) fn support(&self, d: &Vector3) -> u32 {
        let mut most = (f64::NEG_INFINITY, 0);
        for (v, x) in self.vertices.iter().enumerate() {
            let along = d.dot(x);
            if along > most.0 {
                most = (along, v);
            }
        }
        most.1 as u32
    }

    /// Of the faces around the corner farthest along `d`, the one that looks along it the most.
    pub(super) fn face_towards(&self, d: &Vector3) -> usize {
        let v = self.support(d) as usize;
        let around = self.vertex_starts[v] as usize..self.vertex_starts[v + 1] as usize;
        let mut most = (f64::NEG_INFINITY, 0);
        for &face in &self.vertex_faces[around] {
            let along = d.dot(&self.normals[face as usize]);
            if along > most.0 {
                most = (along, face as usize);
            }
        }
        most.1
    }

    /// Half the diagonal of the bounding box [m].
    pub(super) fn extent(&self) -> f64 {
        self.extent
    }

    /// Keeps the points that faces use, in their order.
    fn of_faces(points: &[Vector3], facets: &[Vec<u32>]) -> Result<Self, ShapeError> {
        let mut used: Vec<u32> = facets.concat();
        used.sort_unstable();
        used.dedup();
        if used.len() > MAX_VERTICES {
            return Err(ShapeError::TooManyCorners { count: used.len(), most: MAX_VERTICES });
        }
        let vertices: Vec<Vector3> = used.iter().map(|&v| points[v as usize]).collect();
        let new = |v: &u32| used.binary_search(v).map_or(0, |k| k as u32);
        let mut starts = vec![0];
        let mut corners: Vec<u32> = Vec::new();
        let (mut normals, mut offsets) = (Vec::new(), Vec::new());
        for facet in facets {
            let x = |k: usize| points[facet[k % facet.len()] as usize];
            let normal = facets::normal(facet.len(), x);
            // The outermost corner, so that no corner is in front of any face.
            let offset = (0..facet.len()).map(|k| normal.dot(&x(k))).fold(f64::MIN, f64::max);
            corners.extend(facet.iter().map(new));
            starts.push(corners.len() as u32);
            normals.push(normal);
            offsets.push(offset);
        }
        let mut around: Vec<(u32, u32)> = (0..normals.len())
            .flat_map(|f| {
                let corners = &corners[starts[f] as usize..starts[f + 1] as usize];
                corners.iter().map(move |&v| (v, f as u32))
            })
            .collect();
        around.sort_unstable();
        let start = |v: usize| around.partition_point(|&(w, _)| (w as usize) < v) as u32;
        let vertex_starts = (0..=vertices.len()).map(start).collect();
        let vertex_faces = around.iter().map(|&(_, face)| face).collect();
        let extent = 0.5 * BoundingBox::of(&vertices).diagonal();
        Ok(Self {
            vertices,
            starts,
            corners,
            normals,
            offsets,
            vertex_starts,
            vertex_faces,
            extent,
        })
    }
}
