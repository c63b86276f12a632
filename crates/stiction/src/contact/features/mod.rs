//! Features of meshes near each other, with energies that grow without bound as they come to touch: what methods that
//! let nothing pass have in common.
//!
//! | module | what |
//! |---|---|
//! | [`potential`] | the barrier |
//! | `pair` | a vertex and a triangle, or two edges: energy, forces, derivatives, first contact on a way |
//! | `surfaces` | pairs of features whose boxes overlap |

pub mod potential;

mod pair;
mod surfaces;

pub(crate) use pair::{Kind, Pair};
pub(crate) use surfaces::Surfaces;

/// How two features push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layer {
    /// `d̂` [m].
    pub(crate) d_hat: f64,
    /// `κ` [N/m].
    pub(crate) kappa: f64,
}
