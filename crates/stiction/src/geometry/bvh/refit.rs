//! Moving the boxes of a tree.

use rayon::prelude::*;

use super::{Bvh, LEAF, Leaf, NOBODY, Node, NotABox};
use crate::mesh::BoundingBox;

/// Below so many nodes or leaves a thread works alone.
const ALONE: usize = 2048;

impl Bvh {
    /// Puts the boxes where they are now; the tree stays as it was built.
    ///
    /// # Errors
    /// When a box is not finite or ends before it begins, or when there are not as many as before. The tree is then
    /// not to be used.
    pub fn refit(&mut self, boxes: &[BoundingBox]) -> Result<(), NotABox> {
        if boxes.len() != self.count {
            return Err(NotABox { index: boxes.len().min(self.count) });
        }
        let bad = self
            .leaves
            .par_chunks_mut(ALONE)
            .filter_map(|leaves| leaves.iter_mut().filter_map(|leaf| leaf.fill(boxes)).min())
            .min();
        if let Some(index) = bad {
            return Err(NotABox { index });
        }
        if !self.nodes.is_empty() {
            fit(&mut self.nodes, &self.leaves);
        }
        Ok(())
    }
}

fn fit(nodes: &mut [Node], leaves: &[Leaf]) {
    if nodes.len() < ALONE {
        for i in (0..nodes.len()).rev() {
            let right = nodes[i].right as usize;
            if right == 0 {
                nodes[i].hold(&leaves[nodes[i].leaf as usize]);
            } else {
                let (a, b) = (nodes[i + 1], nodes[i + right]);
                nodes[i].unite(&a, &b);
            }
        }
        return;
    }
    let Some((node, below)) = nodes.split_first_mut() else { return };
    let (left, right) = below.split_at_mut(node.right as usize - 1);
    rayon::join(|| fit(left, leaves), || fit(right, leaves));
    node.unite(&left[0], &right[0]);
}

impl Node {
    fn unite(&mut self, a: &Self, b: &Self) {
        for k in 0..3 {
            self.min[k] = lower(a.min[k], b.min[k]);
            self.max[k] = -lower(-a.max[k], -b.max[k]);
        }
    }

    fn hold(&mut self, leaf: &Leaf) {
        for k in 0..3 {
            self.min[k] = leaf.min[k].iter().fold(f64::INFINITY, |a, &b| lower(a, b));
            self.max[k] = -leaf.max[k].iter().fold(f64::INFINITY, |a, &b| lower(a, -b));
        }
    }
}

impl Leaf {
    /// Looks up its boxes; returns one that is none.
    fn fill(&mut self, boxes: &[BoundingBox]) -> Option<usize> {
        let mut bad = None;
        for k in (0..LEAF).take_while(|&k| self.ids[k] != NOBODY) {
            let id = self.ids[k] as usize;
            let b = &boxes[id];
            let mut sound = true;
            for axis in 0..3 {
                let (min, max) = (b.min[axis], b.max[axis]);
                sound &= (min <= max) & (max - min < f64::INFINITY);
                self.min[axis][k] = min;
                self.max[axis][k] = max;
            }
            if !sound {
                bad = Some(bad.map_or(id, |other: usize| other.min(id)));
            }
        }
        bad
    }
}

/// One comparison, where `f64::min` takes care of NaN as well.
fn lower(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
