//! Forward and backward substitution over the assembly tree.
//!
//! Unknowns are brought into elimination order, where the pivots of a front are contiguous; the rows below
//! are gathered and scattered. Each factor is read once a sweep: the cost is memory traffic.

use std::ops::Range;

use rayon::prelude::*;

use super::super::vector::{add_scaled, add_scaled_four, dot, dot_four};
use super::front::{Kernel, Storage, Stored};
use super::ldlt::{for_each_block, invert_pair};
use super::symbolic::{AssemblyTree, Supernode};

pub(super) fn cholesky(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::cholesky::Cholesky>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            lower::<false>(stored.panel, node.pivots(), t);
        },
        |node, stored, t| {
            lower_transposed::<false>(stored.panel, node.pivots(), t);
        },
    );
}

pub(super) fn ldlt(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::ldlt::Ldlt>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            permute(t, stored.interchanges, false);
            lower::<true>(stored.panel, node.pivots(), t);
            for_each_block(stored.extra, |i, two| {
                let diagonal = |i: usize| stored.panel[i * node.rows() + i];
                if two {
                    let [a, b, c] = invert_pair(diagonal(i), stored.extra[i], diagonal(i + 1));
                    (t[i], t[i + 1]) = (a * t[i] + b * t[i + 1], b * t[i] + c * t[i + 1]);
                } else {
                    t[i] /= diagonal(i);
                }
            });
        },
        |node, stored, t| {
            lower_transposed::<true>(stored.panel, node.pivots(), t);
            permute(t, stored.interchanges, true);
        },
    );
}

pub(super) fn lu(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::lu::Lu>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            for (j, &other) in stored.interchanges.iter().enumerate() {
                t.swap(j, other as usize);
            }
            lower::<true>(stored.panel, node.pivots(), t);
        },
        |node, stored, t| {
            let pivots = node.pivots();
            let (head, tail) = t.split_at_mut(pivots);
            for (column, &value) in stored.upper.chunks_exact(pivots).zip(&*tail) {
                add_scaled(head, -value, column);
            }
            for j in (0..pivots).rev() {
                let column = &stored.panel[j * node.rows()..][..pivots];
                head[j] /= column[j];
                let (before, from) = head.split_at_mut(j);
                add_scaled(before, -from[0], &column[..j]);
            }
        },
    );
}

pub(super) fn lu_transpose(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::lu::Lu>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            let pivots = node.pivots();
            let (head, tail) = t.split_at_mut(pivots);
            for j in 0..pivots {
                let column = &stored.panel[j * node.rows()..][..pivots];
                head[j] = (head[j] - dot(&column[..j], &head[..j])) / column[j];
            }
            for (column, value) in stored.upper.chunks_exact(pivots).zip(tail) {
                *value -= dot(column, head);
            }
        },
        |node, stored, t| {
            lower_transposed::<true>(stored.panel, node.pivots(), t);
            for (j, &other) in stored.interchanges.iter().enumerate().rev() {
                t.swap(j, other as usize);
            }
        },
    );
}

/// Columns that are taken together: `t` then passes through registers a quarter as often.
const GROUP: usize = 4;

/// `t ← L⁻¹ t` for the pivots of a front, whose `L` is in the lower triangle of the panel (with ones on the diagonal,
/// if `UNIT`), and takes from the rows below what the pivots make of them.
fn lower<const UNIT: bool>(panel: &[f64], pivots: usize, t: &mut [f64]) {
    let rows = t.len();
    let column = |j: usize| &panel[j * rows..][..rows];
    for start in (0..pivots).step_by(GROUP) {
        let end = (start + GROUP).min(pivots);
        for j in start..end {
            if !UNIT {
                t[j] /= column(j)[j];
            }
            for i in j + 1..end {
                t[i] -= column(j)[i] * t[j];
            }
        }
        let (head, tail) = t.split_at_mut(end);
        if let &[a, b, c, d] = &head[start..] {
            let columns = std::array::from_fn(|k| &column(start + k)[end..]);
            add_scaled_four(tail, [-a, -b, -c, -d], columns);
        } else {
            for j in start..end {
                add_scaled(tail, -head[j], &column(j)[end..]);
            }
        }
    }
}

