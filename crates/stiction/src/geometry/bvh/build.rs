//! Building: cuts that leave little surface, estimated in bins [Wal07].

use super::{Bounds, Bvh, Child, Node, NotABox, WIDTH};
use crate::mesh::BoundingBox;

/// Slabs between which a cut may lie.
const BINS: usize = 16;
/// Below so many boxes a thread works alone.
const ALONE: usize = 4096;

impl Bvh {
    /// A tree over boxes.
    ///
    /// # Errors
    /// When a box is not finite, or ends before it begins.
    pub fn new(boxes: &[BoundingBox]) -> Result<Self, NotABox> {
        if let Some(index) = boxes.iter().position(|b| !is_sound(b)) {
            return Err(NotABox { index });
        }
        let mut tree = Self { nodes: Vec::new(), count: boxes.len() };
        if !boxes.is_empty() {
            let mut items: Vec<Item> = (0..boxes.len() as u32)
                .map(|id| {
                    let bounds = Bounds::of(&boxes[id as usize]);
                    let center = [0, 1, 2].map(|k| 0.5 * bounds.min[k] + 0.5 * bounds.max[k]);
                    Item { bounds, center, id }
                })
                .collect();
            tree.nodes = grow(&mut items);
            tree.refit(boxes)?;
        }
        Ok(tree)
    }
}

pub(super) fn is_sound(b: &BoundingBox) -> bool {
    (0..3).all(|k| b.min[k] <= b.max[k] && b.max[k] - b.min[k] < f64::INFINITY)
}

struct Item {
    bounds: Bounds,
    center: [f64; 3],
    id: u32,
}

/// The subtree over some items, its boxes still to be filled in.
fn grow(items: &mut [Item]) -> Vec<Node> {
    let mut root = Node::EMPTY;
    if items.len() <= WIDTH {
        items.sort_unstable_by_key(|item| item.id);
        for (child, item) in root.children.iter_mut().zip(items) {
            *child = Child::Item(item.id);
        }
        return vec![root];
    }
    let middle = cut(items);
    let (low, high) = items.split_at_mut(middle);
    let (lowest, low) = halves(low);
    let (high, highest) = halves(high);
    let parts = [lowest, low, high, highest];
    let [a, b, c, d] = if middle < ALONE {
        parts.map(branch)
    } else {
        let [a, b, c, d] = parts;
        let both = |x, y| rayon::join(|| branch(x), || branch(y));
        let ((a, b), (c, d)) = rayon::join(|| both(a, b), || both(c, d));
        [a, b, c, d]
    };
    let mut nodes = vec![root];
    let mut place = 0;
    for part in [a, b, c, d] {
        let child = match part {
            Branch::Nothing => continue,
            Branch::Item(id) => Child::Item(id),
            Branch::Nodes(branch) => {
                let ahead = nodes.len() as u32;
                nodes.extend(branch);
                Child::Node(ahead)
            }
        };
        nodes[0].children[place] = child;
        place += 1;
    }
    nodes
}

enum Branch {
    Nothing,
    Item(u32),
    Nodes(Vec<Node>),
}

fn branch(items: &mut [Item]) -> Branch {
    match items {
        [] => Branch::Nothing,
        [one] => Branch::Item(one.id),
        _ => Branch::Nodes(grow(items)),
    }
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
    if items.len() <= WIDTH * WIDTH || !(width > 0.0 && width.is_finite()) {
        // Few: full nodes are worth more than good cuts. Or all in one place: any cut is as good.
        let middle = (items.len() / 2).next_multiple_of(WIDTH).min(items.len() - 1);
        items.select_nth_unstable_by(middle, |a, b| {
            a.center[axis].total_cmp(&b.center[axis]).then(a.id.cmp(&b.id))
        });
        return middle;
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
