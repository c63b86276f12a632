//! Contact: who touches whom, how hard, and how it slides.
//!
//! A contact is a point of body A near a surface of body B. **Velocities are those of A relative to B; forces act on
//! A**, and with the opposite sign on B. The normal points out of B towards A, the gap is positive while they are
//! apart. Only the traction `t` of friction is kept the other way round, as what A does to B: the force on A is `λ ∂d
//! − Bᵀt`.
//!
//! | module | what |
//! |---|---|
//! | [`friction`] | friction that depends on direction, torsion, rolling; tables of coefficients |
//! | [`rule`] | what scenes say of pairs |
//! | `detect`, `candidate`, [`key`] | the one detection: broad phase and finders, what they find, and its name |
//! | `features` | features of meshes with barriers between them |
//! | [`record`] | what every output reads |
//! | [`kin`], [`sheets`] | what bodies that touch themselves need: who is too near in the material, and which layer is touched |
//! | [`parallel_transport`] | how remembered tangent vectors follow the normal |
//! | [`coulomb_residual`] | how far contacts are from Coulomb's law |
//! | [`obstacle`], [`smooth_surface`] | obstacles in motion; smooth surfaces, to be judged |
//!
//! How contacts are kept apart is what [methods](crate::method) differ in.

pub mod coulomb_residual;
pub mod friction;
pub mod key;
pub mod kin;
pub mod obstacle;
pub mod parallel_transport;
pub mod record;
pub mod report;
pub mod rule;
pub mod sheets;
pub mod smooth_surface;

pub(crate) mod body_surface;
pub(crate) mod candidate;
pub(crate) mod detect;
pub(crate) mod features;
pub(crate) mod itself;
pub(crate) mod levers;
pub(crate) mod refine;
pub(crate) mod rim;
pub(crate) mod rules;
pub(crate) mod side;

pub use coulomb_residual::FrictionError;
pub use record::Contact;
pub use report::{ContactCounts, ContactKind, ContactReport};
pub use rule::{ContactRule, Friction, Roles};
pub use smooth_surface::SmoothSurface;
