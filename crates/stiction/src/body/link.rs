//! What joins bodies: springs between points, welds that make vertices one.

use super::BodyId;
use crate::math::Vector3;
use crate::mesh::Selection;

/// An end of a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// A vertex of a body.
    Vertex(BodyId, u32),
    /// A fixed point in space [m].
    Point(Vector3),
}

/// A spring, with a damper beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub ends: [Anchor; 2],
    /// Force per elongation [N/m].
    pub stiffness: f64,
    /// Length without force [m]; by default as long as it starts.
    pub rest_length: Option<f64>,
    /// Force per speed along the spring [N·s/m].
    pub damping: f64,
}

impl Spring {
    /// A spring without damping that starts without force.
    pub fn new(a: Anchor, b: Anchor, stiffness: f64) -> Self {
        Self { ends: [a, b], stiffness, rest_length: None, damping: 0.0 }
    }

    /// Sets the length without force [m].
    #[must_use]
    pub fn rest_length(mut self, rest_length: f64) -> Self {
        self.rest_length = Some(rest_length);
        self
    }

    /// Damps it [N·s/m].
    #[must_use]
    pub fn damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }
}

/// Makes vertices of one body one with the nearest of another: they share their unknowns, exactly.
#[derive(Clone, Debug)]
pub struct Weld {
    /// Whose vertices are joined.
    pub a: BodyId,
    /// Which of them. [`Selection::All`] joins those that have a partner; of any other selection, all must.
    pub selection: Selection,
    /// To whose vertices.
    pub b: BodyId,
    /// How far partners may be apart [m]; a millionth of the body's size by default.
    pub tolerance: Option<f64>,
}
