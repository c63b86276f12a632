//! Where a rigid thing is, and how it is turned.

use nalgebra::UnitQuaternion;

use crate::math::Vector3;

/// Turn, then move: `x ↦ R x + t`, from a thing's own frame to the one it stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// How it is turned.
    pub rotation: UnitQuaternion<f64>,
    /// Where its origin is [m].
    pub translation: Vector3,
}

impl Pose {
    /// At `translation` [m], turned.
    pub fn new(translation: Vector3, rotation: UnitQuaternion<f64>) -> Self {
        Self { rotation, translation }
    }

    /// At the origin, as it was made.
    pub fn identity() -> Self {
        Self::at(Vector3::zeros())
    }

    /// Moved to `translation` [m], not turned.
    pub fn at(translation: Vector3) -> Self {
        Self::new(translation, UnitQuaternion::identity())
    }

    /// Where a point of the thing is [m].
    pub fn apply(&self, x: &Vector3) -> Vector3 {
        self.rotation * x + self.translation
    }

    /// Which point of the thing is at `x` [m].
    pub fn apply_inverse(&self, x: &Vector3) -> Vector3 {
        self.rotation.inverse_transform_vector(&(x - self.translation))
    }

    /// The way back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self::new(rotation * -self.translation, rotation)
    }

    /// Whether no number in it is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        // A sum is finite only if all of it is.
        (self.translation.sum() + self.rotation.coords.sum()).is_finite()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

/// `(a * b)` is `b`, seen from where `a` is seen: first `b`, then `a`.
impl std::ops::Mul for Pose {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        Self::new(self.apply(&inner.translation), self.rotation * inner.rotation)
    }
}
