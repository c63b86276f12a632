//! The Jacobian of a stage as an operator: products from elements, no matrix.
//!
//! A product costs about as much as the forces. Memory stays that of a few vectors, where a matrix takes
//! about a hundred numbers a row and its factor a thousand.

use std::sync::Arc;

use super::System;
use super::jacobian::Weights;
use super::zones::Tangent;
use crate::assembly::point;
use crate::contact::set::{Clique, Derivative};
use crate::math::Matrix3;
use crate::solve::{BlockMatrix, BlockPattern, LinearOperator};

/// `m M + k K(q) + d (α M + D)` over free rows; identity times the mass on prescribed coordinates.
pub(super) struct Jacobian<'a> {
    system: &'a System,
    q: &'a [f64],
    weights: Weights,
    zones: Vec<Tangent<'a>>,
    contacts: Vec<Clique>,
}

impl<'a> Jacobian<'a> {
    pub(super) fn new(system: &'a mut System, q: &'a [f64], v: &[f64], weights: Weights) -> Self {
        let mut contacts = Vec::new();
        system.contact.for_each_clique(q, v, Derivative::Exact, |clique| {
            contacts.push(clique.clone());
        });
        let system = &*system;
        Self { system, q, weights, zones: system.zones.tangents(q), contacts }
    }

    /// What contacts do to each other's nodes: row node, column node, block.
    fn couples(&self) -> impl Iterator<Item = (u32, u32, &Matrix3)> {
        self.contacts.iter().flat_map(|clique| {
            let nodes = &clique.nodes;
            let pairs = nodes.iter().flat_map(|a| nodes.iter().map(|b| (*a, *b)));
            pairs.zip(&clique.blocks).filter_map(|((a, b), block)| Some((a?, b?, block)))
        })
    }

    /// Diagonal blocks alone, for a preconditioner.
    pub(super) fn diagonal(&self) -> BlockMatrix {
        let Self { system, weights, .. } = self;
        let free = system.rows.free();
        let mut blocks = vec![Matrix3::zeros(); system.rows.len()];
        system.assembly.hessian_diagonal(self.q, &mut blocks);
        self.zones.iter().for_each(|zone| zone.add_diagonal(&system.rows, &mut blocks));
        let pattern = Arc::new(BlockPattern::from_stencils(free, std::iter::empty()));
        let mut diagonal = BlockMatrix::zeros(pattern);
        for (row, &node) in system.rows.free_nodes().iter().enumerate() {
            let node = node as usize;
            let mut block = blocks[row] * weights.stiffness;
            if let Some(damping) = &system.damping {
                block += damping.block(row, row) * weights.damping;
            }
            block += Matrix3::from_diagonal_element(self.inertia(node));
            diagonal.values_mut()[row] = block;
        }
        for (a, b, block) in self.couples() {
            let row = system.rows.of_node(a) as usize;
            if a == b && row < free {
                diagonal.values_mut()[row] += block * weights.contact;
            }
        }
        for (row, &node) in system.rows.free_nodes().iter().enumerate() {
            let block = &mut diagonal.values_mut()[row];
            for axis in (0..3).filter(|&axis| system.fixed[node as usize][axis]) {
                block.row_mut(axis).fill(0.0);
                block.column_mut(axis).fill(0.0);
                block[(axis, axis)] = system.masses[node as usize];
            }
        }
        diagonal
    }

    fn inertia(&self, node: usize) -> f64 {
        let Self { system, weights, .. } = self;
        weights.mass * system.masses[node] + weights.damping * system.mass_damping[node]
    }
}

