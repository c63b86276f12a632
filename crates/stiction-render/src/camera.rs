//! Where a picture is seen from.

use crate::bvh::Ray;
use crate::math::{Bounds, Vec3};

/// A camera with perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Half of the picture's height at distance one.
    half_height: f32,
    /// Width over height.
    aspect: f32,
}

/// From where, and how: everything about a camera but its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Around the vertical axis, from in front [degrees].
    pub azimuth: f32,
    /// Above the horizon [degrees].
    pub elevation: f32,
    /// Of the picture's height [degrees].
    pub field_of_view: f32,
    /// The vertical axis, of length one.
    pub up: Vec3,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth: 30.0, elevation: 22.0, field_of_view: 28.0, up: Vec3::y() }
    }
}

impl Camera {
    /// Looks at a box so that all of it is in the picture, with a little room around.
    pub fn fit(view: &View, bounds: &Bounds, aspect: f32) -> Self {
        /// Share of the picture that the box may take.
        const FILLED: f32 = 0.88;
        let (azimuth, elevation) =
            (view.azimuth.to_radians(), view.elevation.clamp(-89.0, 89.0).to_radians());
        // In front is where `z` comes from if `y` is up, and where `y` goes if `z` is.
        let front = if view.up.y.abs() > 0.9 { Vec3::z() } else { -Vec3::y() };
        let side = view.up.cross(&front);
        let level = front * azimuth.cos() + side * azimuth.sin();
        let forward = -(level * elevation.cos() + view.up * elevation.sin());
        let right = forward.cross(&view.up).normalize();
        let up = right.cross(&forward);
        let half_height = (0.5 * view.field_of_view).to_radians().tan();
        let target = bounds.centre();
        let reach = |arm: &Vec3| {
            let across = (arm.dot(&right).abs() / aspect).max(arm.dot(&up).abs());
            across / (FILLED * half_height) - arm.dot(&forward)
        };
        let arms = bounds.corners().map(|corner| corner - target);
        let distance = arms.iter().map(reach).fold(1e-3 * bounds.diagonal().max(1e-6), f32::max);
        Self { eye: target - forward * distance, right, up, forward, half_height, aspect }
    }

    /// Through a place of the picture: from 0 to 1, from left to right and from top to bottom.
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let (x, y) = ((2.0 * x - 1.0) * self.aspect, 1.0 - 2.0 * y);
        let direction =
            self.forward + (self.right * x + self.up * y) * self.half_height;
        Ray::new(self.eye, direction.normalize())
    }

    /// Where a point is in the picture, as for [`Camera::ray`], and how far away; none behind the camera.
    pub fn project(&self, point: &Vec3) -> Option<([f32; 2], f32)> {
        let arm = point - self.eye;
        let depth = arm.dot(&self.forward);
        (depth > 0.0).then(|| {
            let x = arm.dot(&self.right) / (depth * self.half_height * self.aspect);
            let y = arm.dot(&self.up) / (depth * self.half_height);
            ([0.5 * (x + 1.0), 0.5 * (1.0 - y)], depth)
        })
    }

    /// Width of a pixel at distance one, in a picture of so many rows.
    pub(crate) fn pixel(&self, rows: usize) -> f32 {
        2.0 * self.half_height / rows as f32
    }
}
