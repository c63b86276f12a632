//! Forward and backward substitution over the assembly tree.
//!
//! Unknowns are brought into elimination order, where the pivots of a front are contiguous; the rows below
//! are gathered and scattered. Each factor is read once a sweep: the cost is memory traffic.

use super::front::{Kernel, Storage, Stored};
use super::ldlt::{for_each_block, invert_pair};
use super::symbolic::{AssemblyTree, Supernode};

pub(super) fn cholesky(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::cholesky::Cholesky>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            for j in 0..node.pivots() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                t[j] /= column[j];
                let (head, tail) = t.split_at_mut(j + 1);
                subtract(tail, &column[j + 1..], head[j]);
            }
        },
        |node, stored, t| {
            for j in (0..node.pivots()).rev() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                t[j] = (t[j] - dot(&column[j + 1..], &t[j + 1..])) / column[j];
            }
        },
    );
}

pub(super) fn ldlt(tree: &AssemblyTree, storage: &Storage, b: &mut [f64]) {
    let kind = Pass::<super::ldlt::Ldlt>::new(tree, storage);
    kind.run(
        b,
        |node, stored, t| {
            permute(t, stored.interchanges, false);
            for j in 0..node.pivots() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                let (head, tail) = t.split_at_mut(j + 1);
                subtract(tail, &column[j + 1..], head[j]);
            }
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
            for j in (0..node.pivots()).rev() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                t[j] -= dot(&column[j + 1..], &t[j + 1..]);
            }
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
            for j in 0..node.pivots() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                let (head, tail) = t.split_at_mut(j + 1);
                subtract(tail, &column[j + 1..], head[j]);
            }
        },
        |node, stored, t| {
            let pivots = node.pivots();
            let (head, tail) = t.split_at_mut(pivots);
            for (column, &value) in stored.upper.chunks_exact(pivots).zip(&*tail) {
                subtract(head, column, value);
            }
            for j in (0..pivots).rev() {
                let column = &stored.panel[j * node.rows()..][..pivots];
                head[j] /= column[j];
                let (before, from) = head.split_at_mut(j);
                subtract(before, &column[..j], from[0]);
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
            for j in (0..node.pivots()).rev() {
                let column = &stored.panel[j * node.rows()..][..node.rows()];
                t[j] -= dot(&column[j + 1..], &t[j + 1..]);
            }
            for (j, &other) in stored.interchanges.iter().enumerate().rev() {
                t.swap(j, other as usize);
            }
        },
    );
}

/// A forward and a backward sweep.
struct Pass<'a, K> {
    tree: &'a AssemblyTree,
    storage: &'a Storage,
    kernel: std::marker::PhantomData<K>,
}

impl<'a, K: Kernel> Pass<'a, K> {
    fn new(tree: &'a AssemblyTree, storage: &'a Storage) -> Self {
        Self { tree, storage, kernel: std::marker::PhantomData }
    }

    /// `down` sees a front's pivots and zeros for its rows below, and leaves there what they must change by;
    /// `up` sees pivots and the solved rows below, and solves the pivots.
    fn run(
        &self,
        b: &mut [f64],
        down: impl Fn(&Supernode, Stored<'_>, &mut [f64]),
        up: impl Fn(&Supernode, Stored<'_>, &mut [f64]),
    ) {
        assert_eq!(b.len(), 3 * self.tree.order.len(), "one right-hand side per unknown");
        let mut y: Vec<f64> = Vec::with_capacity(b.len());
        y.extend(self.tree.order.iter().flat_map(|&v| &b[3 * v as usize..][..3]));
        let mut t = Vec::new();
        for (s, node) in self.tree.nodes.iter().enumerate() {
            let pivots = 3 * node.columns.start as usize..3 * node.columns.end as usize;
            t.clear();
            t.extend_from_slice(&y[pivots.clone()]);
            t.resize(node.rows(), 0.0);
            down(node, self.storage.node::<K>(self.tree, s), &mut t);
            let (head, tail) = t.split_at(node.pivots());
            y[pivots].copy_from_slice(head);
            for (&row, add) in node.below.iter().zip(tail.chunks_exact(3)) {
                for (y, add) in y[3 * row as usize..][..3].iter_mut().zip(add) {
                    *y += add;
                }
            }
        }
        for (s, node) in self.tree.nodes.iter().enumerate().rev() {
            let pivots = 3 * node.columns.start as usize..3 * node.columns.end as usize;
            t.clear();
            t.extend_from_slice(&y[pivots.clone()]);
            t.extend(node.below.iter().flat_map(|&row| &y[3 * row as usize..][..3]));
            up(node, self.storage.node::<K>(self.tree, s), &mut t);
            y[pivots.clone()].copy_from_slice(&t[..node.pivots()]);
        }
        for (&v, y) in self.tree.order.iter().zip(y.chunks_exact(3)) {
            b[3 * v as usize..][..3].copy_from_slice(y);
        }
    }
}

/// `t -= column * factor`.
fn subtract(t: &mut [f64], column: &[f64], factor: f64) {
    for (t, c) in t.iter_mut().zip(column) {
        *t -= c * factor;
    }
}

/// A dot product in eight lanes, since one sum waits for itself; always in the same order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for k in 0..8 {
            lanes[k] += a[k] * b[k];
        }
    }
    lanes.iter().sum::<f64>() + tail
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
