//! The symbolic half of a factorisation: which blocks fill in, and which columns belong together.
//!
//! From a pattern and an elimination order it finds the elimination tree [Liu90], groups columns of
//! equal structure into supernodes, merges small ones into their parents, and prepares everything the
//! numeric half needs: where each block of the matrix goes, and where each front's remainder goes in its
//! parent. All of it is in blocks of three unknowns, nine times less than in scalars.

use std::ops::Range;

use super::super::BlockPattern;

/// Set when a front has no parent.
pub(super) const ROOT: u32 = u32::MAX;

/// A node of the assembly tree: columns eliminated together in one dense front.
#[derive(Clone, Debug)]
pub(super) struct Supernode {
    /// Columns, as positions in the elimination order.
    pub(super) columns: Range<u32>,
    /// Rows below the columns, as ascending positions.
    pub(super) below: Vec<u32>,
    pub(super) parent: u32,
    /// Where `below` stands in the parent's front.
    pub(super) in_parent: Places,
    pub(super) children: Vec<u32>,
    /// First supernode of the subtree that ends here; subtrees are contiguous.
    pub(super) first: u32,
    /// Blocks of the matrix that start in this front.
    pub(super) entries: Range<usize>,
    /// Multiplications to factor the whole subtree, about.
    pub(super) subtree_work: f64,
}

impl Supernode {
    /// Scalar columns.
    pub(super) fn pivots(&self) -> usize {
        3 * (self.columns.end - self.columns.start) as usize
    }

    /// Scalar rows below.
    pub(super) fn rest(&self) -> usize {
        3 * self.below.len()
    }

    /// Scalar rows of the front.
    pub(super) fn rows(&self) -> usize {
        self.pivots() + self.rest()
    }
}

/// Block positions in another front, ascending, with their runs of neighbours.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    places: Vec<u32>,
    /// Ends of runs of consecutive places.
    run_ends: Vec<u32>,
}

impl Places {
    pub(super) fn new(places: Vec<u32>) -> Self {
        let breaks =
            (1..places.len() as u32).filter(|&k| places[k as usize] != places[k as usize - 1] + 1);
        let mut run_ends: Vec<u32> = breaks.collect();
        run_ends.push(places.len() as u32);
        Self { places, run_ends }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn of(&self, k: usize) -> usize {
        self.places[k] as usize
    }

    /// How many places are below `limit`.
    pub(super) fn before(&self, limit: usize) -> usize {
        self.places.partition_point(|&place| (place as usize) < limit)
    }

    /// The blocks of a column that stand at these places.
    pub(super) fn gather(&self, column: &[f64]) -> Vec<f64> {
        self.places.iter().flat_map(|&place| &column[3 * place as usize..][..3]).copied().collect()
    }

    /// Adds blocks `range` of a column to where they belong in `target`, whose first row is `shift`.
    pub(super) fn add(
        &self,
        source: &[f64],
        range: Range<usize>,
        target: &mut [f64],
        shift: usize,
    ) {
        let mut from = range.start;
        let mut run = self.run_ends.partition_point(|&end| end as usize <= from);
        while from < range.end {
            let to = range.end.min(self.run_ends[run] as usize);
            let at = 3 * self.of(from) - shift;
            let length = 3 * (to - from);
            let target = &mut target[at..at + length];
            for (target, source) in target.iter_mut().zip(&source[3 * from..3 * from + length]) {
                *target += source;
            }
            (from, run) = (to, run + 1);
        }
    }
}

/// One block of the matrix and its place in a front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) slot: u32,
    pub(super) row: u32,
    pub(super) column: u32,
}

/// The assembly tree of a pattern under an order.
#[derive(Clone, Debug)]
pub(super) struct AssemblyTree {
    /// `order[k]`: the block eliminated `k`-th.
    pub(super) order: Vec<u32>,
    /// Children before parents.
    pub(super) nodes: Vec<Supernode>,
    /// Blocks on and below the diagonal, then above, grouped by front.
    pub(super) entries: Vec<Entry>,
}

