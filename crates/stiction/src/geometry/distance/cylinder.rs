//! Distance from a cylinder with flat ends: from its side, its caps, or the rims between them.

use super::curvature;
use super::revolution::Meridian;
use crate::geometry::Jet;
use crate::math::Vector3;

/// From the cylinder along `y` with this radius and length [m].
///
/// Inside, between side and cap equally near, the side wins; the axis looks to `+x`, halfway up looks to `+y`.
pub fn distance(radius: f64, length: f64, x: Vector3) -> Jet {
    let meridian = Meridian::through(x);
    let up = if meridian.y < 0.0 { -1.0 } else { 1.0 };
    let (side, cap) = (meridian.rho - radius, meridian.y.abs() - 0.5 * length);
    if side > 0.0 && cap > 0.0 {
        let d = side.hypot(cap);
        return meridian.field(d, (side / d, up * cap / d), curvature(d));
    }
    if side >= cap {
        return meridian.field(side, (1.0, 0.0), 0.0);
    }
    meridian.field(cap, (0.0, up), 0.0)
}
