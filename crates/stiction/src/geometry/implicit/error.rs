//! Why there is no surface.

/// What is wrong with samples or settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// A setting must be above zero and finite.
    #[error("implicit surface: {what} is {value}\n  help: {}", self.help())]
    NotPositive {
        /// The setting.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// There is nothing to blend.
    #[error("implicit surface: there are no samples\n  help: {}", self.help())]
    Empty,
    /// A triangle names a vertex that does not exist.
    #[error("implicit surface: triangle {triangle} names vertex {vertex}, but there are {vertex_count} vertices\n  \
         help: {}", self.help())]
    OutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// Vertices there are.
        vertex_count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("implicit surface: point {index} is not finite\n  help: {}", self.help())]
    NotFinite {
        /// Which vertex or point.
        index: usize,
    },
    /// Every point needs one normal.
    #[error("implicit surface: {points} points but {normals} normals\n  help: {}", self.help())]
    NormalCount {
        /// Points given.
        points: usize,
        /// Normals given.
        normals: usize,
    },
    /// A normal without a direction.
    #[error("implicit surface: the normal of point {index} has no direction\n  help: {}", self.help())]
    NoNormal {
        /// Which point.
        index: usize,
    },
    /// Edges that stick out and edges that run along grooves cannot both be kept sharp.
    #[error(
        "implicit surface: {convex} sharp edges stick out and {concave} run along grooves\n  help: {}",
        self.help()
    )]
    MixedEdges {
        /// Edges that stick out.
        convex: usize,
        /// Edges in grooves.
        concave: usize,
    },
    /// Only faces have sharp edges between them.
    #[error("implicit surface: edges can be sharp only between faces\n  help: {}", self.help())]
    NoFaces,
}

impl SurfaceError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::NotPositive { .. } => "give a finite number above zero".to_owned(),
            Self::Empty => {
                "give at least one triangle with an area, or one point with a normal".to_owned()
            }
            Self::OutOfRange { .. } => "vertices are counted from zero".to_owned(),
            Self::NotFinite { .. } => "check where the coordinates come from".to_owned(),
            Self::NormalCount { .. } => "give every point one normal".to_owned(),
            Self::NoNormal { .. } => "leave such points out, or estimate their normals".to_owned(),
            Self::MixedEdges { .. } => {
                "sharp surfaces have either; let the edges be robust, or cut the mesh into bodies"
                    .to_owned()
            }
            Self::NoFaces => {
                "take faces as samples, or let the edges be round or robust".to_owned()
            }
        }
    }
}
