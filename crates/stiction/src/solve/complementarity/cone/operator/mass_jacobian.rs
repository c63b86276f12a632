//! The operator of bodies with block-diagonal mass: `A = J M⁻¹ Jᵀ`, never formed.

use std::sync::OnceLock;

use nalgebra::Cholesky;
use rayon::prelude::*;

use super::block_rows::{block_of, set_block};
use super::{Assembled, BlockRows, Delassus};
use crate::math::{Matrix3, Vector3};

/// `A = J M⁻¹ Jᵀ = B Bᵀ` with `B = J L`, `L Lᵀ = M⁻¹`, by way of the velocities `w = Bᵀ r` in units in which all
/// masses are one: a sweep reads `B` and nothing else, where velocities `v = L w` would need `J` and `J M⁻¹`.
///
/// A rigid body is two blocks of unknowns (linear velocity, spin), a particle one. Bodies that do not
/// move have no unknowns.
#[derive(Clone, Debug)]
pub struct MassJacobian {
    inverse_mass: Vec<Matrix3>,
    jacobian: BlockRows,
    /// `L` of each block of unknowns.
    roots: Vec<Matrix3>,
    /// `B`.
    scaled: BlockRows,
    diagonal: Vec<Matrix3>,
    /// Of each block of unknowns, its contacts; sweeps do without.
    contacts_of: OnceLock<Vec<Vec<u32>>>,
}

impl MassJacobian {
    /// From the symmetric inverse mass of each block of unknowns, and `J` with a row for each contact.
    ///
    /// # Panics
    /// When `J` does not have a column for each block of unknowns.
    pub fn new(inverse_mass: Vec<Matrix3>, jacobian: BlockRows) -> Self {
        assert_eq!(jacobian.columns(), inverse_mass.len(), "one inverse mass a block of unknowns");
        let roots: Vec<Matrix3> = inverse_mass.iter().map(root).collect();
        let scaled = jacobian.map(|j, block| block * roots[j]);
        let diagonal = (0..jacobian.rows())
            .map(|i| scaled.row_blocks(i).iter().map(|block| block * block.transpose()).sum())
            .collect();
        Self { inverse_mass, jacobian, roots, scaled, diagonal, contacts_of: OnceLock::new() }
    }

    fn contacts_of(&self, block: usize) -> &[u32] {
        &self.contacts_of.get_or_init(|| self.jacobian.rows_by_column())[block]
    }

    /// Inverse mass of each block of unknowns.
    pub fn inverse_mass(&self) -> &[Matrix3] {
        &self.inverse_mass
    }

    /// How unknown velocities make contact velocities.
    pub fn jacobian(&self) -> &BlockRows {
        &self.jacobian
    }

    /// `B`, the Jacobian for unit masses.
    pub fn scaled(&self) -> &BlockRows {
        &self.scaled
    }

    /// The change of velocity `v = M⁻¹ Jᵀ r` that impulses make.
    pub fn velocities(&self, r: &[f64], v: &mut [f64]) {
        self.gather(r, v);
        for (j, root) in self.roots.iter().enumerate() {
            let velocity = root * block_of(v, j);
            set_block(v, j, velocity);
        }
    }
}

/// `L` with `L Lᵀ` an inverse mass, which may be singular: something cannot move or turn. Then the symmetric root.
fn root(inverse_mass: &Matrix3) -> Matrix3 {
    let alone = Matrix3::from_diagonal(&inverse_mass.diagonal());
    if alone == *inverse_mass && alone.diagonal().min() >= 0.0 {
        return alone.map(f64::sqrt);
    }
    if let Some(factor) = Cholesky::new(*inverse_mass) {
        return factor.l();
    }
    let eigen = inverse_mass.symmetric_eigen();
    eigen.eigenvectors * Matrix3::from_diagonal(&eigen.eigenvalues.map(|m| m.max(0.0).sqrt()))
}

impl Delassus for MassJacobian {
    fn contacts(&self) -> usize {
        self.jacobian.rows()
    }

    fn diagonal(&self, contact: usize) -> Matrix3 {
        self.diagonal[contact]
    }

    fn between(&self, contact: usize, other: usize) -> Matrix3 {
        let mut sum = Matrix3::zeros();
        let columns = self.scaled.row_columns(other);
        for (block, scaled) in self.scaled.row(contact) {
            if let Ok(at) = columns.binary_search(&(block as u32)) {
                sum += scaled * self.scaled.row_blocks(other)[at].transpose();
            }
        }
        sum
    }

    fn memory_len(&self) -> usize {
        3 * self.inverse_mass.len()
    }

    fn gather(&self, r: &[f64], memory: &mut [f64]) {
        memory.fill(0.0);
        for i in 0..self.contacts() {
            self.changed(i, block_of(r, i), memory);
        }
    }

    #[inline]
    fn row(&self, contact: usize, _: &[f64], memory: &[f64]) -> Vector3 {
        self.scaled.row_times(contact, memory)
    }

    #[inline]
    fn changed(&self, contact: usize, change: Vector3, memory: &mut [f64]) {
        self.scaled.add_transposed_row(contact, change, memory);
    }

    fn for_neighbours(&self, contact: usize, visit: &mut dyn FnMut(usize)) {
        for &block in self.jacobian.row_columns(contact) {
            for &other in self.contacts_of(block as usize) {
                visit(other as usize);
            }
        }
    }

    fn assemble(&self) -> Assembled {
        let rows: Vec<Vec<(usize, Matrix3)>> = (0..self.contacts())
            .into_par_iter()
            .with_min_len(64)
            .map(|i| {
                let mut row: Vec<(usize, Matrix3)> = Vec::new();
                for (block, scaled) in self.scaled.row(i) {
                    for &other in self.contacts_of(block) {
                        let other = other as usize;
                        let at = self.scaled.row_columns(other).binary_search(&(block as u32));
                        let at = at.expect("listed because it has a block there");
                        row.push((other, scaled * self.scaled.row_blocks(other)[at].transpose()));
                    }
                }
                row
            })
            .collect();
        Assembled::from_rows(self.contacts(), rows)
    }

    fn bodies(&self) -> Option<&MassJacobian> {
        Some(self)
    }
}
