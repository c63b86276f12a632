//! Rigid bodies: how heavy they are, and how hard to turn.

mod error;
mod mass;
mod principal;

pub use error::MassError;
pub use mass::MassProperties;
pub use principal::PrincipalAxes;
