//! Which boxes overlap: a tree of boxes around boxes.
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
//! Boxes are closed: those that only touch overlap. After a motion [`Bvh::refit`] keeps the tree and moves its boxes,
//! which costs a fraction of building it anew; answers stay exact, only slower when neighbours have parted.
//!
//! A node has up to four children and holds their boxes side by side, coordinate by coordinate, so that one box is
//! compared with all of them at once. Nodes stand depth first: a subtree is one piece of memory. The order of answers
//! follows from the tree: it is the same for any number of threads, but not after building anew.
//!
//! # Half the digits, and exact nevertheless
//!
//! Nodes keep coordinates in `f32`: half the memory, and four of them are compared in one instruction. Rounding keeps
//! order: if `x ≤ y`, then `round(x) ≤ round(y)`. So boxes that overlap do so after rounding, whichever way it went;
//! and where `round(x) < round(y)`, `x < y` is certain. Only ties leave a doubt, and are decided by the boxes in
//! `f64`, which are kept beside the nodes. Boxes far away compared with their size are rounded relative to an origin
//! among them (`rounded.rs`).

mod build;
mod node;
mod pairs;
mod query;
mod refit;
mod rounded;

use self::node::Node;
use self::rounded::Origin;
use crate::mesh::BoundingBox;

/// A tree over boxes, which are known by their place in the list they came from.
#[derive(Clone, Debug, Default)]
#[doc(alias("broad phase", "bounding volume hierarchy"))]
pub struct Bvh {
    nodes: Vec<Node>, // depth first
    boxes: Vec<BoundingBox>,
    around: Option<BoundingBox>,
    origin: Origin, // of the coordinates of nodes
}

/// A box that is NaN, infinite, or ends before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "bounding boxes: box {index} is not finite, or ends before it begins\n  help: check where the coordinates come from"
)]
pub struct NotABox {
    /// Which one.
    pub index: usize,
}

impl Bvh {
    /// How many boxes there are.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// True when there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The box around all boxes; nothing if there are none.
    pub fn bounds(&self) -> Option<BoundingBox> {
        self.around
    }
}

fn is_sound(b: &BoundingBox) -> bool {
    (0..3).all(|k| b.min[k] <= b.max[k] && b.max[k] - b.min[k] < f64::INFINITY)
}
