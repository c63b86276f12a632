//! From boxes that overlap to pairs of features.

use rayon::prelude::*;

use super::neighbourhood::snapped;
use super::{Feature, Proximity, Side, Surface};
use crate::geometry::bvh::{Bvh, NotABox};
use crate::geometry::closest::{Part, closest_segment_segment};
use crate::math::Vector3;

/// All pairs of features of two surfaces that are closest to each other and not farther apart than `reach` [m], each
/// once, ascending by name.
///
/// Positions are those of the vertices [m].
///
/// # Errors
/// When a position is not finite.
#[doc(alias("narrow phase", "vertex-face", "edge-edge"))]
pub fn proximities(
    a: &Surface,
    x_a: &[Vector3],
    b: &Surface,
    x_b: &[Vector3],
    reach: f64,
) -> Result<Vec<Proximity>, NotABox> {
    let task = Task { a, x_a, b, x_b, reach, same: false };
    let (trees_a, trees_b) = (Trees::new(a, &[x_a], reach)?, Trees::new(b, &[x_b], 0.0)?);
    let mut found = Vec::new();
    let mut pairs = Vec::new();
    trees_a.vertices.pairs(&trees_b.faces, &mut pairs);
    task.collect(&pairs, &mut found, |[v, f]| task.vertex_face(v, f));
    trees_a.faces.pairs(&trees_b.vertices, &mut pairs);
    task.collect(&pairs, &mut found, |[f, v]| task.face_vertex(f, v));
    trees_a.edges.pairs(&trees_b.edges, &mut pairs);
    task.collect(&pairs, &mut found, |[e, f]| task.edge_edge(e, f));
    Ok(task.finish(found))
}

/// As [`proximities`], of a surface with itself, without features that share a vertex. The lower name comes first.
///
/// # Errors
/// When a position is not finite.
#[doc(alias("self-contact"))]
pub fn self_proximities(
    surface: &Surface,
    positions: &[Vector3],
    reach: f64,
) -> Result<Vec<Proximity>, NotABox> {
    let task = Task { a: surface, x_a: positions, b: surface, x_b: positions, reach, same: true };
    let trees = Trees::new(surface, &[positions], 0.5 * reach)?;
    let mut found = Vec::new();
    let mut pairs = Vec::new();
    trees.vertices.pairs(&trees.faces, &mut pairs);
    pairs.retain(|&[v, f]| !surface.triangles()[f as usize].contains(&v));
    task.collect(&pairs, &mut found, |[v, f]| task.vertex_face(v, f));
    trees.edges.self_pairs(&mut pairs);
    pairs.retain(|&[e, f]| !share_a_vertex(surface, e, f));
    task.collect(&pairs, &mut found, |[e, f]| task.edge_edge(e, f));
    Ok(task.finish(found))
}

pub(crate) fn share_a_vertex(surface: &Surface, e: u32, f: u32) -> bool {
    let (e, f) = (surface.edges()[e as usize], surface.edges()[f as usize]);
    e.iter().any(|v| f.contains(v))
}

/// Boxes around vertices, edges and faces.
pub(crate) struct Trees {
    pub(crate) vertices: Bvh,
    pub(crate) edges: Bvh,
    pub(crate) faces: Bvh,
}

impl Trees {
    /// Around positions at one or several times, and `reach` beyond.
    pub(crate) fn new(
        surface: &Surface,
        positions: &[&[Vector3]],
        reach: f64,
    ) -> Result<Self, NotABox> {
        Ok(Self {
            vertices: Bvh::new(&surface.vertex_boxes(positions, reach))?,
            edges: Bvh::new(&surface.edge_boxes(positions, reach))?,
            faces: Bvh::new(&surface.face_boxes(positions, reach))?,
        })
    }
}

type Name = [Feature; 2];

struct Task<'a> {
    a: &'a Surface,
    x_a: &'a [Vector3],
    b: &'a Surface,
    x_b: &'a [Vector3],
    reach: f64,
    same: bool,
}

