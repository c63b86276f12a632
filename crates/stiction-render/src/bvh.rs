//! A tree of boxes over triangles: which one does a ray meet first, and does it meet any?
//!
//! Built by the surface area heuristic over bins [Wal07]; triangles are stored in the order of the leaves.

use crate::math::{Bounds, Vec3};

/// Triangles a leaf may hold without being split for their number alone.
const LEAF: usize = 4;
const BINS: usize = 12;

/// What rays can meet.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// First corner and two edges, in the order of the leaves.
    triangles: Vec<[Vec3; 3]>,
    /// Numbers of the triangles, in that order.
    numbers: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// First triangle of a leaf; else the second child, the first one being the next node.
    at: u32,
    /// Triangles of a leaf; zero inside.
    count: u32,
}

/// A ray from a point.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes, of length one.
    pub direction: Vec3,
    inverse: Vec3,
}

impl Ray {
    /// Along a unit vector.
    pub fn new(origin: Vec3, direction: Vec3) -> Self {
        Self { origin, direction, inverse: direction.map(|d| 1.0 / d) }
    }

    /// The point at a distance.
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }
}

/// Where a ray met a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray.
    pub t: f32,
    /// The triangle.
    pub triangle: u32,
    /// Barycentric coordinates of its second and third corner.
    pub uv: [f32; 2],
}

impl Bvh {
    /// Over triangles given by their corners.
    pub fn new(corners: &[[Vec3; 3]]) -> Self {
        let mut items: Vec<Item> = corners
            .iter()
            .zip(0..)
            .map(|(corners, number)| {
                let bounds = Bounds::of(corners);
                Item { bounds, centre: bounds.centre(), number }
            })
            .collect();
        let mut nodes = Vec::with_capacity(items.len());
        if !items.is_empty() {
            build(&mut items, 0, &mut nodes);
        }
        let numbers: Vec<u32> = items.iter().map(|item| item.number).collect();
        let triangle = |&number: &u32| {
            let [a, b, c] = corners[number as usize];
            [a, b - a, c - a]
        };
        Self { nodes, triangles: numbers.iter().map(triangle).collect(), numbers }
    }

    /// The first triangle that a ray meets nearer than `most`.
    pub fn nearest(&self, ray: &Ray, most: f32) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.visit(ray, most, |k, limit| {
            let (t, uv) = meet(&self.triangles[k], ray)?;
            if t >= limit {
                return None;
            }
            best = Some(Hit { t, triangle: self.numbers[k], uv });
            Some(t)
        });
        best
    }

    /// Whether a ray meets anything nearer than `most`.
    pub fn blocks(&self, ray: &Ray, most: f32) -> bool {
        let mut blocked = false;
        self.visit(ray, most, |k, limit| {
            let (t, _) = meet(&self.triangles[k], ray)?;
            blocked = blocked || t < limit;
            blocked.then_some(0.0) // nothing is nearer: ends the search
        });
        blocked
    }

    /// Calls `meets` for triangles in boxes that the ray enters before the limit; it returns a new limit, or nothing.
    fn visit(&self, ray: &Ray, most: f32, mut meets: impl FnMut(usize, f32) -> Option<f32>) {
        let mut limit = most;
        let mut stack = [0_u32; 64];
        let mut depth = 0;
        let mut at = match self.nodes.first() {
            Some(root) if root.bounds.enters(&ray.origin, &ray.inverse) < limit => 0_usize,
            _ => return,
        };
        loop {
            let node = &self.nodes[at];
            if node.count > 0 {
                for k in node.at as usize..(node.at + node.count) as usize {
                    if let Some(nearer) = meets(k, limit) {
                        limit = nearer;
                    }
                }
            } else {
                let children = [at + 1, node.at as usize];
                let enters = children
                    .map(|child| self.nodes[child].bounds.enters(&ray.origin, &ray.inverse));
                let first = usize::from(enters[1] < enters[0]);
                let second = 1 - first;
                if enters[first] < limit {
                    if enters[second] < limit && depth < stack.len() {
                        stack[depth] = children[second] as u32;
                        depth += 1;
                    }
                    at = children[first];
                    continue;
                }
            }
            // The next one that is still near enough.
            loop {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                at = stack[depth] as usize;
                if self.nodes[at].bounds.enters(&ray.origin, &ray.inverse) < limit {
                    break;
                }
            }
        }
    }
}

