//! Which boxes overlap: a binary tree of boxes around boxes.
//!
//! ```
//! use stiction::geometry::bvh::Bvh;
//! use stiction::math::Vector3;
//! use stiction::mesh::BoundingBox;
//!
//! let cube = |x: f64| BoundingBox { min: Vector3::new(x, 0.0, 0.0), max: Vector3::new(x + 1.0, 1.0, 1.0) };
//! let tree = Bvh::new(&[cube(0.0), cube(5.0), cube(0.5)])?;
//! let mut pairs = Vec::new();
//! tree.self_pairs(&mut pairs);
//! assert_eq!(pairs, [[0, 2]]);
//! # Ok::<(), stiction::geometry::bvh::NotABox>(())
//! ```
//!
//! Boxes are closed: those that only touch overlap. After a motion [`Bvh::refit`] keeps the tree and moves its boxes, which costs a
//! fraction of building it anew; answers stay exact, only slower when neighbours have parted.
//!
//! Nodes stand depth first, so that a subtree is one piece of memory, its left child beside it. A leaf holds up to
//! [`LEAF`] boxes, coordinate by coordinate, so that one box is compared with all of them at once. The order of answers follows from
//! the tree: it is the same for any number of threads, but not after building anew.

mod build;
mod pairs;
mod query;
mod refit;

use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Boxes in a leaf, at most.
const LEAF: usize = 4;

/// A tree over boxes, which are known by their place in the list they came from.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,  // depth first
    leaves: Vec<Leaf>, // in the order of the nodes
    count: usize,
}

/// A box that is NaN, infinite, or ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "bounding boxes: box {index} is not finite, or ends before it begins\n  help: check where the coordinates come from"
)]
pub struct NotABox {
    /// Which one.
    pub index: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    min: [f64; 3],
    max: [f64; 3],
    right: u32, // how far ahead the right child is; zero for a leaf
    leaf: u32,  // which leaf, or the first below
}

/// Boxes side by side. Free places hold a box that overlaps nothing.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    min: [[f64; LEAF]; 3],
    max: [[f64; LEAF]; 3],
    ids: [u32; LEAF],
}

/// What free places of a leaf are called.
const NOBODY: u32 = u32::MAX;

impl Bvh {
    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True when there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The box around all boxes; nothing if there are none.
    pub fn bounds(&self) -> Option<BoundingBox> {
        let root = self.nodes.first()?;
        Some(BoundingBox { min: Vector3::from(root.min), max: Vector3::from(root.max) })
    }
}

impl Node {
    fn overlaps(&self, min: &[f64; 3], max: &[f64; 3]) -> bool {
        // All comparisons, then one branch: which of them fails cannot be predicted.
        (self.min[0] <= max[0])
            & (self.max[0] >= min[0])
            & (self.min[1] <= max[1])
            & (self.max[1] >= min[1])
            & (self.min[2] <= max[2])
            & (self.max[2] >= min[2])
    }
}

impl Leaf {
    const EMPTY: Self = Self {
        min: [[f64::INFINITY; LEAF]; 3],
        max: [[f64::NEG_INFINITY; LEAF]; 3],
        ids: [NOBODY; LEAF],
    };

    /// Which of the boxes overlap another.
    fn overlaps(&self, min: [f64; 3], max: [f64; 3]) -> [bool; LEAF] {
        std::array::from_fn(|k| {
            (self.min[0][k] <= max[0])
                & (self.max[0][k] >= min[0])
                & (self.min[1][k] <= max[1])
                & (self.max[1][k] >= min[1])
                & (self.min[2][k] <= max[2])
                & (self.max[2][k] >= min[2])
        })
    }

    fn place(&self, k: usize) -> ([f64; 3], [f64; 3]) {
        (self.min.map(|x| x[k]), self.max.map(|x| x[k]))
    }
}
