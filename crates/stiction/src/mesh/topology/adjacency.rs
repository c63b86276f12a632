//! Lists of lists in one array: what belongs to each vertex.

use crate::mesh::Mesh;

/// Items grouped by an index, in compressed rows: group `i` is `items[start[i]..start[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjacency<T = u32> {
    start: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy> Adjacency<T> {
    /// Groups items by counting; within a group they keep their order.
    pub(crate) fn grouped<I>(group_count: usize, keyed: I) -> Self
    where
        I: Iterator<Item = (u32, T)> + Clone,
    {
        let mut start = vec![0usize; group_count + 1];
        let mut any = None;
        for (group, item) in keyed.clone() {
            start[group as usize + 1] += 1;
            any = Some(item);
        }
        for i in 0..group_count {
            start[i + 1] += start[i];
        }
        let Some(filler) = any else { return Self { start, items: Vec::new() } };
        let mut items = vec![filler; start[group_count]];
        let mut next = start.clone();
        for (group, item) in keyed {
            let slot = &mut next[group as usize];
            items[*slot] = item;
            *slot += 1;
        }
        Self { start, items }
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// True when there are no groups.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of group `i`.
    pub fn of(&self, i: usize) -> &[T] {
        &self.items[self.start[i]..self.start[i + 1]]
    }

    /// All items, group after group.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Where the groups start in [`Self::items`], and where the last one ends.
    pub fn starts(&self) -> &[usize] {
        &self.start
    }

    /// Sorts within each group.
    pub(in crate::mesh) fn sort_groups(&mut self)
    where
        T: Ord,
    {
        for i in 0..self.len() {
            self.items[self.start[i]..self.start[i + 1]].sort_unstable();
        }
    }

    /// Sorts within each group and drops repeats.
    pub(crate) fn sort_and_deduplicate(&mut self)
    where
        T: Ord,
    {
        self.sort_groups();
        let mut kept = 0;
        for i in 0..self.len() {
            let (from, to) = (self.start[i], self.start[i + 1]);
            self.start[i] = kept;
            for k in from..to {
                // `kept ≤ k` always, so nothing unread is overwritten.
                if kept == self.start[i] || self.items[kept - 1] != self.items[k] {
                    self.items[kept] = self.items[k];
                    kept += 1;
                }
            }
        }
        if let Some(end) = self.start.last_mut() {
            *end = kept;
        }
        self.items.truncate(kept);
    }
}

impl Adjacency<u32> {
    /// The elements around each vertex, ascending.
    pub(in crate::mesh) fn of_vertices<const N: usize>(
        vertex_count: usize,
        elements: &[[u32; N]],
    ) -> Self {
        let corners = elements.iter().enumerate();
        Self::grouped(vertex_count, corners.flat_map(|(e, corners)| corners.map(|v| (v, e as u32))))
    }
}

/// All edges of the elements, each once, as `[lower, higher]`, ascending.
pub fn unique_edges<const N: usize>(vertex_count: usize, elements: &[[u32; N]]) -> Vec<[u32; 2]> {
    let pairs = elements.iter().flat_map(|corners| {
        (0..N).flat_map(move |i| {
            (0..i).map(move |j| (corners[i].min(corners[j]), corners[i].max(corners[j])))
        })
    });
    let mut higher = Adjacency::grouped(vertex_count, pairs);
    higher.sort_and_deduplicate();
    (0..vertex_count).flat_map(|v| higher.of(v).iter().map(move |&w| [v as u32, w])).collect()
}

impl<const N: usize> Mesh<N> {
    /// All edges, each once, as `[lower, higher]`, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        unique_edges(self.vertex_count(), self.elements())
    }

    /// The elements around each vertex, ascending.
    pub fn vertex_elements(&self) -> Adjacency {
        Adjacency::of_vertices(self.vertex_count(), self.elements())
    }

    /// The vertices joined to each vertex by an edge, ascending.
    pub fn vertex_neighbours(&self) -> Adjacency {
        let edges = self.edges();
        let both = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
        let mut neighbours = Adjacency::grouped(self.vertex_count(), both);
        neighbours.sort_groups();
        neighbours
    }
}
