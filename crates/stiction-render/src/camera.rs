//! Where a picture is seen from.

use crate::bvh::Ray;
use crate::math::Vec3;

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

/// From where, and how: everything about a camera but where it is.
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

/// What must stay free at the edges of a picture, as shares of its width and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Left and right.
    pub sides: [f32; 2],
    /// Top and bottom.
    pub ends: [f32; 2],
}

impl Default for Margins {
    fn default() -> Self {
        Self { sides: [0.07; 2], ends: [0.09; 2] }
    }
}

impl Camera {
    /// Looks at a point from a distance.
    pub fn look_at(view: &View, target: &Vec3, distance: f32, aspect: f32) -> Self {
        let (azimuth, elevation) =
            (view.azimuth.to_radians(), view.elevation.clamp(-89.0, 89.0).to_radians());
        // In front is where `z` comes from, unless it is up; then where `y` goes.
        let front = if view.up.z.abs() < 0.9 { Vec3::z() } else { -Vec3::y() };
        let side = view.up.cross(&front).normalize();
        let front = side.cross(&view.up);
        let level = front * azimuth.cos() + side * azimuth.sin();
        let forward = -(level * elevation.cos() + view.up * elevation.sin());
        let right = forward.cross(&view.up).normalize();
        let up = right.cross(&forward);
        let half_height = (0.5 * view.field_of_view).to_radians().tan();
        Self { eye: target - forward * distance, right, up, forward, half_height, aspect }
    }

    /// As near as it can be with all points in the picture, within its margins.
    pub fn fit(view: &View, points: &[Vec3], margins: &Margins, aspect: f32) -> Self {
        let mut camera = Self::look_at(view, &Vec3::zeros(), 0.0, aspect);
        // A point at `(x, z)` right of and before a camera at `(c, −d)` is seen if
        // `-low (z + d) ≤ x − c ≤ high (z + d)`: the nearest `d` for all points is where the extremes of both sides
        // allow one `c` only.
        let axis = |axis: &Vec3, slopes: [f32; 2]| {
            let [low, high] = slopes;
            let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
            for point in points {
                let (x, z) = (point.dot(axis), point.dot(&camera.forward));
                least = least.min(x + low * z);
                most = most.max(x - high * z);
            }
            (least, most, slopes)
        };
        let width = camera.half_height * aspect;
        let fitted = [
            axis(&camera.right, margins.sides.map(|free| (1.0 - 2.0 * free) * width)),
            axis(&camera.up, [1, 0].map(|k| (1.0 - 2.0 * margins.ends[k]) * camera.half_height)),
        ];
        let distance = fitted
            .iter()
            .map(|(least, most, [low, high])| (most - least) / (low + high))
            .fold(f32::NEG_INFINITY, f32::max);
        // One point alone has no size.
        let nearest = points.iter().map(|x| x.dot(&camera.forward)).fold(f32::INFINITY, f32::min);
        let distance = distance.max(1e-3 - nearest);
        if distance.is_finite() {
            let place = |k: usize| {
                let (least, most, [low, high]) = fitted[k];
                0.5 * (least + low * distance + most - high * distance)
            };
            camera.eye = camera.right * place(0) + camera.up * place(1) - camera.forward * distance;
        }
        camera
    }

    /// The same view from nearer (`zoom` above one) or farther, turned about a point.
    #[must_use]
    pub fn zoomed(&self, about: &Vec3, zoom: f32) -> Self {
        Self { eye: about + (self.eye - about) / zoom, ..*self }
    }

    /// Where it looks, of length one.
    pub fn forward(&self) -> Vec3 {
        self.forward
    }

    /// Through a place of the picture: from 0 to 1, from left to right and from top to bottom.
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let (x, y) = ((2.0 * x - 1.0) * self.aspect, 1.0 - 2.0 * y);
        let direction = self.forward + (self.right * x + self.up * y) * self.half_height;
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
