//! What a surface is made of.

use super::SurfaceError;
use crate::geometry::kernel::Kernel;

/// How to make a surface. The default is for smooth sliding.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceSettings {
    /// What of a mesh becomes a sample.
    pub samples: SampleKind,
    /// How samples fade with distance.
    pub kernel: Kernel,
    /// Where a sample stops to count [m]; `None` measures the mesh:
    ///
    /// - faces: the largest distance from a centroid to a corner, 3.5 times for the quartic kernel and twice for the
    ///   others. Once is the least without holes at the corners (half the triangle's diameter, as [Lar22, fig. 3.3] has
    ///   it, leaves some), and hardly smoother than the facets; at twice, their ripple is down to a tenth.
    /// - vertices: 2.5 times the longest edge.
    /// - points: 2.5 times the distance to the third neighbour, which 95 % of the points do not exceed. A
    ///   few stray points shall not blur the rest.
    ///
    /// Larger is smoother and slower. What a point feels at most of the facets around a cylinder, as tangential over
    /// normal force, for equilateral triangles and for halves of squares:
    ///
    /// | samples, kernel, radius | near a point | 16 facets | 32 | 64 | 128 |
    /// |---|---|---|---|---|---|
    /// | the facets themselves | | 2.0e-1 | 9.8e-2 | 4.9e-2 | 2.5e-2 |
    /// | faces, cubic, 2 | 12–16 | 4.2e-2 | 2.0e-2 | 1.0e-2 | 5.0e-3 |
    /// | faces, quartic, 3.5 | 24–40 | 4.1e-3 | 2.9e-3 | 1.6e-3 | 8.0e-4 |
    /// | vertices, quartic, 2.5 | 19–37 | 1.2e-3 | 1.0e-3 | 4.8e-4 | 2.3e-4 |
    ///
    /// The length that is multiplied is the [spacing](super::ImplicitSurface::spacing).
    pub radius: Option<f64>,
    /// What becomes of edges.
    pub edges: Edges,
}

/// What becomes of the edges of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Edges {
    /// Blended like all else: fastest, and for smooth shapes. Sharp edges swell.
    #[default]
    Round,
    /// Samples that disagree with the blend are weighed down.
    Robust(Robust),
    /// Kept, for shapes of faces whose sharp edges all stick out, or all run along grooves: boxes, tubes, rooms.
    Sharp(Sharp),
}

/// Which edges are sharp, and how sharp they come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sharp {
    /// Edges are sharp where normals are farther apart than this [rad].
    pub angle: f64,
    /// Over how many [spacings](super::ImplicitSurface::spacing) they are rounded; they lie a sixth of that too deep
    /// [-].
    pub rounding: f64,
}

impl Default for Sharp {
    /// From 45.5° on, which spares the eight sides of a coarse cylinder; over a twentieth of a spacing.
    fn default() -> Self {
        Self { angle: 45.5_f64.to_radians(), rounding: 0.05 }
    }
}

/// What of a mesh becomes a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleKind {
    /// Centroids with face normals: fewest vertices a value depends on.
    #[default]
    Faces,
    /// Vertices with normals averaged over their faces.
    Vertices(NormalWeights),
}

/// What a face counts in the normal of its vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalWeights {
    /// Its area: cheapest.
    #[default]
    Area,
    /// Its angle at the vertex: does not depend on how a flat part is triangulated.
    Angle,
    /// One.
    Uniform,
}

/// One iteration of robust implicit moving least squares [OGG09; DLCT24, app. A].
///
/// Keeps sharp edges and thin parts, at several times the cost of a second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("RIMLS", "robust IMLS"))]
pub struct Robust {
    /// A height off by this many [spacings](super::ImplicitSurface::spacing) is weighed down by e [-].
    pub range: f64,
    /// A normal off by this length is weighed down by e; 0.5 (sharp) to 1.5 (smooth) [-].
    pub normal: f64,
}

impl Default for Robust {
    fn default() -> Self {
        Self { range: 0.5, normal: 0.8 }
    }
}

impl SurfaceSettings {
    pub(super) fn check(&self) -> Result<(), SurfaceError> {
        let positive = |what: &'static str, value: Option<f64>| match value {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                Err(SurfaceError::NotPositive { what, value })
            }
            _ => Ok(()),
        };
        positive("radius", self.radius)?;
        positive("epsilon of the kernel", self.kernel.epsilon())?;
        match self.edges {
            Edges::Round => Ok(()),
            Edges::Robust(robust) => {
                positive("range of the robust field", Some(robust.range))?;
                positive("normal of the robust field", Some(robust.normal))
            }
            Edges::Sharp(sharp) => {
                positive("angle of sharp edges", Some(sharp.angle))?;
                positive("rounding of sharp edges", Some(sharp.rounding))
            }
        }
    }
}
