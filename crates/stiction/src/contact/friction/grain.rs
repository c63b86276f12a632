//! What surfaces are like: grain, tensors, texture; and the same at a point of a body that has moved.

use std::sync::Arc;

use super::materials::Stuff;
use super::tensor::FrictionTensor;
use super::texture::NormalMap;
use crate::math::{Matrix3, Vector3};

/// What a surface is like: what it is of, and its structure in the frame of its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// What it is of, for pairs that no rule names.
    pub stuff: Stuff,
    /// A coefficient of its own, to be combined with that of another surface [-].
    pub coefficient: Option<f64>,
    /// The direction of fibres, brush marks or ridges.
    pub grain: Option<Grain>,
    /// Its part in friction by tensors.
    pub tensor: Option<FrictionTensor>,
    /// Its relief.
    pub texture: Option<Arc<NormalMap>>,
}

impl Skin {
    /// Whether it has a structure, so that friction may depend on direction.
    pub fn is_structured(&self) -> bool {
        self.grain.is_some() || self.tensor.is_some() || self.texture.is_some()
    }
}

/// A field of directions; their sign does not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grain {
    /// The same everywhere: wood, brushed metal, corduroy.
    Straight(
        /// Any length but zero.
        Vector3,
    ),
    /// Circles about an axis: what was turned on a lathe.
    Around {
        /// Any length but zero.
        axis: Vector3,
        /// A point of the axis [m].
        through: Vector3,
    },
    /// Rays from an axis: sun rays, a trodden path around a pole.
    From {
        /// Any length but zero.
        axis: Vector3,
        /// A point of the axis [m].
        through: Vector3,
    },
}

/// Directions shorter than this, after projection on the tangent plane, are none [-].
const LEAST: f64 = 1e-6;

impl Grain {
    /// The direction at a point of the body; zero where it has none.
    pub fn at(&self, x: Vector3) -> Vector3 {
        let direction = match *self {
            Self::Straight(direction) => direction,
            Self::Around { axis, through } => axis.normalize().cross(&(x - through)),
            Self::From { axis, through } => {
                let (axis, arm) = (axis.normalize(), x - through);
                arm - axis * axis.dot(&arm)
            }
        };
        direction.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vector3::zeros)
    }

    /// Whether it means something: all numbers finite, directions not zero.
    pub fn is_valid(&self) -> bool {
        let (Self::Straight(axis) | Self::Around { axis, .. } | Self::From { axis, .. }) = self;
        let through = match self {
            Self::Straight(_) => Vector3::zeros(),
            Self::Around { through, .. } | Self::From { through, .. } => *through,
        };
        let length = axis.norm();
        length > 0.0 && length.is_finite() && through.iter().all(|x| x.is_finite())
    }
}

/// A surface at a contact.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceAt<'a> {
    /// What it is like.
    pub skin: &'a Skin,
    /// Takes directions of the body to where they point now; a rotation, unless the body is deformed.
    pub carry: Matrix3,
    /// The point in the frame of the body [m].
    pub local: Vector3,
}

impl SurfaceAt<'_> {
    /// The grain along a surface with normal `n`, of length one; nothing where it has none, or points out of the
    /// surface.
    pub fn grain(&self, n: Vector3) -> Option<Vector3> {
        let own = self.carry * self.skin.grain?.at(self.local);
        (own - n * n.dot(&own)).try_normalize(LEAST)
    }
}
