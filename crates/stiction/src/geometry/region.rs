//! Regions that can be filled with tets: the inside of a closed surface, or of any signed distance.

use super::triangle_tree::TriangleTree;
use super::{ClosedSurface, Jet};
use crate::math::Vector3;
use crate::mesh::tetrahedralise::Region;
use crate::mesh::topology::SurfaceEdges;
use crate::mesh::{BoundingBox, triangle_normal};

/// The inside of a closed surface; knows its sharp edges.
#[derive(Clone, Debug)]
pub struct Interior<'a> {
    surface: &'a ClosedSurface,
    creases: TriangleTree,
    corners: Vec<Vector3>,
}

impl<'a> Interior<'a> {
    /// Faces that meet at more than this angle have a sharp edge between them, for most purposes [rad].
    pub const SHARP: f64 = 0.6;

    /// With edges sharp where faces turn by more than `angle` [rad].
    pub fn new(surface: &'a ClosedSurface, angle: f64) -> Self {
        let (vertices, triangles) = (surface.vertices(), surface.triangles());
        let edges = SurfaceEdges::new(vertices.len(), triangles);
        let normal = |t: u32| triangle_normal(&triangles[t as usize].map(|v| vertices[v as usize]));
        let is_sharp = |k: &usize| match edges.sides(*k) {
            [a, b] => match (normal(a.triangle), normal(b.triangle)) {
                (Some(a), Some(b)) => a.dot(&b) < angle.cos(),
                _ => false,
            },
            _ => false,
        };
        let sharp: Vec<[u32; 2]> =
            (0..edges.len()).filter(is_sharp).map(|k| edges.edge(k)).collect();
        // Segments are triangles with two corners in one place.
        let segments: Vec<[u32; 3]> = sharp.iter().map(|&[a, b]| [a, b, b]).collect();
        let mut ways: Vec<Vec<Vector3>> = vec![Vec::new(); vertices.len()];
        for &[a, b] in &sharp {
            let way = (vertices[b as usize] - vertices[a as usize]).normalize();
            ways[a as usize].push(way);
            ways[b as usize].push(-way);
        }
        let is_corner = |ways: &Vec<Vector3>| match ways.as_slice() {
            [] => false,
            [a, b] => a.dot(b) > -angle.cos(),
            _ => true,
        };
        let corners = (ways.iter().zip(vertices)).filter(|(ways, _)| is_corner(ways));
        let corners = corners.map(|(_, x)| *x).collect();
        Self { surface, creases: TriangleTree::new(vertices, &segments), corners }
    }
}

impl Region for Interior<'_> {
    fn bounds(&self) -> BoundingBox {
        self.surface.bounds()
    }

    fn distance(&self, x: Vector3) -> f64 {
        self.surface.distance(&x)
    }

    fn project(&self, x: Vector3) -> Vector3 {
        self.surface.nearest(&x).position
    }

    fn corners(&self) -> &[Vector3] {
        &self.corners
    }

    fn crease(&self, x: Vector3, reach: f64) -> Option<Vector3> {
        self.creases.nearest(&x, reach).map(|nearest| nearest.position)
    }
}

/// The inside of any signed distance, such as that of an exact shape or of a grid; its sharp edges are not known.
#[derive(Clone, Copy, Debug)]
pub struct Field<F> {
    /// A box around it [m].
    pub bounds: BoundingBox,
    /// The distance, negative inside; nowhere more than the true one.
    pub distance: F,
}

impl<F: Fn(Vector3) -> Jet + Sync> Region for Field<F> {
    fn bounds(&self) -> BoundingBox {
        self.bounds
    }

    fn distance(&self, x: Vector3) -> f64 {
        (self.distance)(x).value
    }

    fn project(&self, mut x: Vector3) -> Vector3 {
        for _ in 0..4 {
            let jet = (self.distance)(x);
            let steep_sq = jet.gradient.norm_squared();
            if steep_sq < 0.01 {
                break;
            }
            x -= jet.gradient * (jet.value / steep_sq);
        }
        x
    }
}
