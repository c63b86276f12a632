//! Fields that are the same all around the axis `y`: from the plane of radius and height to space.
//!
//! At `x = ρ e + y ŷ`, with `e` the unit radial direction and `φ = ŷ × e` the direction around the axis,
//!
//! $$ \nabla d = d_\rho e + d_y \hat y, \qquad
//!    \nabla^2 d = d_{\rho\rho}\, e e^T + d_{\rho y}(e \hat y^T + \hat y e^T) + d_{yy}\, \hat y \hat y^T
//!               + \frac{d_\rho}{\rho}\, \varphi\varphi^T . $$

use super::{NO_LENGTH, curvature};
use crate::geometry::Jet;
use crate::math::{Matrix3, Vector3};

/// A point, seen from the axis.
pub(super) struct Meridian {
    /// Distance from the axis [m].
    pub(super) rho: f64,
    /// Height along the axis [m].
    pub(super) y: f64,
    e: Vector3,
}

impl Meridian {
    /// The half-plane that `x` lies in; on the axis, the one towards `+x`.
    pub(super) fn through(x: Vector3) -> Self {
        let rho = x.x.hypot(x.z);
        let e = if rho < NO_LENGTH { Vector3::x() } else { Vector3::new(x.x, 0.0, x.z) / rho };
        Self { rho, y: x.y, e }
    }

    /// A field of value `d` [m] that grows along the unit vector `n = (n_ρ, n_y)`, which turns by `turn` [1/m]
    /// when going across it within the half-plane.
    pub(super) fn field(&self, d: f64, (n_rho, n_y): (f64, f64), turn: f64) -> Jet {
        let (e, y) = (self.e, Vector3::y());
        let t = y * n_rho - e * n_y;
        let around = y.cross(&e);
        let hoop = n_rho * curvature(self.rho);
        let hessian: Matrix3 = t * t.transpose() * turn + around * around.transpose() * hoop;
        Jet { value: d, gradient: e * n_rho + y * n_y, hessian }
    }
}
