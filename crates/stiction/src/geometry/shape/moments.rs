//! Volume, centre and second moment of shapes.
//!
//! The second moment `C = ∫ (x − c)(x − c)ᵀ dV` about the centre `c` is easier to handle than the inertia: it adds
//! up, a shift by `d` adds `V d dᵀ`, a turn makes it `R C Rᵀ`. The inertia at density one is `tr(C) I − C`; its
//! principal moments fulfil the triangle inequality exactly where `C` has no negative eigenvalue.
//!
//! A box with half widths `c` and everything within `r` of it (a ball, a capsule and a rounded box are all such)
//! falls into pieces by the set `S` of axes along which a point is beyond the box. A piece is a product of the box
//! along other axes and of ball sectors of dimension `m = |S|` in all `2^m` corners, where `x = c + u`:
//!
//! | `m` | sector | mean of `u` | mean of `u²` |
//! |---|---|---|---|
//! | 1 | `r` | `r/2` | `r²/3` |
//! | 2 | `πr²/4` | `4r/3π` | `r²/4` |
//! | 3 | `πr³/6` | `3r/8` | `r²/5` |
//!
//! A polyhedron is the sum of signed tets between its triangles and a point: with that at the origin,
//! `V = Σ det/6`, `∫x = Σ det/24 s`, `∫xxᵀ = Σ det/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)`, where `s = a + b + c`.

use std::f64::consts::PI;

use super::{Convex, Core, Rounded};
use crate::geometry::Pose;
use crate::math::{Matrix3, Vector3};
use crate::mesh::BoundingBox;

/// Volume, centre and second moment of a shape.
///
/// Second moments `C` add up where centres agree, and a shift by `d` adds `V d dᵀ`. The inertia at density one is
/// `tr(C) I − C`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// [m³].
    pub volume: f64,
    /// Centre of the volume [m].
    pub center: Vector3,
    /// `∫ (x − c)(x − c)ᵀ dV` about the centre [m⁵].
    pub second: Matrix3,
}

impl Moments {
    /// Inertia about the centre at density one [m⁵].
    pub fn inertia(&self) -> Matrix3 {
        Matrix3::from_diagonal_element(self.second.trace()) - self.second
    }

    /// Of the shape, moved.
    #[must_use]
    pub fn placed(&self, pose: &Pose) -> Self {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        Self {
            volume: self.volume,
            center: pose.apply(&self.center),
            second: turn * self.second * turn.transpose(),
        }
    }
}

impl Convex {
    /// Volume, centre and second moment in the shape's own frame; nothing for half-spaces, which have no end.
    pub fn moments(&self) -> Option<Moments> {
        let Rounded { core, radius } = self.rounded()?;
        Some(match core {
            Core::Box { half } => of_rounded_box(half, radius),
            Core::Cylinder { radius, half_length } => {
                let volume = 2.0 * PI * radius * radius * half_length;
                let (across, along) = (radius * radius / 4.0, half_length * half_length / 3.0);
                centred(volume, Vector3::new(across, along, across))
            }
            Core::Hull(hull) => {
                let x = |v: u32| hull.vertices()[v as usize];
                of_triangles(hull.triangles().map(|corners| corners.map(x)))
            }
        })
    }
}

/// About the origin, with these mean squares of coordinates.
fn centred(volume: f64, mean_square: Vector3) -> Moments {
    let second = Matrix3::from_diagonal(&(mean_square * volume));
    Moments { volume, center: Vector3::zeros(), second }
}

fn of_rounded_box(c: Vector3, r: f64) -> Moments {
    // By the number of axes beyond the box.
    let sector = [1.0, r, PI * r * r / 4.0, PI * r.powi(3) / 6.0];
    let mean = [0.0, r / 2.0, 4.0 * r / (3.0 * PI), 3.0 * r / 8.0];
    let mean_square = [0.0, r * r / 3.0, r * r / 4.0, r * r / 5.0];
    let (mut volume, mut second) = (0.0, Vector3::zeros());
    for beyond in 0..8_u32 {
        let is_beyond = |axis: usize| beyond >> axis & 1 == 1;
        let m = beyond.count_ones() as usize;
        let widths: f64 = (0..3).map(|k| if is_beyond(k) { 2.0 } else { 2.0 * c[k] }).product();
        let piece = widths * sector[m];
        volume += piece;
        second += Vector3::from_fn(|k, _| {
            let square = c[k] * c[k];
            let beyond_square = square + 2.0 * c[k] * mean[m] + mean_square[m];
            piece * if is_beyond(k) { beyond_square } else { square / 3.0 }
        });
    }
    Moments { volume, center: Vector3::zeros(), second: Matrix3::from_diagonal(&second) }
}

/// Of what closed outward triangles enclose: exact for any polyhedron. All zero where there are no triangles.
pub(crate) fn of_triangles(triangles: impl Iterator<Item = [Vector3; 3]> + Clone) -> Moments {
    // Terms of a surface far from the origin would cancel.
    let corners: Vec<Vector3> = triangles.clone().flatten().collect();
    if corners.is_empty() {
        return Moments { volume: 0.0, center: Vector3::zeros(), second: Matrix3::zeros() };
    }
    let origin = BoundingBox::of(&corners).center();
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|x| x - origin);
        let det = a.dot(&b.cross(&c));
        let s = a + b + c;
        volume += det / 6.0;
        first += s * (det / 24.0);
        let squares = [s, a, b, c].map(|x| x * x.transpose());
        second += (squares[0] + squares[1] + squares[2] + squares[3]) * (det / 120.0);
    }
    let shift = if volume == 0.0 { Vector3::zeros() } else { first / volume };
    Moments { volume, center: origin + shift, second: second - shift * shift.transpose() * volume }
}
