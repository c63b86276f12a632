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

    /// As numbers, to be saved.
    pub(crate) fn numbers(&self) -> [u32; 6] {
        let ([kind_a, a], [kind_b, b]) = (self.a.numbers(), self.b.numbers());
        [self.part_a, kind_a, a, self.part_b, kind_b, b]
    }

    /// From its numbers; nothing if they are something else.
    pub(crate) fn of_numbers([part_a, kind_a, a, part_b, kind_b, b]: [u32; 6]) -> Option<Self> {
        let (a, b) = (Feature::of_numbers(kind_a, a)?, Feature::of_numbers(kind_b, b)?);
        Some(Self { part_a, a, part_b, b })
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

    fn numbers(self) -> [u32; 2] {
        match self {
            Self::Whole => [0, 0],
            Self::Vertex(v) => [1, v.into()],
            Self::Edge(a, b) => [2, u32::from(a) << 16 | u32::from(b)],
            Self::Face(f) => [3, f.into()],
        }
    }

    fn of_numbers(kind: u32, number: u32) -> Option<Self> {
        let low = number as u16;
        Some(match kind {
            0 => Self::Whole,
            1 => Self::Vertex(low),
            2 => Self::Edge((number >> 16) as u16, low),
            3 => Self::Face(low),
            _ => return None,
        })
    }
}
