//! Triangles in a tree of boxes: which one is nearest.
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
    min: Vector3,
    max: Vector3,
    /// The triangles below it, in the order of the leaves.
    pub(super) begin: u32,
    pub(super) end: u32,
    /// The right child; zero for a leaf.
    pub(super) right: u32,
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

    fn distance_sq(&self, x: &Vector3) -> f64 {
        (self.min - x).sup(&(x - self.max)).sup(&Vector3::zeros()).norm_squared()
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
        let (slot, distance_sq) = self.search(x, reach * reach, |sq| sq)?;
        let corners = &self.corners[slot];
        let weights = weights_on_triangle(corners, *x);
        let (triangle, position) = (self.ids[slot], at(corners, &weights));
        Some(SurfacePoint { triangle, weights, position, distance: distance_sq.sqrt() })
    }

    /// The distance to the triangles and the leaf place of one that is near, fast if that is near the one `before`.
    ///
    /// Exact up to `band` [m]; beyond, it may be too small by [`Self::SLACK`] of the rest, which saves most of the work:
    /// far away, many triangles are equally near, about.
    pub(super) fn distance(&self, x: &Vector3, before: usize, band: f64) -> (f64, usize) {
        let least = |distance: f64| distance - Self::SLACK * (distance - band).max(0.0);
        let first = distance_sq(&self.corners[before], x);
        let (slot, found) = self
            .search(x, least(first.sqrt()).powi(2), |sq| least(sq.sqrt()).powi(2))
            .unwrap_or((before, first));
        (least(found.sqrt()), slot)
    }

    const SLACK: f64 = 0.05;

    /// A triangle closer than `limit_sq`, with the square of its distance, such that no triangle is closer than
    /// `limit(distance²)`.
    fn search(
        &self,
        x: &Vector3,
        mut limit_sq: f64,
        limit: impl Fn(f64) -> f64,
    ) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        let mut stack = [(0.0, 0_u32); 64]; // as deep as 2⁶⁰ triangles would need
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let (box_sq, number) = stack[depth];
            if box_sq > limit_sq {
                continue;
            }
            let node = &self.nodes[number as usize];
            if node.is_leaf() {
                for slot in node.begin as usize..node.end as usize {
                    let sq = distance_sq(&self.corners[slot], x);
                    if sq <= limit_sq && best.is_none_or(|best| sq < best.1) {
                        best = Some((slot, sq));
                        limit_sq = limit(sq);
                    }
                }
                continue;
            }
            let of = |child: u32| (self.nodes[child as usize].distance_sq(x), child);
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
        best
    }
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
    nodes.push(Node { min, max, begin: first, end: last, right: 0 });
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
