//! Rest shapes: looking up corners, and what can be wrong with them.

use thiserror::Error;

/// A rest shape no element can be built on.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RestShapeError {
    /// An index points past the last vertex.
    #[error(
        "element {element} uses vertex {vertex}, but there are only {vertex_count} vertices\n  help: {}",
        self.help()
    )]
    NoSuchVertex {
        /// Index of the element.
        element: usize,
        /// The vertex it asks for.
        vertex: u32,
        /// How many there are.
        vertex_count: usize,
    },
    /// A volume, area or edge length of zero, or one that is not a number.
    #[error("element {element} has a rest {quantity} of {value}, too small for its size\n  help: {}", self.help())]
    Degenerate {
        /// Index of the element.
        element: usize,
        /// What vanishes.
        quantity: &'static str,
        /// Its value, in powers of [m].
        value: f64,
    },
    /// A tetrahedron is inside out at rest.
    #[error("tetrahedron {element} has a negative rest volume ({volume:e} m³)\n  help: {}", self.help())]
    Inverted {
        /// Index of the element.
        element: usize,
        /// Its signed volume [m³].
        volume: f64,
    },
    /// The warp direction has no part in the plane of a triangle.
    #[error("the warp direction is perpendicular to triangle {element}\n  help: {}", self.help())]
    WarpPerpendicular {
        /// Index of the element.
        element: usize,
    },
}

impl RestShapeError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::NoSuchVertex { .. } => "indices count from zero".to_owned(),
            Self::Degenerate { .. } => {
                "remove degenerate elements, or merge the vertices that coincide".to_owned()
            }
            Self::Inverted { .. } => {
                "swap two of its vertices, so that the last three turn counter-clockwise seen \
                 from outside the first"
                    .to_owned()
            }
            Self::WarpPerpendicular { .. } => {
                "give flat (uv) coordinates for cloth that is curved at rest".to_owned()
            }
        }
    }
}

/// The corners of element `element`, or which of them does not exist.
pub(super) fn corners<T: Copy, const N: usize>(
    points: &[T],
    element: usize,
    indices: &[u32; N],
) -> Result<[T; N], RestShapeError> {
    let missing = indices.iter().find(|&&vertex| vertex as usize >= points.len());
    match missing {
        Some(&vertex) => {
            Err(RestShapeError::NoSuchVertex { element, vertex, vertex_count: points.len() })
        }
        None => Ok(indices.map(|vertex| points[vertex as usize])),
    }
}

/// Fails unless `value` is well above the rounding errors of shapes of this `scale`
/// (the same power of a length).
pub(super) fn check_size(
    element: usize,
    quantity: &'static str,
    value: f64,
    scale: f64,
) -> Result<(), RestShapeError> {
    if value.is_finite() && value > 1e-12 * scale {
        Ok(())
    } else {
        Err(RestShapeError::Degenerate { element, quantity, value })
    }
}
