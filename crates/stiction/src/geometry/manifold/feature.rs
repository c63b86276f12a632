//! Names of features: what of one shape touches what of the other.

/// Names a contact within its pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId {
    /// Which part of A, if it is a compound.
    pub part_a: u32,
    /// Of A.
    pub a: Feature,
    /// Which part of B, if it is a compound.
    pub part_b: u32,
    /// Of B.
    pub b: Feature,
}

impl FeatureId {
    pub(super) fn new(a: Feature, b: Feature) -> Self {
        Self { part_a: 0, a, part_b: 0, b }
    }

    /// The same contact, seen from the other body.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { part_a: self.part_b, a: self.b, part_b: self.part_a, b: self.a }
    }
}

/// A corner, an edge or a face of a shape, by numbers that never change. Rims of cylinders count as corners, the line
/// along which their sides touch as an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A round shape as a whole: balls touch anything in one point only.
    #[default]
    Whole,
    /// A corner.
    Vertex(u16),
    /// An edge, by the numbers of its ends, ascending.
    Edge(u16, u16),
    /// A face.
    Face(u16),
}

impl Feature {
    pub(super) fn vertex(number: u32) -> Self {
        Self::Vertex(number as u16)
    }

    pub(super) fn edge(from: u32, to: u32) -> Self {
        Self::Edge(from.min(to) as u16, from.max(to) as u16)
    }

    pub(super) fn face(number: u32) -> Self {
        Self::Face(number as u16)
    }
}
