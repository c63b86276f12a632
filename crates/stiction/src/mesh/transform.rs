//! Moving a mesh as a whole.

use nalgebra::UnitQuaternion;

use super::{Mesh, MeshError, check};
use crate::math::Vector3;

/// Stretch along the axes, then rotate, then move: `x ↦ R (s ∘ x) + t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    rotation: UnitQuaternion<f64>,
    translation: Vector3, // [m]
    scale: Vector3,       // [-], each above zero: a mirror would invert elements
}

impl Transform {
    /// Leaves everything where it is.
    pub fn identity() -> Self {
        let (rotation, translation) = (UnitQuaternion::identity(), Vector3::zeros());
        Self { rotation, translation, scale: Vector3::repeat(1.0) }
    }

    /// The same stretch and move, with this rotation.
    #[must_use]
    pub fn with_rotation(self, rotation: UnitQuaternion<f64>) -> Self {
        Self { rotation, ..self }
    }

    /// The same stretch and rotation, then this move [m].
    #[must_use]
    pub fn with_translation(self, translation: Vector3) -> Self {
        Self { translation, ..self }
    }

    /// The same rotation and move, with this stretch along the axes [-].
    ///
    /// # Errors
    /// When a factor is not finite and above zero.
    pub fn with_scale(self, scale: Vector3) -> Result<Self, MeshError> {
        if scale.iter().all(|s| s.is_finite() && *s > 0.0) {
            return Ok(Self { scale, ..self });
        }
        Err(MeshError::Argument {
            function: "Transform::with_scale",
            argument: "scale",
            value: format!("({}, {}, {})", scale.x, scale.y, scale.z),
            help: "give three finite factors above zero; mirrors would turn elements inside out"
                .to_owned(),
        })
    }

    /// The rotation.
    pub fn rotation(&self) -> UnitQuaternion<f64> {
        self.rotation
    }

    /// The move [m].
    pub fn translation(&self) -> Vector3 {
        self.translation
    }

    /// Where a point goes [m].
    pub fn apply(&self, x: &Vector3) -> Vector3 {
        self.apply_rigid(&self.scale.component_mul(x))
    }

    /// Where a point goes without the stretch [m].
    pub fn apply_rigid(&self, x: &Vector3) -> Vector3 {
        self.rotation * x + self.translation
    }

    /// Only the stretch.
    #[must_use]
    pub fn stretch(&self) -> Self {
        Self { scale: self.scale, ..Self::identity() }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::identity()
    }
}

impl<const N: usize> Mesh<N> {
    /// The mesh with every vertex moved; elements and groups stay.
    ///
    /// # Errors
    /// When numbers overflow, or elements are flattened beyond measure: by stretching the axes very
    /// differently, or by moving so far that rounding eats the edges.
    pub fn transformed(&self, transform: &Transform) -> Result<Self, MeshError> {
        let mut soup = self.soup.clone();
        for x in &mut soup.vertices {
            *x = transform.apply(x);
        }
        check::refuse::<N>(check::moved_problems(&soup))?;
        Ok(Self { soup })
    }
}
