//! Distances along edges: Dijkstra's algorithm, cut off at a radius.
//!
//! A way along edges is longer than the geodesic across faces: by up to √2 on grids of right triangles, 2/√3 on those
//! of equilateral ones, and without bound where triangles are slivers. Whoever wants all vertices within a geodesic
//! distance asks for that much more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Adjacency;
use crate::math::Vector3;
use crate::mesh::Mesh;

/// Vertices joined by edges that have lengths.
#[derive(Clone, Debug)]
pub struct EdgeGraph {
    neighbours: Adjacency<(u32, f64)>,
}

impl EdgeGraph {
    /// A graph of edges with their lengths [m]. Two vertices may be joined more than once; the shortest way counts.
    /// Edges whose length is no number join nothing.
    pub fn new<I>(vertex_count: usize, edges: I) -> Self
    where
        I: Iterator<Item = ([u32; 2], f64)> + Clone,
    {
        let both = edges.flat_map(|([a, b], length)| {
            let length = length.abs();
            [(a, (b, length)), (b, (a, length))]
        });
        Self { neighbours: Adjacency::grouped(vertex_count, both) }
    }

    /// The edges of a mesh, as long as they are there.
    pub fn of_mesh<const N: usize>(mesh: &Mesh<N>) -> Self {
        let edges = mesh.edges();
        Self::new(mesh.vertex_count(), with_lengths(&edges, mesh.vertices()))
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.neighbours.len()
    }

    /// A search that can be used again and again.
    pub fn search(&self) -> Search<'_> {
        let count = self.vertex_count();
        Search { graph: self, distances: vec![f64::INFINITY; count], heap: BinaryHeap::new() }
    }
}

/// Edges with the distance of their ends [m].
pub(crate) fn with_lengths<'a>(
    edges: &'a [[u32; 2]],
    positions: &'a [Vector3],
) -> impl Iterator<Item = ([u32; 2], f64)> + Clone + 'a {
    edges.iter().map(|&[a, b]| ([a, b], (positions[a as usize] - positions[b as usize]).norm()))
}

/// Dijkstra's algorithm on an [`EdgeGraph`]; keeps its memory from one source to the next.
#[doc(alias = "Dijkstra")]
#[derive(Clone, Debug)]
pub struct Search<'a> {
    graph: &'a EdgeGraph,
    /// Infinite between searches.
    distances: Vec<f64>,
    /// By distance, as bits: those of numbers that are not negative sort like the numbers.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Search<'_> {
    /// Vertices nearer to `source` than `radius` along edges, with their distances [m], ascending by number. The
    /// source is among them if the radius is above zero.
    pub fn within(&mut self, source: u32, radius: f64) -> Vec<(u32, f64)> {
        let mut found = Vec::new();
        if radius > 0.0 {
            self.distances[source as usize] = 0.0;
            self.heap.push(Reverse((0.0_f64.to_bits(), source)));
        }
        while let Some(Reverse((bits, vertex))) = self.heap.pop() {
            let distance = f64::from_bits(bits);
            if distance > self.distances[vertex as usize] {
                continue; // reached on a shorter way since
            }
            found.push((vertex, distance));
            for &(next, length) in self.graph.neighbours.of(vertex as usize) {
                let longer = distance + length;
                if longer < radius && longer < self.distances[next as usize] {
                    self.distances[next as usize] = longer;
                    self.heap.push(Reverse((longer.to_bits(), next)));
                }
            }
        }
        found.iter().for_each(|(vertex, _)| self.distances[*vertex as usize] = f64::INFINITY);
        found.sort_unstable_by_key(|(vertex, _)| *vertex);
        found
    }
}
