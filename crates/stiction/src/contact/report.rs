//! Contacts of a step, in numbers.

use super::FrictionError;
use crate::body::BodyId;

/// What touches what, as the methods tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    /// Features of two exact shapes: a point of their contact manifold.
    Shapes,
    /// A vertex, corner or round part of one body, and the surface of the other as a whole.
    PointSurface,
    /// A vertex of a mesh and a face, or where it ends, of another one.
    VertexFace,
    /// Two edges.
    EdgeEdge,
}

impl ContactKind {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Shapes, Self::PointSurface, Self::VertexFace, Self::EdgeEdge];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shapes => "shapes",
            Self::PointSurface => "point_surface",
            Self::VertexFace => "vertex_face",
            Self::EdgeEdge => "edge_edge",
        }
    }
}

/// How many contacts there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCounts([usize; ContactKind::ALL.len()]);

impl ContactCounts {
    /// Contacts of a kind.
    pub fn of(&self, kind: ContactKind) -> usize {
        self.0[kind as usize]
    }

    /// Contacts of all kinds.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

impl FromIterator<ContactKind> for ContactCounts {
    fn from_iter<I: IntoIterator<Item = ContactKind>>(kinds: I) -> Self {
        let mut counts = Self::default();
        kinds.into_iter().for_each(|kind| counts.0[kind as usize] += 1);
        counts
    }
}

/// What is to be known of contacts after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// Contacts that push, or pull where there are bonds.
    pub touching: usize,
    /// The same by kind.
    pub kinds: ContactCounts,
    /// Of these, how many slid in the step.
    pub sliding: usize,
    /// How far friction is from Coulomb's law, at the worst of them.
    pub friction: FrictionError,
    /// Smallest gap of any contact looked at, negative where bodies overlap; infinite if there is none [m].
    pub smallest_gap: f64,
    /// The two bodies that overlap most, if any do by more than their method allows.
    pub overlap: Option<[BodyId; 2]>,
    /// How often the step was repeated with stiffer contacts.
    pub stiffenings: u32,
}

impl ContactReport {
    /// How deep bodies overlap at the worst contact; zero if none do [m].
    pub fn deepest_overlap(&self) -> f64 {
        // Not −0 where they just touch.
        if self.smallest_gap < 0.0 { -self.smallest_gap } else { 0.0 }
    }
}

impl Default for ContactReport {
    /// No contacts.
    fn default() -> Self {
        Self {
            touching: 0,
            kinds: ContactCounts::default(),
            sliding: 0,
            friction: FrictionError::default(),
            smallest_gap: f64::INFINITY,
            overlap: None,
            stiffenings: 0,
        }
    }
}
