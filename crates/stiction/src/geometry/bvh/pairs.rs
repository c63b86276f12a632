//! All pairs of boxes that overlap, within a tree or between two.
//!
//! Both trees are walked down together. For threads the walk is cut into pieces at fixed depths, never by the number
//! of threads, and answers are put together in the order of the pieces: the order in which one thread finds them.

use rayon::prelude::*;

use super::Bvh;
use super::node::{Node, Places, WIDTH};
use super::rounded::Rounded;

/// Levels of the tree that are cut into pieces of work: `4⁴` subtrees, and what lies between them.
const CUT_LEVELS: u32 = 4;
/// Pieces that are done one after the other.
const TOGETHER: usize = 16;
/// Fewer boxes than this are left to one thread.
const ALONE: usize = 256;

impl Bvh {
    /// All pairs of overlapping boxes, each once as `[lower, higher]`. Replaces what is in `found`.
    pub fn self_pairs(&self, found: &mut Vec<[u32; 2]>) {
        found.clear();
        if !self.is_empty() {
            Walk { a: self, b: self, same: true }.run(Task::Within(0), found);
        }
    }

    /// All pairs of a box of this tree and an overlapping one of the other, as `[ours, theirs]`. Replaces what is in
    /// `found`.
    pub fn pairs(&self, other: &Self, found: &mut Vec<[u32; 2]>) {
        found.clear();
        if self.is_empty() || other.is_empty() {
            return;
        }
        let seen;
        let (mut a, mut b) = (self, other);
        if a.origin != b.origin {
            if a.len() < b.len() {
                seen = a.seen_from(b.origin);
                a = &seen;
            } else {
                seen = b.seen_from(a.origin);
                b = &seen;
            }
        }
        let start = Task::Between(Place::root(a), Place::root(b));
        Walk { a, b, same: false }.run(start, found);
    }
}

/// A node and the box around it.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    around: Rounded,
}

impl Place {
    fn root(tree: &Bvh) -> Self {
        Self { node: 0, around: tree.nodes[0].bounds() }
    }

    #[inline(always)]
    fn below(self, node: &Node, k: usize) -> Self {
        Self { node: self.node + node.children[k], around: node.around(k) }
    }
}

#[derive(Clone, Copy)]
enum Task {
    /// Pairs within a node of `a`.
    Within(u32),
    /// Pairs between a node of `a` and one of `b`.
    Between(Place, Place),
}

/// What is done with what a walk comes upon, in order.
trait Visitor: Sized {
    fn task(&mut self, walk: &Walk, task: Task);
}

/// All pairs.
struct Collect<'a>(&'a mut Vec<[u32; 2]>);

impl Visitor for Collect<'_> {
    #[inline]
    fn task(&mut self, walk: &Walk, task: Task) {
        match task {
            Task::Within(i) if walk.a.nodes[i as usize].is_leaf => {
                walk.leaf(&walk.a.nodes[i as usize], self.0)
            }
            Task::Within(i) => walk.within(i, self),
            Task::Between(i, j) => {
                let (a, b) = (&walk.a.nodes[i.node as usize], &walk.b.nodes[j.node as usize]);
                if a.is_leaf && b.is_leaf {
                    walk.leaves(a, b, self.0);
                } else {
                    walk.between(i, j, self);
                }
            }
        }
    }
}

/// Tasks some levels down.
struct Cut {
    levels: u32,
    pieces: Vec<Task>,
}

impl Visitor for Cut {
    fn task(&mut self, walk: &Walk, task: Task) {
        let is_last = match task {
            Task::Within(i) => walk.a.nodes[i as usize].is_leaf,
            Task::Between(i, j) => {
                walk.a.nodes[i.node as usize].is_leaf && walk.b.nodes[j.node as usize].is_leaf
            }
        };
        if self.levels == 0 || is_last {
            return self.pieces.push(task);
        }
        self.levels -= 1;
        match task {
            Task::Within(i) => walk.within(i, self),
            Task::Between(i, j) => walk.between(i, j, self),
        }
        self.levels += 1;
    }
}

/// One step of the walk each: what lies directly below.
struct Walk<'a> {
    a: &'a Bvh,
    b: &'a Bvh,
    same: bool,
}

