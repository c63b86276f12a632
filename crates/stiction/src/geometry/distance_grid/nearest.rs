//! Distances of all nodes of a block from triangles: only from those that can be nearest to one of them.
//!
//! Let the nodes lie in a box with its centre at the origin and half sides `sᵢ`, and let `p₀` be a point of the
//! surface. A point `p` is nearer than `p₀` to some `x` of that box only if
//!
//! $$ \min_x |x - p|^2 - |x - p_0|^2 = \sum_i p_i^2 - p_{0,i}^2 - 2 s_i |p_i - p_{0,i}| < 0 , $$
//!
//! that is, if the plane half way between both points cuts the box. The sum has one term an axis, each the smaller of
//! two parabolas with their least values at `±sᵢ`, so that its minimum over all `p` of a box of triangles is known as
//! well. Over a disc with centre `c` and reach `ρ` it is at least `d² − |p₀|² − 2 (Σ sᵢ |cᵢ − p₀ᵢ| + |s| ρ)`, with
//! `d` the distance of the disc from the origin. Halving blocks again and again, with `p₀` the point nearest to the
//! centre of each, leaves few groups of triangles for the last of them however far away they are, except around the
//! medial axis, where many points are indeed equally near.
//!
//! Beyond the band, distances `a` from `p₀` may be taken for those of all that is not nearer by a slack `σ`. A
//! smallest block drops groups for which the sum is not below `(a − σ)² − a²`, with `a` its least distance from `p₀`;
//! the triangle of `p₀` is then tried for each of its nodes. Larger blocks drop nothing that is nearer at all: slack
//! on slack would be too much.

use crate::geometry::triangle_tree::{Disc, Found, Node, TriangleTree};
use crate::math::Vector3;

/// Blocks with no more nodes than this along any side are not halved any more. With 2 too much time goes into finding
/// what is near; with 8 too much is near.
const SIDE: usize = 4;

/// How much too small distances may be beyond the band, as a share of the rest [-].
const SLACK: f64 = 0.05;

/// A part of a grid of which distances are wanted.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The first node along each axis.
    first: [usize; 3],
    counts: [usize; 3],
}

/// Layers of a grid, being filled.
pub(super) struct Layers<'a> {
    tree: &'a TriangleTree,
    /// Of the first node [m].
    origin: Vector3,
    /// Between nodes [m].
    spacing: f64,
    /// Distances are exact up to here [m].
    band: f64,
    counts: [usize; 3],
    /// At the nodes, `x` fastest [m].
    values: &'a mut [f64],
    /// Groups of triangles for the blocks being halved, those of the smallest block last.
    groups: Vec<u32>,
    /// The last of them, side by side.
    discs: Vec<(Disc, u32)>,
    /// A triangle near the last node.
    last: usize,
}

impl<'a> Layers<'a> {
    /// For layers from `origin` on, with as many nodes along `x` and `y` as given and as many along `z` as there are
    /// values.
    ///
    /// Values will be exact up to `band` [m]; beyond, they may be too small by a twentieth of the rest, never too
    /// large.
    pub(super) fn new(
        tree: &'a TriangleTree,
        origin: Vector3,
        spacing: f64,
        [nx, ny]: [usize; 2],
        band: f64,
        values: &'a mut [f64],
    ) -> Self {
        let counts = [nx, ny, values.len() / (nx * ny)];
        Self {
            tree,
            origin,
            spacing,
            band,
            counts,
            values,
            groups: vec![0],
            discs: Vec::new(),
            last: 0,
        }
    }

    /// Layers that make good blocks.
    pub(super) const DEPTH: usize = 8;

    /// Finds all distances, without a sign.
    pub(super) fn fill(mut self) {
        self.fill_block(Block { first: [0; 3], counts: self.counts }, 0);
    }

    /// Fills a block, given that the groups from `begin` on hold all triangles that can be nearest to one of its nodes.
    fn fill_block(&mut self, block: Block, begin: usize) {
        let longest = (0..3).max_by_key(|&axis| block.counts[axis]).expect("three axes");
        let smallest = block.counts[longest] <= SIDE;
        let end = self.groups.len();
        let first = self.keep_near(block, begin, smallest);
        if smallest {
            self.fill_nodes(block, end, first);
        } else {
            let half = block.counts[longest] / 2;
            let [mut left, mut right] = [block; 2];
            left.counts[longest] = half;
            right.first[longest] += half;
            right.counts[longest] -= half;
            self.fill_block(left, end);
            self.fill_block(right, end);
        }
        self.groups.truncate(end);
    }

    fn node(&self, place: [f64; 3]) -> Vector3 {
        self.origin + Vector3::from(place) * self.spacing
    }

