//! Contact: who touches whom, how hard, and how it slides.
//!
//! A contact is a point of body A near a surface of body B. **Velocities are those of A relative to B; forces act
//! on A**, and with the opposite sign on B. The normal points out of B towards A, the gap is positive while they are apart.
//! Only the traction `t` of friction is kept the other way round, as what A does to B: the force on A is
//! `λ ∂d − Bᵀt`.
//!
//! | module | what |
//! |---|---|
//! | [`penalty`] | the force that keeps bodies apart |
//! | [`law`] | friction: anchored, exact, smoothed, viscous; damped and lossy layers |
//! | [`friction`] | friction that depends on direction, torsion, rolling; tables of coefficients |
//! | [`rule`], [`settings`] | what scenes say, and numerics |
//! | [`record`] | what every output reads |
//! | [`obedience`] | how far contacts are from Coulomb's law |
//! | [`memory`] | what contacts remember from step to step |
//! | [`surface`], [`smooth`] | obstacles in motion; smooth surfaces, to be judged |
//! | [`carrier`] | how deforming surfaces carry points near them |

pub mod carrier;
pub mod friction;
pub mod law;
pub mod memory;
pub mod obedience;
pub mod penalty;
pub mod record;
pub mod rule;
pub mod settings;
pub mod smooth;
pub mod surface;
pub mod turn;

pub(crate) mod core;
pub(crate) mod crossing;
pub(crate) mod frame;
pub(crate) mod mesh_surface;
pub(crate) mod pair;
pub(crate) mod refine;
pub(crate) mod rigid_surface;
pub(crate) mod rim;
pub(crate) mod set;
pub(crate) mod side;
pub(crate) mod spot;
pub(crate) mod turning;

pub use obedience::FrictionError;
pub use record::Contact;
pub use rule::{ContactRule, Friction, Roles};
pub use set::ContactReport;
pub use settings::{ContactSettings, Coupling, Law, NormalLaw, SlipLevel};
pub use smooth::SmoothSurface;