/// `t ← L⁻ᵀ t` for the pivots of a front, given the solved rows below them.
fn lower_transposed<const UNIT: bool>(panel: &[f64], pivots: usize, t: &mut [f64]) {
    let rows = t.len();
    let column = |j: usize| &panel[j * rows..][..rows];
    for start in (0..pivots).step_by(GROUP).rev() {
        let end = (start + GROUP).min(pivots);
        let (head, tail) = t.split_at_mut(end);
        let group = &mut head[start..];
        if let [a, b, c, d] = group {
            let below = dot_four(std::array::from_fn(|k| &column(start + k)[end..]), tail);
            for (t, below) in [a, b, c, d].into_iter().zip(below) {
                *t -= below;
            }
        } else {
            for (k, t) in group.iter_mut().enumerate() {
                *t -= dot(&column(start + k)[end..], tail);
            }
        }
        for j in (start..end).rev() {
            for i in j + 1..end {
                t[j] -= column(j)[i] * t[i];
            }
            if !UNIT {
                t[j] /= column(j)[j];
            }
        }
    }
}

/// A forward and a backward sweep. Like the factorisation they go by fronts: what a front leaves for its
/// ancestors is handed up as a remainder, what it needs of them is handed down. So subtrees share nothing, and
/// heavy ones run in parallel.
struct Pass<'a, K> {
    tree: &'a AssemblyTree,
    storage: &'a Storage,
    kernel: std::marker::PhantomData<K>,
}

/// Subtrees that cost less to factor (multiplications) than this are swept on one thread.
const PARALLEL_WORK: f64 = 1e8;

impl<'a, K: Kernel> Pass<'a, K> {
    fn new(tree: &'a AssemblyTree, storage: &'a Storage) -> Self {
        Self { tree, storage, kernel: std::marker::PhantomData }
    }

