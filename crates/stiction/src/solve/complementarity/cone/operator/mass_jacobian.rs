//! The operator of bodies with block-diagonal mass: `A = J M⁻¹ Jᵀ`, never formed.

use rayon::prelude::*;

use super::{Assembled, BlockRows, Delassus};
use crate::math::{Matrix3, Vector3};

/// `A = J M⁻¹ Jᵀ` by way of the velocities `v = M⁻¹ Jᵀ r`.
///
/// A rigid body is two blocks of unknowns (linear velocity, spin), a particle one. Bodies that do not
/// move have no unknowns.
#[derive(Clone, Debug)]
pub struct MassJacobian {
    inverse_mass: Vec<Matrix3>,
    jacobian: BlockRows,
    /// `J M⁻¹`, on the structure of `J`.
    response: BlockRows,
    diagonal: Vec<Matrix3>,
    contacts_of: Vec<Vec<u32>>,
}

impl MassJacobian {
    /// From the symmetric inverse mass of each block of unknowns, and `J` with a row for each contact.
    ///
    /// # Panics
    /// When `J` does not have a column for each block of unknowns.
    pub fn new(inverse_mass: Vec<Matrix3>, jacobian: BlockRows) -> Self {
        assert_eq!(jacobian.columns(), inverse_mass.len(), "one inverse mass a block of unknowns");
        let response = jacobian.map(|j, block| block * inverse_mass[j]);
        let diagonal = (0..jacobian.rows())
            .map(|i| {
                let pairs = response.row_blocks(i).iter().zip(jacobian.row_blocks(i));
                pairs.map(|(response, block)| response * block.transpose()).sum()
            })
            .collect();
        let contacts_of = jacobian.rows_by_column();
        Self { inverse_mass, jacobian, response, diagonal, contacts_of }
    }

    /// Inverse mass of each block of unknowns.
    pub fn inverse_mass(&self) -> &[Matrix3] {
        &self.inverse_mass
    }

    /// How unknown velocities make contact velocities.
    pub fn jacobian(&self) -> &BlockRows {
        &self.jacobian
    }

    /// The change of velocity `v = M⁻¹ Jᵀ r` that impulses make.
    pub fn velocities(&self, r: &[f64], v: &mut [f64]) {
        self.gather(r, v);
    }
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
        let columns = self.jacobian.row_columns(other);
        for (block, response) in self.response.row(contact) {
            if let Ok(at) = columns.binary_search(&(block as u32)) {
                sum += response * self.jacobian.row_blocks(other)[at].transpose();
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
            self.changed(i, super::block_of(r, i), memory);
        }
    }

    #[inline]
    fn row(&self, contact: usize, _: &[f64], memory: &[f64]) -> Vector3 {
        self.jacobian.row_times(contact, memory)
    }

    #[inline]
    fn changed(&self, contact: usize, change: Vector3, memory: &mut [f64]) {
        self.response.add_transposed_row(contact, change, memory);
    }

    fn for_neighbours(&self, contact: usize, visit: &mut dyn FnMut(usize)) {
        for &block in self.jacobian.row_columns(contact) {
            for &other in &self.contacts_of[block as usize] {
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
                for (block, response) in self.response.row(i) {
                    for &other in &self.contacts_of[block] {
                        let other = other as usize;
                        let at = self.jacobian.row_columns(other).binary_search(&(block as u32));
                        let at = at.expect("listed because it has a block there");
                        row.push((
                            other,
                            response * self.jacobian.row_blocks(other)[at].transpose(),
                        ));
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
