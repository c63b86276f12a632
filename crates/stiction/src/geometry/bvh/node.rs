//! Four boxes side by side, compared with one at once.

use super::rounded::{Rounded, higher};

/// Children of a node, at most.
pub(super) const WIDTH: usize = 4;

/// Boxes of its children, two lines of a cache. Children are all items or all nodes, and stand in front; free places
/// hold a box that overlaps nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
    /// Items, or how many places ahead nodes are.
    pub children: [u32; WIDTH],
    /// How many children there are.
    pub count: u8,
    pub is_leaf: bool,
}

/// Children that overlap a box after rounding, and those among them of which that is not certain.
#[derive(Clone, Copy)]
pub(super) struct Overlaps {
    pub all: Places,
    pub doubtful: Places,
}

impl Node {
    const EMPTY: Self = Self {
        min: [[f32::INFINITY; WIDTH]; 3],
        max: [[f32::NEG_INFINITY; WIDTH]; 3],
        children: [0; WIDTH],
        count: 0,
        is_leaf: false,
    };

    /// Its boxes are to be filled in.
    pub(super) fn new(children: impl IntoIterator<Item = u32>, is_leaf: bool) -> Self {
        let mut node = Self { is_leaf, ..Self::EMPTY };
        for child in children {
            node.children[usize::from(node.count)] = child;
            node.count += 1;
        }
        node
    }

    pub(super) fn children(&self) -> &[u32] {
        &self.children[..usize::from(self.count)]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, k: usize, b: &Rounded) {
        for axis in 0..3 {
            self.min[axis][k] = b.min[axis];
            self.max[axis][k] = b.max[axis];
        }
    }

    /// The box of a child.
    #[inline(always)]
    pub(super) fn around(&self, k: usize) -> Rounded {
        Rounded {
            min: [self.min[0][k], self.min[1][k], self.min[2][k]],
            max: [self.max[0][k], self.max[1][k], self.max[2][k]],
        }
    }

    /// The box around all children.
    pub(super) fn bounds(&self) -> Rounded {
        (1..WIDTH).fold(self.around(0), |sum, k| sum.with(&self.around(k)))
    }

    #[inline(always)]
    pub(super) fn overlapping(&self, other: &Rounded) -> Places {
        let apart = self.apart(other);
        Places((0..WIDTH).fold(0, |bits, k| bits | (u32::from(apart[k] <= 0.0) << k)))
    }

    #[inline(always)]
    pub(super) fn overlaps(&self, other: &Rounded) -> Overlaps {
        let apart = self.apart(other);
        let all = (0..WIDTH).fold(0, |bits, k| bits | (u32::from(apart[k] <= 0.0) << k));
        let doubtful = (0..WIDTH).fold(0, |bits, k| bits | (u32::from(apart[k] == 0.0) << k));
        Overlaps { all: Places(all), doubtful: Places(doubtful) }
    }

    /// How far a box is from each child, along the axis where it is farthest: exactly zero at a tie, and of the right
    /// sign else.
    ///
    /// Differences and maxima of whole rows, which compilers turn into vector instructions, unlike comparisons; and no
    /// branches, which nobody could predict.
    #[inline(always)]
    fn apart(&self, other: &Rounded) -> [f32; WIDTH] {
        let mut apart = [f32::NEG_INFINITY; WIDTH];
        for axis in 0..3 {
            for k in 0..WIDTH {
                apart[k] = higher(apart[k], self.min[axis][k] - other.max[axis]);
                apart[k] = higher(apart[k], other.min[axis] - self.max[axis][k]);
            }
        }
        apart
    }
}

/// Some places, ascending.
#[derive(Clone, Copy)]
pub(super) struct Places(pub u32);

impl Places {
    pub(super) fn has(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }
}

impl Iterator for Places {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let k = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(k)
    }
}
