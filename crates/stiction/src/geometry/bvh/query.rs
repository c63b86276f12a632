//! Boxes that overlap one box.

use super::{Bounds, Bvh, Child, WIDTH};
use crate::mesh::BoundingBox;

impl Bvh {
    /// All boxes that overlap `place`, in the order of the tree. Replaces what is in `found`.
    pub fn overlapping(&self, place: &BoundingBox, found: &mut Vec<u32>) {
        let (min, max) = (place.min.into(), place.max.into());
        found.clear();
        self.visit(|node_min, node_max| overlap(&min, &max, node_min, node_max), found);
    }

    fn visit(&self, meets: impl Fn(&[f64; 3], &[f64; 3]) -> bool, found: &mut Vec<u32>) {
        let mut waiting = Vec::new();
        let mut next = (!self.is_empty()).then_some(0);
        while let Some(i) = next {
            let node = &self.nodes[i];
            // Backwards, because the last to wait is the first to be visited.
            for k in (0..WIDTH).rev().filter(|&k| node.children[k] != Child::Free) {
                let Bounds { min, max } = node.child(k);
                if meets(&min, &max) {
                    waiting.push((i, node.children[k]));
                }
            }
            next = None;
            while next.is_none() {
                let Some((parent, child)) = waiting.pop() else { break };
                match child {
                    Child::Node(ahead) => next = Some(parent + ahead as usize),
                    Child::Item(id) => found.push(id),
                    Child::Free => {}
                }
            }
        }
    }
}

fn overlap(a_min: &[f64; 3], a_max: &[f64; 3], b_min: &[f64; 3], b_max: &[f64; 3]) -> bool {
    (0..3).all(|k| a_min[k] <= b_max[k] && a_max[k] >= b_min[k])
}
