//! Points with normals, as a scanner gives them.

use crate::geometry::implicit::SurfaceError;
use crate::math::Vector3;

/// A surface known by some of its points and which way is out at each.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    points: Vec<Vector3>,
    normals: Vec<Vector3>,
}

impl Cloud {
    /// Checks points [m] and normals; normals may have any length above zero and point out.
    ///
    /// # Errors
    /// When there are none, when their numbers differ, or when a point or a normal is no use.
    pub fn new(points: Vec<Vector3>, normals: Vec<Vector3>) -> Result<Self, SurfaceError> {
        if points.len() != normals.len() {
            return Err(SurfaceError::NormalCount { points: points.len(), normals: normals.len() });
        }
        if points.is_empty() {
            return Err(SurfaceError::Empty);
        }
        let finite = |x: &Vector3| x.iter().all(|c| c.is_finite());
        if let Some(index) = points.iter().position(|x| !finite(x)) {
            return Err(SurfaceError::NotFinite { index });
        }
        let directed = |n: &Vector3| finite(n) && n.amax() > 0.0;
        if let Some(index) = normals.iter().position(|n| !directed(n)) {
            return Err(SurfaceError::NoNormal { index });
        }
        Ok(Self { points, normals })
    }

    /// Where they are [m].
    pub fn points(&self) -> &[Vector3] {
        &self.points
    }

    /// Which way is out at each, as given.
    pub fn normals(&self) -> &[Vector3] {
        &self.normals
    }
}
