//! Regularised Coulomb friction: viscous until the limit is reached [AEF22, §5.1.5].
//!
//! $$ t = \min(k_f,\; \mu N/|u|)\; u $$
//!
//! Below the limit a block under a force `f` along the surface creeps at `f/k_f`, whatever it weighs.

use super::Response;
use crate::math::{Matrix3, Vector3};

/// The law of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viscous {
    /// `k_f` [N·s/m].
    pub resistance: f64,
    /// `μ` [-].
    pub coefficient: f64,
}

impl Viscous {
    /// The traction for a slip velocity [N], and its derivatives. `beta` is the slip of a stage per velocity [s].
    pub fn respond(&self, velocity: Vector3, normal: f64, beta: f64) -> (Vector3, Response) {
        let (speed, limit, zero) = (velocity.norm(), self.coefficient * normal, Vector3::zeros());
        let (traction, by_velocity, by_normal) = if self.resistance * speed <= limit {
            let by_velocity = Matrix3::from_diagonal_element(self.resistance);
            (velocity * self.resistance, by_velocity, zero)
        } else {
            let direction = velocity / speed;
            let across = Matrix3::identity() - direction * direction.transpose();
            (direction * limit, across * (limit / speed), direction * self.coefficient)
        };
        let by_slip = by_velocity / beta;
        (traction, Response { residual: zero, correction: zero, by_slip, by_normal })
    }
}
