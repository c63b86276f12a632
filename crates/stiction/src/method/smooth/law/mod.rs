//! Friction laws: from how far a contact slips in a stage to the traction that resists it.
//!
//! A law sees one contact at one point of a Newton iteration and answers with the traction, and with how a Newton
//! step would change it:
//!
//! $$ \Delta T = T_0 + G\,(\Delta e + \Delta\hat s / k_e) + h\, \Delta N $$
//!
//! `e` is the slip of the stage [m] (along the surface, of A relative to B), `N` the normal force, `ŝ` what is
//! remembered of the traction. `T₀`, `G` and `h` are all the system needs: the unknown traction is eliminated contact
//! by contact, and the matrix keeps the pattern of the primal method.

mod anchored;
mod elliptic;
mod normal;
mod smoothed;
mod viscous;

pub use anchored::{Anchored, Corner};
pub use elliptic::{Coefficients, Elliptic, Stretched, StretchedDerivatives};
pub use normal::{Bond, Normal};
pub use smoothed::{Profile, Smoothed};
pub use viscous::Viscous;

use crate::math::{Matrix3, Vector3};

/// What a law answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// What the law is short of at the present iterate, zero at the solution [N].
    pub residual: Vector3,
    /// `T₀`: change of the traction if nothing else moved [N].
    pub correction: Vector3,
    /// `G`: change per slip [N/m].
    pub by_slip: Matrix3,
    /// `h`: change per normal force [-].
    pub by_normal: Vector3,
}
