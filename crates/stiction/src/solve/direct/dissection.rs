//! Nested dissection by coordinates: a fill-reducing order for matrices that live in space.
//!
//! The graph is bisected at the median of a coordinate, the fewest vertices that cover the cut edges
//! become the separator [Liu89], both halves are dissected in turn, and the separator is eliminated
//! after them. The axis is the one with the smallest separator. Cheap, since coordinates replace the
//! coarsening of a graph method, and as good on meshes [MTTV97].

use rayon::join;

use super::super::BlockPattern;
use crate::math::Vector3;

/// Parts of this many blocks are not divided further: smaller separators save no arithmetic that
/// merging supernodes would not spend again.
const LEAF: usize = 12;

/// Below this many blocks a part is dissected on the calling thread.
const PARALLEL: usize = 4096;

/// An elimination order: `order[k]` is the block eliminated `k`-th.
///
/// `points` are where the blocks live; only how they lie to each other matters. The order depends on
/// nothing but the arguments, not on threads.
pub(super) fn dissect(pattern: &BlockPattern, points: &[Vector3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..pattern.size() as u32).collect();
    let mut scratch = Scratch::new(pattern.size());
    dissect_part(pattern, points, &mut order, &mut scratch);
    order
}

/// Marks over all blocks, so that a part can tell its own from others without hashing.
struct Scratch {
    /// Which side of the current cut a block is on; anything stale reads as neither.
    side: Vec<u32>,
    stamp: u32,
    /// Position of a block in its side's list of cut vertices.
    local: Vec<u32>,
}

impl Scratch {
    fn new(size: usize) -> Self {
        Self { side: vec![0; size], stamp: 0, local: vec![0; size] }
    }
}

/// Reorders `part` in place: one half, the other half, the separator.
fn dissect_part(
    pattern: &BlockPattern,
    points: &[Vector3],
    part: &mut [u32],
    scratch: &mut Scratch,
) {
    if part.len() <= LEAF {
        return;
    }
    let Some((first, second)) = bisect(pattern, points, part, scratch) else { return };
    let (left, rest) = part.split_at_mut(first);
    let (right, _separator) = rest.split_at_mut(second);
    if left.len() + right.len() < PARALLEL {
        dissect_part(pattern, points, left, scratch);
        dissect_part(pattern, points, right, scratch);
    } else {
        join(
            || dissect_part(pattern, points, left, scratch),
            || dissect_part(pattern, points, right, &mut Scratch::new(pattern.size())),
        );
    }
}

