//! The manifold of two boxes that touch with a face: [`clip`](super::clip) in the frame of that face, where its edges
//! are axes.

use super::pair::{Pair, Writer};
use super::rim::{Rim, SNAP};
use super::{Feature, FeatureId};
use crate::geometry::shape::{Corner, Face};
use crate::math::{Matrix3, Vector3};

/// A side of one of two boxes.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) of_a: bool,
    pub(super) axis: usize,
    /// Of the outward normal along the axis.
    pub(super) sign: f64,
}

/// A box as the other one sees it.
struct Seen<'a> {
    half: &'a Vector3,
    turn: Matrix3,
    shift: Vector3,
    radius: f64,
}

/// Pushes the contacts of a face with the other box, and returns the lowest gap of the cores; for boxes with width.
pub(super) fn contacts(
    pair: &Pair,
    half_a: &Vector3,
    half_b: &Vector3,
    side: Side,
    writer: &mut Writer,
) -> f64 {
    let (turn, shift) = (pair.turn, pair.shift);
    if !side.of_a {
        let other = Seen { half: half_a, turn, shift, radius: pair.a.radius };
        return on_face(half_b, pair.b.radius, side, &other, writer);
    }
    // The same with A and B exchanged, in the frame of A.
    let back = turn.transpose();
    let other = Seen { half: half_b, turn: back, shift: -(back * shift), radius: pair.b.radius };
    let mut writer = Writer {
        turn: writer.turn * turn,
        shift: writer.place(&shift),
        reach: writer.reach,
        flip: !writer.flip,
        out: &mut *writer.out,
    };
    on_face(half_a, pair.a.radius, side, &other, &mut writer)
}

/// The box with the face is B.
fn on_face(half: &Vector3, radius: f64, side: Side, other: &Seen, writer: &mut Writer) -> f64 {
    let Side { axis, sign, .. } = side;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (corners, number) = facing(other, axis, sign);
    // Across the face, then the gap along its normal.
    let corners = corners.map(|Corner { x, number }| Corner {
        x: Vector3::new(x[u], x[v], sign * x[axis] - half[axis]),
        number,
    });
    let face_number = 2 * axis as u32 + u32::from(sign > 0.0);
    let snap = SNAP * (half.sum() + other.half.sum());
    let (half_u, half_v) = (half[u], half[v]);

    let normal = writer.turn.column(axis) * sign;
    let (along_u, along_v) =
        (writer.turn.column(u).into_owned(), writer.turn.column(v).into_owned());
    let ground = writer.shift + normal * (half[axis] + radius);
    let radii = radius + other.radius;
    let mut lowest = f64::INFINITY;
    let mut push = |p: &Vector3, a: Feature, b: Feature| {
        lowest = lowest.min(p.z);
        let at = ground + along_u * p.x + along_v * p.y;
        writer.push_placed(at, normal, p.z - radii, FeatureId::new(a, b));
    };
    let is_over =
        |corner: &Corner| corner.x.x.abs() <= half_u + snap && corner.x.y.abs() <= half_v + snap;
    if corners.iter().all(is_over) {
        for corner in &corners {
            push(&corner.x, Feature::vertex(corner.number), Feature::face(face_number));
        }
        return lowest;
    }
    let bit = |axis: usize, positive: bool| u32::from(positive) << axis;
    let here = bit(axis, sign > 0.0);
    // Around the rectangle, counter-clockwise from where `axis` points to.
    let around = [(false, false), (true, false), (true, true), (false, true)];
    let numbers = around.map(|(at_u, at_v)| here | bit(u, at_u) | bit(v, at_v));
    let mut rim = Rim::<8>::of(&Face { number, normal: None, corners: &corners }, face_number);
    for k in 0..4 {
        let ends = [numbers[k], numbers[(k + 1) % 4]];
        match k {
            0 => rim.cut(k, &numbers, ends, snap, |p| -p.y - half_v),
            1 => rim.cut(k, &numbers, ends, snap, |p| p.x - half_u),
            2 => rim.cut(k, &numbers, ends, snap, |p| p.y - half_v),
            _ => rim.cut(k, &numbers, ends, snap, |p| -p.x - half_u),
        }
    }
    for point in rim.points() {
        push(&point.p, point.own, point.reference);
    }
    lowest
}

/// The face of a box that looks against `sign` along `axis`: its corners around, and its number.
fn facing(seen: &Seen, axis: usize, sign: f64) -> ([Corner; 4], u32) {
    let Seen { half, turn, shift, .. } = seen;
    let along = turn.row(axis).transpose();
    let j = along.iamax();
    let up = if along[j] * sign < 0.0 { 1.0 } else { -1.0 };
    let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
    let middle = shift + turn.column(j) * (up * half[j]);
    let (edge1, edge2) = (turn.column(j1) * half[j1], turn.column(j2) * half[j2]);
    let here = u32::from(up > 0.0) << j;
    let corner =
        |x: Vector3, at_1: u32, at_2: u32| Corner { x, number: here | at_1 << j1 | at_2 << j2 };
    let corners = [
        corner(middle - edge1 - edge2, 0, 0),
        corner(middle + edge1 - edge2, 1, 0),
        corner(middle + edge1 + edge2, 1, 1),
        corner(middle - edge1 + edge2, 0, 1),
    ];
    (corners, 2 * j as u32 + u32::from(up > 0.0))
}
