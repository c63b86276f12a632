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
    /// - faces: twice the largest distance from a centroid to a corner. Once is the least without holes at the
    ///   corners (half the triangle's diameter, as [Lar22, fig. 3.3] has it, leaves some), and hardly smoother
    ///   than the facets; at twice, their ripple is down to a tenth.
    /// - vertices: 2.5 times the longest edge.
    /// - points: 2.5 times the distance to the third neighbour, which 95 % of the points do not exceed. A
    ///   few stray points shall not blur the rest.
    ///
    /// Larger is smoother and slower. What a point feels of 64 facets around a cylinder, as tangential over
    /// normal force: 9e-3 by default, 4e-4 for faces with the quartic kernel and 3.5 spacings (three times as
    /// many samples), as little for vertices with it and 2.5; the facets themselves would give 5e-2.
    ///
    /// The length that is multiplied is the [spacing](super::ImplicitSurface::spacing).
    pub radius: Option<f64>,
    /// Weigh down samples that disagree with the blend.
    pub robust: Option<Robust>,
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
        positive("range of the robust field", self.robust.map(|robust| robust.range))?;
        positive("normal of the robust field", self.robust.map(|robust| robust.normal))
    }
}
