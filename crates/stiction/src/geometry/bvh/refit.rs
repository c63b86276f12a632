//! Moving the boxes of a tree.

use super::build::is_sound;
use super::{Bounds, Bvh, Child, Node, NotABox, WIDTH};
use crate::mesh::BoundingBox;

/// Below so many nodes a thread works alone.
const ALONE: usize = 1024;

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
        if fit(&mut self.nodes, boxes) {
            return Ok(());
        }
        let index = boxes.iter().position(|b| !is_sound(b)).unwrap_or(0);
        Err(NotABox { index })
    }
}

/// Children before parents; false if some box is none.
fn fit(nodes: &mut [Node], boxes: &[BoundingBox]) -> bool {
    if nodes.len() < ALONE {
        return (0..nodes.len()).rev().fold(true, |sound, i| {
            let (node, below) = nodes[i..].split_at_mut(1);
            node[0].fill(below, boxes) & sound
        });
    }
    let (node, below) = nodes.split_at_mut(1);
    let mut starts = node[0].children.iter().filter_map(|child| match child {
        Child::Node(ahead) => Some(*ahead as usize - 1),
        _ => None,
    });
    starts.next(); // the first begins at once
    let mut parts: [&mut [Node]; WIDTH] = Default::default();
    let (mut rest, mut taken, mut count) = (&mut *below, 0, 0);
    for start in starts {
        let (part, after) = rest.split_at_mut(start - taken);
        (parts[count], rest, taken) = (part, after, start);
        count += 1;
    }
    parts[count] = rest;
    let [a, b, c, d] = parts;
    let both = |x, y| rayon::join(|| fit(x, boxes), || fit(y, boxes));
    let ((a, b), (c, d)) = rayon::join(|| both(a, b), || both(c, d));
    node[0].fill(below, boxes) & a & b & c & d
}

impl Node {
    /// Looks up the boxes of its children; false if some box is none.
    fn fill(&mut self, below: &[Self], boxes: &[BoundingBox]) -> bool {
        let mut sound = true;
        for k in 0..WIDTH {
            let bounds = match self.children[k] {
                Child::Item(id) => {
                    sound &= is_sound(&boxes[id as usize]);
                    Bounds::of(&boxes[id as usize])
                }
                Child::Node(ahead) => below[ahead as usize - 1].bounds(),
                Child::Free => break,
            };
            for axis in 0..3 {
                self.min[axis][k] = bounds.min[axis];
                self.max[axis][k] = bounds.max[axis];
            }
        }
        sound
    }
}