    /// `down` sees a front's pivots and what its children left for its rows below, and leaves there what they
    /// must change by; `up` sees pivots and the solved rows below, and solves the pivots.
    fn run(
        &self,
        b: &mut [f64],
        down: impl Fn(&Supernode, Stored<'_>, &mut [f64]) + Sync,
        up: impl Fn(&Supernode, Stored<'_>, &mut [f64]) + Sync,
    ) {
        assert_eq!(b.len(), 3 * self.tree.order.len(), "one right-hand side per unknown");
        let mut y: Vec<f64> = Vec::with_capacity(b.len());
        y.extend(self.tree.order.iter().flat_map(|&v| &b[3 * v as usize..][..3]));
        let roots = self.tree.roots();
        self.each(&roots, &mut y, |root, y| self.sweep_down(root, y, &down));
        self.each(&roots, &mut y, |root, y| self.sweep_up(root, y, Vec::new(), &up));
        for (&v, y) in self.tree.order.iter().zip(y.chunks_exact(3)) {
            b[3 * v as usize..][..3].copy_from_slice(y);
        }
    }

    /// Calls `f` on subtrees that lie back to back in `y`, in parallel if that pays.
    fn each<T: Send>(
        &self,
        tops: &[u32],
        mut y: &mut [f64],
        f: impl Fn(u32, &mut [f64]) -> T + Sync,
    ) -> Vec<T> {
        let mut parts = Vec::with_capacity(tops.len());
        for &top in tops {
            let node = &self.tree.nodes[top as usize];
            let first = self.tree.nodes[node.first as usize].columns.start;
            let (own, rest) = y.split_at_mut(3 * (node.columns.end - first) as usize);
            parts.push((top, own));
            y = rest;
        }
        if tops.iter().filter(|&&top| self.is_heavy(top)).count() > 1 {
            parts.into_par_iter().with_max_len(1).map(|(top, y)| f(top, y)).collect()
        } else {
            parts.into_iter().map(|(top, y)| f(top, y)).collect()
        }
    }

    fn is_heavy(&self, s: u32) -> bool {
        self.tree.nodes[s as usize].subtree_work > PARALLEL_WORK
    }

    /// The highest node under `top` with two heavy children, if there is one.
    fn fork(&self, mut top: u32) -> Option<u32> {
        loop {
            let children = &self.tree.nodes[top as usize].children;
            let mut heavy = children.iter().copied().filter(|&c| self.is_heavy(c));
            match (heavy.next(), heavy.next()) {
                (Some(_), Some(_)) => return Some(top),
                (Some(only), None) => top = only,
                _ => return None,
            }
        }
    }

    /// Where the pivots of `s` and the subtree under it are, in the part of `y` of the subtree of `top`.
    fn place(&self, top: u32, s: u32) -> (Range<usize>, Range<usize>) {
        let nodes = &self.tree.nodes;
        let first = |s: u32| nodes[nodes[s as usize].first as usize].columns.start;
        let at = |column: u32| 3 * (column - first(top)) as usize;
        let columns = &nodes[s as usize].columns;
        (at(columns.start)..at(columns.end), at(first(s))..at(columns.end))
    }

    /// Sweeps the subtree of `top` and returns what it leaves for the rows below `top`.
    fn sweep_down(
        &self,
        top: u32,
        y: &mut [f64],
        down: &(impl Fn(&Supernode, Stored<'_>, &mut [f64]) + Sync),
    ) -> Vec<f64> {
        let fork = self.fork(top);
        let mut remainders: Vec<Vec<f64>> = Vec::new(); // of nodes whose parents are yet to come
        let mut s = self.tree.nodes[top as usize].first;
        while s <= top {
            let (mut pivots, _) = self.place(top, s);
            let mut below = None;
            if let Some(fork) = fork
                && s == self.tree.nodes[fork as usize].first
            {
                s = fork;
                let (fork_pivots, fork_subtree) = self.place(top, fork);
                let children = &self.tree.nodes[fork as usize].children;
                let own = &mut y[fork_subtree.start..fork_pivots.start];
                below = Some(self.each(children, own, |child, y| self.sweep_down(child, y, down)));
                pivots = fork_pivots;
            }
            let node = &self.tree.nodes[s as usize];
            let from = remainders.len() - if below.is_some() { 0 } else { node.children.len() };
            let below = below.unwrap_or_else(|| remainders.split_off(from));
            let mut t = y[pivots.clone()].to_vec();
            t.resize(node.rows(), 0.0);
            for (&child, remainder) in node.children.iter().zip(below) {
                let place = &self.tree.nodes[child as usize].in_parent;
                place.add(&remainder, 0..place.len(), &mut t, 0);
            }
            down(node, self.storage.node::<K>(self.tree, s as usize), &mut t);
            y[pivots].copy_from_slice(&t[..node.pivots()]);
            remainders.push(t.split_off(node.pivots()));
            s += 1;
        }
        remainders.pop().unwrap_or_default()
    }

    /// Sweeps the subtree of `top`, given the solved rows below `top`.
    fn sweep_up(
        &self,
        top: u32,
        y: &mut [f64],
        below: Vec<f64>,
        up: &(impl Fn(&Supernode, Stored<'_>, &mut [f64]) + Sync),
    ) {
        let fork = self.fork(top);
        let mut solved = vec![below]; // rows below nodes yet to come
        let mut next = Some(top);
        while let Some(s) = next {
            let node = &self.tree.nodes[s as usize];
            let (pivots, subtree) = self.place(top, s);
            let mut t = y[pivots.clone()].to_vec();
            t.append(&mut solved.pop().expect("a parent came before"));
            up(node, self.storage.node::<K>(self.tree, s as usize), &mut t);
            y[pivots.clone()].copy_from_slice(&t[..node.pivots()]);
            let handed =
                node.children.iter().map(|&c| self.tree.nodes[c as usize].in_parent.gather(&t));
            let before = if fork == Some(s) {
                let handed: Vec<Vec<f64>> = handed.collect();
                self.each(&node.children, &mut y[subtree.start..pivots.start], |child, y| {
                    let k = node.children.iter().position(|&c| c == child).expect("a child");
                    self.sweep_up(child, y, handed[k].clone(), up);
                });
                node.first
            } else {
                solved.extend(handed);
                s
            };
            next = before.checked_sub(1).filter(|&s| s >= self.tree.nodes[top as usize].first);
        }
    }
}

/// Brings the leading entries into pivot order, or back.
fn permute(t: &mut [f64], order: &[u32], back: bool) {
    let old = t[..order.len()].to_vec();
    for (k, &from) in order.iter().enumerate() {
        if back {
            t[from as usize] = old[k];
        } else {
            t[k] = old[from as usize];
        }
    }
}