impl AssemblyTree {
    /// Analyses `pattern`. `order` must be a permutation of the block rows; it is refined to a
    /// postorder of the tree, which does not change the fill.
    pub(super) fn new(pattern: &BlockPattern, order: &[u32]) -> Self {
        let (order, parent) = postordered_elimination_tree(pattern, order);
        let position = invert(&order);
        let supernodes = fundamental_supernodes(pattern, &order, &position, &parent);
        let merged = merge(supernodes);
        let (order, nodes) = renumber(&order, merged);
        let mut tree = Self { order, nodes, entries: Vec::new() };
        tree.link();
        tree.place_entries(pattern);
        tree
    }

    /// Stored scalars of a symmetric factor: the trapezoids of all fronts.
    /// Tops of the trees, one per connected piece of the matrix.
    pub(super) fn roots(&self) -> Vec<u32> {
        let all = 0..self.nodes.len() as u32;
        all.filter(|&s| self.nodes[s as usize].parent == ROOT).collect()
    }

    pub(super) fn multiplications(&self) -> f64 {
        let roots = self.nodes.iter().filter(|s| s.parent == ROOT);
        roots.map(|s| s.subtree_work).sum()
    }

    pub(super) fn panel_len(&self) -> usize {
        self.nodes.iter().map(|s| s.rows() * s.pivots()).sum()
    }

    /// Parents' view of children: positions in the parent's front, subtree extents and work.
    fn link(&mut self) {
        for s in 0..self.nodes.len() {
            let parent = self.nodes[s].parent;
            self.nodes[s].first =
                self.nodes[s].children.first().map_or(s as u32, |&c| self.nodes[c as usize].first);
            let (k, r) = (self.nodes[s].pivots() as f64, self.nodes[s].rest() as f64);
            let below: f64 =
                self.nodes[s].children.iter().map(|&c| self.nodes[c as usize].subtree_work).sum();
            self.nodes[s].subtree_work = below + k * k * k / 3.0 + k * k * r + k * r * r;
            if parent == ROOT {
                continue;
            }
            let p = &self.nodes[parent as usize];
            let width = p.columns.end - p.columns.start;
            let mut at = 0;
            let in_parent = self.nodes[s].below.iter().map(|&row| {
                if p.columns.contains(&row) {
                    return row - p.columns.start;
                }
                while p.below[at] < row {
                    at += 1;
                }
                debug_assert_eq!(p.below[at], row, "a child's rows are rows of its parent");
                width + at as u32
            });
            self.nodes[s].in_parent = Places::new(in_parent.collect());
        }
    }

    /// Gives every block of the matrix to the front that eliminates its row or column first.
    fn place_entries(&mut self, pattern: &BlockPattern) {
        let position = invert(&self.order);
        // Local position of each global one in the front at hand.
        let mut local = vec![0u32; self.order.len()];
        let mut entries = Vec::with_capacity(pattern.block_count());
        for node in &mut self.nodes {
            let start = entries.len();
            for (k, row) in node.columns.clone().chain(node.below.iter().copied()).enumerate() {
                local[row as usize] = k as u32;
            }
            for k in node.columns.clone() {
                let old = self.order[k as usize] as usize;
                for (slot, &column) in pattern.row_slots(old).zip(pattern.row(old)) {
                    let other = position[column as usize];
                    if other < node.columns.start {
                        continue; // an earlier front has it
                    }
                    // Row `old` holds the block (k, other); its mirror (other, k) is in row `column`.
                    let (row, column_local) = (local[k as usize], local[other as usize]);
                    entries.push(Entry { slot: slot as u32, row, column: column_local });
                    if other >= node.columns.end {
                        let mirror = pattern.slot(column as usize, old);
                        let mirror = mirror.expect("the pattern is symmetric") as u32;
                        entries.push(Entry { slot: mirror, row: column_local, column: row });
                    }
                }
            }
            node.entries = start..entries.len();
        }
        self.entries = entries;
    }
}

fn invert(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    for (k, &v) in order.iter().enumerate() {
        position[v as usize] = k as u32;
    }
    position
}

