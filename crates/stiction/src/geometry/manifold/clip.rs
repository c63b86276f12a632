//! What two faces that look at each other have in common.
//!
//! Seen along the normal, both are convex polygons, each with a height over every point of the plane across it. The
//! manifold is the corners of their intersection; the gap there is the difference of heights, which is linear, so the
//! smallest one is among them. Corners come in three kinds, which name them: a corner of A over the face of B, a
//! corner of B under the face of A, and edges that cross.

use super::pair::{Pair, Writer};
use super::rim::{Rim, SNAP};
use super::{Feature, FeatureId};
use crate::geometry::shape::{Core, Corner, Face, MAX_CORNERS};
use crate::math::Vector3;

/// A face takes part if its normal is no farther from that of the contact: 11°. Others touch with an edge or a corner.
const ALIGNED: f64 = 0.98;
/// An edge lies across the normal if it rises by less than this [-].
const SLOPE: f64 = 0.02;
/// Edges lie along each other if they part by less than this [-].
const PARALLEL: f64 = 0.005;

/// Pushes the contacts of faces or edges that look at each other along `normal`, which points from B to A; returns
/// the lowest gap of the cores among them, infinite if there are none.
pub(super) fn faces(pair: &Pair, normal: &Vector3, writer: &mut Writer) -> f64 {
    if matches!((&pair.a.core, &pair.b.core), (Core::Box { .. }, Core::Box { .. })) {
        return common::<4, 8>(pair, normal, writer);
    }
    common::<MAX_CORNERS, { 2 * MAX_CORNERS }>(pair, normal, writer)
}

/// With room for faces of `M` corners, and `N` in common.
fn common<const M: usize, const N: usize>(pair: &Pair, n: &Vector3, writer: &mut Writer) -> f64 {
    let basis = Basis::across(n);
    let (mut room_a, mut room_b) = ([Corner::default(); M], [Corner::default(); M]);
    let face = pair.a.core.face(&-pair.turn.tr_mul(n), &mut room_a);
    let (number_a, count_a) = (face.number, face.corners.len());
    let normal_a = face.normal.map(|m| basis.seen(&(pair.turn * m)));
    for corner in &mut room_a[..count_a] {
        corner.x = basis.seen(&(pair.turn * corner.x + pair.shift));
    }
    let face = pair.b.core.face(n, &mut room_b);
    let (number_b, count_b) = (face.number, face.corners.len());
    let normal_b = face.normal.map(|m| basis.seen(&m));
    for corner in &mut room_b[..count_b] {
        corner.x = basis.seen(&corner.x);
    }
    let a = Face { number: number_a, normal: normal_a, corners: &room_a[..count_a] };
    let b = Face { number: number_b, normal: normal_b, corners: &room_b[..count_b] };

    let facing = [-normal_a.map_or(0.0, |m| m.z), normal_b.map_or(0.0, |m| m.z)];
    let mut emit = Emit { pair, world: basis.placed(writer), writer, lowest: f64::INFINITY };
    let snap = SNAP * pair.extent();
    if facing[1] >= ALIGNED && facing[1] >= facing[0] - 1e-6 {
        let mut rim = Rim::<N>::of(&a, b.number);
        rim.clip(&b, 1.0, snap);
        let plane = Plane::of(&b);
        for point in rim.points() {
            let ground = plane.height(&point.p);
            emit.push(&point.p, point.p.z - ground, ground, point.own, point.reference);
        }
    } else if facing[0] >= ALIGNED {
        let mut rim = Rim::<N>::of(&b, a.number);
        rim.clip(&a, -1.0, snap);
        let plane = Plane::of(&a);
        for point in rim.points() {
            let gap = plane.height(&point.p) - point.p.z;
            emit.push(&point.p, gap, point.p.z, point.reference, point.own);
        }
    } else if let (Some(a), Some(b)) = (edge_across(&a, -1.0), edge_across(&b, 1.0)) {
        side_by_side(&a, &b, &mut emit);
    }
    emit.lowest
}

/// Coordinates across the normal, then along it.
struct Basis {
    u: Vector3,
    v: Vector3,
    n: Vector3,
}

impl Basis {
    fn across(n: &Vector3) -> Self {
        let u = n.cross(&Vector3::ith(n.iamin(), 1.0));
        let u = u / u.norm();
        Self { u, v: n.cross(&u), n: *n }
    }

