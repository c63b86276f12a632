//! Whether two triangles share a point at all, interior or not. Slow beside `cross.rs`, and simple.
//!
//! If two triangles share a point, then an edge of one meets the other. Where all lies in a plane, points are
//! compared in projections along all three axes: what meets does so in each, and in at least one the plane is not
//! seen from its edge, so that what meets there meets.

use super::cross::Shared;
use super::sign::{Sign, others, side, turn};
use crate::math::Vector3;

type Triangle = [Vector3; 3];

/// Whether the triangles share a point beside what they share by number.
pub(super) fn touches(a: &Triangle, b: &Triangle, shared: Shared) -> bool {
    own_parts(a, shared).any(|edge| meets(edge, b))
        || own_parts(b, shared.swapped()).any(|edge| meets(edge, a))
}

/// Edges without shared corners; where an edge is shared, the corner across it.
fn own_parts(a: &Triangle, shared: Shared) -> impl Iterator<Item = [&Vector3; 2]> {
    let is_own = move |k: usize| shared.a >> k & 1 == 0;
    let two = shared.count() == 2;
    (0..3).filter_map(move |k| {
        let l = if two { k } else { (k + 1) % 3 };
        (is_own(k) && is_own(l)).then(|| [&a[k], &a[l]])
    })
}

/// Whether a segment meets a triangle; ends and edges count.
fn meets([p, q]: [&Vector3; 2], t: &Triangle) -> bool {
    let has_area = (0..3).any(|axis| turn(axis, &t[0], &t[1], &t[2]) != 0);
    if !has_area {
        return edges(t).any(|edge| segments_meet([p, q], edge));
    }
    let sides = [p, q].map(|x| side(&t[0], &t[1], &t[2], x));
    match sides {
        [0, 0] => (0..3).all(|axis| meets_in_plane(axis, [p, q], t)),
        [s, r] if s == r => false,
        _ => is_uniform(edges(t).map(|[u, v]| side(p, q, u, v))),
    }
}

fn edges(t: &Triangle) -> impl Iterator<Item = [&Vector3; 2]> {
    (0..3).map(|k| [&t[k], &t[(k + 1) % 3]])
}

/// Not of both signs.
fn is_uniform(signs: impl Iterator<Item = Sign>) -> bool {
    let (mut positive, mut negative) = (false, false);
    signs.for_each(|s| {
        positive |= s > 0;
        negative |= s < 0;
    });
    !(positive && negative)
}

fn meets_in_plane(axis: usize, segment: [&Vector3; 2], t: &Triangle) -> bool {
    edges(t).any(|edge| segments_meet_in_plane(axis, segment, edge)) || {
        let turns = edges(t).map(|[u, v]| turn(axis, u, v, segment[0]));
        turn(axis, &t[0], &t[1], &t[2]) != 0 && is_uniform(turns)
    }
}

fn segments_meet([p, q]: [&Vector3; 2], [r, s]: [&Vector3; 2]) -> bool {
    side(p, q, r, s) == 0 && (0..3).all(|axis| segments_meet_in_plane(axis, [p, q], [r, s]))
}

fn segments_meet_in_plane(axis: usize, [p, q]: [&Vector3; 2], [r, s]: [&Vector3; 2]) -> bool {
    let boxes_meet = others(axis)
        .into_iter()
        .all(|k| p[k].min(q[k]) <= r[k].max(s[k]) && r[k].min(s[k]) <= p[k].max(q[k]));
    boxes_meet
        && turn(axis, p, q, r) * turn(axis, p, q, s) <= 0
        && turn(axis, r, s, p) * turn(axis, r, s, q) <= 0
}
