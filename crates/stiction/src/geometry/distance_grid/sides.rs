//! Which nodes are inside, with few winding numbers.
//!
//! A way between two nodes that meets the surface is no shorter than the sum of their distances. So two neighbours
//! `h` apart with `d₁ + d₂ > h` have nothing between them. A surface without holes winds equally often around all
//! points of a piece of space that it does not cut: one winding number answers for all nodes that hang together by
//! such steps, and the one farthest from the surface is asked. Only nodes that the surface nearly touches have to be
//! asked one by one.
//!
//! A surface with cracks has no such pieces, but with lids on its holes it has. Winding numbers add up: that of the
//! surface is the whole number of the closed one less that of the lids, which are few.

use rayon::prelude::*;

use super::DistanceGrid;
use crate::geometry::closest::closest_point_triangle;
use crate::geometry::{ClosedSurface, WindingNumber};
use crate::math::Vector3;
use crate::union_find::UnionFind;

/// Makes distances of nodes inside negative.
pub(super) fn sign(grid: &mut DistanceGrid, surface: &ClosedSurface) {
    let lids = Lids::new(surface.lids());
    let pieces = pieces(grid, &lids);
    let farthest = farthest(&grid.values, &pieces);
    let bounds = surface.bounds();
    let ask = |node: usize| {
        let x = grid.node(farthest[node] as usize);
        let near = bounds.is_near(&x, 0.0);
        if near { (surface.winding(&x) + lids.winding(&x)).round() } else { 0.0 }
    };
    let nodes = || (0..pieces.len()).into_par_iter();
    let closed: Vec<f64> =
        nodes().map(|node| if pieces[node] as usize == node { ask(node) } else { 0.0 }).collect();
    let is_inside = |node: usize| {
        let closed = closed[pieces[node] as usize];
        if lids.triangles.is_empty() {
            return closed > 0.5;
        }
        let x = grid.node(node);
        bounds.is_near(&x, 0.0) && closed - lids.winding(&x) > 0.5
    };
    let inside: Vec<bool> = nodes().map(is_inside).collect();
    let signed = grid.values.par_iter_mut().zip(inside).filter(|(_, inside)| *inside);
    signed.for_each(|(value, _)| *value = -*value);
}

/// The first node of the piece that each node belongs to.
fn pieces(grid: &DistanceGrid, lids: &Lids<'_>) -> Vec<u32> {
    let ([nx, ny, nz], values) = (grid.counts, &grid.values);
    // Distances and places of nodes are rounded.
    let step = grid.spacing * (1.0 + 1e-9);
    let lid = lids.distances(grid, step);
    let is_free = |a: usize, b: usize| {
        values[a] + values[b] > step && lid.as_ref().is_none_or(|lid| lid[a] + lid[b] > step)
    };
    let mut pieces = UnionFind::new(values.len());
    let mut node = 0;
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                for (exists, before) in [(i > 0, 1), (j > 0, nx), (k > 0, nx * ny)] {
                    if exists && is_free(node, node - before) {
                        pieces.unite(node as u32, (node - before) as u32);
                    }
                }
                node += 1;
            }
        }
    }
    (0..values.len() as u32).map(|node| pieces.root(node)).collect()
}

/// At the first node of each piece: the one of its nodes that is farthest from the surface.
fn farthest(values: &[f64], pieces: &[u32]) -> Vec<u32> {
    let mut farthest: Vec<u32> = (0..values.len() as u32).collect();
    for (node, &piece) in pieces.iter().enumerate() {
        let so_far = &mut farthest[piece as usize];
        if values[node] > values[*so_far as usize] {
            *so_far = node as u32;
        }
    }
    farthest
}

/// Triangles that close a surface.
struct Lids<'a> {
    triangles: &'a [[Vector3; 3]],
    winding: WindingNumber,
}

impl<'a> Lids<'a> {
    fn new(triangles: &'a [[Vector3; 3]]) -> Self {
        let corner = |k: usize| 3 * k as u32;
        let numbers: Vec<[u32; 3]> =
            (0..triangles.len()).map(|k| [corner(k), corner(k) + 1, corner(k) + 2]).collect();
        Self { triangles, winding: WindingNumber::new(triangles.as_flattened(), &numbers) }
    }

    fn winding(&self, x: &Vector3) -> f64 {
        self.winding.at(x)
    }

    /// Distances of nodes from the lids up to `reach`, infinite beyond [m]; nothing if there are none.
    fn distances(&self, grid: &DistanceGrid, reach: f64) -> Option<Vec<f64>> {
        let mut distances =
            (!self.triangles.is_empty()).then(|| vec![f64::INFINITY; grid.values.len()])?;
        let ([nx, ny, _], h) = (grid.counts, grid.spacing);
        for triangle in self.triangles {
            let range = |axis: usize| {
                let at = |x: f64| (x - grid.origin[axis]) / h;
                let [a, b, c] = triangle.map(|x| x[axis]);
                let (low, high) = (at(a.min(b).min(c) - reach), at(a.max(b).max(c) + reach));
                (low.floor().max(0.0) as usize, (high.ceil() as usize).min(grid.counts[axis] - 1))
            };
            let [(i0, i1), (j0, j1), (k0, k1)] = [range(0), range(1), range(2)];
            for k in k0..=k1 {
                for j in j0..=j1 {
                    for i in i0..=i1 {
                        let node = i + nx * (j + ny * k);
                        let sq = closest_point_triangle(grid.node(node), triangle).distance_sq();
                        distances[node] = distances[node].min(sq.sqrt());
                    }
                }
            }
        }
        Some(distances)
    }
}
