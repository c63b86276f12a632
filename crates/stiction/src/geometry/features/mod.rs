//! Where two surfaces, or parts of one, are near each other: pairs of vertices, edges and faces, each once.
//!
//! Vertices against faces and edges against edges find everything; but a vertex over an edge between two faces is
//! found with both, and with every edge that ends there. Whoever adds up forces over such a list pushes twice at
//! edges and six times at vertices: *energy walls* in the way of what slides. So every pair is named by the features
//! that the closest points lie on, and occurs once. Names are ids of vertices, edges and faces: they sort, and are
//! the same from step to step.
//!
//! Once is not enough: a vertex over a face is also close to the face's edges. [`Proximity::nearest`] tells, from
//! each side, whether the other feature is the nearest in its neighbourhood, or whether one beside it is nearer; and
//! [`Proximity::is_contact`] takes from that list every vertex once, over a convex surface, and edges that cross
//! edges.

mod find;
mod neighbourhood;
mod outside;
mod surface;

pub(crate) use find::{Trees, share_a_vertex};
pub use find::{proximities, self_proximities};
pub use surface::Surface;

use crate::math::Vector3;

/// A vertex, edge or face of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// An edge; see [`Surface::edges`].
    Edge(u32),
    /// The inside of a face.
    Face(u32),
}

/// The closest point of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Where it lies.
    pub feature: Feature,
    /// The corners of the feature: as many as it has, then copies of the last.
    pub vertices: [u32; 3],
    /// Weights of the corners; they add up to one, and are zero for copies.
    pub weights: [f64; 3],
}

/// Two features and their closest points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Of the first surface.
    pub a: Side,
    /// Of the second.
    pub b: Side,
    /// From the closest point of B to that of A [m].
    pub offset: Vector3,
    /// Whether no point of B beside the closest one is nearer to A's; and the other way round.
    pub nearest: [bool; 2],
}

impl Proximity {
    /// The name of the pair.
    pub fn features(&self) -> [Feature; 2] {
        [self.a.feature, self.b.feature]
    }

    /// Distance of the two [m].
    pub fn distance(&self) -> f64 {
        self.offset.norm()
    }

    /// True for a vertex with what is nearest to it, and for edges that cross edges where neither has a nearer place
    /// beside it.
    pub fn is_contact(&self) -> bool {
        match self.features() {
            [Feature::Vertex(_), Feature::Vertex(_)] => self.nearest[0] || self.nearest[1],
            [Feature::Vertex(_), _] => self.nearest[0],
            [_, Feature::Vertex(_)] => self.nearest[1],
            _ => self.nearest[0] && self.nearest[1],
        }
    }
}
