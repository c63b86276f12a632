//! The Jacobian of a stage as an operator: products from elements, no matrix.
//!
//! A product costs about as much as the forces. Memory stays that of a few vectors, where a matrix takes
//! about a hundred numbers a row and its factor a thousand.

use std::sync::Arc;

use super::set::{ContactSet, Derivative};
use crate::assembly::point;
use crate::math::Matrix3;
use crate::model::{Clique, Model, Tangent, Weights};
use crate::solve::{BlockMatrix, BlockPattern, LinearOperator};

/// `m M + k K(q) + d (α M + D)` over free rows; identity times the mass on prescribed coordinates.
pub(super) struct Jacobian<'a> {
    model: &'a Model,
    q: &'a [f64],
    weights: Weights,
    zones: Vec<Tangent<'a>>,
    contacts: Vec<Clique>,
}

impl<'a> Jacobian<'a> {
    pub(super) fn new(
        model: &'a Model,
        contact: &mut ContactSet,
        q: &'a [f64],
        v: &[f64],
        weights: Weights,
    ) -> Self {
        let mut contacts = Vec::new();
        contact.for_each_clique(q, v, Derivative::Exact, |clique| {
            contacts.push(clique.clone());
        });
        Self { model, q, weights, zones: model.zones.tangents(q), contacts }
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
        let Self { model, weights, .. } = self;
        let free = model.rows.free();
        let mut blocks = vec![Matrix3::zeros(); model.rows.len()];
        model.assembly.hessian_diagonal(self.q, &mut blocks);
        self.zones.iter().for_each(|zone| zone.add_diagonal(&model.rows, &mut blocks));
        let pattern = Arc::new(BlockPattern::from_stencils(free, std::iter::empty()));
        let mut diagonal = BlockMatrix::zeros(pattern);
        for (row, &node) in model.rows.free_nodes().iter().enumerate() {
            let node = node as usize;
            let mut block = blocks[row] * weights.stiffness;
            if let Some(damping) = &model.damping {
                block += damping.block(row, row) * weights.damping;
            }
            block += Matrix3::from_diagonal_element(self.inertia(node));
            diagonal.values_mut()[row] = block;
        }
        for (a, b, block) in self.couples() {
            let row = model.rows.of_node(a) as usize;
            if a == b && row < free {
                diagonal.values_mut()[row] += block * weights.contact;
            }
        }
        for (row, &node) in model.rows.free_nodes().iter().enumerate() {
            let block = &mut diagonal.values_mut()[row];
            for axis in (0..3).filter(|&axis| model.fixed[node as usize][axis]) {
                block.row_mut(axis).fill(0.0);
                block.column_mut(axis).fill(0.0);
                block[(axis, axis)] = model.masses[node as usize];
            }
        }
        diagonal
    }

    fn inertia(&self, node: usize) -> f64 {
        let Self { model, weights, .. } = self;
        weights.mass * model.masses[node] + weights.damping * model.mass_damping[node]
    }
}

impl LinearOperator for Jacobian<'_> {
    fn dimension(&self) -> usize {
        self.model.unknown_count()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let Self { model, weights, .. } = self;
        // Over all nodes; prescribed coordinates do not move.
        let mut change = vec![0.0; 3 * model.rows.len()];
        model.rows.scatter(x, &mut change);
        for (change, fixed) in change.chunks_exact_mut(3).zip(&model.fixed) {
            for axis in (0..3).filter(|&axis| fixed[axis]) {
                change[axis] = 0.0;
            }
        }
        let mut product = vec![0.0; change.len()];
        model.assembly.hessian_product(self.q, &change, &mut product);
        self.zones.iter().for_each(|zone| zone.add_product(&change, &model.rows, &mut product));
        for (y, product) in y.iter_mut().zip(&product) {
            *y = weights.stiffness * product;
        }
        if let Some(damping) = &model.damping {
            let mut rows = vec![0.0; change.len()];
            model.rows.gather(&change, &mut rows);
            damping.apply(&rows, &mut product);
            for (y, product) in y.iter_mut().zip(&product) {
                *y += weights.damping * product;
            }
        }
        for (a, b, block) in self.couples() {
            let row = 3 * model.rows.of_node(a) as usize;
            if row < y.len() {
                let push = block * point(&change, b as usize) * weights.contact;
                y[row..row + 3].iter_mut().zip(push.iter()).for_each(|(y, push)| *y += push);
            }
        }
        for ((y, x), &node) in
            y.chunks_exact_mut(3).zip(x.chunks_exact(3)).zip(model.rows.free_nodes())
        {
            let node = node as usize;
            for axis in 0..3 {
                if model.fixed[node][axis] {
                    y[axis] = model.masses[node] * x[axis];
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
    use crate::model::Model;

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
        let (mut model, mut q, _) = Model::new(&scene, &[]).expect("valid");
        for (k, q) in q.iter_mut().enumerate() {
            *q += 0.03 * (1.7 * k as f64).sin();
        }
        model.freeze_damping(&q);
        let weights =
            Weights { mass: 1.0, stiffness: 0.7, damping: 0.4, contact: 0.4, position: 1.0 };
        let v = vec![0.0; q.len()];
        model.fill_jacobian(&q, weights, Projection::Exact);
        model.finish_jacobian(0.0, None);
        let x: Vec<f64> = (0..model.unknown_count()).map(|k| (0.9 * k as f64).cos()).collect();
        let (mut by_matrix, mut by_elements) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        model.jacobian.apply(&x, &mut by_matrix);
        let assembled = model.jacobian.clone();
        let jacobian = Jacobian::new(&model, &mut ContactSet::default(), &q, &v, weights);
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
