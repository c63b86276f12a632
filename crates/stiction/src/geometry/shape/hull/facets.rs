//! From the triangles of a hull to faces as large as they are flat.

use super::build::edges;
use crate::math::Vector3;
use crate::mesh::BoundingBox;
use crate::union_find::UnionFind;

/// Neighbours whose far corners are no farther from each other's planes are one face, relative to the size.
const FLAT: f64 = 1e-11;

/// Corners of the faces, each loop from its lowest corner, faces in the order of their first triangles. Corners in the
/// middle of edges are left out.
pub(super) fn merged(points: &[Vector3], triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    let x = |v: u32| points[v as usize];
    let flat = FLAT * BoundingBox::of(points).diagonal();
    let mut sides: Vec<([u32; 2], u32)> = (triangles.iter().enumerate())
        .flat_map(|(t, &corners)| edges(corners).map(|edge| (edge, t as u32)))
        .collect();
    sides.sort_unstable();
    let across = |[a, b]: [u32; 2]| {
        let k = sides.binary_search_by_key(&[b, a], |side| side.0);
        k.map_or(0, |k| sides[k].1)
    };
    let plane = |t: u32| {
        let [a, b, c] = triangles[t as usize].map(x);
        (a, (b - a).cross(&(c - a)).normalize())
    };
    let height = |t: u32, other: u32| {
        let (a, normal) = plane(t);
        let farthest = |most: f64, v: &u32| most.max(normal.dot(&(x(*v) - a)).abs());
        triangles[other as usize].iter().fold(0.0, farthest)
    };
    let mut groups = UnionFind::new(triangles.len());
    for &(edge, t) in &sides {
        let other = across(edge);
        if height(t, other).min(height(other, t)) <= flat && plane(t).1.dot(&plane(other).1) > 0.0 {
            groups.unite(t, other);
        }
    }
    let group: Vec<u32> = (0..triangles.len() as u32).map(|t| groups.root(t)).collect();

    // A corner between two faces only is in the middle of an edge.
    let mut around: Vec<(u32, u32)> =
        sides.iter().map(|&([v, _], t)| (v, group[t as usize])).collect();
    around.sort_unstable();
    around.dedup();
    let is_corner = |v: u32| {
        let start = around.partition_point(|&(w, _)| w < v);
        around[start..].iter().take_while(|&&(w, _)| w == v).count() > 2
    };

    let mut rims: Vec<(u32, [u32; 2])> = sides
        .iter()
        .map(|&(edge, t)| (group[t as usize], edge))
        .filter(|&(g, edge)| group[across(edge) as usize] != g)
        .collect();
    rims.sort_unstable();
    rims.chunk_by(|s, t| s.0 == t.0)
        .map(|rim| {
            let first = rim[0].1[0];
            let onward = |v: u32| {
                rim.binary_search_by_key(&v, |(_, edge)| edge[0]).map_or(first, |k| rim[k].1[1])
            };
            let mut corners = vec![first];
            // At most once around, whatever the edges say.
            while let v = onward(corners[corners.len() - 1])
                && v != first
                && corners.len() < rim.len()
            {
                corners.push(v);
            }
            corners.retain(|&v| is_corner(v));
            corners
        })
        .filter(|corners| corners.len() > 2)
        .collect()
}

/// The unit normal of a polygon, from its area.
pub(super) fn normal(count: usize, x: impl Fn(usize) -> Vector3) -> Vector3 {
    let first = x(0);
    let area: Vector3 = (1..count).map(|k| (x(k) - first).cross(&(x(k + 1) - first))).sum();
    area.normalize()
}
