//! Moving the boxes of a tree.

use rayon::prelude::*;

use super::node::{Node, WIDTH};
use super::rounded::Origin;
use super::{Bvh, NotABox, is_sound};
use crate::mesh::BoundingBox;

/// Below so many nodes a thread works alone.
const ALONE: usize = 1024;
/// Boxes that a thread checks at once.
const CHUNK: usize = 8192;

impl Bvh {
    /// Puts the boxes where they are now; the tree stays as it was built.
    ///
    /// # Errors
    /// When a box is not finite or ends before it begins, or when there are not as many as before. The tree then
    /// stays as it was.
    pub fn refit(&mut self, boxes: &[BoundingBox]) -> Result<(), NotABox> {
        if boxes.len() != self.len() {
            return Err(NotABox { index: boxes.len().min(self.len()) });
        }
        let Some(around) = around(boxes)? else { return Ok(()) };
        self.boxes.copy_from_slice(boxes);
        self.around = Some(around);
        self.origin = Origin::of(&around);
        fit(&mut self.nodes, &self.boxes, self.origin);
        Ok(())
    }

    /// The same tree with coordinates from another origin.
    pub(super) fn seen_from(&self, origin: Origin) -> Self {
        let mut tree = Self { origin, ..self.clone() };
        fit(&mut tree.nodes, &tree.boxes, origin);
        tree
    }
}

/// The box around all boxes, if there are any.
pub(super) fn around(boxes: &[BoundingBox]) -> Result<Option<BoundingBox>, NotABox> {
    let chunk = |boxes: &[BoundingBox]| {
        let (mut sum, mut sound) = (boxes[0], true);
        for b in boxes {
            sum = BoundingBox { min: sum.min.inf(&b.min), max: sum.max.sup(&b.max) };
            sound &= is_sound(b);
        }
        sound.then_some(sum)
    };
    let both = |a: BoundingBox, b: BoundingBox| BoundingBox {
        min: a.min.inf(&b.min),
        max: a.max.sup(&b.max),
    };
    // Least and greatest are the same in any order.
    let sum = match boxes.len() {
        0 => None,
        1..CHUNK => Some(chunk(boxes)),
        _ => boxes.par_chunks(CHUNK).map(chunk).try_reduce_with(|a, b| Some(both(a, b))),
    };
    match sum {
        None => Ok(None),
        Some(Some(around)) => Ok(Some(around)),
        Some(None) => Err(NotABox { index: boxes.iter().position(|b| !is_sound(b)).unwrap_or(0) }),
    }
}

/// Children before parents.
fn fit(nodes: &mut [Node], boxes: &[BoundingBox], origin: Origin) {
    if nodes.len() < ALONE {
        for i in (0..nodes.len()).rev() {
            let (node, below) = nodes[i..].split_at_mut(1);
            fill(&mut node[0], below, boxes, origin);
        }
        return;
    }
    let (node, below) = nodes.split_at_mut(1);
    let mut starts = node[0].children().iter().map(|&ahead| ahead as usize - 1);
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
    let both = |x, y| rayon::join(|| fit(x, boxes, origin), || fit(y, boxes, origin));
    rayon::join(|| both(a, b), || both(c, d));
    fill(&mut node[0], below, boxes, origin);
}

/// Looks up the boxes of the children of a node.
fn fill(node: &mut Node, below: &[Node], boxes: &[BoundingBox], origin: Origin) {
    for k in 0..usize::from(node.count) {
        let child = node.children[k] as usize;
        let bounds =
            if node.is_leaf { origin.round(&boxes[child]) } else { below[child - 1].bounds() };
        node.set(k, &bounds);
    }
}