/// Distance and coordinates where a ray meets a triangle, from either side [MT97].
fn meet([corner, e, f]: &[Vec3; 3], ray: &Ray) -> Option<(f32, [f32; 2])> {
    let p = ray.direction.cross(f);
    let determinant = e.dot(&p);
    if determinant == 0.0 {
        return None;
    }
    let inverse = 1.0 / determinant;
    let s = ray.origin - corner;
    let u = s.dot(&p) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = s.cross(e);
    let v = ray.direction.dot(&q) * inverse;
    if v < 0.0 || u + v > 1.0 {
        return None;
    }
    let t = f.dot(&q) * inverse;
    (t > 0.0).then_some((t, [u, v]))
}

/// A triangle while the tree is built.
#[derive(Clone, Copy, Debug)]
struct Item {
    bounds: Bounds,
    centre: Vec3,
    number: u32,
}

/// Appends the tree over `items`, the first of which is number `first` among all.
fn build(items: &mut [Item], first: usize, nodes: &mut Vec<Node>) {
    let bounds = items.iter().fold(Bounds::EMPTY, |all, item| all.and(&item.bounds));
    let here = nodes.len();
    nodes.push(Node { bounds, at: first as u32, count: items.len() as u32 });
    let Some(left) = split(items, &bounds) else { return };
    nodes[here].count = 0;
    let (before, after) = items.split_at_mut(left);
    build(before, first, nodes);
    nodes[here].at = nodes.len() as u32;
    build(after, first + left, nodes);
}

/// Sorts items into two groups and returns the size of the first; none if they are better left together.
fn split(items: &mut [Item], bounds: &Bounds) -> Option<usize> {
    if items.len() <= 1 {
        return None;
    }
    let centres = items.iter().fold(Bounds::EMPTY, |all, item| all.with(&item.centre));
    let widths = centres.max - centres.min;
    let axis = widths.imax();
    if widths[axis] <= 0.0 {
        // All in one place: halves, if there are too many.
        return (items.len() > LEAF).then_some(items.len() / 2);
    }
    let scale = BINS as f32 / widths[axis];
    let bin = |item: &Item| {
        (((item.centre[axis] - centres.min[axis]) * scale) as usize).min(BINS - 1)
    };
    let mut bins = [(Bounds::EMPTY, 0_usize); BINS];
    for item in &*items {
        let (bounds, count) = &mut bins[bin(item)];
        *bounds = bounds.and(&item.bounds);
        *count += 1;
    }
    // Cost of the part above each border, then of both parts.
    let mut above = [0.0; BINS];
    let (mut all, mut count) = (Bounds::EMPTY, 0);
    for k in (1..BINS).rev() {
        all = all.and(&bins[k].0);
        count += bins[k].1;
        above[k] = all.area() * count as f32;
    }
    let (mut all, mut count) = (Bounds::EMPTY, 0);
    let mut best = (f32::INFINITY, 0);
    for k in 1..BINS {
        all = all.and(&bins[k - 1].0);
        count += bins[k - 1].1;
        let cost = all.area() * count as f32 + above[k];
        if count > 0 && count < items.len() && cost < best.0 {
            best = (cost, k);
        }
    }
    /// What a box costs beside a triangle.
    const BOX: f32 = 1.0;
    let together = bounds.area() * items.len() as f32;
    let (cost, border) = best;
    if border == 0 || (cost + BOX * bounds.area() >= together && items.len() <= LEAF) {
        return None;
    }
    let mut left = 0;
    for k in 0..items.len() {
        if bin(&items[k]) < border {
            items.swap(left, k);
            left += 1;
        }
    }
    Some(left)
}
