//! Cores: sharp convex bodies, with the points and faces that look in a direction.
//!
//! Corners have numbers, which name contacts. Those of a box have a bit for each axis: set where the coordinate is
//! positive. Axes without width have no bit, so that the ends of a segment are two corners and a point is one. A
//! cylinder has its rims as corners 0 and 1, and for its caps polygons whose corners follow.

use super::Hull;
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};
use crate::mesh::BoundingBox;

/// The most corners a face is looked at with; larger faces of hulls leave out some.
pub(crate) const MAX_CORNERS: usize = 32;

/// Corners of the polygon that stands for a round cap.
const CAP_CORNERS: usize = 8;

/// Below this share of the direction along the axis, a cylinder touches with its side, not with a cap: 60° from the
/// axis.
const SIDE: f64 = 0.5;

/// A segment touches with its whole length below this cosine to the normal: up to 20° from lying across.
const ACROSS: f64 = 0.35;

/// A core, and everything within a radius of it.
#[derive(Clone, Copy)]
pub(crate) struct Rounded<'a> {
    pub(crate) core: Core<'a>,
    pub(crate) radius: f64,
}

/// A sharp convex body.
#[derive(Clone, Copy)]
pub(crate) enum Core<'a> {
    Box { half: Vector3 },
    Cylinder { radius: f64, half_length: f64 },
    Hull(&'a Hull),
}

/// A point of a core with its number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(crate) x: Vector3,
    pub(crate) number: u32,
}

/// The face of a core that looks in a direction: corners counter-clockwise from outside. An edge, of capsules and of
/// the sides of cylinders, has two corners, a point has one; both have no normal.
pub(crate) struct Face<'a> {
    pub(crate) number: u32,
    pub(crate) normal: Option<Vector3>,
    pub(crate) corners: &'a [Corner],
}

/// Names what of a core looks in a direction.
pub(crate) enum Looking {
    Vertex(u32),
    Edge(u32, u32),
    Face(u32),
}

impl Core<'_> {
    /// The point farthest along `d`.
    pub(crate) fn support(&self, d: &Vector3) -> Corner {
        match *self {
            Core::Box { half } => {
                let x = half.zip_map(d, |h, d| if d < 0.0 { -h } else { h });
                Corner { x, number: box_number(&half, &x) }
            }
            Core::Cylinder { radius, half_length } => {
                let around = d.x.hypot(d.z);
                let (x, z) = if around > 0.0 {
                    (radius * d.x / around, radius * d.z / around)
                } else {
                    (radius, 0.0)
                };
                let (y, number) = if d.y < 0.0 { (-half_length, 0) } else { (half_length, 1) };
                Corner { x: Vector3::new(x, y, z), number }
            }
            Core::Hull(hull) => {
                let number = hull.support(d);
                Corner { x: hull.vertices()[number as usize], number }
            }
        }
    }

    /// The face that holds the support point of `d` and looks along `d` the most. Needs room for [`MAX_CORNERS`], for
    /// a box four.
    pub(crate) fn face<'b>(&self, d: &Vector3, room: &'b mut [Corner]) -> Face<'b> {
        match *self {
            Core::Box { half } => box_face(&half, d, room),
            Core::Cylinder { radius, half_length } => cylinder_face(radius, half_length, d, room),
            Core::Hull(hull) => {
                let face = hull.face_towards(d);
                let corners = hull.face(face);
                let count = corners.len().min(room.len());
                for (k, corner) in room[..count].iter_mut().enumerate() {
                    let number = corners[k * corners.len() / count];
                    *corner = Corner { x: hull.vertices()[number as usize], number };
                }
                let normal = Some(hull.normals()[face]);
                Face { number: face as u32, normal, corners: &room[..count] }
            }
        }
    }

    /// What of the core is farthest along the unit vector `d`, to a tolerance in height.
    pub(crate) fn looking(&self, d: &Vector3, tolerance: f64) -> Looking {
        let mut room = [Corner::default(); MAX_CORNERS];
        let face = self.face(d, &mut room);
        let top = self.support(d);
        let height = d.dot(&top.x) - tolerance;
        let mut at_top = face.corners.iter().filter(|corner| d.dot(&corner.x) >= height);
        match (at_top.next(), at_top.next()) {
            (Some(from), Some(to))
                if at_top.next().is_none() && face.corners.len() != CAP_CORNERS =>
            {
                Looking::Edge(from.number, to.number)
            }
            (Some(_), Some(_)) => Looking::Face(face.number),
            _ => Looking::Vertex(top.number),
        }
    }

    pub(crate) fn bounding_box(&self, pose: &Pose) -> BoundingBox {
        let turn: Matrix3 = pose.rotation.to_rotation_matrix().into_inner();
        let around = |reach: Vector3| BoundingBox {
            min: pose.translation - reach,
            max: pose.translation + reach,
        };
        match *self {
            Core::Box { half } => around(turn.abs() * half),
            Core::Cylinder { radius, half_length } => around(turn.column(1).map(|along| {
                half_length * along.abs() + radius * (1.0 - along * along).max(0.0).sqrt()
            })),
            Core::Hull(hull) => {
                let nothing = BoundingBox::of([]);
                hull.vertices().iter().fold(nothing, |bounds, x| {
                    let x = turn * x + pose.translation;
                    BoundingBox { min: bounds.min.inf(&x), max: bounds.max.sup(&x) }
                })
            }
        }
    }

    /// A length that the core does not exceed by much [m].
    pub(crate) fn extent(&self) -> f64 {
        match *self {
            Core::Box { half } => half.sum(),
            Core::Cylinder { radius, half_length } => radius + half_length,
            Core::Hull(hull) => hull.extent(),
        }
    }
}