/// Cuts `part` along its best axis and returns the sizes of the two halves; the separator is last.
/// `None` when the part cannot be cut to advantage.
fn bisect(
    pattern: &BlockPattern,
    points: &[Vector3],
    part: &mut [u32],
    scratch: &mut Scratch,
) -> Option<(usize, usize)> {
    let half = part.len() / 2;
    let mut best: Option<(usize, Vec<u32>, Vec<u32>)> = None;
    for axis in promising_axes(points, part) {
        // Ties are broken by index, so that the order is a function of the input.
        let at = |v: u32| points[v as usize][axis];
        part.select_nth_unstable_by(half, |&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        let separator = cover_cut(pattern, part, half, scratch);
        if best.as_ref().is_none_or(|(size, ..)| separator.len() < *size) {
            best = Some((separator.len(), separator, part.to_vec()));
        }
    }
    let (_, separator, cut) = best?;
    // A separator that is most of the part means a nearly dense graph: leave it whole.
    if 2 * separator.len() > part.len() {
        return None;
    }

    scratch.stamp += 1;
    for &v in &separator {
        scratch.side[v as usize] = scratch.stamp;
    }
    let inside = |v: &&u32| scratch.side[**v as usize] != scratch.stamp;
    let mut at = 0;
    for &v in cut[..half].iter().filter(inside) {
        part[at] = v;
        at += 1;
    }
    let first = at;
    for &v in cut[half..].iter().filter(inside) {
        part[at] = v;
        at += 1;
    }
    let second = at - first;
    part[at..].copy_from_slice(&separator);
    Some((first, second))
}

/// Axes along which the part is at least half as long as along its longest.
fn promising_axes(points: &[Vector3], part: &[u32]) -> impl Iterator<Item = usize> + use<> {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for &v in part {
        low = low.inf(&points[v as usize]);
        high = high.sup(&points[v as usize]);
    }
    let extent = high - low;
    let longest = extent.max();
    (0..3).filter(move |&axis| extent[axis] >= 0.5 * longest)
}

/// The fewest vertices that touch every edge between `part[..half]` and `part[half..]`, by König's
/// theorem from a maximum matching of the cut edges.
fn cover_cut(pattern: &BlockPattern, part: &[u32], half: usize, scratch: &mut Scratch) -> Vec<u32> {
    let (left_mark, right_mark) = (scratch.stamp + 1, scratch.stamp + 2);
    scratch.stamp += 2;
    for &v in &part[..half] {
        scratch.side[v as usize] = left_mark;
    }
    // Cut vertices of the right half, numbered; of the left half, with their cut edges.
    let mut right = Vec::new();
    for &v in &part[half..] {
        if pattern.row(v as usize).iter().any(|&u| scratch.side[u as usize] == left_mark) {
            scratch.local[v as usize] = right.len() as u32;
            right.push(v);
        }
    }
    for &v in &right {
        scratch.side[v as usize] = right_mark;
    }
    let (mut left, mut start, mut edges) = (Vec::new(), vec![0], Vec::new());
    for &v in &part[..half] {
        let neighbours = pattern.row(v as usize).iter().map(|&u| u as usize);
        edges.extend(
            neighbours.filter(|&u| scratch.side[u] == right_mark).map(|u| scratch.local[u]),
        );
        if edges.len() > start[left.len()] {
            left.push(v);
            start.push(edges.len());
        }
    }
    let cut = Bipartite { start, edges };
    let (cover_left, cover_right) = cut.vertex_cover(right.len());
    let chosen = |all: Vec<u32>, cover: Vec<bool>| {
        all.into_iter().zip(cover).filter(|(_, c)| *c).map(|(v, _)| v)
    };
    chosen(left, cover_left).chain(chosen(right, cover_right)).collect()
}

/// Edges from left vertices to right ones.
struct Bipartite {
    start: Vec<usize>,
    edges: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Bipartite {
    fn neighbours(&self, left: u32) -> &[u32] {
        &self.edges[self.start[left as usize]..self.start[left as usize + 1]]
    }

    /// Which left and right vertices make a minimum vertex cover.
    fn vertex_cover(&self, right_count: usize) -> (Vec<bool>, Vec<bool>) {
        let left_count = self.start.len() - 1;
        let (mate_left, mate_right) = self.maximum_matching(left_count, right_count);
        // Alternating reach from unmatched left vertices; the cover is the left that is not reached and
        // the right that is.
        let (mut reached_left, mut reached_right) =
            (vec![false; left_count], vec![false; right_count]);
        let mut queue: Vec<u32> =
            (0..left_count as u32).filter(|&l| mate_left[l as usize] == FREE).collect();
        for &l in &queue {
            reached_left[l as usize] = true;
        }
        while let Some(l) = queue.pop() {
            for &r in self.neighbours(l) {
                if !reached_right[r as usize] {
                    reached_right[r as usize] = true;
                    let next = mate_right[r as usize];
                    if next != FREE && !reached_left[next as usize] {
                        reached_left[next as usize] = true;
                        queue.push(next);
                    }
                }
            }
        }
        (reached_left.into_iter().map(|reached| !reached).collect(), reached_right)
    }

    /// Greedy matching, then augmenting paths found by breadth-first search.
    fn maximum_matching(&self, left_count: usize, right_count: usize) -> (Vec<u32>, Vec<u32>) {
        let (mut mate_left, mut mate_right) = (vec![FREE; left_count], vec![FREE; right_count]);
        for l in 0..left_count as u32 {
            if let Some(&r) = self.neighbours(l).iter().find(|&&r| mate_right[r as usize] == FREE) {
                mate_left[l as usize] = r;
                mate_right[r as usize] = l;
            }
        }
        let mut seen = vec![FREE; right_count]; // stamped with the root of the search
        let mut came_from = vec![FREE; right_count]; // the left vertex that reached a right one
        let mut queue = Vec::new();
        for root in
            (0..left_count as u32).filter(|&l| mate_left[l as usize] == FREE).collect::<Vec<_>>()
        {
            queue.clear();
            queue.push(root);
            let mut at = 0;
            let end = 'search: loop {
                let Some(&l) = queue.get(at) else { break None };
                at += 1;
                for &r in self.neighbours(l) {
                    if seen[r as usize] != root {
                        seen[r as usize] = root;
                        came_from[r as usize] = l;
                        match mate_right[r as usize] {
                            FREE => break 'search Some(r),
                            next => queue.push(next),
                        }
                    }
                }
            };
            // Flip the path from its free end back to the root.
            let mut r = end.unwrap_or(FREE);
            while r != FREE {
                let l = came_from[r as usize];
                let previous = mate_left[l as usize];
                mate_left[l as usize] = r;
                mate_right[r as usize] = l;
                r = previous;
            }
        }
        (mate_left, mate_right)
    }
}
