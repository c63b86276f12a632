//! What is left of a face while it is cut to another [SH74]: corners, and what they are called.

use super::Feature;
use crate::geometry::shape::{Face, MAX_CORNERS};
use crate::math::Vector3;

/// Corners closer to an edge than this are on it, relative to the size: aligned stacks keep their names.
pub(super) const SNAP: f64 = 1e-6;

/// A corner of what is left of a face.
#[derive(Clone, Copy, Default)]
pub(super) struct Point {
    /// Seen along the normal.
    pub(super) p: Vector3,
    pub(super) own: Feature,
    pub(super) reference: Feature,
    /// The edge from here to the next corner.
    onward: Edge,
}

/// An edge of the face itself, or one it was cut along.
#[derive(Clone, Copy)]
enum Edge {
    Own(u16, u16),
    Cut(u16),
}

impl Default for Edge {
    fn default() -> Self {
        Self::Own(0, 0)
    }
}

/// What is left of a face while it is cut to another; an edge and a point are no loops.
pub(super) struct Rim<const N: usize> {
    points: [Point; N],
    before: [Point; N],
    count: usize,
    is_loop: bool,
    own_face: Feature,
}

impl<const N: usize> Rim<N> {
    pub(super) fn of(face: &Face, reference: u32) -> Self {
        let count = face.corners.len();
        let mut points = [Point::default(); N];
        for (k, point) in points[..count].iter_mut().enumerate() {
            let (corner, next) = (face.corners[k], face.corners[(k + 1) % count]);
            *point = Point {
                p: corner.x,
                own: Feature::vertex(corner.number),
                reference: Feature::face(reference),
                onward: Edge::Own(corner.number as u16, next.number as u16),
            };
        }
        let own_face = match face.corners {
            [a] => Feature::vertex(a.number),
            [a, b] => Feature::edge(a.number, b.number),
            _ => Feature::face(face.number),
        };
        let before = [Point::default(); N];
        Self { points, before, count, is_loop: count > 2, own_face }
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Keeps what is over the polygon `face`, which runs counter-clockwise if `turn` is one, clockwise if it is minus
    /// one.
    pub(super) fn clip(&mut self, face: &Face, turn: f64, snap: f64) {
        let count = face.corners.len();
        let mut numbers = [0; MAX_CORNERS];
        for (number, corner) in numbers.iter_mut().zip(face.corners) {
            *number = corner.number;
        }
        for k in 0..count {
            let (from, to) = (face.corners[k], face.corners[(k + 1) % count]);
            let (dx, dy) = (to.x.x - from.x.x, to.x.y - from.x.y);
            let length = dx.hypot(dy);
            if length <= snap {
                continue;
            }
            let (out_x, out_y) = (turn * dy / length, -turn * dx / length);
            let outside = |p: &Vector3| out_x * (p.x - from.x.x) + out_y * (p.y - from.x.y);
            self.cut(k, &numbers[..count], [from.number, to.number], snap, outside);
            if self.count == 0 {
                return;
            }
        }
    }

    /// Keeps what is not outside of edge `k` of a polygon with corners of these numbers; it runs between two of them.
    pub(super) fn cut(
        &mut self,
        k: usize,
        numbers: &[u32],
        ends: [u32; 2],
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
        let last = self.count;
        self.before[..last].copy_from_slice(&self.points[..last]);
        self.count = 0;
        for i in 0..last {
            let point = self.before[i];
            let (here, next) = (distances[i], (i + 1) % last);
            let there = distances[next];
            let goes_on = self.is_loop || i + 1 < last;
            if here <= snap {
                let leaves = goes_on && here >= -snap && there > snap;
                let onward = if leaves { Edge::Cut(k as u16) } else { point.onward };
                self.keep(Point { onward, ..point });
            }
            let crosses = (here < -snap && there > snap) || (here > snap && there < -snap);
            if goes_on && crosses {
                let t = here / (here - there);
                let p = point.p + (self.before[next].p - point.p) * t;
                let (own, reference) = match point.onward {
                    Edge::Own(a, b) => {
                        (Feature::edge(a.into(), b.into()), Feature::edge(ends[0], ends[1]))
                    }
                    Edge::Cut(j) => {
                        // Two edges of the reference meet in a corner of it.
                        let corner =
                            if (k + 1) % numbers.len() == j as usize { j as usize } else { k };
                        (self.own_face, Feature::vertex(numbers[corner]))
                    }
                };
                let onward = if here < 0.0 { Edge::Cut(k as u16) } else { point.onward };
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
