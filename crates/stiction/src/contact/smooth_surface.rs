//! Smooth surfaces that others touch, to be judged.

use super::side::keep_side;
use crate::geometry::implicit::{Hausdorff, ImplicitSurface, SampleKind};
use crate::math::Vector3;
use crate::mesh::triangle_normal;

/// The smooth surface of a body, and the mesh or the points that it was put through.
#[derive(Clone, Copy, Debug)]
pub struct SmoothSurface<'a> {
    /// The surface.
    pub surface: &'a ImplicitSurface,
    /// Vertices of the mesh, or points of the cloud [m].
    pub vertices: &'a [Vector3],
    /// Of the mesh; none of a cloud.
    pub triangles: &'a [[u32; 3]],
}

impl SmoothSurface<'_> {
    /// Triangles that are looked at, at most: half a second of work.
    const MOST: usize = 1500;

    /// How far the surface is from its mesh or its points; of large meshes every so many triangles are tried.
    pub fn hausdorff(&self) -> Hausdorff {
        let every = |count: usize| count.div_ceil(Self::MOST).max(1);
        if self.triangles.is_empty() {
            let points = (0..self.vertices.len() as u32).step_by(every(15 * self.vertices.len()));
            let alone: Vec<[u32; 3]> = points.map(|point| [point; 3]).collect();
            return self.surface.hausdorff(self.vertices, &alone);
        }
        let step = every(self.triangles.len());
        let tried: Vec<[u32; 3]> = self.triangles.iter().copied().step_by(step).collect();
        // As contacts see it: without the other side of thin walls.
        let by_faces = self.surface.settings().samples == SampleKind::Faces;
        self.surface.hausdorff_among(self.vertices, &tried, |number, x, samples| {
            let corners = tried[number].map(|v| self.vertices[v as usize]);
            let normal = triangle_normal(&corners).filter(|_| by_faces);
            keep_side(self.surface, x, normal.map(|n| ((number * step) as u32, n)), samples);
        })
    }
}
