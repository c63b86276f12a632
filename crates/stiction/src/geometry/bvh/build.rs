//! Building: cuts that leave little surface, estimated in bins [Wal07].

use super::node::{Node, WIDTH};
use super::refit::around;
use super::{Bvh, NotABox};
use crate::mesh::BoundingBox;

/// Slabs between which a cut may lie.
const BINS: usize = 16;
/// So many boxes are cut in the middle.
const FEW: usize = 64;
/// Below so many boxes a thread works alone.
const ALONE: usize = 4096;

impl Bvh {
    /// A tree over boxes.
    ///
    /// # Errors
    /// When a box is not finite, or ends before it begins.
    pub fn new(boxes: &[BoundingBox]) -> Result<Self, NotABox> {
        if around(boxes)?.is_none() {
            return Ok(Self::default());
        }
        let mut items: Vec<Item> = (0..boxes.len() as u32)
            .map(|id| {
                let bounds = Bounds::of(&boxes[id as usize]);
                let center = [0, 1, 2].map(|k| 0.5 * bounds.min[k] + 0.5 * bounds.max[k]);
                Item { bounds, center, id }
            })
            .collect();
        let nodes = grow(&mut items);
        let mut tree = Self { nodes, boxes: boxes.to_vec(), ..Self::default() };
        tree.refit(boxes)?;
        Ok(tree)
    }
}

struct Item {
    bounds: Bounds,
    center: [f64; 3],
    id: u32,
}

/// The subtree over some items, its boxes still to be filled in.
fn grow(items: &mut [Item]) -> Vec<Node> {
    if items.len() <= WIDTH {
        items.sort_unstable_by_key(|item| item.id);
        return vec![Node::new(items.iter().map(|item| item.id), true)];
    }
    let middle = cut(items);
    let (low, high) = items.split_at_mut(middle);
    let (lowest, low) = halves(low);
    let (high, highest) = halves(high);
    let parts = [lowest, low, high, highest];
    let branches = if middle < ALONE {
        parts.map(grow_some)
    } else {
        let [a, b, c, d] = parts;
        let both = |x, y| rayon::join(|| grow_some(x), || grow_some(y));
        let ((a, b), (c, d)) = rayon::join(|| both(a, b), || both(c, d));
        [a, b, c, d]
    };
    let mut ahead = 1;
    let starts = branches.iter().filter(|branch| !branch.is_empty()).map(|branch| {
        let start = ahead;
        ahead += branch.len() as u32;
        start
    });
    let mut nodes = vec![Node::new(starts, false)];
    branches.into_iter().for_each(|branch| nodes.extend(branch));
    nodes
}

fn grow_some(items: &mut [Item]) -> Vec<Node> {
    if items.is_empty() { Vec::new() } else { grow(items) }
}

/// Small groups stay together: they fill one node.
fn halves(items: &mut [Item]) -> (&mut [Item], &mut [Item]) {
    let middle = if items.len() <= WIDTH { items.len() } else { cut(items) };
    items.split_at_mut(middle)
}

/// Puts the items of one half first, and says how many they are: at least one, and not all.
fn cut(items: &mut [Item]) -> usize {
    let centers = items.iter().fold(Bounds::NOTHING, |sum, item| {
        sum.with(&Bounds { min: item.center, max: item.center })
    });
    let size = [0, 1, 2].map(|k| centers.max[k] - centers.min[k]);
    let axis = (1..3).fold(0, |widest, k| if size[k] > size[widest] { k } else { widest });
    let (low, width) = (centers.min[axis], size[axis] / BINS as f64);
    if items.len() <= FEW || !(width > 0.0 && width.is_finite()) {
        return halve(items, &size);
    }
    let bin_of = |item: &Item| (((item.center[axis] - low) / width) as usize).min(BINS - 1);
    let mut bins = [(Bounds::NOTHING, 0); BINS];
    for item in items.iter() {
        let (bounds, count) = &mut bins[bin_of(item)];
        *bounds = bounds.with(&item.bounds);
        *count += 1;
    }
    let mut above = [0.0; BINS];
    let mut sum = (Bounds::NOTHING, 0);
    for k in (1..BINS).rev() {
        sum = (sum.0.with(&bins[k].0), sum.1 + bins[k].1);
        above[k] = cost(&sum);
    }
    let mut best = (f64::INFINITY, 0);
    let mut sum = (Bounds::NOTHING, 0);
    for k in 1..BINS {
        sum = (sum.0.with(&bins[k - 1].0), sum.1 + bins[k - 1].1);
        let cost = cost(&sum) + above[k];
        if cost < best.0 {
            best = (cost, k);
        }
    }
    let middle = partition(items, |item| bin_of(item) < best.1);
    if middle == 0 || middle == items.len() { items.len() / 2 } else { middle }
}

/// Few: full nodes are worth more than the best place, but not than the best direction. Or all in one place: any cut
/// is as good.
fn halve(items: &mut [Item], size: &[f64; 3]) -> usize {
    let full = if items.len() > WIDTH * WIDTH { WIDTH * WIDTH } else { WIDTH };
    let middle = (items.len() / 2).next_multiple_of(full);
    let divide = |items: &mut [Item], axis: usize| {
        items.select_nth_unstable_by(middle, |a, b| {
            a.center[axis].total_cmp(&b.center[axis]).then(a.id.cmp(&b.id))
        });
    };
    let side = |items: &[Item]| {
        let bounds = items.iter().fold(Bounds::NOTHING, |sum, item| sum.with(&item.bounds));
        cost(&(bounds, items.len()))
    };
    let (mut best, mut last) = ((f64::INFINITY, 0), None);
    for axis in (0..3).filter(|&axis| size[axis] > 0.0) {
        divide(items, axis);
        last = Some(axis);
        let cost = side(&items[..middle]) + side(&items[middle..]);
        if cost < best.0 {
            best = (cost, axis);
        }
    }
    if last != Some(best.1) {
        divide(items, best.1);
    }
    middle
}

fn partition(items: &mut [Item], is_low: impl Fn(&Item) -> bool) -> usize {
    let mut low = 0;
    for k in 0..items.len() {
        if is_low(&items[k]) {
            items.swap(low, k);
            low += 1;
        }
    }
    low
}

/// Surface times count: how often something meets it, and what that costs. Infinite for nothing.
fn cost((bounds, count): &(Bounds, usize)) -> f64 {
    if *count == 0 {
        return f64::INFINITY;
    }
    let [x, y, z] = [0, 1, 2].map(|k| bounds.max[k] - bounds.min[k]);
    (x * y + y * z + z * x) * *count as f64
}

/// One box.
#[derive(Clone, Copy)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
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
