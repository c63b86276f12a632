//! Newton's method on a map `F(r, u)` of all contacts at once: what contacts of three rows and of six share.
//!
//! A law brings its map and derivatives ([`Linearised`]), and linear systems `(∂F/∂r + ∂F/∂u A) δ = −F`, over
//! velocities of bodies where the operator knows them (`bodies.rs`). Steps are shortened until the merit falls
//! (`steps.rs`), and systems are regularised as much as that needs (`regularisation.rs`).

pub(super) mod bodies;
pub(super) mod regularisation;
pub(super) mod steps;

use nalgebra::{SMatrix, SVector};

/// A value of a map of a contact with `N` rows, in units of velocity, and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearised<const N: usize = 3> {
    /// Zero when the law holds.
    pub value: SVector<f64, N>,
    /// Derivative with respect to the impulse.
    pub by_impulse: SMatrix<f64, N, N>,
    /// Derivative with respect to the velocity.
    pub by_velocity: SMatrix<f64, N, N>,
}

impl<const N: usize> Linearised<N> {
    /// Of a contact that nothing can move: its impulse is to vanish.
    pub(super) fn immobile(impulse: &SVector<f64, N>, mass: f64) -> Self {
        let by_impulse = SMatrix::identity() / mass;
        Self { value: impulse / mass, by_impulse, by_velocity: SMatrix::zeros() }
    }
}

/// Block `i` of a flat vector.
#[inline]
fn block_of<const N: usize>(x: &[f64], i: usize) -> SVector<f64, N> {
    SVector::from_column_slice(&x[N * i..N * (i + 1)])
}

/// Writes block `i` of a flat vector.
#[inline]
fn set_block<const N: usize>(x: &mut [f64], i: usize, value: &SVector<f64, N>) {
    x[N * i..N * (i + 1)].copy_from_slice(value.as_slice());
}
