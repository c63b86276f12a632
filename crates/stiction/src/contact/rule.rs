//! What a scene says about two bodies that touch.

use super::friction::Directional;
use crate::body::{BodyId, End, Joint};
use crate::scene::Scene;

/// How two bodies touch. Bodies that no rule names touch with the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRule {
    /// The bodies.
    pub between: [BodyId; 2],
    /// Friction between them.
    pub friction: Friction,
    /// Part of its velocity that a bounce returns, where contacts are impulses [-].
    pub restitution: f64,
    /// `δ`: the gap at which they begin to push; chosen from the meshes if not given [m].
    pub thickness: Option<f64>,
    /// `κ`: chosen from materials and weights if not given [N/m].
    pub stiffness: Option<f64>,
    /// Points that came nearer than the thickness hold on until the gap is this large; by default they let go at once
    /// [m].
    pub fracture: Option<f64>,
    /// Whose surface, whose points.
    pub roles: Roles,
    /// False for bodies that pass through each other.
    pub enabled: bool,
}

impl ContactRule {
    /// The defaults, between two bodies.
    pub fn new(a: BodyId, b: BodyId) -> Self {
        Self {
            between: [a, b],
            friction: Friction::default(),
            restitution: 0.0,
            thickness: None,
            stiffness: None,
            fracture: None,
            roles: Roles::Auto,
            enabled: true,
        }
    }
}

/// Dry friction of a pair of bodies, and a little oil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient `μ` of a contact that slides [-].
    pub coefficient: f64,
    /// Coefficient of a contact that sticks, if it is another one [-].
    pub static_coefficient: Option<f64>,
    /// Slip velocity at which friction has fallen from static to kinetic, for the smoothed law [m/s].
    pub stribeck_velocity: f64,
    /// What the coefficient grows by per slip velocity, as if oiled [s/m].
    pub viscosity: f64,
    /// How it depends on the direction of slip.
    pub direction: Directional,
    /// Torque against spin about the normal, per normal force [m].
    pub torsion: f64,
    /// Torque against rolling, per normal force, where contacts are impulses [m].
    pub rolling: f64,
    /// Whether spin and slip share one limit, so that what spins slides more easily.
    pub shared: bool,
}

impl Default for Friction {
    /// Like rubber on wood, wet: `μ = 0.3`.
    fn default() -> Self {
        Self::coulomb(0.3)
    }
}

impl Friction {
    /// No friction.
    pub const NONE: Self = Self {
        coefficient: 0.0,
        static_coefficient: None,
        stribeck_velocity: 0.0,
        viscosity: 0.0,
        direction: Directional::Any,
        torsion: 0.0,
        rolling: 0.0,
        shared: true,
    };

    /// Friction with one coefficient.
    pub fn coulomb(coefficient: f64) -> Self {
        Self { coefficient, ..Self::NONE }
    }

    /// The coefficient of a contact that sticks.
    pub fn stick(&self) -> f64 {
        self.static_coefficient.unwrap_or(self.coefficient)
    }

    /// The coefficient of a contact that sticks where it is `kinetic` for one that slides, in a direction with
    /// another coefficient than the pair has: as much more as that of the pair.
    pub(crate) fn stick_of(&self, kinetic: f64) -> f64 {
        match self.static_coefficient {
            Some(stick) if self.coefficient <= 0.0 => stick.max(kinetic),
            // No rounding where it is the same.
            Some(stick) if (kinetic - self.coefficient).abs() <= 0.0 => stick,
            Some(stick) => kinetic * (stick / self.coefficient),
            None => kinetic,
        }
    }

    /// A spin that counts as much as a slip, where both share a limit: how far from its axis [m].
    pub(crate) fn spin_length(&self) -> f64 {
        let mu = [self.coefficient, self.stick()].into_iter().find(|mu| *mu > 0.0);
        self.torsion / mu.unwrap_or(1.0)
    }

    /// Whether there is none that resists sliding or spin.
    pub fn is_none(&self) -> bool {
        let plain = self.direction == Directional::Any && self.torsion <= 0.0;
        plain && self.stick() <= 0.0 && self.coefficient <= 0.0 && self.viscosity <= 0.0
    }
}

/// Which side of a contact is a surface and which one is points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Roles {
    /// Obstacles are surfaces, then solids, then cloth; of two alike, the coarser one. Both, where points of one are
    /// too far apart to see the other. Edges of meshes touch each other, too.
    #[default]
    Auto,
    /// The first body of the rule.
    FirstIsSurface,
    /// The second body of the rule.
    SecondIsSurface,
    /// Both, each for the points of the other, and edges of meshes against each other.
    Both,
}

/// What the scene says about two bodies; the last word counts.
pub(crate) fn rule_of(scene: &Scene, a: usize, b: usize) -> ContactRule {
    let (a, b) = (BodyId(a as u32), BodyId(b as u32));
    let named =
        scene.contacts.iter().rev().find(|rule| rule.between == [a, b] || rule.between == [b, a]);
    let joined = |joint: &Joint| {
        let ends = [End::Body(a), End::Body(b)];
        a != b && !joint.touching && ends.iter().all(|end| joint.between.contains(end))
    };
    named.cloned().unwrap_or_else(|| ContactRule {
        friction: scene.friction_of(a, b),
        enabled: !scene.joints.iter().any(joined),
        ..ContactRule::new(a, b)
    })
}
