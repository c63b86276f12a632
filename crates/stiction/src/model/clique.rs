//! A small dense matrix over a few nodes, to be added to a Jacobian.

use crate::math::{Matrix3, Vector3};

/// What couples a few nodes, such as a contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clique {
    /// What it couples; entries without a node do not move.
    pub(crate) nodes: Vec<Option<u32>>,
    /// Minus the derivative of forces by velocities, row by row.
    pub(crate) blocks: Vec<Matrix3>,
    /// The part of it by which friction follows normal forces, `a_i b_jᵀ`; empty if there is none.
    pub(crate) couplings: Vec<[Vector3; 2]>,
}
