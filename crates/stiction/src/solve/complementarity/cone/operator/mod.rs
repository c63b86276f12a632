//! The operator `A` of `u = A r + b`, in the forms it comes in.
//!
//! | | holds | a sweep over `n` contacts costs |
//! |---|---|---|
//! | [`Assembled`] | the 3×3 blocks of `A` | one product with `A` |
//! | [`MassJacobian`] | `M⁻¹` and `J`, with `A = J M⁻¹ Jᵀ` never formed | two products with `J` |
//! | [`Factorised`] | a factorisation of any implicit operator, and `J` | `n` solves: assemble it first for Gauss–Seidel |

mod assembled;
pub(super) mod block_rows;
mod factorised;
mod mass_jacobian;

pub use assembled::Assembled;
pub use block_rows::BlockRows;
pub use factorised::Factorised;
pub use mass_jacobian::MassJacobian;

use crate::math::{Matrix3, Vector3};
use crate::threads::for_each_block;
use block_rows::block_of;

/// What solvers ask of a symmetric positive semidefinite operator on impulses.
///
/// Sweeps change one impulse at a time. `memory` is what an operator keeps about the impulses meanwhile, for
/// example the velocities of bodies: [`gather`](Self::gather) fills it, [`changed`](Self::changed) keeps it true.
#[doc(alias("Delassus operator"))]
pub trait Delassus: Sync {
    /// Contacts: three rows each.
    fn contacts(&self) -> usize;

    /// The block of a contact on itself.
    fn diagonal(&self, contact: usize) -> Matrix3;

    /// Any block: what an impulse of `other` does to the velocity of `contact`.
    fn between(&self, contact: usize, other: usize) -> Matrix3;

    /// Numbers in the memory.
    fn memory_len(&self) -> usize;

    /// Fills the memory for impulses `r`.
    fn gather(&self, r: &[f64], memory: &mut [f64]);

    /// The rows of one contact: `(A r)_i`.
    fn row(&self, contact: usize, r: &[f64], memory: &[f64]) -> Vector3;

    /// Tells that the impulse of a contact has changed.
    fn changed(&self, contact: usize, change: Vector3, memory: &mut [f64]);

    /// Calls `visit` for every contact that this one acts on, itself perhaps, and some perhaps more than once.
    fn for_neighbours(&self, contact: usize, visit: &mut dyn FnMut(usize));

    /// Blocks that a sweep reads from memory, if they are written out: what it costs where contacts act on many others.
    fn written_out(&self) -> usize {
        0
    }

    /// `u = A r`.
    fn apply(&self, r: &[f64], u: &mut [f64], memory: &mut [f64]) {
        self.gather(r, memory);
        let memory = &*memory;
        // Each row sums in its own order: threads do not change the bits.
        for_each_block(u, 512, |i, u| {
            u.copy_from_slice(self.row(i, r, memory).as_slice());
        });
    }

    /// All blocks written out.
    fn assemble(&self) -> Assembled;

    /// The bodies behind the operator, if it knows them: their masses are block-diagonal.
    fn bodies(&self) -> Option<&MassJacobian> {
        None
    }
}

impl<A: Delassus + ?Sized> Delassus for &A {
    fn contacts(&self) -> usize {
        (**self).contacts()
    }
    fn diagonal(&self, contact: usize) -> Matrix3 {
        (**self).diagonal(contact)
    }
    fn between(&self, contact: usize, other: usize) -> Matrix3 {
        (**self).between(contact, other)
    }
    fn memory_len(&self) -> usize {
        (**self).memory_len()
    }
    fn gather(&self, r: &[f64], memory: &mut [f64]) {
        (**self).gather(r, memory);
    }
    fn row(&self, contact: usize, r: &[f64], memory: &[f64]) -> Vector3 {
        (**self).row(contact, r, memory)
    }
    fn changed(&self, contact: usize, change: Vector3, memory: &mut [f64]) {
        (**self).changed(contact, change, memory);
    }
    fn for_neighbours(&self, contact: usize, visit: &mut dyn FnMut(usize)) {
        (**self).for_neighbours(contact, visit);
    }
    fn written_out(&self) -> usize {
        (**self).written_out()
    }
    fn assemble(&self) -> Assembled {
        (**self).assemble()
    }
    fn bodies(&self) -> Option<&MassJacobian> {
        (**self).bodies()
    }
}
