//! Friction that depends on direction: from what surfaces are like to what friction can do at a contact.
//!
//! A *generator* looks at a contact (normal, slip, what both surfaces are like there) and answers with a [`Grip`]: a
//! tangent, and coefficients along it and across it [AEF22, §6.1.1]. Methods turn that into cones, limit surfaces or
//! sliders; none of them knows models.
//!
//! | [`Directional`] | coefficients from | frame from | in |
//! |---|---|---|---|
//! | `Any` | the pair | | |
//! | `Grain` | the pair; with two grains, how they cross | grain of one body, mean of both | [`matchstick`] |
//! | `Tensor` | a tensor for each body | principal axes of their sum | [`tensor`] |
//! | `Texture` | facets of both surfaces, averaged over a patch | grain | [`texture`] |
//!
//! All are symmetric: naming the bodies the other way round changes nothing. [`materials`] has coefficients of pairs
//! of materials.

pub(crate) mod carried;
pub(crate) mod check;
pub mod grain;
pub mod matchstick;
pub mod materials;
pub mod tensor;
pub mod texture;

pub use grain::{Grain, Skin, SurfaceAt};
pub use materials::{Combination, Condition, Stuff};
pub use tensor::FrictionTensor;
pub use texture::NormalMap;

use super::rule::Friction;
use crate::math::{Vector3, any_across};

/// How friction depends on the direction of slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Directional {
    /// Not at all.
    #[default]
    Any,
    /// Along and across the grain of one body, or of both: where two grains cross at right angles, and where there is
    /// none, it is the coefficient of the pair.
    Grain {
        /// Coefficient of sliding along the grain [-].
        along: f64,
        /// Coefficient of sliding across it [-].
        across: f64,
    },
    /// The tensors of both surfaces, times this [-].
    Tensor(
        /// `κ` [-].
        f64,
    ),
    /// Facets of both surfaces that catch each other, besides the coefficient of the pair.
    Texture,
}

/// What friction can do at one contact, per normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("Coulomb cone", "friction cone"))]
pub struct Grip {
    /// A unit vector across the normal `n`; the other tangent is `n × t`.
    pub tangent: Vector3,
    /// Coefficients against slip along both tangents [-].
    pub plus: [f64; 2],
    /// Coefficients against slip the other way [-].
    pub minus: [f64; 2],
    /// Resistance to spin about the normal [m].
    pub torsion: f64,
    /// Resistance to rolling [m].
    pub rolling: f64,
    /// Whether spin and slip share one limit.
    pub shared: bool,
}

impl Grip {
    /// The same in all directions; nothing turns.
    pub fn isotropic(tangent: Vector3, coefficient: f64) -> Self {
        Self::ellipse(tangent, [coefficient; 2])
    }

    /// An ellipse.
    pub fn ellipse(tangent: Vector3, mu: [f64; 2]) -> Self {
        Self { tangent, plus: mu, minus: mu, torsion: 0.0, rolling: 0.0, shared: true }
    }

    /// Whether slip is resisted the same way forth and back: an ellipse.
    pub fn is_even(&self) -> bool {
        self.plus.iter().zip(&self.minus).all(|(plus, minus)| (plus - minus).abs() <= 0.0)
    }

    /// Whether it resists spin or rolling.
    pub fn turns(&self) -> bool {
        self.torsion > 0.0 || self.rolling > 0.0
    }

    /// The largest coefficient of sliding [-].
    pub fn most(&self) -> f64 {
        self.plus.iter().chain(&self.minus).copied().fold(0.0, f64::max)
    }
}

/// A contact as generators see it: A touches B.
#[derive(Clone, Copy, Debug)]
pub struct ContactAt<'a> {
    /// Out of B, of length one.
    pub normal: Vector3,
    /// Velocity of A relative to B along the surface, as it was last [m/s].
    pub slip: Vector3,
    /// Of A and of B, whether the other one last slid against its grain.
    pub against: [bool; 2],
    /// Whether the coefficient of sticking counts, or that of sliding.
    pub sticking: bool,
    /// A, then B; nothing for surfaces that are the same in all directions.
    pub surfaces: [Option<SurfaceAt<'a>>; 2],
}

impl Friction {
    /// What friction can do at a contact.
    pub fn grip(&self, contact: &ContactAt<'_>) -> Grip {
        let n = contact.normal;
        let mut grip = match self.direction {
            Directional::Any => Grip::isotropic(any_across(n), self.coefficient),
            Directional::Grain { along, across } => {
                matchstick::grip(n, contact.grains(), self.coefficient, [along, across])
            }
            Directional::Tensor(scale) => tensor::grip(contact, scale, self.coefficient),
            Directional::Texture => texture::grip(contact, self.coefficient),
        };
        (grip.torsion, grip.rolling, grip.shared) = (self.torsion, self.rolling, self.shared);
        if contact.sticking { self.sticking(grip) } else { grip }
    }

    /// What it can do at a contact that sticks, given the same for one that slides.
    pub(crate) fn sticking(&self, grip: Grip) -> Grip {
        let [plus, minus] = [grip.plus, grip.minus].map(|mu| mu.map(|mu| self.stick_of(mu)));
        Grip { plus, minus, ..grip }
    }
}

impl ContactAt<'_> {
    /// The same after its slip, where that is faster than `least` [m/s]: see [`tensor::against`].
    pub fn slipped(self, least: f64) -> Self {
        Self { against: tensor::against(&self, self.against, least), ..self }
    }

    /// Directions of the grains of both, along the surface.
    pub fn grains(&self) -> [Option<Vector3>; 2] {
        self.surfaces.map(|surface| surface.and_then(|surface| surface.grain(self.normal)))
    }

    /// The mean of both grains, or the only one, or any tangent.
    pub(crate) fn tangent(&self) -> Vector3 {
        match self.grains() {
            [Some(a), Some(b)] => matchstick::mean(a, b),
            [Some(only), None] | [None, Some(only)] => only,
            [None, None] => any_across(self.normal),
        }
    }
}
