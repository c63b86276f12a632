//! Triangles of solids that touch without a gap, or have gone a little into each other.
//!
//! The distance of two surfaces has no sign, and where they touch, no direction. Where there is material inside of a
//! surface both are known: what is behind its normal is inside of it [BA05], and has to go back the way it came; and of
//! two features that touch, one of the faces around them lies between the two bodies, all of whose other edges fall
//! away from it.
//!
//! Nothing is told of what is farther inside than a tenth of an edge: from within a thin solid its other side
//! may be nearer. Of what has no material inside, such as cloth or a hollow box, either side may be meant.

use super::body::Triangles;
use super::edges::ridge;
use super::search::Placed;
use crate::geometry::features::{Feature, Proximity, Side, Surface};
use crate::geometry::wedge::LEAN;
use crate::math::Vector3;
use crate::mesh::triangle_normal;

/// How far anything may be inside, in mean edges of the smaller body.
const DEEPEST: f64 = 0.1;
/// Distances without direction, in skins: rounding of positions is smaller by far.
const NOTHING: f64 = 1e-3;
/// How much better a way has to be than one before it, as a sine: rounding decides nothing.
const BETTER: f64 = 1e-6;
/// Sine of the angle below which edges count as parallel.
const PARALLEL: f64 = 1e-3;

/// The triangles of both sides of a contact, with positions of their vertices.
pub(super) type Sides<'a> = [(&'a Triangles, &'a [Vector3]); 2];

/// Lengths that decide [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) skin: f64,
    /// How far anything may be inside.
    pub(super) deepest: f64,
}

/// How far one body may be inside of the other [m].
pub(super) fn deepest([a, b]: [Placed<'_>; 2]) -> f64 {
    DEEPEST * a.0.size.min(b.0.size)
}

/// Normal out of B and signed distance of a vertex and what is nearest to it, if they are flush or one is inside of the
/// other.
pub(super) fn vertex(
    near: &Proximity,
    sides: Sides<'_>,
    lengths: Lengths,
) -> Option<(Vector3, f64)> {
    let distance = near.distance();
    if distance > lengths.deepest || !sides.iter().any(|side| side.0.filled) {
        return None;
    }
    if distance <= NOTHING * lengths.skin {
        let way = between(near, sides)?;
        return Some((way, way.dot(&near.offset)));
    }
    // The larger feature has the better normal; of two alike both have to agree.
    let tells = [0, 1].map(|k| sides[k].0.filled);
    let best = [&near.a, &near.b].map(|side| size(side.feature));
    let counts = |k: usize| tells[k] && (best[k] >= best[1 - k] || !tells[1 - k]);
    let outside = |k: usize| {
        let (side, offset) = if k == 0 { (&near.a, -near.offset) } else { (&near.b, near.offset) };
        sides[k].0.surface.is_outside(side, offset, sides[k].1)
    };
    let inside = [0, 1].into_iter().filter(|&k| counts(k)).all(|k| !outside(k));
    inside.then(|| (near.offset / -distance, -distance))
}

/// The same of two edges.
pub(super) fn edges(
    near: &Proximity,
    sides: Sides<'_>,
    lengths: Lengths,
) -> Option<(Vector3, f64)> {
    let [Feature::Edge(e), Feature::Edge(f)] = near.features() else { return None };
    if near.distance() > lengths.deepest || !sides.iter().all(|side| side.0.filled) {
        return None;
    }
    let [u, v] = [(&near.a, sides[0].1), (&near.b, sides[1].1)].map(|(side, x)| {
        let [from, to] = [0, 1].map(|k| x[side.vertices[k] as usize]);
        to - from
    });
    let across = u.cross(&v).try_normalize(PARALLEL * u.norm() * v.norm())?;
    let normal = |k: usize, edge: u32| sides[k].0.surface.normal(Feature::Edge(edge), sides[k].1);
    let out = across * across.dot(&(normal(1, f) - normal(0, e))).signum();
    if out.dot(&near.offset) > NOTHING * lengths.skin {
        return None;
    }
    let wedges = [(0, e), (1, f)].map(|(k, edge)| sides[k].0.surface.wedge(edge, sides[k].1));
    let way = ridge(&wedges, out)?;
    Some((way, way.dot(&near.offset)))
}

/// The way out of B between two features that touch: the normal of a face around one of them that edges around both
/// fall away from the farthest.
fn between(near: &Proximity, sides: Sides<'_>) -> Option<Vector3> {
    let of = [(&near.a, -1.0), (&near.b, 1.0)];
    // Faces before edges before vertices.
    let order = if size(near.a.feature) > size(near.b.feature) { [0, 1] } else { [1, 0] };
    let rise = |way: Vector3| {
        let of_side = |k: usize| {
            let (side, sign) = of[k];
            let (mesh, x) = sides[k];
            let at = side.point(x);
            let corners = faces(&mesh.surface, side).flatten();
            let spokes = corners.filter_map(move |v| (x[v as usize] - at).try_normalize(0.0));
            spokes.map(move |spoke| spoke.dot(&way) * sign).fold(0.0, f64::max)
        };
        (0..2).filter(|&k| sides[k].0.filled).map(of_side).fold(0.0, f64::max)
    };
    let mut best: Option<(f64, Vector3)> = None;
    for k in order {
        let ((side, sign), (mesh, x)) = (of[k], sides[k]);
        for corners in faces(&mesh.surface, side) {
            let Some(normal) = triangle_normal(&corners.map(|v| x[v as usize])) else { continue };
            // Cloth has two sides.
            let both = [normal * sign, -normal * sign];
            for way in both.into_iter().take(if mesh.filled { 1 } else { 2 }) {
                let rises = rise(way);
                if best.is_none_or(|(least, _)| rises < least - BETTER) {
                    best = Some((rises, way));
                }
            }
        }
    }
    best.filter(|(rises, _)| *rises <= LEAN).map(|(_, way)| way)
}

/// Corners of the faces around the feature of a side.
fn faces<'a>(surface: &'a Surface, side: &Side) -> impl Iterator<Item = [u32; 3]> + 'a {
    surface.star(side.feature).map(|face| surface.triangles()[face as usize])
}

/// How many corners a feature has.
pub(super) fn size(feature: Feature) -> usize {
    match feature {
        Feature::Vertex(_) => 1,
        Feature::Edge(_) => 2,
        Feature::Face(_) => 3,
    }
}
