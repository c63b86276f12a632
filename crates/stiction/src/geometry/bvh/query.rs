//! Boxes that overlap one box.

use super::Bvh;
use crate::mesh::BoundingBox;

impl Bvh {
    /// All boxes that overlap `place`, in the order of the tree. Replaces what is in `found`.
    pub fn overlapping(&self, place: &BoundingBox, found: &mut Vec<u32>) {
        found.clear();
        if self.is_empty() {
            return;
        }
        let rounded = self.origin.round(place);
        let mut waiting = vec![0];
        while let Some(i) = waiting.pop() {
            let node = &self.nodes[i as usize];
            let overlaps = node.overlaps(&rounded);
            if node.is_leaf {
                let is_one = |k: &usize| {
                    let item = node.children[*k] as usize;
                    !overlaps.doubtful.has(*k) || self.boxes[item].overlaps(place)
                };
                found.extend(overlaps.all.filter(is_one).map(|k| node.children[k]));
            } else {
                // Backwards, because the last to wait is the first to be visited.
                let ahead = (0..node.children().len()).rev().filter(|&k| overlaps.all.has(k));
                waiting.extend(ahead.map(|k| i + node.children[k]));
            }
        }
    }
}