    /// Of the groups from `begin` on, or of their parts, adds those again that can matter for a block. Says which
    /// triangle is nearest to its centre.
    fn keep_near(&mut self, block: Block, begin: usize, smallest: bool) -> usize {
        let half = block.counts.map(|n| 0.5 * (n - 1) as f64);
        let center = self.node([0, 1, 2].map(|axis| block.first[axis] as f64 + half[axis]));
        let half = Vector3::from(half) * self.spacing;
        let end = self.groups.len();
        let found = self.nearest(&center, self.found(self.last, &center), begin..end, |sq| sq);
        let p0 = self.tree.nearest_in(found.slot, &center) - center;
        let mut bisector = Bisector { center, half, p0, less: 0.0 };
        if smallest {
            // No node of the block is nearer to `p₀` than this.
            let nearest = found.distance_sq.sqrt() - half.norm();
            let slack = SLACK * (nearest - self.band).max(0.0);
            bisector.less = slack * (2.0 * nearest - slack);
        }
        // Groups as small as the block tell its nodes apart; smaller ones only make the list longer.
        let fine = half.max().max(0.5 * self.spacing);
        let mut stack = [0_u32; 64];
        for place in begin..end {
            stack[0] = self.groups[place];
            let mut depth = 1;
            while depth > 0 {
                depth -= 1;
                let number = stack[depth];
                let group = &self.tree.nodes[number as usize];
                if !bisector.can_matter(group) {
                    continue;
                }
                if group.is_leaf() || (group.max - group.min).max() <= fine {
                    self.groups.push(number);
                } else {
                    stack[depth] = number + 1;
                    stack[depth + 1] = group.right;
                    depth += 2;
                }
            }
        }
        self.last = found.slot;
        found.slot
    }

    /// Fills the nodes of a small block from the groups from `begin` on and the triangle `first`.
    fn fill_nodes(&mut self, block: Block, begin: usize, first: usize) {
        let band = self.band;
        let least = move |distance: f64| distance - SLACK * (distance - band).max(0.0);
        let limit = move |sq: f64| if sq <= band * band { sq } else { least(sq.sqrt()).powi(2) };
        let ([nx, ny, _], end) = (self.counts, self.groups.len());
        let mut discs = std::mem::take(&mut self.discs);
        discs.clear();
        discs.extend(
            self.groups[begin..end]
                .iter()
                .map(|&number| (self.tree.nodes[number as usize].disc.clone(), number)),
        );
        for k in block.first[2]..block.first[2] + block.counts[2] {
            for j in block.first[1]..block.first[1] + block.counts[1] {
                for i in block.first[0]..block.first[0] + block.counts[0] {
                    let x = self.node([i as f64, j as f64, k as f64]);
                    let mut found = self.found(self.last, &x);
                    if self.last != first {
                        let other = self.found(first, &x);
                        if other.distance_sq < found.distance_sq {
                            found = other;
                        }
                    }
                    let mut limit_sq = limit(found.distance_sq);
                    for (disc, number) in &discs {
                        if disc.distance_sq(&x) <= limit_sq {
                            self.tree.search(*number, &x, &mut found, limit);
                            limit_sq = limit(found.distance_sq);
                        }
                    }
                    self.last = found.slot;
                    self.values[i + nx * (j + ny * k)] = least(found.distance_sq.sqrt());
                }
            }
        }
        self.discs = discs;
    }

    fn found(&self, slot: usize, x: &Vector3) -> Found {
        Found { slot, distance_sq: self.tree.distance_sq(slot, x) }
    }

    /// The nearest triangle of some of the groups, or the one found already.
    fn nearest(
        &self,
        x: &Vector3,
        mut found: Found,
        groups: std::ops::Range<usize>,
        limit: impl Fn(f64) -> f64 + Copy,
    ) -> Found {
        let mut limit_sq = limit(found.distance_sq);
        for &number in &self.groups[groups] {
            if !self.tree.nodes[number as usize].is_beyond(x, limit_sq) {
                self.tree.search(number, x, &mut found, limit);
                limit_sq = limit(found.distance_sq);
            }
        }
        found
    }
}

/// A block, and a point of the surface that others have to be nearer than.
struct Bisector {
    center: Vector3,
    /// Half sides of the block [m].
    half: Vector3,
    /// From the centre [m].
    p0: Vector3,
    /// By how much squares of distances have to be less [m²].
    less: f64,
}

impl Bisector {
    /// Whether some triangle of a group can be so much nearer than `p₀` to some node, by its box and by its disc.
    fn can_matter(&self, group: &Node) -> bool {
        let (min, max) = (group.min - self.center, group.max - self.center);
        let (mut sum, mut size) = (0.0, 0.0);
        for axis in 0..3 {
            let (lo, hi, p0, s) = (min[axis], max[axis], self.p0[axis], self.half[axis]);
            let (above, below) = (s.max(lo).min(hi), (-s).max(lo).min(hi));
            let up = above * above - 2.0 * s * (above - p0);
            let down = below * below + 2.0 * s * (below - p0);
            sum += up.min(down) - p0 * p0;
            size += p0 * p0 + s * s;
        }
        // The last digits of what was subtracted.
        let limit = 1e-14 * size - self.less;
        if sum >= limit {
            return false;
        }
        let aside = (group.disc.center - self.center - self.p0).abs().dot(&self.half)
            + self.half.norm() * group.disc.reach;
        group.disc.distance_sq(&self.center) - self.p0.norm_squared() - 2.0 * aside < limit
    }
}