impl Walk<'_> {
    fn run(&self, start: Task, found: &mut Vec<[u32; 2]>) {
        let few = self.a.boxes.len().max(self.b.boxes.len()) < ALONE;
        if few || rayon::current_num_threads() == 1 {
            return Collect(found).task(self, start);
        }
        let mut cut = Cut { levels: CUT_LEVELS, pieces: Vec::new() };
        cut.task(self, start);
        let answers: Vec<Vec<[u32; 2]>> = cut
            .pieces
            .par_chunks(TOGETHER)
            .with_max_len(1)
            .map(|pieces| {
                let mut found = Vec::new();
                pieces.iter().for_each(|&piece| Collect(&mut found).task(self, piece));
                found
            })
            .collect();
        found.reserve(answers.iter().map(Vec::len).sum());
        answers.iter().for_each(|answer| found.extend_from_slice(answer));
    }

    fn within(&self, i: u32, visitor: &mut impl Visitor) {
        let node = &self.a.nodes[i as usize];
        let place = |k: usize| Place { node: i + node.children[k], around: node.around(k) };
        for k in 0..usize::from(node.count) {
            let k_place = place(k);
            visitor.task(self, Task::Within(k_place.node));
            for l in Places(node.overlapping(&k_place.around).0 & ((1 << k) - 1)) {
                visitor.task(self, Task::Between(place(l), k_place));
            }
        }
    }

    fn between(&self, i: Place, j: Place, visitor: &mut impl Visitor) {
        let (a, b) = (&self.a.nodes[i.node as usize], &self.b.nodes[j.node as usize]);
        if a.is_leaf {
            for l in b.overlapping(&i.around) {
                visitor.task(self, Task::Between(i, j.below(b, l)));
            }
            return;
        }
        for k in a.overlapping(&j.around) {
            let below = i.below(a, k);
            if b.is_leaf {
                visitor.task(self, Task::Between(below, j));
                continue;
            }
            for l in b.overlapping(&below.around) {
                visitor.task(self, Task::Between(below, j.below(b, l)));
            }
        }
    }

    /// Pairs between the items of a node.
    #[inline(always)]
    fn leaf(&self, node: &Node, found: &mut Vec<[u32; 2]>) {
        const LOWER: u32 = 0b0111_0011_0001_0000;
        let (all, doubtful) = overlaps(node, node);
        self.collect([node, node], all & LOWER, doubtful & LOWER, found);
    }

    /// Pairs between the items of two nodes.
    #[inline(always)]
    fn leaves(&self, a: &Node, b: &Node, found: &mut Vec<[u32; 2]>) {
        let (all, doubtful) = overlaps(a, b);
        self.collect([a, b], all, doubtful, found);
    }

    #[inline(always)]
    fn collect(&self, [a, b]: [&Node; 2], mut all: u32, doubtful: u32, found: &mut Vec<[u32; 2]>) {
        let at = |place: usize| [a.children[place / WIDTH % WIDTH], b.children[place % WIDTH]];
        if doubtful != 0 {
            for place in Places(doubtful) {
                if !self.is_certain(at(place)) {
                    all &= !(1 << place);
                }
            }
        }
        for place in Places(all) {
            let [p, q] = at(place);
            found.push(if self.same { [p.min(q), p.max(q)] } else { [p, q] });
        }
    }

    /// Whether the boxes themselves overlap.
    #[cold]
    fn is_certain(&self, [p, q]: [u32; 2]) -> bool {
        self.a.boxes[p as usize].overlaps(&self.b.boxes[q as usize])
    }
}

/// Which children of two nodes overlap, row by row: all at once, because nobody could predict it. Second, of which
/// that is doubtful.
#[inline(always)]
fn overlaps(a: &Node, b: &Node) -> (u32, u32) {
    let (mut all, mut doubtful) = (0, 0);
    for k in 0..WIDTH {
        let overlaps = b.overlaps(&a.around(k));
        all |= overlaps.all.0 << (k * WIDTH);
        doubtful |= overlaps.doubtful.0 << (k * WIDTH);
    }
    (all, doubtful)
}
