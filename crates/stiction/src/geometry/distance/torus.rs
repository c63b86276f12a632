//! Distance from a torus: the surface at a constant distance around a circle.

use super::revolution::Meridian;
use super::{NO_LENGTH, curvature};
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// From the torus around `y` with these radii of its middle circle and its tube [m].
///
/// The middle circle looks away from the axis; on the axis, the point of the circle towards `+x` is the nearest.
pub fn distance(ring_radius: f64, tube_radius: f64, x: Vector3) -> Jet {
    let meridian = Meridian::through(x);
    let out = meridian.rho - ring_radius;
    let l = out.hypot(meridian.y);
    if l < NO_LENGTH {
        return Jet { hessian: Matrix3::zeros(), ..meridian.field(-tube_radius, (1.0, 0.0), 0.0) };
    }
    meridian.field(l - tube_radius, (out / l, meridian.y / l), curvature(l))
}
