//! Ways that a surface can be touched along at one of its vertices.
//!
//! The nearest place of a shape need not be in front of a vertex: what slides over a plane has the next vertex ahead of
//! its edge, and the way between the two is along the plane. As a contact that would be a wall (a *ghost collision*, or
//! internal edge). A vertex is touched along ways between the normals of the faces around it; where these are one
//! plane, along its normal alone. Here the cone is a circular one around all of them, wider by [`LEAN`] radians: what
//! rests flush leans a little.
//!
//! Ghosts are open by nature. What overlaps is never one, whatever its normal: it would pass through.

use crate::geometry::features::Surface;
use crate::geometry::wedge::LEAN;
use crate::math::Vector3;
use crate::mesh::triangle_normal;

/// Ways out of a surface at a vertex.
#[doc(alias("normal cone", "ghost collision", "internal edge"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NormalCone {
    axis: Vector3,
    /// Cosine of half its opening.
    cosine: f64,
}

impl NormalCone {
    /// All ways.
    pub(crate) const ANY: Self = Self { axis: Vector3::new(0.0, 1.0, 0.0), cosine: -1.0 };

    /// Around these normals, of length one, and so much wider [rad].
    pub(crate) fn around(normals: impl Iterator<Item = Vector3> + Clone, lean: f64) -> Self {
        let mean = normals.clone().sum::<Vector3>().try_normalize(1e-6);
        let Some(axis) = mean else { return Self::ANY };
        let least = normals.map(|n| n.dot(&axis)).fold(1.0, f64::min);
        let half = least.clamp(-1.0, 1.0).acos() + lean;
        Self { axis, cosine: if half < std::f64::consts::PI { half.cos() } else { -1.0 } }
    }

    /// At a vertex of a surface; on its border, all ways.
    pub(crate) fn at(surface: &Surface, vertex: u32, x: &[Vector3]) -> Self {
        let border = |face: u32| {
            let own = |edge: &u32| surface.edges()[*edge as usize].contains(&vertex);
            let mut edges = surface.edges_around(face).into_iter().filter(own);
            edges.any(|edge| surface.beside(edge).count() < 2)
        };
        if surface.around(vertex).any(border) {
            return Self::ANY;
        }
        let face = |face: u32| surface.triangles()[face as usize].map(|k| x[k as usize]);
        let normals = surface.around(vertex).filter_map(|f| triangle_normal(&face(f)));
        Self::around(normals.collect::<Vec<_>>().into_iter(), LEAN)
    }

    /// Whether it can be touched along a way out of it, of length one; `either` from both sides.
    pub(crate) fn admits(&self, way: Vector3, either: bool) -> bool {
        let along = self.axis.dot(&way);
        along >= self.cosine || either && -along >= self.cosine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::TriMesh;

    /// Four faces around a vertex at a height over the middle of a square.
    fn pyramid(height: f64) -> (Surface, Vec<Vector3>) {
        let flat = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        let mut x: Vec<Vector3> = flat.iter().map(|[a, b]| Vector3::new(*a, 0.0, *b)).collect();
        x.push(Vector3::y() * height);
        let faces = (0..4).map(|k| [(k + 1) % 4, k, 4]).collect();
        (Surface::new(&TriMesh::new(x.clone(), faces).expect("valid")), x)
    }

    #[test]
    fn a_flat_vertex_is_touched_along_its_normal_alone() {
        let (surface, x) = pyramid(0.0);
        let cone = NormalCone::at(&surface, 4, &x);
        let lean = |angle: f64| Vector3::new(angle.sin(), angle.cos(), 0.0);
        assert!(cone.admits(lean(0.0), false) && cone.admits(lean(0.09), false));
        assert!(!cone.admits(lean(0.11), false) && !cone.admits(Vector3::x(), true));
        assert!(!cone.admits(-Vector3::y(), false) && cone.admits(-Vector3::y(), true));
        assert_eq!(NormalCone::at(&surface, 0, &x), NormalCone::ANY, "on the border");
    }

    /// Peaks and hollows alike: between the normals of their faces, here 45° from the axis.
    #[test]
    fn a_sharp_vertex_is_touched_between_the_normals_of_its_faces() {
        for height in [1.0, -1.0] {
            let (surface, x) = pyramid(height);
            let cone = NormalCone::at(&surface, 4, &x);
            let face = triangle_normal(&surface.triangles()[0].map(|k| x[k as usize]));
            let face = face.expect("a face");
            assert!(cone.admits(face, false) && cone.admits(Vector3::y(), false));
            assert!(!cone.admits(Vector3::x(), false));
        }
    }
}
