//! Volumes, areas, lengths, centres.
//!
//! A closed surface with outward normals encloses `V = ⅙ Σ x_a·(x_b × x_c)` (divergence theorem); shifted to
//! its centre here, because the terms of a surface far from the origin cancel.

use super::{Mesh, TetMesh, TriMesh};
use crate::math::{Matrix3, Vector3};

/// Volume of a tet, negative when inverted [m³].
pub fn tet_volume(x: &[Vector3; 4]) -> f64 {
    signed_measure(x) / 6.0
}

/// Area of a triangle [m²].
pub fn triangle_area(x: &[Vector3; 3]) -> f64 {
    0.5 * signed_measure(x)
}

/// Unit normal of a triangle, counter-clockwise around it; none if it has no area.
pub fn triangle_normal(x: &[Vector3; 3]) -> Option<Vector3> {
    twice_area(x).try_normalize(0.0)
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// Lowest coordinates [m].
    pub min: Vector3,
    /// Highest coordinates [m].
    pub max: Vector3,
}

impl BoundingBox {
    /// The smallest one that holds all points; one that holds nothing if there are none.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vector3>) -> Self {
        let nothing =
            Self { min: Vector3::repeat(f64::INFINITY), max: Vector3::repeat(f64::NEG_INFINITY) };
        let add = |b: Self, x: &Vector3| Self { min: b.min.inf(x), max: b.max.sup(x) };
        points.into_iter().fold(nothing, add)
    }

    /// Whether a point is in it, or no further from it than `reach` along any axis [m].
    pub fn is_near(&self, x: &Vector3, reach: f64) -> bool {
        (0..3).all(|k| x[k] >= self.min[k] - reach && x[k] <= self.max[k] + reach)
    }

    /// Whether they have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && self.max[k] >= other.min[k])
    }

    /// Whether all of another box is in it.
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.min[k] && self.max[k] >= other.max[k])
    }

    /// Widths along the axes [m].
    pub fn size(&self) -> Vector3 {
        self.max - self.min
    }

    /// The middle [m].
    pub fn center(&self) -> Vector3 {
        0.5 * (self.min + self.max)
    }

    /// Length of the diagonal [m].
    pub fn diagonal(&self) -> f64 {
        self.size().norm()
    }

    /// Larger by `by` on all sides [m].
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        let by = Vector3::repeat(by);
        Self { min: self.min - by, max: self.max + by }
    }

    /// Its eight corners.
    pub fn corners(&self) -> [Vector3; 8] {
        let coordinate =
            |k: usize, a: usize| if k >> a & 1 == 0 { self.min[a] } else { self.max[a] };
        std::array::from_fn(|k| Vector3::from_fn(|a, _| coordinate(k, a)))
    }
}

/// Lengths of the edges of a mesh, each edge counted once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeLengths {
    /// Shortest [m].
    pub min: f64,
    /// Arithmetic mean [m].
    pub mean: f64,
    /// Longest [m].
    pub max: f64,
}

impl<const N: usize> Mesh<N> {
    /// The smallest box that holds all vertices.
    pub fn bounding_box(&self) -> BoundingBox {
        BoundingBox::of(self.vertices())
    }

    /// Shortest, mean and longest edge.
    pub fn edge_lengths(&self) -> EdgeLengths {
        let edges = self.edges();
        let length =
            |[a, b]: [u32; 2]| (self.vertices()[a as usize] - self.vertices()[b as usize]).norm();
        let (mut min, mut max, mut sum) = (f64::INFINITY, 0.0_f64, 0.0);
        for l in edges.iter().copied().map(length) {
            (min, max, sum) = (min.min(l), max.max(l), sum + l);
        }
        EdgeLengths { min, mean: sum / edges.len() as f64, max }
    }

    /// Centre of volume or area [m].
    pub fn centroid(&self) -> Vector3 {
        let origin = self.bounding_box().center();
        let (mut weight, mut moment) = (0.0, Vector3::zeros());
        for e in 0..self.element_count() {
            let x = self.corners(e).map(|x| x - origin);
            let w = signed_measure(&x);
            weight += w;
            moment += x.iter().sum::<Vector3>() * (w / N as f64);
        }
        origin + moment / weight
    }
}

impl TetMesh {
    /// Volume of each tet [m³].
    pub fn volumes(&self) -> Vec<f64> {
        (0..self.element_count()).map(|e| tet_volume(&self.corners(e))).collect()
    }

    /// Volume of the solid [m³].
    pub fn volume(&self) -> f64 {
        self.volumes().iter().sum()
    }
}

impl TriMesh {
    /// Area of each triangle [m²].
    pub fn areas(&self) -> Vec<f64> {
        (0..self.element_count()).map(|e| triangle_area(&self.corners(e))).collect()
    }

    /// Area of the surface [m²].
    pub fn area(&self) -> f64 {
        self.areas().iter().sum()
    }

    /// Volume inside a closed surface, positive when normals point outward [m³].
    ///
    /// Of an open surface, the volume between it and the centre of its bounding box.
    pub fn enclosed_volume(&self) -> f64 {
        let origin = self.bounding_box().center();
        let six_volume = |e: usize| {
            let [a, b, c] = self.corners(e).map(|x| x - origin);
            a.dot(&b.cross(&c))
        };
        (0..self.element_count()).map(six_volume).sum::<f64>() / 6.0
    }

    /// Unit normal of each triangle [-].
    pub fn normals(&self) -> Vec<Vector3> {
        (0..self.element_count()).map(|e| twice_area(&self.corners(e)).normalize()).collect()
    }

    /// Unit normal at each vertex, averaged over its triangles by area [-].
    ///
    /// Zero where they cancel exactly, which no direction could describe.
    pub fn vertex_normals(&self) -> Vec<Vector3> {
        let mut normals = vec![Vector3::zeros(); self.vertex_count()];
        for (e, corners) in self.triangles().iter().enumerate() {
            let n = twice_area(&self.corners(e));
            for &v in corners {
                normals[v as usize] += n;
            }
        }
        for n in &mut normals {
            *n = n.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
        }
        normals
    }
}

/// Six times the signed volume of a tet, or twice the area of a triangle.
pub(super) fn signed_measure(x: &[Vector3]) -> f64 {
    match x {
        [a, b, c] => twice_area(&[*a, *b, *c]).norm(),
        [a, b, c, d] => Matrix3::from_columns(&[b - a, c - a, d - a]).determinant(),
        _ => unreachable!("meshes are made of triangles and tets"),
    }
}

fn twice_area(x: &[Vector3; 3]) -> Vector3 {
    (x[1] - x[0]).cross(&(x[2] - x[0]))
}