/// The elimination tree by Liu's algorithm with path compression, and the order refined to one of
/// its postorders. Parents are positions in the new order.
fn postordered_elimination_tree(pattern: &BlockPattern, order: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let size = order.len();
    let position = invert(order);
    let mut parent = vec![ROOT; size];
    let mut ancestor = vec![ROOT; size];
    for k in 0..size as u32 {
        for &column in pattern.row(order[k as usize] as usize) {
            let mut i = position[column as usize];
            while i < k {
                let next = ancestor[i as usize];
                ancestor[i as usize] = k;
                if next == ROOT {
                    parent[i as usize] = k;
                    break;
                }
                i = next;
            }
        }
    }

    // Postorder without recursion: trees of bad orders are as deep as the matrix is large.
    let mut first_child = vec![ROOT; size];
    let mut sibling = vec![ROOT; size];
    let mut roots = Vec::new();
    for k in (0..size as u32).rev() {
        match parent[k as usize] {
            ROOT => roots.push(k),
            p => {
                sibling[k as usize] = first_child[p as usize];
                first_child[p as usize] = k;
            }
        }
    }
    let mut post = Vec::with_capacity(size); // old positions in their new order
    let mut stack = Vec::new();
    while let Some(root) = roots.pop() {
        stack.push(root);
        while let Some(&top) = stack.last() {
            match first_child[top as usize] {
                ROOT => {
                    post.push(top);
                    stack.pop();
                }
                child => {
                    first_child[top as usize] = sibling[child as usize];
                    stack.push(child);
                }
            }
        }
    }
    let new_position = invert(&post);
    let new_order = post.iter().map(|&k| order[k as usize]).collect();
    let new_parent = post.iter().map(|&k| match parent[k as usize] {
        ROOT => ROOT,
        p => new_position[p as usize],
    });
    (new_order, new_parent.collect())
}

/// A supernode while the tree is built; columns are lists of positions.
#[derive(Clone, Debug, Default)]
struct Draft {
    columns: Vec<u32>,
    below: Vec<u32>,
    parent: u32,
    children: Vec<u32>,
    /// First position of the subtree that ends here.
    first: u32,
}

/// Maximal runs of columns, each the only child of the next, with the same structure below.
fn fundamental_supernodes(
    pattern: &BlockPattern,
    order: &[u32],
    position: &[u32],
    parent: &[u32],
) -> Vec<Draft> {
    let size = order.len();
    let mut child_count = vec![0u32; size];
    for &p in parent.iter().filter(|&&p| p != ROOT) {
        child_count[p as usize] += 1;
    }
    let mut drafts: Vec<Draft> = Vec::new();
    let mut owner = vec![ROOT; size];
    let mut mark = vec![ROOT; size]; // supernode whose structure holds a row
    for j in 0..size as u32 {
        let above = |&column: &u32| Some(position[column as usize]).filter(|&i| i > j);
        let rows = || pattern.row(order[j as usize] as usize).iter().filter_map(above);
        let current = drafts.len() as u32;
        let joins = j > 0
            && parent[j as usize - 1] == j
            && child_count[j as usize] == 1
            && rows().all(|i| mark[i as usize] == current - 1);
        if joins {
            let draft = drafts.last_mut().expect("column j - 1 has a supernode");
            draft.columns.push(j);
            owner[j as usize] = current - 1;
            continue;
        }
        let mut draft = Draft { columns: vec![j], parent: ROOT, first: j, ..Draft::default() };
        mark[j as usize] = current;
        for i in rows() {
            if mark[i as usize] != current {
                mark[i as usize] = current;
                draft.below.push(i);
            }
        }
        owner[j as usize] = current;
        drafts.push(draft);
        // Supernodes whose last column hangs on `j` are complete: they pass their rows up. They are found by
        // walking back over the postorder, subtree by subtree.
        let mut child = j;
        for _ in 0..child_count[j as usize] {
            child -= 1;
            let c = owner[child as usize];
            drafts[c as usize].parent = current;
            let rows = std::mem::take(&mut drafts[c as usize].below);
            let draft = &mut drafts[current as usize];
            draft.children.push(c);
            for &i in &rows {
                if i > j && mark[i as usize] != current {
                    mark[i as usize] = current;
                    draft.below.push(i);
                }
            }
            drafts[c as usize].below = rows;
            child = drafts[c as usize].first;
        }
        drafts[current as usize].first = child;
        drafts[current as usize].children.reverse();
    }
    // A structure was gathered for a supernode's first column: drop the rows that are columns.
    for draft in &mut drafts {
        let last = *draft.columns.last().expect("a supernode has a column");
        draft.below.retain(|&i| i > last);
        draft.below.sort_unstable();
    }
    drafts
}

