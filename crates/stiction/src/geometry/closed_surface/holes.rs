//! Holes of a surface: closed ways along edges that lack a triangle on one side.

use crate::math::Vector3;
use crate::mesh::topology::{Adjacency, SurfaceEdges};
use crate::mesh::{TriSoup, triangle_area};

/// A hole, and the fan that would fill it.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// Vertices around it, in the direction of the triangles that are missing.
    pub(super) rim: Vec<u32>,
    pub(super) center: Vector3,
    /// Of the fan around the centre [m²].
    pub(super) area: f64,
}

impl Hole {
    pub(super) fn new(rim: Vec<u32>, vertices: &[Vector3]) -> Self {
        let center = rim.iter().map(|&v| vertices[v as usize]).sum::<Vector3>() / rim.len() as f64;
        let mut hole = Self { rim, center, area: 0.0 };
        hole.area = hole.fan(vertices).map(|corners| triangle_area(&corners)).sum();
        hole
    }

    /// The triangles around the centre.
    pub(super) fn fan<'a>(
        &'a self,
        vertices: &'a [Vector3],
    ) -> impl Iterator<Item = [Vector3; 3]> + 'a {
        let edges = self.rim.iter().zip(self.rim.iter().cycle().skip(1));
        edges.map(|(&a, &b)| [vertices[a as usize], vertices[b as usize], self.center])
    }

    /// Adds the missing triangles.
    pub(super) fn fill(&self, soup: &mut TriSoup) {
        if let &[a, b, c] = self.rim.as_slice() {
            soup.elements.push([a, b, c]);
            return;
        }
        let center = soup.vertices.len() as u32;
        soup.vertices.push(self.center);
        let edges = self.rim.iter().zip(self.rim.iter().cycle().skip(1));
        soup.elements.extend(edges.map(|(&a, &b)| [a, b, center]));
    }
}

/// Rims of all holes, each without a vertex twice.
///
/// Edges with as many triangles on one side as on the other belong to no hole; the rest form closed ways.
pub(super) fn find(vertex_count: usize, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let edges = SurfaceEdges::new(vertex_count, triangles);
    let missing = (0..edges.len()).flat_map(|k| {
        let [a, b] = edges.edge(k);
        let surplus: i64 = edges.sides(k).iter().map(|s| if s.forward { 1 } else { -1 }).sum();
        // What is missing runs against what there is too much of.
        let way = if surplus > 0 { (b, a) } else { (a, b) };
        std::iter::repeat_n(way, surplus.unsigned_abs() as usize)
    });
    let onward = Adjacency::grouped(vertex_count, missing);
    let mut taken = vec![0; vertex_count];
    let mut place = vec![usize::MAX; vertex_count];
    let mut rims = Vec::new();
    for first in 0..vertex_count {
        let mut way: Vec<u32> = Vec::new();
        let mut v = first;
        loop {
            if place[v] != usize::MAX {
                // Back at a vertex of the way: what lies between is a hole of its own.
                let rim = way.split_off(place[v]);
                rim.iter().for_each(|&v| place[v as usize] = usize::MAX);
                rims.push(rim);
            }
            let Some(&next) = onward.of(v).get(taken[v]) else { break };
            taken[v] += 1;
            place[v] = way.len();
            way.push(v as u32);
            v = next as usize;
        }
        debug_assert!(way.is_empty(), "as many edges lead to a vertex as away from it");
    }
    rims.retain(|rim| rim.len() > 2);
    rims
}
