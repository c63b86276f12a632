//! Triangles in a tree: which one is nearest.
//!
//! A group of triangles lies in a box, and in a disc with its axis along their mean normal. Seen from afar, a box
//! around a piece of surface that is not aligned with the axes is nearer than the piece by much of its width, so that
//! many boxes look nearer than the nearest triangle; discs are as thin as the piece is flat.
//!
//! Kept small on purpose: it serves surfaces that do not move.

use super::closest::weights_on_triangle;
use crate::math::Vector3;

/// Triangles in a leaf, at most.
const LEAF: usize = 4;

/// A binary tree over triangles; the left child of a node follows it.
#[derive(Clone, Debug)]
pub(super) struct TriangleTree {
    pub(super) nodes: Vec<Node>,
    /// Corners in the order of the leaves [m].
    pub(super) corners: Vec<[Vector3; 3]>,
    /// Which triangle each of them was.
    ids: Vec<u32>,
}

/// A box around some of the triangles.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) min: Vector3,
    pub(super) max: Vector3,
    /// The triangles below it, in the order of the leaves.
    pub(super) begin: u32,
    pub(super) end: u32,
    /// The right child; zero for a leaf.
    pub(super) right: u32,
    pub(super) disc: Disc,
}

/// A flat cylinder around some of the triangles.
#[derive(Clone, Debug)]
pub(super) struct Disc {
    pub(super) center: Vector3,
    /// Of length one, or zero if there is none.
    axis: Vector3,
    radius: f64,
    /// Half of its thickness [m].
    half: f64,
    /// How far any of its points is from its centre, at most [m].
    pub(super) reach: f64,
}

/// A point of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Which triangle.
    pub triangle: u32,
    /// Barycentric coordinates in it.
    pub weights: [f64; 3],
    /// Where it is [m].
    pub position: Vector3,
    /// Its distance from the point that was asked about [m].
    pub distance: f64,
}

impl Node {
    pub(super) fn is_leaf(&self) -> bool {
        self.right == 0
    }

    fn box_distance_sq(&self, x: &Vector3) -> f64 {
        (self.min - x).sup(&(x - self.max)).sup(&Vector3::zeros()).norm_squared()
    }

    /// Whether all triangles below are at least `limit_sq` away, by box or disc.
    pub(super) fn is_beyond(&self, x: &Vector3, limit_sq: f64) -> bool {
        self.box_distance_sq(x) > limit_sq || self.disc.distance_sq(x) > limit_sq
    }
}

impl Disc {
    fn around(triangles: impl Iterator<Item = [Vector3; 3]> + Clone) -> Self {
        let (mut normal, mut sum, mut count) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for [a, b, c] in triangles.clone() {
            normal += (b - a).cross(&(c - a));
            sum += a + b + c;
            count += 3.0;
        }
        let axis = normal.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
        let middle = sum / count;
        let (mut low, mut high, mut radius_sq) = (0.0_f64, 0.0_f64, 0.0_f64);
        for corner in triangles.flatten() {
            let from = corner - middle;
            let along = from.dot(&axis);
            (low, high) = (low.min(along), high.max(along));
            radius_sq = radius_sq.max((from - axis * along).norm_squared());
        }
        // Wider by what is rounded when it is measured from far away.
        let spare = 1e-14 * (middle.abs().max() + radius_sq.sqrt() + high - low);
        let center = middle + axis * (0.5 * (low + high));
        let (radius, half) = (radius_sq.sqrt() + spare, 0.5 * (high - low) + spare);
        Self { center, axis, radius, half, reach: radius.hypot(half) }
    }

    /// The square of its distance, not too large [m²].
    pub(super) fn distance_sq(&self, x: &Vector3) -> f64 {
        let from = x - self.center;
        let along = from.dot(&self.axis);
        let aside = (from.norm_squared() - along * along).max(0.0).sqrt();
        let (above, beside) = (along.abs() - self.half, aside - self.radius);
        above.max(0.0).powi(2) + beside.max(0.0).powi(2)
    }
}

impl TriangleTree {
    pub(super) fn new(vertices: &[Vector3], triangles: &[[u32; 3]]) -> Self {
        let all: Vec<[Vector3; 3]> =
            triangles.iter().map(|corners| corners.map(|v| vertices[v as usize])).collect();
        let mut ids: Vec<u32> = (0..all.len() as u32).collect();
        let mut nodes = Vec::with_capacity(all.len());
        if !all.is_empty() {
            split(&all, &mut ids, 0, &mut nodes);
        }
        let corners = ids.iter().map(|&id| all[id as usize]).collect();
        Self { nodes, corners, ids }
    }

