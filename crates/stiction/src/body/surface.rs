//! How the surface of a body is smoothed where others touch it.

use crate::geometry::implicit::{Edges, Robust, SampleKind, Sharp, SharpEdges, SurfaceSettings};
use crate::geometry::kernel::Kernel;
use crate::math::Vector3;

/// Wishes for the smooth surface through a mesh or a cloud of points; what is left out is chosen:
///
/// | what | for obstacles | for what deforms |
/// |---|---|---|
/// | `samples` | faces | faces |
/// | `kernel` | quartic | cubic |
/// | `radius` | from the mesh, see [`SurfaceSettings::radius`] | the same |
/// | `edges` | round, or sharp from 45° on; robust if some edges stick out and others run along grooves | the same |
///
/// Obstacles are the smoother ones, because it costs little: nothing depends on their vertices. A point that slides
/// over a cylinder of 16 facets feels them by 0.4 % of the normal force, of 128 by 0.08 %; four to ten times as much
/// on what deforms. On flat parts it feels nothing, to rounding.
///
/// Exact shapes (planes, spheres, …) have no use for any of it.
///
/// ```
/// use stiction::body::{Obstacle, Shape, Surface};
/// use stiction::geometry::kernel::Kernel;
/// # let mesh = stiction::mesh::generate::disk(1.0, 0.2)?;
///
/// let smooth = Surface { kernel: Some(Kernel::Quartic), radius: Some(0.5), ..Surface::default() };
/// let obstacle = Obstacle::new(Shape::Mesh(mesh)).surface(smooth);
/// # Ok::<(), stiction::mesh::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// What of a mesh becomes a sample.
    pub samples: Option<SampleKind>,
    /// How samples fade with distance.
    pub kernel: Option<Kernel>,
    /// Where a sample stops to count [m].
    pub radius: Option<f64>,
    /// What becomes of edges.
    pub edges: Option<Edges>,
}

impl Surface {
    /// For a mesh that does not deform.
    pub fn of_obstacle(&self, vertices: &[Vector3], triangles: &[[u32; 3]]) -> SurfaceSettings {
        self.of_mesh(vertices, triangles, Kernel::Quartic)
    }

    /// For a mesh that deforms.
    pub fn of_deforming(&self, vertices: &[Vector3], triangles: &[[u32; 3]]) -> SurfaceSettings {
        self.of_mesh(vertices, triangles, Kernel::Cubic)
    }

    /// For a cloud of points.
    pub fn of_points(&self) -> SurfaceSettings {
        SurfaceSettings {
            samples: SampleKind::default(),
            kernel: self.kernel.unwrap_or(Kernel::Quartic),
            radius: self.radius,
            edges: self.edges.unwrap_or_default(),
        }
    }

    fn of_mesh(
        &self,
        vertices: &[Vector3],
        triangles: &[[u32; 3]],
        kernel: Kernel,
    ) -> SurfaceSettings {
        let samples = self.samples.unwrap_or_default();
        SurfaceSettings {
            samples,
            kernel: self.kernel.unwrap_or(kernel),
            radius: self.radius,
            edges: self.edges.unwrap_or_else(|| edges(vertices, triangles, samples)),
        }
    }
}

fn edges(vertices: &[Vector3], triangles: &[[u32; 3]], samples: SampleKind) -> Edges {
    let sharp = Sharp::default();
    let found = SharpEdges::find(vertices, triangles, sharp.angle);
    let alike = found.convex == 0 || found.concave == 0;
    match (found.is_empty(), samples) {
        (true, _) => Edges::Round,
        (false, SampleKind::Faces) if alike => Edges::Sharp(sharp),
        (false, _) => Edges::Robust(Robust::default()),
    }
}
