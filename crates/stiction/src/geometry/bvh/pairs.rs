//! All pairs of boxes that overlap, within a tree or between two.
//!
//! Both trees are walked down together. For threads the walk is cut into pieces at fixed depths, never by the number of threads, and
//! answers are put together in the order of the pieces: the order in which one thread finds them.

use rayon::prelude::*;

use super::{Bounds, Bvh, Child, Node, WIDTH};

/// Levels of the tree that are cut into pieces of work: `4⁴` subtrees, and what lies between them.
const CUT_LEVELS: u32 = 4;

impl Bvh {
    /// All pairs of overlapping boxes, each once as `[lower, higher]`. Replaces what is in `found`.
    pub fn self_pairs(&self, found: &mut Vec<[u32; 2]>) {
        self.run(self, true, found);
    }

    /// All pairs of a box of this tree and an overlapping one of the other, as `[ours, theirs]`. Replaces what is in `found`.
    pub fn pairs(&self, other: &Self, found: &mut Vec<[u32; 2]>) {
        self.run(other, false, found);
    }

    fn run(&self, other: &Self, same: bool, found: &mut Vec<[u32; 2]>) {
        found.clear();
        if self.is_empty() || other.is_empty() {
            return;
        }
        let walk = Walk { a: &self.nodes, b: &other.nodes, same };
        let start =
            if same { Task::Within(0) } else { Task::Between(0, 0, other.nodes[0].bounds()) };
        if rayon::current_num_threads() == 1 {
            return Collect(found).task(&walk, start);
        }
        let mut cut = Cut { levels: CUT_LEVELS, pieces: Vec::new() };
        cut.task(&walk, start);
        let answers: Vec<Vec<[u32; 2]>> = cut
            .pieces
            .par_iter()
            .with_max_len(1)
            .map(|&piece| {
                let mut found = Vec::new();
                Collect(&mut found).task(&walk, piece);
                found
            })
            .collect();
        found.reserve(answers.iter().map(Vec::len).sum());
        answers.iter().for_each(|answer| found.extend_from_slice(answer));
    }
}

#[derive(Clone, Copy)]
enum Task {
    /// A pair that was found.
    Pair([u32; 2]),
    /// Pairs within a node of `a`.
    Within(u32),
    /// Pairs between a node of `a` and one of `b`, which has a box.
    Between(u32, u32, Bounds),
    /// Pairs of an item of `a` that has a box and a node of `b`.
    ItemNode(u32, Bounds, u32),
    /// Pairs of a node of `a` and an item of `b` that has a box.
    NodeItem(u32, u32, Bounds),
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
            Task::Pair(pair) => self.0.push(pair),
            Task::Within(i) => walk.within(i, self),
            Task::Between(i, j, around_j) => walk.between(i, j, &around_j, self),
            Task::ItemNode(item, bounds, j) => walk.item_node(item, &bounds, j, self),
            Task::NodeItem(i, item, bounds) => walk.node_item(i, item, &bounds, self),
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
        if self.levels == 0 {
            return self.pieces.push(task);
        }
        self.levels -= 1;
        match task {
            Task::Within(i) => walk.within(i, self),
            Task::Between(i, j, around_j) => walk.between(i, j, &around_j, self),
            _ => self.pieces.push(task),
        }
        self.levels += 1;
    }
}

/// One step of the walk each: what lies directly below.
struct Walk<'a> {
    a: &'a [Node],
    b: &'a [Node],
    same: bool,
}

impl Walk<'_> {
    fn within(&self, i: u32, visitor: &mut impl Visitor) {
        let node = &self.a[i as usize];
        for k in 0..WIDTH {
            if let Child::Node(ahead) = node.children[k] {
                visitor.task(self, Task::Within(i + ahead));
            }
            if k == 0 || node.children[k] == Child::Free {
                continue;
            }
            let bounds = node.child(k);
            for l in node.overlapping(&bounds).take_while(|&l| l < k) {
                self.meet((i, node, l), (i, node, k), visitor);
            }
        }
    }

    fn between(&self, i: u32, j: u32, around_j: &Bounds, visitor: &mut impl Visitor) {
        let (a, b) = (&self.a[i as usize], &self.b[j as usize]);
        for k in a.overlapping(around_j) {
            for l in b.overlapping(&a.child(k)) {
                self.meet((i, a, k), (j, b, l), visitor);
            }
        }
    }

    /// A child of a node of `a` and one of `b` overlap.
    #[inline(always)]
    fn meet(
        &self,
        (i, a, k): (u32, &Node, usize),
        (j, b, l): (u32, &Node, usize),
        visitor: &mut impl Visitor,
    ) {
        let task = match (a.children[k], b.children[l]) {
            (Child::Item(p), Child::Item(q)) => self.pair(p, q),
            (Child::Node(p), Child::Node(q)) => Task::Between(i + p, j + q, b.child(l)),
            (Child::Item(p), Child::Node(q)) => Task::ItemNode(p, a.child(k), j + q),
            (Child::Node(p), Child::Item(q)) => Task::NodeItem(i + p, q, b.child(l)),
            (Child::Free, _) | (_, Child::Free) => return,
        };
        visitor.task(self, task);
    }

    fn item_node(&self, item: u32, bounds: &Bounds, j: u32, visitor: &mut impl Visitor) {
        let node = &self.b[j as usize];
        for l in node.overlapping(bounds) {
            match node.children[l] {
                Child::Item(other) => visitor.task(self, self.pair(item, other)),
                Child::Node(ahead) => visitor.task(self, Task::ItemNode(item, *bounds, j + ahead)),
                Child::Free => {}
            }
        }
    }

    fn node_item(&self, i: u32, item: u32, bounds: &Bounds, visitor: &mut impl Visitor) {
        let node = &self.a[i as usize];
        for k in node.overlapping(bounds) {
            match node.children[k] {
                Child::Item(other) => visitor.task(self, self.pair(other, item)),
                Child::Node(ahead) => visitor.task(self, Task::NodeItem(i + ahead, item, *bounds)),
                Child::Free => {}
            }
        }
    }

    #[inline(always)]
    fn pair(&self, a: u32, b: u32) -> Task {
        Task::Pair(if self.same { [a.min(b), a.max(b)] } else { [a, b] })
    }
}