    /// The point of a triangle that is nearest to `x`, if one is within `reach` [m].
    pub(super) fn nearest(&self, x: &Vector3, reach: f64) -> Option<SurfacePoint> {
        let mut found = Found { slot: usize::MAX, distance_sq: reach * reach };
        if !self.nodes.is_empty() {
            self.search(0, x, &mut found, |sq| sq);
        }
        let corners = self.corners.get(found.slot)?;
        let weights = weights_on_triangle(corners, *x);
        let (triangle, position) = (self.ids[found.slot], at(corners, &weights));
        Some(SurfacePoint { triangle, weights, position, distance: found.distance_sq.sqrt() })
    }

    /// The point of the triangle at a leaf place that is nearest to `x`.
    pub(super) fn nearest_in(&self, slot: usize, x: &Vector3) -> Vector3 {
        at(&self.corners[slot], &weights_on_triangle(&self.corners[slot], *x))
    }

    /// The square of its distance [m²].
    pub(super) fn distance_sq(&self, slot: usize, x: &Vector3) -> f64 {
        distance_sq(&self.corners[slot], x)
    }

    /// Looks below a node for triangles closer than what is found, until none there is closer than `limit(distance²)`
    /// of it; `limit` grows, and is nowhere above its argument.
    pub(super) fn search(
        &self,
        root: u32,
        x: &Vector3,
        found: &mut Found,
        limit: impl Fn(f64) -> f64 + Copy,
    ) {
        let node = &self.nodes[root as usize];
        if node.is_leaf() {
            return self.search_leaf(node, x, found, limit); // without a stack to prepare
        }
        let mut limit_sq = limit(found.distance_sq);
        let mut stack = [(0.0, 0_u32); 64]; // as deep as 2⁶⁰ triangles would need
        stack[0] = (0.0, root);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (box_sq, number) = stack[depth];
            if box_sq > limit_sq {
                continue;
            }
            let node = &self.nodes[number as usize];
            if node.is_leaf() {
                self.search_leaf(node, x, found, limit);
                limit_sq = limit(found.distance_sq);
                continue;
            }
            let of = |child: u32| {
                let node = &self.nodes[child as usize];
                let box_sq = node.box_distance_sq(x);
                let beyond = box_sq > limit_sq;
                (if beyond { box_sq } else { box_sq.max(node.disc.distance_sq(x)) }, child)
            };
            let (mut near, mut far) = (of(number + 1), of(node.right));
            if far.0 < near.0 {
                std::mem::swap(&mut near, &mut far);
            }
            for child in [far, near] {
                if child.0 <= limit_sq {
                    stack[depth] = child;
                    depth += 1;
                }
            }
        }
    }

    fn search_leaf(&self, leaf: &Node, x: &Vector3, found: &mut Found, limit: impl Fn(f64) -> f64) {
        let mut limit_sq = limit(found.distance_sq);
        for slot in leaf.begin as usize..leaf.end as usize {
            let sq = distance_sq(&self.corners[slot], x);
            // A first triangle may be just as far as what is asked for.
            let first = found.slot == usize::MAX && sq <= limit_sq;
            if first || sq < found.distance_sq && sq <= limit_sq {
                *found = Found { slot, distance_sq: sq };
                limit_sq = limit(sq);
            }
        }
    }
}

/// The nearest triangle so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Its place among the leaves; `usize::MAX` if there is none.
    pub(super) slot: usize,
    /// The square of its distance, or how far to look [m²].
    pub(super) distance_sq: f64,
}

fn distance_sq(corners: &[Vector3; 3], x: &Vector3) -> f64 {
    (at(corners, &weights_on_triangle(corners, *x)) - x).norm_squared()
}

fn at(corners: &[Vector3; 3], weights: &[f64; 3]) -> Vector3 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// Adds the subtree over `ids`, which stand at `begin`, and sorts them by leaf.
fn split(all: &[[Vector3; 3]], ids: &mut [u32], begin: usize, nodes: &mut Vec<Node>) {
    let points = || ids.iter().flat_map(|&id| all[id as usize]);
    let far = Vector3::repeat(f64::INFINITY);
    let (min, max) = points().fold((far, -far), |(min, max), x| (min.inf(&x), max.sup(&x)));
    let number = nodes.len();
    let (first, last) = (begin as u32, (begin + ids.len()) as u32);
    let disc = Disc::around(ids.iter().map(|&id| all[id as usize]));
    nodes.push(Node { min, max, begin: first, end: last, right: 0, disc });
    if ids.len() <= LEAF {
        return;
    }
    let axis = (max - min).imax();
    let middle = |id: &u32| all[*id as usize].iter().map(|x| x[axis]).sum::<f64>();
    let half = ids.len() / 2;
    ids.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
    let (left, right) = ids.split_at_mut(half);
    split(all, left, begin, nodes);
    nodes[number].right = nodes.len() as u32;
    split(all, right, begin + half, nodes);
}
