//! Cutting large triangles of a mesh that does not deform, so that its samples are about equally dense.
//!
//! Models of machines have strips and fans: a few triangles as long as the part. The radius of a smooth surface follows
//! the largest triangle, and would blur all the small ones. Cutting changes no shape, only where samples are.

use std::collections::BTreeMap;

use crate::math::Vector3;
use crate::mesh::triangle_area;

/// Triangles there may be in the end; more would be slow to search.
const MOST: f64 = 20_000.0;

/// A mesh with the same shape and no edge longer than a few of its shorter ones, or than `longest` [m].
pub(crate) fn refined(
    mut vertices: Vec<Vector3>,
    mut triangles: Vec<[u32; 3]>,
    longest: Option<f64>,
) -> (Vec<Vector3>, Vec<[u32; 3]>) {
    let Some(target) = target(&vertices, &triangles, longest) else { return (vertices, triangles) };
    // Each round halves the longest edges.
    for _ in 0..16 {
        let middles = cut_edges(&mut vertices, &triangles, target);
        if middles.is_empty() {
            break;
        }
        triangles = triangles.iter().flat_map(|&t| cut(t, &middles)).flatten().collect();
    }
    (vertices, triangles)
}

/// How long edges may be: twice one that a tenth of all is shorter than, but not so short that triangles become too
/// many.
fn target(vertices: &[Vector3], triangles: &[[u32; 3]], longest: Option<f64>) -> Option<f64> {
    /// How much longer than the shorter ones edges may be.
    const ALIKE: f64 = 2.0;
    let at = |v: u32| vertices[v as usize];
    let mut lengths: Vec<f64> = edges(triangles).map(|[a, b]| (at(a) - at(b)).norm()).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    let short = *lengths.get(lengths.len() / 10)?;
    let area: f64 = triangles.iter().map(|t| triangle_area(&t.map(at))).sum();
    // Cut edges are at least half as long as they may be.
    let least = (8.0 * area / MOST).sqrt();
    let target = (ALIKE * short).min(longest.unwrap_or(f64::INFINITY)).max(least);
    (target.is_finite() && target > 0.0).then_some(target)
}

fn edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = [u32; 2]> + '_ {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
}

/// Puts a vertex into the middle of every edge that is too long.
fn cut_edges(
    vertices: &mut Vec<Vector3>,
    triangles: &[[u32; 3]],
    target: f64,
) -> BTreeMap<[u32; 2], u32> {
    let mut middles = BTreeMap::new();
    for [a, b] in edges(triangles) {
        let (p, q) = (vertices[a as usize], vertices[b as usize]);
        let key = [a.min(b), a.max(b)];
        if (p - q).norm() > target && !middles.contains_key(&key) {
            middles.insert(key, vertices.len() as u32);
            vertices.push((p + q) * 0.5);
        }
    }
    middles
}

/// The parts of a triangle whose edges have these middles.
fn cut([a, b, c]: [u32; 3], middles: &BTreeMap<[u32; 2], u32>) -> [Option<[u32; 3]>; 4] {
    let middle = |a: u32, b: u32| middles.get(&[a.min(b), a.max(b)]).copied();
    match [middle(a, b), middle(b, c), middle(c, a)] {
        [None, None, None] => [Some([a, b, c]), None, None, None],
        [Some(ab), None, None] => [Some([a, ab, c]), Some([ab, b, c]), None, None],
        [None, Some(bc), None] => [Some([a, b, bc]), Some([a, bc, c]), None, None],
        [None, None, Some(ca)] => [Some([a, b, ca]), Some([b, c, ca]), None, None],
        [Some(ab), Some(bc), None] => {
            [Some([ab, b, bc]), Some([a, ab, bc]), Some([a, bc, c]), None]
        }
        [None, Some(bc), Some(ca)] => {
            [Some([bc, c, ca]), Some([a, b, bc]), Some([a, bc, ca]), None]
        }
        [Some(ab), None, Some(ca)] => {
            [Some([a, ab, ca]), Some([ab, b, c]), Some([ab, c, ca]), None]
        }
        [Some(ab), Some(bc), Some(ca)] => {
            [Some([a, ab, ca]), Some([ab, b, bc]), Some([ca, bc, c]), Some([ab, bc, ca])]
        }
    }
}
