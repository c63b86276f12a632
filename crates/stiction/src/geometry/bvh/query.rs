//! Boxes that overlap one box.

use super::{Bounds, Bvh, Child, WIDTH};
use crate::math::Vector3;
use crate::mesh::BoundingBox;

impl Bvh {
    /// All boxes that overlap `place`, in the order of the tree. Replaces what is in `found`.
    pub fn overlapping(&self, place: &BoundingBox, found: &mut Vec<u32>) {
        let (min, max) = (place.min.into(), place.max.into());
        found.clear();
        self.visit(|node_min, node_max| overlap(&min, &max, node_min, node_max), found);
    }

    /// All boxes that the ray from `origin` along `direction` meets, not farther than `reach` times the direction, in the order of
    /// the tree. Boxes that it touches in a corner or along a side count, up to rounding. Replaces what is in `found`.
    pub fn along_ray(&self, origin: Vector3, direction: Vector3, reach: f64, found: &mut Vec<u32>) {
        let meets = |min: &[f64; 3], max: &[f64; 3]| {
            let (mut enter, mut leave) = (0.0_f64, reach);
            for k in 0..3 {
                if direction[k] == 0.0 {
                    if origin[k] < min[k] || origin[k] > max[k] {
                        return false;
                    }
                    continue;
                }
                let (a, b) =
                    ((min[k] - origin[k]) / direction[k], (max[k] - origin[k]) / direction[k]);
                enter = enter.max(a.min(b));
                // A little later, so that rounding loses no box.
                leave = leave.min(a.max(b) * (1.0 + 4.0 * f64::EPSILON));
            }
            enter <= leave
        };
        found.clear();
        self.visit(meets, found);
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
            while let (None, Some((parent, child))) = (next, waiting.pop()) {
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
