//! All pairs of boxes that overlap, within a tree or between two.
//!
//! Both trees are walked down together, the larger box first. For threads the walk is cut into pieces by the number of boxes
//! below, never by the number of threads, and answers are put together in the order of the pieces.

use rayon::prelude::*;

use super::{Bvh, LEAF, Leaf, NOBODY, Node};

/// Subtrees whose left branch is not larger are one piece of work.
const PIECE: u32 = 256;

impl Bvh {
    /// All pairs of overlapping boxes, each once as `[lower, higher]`. Replaces what is in `found`.
    pub fn self_pairs(&self, found: &mut Vec<[u32; 2]>) {
        let walk = Walk { a: self, b: self, same: true };
        walk.run(Task::Within(0), found);
    }

    /// All pairs of a box of this tree and an overlapping one of the other, as `[ours, theirs]`. Replaces what is in `found`.
    pub fn pairs(&self, other: &Self, found: &mut Vec<[u32; 2]>) {
        let walk = Walk { a: self, b: other, same: false };
        walk.run(Task::Between(0, 0), found);
    }
}

#[derive(Clone, Copy)]
enum Task {
    Within(u32),
    Between(u32, u32),
}

struct Walk<'a> {
    a: &'a Bvh,
    b: &'a Bvh,
    same: bool,
}

impl Walk<'_> {
    fn run(&self, task: Task, found: &mut Vec<[u32; 2]>) {
        found.clear();
        if self.a.is_empty() || self.b.is_empty() {
            return;
        }
        if rayon::current_num_threads() == 1 {
            return self.walk(task, found);
        }
        let mut pieces = Vec::new();
        self.pieces(task, &mut pieces);
        let answers: Vec<Vec<[u32; 2]>> = pieces
            .par_iter()
            .with_max_len(1)
            .map(|&task| {
                let mut found = Vec::new();
                self.walk(task, &mut found);
                found
            })
            .collect();
        found.reserve(answers.iter().map(Vec::len).sum());
        answers.iter().for_each(|answer| found.extend_from_slice(answer));
    }

    /// Cuts a walk into shorter ones that give the same answers in the same order.
    fn pieces(&self, task: Task, pieces: &mut Vec<Task>) {
        match task {
            Task::Within(i) => {
                let right = self.a.nodes[i as usize].right;
                if right <= PIECE {
                    return pieces.push(task);
                }
                self.pieces(Task::Within(i + 1), pieces);
                self.pieces(Task::Within(i + right), pieces);
                self.pieces(Task::Between(i + 1, i + right), pieces);
            }
            Task::Between(i, j) => {
                let (a, b) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
                if !a.overlaps(&b.min, &b.max) {
                } else if a.right <= PIECE && b.right <= PIECE {
                    pieces.push(task);
                } else {
                    for (i, j) in below(a, b, i, j) {
                        self.pieces(Task::Between(i, j), pieces);
                    }
                }
            }
        }
    }

    fn walk(&self, task: Task, found: &mut Vec<[u32; 2]>) {
        match task {
            Task::Within(i) => self.within(i, found),
            Task::Between(i, j) => self.between(i, j, found),
        }
    }

    fn within(&self, i: u32, found: &mut Vec<[u32; 2]>) {
        let node = &self.a.nodes[i as usize];
        if node.right == 0 {
            return itself(&self.a.leaves[node.leaf as usize], found);
        }
        self.within(i + 1, found);
        self.within(i + node.right, found);
        self.between(i + 1, i + node.right, found);
    }

    fn between(&self, i: u32, j: u32, found: &mut Vec<[u32; 2]>) {
        let (a, b) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
        if !a.overlaps(&b.min, &b.max) {
            return;
        }
        if a.right == 0 && b.right == 0 {
            let (a, b) = (&self.a.leaves[a.leaf as usize], &self.b.leaves[b.leaf as usize]);
            return if self.same { two::<true>(a, b, found) } else { two::<false>(a, b, found) };
        }
        for (i, j) in below(a, b, i, j) {
            self.between(i, j, found);
        }
    }
}

/// Opens the larger of two boxes.
fn below(a: &Node, b: &Node, i: u32, j: u32) -> [(u32, u32); 2] {
    if b.right == 0 || (a.right != 0 && extent(a) >= extent(b)) {
        [(i + 1, j), (i + a.right, j)]
    } else {
        [(i, j + 1), (i, j + b.right)]
    }
}

fn extent(node: &Node) -> f64 {
    (node.max[0] - node.min[0]) + (node.max[1] - node.min[1]) + (node.max[2] - node.min[2])
}

/// Pairs within a leaf.
fn itself(leaf: &Leaf, found: &mut Vec<[u32; 2]>) {
    for k in (1..LEAF).take_while(|&k| leaf.ids[k] != NOBODY) {
        let (min, max) = leaf.place(k);
        let hits = leaf.overlaps(min, max);
        // Ids ascend within a leaf.
        found.extend((0..k).filter(|&l| hits[l]).map(|l| [leaf.ids[l], leaf.ids[k]]));
    }
}

/// Pairs between two leaves.
fn two<const SAME: bool>(a: &Leaf, b: &Leaf, found: &mut Vec<[u32; 2]>) {
    for k in (0..LEAF).take_while(|&k| a.ids[k] != NOBODY) {
        let (min, max) = a.place(k);
        let hits = b.overlaps(min, max);
        for l in 0..LEAF {
            if hits[l] {
                let (i, j) = (a.ids[k], b.ids[l]);
                found.push(if SAME { [i.min(j), i.max(j)] } else { [i, j] });
            }
        }
    }
}
