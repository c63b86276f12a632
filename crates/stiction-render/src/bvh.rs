//! A tree of boxes over triangles: which one does a ray meet first, and does it meet any?
//!
//! Nodes have four children and leaves up to four triangles, laid out so that the compiler tests all four at once. The
//! split is chosen by the surface area heuristic over bins [Wal07].

use crate::math::{Bounds, Vec3};

const WIDTH: usize = 4;
const BINS: usize = 16;
/// Levels that are split by cost; below, in halves, so that no tree is deeper than [`STACK`] can hold.
const UNEVEN_LEVELS: usize = 24;
/// Three for each of 24 uneven and 16 even levels, which is more than 32-bit numbers can fill.
const STACK: usize = 3 * (UNEVEN_LEVELS + 16) + 1;
/// How far beyond its edges a triangle still counts as met: neighbours must leave no gap.
const EDGE: f32 = 1e-5;

/// What rays can meet.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// Four of something.
type Lanes = [f32; WIDTH];

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Lower and upper ends of the children's boxes, axis by axis.
    bounds: [[Lanes; 3]; 2],
    /// Numbers of nodes; of leaves if [`LEAF`] is set.
    children: [u32; WIDTH],
}

const LEAF: u32 = 1 << 31;

/// Up to four triangles; the others have no size and are never met.
#[derive(Clone, Copy, Debug, Default)]
struct Leaf {
    corner: [Lanes; 3],
    edges: [[Lanes; 3]; 2],
    numbers: [u32; WIDTH],
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
        // Not infinite, or a ray within the side of a box would be nowhere.
        let inverse =
            direction.map(|d| if d.abs() < 1e-18 { 1e18_f32.copysign(d) } else { 1.0 / d });
        Self { origin, direction, inverse }
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
    /// Over triangles given by their corners. Those with a corner that is not finite are never met.
    pub fn new(corners: &[[Vec3; 3]]) -> Self {
        let finite = |corners: &[Vec3; 3]| corners.iter().all(|x| x.iter().all(|c| c.is_finite()));
        let mut items: Vec<Item> = corners
            .iter()
            .zip(0..)
            .filter(|(corners, _)| finite(corners))
            .map(|(corners, number)| {
                let bounds = Bounds::of(corners);
                Item { bounds, centre: bounds.centre(), number }
            })
            .collect();
        let mut tree = Self::default();
        if !items.is_empty() {
            tree.add_node(corners, &mut items, 0);
        }
        tree
    }

    /// The first triangle that a ray meets nearer than `most`.
    pub fn nearest(&self, ray: &Ray, most: f32) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.visit(ray, most, |leaf, limit| {
            let (t, u, v) = leaf.meet(ray, limit);
            let mut nearest = limit;
            for k in 0..WIDTH {
                if t[k] < nearest {
                    nearest = t[k];
                    best = Some(Hit { t: t[k], triangle: leaf.numbers[k], uv: [u[k], v[k]] });
                }
            }
            nearest
        });
        best
    }

    /// Whether a ray meets anything nearer than `most`.
    pub fn blocks(&self, ray: &Ray, most: f32) -> bool {
        let mut blocked = false;
        self.visit(ray, most, |leaf, limit| {
            let (t, ..) = leaf.meet(ray, limit);
            if t.iter().any(|&t| t < limit) {
                blocked = true;
                return 0.0; // nothing is nearer: ends the search
            }
            limit
        });
        blocked
    }

    /// Hands over leaves whose boxes the ray enters before the limit, nearer ones first; `meets` returns the new limit.
    #[inline]
    fn visit(&self, ray: &Ray, most: f32, mut meets: impl FnMut(&Leaf, f32) -> f32) {
        if self.nodes.is_empty() {
            return;
        }
        let mut limit = most;
        let mut stack = [(0.0_f32, 0_u32); STACK];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (enters, child) = stack[depth];
            if enters >= limit {
                continue;
            }
            if child & LEAF != 0 {
                limit = meets(&self.leaves[(child & !LEAF) as usize], limit);
                continue;
            }
            let node = &self.nodes[child as usize];
            let enters = node.enters(ray, limit);
            let first = depth;
            for k in 0..WIDTH {
                if enters[k] < limit {
                    // Sorted as they come, the nearest on top.
                    let mut at = depth;
                    while at > first && stack[at - 1].0 < enters[k] {
                        stack[at] = stack[at - 1];
                        at -= 1;
                    }
                    stack[at] = (enters[k], node.children[k]);
                    depth += 1;
                }
            }
        }
    }

    /// Adds the node over `items` with all that is below, and returns its number.
    fn add_node(&mut self, corners: &[[Vec3; 3]], items: &mut [Item], level: usize) -> u32 {
        let here = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let mut parts = vec![(Bounds::around(items), items)];
        while parts.len() < WIDTH {
            let large = |k: &usize| parts[*k].1.len() > WIDTH;
            let by_area = |a: &usize, b: &usize| parts[*a].0.area().total_cmp(&parts[*b].0.area());
            let Some(k) = (0..parts.len()).filter(large).max_by(by_area) else { break };
            let (_, part) = parts.swap_remove(k);
            let left = split(part, level < UNEVEN_LEVELS);
            let (before, after) = part.split_at_mut(left);
            parts.extend([before, after].map(|part| (Bounds::around(part), part)));
        }
        for (k, (bounds, part)) in parts.into_iter().enumerate() {
            let child = if part.len() <= WIDTH {
                self.leaves.push(Leaf::of(corners, part));
                (self.leaves.len() - 1) as u32 | LEAF
            } else {
                self.add_node(corners, part, level + 1)
            };
            let node = &mut self.nodes[here];
            node.children[k] = child;
            for axis in 0..3 {
                node.bounds[0][axis][k] = bounds.min[axis];
                node.bounds[1][axis][k] = bounds.max[axis];
            }
        }
        here as u32
    }
}

