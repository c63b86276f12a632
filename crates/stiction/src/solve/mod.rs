//! Numerics that know no physics, usable on their own.
//!
//! Matrices are sparse with 3×3 blocks and a symmetric structure ([`BlockMatrix`]): a vertex is one
//! block, a rigid body two.

mod block;
mod direct;

pub use block::{BlockMatrix, BlockPattern};
pub use direct::{Analysis, Cholesky, Inertia, Ldlt, Lu, NotPositiveDefinite, Order};

/// A linear map `y = A x`.
pub trait LinearOperator: Sync {
    /// Rows and columns.
    fn dimension(&self) -> usize;

    /// `y = A x`.
    fn apply(&self, x: &[f64], y: &mut [f64]);
}