fn box_number(half: &Vector3, x: &Vector3) -> u32 {
    (0..3).map(|k| u32::from(half[k] > 0.0 && x[k] > 0.0) << k).sum()
}

/// Sides without area end up as edges and points.
fn box_face<'b>(half: &Vector3, d: &Vector3, room: &'b mut [Corner]) -> Face<'b> {
    let wide = half.iter().filter(|h| **h > 0.0).count();
    if wide < 2 {
        // A segment or a point. A segment that points along `d` has its far end behind itself.
        let x = half.zip_map(d, |h, d| if d < 0.0 { -h } else { h });
        let is_across = d.dot(&x).abs() <= ACROSS * d.norm() * x.norm();
        let ends = if is_across { [-half, *half] } else { [x, x] };
        for (corner, x) in room.iter_mut().zip(ends) {
            *corner = Corner { x, number: box_number(half, &x) };
        }
        let count = if is_across { 1 + wide } else { 1 };
        return Face { number: 0, normal: None, corners: &room[..count] };
    }
    // A plate without thickness has two faces only.
    let flat = half.iamin();
    let axis = if half[flat] > 0.0 { d.iamax() } else { flat };
    let sign = if d[axis] < 0.0 { -1.0 } else { 1.0 };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    for (corner, (at_u, at_v)) in room.iter_mut().zip(AROUND) {
        let mut x = Vector3::zeros();
        (x[axis], x[u], x[v]) = (sign * half[axis], at_u * half[u], sign * at_v * half[v]);
        *corner = Corner { x, number: box_number(half, &x) };
    }
    let number = 2 * axis as u32 + u32::from(sign > 0.0);
    let mut normal = Vector3::zeros();
    normal[axis] = sign;
    Face { number, normal: Some(normal), corners: &room[..4] }
}

/// Around a rectangle.
const AROUND: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

fn cylinder_face<'b>(
    radius: f64,
    half_length: f64,
    d: &Vector3,
    room: &'b mut [Corner],
) -> Face<'b> {
    let around = d.x.hypot(d.z);
    let up = if d.y < 0.0 { -1.0 } else { 1.0 };
    let top = u32::from(d.y >= 0.0);
    if d.y.abs() < SIDE * d.norm() {
        let (x, z) = (radius * d.x / around, radius * d.z / around);
        for (number, (corner, y)) in room.iter_mut().zip([-half_length, half_length]).enumerate() {
            *corner = Corner { x: Vector3::new(x, y, z), number: number as u32 };
        }
        return Face { number: 2, normal: None, corners: &room[..2] };
    }
    for (k, corner) in room[..CAP_CORNERS].iter_mut().enumerate() {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / CAP_CORNERS as f64).sin_cos();
        // Seen from outside, `x` towards `−z` runs counter-clockwise on the top.
        let x = Vector3::new(radius * cos, up * half_length, -up * radius * sin);
        *corner = Corner { x, number: 2 + CAP_CORNERS as u32 * top + k as u32 };
    }
    Face { number: top, normal: Some(Vector3::y() * up), corners: &room[..CAP_CORNERS] }
}