impl Node {
    /// Has no child that a ray could enter.
    const EMPTY: Self = Self {
        bounds: [[[f32::INFINITY; WIDTH]; 3], [[f32::NEG_INFINITY; WIDTH]; 3]],
        children: [0; WIDTH],
    };

    /// Distances at which a ray enters the children, infinite where it misses or comes too late.
    #[inline]
    fn enters(&self, ray: &Ray, limit: f32) -> Lanes {
        /// Rounding must not lose a box that is just touched [Ize13].
        const WIDER: f32 = 1.0 + 4e-7;
        let (mut near, mut far) = ([0.0; WIDTH], [limit; WIDTH]);
        for axis in 0..3 {
            let (origin, inverse) = (ray.origin[axis], ray.inverse[axis]);
            let backward = usize::from(inverse < 0.0);
            let (low, high) = (&self.bounds[backward][axis], &self.bounds[1 - backward][axis]);
            for k in 0..WIDTH {
                let (a, b) = ((low[k] - origin) * inverse, (high[k] - origin) * inverse * WIDER);
                near[k] = if a > near[k] { a } else { near[k] };
                far[k] = if b < far[k] { b } else { far[k] };
            }
        }
        std::array::from_fn(|k| if near[k] <= far[k] { near[k] } else { f32::INFINITY })
    }
}

impl Leaf {
    fn of(corners: &[[Vec3; 3]], items: &[Item]) -> Self {
        let mut leaf = Self::default();
        for (k, item) in items.iter().enumerate() {
            let [a, b, c] = corners[item.number as usize];
            leaf.numbers[k] = item.number;
            for axis in 0..3 {
                leaf.corner[axis][k] = a[axis];
                leaf.edges[0][axis][k] = b[axis] - a[axis];
                leaf.edges[1][axis][k] = c[axis] - a[axis];
            }
        }
        leaf
    }

    /// Distances, infinite where there is no hit before `limit`, and two barycentric coordinates [MT97].
    #[inline]
    fn meet(&self, ray: &Ray, limit: f32) -> (Lanes, Lanes, Lanes) {
        let [d, o] = [ray.direction, ray.origin];
        let (mut t, mut u, mut v) = ([0.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]);
        for k in 0..WIDTH {
            let of = |lanes: &[Lanes; 3]| [lanes[0][k], lanes[1][k], lanes[2][k]];
            let (e, f, corner) = (of(&self.edges[0]), of(&self.edges[1]), of(&self.corner));
            let p = cross([d.x, d.y, d.z], f);
            let s = [o.x - corner[0], o.y - corner[1], o.z - corner[2]];
            let q = cross(s, e);
            // Zero for what has no area, which makes everything below infinite or not a number.
            let inverse = 1.0 / dot(e, p);
            let (uk, vk) = (dot(s, p) * inverse, dot([d.x, d.y, d.z], q) * inverse);
            let tk = dot(f, q) * inverse;
            let inside = (uk >= -EDGE) & (vk >= -EDGE) & (uk + vk <= 1.0 + EDGE);
            let met = inside & (tk > 0.0) & (tk < limit);
            (u[k], v[k]) = (uk, vk);
            t[k] = if met { tk } else { f32::INFINITY };
        }
        (t, u, v)
    }
}

#[inline]
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A triangle while the tree is built.
#[derive(Clone, Copy, Debug)]
struct Item {
    bounds: Bounds,
    centre: Vec3,
    number: u32,
}

impl Bounds {
    fn around(items: &[Item]) -> Self {
        items.iter().fold(Self::EMPTY, |all, item| all.and(&item.bounds))
    }
}

/// Sorts items into two groups, neither of them empty, and returns the size of the first.
fn split(items: &mut [Item], by_cost: bool) -> usize {
    let half = items.len() / 2;
    let centres = items.iter().fold(Bounds::EMPTY, |all, item| all.with(&item.centre));
    let widths = centres.max - centres.min;
    let axis = widths.imax();
    if !by_cost || widths[axis] <= 0.0 {
        items.select_nth_unstable_by(half, |a, b| a.centre[axis].total_cmp(&b.centre[axis]));
        return half;
    }
    let scale = BINS as f32 / widths[axis];
    let bin =
        |item: &Item| (((item.centre[axis] - centres.min[axis]) * scale) as usize).min(BINS - 1);
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
        // The lowest and the highest bin are never empty, so neither part is.
        if cost < best.0 {
            best = (cost, k);
        }
    }
    let border = best.1.max(1);
    let mut left = 0;
    for k in 0..items.len() {
        if bin(&items[k]) < border {
            items.swap(left, k);
            left += 1;
        }
    }
    left
}
