//! How contacts are modelled: numerics, not physics.

use super::law::Profile;
use super::penalty::Push;

/// How contacts are modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// False to ignore all contacts.
    pub enabled: bool,
    /// How hard bodies push each other.
    pub normal: NormalLaw,
    /// The friction law.
    pub law: Law,
    /// How friction is coupled to the rest.
    pub coupling: Coupling,
    /// Whether slip is measured from positions or velocities.
    pub slip: SlipLevel,
    /// `δ` for pairs whose rule gives none [m].
    pub thickness: Option<f64>,
    /// `κ` for pairs whose rule gives none [N/m].
    pub stiffness: Option<f64>,
    /// The gap at which contacts let go, for pairs whose rule gives none [m].
    pub fracture: Option<f64>,
    /// Times a step may be repeated with stiffer contacts because something penetrated.
    pub max_stiffenings: u32,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            normal: NormalLaw::default(),
            law: Law::default(),
            coupling: Coupling::Implicit,
            slip: SlipLevel::Auto,
            thickness: None,
            stiffness: None,
            fracture: None,
            max_stiffenings: 8,
        }
    }
}

/// How hard bodies push each other where their layers overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalLaw {
    /// How the force grows with depth.
    pub push: Push,
    /// `ζ`: damping of the layer, 1 is critical for the lighter body; none by default [-].
    pub damping: f64,
    /// `e`: part of its energy that a bounce returns, by receding with `e` of the force; all by default [-].
    pub rebound: f64,
}

impl Default for NormalLaw {
    fn default() -> Self {
        Self { push: Push::default(), damping: 0.0, rebound: 1.0 }
    }
}

impl NormalLaw {
    /// Whether forces depend on gaps alone.
    pub fn is_elastic(&self) -> bool {
        self.damping == 0.0 && self.rebound >= 1.0
    }
}

/// A friction law and its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Spring and damper in series with a Coulomb slider: holds without creep.
    Anchored {
        /// `r_T`: stiffness of the tangential spring, in units of the normal stiffness at half thickness [-].
        ratio: f64,
        /// `ζ`: damping of that spring, 1 is critical [-].
        damping: f64,
        /// `w`: half width of the rounded passage from stick to slip [-].
        corner: f64,
        /// Whether tractions are unknowns of their own. The primal form needs more iterations.
        mixed: bool,
    },
    /// The limit of an infinitely stiff spring.
    Exact,
    /// Traction rises with slip velocity; creeps.
    Smoothed {
        /// How it rises.
        profile: Profile,
        /// `ε`: over which velocity [m/s].
        epsilon: f64,
    },
    /// Viscous up to Coulomb's limit; creeps.
    Viscous {
        /// `k_f`: traction per slip velocity of a contact [N·s/m].
        resistance: f64,
    },
}

impl Default for Law {
    fn default() -> Self {
        Self::Anchored { ratio: 100.0, damping: 1.0, corner: 0.0, mixed: true }
    }
}

/// How friction is coupled to the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coupling {
    /// Everything at the end of the stage.
    #[default]
    Implicit,
    /// Normal forces and directions from the start of the step, or from the pass before; for comparison.
    Lagged {
        /// Passes, at least 1.
        passes: u32,
    },
    /// The trapezoid rule for all but contact, which is implicit, with lagged friction; for comparison.
    Decoupled,
}

/// How slip of a stage is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlipLevel {
    /// Positions for backward Euler and BDF2, velocities for the others.
    #[default]
    Auto,
    /// From the velocity at the end of the stage.
    Velocity,
}
