//! Ways of taking a step.
//!
//! | method | idea | where |
//! |---|---|---|
//! | `smooth` | forces of contact and friction that are smooth functions, one implicit system | [`system`](crate::system) |
//! | `impulse` | impulses that obey Coulomb's law exactly, between bodies with exact shapes | [`impulse`] |
//!
//! All advance the same state: positions and velocities of nodes, of which rigid bodies have a few.

pub mod impulse;