impl LinearOperator for Jacobian<'_> {
    fn dimension(&self) -> usize {
        self.system.unknown_count()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let Self { system, weights, .. } = self;
        // Over all nodes; prescribed coordinates do not move.
        let mut change = vec![0.0; 3 * system.rows.len()];
        system.rows.scatter(x, &mut change);
        for (change, fixed) in change.chunks_exact_mut(3).zip(&system.fixed) {
            for axis in (0..3).filter(|&axis| fixed[axis]) {
                change[axis] = 0.0;
            }
        }
        let mut product = vec![0.0; change.len()];
        system.assembly.hessian_product(self.q, &change, &mut product);
        self.zones.iter().for_each(|zone| zone.add_product(&change, &system.rows, &mut product));
        for (y, product) in y.iter_mut().zip(&product) {
            *y = weights.stiffness * product;
        }
        if let Some(damping) = &system.damping {
            let mut rows = vec![0.0; change.len()];
            system.rows.gather(&change, &mut rows);
            damping.apply(&rows, &mut product);
            for (y, product) in y.iter_mut().zip(&product) {
                *y += weights.damping * product;
            }
        }
        for (a, b, block) in self.couples() {
            let row = 3 * system.rows.of_node(a) as usize;
            if row < y.len() {
                let push = block * point(&change, b as usize) * weights.contact;
                y[row..row + 3].iter_mut().zip(push.iter()).for_each(|(y, push)| *y += push);
            }
        }
        for ((y, x), &node) in
            y.chunks_exact_mut(3).zip(x.chunks_exact(3)).zip(system.rows.free_nodes())
        {
            let node = node as usize;
            for axis in 0..3 {
                if system.fixed[node][axis] {
                    y[axis] = system.masses[node] * x[axis];
                } else {
                    y[axis] += self.inertia(node) * x[axis];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use crate::body::{Cloth, Solid};
    use crate::element::Projection;
    use crate::material::{Damping, Material};
    use crate::mesh::Selection;
    use crate::system::SolverSettings;
    use crate::system::jacobian::Wanted;

    /// A damped solid and a cloth, one held fully, one partly, both deformed.
    #[test]
    fn products_equal_those_of_the_assembled_matrix() {
        let mut scene = Scene::new();
        let damped = Material::RUBBER.with_damping(Damping { mass: 0.3, stiffness: 0.02 });
        let block =
            Solid::cuboid([1.0; 3], [2, 3, 2]).expect("valid").material(damped.expect("valid"));
        let block = scene.add(block);
        let sheet = scene.add(Cloth::sheet([1.0, 1.0], [3, 3]).expect("valid").at([2.0, 0.0, 0.0]));
        scene.pin(block, Selection::Tag("x-min".into()));
        scene.pin(sheet, Selection::Tag("left".into())).axes([false, true, true]);
        let (mut system, mut q, _) = System::new(&scene, SolverSettings::default()).expect("valid");
        for (k, q) in q.iter_mut().enumerate() {
            *q += 0.03 * (1.7 * k as f64).sin();
        }
        system.freeze_damping(&q);
        let weights =
            Weights { mass: 1.0, stiffness: 0.7, damping: 0.4, contact: 0.4, position: 1.0 };
        let v = vec![0.0; q.len()];
        let wanted = Wanted { weights, projection: Projection::Exact, shift: 0.0, near: false };
        system.fill_jacobian(&q, &v, wanted);
        let x: Vec<f64> = (0..system.unknown_count()).map(|k| (0.9 * k as f64).cos()).collect();
        let (mut by_matrix, mut by_elements) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        system.jacobian.apply(&x, &mut by_matrix);
        let assembled = system.jacobian.clone();
        let jacobian = Jacobian::new(&mut system, &q, &v, weights);
        jacobian.apply(&x, &mut by_elements);
        let scale = by_matrix.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
        for (a, b) in by_matrix.iter().zip(&by_elements) {
            assert!((a - b).abs() < 1e-13 * scale, "{a} by the matrix, {b} by elements");
        }
        let diagonal = jacobian.diagonal();
        for row in 0..diagonal.size() {
            let difference = diagonal.block(row, row) - assembled.block(row, row);
            assert!(difference.amax() < 1e-13 * scale, "diagonal block {row}");
        }
    }
}
