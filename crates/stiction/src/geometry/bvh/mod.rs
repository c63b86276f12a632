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
//! Boxes are closed: those that only touch overlap. After a motion [`Bvh::refit`] keeps the tree and moves its boxes, which costs a
//! fraction of building it anew; answers stay exact, only slower when neighbours have parted.
//!
//! A node has up to four children and holds their boxes side by side, coordinate by coordinate, so that one box is compared with
//! all of them at once. Nodes stand depth first: a subtree is one piece of memory. Boxes are kept in `f64`, far from the
//! origin as good as near it. The order of answers follows from the tree: it is the same for any number of threads, but not after
//! building anew.

mod build;
mod pairs;
mod query;
mod refit;

use crate::math::Vector3;
use crate::mesh::BoundingBox;

/// Children of a node, at most.
const WIDTH: usize = 4;

/// A tree over boxes, which are known by their place in the list they came from.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>, // depth first
    count: usize,
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

/// Boxes side by side. Free places hold a box that overlaps nothing.
#[derive(Clone, Copy, Debug)]
struct Node {
    min: [[f64; WIDTH]; 3],
    max: [[f64; WIDTH]; 3],
    children: [Child; WIDTH],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    /// A box of the list.
    Item(u32),
    /// A node, so many places ahead.
    Node(u32),
    Free,
}

/// One box.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

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
        let root = self.nodes.first()?.bounds();
        Some(BoundingBox { min: Vector3::from(root.min), max: Vector3::from(root.max) })
    }
}

impl Node {
    const EMPTY: Self = Self {
        min: [[f64::INFINITY; WIDTH]; 3],
        max: [[f64::NEG_INFINITY; WIDTH]; 3],
        children: [Child::Free; WIDTH],
    };

    /// The children that overlap a box.
    ///
    /// Differences and maxima of whole rows, which compilers turn into vector instructions, unlike comparisons; and no
    /// branches, which nobody could predict.
    #[inline(always)]
    fn overlapping(&self, other: &Bounds) -> Places {
        let mut apart = [f64::NEG_INFINITY; WIDTH];
        for axis in 0..3 {
            for k in 0..WIDTH {
                apart[k] = higher(apart[k], self.min[axis][k] - other.max[axis]);
                apart[k] = higher(apart[k], other.min[axis] - self.max[axis][k]);
            }
        }
        Places((0..WIDTH).fold(0, |bits, k| bits | (u32::from(apart[k] <= 0.0) << k)))
    }

    /// The box of a child.
    #[inline(always)]
    fn child(&self, k: usize) -> Bounds {
        Bounds {
            min: [self.min[0][k], self.min[1][k], self.min[2][k]],
            max: [self.max[0][k], self.max[1][k], self.max[2][k]],
        }
    }

    /// The box around all children.
    fn bounds(&self) -> Bounds {
        (1..WIDTH).fold(self.child(0), |sum, k| sum.with(&self.child(k)))
    }
}

/// Some of the places of a node, ascending.
#[derive(Clone, Copy)]
struct Places(u32);

impl Iterator for Places {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let k = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (k < WIDTH).then_some(k)
    }
}

impl Bounds {
    const NOTHING: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    fn of(b: &BoundingBox) -> Self {
        Self { min: b.min.into(), max: b.max.into() }
    }

    #[inline(always)]
    fn with(&self, other: &Self) -> Self {
        Self {
            min: [0, 1, 2].map(|k| -higher(-self.min[k], -other.min[k])),
            max: [0, 1, 2].map(|k| higher(self.max[k], other.max[k])),
        }
    }
}

/// One instruction, where `f64::max` takes care of NaN as well.
#[inline(always)]
fn higher(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
