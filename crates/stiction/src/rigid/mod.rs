//! Rigid bodies: how heavy they are, and how hard to turn.

mod error;
mod mass;
mod principal;
pub mod rotation;

pub use error::MassError;
pub use mass::MassProperties;
pub use principal::PrincipalAxes;

use nalgebra::UnitQuaternion;

use crate::math::{Matrix3, Vector3};

/// How a rigid body stands and moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidState {
    /// Centre of mass [m].
    pub center: Vector3,
    /// From the axes of its mesh to those of the world.
    pub orientation: UnitQuaternion<f64>,
    /// Of the centre of mass [m/s].
    pub velocity: Vector3,
    /// Angular velocity, in the world [rad/s].
    pub spin: Vector3,
    /// Moments of inertia about the centre of mass, in the world [kg·m²].
    pub inertia: Matrix3,
}

impl RigidState {
    /// About the centre of mass, in the world [N·m·s].
    pub fn angular_momentum(&self) -> Vector3 {
        self.inertia * self.spin
    }
}