/// Merges supernodes into their parents where dense arithmetic on some zeros is cheaper than another
/// small front: always while tiny, then while few of the stored blocks are zeros [AG89].
fn merge(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut zeros = vec![0.0; drafts.len()]; // stored blocks that are structurally zero
    for p in 0..drafts.len() {
        // Largest children first: they add the fewest zeros.
        let mut children = std::mem::take(&mut drafts[p].children);
        children.sort_by_key(|&c| (std::cmp::Reverse(drafts[c as usize].below.len()), c));
        let mut kept = Vec::new();
        let mut adopted = Vec::new();
        for c in children {
            let c = c as usize;
            let (columns_c, columns_p) =
                (drafts[c].columns.len() as f64, drafts[p].columns.len() as f64);
            let (below_c, below_p) = (drafts[c].below.len() as f64, drafts[p].below.len() as f64);
            let new_zeros = columns_c * (columns_p + below_p - below_c);
            let columns = columns_c + columns_p;
            let stored = columns * (columns + 1.0) / 2.0 + columns * below_p;
            let share = (zeros[c] + zeros[p] + new_zeros) / stored;
            let merges = columns <= 4.0
                || (columns <= 16.0 && share < 0.4)
                || (columns <= 32.0 && share < 0.15)
                || share < 0.05;
            if !merges {
                kept.push(c as u32);
                continue;
            }
            zeros[p] += zeros[c] + new_zeros;
            let child = std::mem::take(&mut drafts[c]);
            // The child's columns are eliminated before the parent's.
            let own = std::mem::replace(&mut drafts[p].columns, child.columns);
            drafts[p].columns.extend(own);
            adopted.extend(child.children);
        }
        for &c in &adopted {
            drafts[c as usize].parent = p as u32;
        }
        kept.extend(adopted);
        kept.sort_unstable();
        drafts[p].children = kept;
    }
    drafts
}

/// Numbers the surviving supernodes and their columns along a postorder.
fn renumber(order: &[u32], drafts: Vec<Draft>) -> (Vec<u32>, Vec<Supernode>) {
    // Drafts are already in postorder; merged ones are empty and drop out. But a child merged into its
    // parent moves its columns behind those of later siblings, so positions are renumbered.
    let mut new_id = vec![ROOT; drafts.len()];
    let mut new_position = vec![0u32; order.len()];
    let mut new_order = Vec::with_capacity(order.len());
    let mut ids = Vec::new();
    for root in
        (0..drafts.len()).filter(|&s| !drafts[s].columns.is_empty() && drafts[s].parent == ROOT)
    {
        let mut stack = vec![(root, 0)];
        while let Some((s, next)) = stack.pop() {
            if let Some(&child) = drafts[s].children.get(next) {
                stack.push((s, next + 1));
                stack.push((child as usize, 0));
                continue;
            }
            new_id[s] = ids.len() as u32;
            ids.push(s);
            for &k in &drafts[s].columns {
                new_position[k as usize] = new_order.len() as u32;
                new_order.push(order[k as usize]);
            }
        }
    }
    let nodes = ids.iter().map(|&s| {
        let draft = &drafts[s];
        let start = new_position[draft.columns[0] as usize];
        let mut below: Vec<u32> = draft.below.iter().map(|&k| new_position[k as usize]).collect();
        below.sort_unstable();
        Supernode {
            columns: start..start + draft.columns.len() as u32,
            below,
            parent: if draft.parent == ROOT { ROOT } else { new_id[draft.parent as usize] },
            in_parent: Places::default(),
            children: draft.children.iter().map(|&c| new_id[c as usize]).collect(),
            first: 0,
            entries: 0..0,
            subtree_work: 0.0,
        }
    });
    let nodes = nodes.collect();
    (new_order, nodes)
}
