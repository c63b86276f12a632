//! Compounds: several convex shapes that move as one.

use super::{Convex, ShapeError};
use crate::geometry::Pose;
use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// A shape in its place within a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// In its own frame.
    pub shape: Convex,
    /// From there to the frame of the compound.
    pub pose: Pose,
}

/// Shapes that move as one. They may overlap: contacts do not mind, masses count what overlaps twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound {
    parts: Vec<Part>,
}

impl Compound {
    /// Of sound shapes in finite places.
    ///
    /// # Errors
    /// When there is no part, or one of them makes no shape.
    pub fn new(parts: Vec<Part>) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::NoParts);
        }
        for (index, part) in parts.iter().enumerate() {
            part.shape.check()?;
            if !part.pose.is_finite() {
                return Err(ShapeError::NoPose { index });
            }
        }
        Ok(Self { parts })
    }

    /// One at least.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The smallest box along the axes of the world that holds the boxes of all parts.
    pub fn bounding_box(&self, pose: &Pose) -> BoundingBox {
        self.parts.iter().fold(BoundingBox::of([]), |bounds, part| {
            let other = part.shape.bounding_box(&(*pose * part.pose));
            BoundingBox { min: bounds.min.inf(&other.min), max: bounds.max.sup(&other.max) }
        })
    }

    /// The point farthest along `direction` [m]; nothing if a part has no end.
    pub fn support(&self, direction: &Vector3) -> Option<Vector3> {
        let mut most: Option<Vector3> = None;
        for part in &self.parts {
            let local = part.pose.rotation.inverse_transform_vector(direction);
            let x = part.pose.apply(&part.shape.support(&local)?);
            if most.is_none_or(|most| direction.dot(&x) > direction.dot(&most)) {
                most = Some(x);
            }
        }
        most
    }
}

impl From<Convex> for Compound {
    /// A single part where it is; not checked.
    fn from(shape: Convex) -> Self {
        Self { parts: vec![Part { shape, pose: Pose::identity() }] }
    }
}