    fn seen(&self, x: &Vector3) -> Vector3 {
        Vector3::new(self.u.dot(x), self.v.dot(x), self.n.dot(x))
    }

    fn back(&self, x: &Vector3) -> Vector3 {
        self.u * x.x + self.v * x.y + self.n * x.z
    }

    /// In the world.
    fn placed(&self, writer: &Writer) -> Self {
        Self { u: writer.turn * self.u, v: writer.turn * self.v, n: writer.turn * self.n }
    }
}

/// Takes contacts of cores to those of shapes.
struct Emit<'a, 'b, 'c> {
    pair: &'a Pair<'a>,
    world: Basis,
    writer: &'b mut Writer<'c>,
    lowest: f64,
}

impl Emit<'_, '_, '_> {
    /// Over `at`, `gap` between the cores, B at the height `ground`.
    fn push(&mut self, at: &Vector3, gap: f64, ground: f64, a: Feature, b: Feature) {
        self.lowest = self.lowest.min(gap);
        let at = Vector3::new(at.x, at.y, ground + self.pair.b.radius);
        let point_b = self.world.back(&at) + self.writer.shift;
        let gap = gap - self.pair.radii();
        self.writer.push_placed(point_b, self.world.n, gap, FeatureId::new(a, b));
    }
}

/// The plane of a face that looks up or down.
struct Plane {
    slope: [f64; 2],
    height: f64,
}

impl Plane {
    fn of(face: &Face) -> Self {
        let (m, x) = (face.normal.unwrap_or_else(Vector3::z), face.corners[0].x);
        let slope = [-m.x / m.z, -m.y / m.z];
        Self { slope, height: x.z - slope[0] * x.x - slope[1] * x.y }
    }

    fn height(&self, p: &Vector3) -> f64 {
        self.slope[0] * p.x + self.slope[1] * p.y + self.height
    }
}

/// The edge of a face that lies across the normal, if the face touches with it: `up` is one for what looks up.
fn edge_across(face: &Face, up: f64) -> Option<[Corner; 2]> {
    let top = face.corners.iter().map(|corner| up * corner.x.z).fold(f64::NEG_INFINITY, f64::max);
    let count = face.corners.len();
    let edges = (0..count).map(|k| [face.corners[k], face.corners[(k + 1) % count]]);
    edges.take(if count == 2 { 1 } else { count }).find(|[from, to]| {
        let lower = (up * from.x.z).min(up * to.x.z);
        top - lower < SLOPE * (to.x - from.x).norm()
    })
}

/// Edges that lie along each other touch over the stretch they share.
fn side_by_side(a: &[Corner; 2], b: &[Corner; 2], emit: &mut Emit) {
    let flat = |x: Vector3| Vector3::new(x.x, x.y, 0.0);
    let (along_a, along_b) = (flat(a[1].x - a[0].x), flat(b[1].x - b[0].x));
    let (length_a, length_b) = (along_a.norm(), along_b.norm());
    if along_a.cross(&along_b).norm() >= PARALLEL * length_a * length_b {
        return;
    }
    // Along B, from its first end.
    let place = |corner: &Corner| along_b.dot(&(corner.x - b[0].x)) / length_b;
    let (first, second) = (place(&a[0]), place(&a[1]));
    let height_b = |s: f64| b[0].x.z + (b[1].x.z - b[0].x.z) * (s / length_b);
    let height_a = |s: f64| a[0].x.z + (a[1].x.z - a[0].x.z) * ((s - first) / (second - first));
    let edge_a = Feature::edge(a[0].number, a[1].number);
    let edge_b = Feature::edge(b[0].number, b[1].number);
    let mut touch = |s: f64, of_a: Feature, of_b: Feature| {
        let at = b[0].x + along_b * (s / length_b);
        emit.push(&at, height_a(s) - height_b(s), height_b(s), of_a, of_b);
    };
    for (s, corner) in [(first, &a[0]), (second, &a[1])] {
        if (0.0..=length_b).contains(&s) {
            touch(s, Feature::vertex(corner.number), edge_b);
        }
    }
    for (s, corner) in [(0.0, &b[0]), (length_b, &b[1])] {
        if first.min(second) < s && s < first.max(second) {
            touch(s, edge_a, Feature::vertex(corner.number));
        }
    }
}
