//! Which things hang together: disjoint sets.

/// Disjoint sets; the lowest member of a set is its root.
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The root of `v`; halves the path on the way.
    pub(crate) fn root(&mut self, mut v: u32) -> u32 {
        let parent = &mut self.parent;
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }

    pub(crate) fn unite(&mut self, v: u32, w: u32) {
        let (a, b) = (self.root(v), self.root(w));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    pub(crate) fn piece_count(&self) -> usize {
        self.parent.iter().enumerate().filter(|&(v, &parent)| v == parent as usize).count()
    }
}
