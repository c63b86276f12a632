//! What two faces that look at each other have in common.
//!
//! Seen along the normal, both are convex polygons, each with a height over every point of the plane across it. The manifold is the
//! corners of their intersection; the gap there is the difference of heights, which is linear, so the smallest one is among them.
//! Corners come in three kinds, which name them: a corner of A over the face of B, a corner of B under the face of A, and edges
//! that cross.

use super::pair::{Frame, Pair};
use super::{Feature, FeatureId};
use crate::geometry::shape::{Core, Corner, Face, MAX_CORNERS};
use crate::math::Vector3;

/// A face takes part if its normal is no farther from that of the contact: 11°. Others touch with an edge or a corner.
const ALIGNED: f64 = 0.98;
/// An edge lies across the normal if it rises by less than this [-].
const SLOPE: f64 = 0.02;
/// Edges lie along each other if they part by less than this [-].
const PARALLEL: f64 = 0.005;
/// Corners closer to an edge than this are on it, relative to the size: aligned stacks keep their names.
const SNAP: f64 = 1e-6;

/// Pushes the contacts of faces or edges that look at each other along `normal`, which points from B to A; returns the lowest gap
/// of the cores among them, infinite if there are none.
pub(super) fn faces(pair: &Pair, normal: &Vector3, frame: &mut Frame) -> f64 {
    if matches!((&pair.a.core, &pair.b.core), (Core::Box { .. }, Core::Box { .. })) {
        return common::<4, 8>(pair, normal, frame);
    }
    common::<MAX_CORNERS, { 2 * MAX_CORNERS }>(pair, normal, frame)
}

/// With room for faces of `M` corners, and `N` in common.
fn common<const M: usize, const N: usize>(pair: &Pair, n: &Vector3, frame: &mut Frame) -> f64 {
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
    let mut emit = Emit { pair, basis: &basis, frame, lowest: f64::INFINITY };
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
}

/// Takes contacts of cores to those of shapes.
struct Emit<'a, 'b, 'c> {
    pair: &'a Pair<'a>,
    basis: &'a Basis,
    frame: &'b mut Frame<'c>,
    lowest: f64,
}

impl Emit<'_, '_, '_> {
    /// Over `at`, `gap` between the cores, B at the height `ground`.
    fn push(&mut self, at: &Vector3, gap: f64, ground: f64, a: Feature, b: Feature) {
        self.lowest = self.lowest.min(gap);
        let b_point = self.basis.back(&Vector3::new(at.x, at.y, ground + self.pair.b.radius));
        self.frame.push(b_point, self.basis.n, gap - self.pair.radii(), FeatureId::new(a, b));
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

/// A corner of what is left of a face.
#[derive(Clone, Copy, Default)]
struct Point {
    p: Vector3,
    own: Feature,
    reference: Feature,
    /// The edge from here to the next corner.
    onward: Edge,
}

/// An edge of the face itself, or one it was cut along.
#[derive(Clone, Copy)]
enum Edge {
    Own(u32, u32),
    Cut(usize),
}

impl Default for Edge {
    fn default() -> Self {
        Self::Own(0, 0)
    }
}

/// What is left of a face while it is cut to another; an edge and a point are no loops.
struct Rim<const N: usize> {
    points: [Point; N],
    count: usize,
    is_loop: bool,
    own_face: Feature,
}

impl<const N: usize> Rim<N> {
    fn of(face: &Face, reference: u32) -> Self {
        let count = face.corners.len();
        let mut points = [Point::default(); N];
        for (k, point) in points[..count].iter_mut().enumerate() {
            let (corner, next) = (face.corners[k], face.corners[(k + 1) % count]);
            *point = Point {
                p: corner.x,
                own: Feature::vertex(corner.number),
                reference: Feature::face(reference),
                onward: Edge::Own(corner.number, next.number),
            };
        }
        let own_face = match face.corners {
            [a] => Feature::vertex(a.number),
            [a, b] => Feature::edge(a.number, b.number),
            _ => Feature::face(face.number),
        };
        Self { points, count, is_loop: count > 2, own_face }
    }

    fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Keeps what is over the polygon `face`, which runs counter-clockwise if `turn` is one, clockwise if it is minus one.
    fn clip(&mut self, face: &Face, turn: f64, snap: f64) {
        let count = face.corners.len();
        for k in 0..count {
            let (from, to) = (face.corners[k], face.corners[(k + 1) % count]);
            let (dx, dy) = (to.x.x - from.x.x, to.x.y - from.x.y);
            let length = dx.hypot(dy);
            if length <= snap {
                continue;
            }
            let (out_x, out_y) = (turn * dy / length, -turn * dx / length);
            let outside = |p: &Vector3| out_x * (p.x - from.x.x) + out_y * (p.y - from.x.y);
            self.cut(k, count, [from.number, to.number], face, snap, outside);
            if self.count == 0 {
                return;
            }
        }
    }

    /// Keeps what is not outside of edge `k`.
    fn cut(
        &mut self,
        k: usize,
        count: usize,
        ends: [u32; 2],
        face: &Face,
        snap: f64,
        outside: impl Fn(&Vector3) -> f64,
    ) {
        let mut distances = [0.0; N];
        let mut farthest = f64::NEG_INFINITY;
        for (distance, point) in distances.iter_mut().zip(self.points()) {
            *distance = outside(&point.p);
            farthest = farthest.max(*distance);
        }
        if farthest <= snap {
            return;
        }
        let before = self.points;
        let last = self.count;
        self.count = 0;
        for i in 0..last {
            let point = before[i];
            let (here, next) = (distances[i], (i + 1) % last);
            let there = distances[next];
            let goes_on = self.is_loop || i + 1 < last;
            if here <= snap {
                let leaves = goes_on && here >= -snap && there > snap;
                let onward = if leaves { Edge::Cut(k) } else { point.onward };
                self.keep(Point { onward, ..point });
            }
            let crosses = (here < -snap && there > snap) || (here > snap && there < -snap);
            if goes_on && crosses {
                let t = here / (here - there);
                let p = point.p + (before[next].p - point.p) * t;
                let (own, reference) = match point.onward {
                    Edge::Own(a, b) => (Feature::edge(a, b), Feature::edge(ends[0], ends[1])),
                    Edge::Cut(j) => {
                        // Two edges of the reference meet in a corner of it.
                        let corner = if (k + 1) % count == j { j } else { k };
                        (self.own_face, Feature::vertex(face.corners[corner].number))
                    }
                };
                let onward = if here < 0.0 { Edge::Cut(k) } else { point.onward };
                self.keep(Point { p, own, reference, onward });
            }
        }
    }

    fn keep(&mut self, point: Point) {
        if self.count < N {
            self.points[self.count] = point;
            self.count += 1;
        }
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
