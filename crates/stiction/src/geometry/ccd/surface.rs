//! The first contact of surfaces in motion.
//!
//! Boxes around the whole way of each vertex, edge and face are compared in trees; what is left is asked one by one,
//! in parallel. Questions are asked in rounds of fixed size, each up to the earliest contact of the rounds before:
//! most of the work is saved, and the answer is the same for any number of threads.

use rayon::prelude::*;

use super::{Impact, Query, Settings, additive, inclusion};
use crate::geometry::bvh::NotABox;
use crate::geometry::features::{Feature, Surface, Trees, share_a_vertex};
use crate::math::Vector3;

/// Questions asked before the earliest contact is looked at.
const ROUND: usize = 4096;

/// How single queries are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// With certainty.
    #[default]
    Inclusion,
    /// By adding up free steps.
    Additive,
}

/// A surface that moves: positions of its vertices at the start and at the end [m].
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// Its features.
    pub surface: &'a Surface,
    /// At the start.
    pub start: &'a [Vector3],
    /// At the end.
    pub end: &'a [Vector3],
}

/// The first contact of surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceImpact {
    /// When, and why the search ended.
    pub impact: Impact,
    /// Which features were asked: a vertex and a face, or two edges. Of several at the same time, the lowest.
    pub features: [Feature; 2],
}

/// The first contact of two surfaces; nothing if there is none.
///
/// # Errors
/// When a position is not finite.
pub fn first_contact(
    a: Moving,
    b: Moving,
    method: Method,
    settings: &Settings,
) -> Result<Option<SurfaceImpact>, NotABox> {
    let trees_a = Trees::new(a.surface, &[a.start, a.end], settings.separation)?;
    let trees_b = Trees::new(b.surface, &[b.start, b.end], 0.0)?;
    let (mut queries, mut pairs) = (Vec::new(), Vec::new());
    trees_a.vertices.pairs(&trees_b.faces, &mut pairs);
    queries.extend(pairs.iter().map(|&[v, f]| [Feature::Vertex(v), Feature::Face(f)]));
    trees_a.faces.pairs(&trees_b.vertices, &mut pairs);
    queries.extend(pairs.iter().map(|&[f, v]| [Feature::Face(f), Feature::Vertex(v)]));
    trees_a.edges.pairs(&trees_b.edges, &mut pairs);
    queries.extend(pairs.iter().map(|&[e, f]| [Feature::Edge(e), Feature::Edge(f)]));
    Ok(earliest(&queries, a, b, method, settings))
}

/// The first contact of a surface with itself, without features that share a vertex; nothing if there is none.
///
/// # Errors
/// When a position is not finite.
pub fn first_self_contact(
    a: Moving,
    method: Method,
    settings: &Settings,
) -> Result<Option<SurfaceImpact>, NotABox> {
    let trees = Trees::new(a.surface, &[a.start, a.end], 0.5 * settings.separation)?;
    let (mut queries, mut pairs) = (Vec::new(), Vec::new());
    trees.vertices.pairs(&trees.faces, &mut pairs);
    let apart = |&&[v, f]: &&[u32; 2]| !a.surface.triangles()[f as usize].contains(&v);
    let vertex_face = |&[v, f]: &[u32; 2]| [Feature::Vertex(v), Feature::Face(f)];
    queries.extend(pairs.iter().filter(apart).map(vertex_face));
    trees.edges.self_pairs(&mut pairs);
    let apart = |&&[e, f]: &&[u32; 2]| !share_a_vertex(a.surface, e, f);
    queries.extend(pairs.iter().filter(apart).map(|&[e, f]| [Feature::Edge(e), Feature::Edge(f)]));
    Ok(earliest(&queries, a, a, method, settings))
}

fn earliest(
    queries: &[[Feature; 2]],
    a: Moving,
    b: Moving,
    method: Method,
    settings: &Settings,
) -> Option<SurfaceImpact> {
    let find = match method {
        Method::Inclusion => inclusion::first_contact,
        Method::Additive => additive::first_contact,
    };
    let order = |x: &SurfaceImpact, y: &SurfaceImpact| {
        x.impact.time.total_cmp(&y.impact.time).then(x.features.cmp(&y.features))
    };
    let mut first: Option<SurfaceImpact> = None;
    for round in queries.chunks(ROUND) {
        let until = first.map_or(1.0, |first| first.impact.time);
        let ask = |&features: &[Feature; 2]| {
            let impact = find(&query(features, a, b), until, settings)?;
            Some(SurfaceImpact { impact, features })
        };
        let found = round.par_iter().with_min_len(64).filter_map(ask).min_by(order);
        first = [first, found].into_iter().flatten().min_by(order);
    }
    first
}

fn query([p, q]: [Feature; 2], a: Moving, b: Moving) -> Query {
    let vertex = |m: &Moving, v: u32| [m.start, m.end].map(|x| x[v as usize]);
    let edge = |m: &Moving, e: u32| {
        let ends = m.surface.edges()[e as usize];
        [m.start, m.end].map(|x| ends.map(|v| x[v as usize]))
    };
    let face = |m: &Moving, f: u32| {
        let corners = m.surface.triangles()[f as usize];
        [m.start, m.end].map(|x| corners.map(|v| x[v as usize]))
    };
    let vertex_face = |p: [Vector3; 2], c: [[Vector3; 3]; 2]| {
        Query::PointTriangle([0, 1].map(|t| [p[t], c[t][0], c[t][1], c[t][2]]))
    };
    match (p, q) {
        (Feature::Vertex(v), Feature::Face(f)) => vertex_face(vertex(&a, v), face(&b, f)),
        (Feature::Face(f), Feature::Vertex(v)) => vertex_face(vertex(&b, v), face(&a, f)),
        (Feature::Edge(e), Feature::Edge(f)) => {
            let (x, y) = (edge(&a, e), edge(&b, f));
            Query::SegmentSegment([0, 1].map(|t| [x[t][0], x[t][1], y[t][0], y[t][1]]))
        }
        _ => unreachable!("vertices are paired with faces, edges with edges"),
    }
}