impl Task<'_> {
    fn collect(
        &self,
        pairs: &[[u32; 2]],
        found: &mut Vec<Name>,
        name: impl Fn([u32; 2]) -> Name + Sync,
    ) {
        found.par_extend(pairs.par_iter().map(|&pair| name(pair)));
    }

    fn vertex_face(&self, v: u32, f: u32) -> Name {
        let nearest = self.b.nearest_feature(self.x_a[v as usize], f, self.x_b);
        self.name(Feature::Vertex(v), nearest)
    }

    fn face_vertex(&self, f: u32, v: u32) -> Name {
        let nearest = self.a.nearest_feature(self.x_b[v as usize], f, self.x_a);
        self.name(nearest, Feature::Vertex(v))
    }

    fn edge_edge(&self, e: u32, f: u32) -> Name {
        let (ends_a, ends_b) = (self.a.edges()[e as usize], self.b.edges()[f as usize]);
        let a = ends_a.map(|v| self.x_a[v as usize]);
        let b = ends_b.map(|v| self.x_b[v as usize]);
        let closest = closest_segment_segment(&a, &b);
        let feature =
            |weights: [f64; 2], edge: u32, ends: [u32; 2]| match Part::of(&snapped(weights)) {
                Part::Vertex(k) => Feature::Vertex(ends[k]),
                _ => Feature::Edge(edge),
            };
        self.name(feature(closest.weights_a, e, ends_a), feature(closest.weights_b, f, ends_b))
    }

    fn name(&self, a: Feature, b: Feature) -> Name {
        if self.same && b < a { [b, a] } else { [a, b] }
    }

    /// Each name once, with its closest points.
    fn finish(&self, mut names: Vec<Name>) -> Vec<Proximity> {
        names.par_sort_unstable();
        names.dedup();
        let all: Vec<Proximity> = names.par_iter().map(|&name| self.closest(name)).collect();
        all.into_iter().filter(|p| p.distance() <= self.reach).collect()
    }

    fn closest(&self, [a, b]: Name) -> Proximity {
        let (side_a, side_b) = self.sides([a, b]);
        let (p, q) = (side_a.point(self.x_a), side_b.point(self.x_b));
        let offset = p - q;
        let nearest = if let [Feature::Edge(e), Feature::Edge(f)] = [a, b] {
            [
                self.b.edge_is_nearest(f, &side_b, offset, self.x_b),
                self.a.edge_is_nearest(e, &side_a, -offset, self.x_a),
            ]
        } else {
            let own = |side: &Side| if self.same { side.vertices.to_vec() } else { Vec::new() };
            [
                self.b.is_nearest(b, p, self.x_b, &own(&side_a)),
                self.a.is_nearest(a, q, self.x_a, &own(&side_b)),
            ]
        };
        Proximity { a: side_a, b: side_b, offset, nearest }
    }

    fn sides(&self, [a, b]: Name) -> (Side, Side) {
        match [a, b] {
            [Feature::Edge(e), Feature::Edge(f)] => {
                let (vertices_a, vertices_b) =
                    (self.a.edges()[e as usize], self.b.edges()[f as usize]);
                let ends_a = vertices_a.map(|v| self.x_a[v as usize]);
                let ends_b = vertices_b.map(|v| self.x_b[v as usize]);
                let closest = closest_segment_segment(&ends_a, &ends_b);
                let side = |feature, [i, j]: [u32; 2], [p, q]: [f64; 2]| Side {
                    feature,
                    vertices: [i, j, j],
                    weights: [p, q, 0.0],
                };
                (side(a, vertices_a, closest.weights_a), side(b, vertices_b, closest.weights_b))
            }
            [_, Feature::Vertex(v)] => {
                let x = self.x_b[v as usize];
                (self.a.side(a, x, self.x_a), self.b.side(b, x, self.x_b))
            }
            _ => {
                let vertex = self.a.side(a, Vector3::zeros(), self.x_a);
                let x = vertex.point(self.x_a);
                (vertex, self.b.side(b, x, self.x_b))
            }
        }
    }
}
