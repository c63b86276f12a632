//! What is said of carried nodes, as it acts on the bodies that carry them: forces by `Sᵀ`, matrices by `Sᵀ K S`,
//! exactly, with the term that comes from turning lever arms.

use super::{Arm, RigidNodes, RigidSet, add_block};
use crate::assembly::Rows;
use crate::math::{Matrix3, Vector3};
use crate::model::Clique;
use crate::solve::BlockMatrix;

impl RigidSet {
    /// How a node follows a body, if it is carried by one.
    pub(crate) fn arm(&self, node: u32) -> Option<Arm> {
        let (b, k) = (*self.carried.get(node as usize)?)?;
        let body = &self.bodies[b as usize];
        let d = body.local[k as usize];
        let by_turn = -(body.now.rotation * d.cross_matrix() * body.now.tangent);
        Some(Arm { center: body.nodes.center, turn: body.nodes.turn, by_turn })
    }

    /// The nodes with equations that a stencil moves.
    pub(crate) fn real_nodes(&self, stencil: &[u32]) -> Vec<u32> {
        let mut nodes = Vec::with_capacity(stencil.len());
        for &node in stencil {
            match self.carried.get(node as usize) {
                Some(Some((b, _))) => {
                    let RigidNodes { center, turn, .. } = self.bodies[*b as usize].nodes;
                    nodes.extend([center, turn]);
                }
                _ => nodes.push(node),
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Stencils that bodies need: centre and rotation, and whatever pulls on carried nodes.
    pub(crate) fn stencils(&self, of_terms: impl FnOnce(&mut dyn FnMut(&[u32]))) -> Vec<Vec<u32>> {
        let own = self.bodies.iter().map(|body| vec![body.nodes.center, body.nodes.turn]);
        let mut stencils: Vec<Vec<u32>> = own.collect();
        if !self.is_empty() {
            of_terms(&mut |nodes| {
                let carried = |node: &u32| self.carried[*node as usize].is_some();
                if nodes.iter().any(carried) {
                    stencils.push(self.real_nodes(nodes));
                }
            });
        }
        stencils
    }

    /// Moves what is at carried rows of a matrix over all rows into one over free rows.
    pub(crate) fn add_carried(
        &self,
        rows: &Rows,
        weight: f64,
        matrix: &BlockMatrix,
        jacobian: &mut BlockMatrix,
    ) {
        for body in &self.bodies {
            for &node in &body.nodes.vertices {
                let row = rows.of_node(node) as usize;
                for (column, block) in matrix.row(row) {
                    let other = rows.nodes()[column];
                    if *block == Matrix3::zeros() {
                        continue;
                    }
                    let block = block * weight;
                    self.spread(rows, [node, other], &block, jacobian);
                    if self.arm(other).is_none() {
                        let mirror = matrix.block(column, row) * weight;
                        self.spread(rows, [other, node], &mirror, jacobian);
                    }
                }
            }
        }
    }

    /// Adds a block between two nodes where their bodies are.
    fn spread(&self, rows: &Rows, [a, b]: [u32; 2], block: &Matrix3, jacobian: &mut BlockMatrix) {
        let identity = Matrix3::identity();
        let ends = [a, b].map(|node| match self.arm(node) {
            Some(arm) => vec![(arm.center, identity), (arm.turn, arm.by_turn)],
            None => vec![(node, identity)],
        });
        for (i, by_row) in &ends[0] {
            for (j, by_column) in &ends[1] {
                let [row, column] = [*i, *j].map(|node| rows.of_node(node) as usize);
                if row < rows.free() && column < rows.free() {
                    add_block(jacobian, row, column, by_row.tr_mul(block) * by_column);
                }
            }
        }
    }

    /// Writes the same clique over nodes with equations. Says whether it was any different.
    pub(crate) fn reduce(&self, clique: &Clique, reduced: &mut Clique) -> bool {
        let arms: Vec<Option<Arm>> =
            clique.nodes.iter().map(|node| node.and_then(|node| self.arm(node))).collect();
        if arms.iter().all(Option::is_none) {
            return false;
        }
        let given: Vec<u32> = clique.nodes.iter().copied().flatten().collect();
        let nodes = self.real_nodes(&given);
        let place = |node: u32| nodes.binary_search(&node).expect("one of them");
        // Of each entry: where it goes, and by what.
        let identity = Matrix3::identity();
        let ways: Vec<Vec<(usize, Matrix3)>> = clique
            .nodes
            .iter()
            .zip(&arms)
            .map(|(node, arm)| match (node, arm) {
                (_, Some(arm)) => {
                    vec![(place(arm.center), identity), (place(arm.turn), arm.by_turn)]
                }
                (Some(node), None) => vec![(place(*node), identity)],
                (None, None) => Vec::new(),
            })
            .collect();
        let (count, size) = (clique.nodes.len(), nodes.len());
        // Columns first, then rows.
        let mut half = vec![Matrix3::zeros(); count * size];
        for (i, row) in clique.blocks.chunks_exact(count).enumerate() {
            for (block, ways) in row.iter().zip(&ways) {
                for (to, by) in ways {
                    half[i * size + to] += block * by;
                }
            }
        }
        reduced.blocks.clear();
        reduced.blocks.resize(size * size, Matrix3::zeros());
        for (row, ways) in half.chunks_exact(size).zip(&ways) {
            for (to, by) in ways {
                for (j, block) in row.iter().enumerate() {
                    reduced.blocks[to * size + j] += by.tr_mul(block);
                }
            }
        }
        reduced.couplings.clear();
        if !clique.couplings.is_empty() {
            reduced.couplings.resize(size, [Vector3::zeros(); 2]);
            for (pair, ways) in clique.couplings.iter().zip(&ways) {
                for (to, by) in ways {
                    let sums = reduced.couplings[*to].iter_mut();
                    sums.zip(pair).for_each(|(sum, part)| *sum += by.tr_mul(part));
                }
            }
        }
        reduced.nodes.clear();
        reduced.nodes.extend(nodes.into_iter().map(Some));
        true
    }
}
