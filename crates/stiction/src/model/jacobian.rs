//! The Jacobian of a stage as a matrix.

use std::sync::Arc;

use super::{Clique, Model, Phase};
use crate::assembly::{Assembly, Rows};
use crate::element::Projection;
use crate::math::Matrix3;
use crate::solve::{BlockMatrix, BlockPattern};

/// Factors of mass, stiffness and damping in a Jacobian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) mass: f64,
    pub(crate) stiffness: f64,
    pub(crate) damping: f64,
    /// Of contacts, per change of velocity.
    pub(crate) contact: f64,
    /// Position per unknown [s].
    pub(crate) position: f64,
}

impl Model {
    /// Fills the Jacobian `m M + k K + d D` over free rows. What zones couple beyond its pattern is left in
    /// [`Zones::update`](super::zones::Zones::update). [`Model::finish_jacobian`] comes after what a method adds.
    pub(crate) fn fill_jacobian(&mut self, q: &[f64], weights: Weights, projection: Projection) {
        let Self {
            assembly,
            zones,
            rows,
            stiffness,
            damping,
            jacobian,
            masses,
            mass_damping,
            fixed,
            rigid,
            meter,
            ..
        } = self;
        meter.time(Phase::Assembly, || {
            assembly.hessian(q, projection, stiffness);
            if !zones.is_empty() {
                zones.add_hessian(q, projection, weights.stiffness, rows, fixed, stiffness);
            }
            // Free rows come first and free columns first in each: a row of the Jacobian is the start
            // of a row of the stiffness.
            let (pattern, full) = (Arc::clone(jacobian.pattern()), stiffness.pattern());
            for row in 0..pattern.size() {
                let (slots, start) = (pattern.row_slots(row), full.row_slots(row).start);
                let same = start..start + slots.len();
                let target = &mut jacobian.values_mut()[slots];
                let k = &stiffness.values()[same.clone()];
                target.iter_mut().zip(k).for_each(|(target, k)| *target = k * weights.stiffness);
                if let Some(damping) = damping {
                    let d = &damping.values()[same];
                    target.iter_mut().zip(d).for_each(|(target, d)| *target += d * weights.damping);
                }
                let node = rows.nodes()[row] as usize;
                let diagonal = pattern.row(row).partition_point(|&column| (column as usize) < row);
                let inertia = weights.mass * masses[node] + weights.damping * mass_damping[node];
                target[diagonal] += Matrix3::from_diagonal_element(inertia);
            }
            rigid.add_carried(rows, weights.stiffness, stiffness, jacobian);
            if let Some(damping) = damping {
                rigid.add_carried(rows, weights.damping, damping, jacobian);
            }
            rigid.add_jacobian(rows, weights, jacobian);
        });
    }

    /// Makes prescribed coordinates identities, in the Jacobian and in another matrix of its pattern, both shifted by
    /// a multiple of the mass, relative to the stiffest node.
    pub(crate) fn finish_jacobian(&mut self, shift: f64, other: Option<&mut BlockMatrix>) {
        let Self { jacobian, rows, fixed, inertias, meter, .. } = self;
        meter.time(Phase::Assembly, || {
            for matrix in [Some(jacobian), other].into_iter().flatten() {
                if shift > 0.0 {
                    shift_diagonal(rows, inertias, shift, matrix);
                }
                fix_coordinates(rows, fixed, inertias, matrix);
            }
        });
    }
}

/// Where a clique belongs: rows of a matrix, ascending, and the entries of the stencil they come from.
#[derive(Default)]
pub(crate) struct Places {
    rows: Vec<(u32, usize)>,
}

impl Places {
    pub(crate) fn find(&mut self, rows: &Rows, clique: &Clique) {
        let free = rows.free() as u32;
        let row = |(k, node): (usize, &Option<u32>)| Some((rows.of_node((*node)?), k));
        self.rows.clear();
        self.rows.extend(clique.nodes.iter().enumerate().filter_map(row));
        self.rows.retain(|&(row, _)| row < free);
        self.rows.sort_unstable();
    }

    /// Adds a clique to a matrix, and all but its couplings to another of the same pattern.
    pub(crate) fn add(
        &self,
        clique: &Clique,
        weight: f64,
        jacobian: &mut BlockMatrix,
        mut near: Option<&mut BlockMatrix>,
    ) {
        let (pattern, count) = (Arc::clone(jacobian.pattern()), clique.nodes.len());
        for &(row, i) in &self.rows {
            let (columns, start) =
                (pattern.row(row as usize), pattern.row_slots(row as usize).start);
            let mut at = 0;
            for &(column, j) in &self.rows {
                at += columns[at..]
                    .iter()
                    .position(|&c| c == column)
                    .expect("the pattern holds every contact");
                let block = clique.blocks[i * count + j] * weight;
                jacobian.values_mut()[start + at] += block;
                if let Some(near) = &mut near {
                    near.values_mut()[start + at] += match clique.couplings[..] {
                        [] => block,
                        ref couplings => {
                            block - couplings[i][0] * (couplings[j][1] * weight).transpose()
                        }
                    };
                }
            }
        }
    }
}

/// The Jacobian over free rows, the stiffness over all, and the damping if there is any.
pub(super) fn matrices(
    assembly: &Assembly,
    rows: &Rows,
) -> (BlockMatrix, BlockMatrix, Option<BlockMatrix>) {
    let full = assembly.pattern();
    let free = Arc::new(BlockPattern::leading(full, rows.free()));
    let damped = assembly.terms().iter().any(|term| term.damping() > 0.0);
    let damping = damped.then(|| BlockMatrix::zeros(Arc::clone(full)));
    (BlockMatrix::zeros(free), BlockMatrix::zeros(Arc::clone(full)), damping)
}

/// Adds a multiple of the mass to the diagonal: `shift` times what would double the stiffest node.
fn shift_diagonal(rows: &Rows, masses: &[f64], shift: f64, jacobian: &mut BlockMatrix) {
    let pattern = Arc::clone(jacobian.pattern());
    let slot = |row: usize| pattern.slot(row, row).expect("the diagonal is in every pattern");
    let mass = |row: usize| masses[rows.free_nodes()[row] as usize];
    let stiffest = (0..pattern.size())
        .map(|row| jacobian.values()[slot(row)].amax() / mass(row))
        .fold(0.0, f64::max);
    for row in 0..pattern.size() {
        jacobian.values_mut()[slot(row)] +=
            Matrix3::from_diagonal_element(shift * stiffest * mass(row));
    }
}

/// Replaces the rows and columns of prescribed coordinates of free nodes by those of the identity, times
/// the mass, so that they fit in with the rest.
fn fix_coordinates(rows: &Rows, fixed: &[[bool; 3]], masses: &[f64], jacobian: &mut BlockMatrix) {
    let pattern = Arc::clone(jacobian.pattern());
    for (row, &node) in rows.free_nodes().iter().enumerate() {
        for axis in (0..3).filter(|&axis| fixed[node as usize][axis]) {
            for (slot, &column) in pattern.row_slots(row).zip(pattern.row(row)) {
                let mirror = pattern.slot(column as usize, row).expect("the pattern is symmetric");
                jacobian.values_mut()[slot].row_mut(axis).fill(0.0);
                jacobian.values_mut()[mirror].column_mut(axis).fill(0.0);
            }
            let diagonal = pattern.slot(row, row).expect("the diagonal is in every pattern");
            jacobian.values_mut()[diagonal][(axis, axis)] = masses[node as usize];
        }
    }
}
