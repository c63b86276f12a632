//! Building: halves of least surface, estimated in bins [Wal07].

use super::{Bvh, LEAF, Leaf, Node, NotABox};
use crate::mesh::BoundingBox;

/// Slabs between which a cut may lie.
const BINS: usize = 16;
/// Below so many boxes a thread works alone.
const ALONE: usize = 4096;

impl Bvh {
    /// A tree over boxes.
    ///
    /// # Errors
    /// When a box is not finite, or ends before it begins.
    pub fn new(boxes: &[BoundingBox]) -> Result<Self, NotABox> {
        check(boxes)?;
        let mut ids: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut tree = Self { nodes: Vec::new(), leaves: Vec::new(), count: boxes.len() };
        if !boxes.is_empty() {
            let mut branch = grow(boxes, &mut ids);
            number_leaves(&mut branch.nodes);
            tree.nodes = branch.nodes;
            tree.leaves = branch.leaves;
            tree.refit(boxes)?;
        }
        Ok(tree)
    }
}

pub(super) fn check(boxes: &[BoundingBox]) -> Result<(), NotABox> {
    let sound = |b: &BoundingBox| {
        (0..3).all(|k| b.min[k] <= b.max[k] && (b.min[k].abs() + b.max[k].abs()).is_finite())
    };
    match boxes.iter().position(|b| !sound(b)) {
        Some(index) => Err(NotABox { index }),
        None => Ok(()),
    }
}

/// A subtree by itself.
struct Branch {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

fn grow(boxes: &[BoundingBox], ids: &mut [u32]) -> Branch {
    const EMPTY: Node = Node { min: [0.0; 3], max: [0.0; 3], right: 0, leaf: 0 };
    if ids.len() <= LEAF {
        let mut leaf = Leaf::EMPTY;
        ids.sort_unstable();
        leaf.ids[..ids.len()].copy_from_slice(ids);
        return Branch { nodes: vec![EMPTY], leaves: vec![leaf] };
    }
    let alone = ids.len() < ALONE;
    let middle = cut(boxes, ids);
    let (low, high) = ids.split_at_mut(middle);
    let (left, right) = if alone {
        (grow(boxes, low), grow(boxes, high))
    } else {
        rayon::join(|| grow(boxes, low), || grow(boxes, high))
    };
    let mut nodes = Vec::with_capacity(1 + left.nodes.len() + right.nodes.len());
    nodes.push(Node { right: 1 + left.nodes.len() as u32, ..EMPTY });
    nodes.extend(left.nodes);
    nodes.extend(right.nodes);
    let mut leaves = left.leaves;
    leaves.extend(right.leaves);
    Branch { nodes, leaves }
}

/// Puts the boxes of one half first, and says how many they are: at least one, and not all.
fn cut(boxes: &[BoundingBox], ids: &mut [u32]) -> usize {
    let center = |id: u32, axis: usize| {
        let b = &boxes[id as usize];
        0.5 * b.min[axis] + 0.5 * b.max[axis]
    };
    let mut best: Option<(f64, usize, f64)> = None; // cost, axis, plane
    for axis in 0..3 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &id in ids.iter() {
            let c = center(id, axis);
            low = low.min(c);
            high = high.max(c);
        }
        let width = (high - low) / BINS as f64;
        if !(width > 0.0 && width.is_finite()) {
            continue;
        }
        let mut bins = [Bin::EMPTY; BINS];
        for &id in ids.iter() {
            let bin = ((center(id, axis) - low) / width) as usize;
            bins[bin.min(BINS - 1)].add(&boxes[id as usize]);
        }
        let mut above = [0.0; BINS];
        let mut sum = Bin::EMPTY;
        for k in (1..BINS).rev() {
            sum.unite(&bins[k]);
            above[k] = sum.cost();
        }
        let mut sum = Bin::EMPTY;
        for k in 1..BINS {
            sum.unite(&bins[k - 1]);
            let cost = sum.cost() + above[k];
            if cost.is_finite() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, low + width * k as f64));
            }
        }
    }
    let middle = best.map_or(0, |(_, axis, plane)| partition(ids, |id| center(id, axis) < plane));
    if middle == 0 || middle == ids.len() { ids.len() / 2 } else { middle }
}

fn partition(ids: &mut [u32], is_low: impl Fn(u32) -> bool) -> usize {
    let mut low = 0;
    for k in 0..ids.len() {
        if is_low(ids[k]) {
            ids.swap(low, k);
            low += 1;
        }
    }
    low
}

/// What falls between two planes.
#[derive(Clone, Copy)]
struct Bin {
    min: [f64; 3],
    max: [f64; 3],
    count: usize,
}

impl Bin {
    const EMPTY: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3], count: 0 };

    fn add(&mut self, b: &BoundingBox) {
        self.unite(&Self { min: b.min.into(), max: b.max.into(), count: 1 });
    }

    fn unite(&mut self, other: &Self) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(other.min[k]);
            self.max[k] = self.max[k].max(other.max[k]);
        }
        self.count += other.count;
    }

    /// Surface times count: how often something meets it, and what that costs.
    fn cost(&self) -> f64 {
        if self.count == 0 {
            return f64::INFINITY;
        }
        let [x, y, z] = [0, 1, 2].map(|k| self.max[k] - self.min[k]);
        (x * y + y * z + z * x) * self.count as f64
    }
}

fn number_leaves(nodes: &mut [Node]) {
    let mut next = 0;
    for node in nodes {
        node.leaf = next;
        next += u32::from(node.right == 0);
    }
}
