//! Friction that depends on direction, for laws that know one coefficient.
//!
//! Limits of friction are ellipses with semi-axes `μ_t N` along the grain and `μ_b N` across it. With `μ` the larger of both and
//!
//! $$ S(n) = s_b I + (s_t - s_b)\, t t^T, \qquad s = \mu_{t,b}/\mu, \qquad t = \frac{g - n (n \cdot g)}{\|g - n (n \cdot g)\|} $$
//!
//! an isotropic law for the stretched slip `e' = S e` gives a stretched traction, and `T = S T'`: the same power, and limits as they should be. Friction then
//! takes most energy among all that the ellipse allows. The grain `g` stays as it is during a stage, `t` follows the normal, and so do derivatives.
//! Below the limit the spring of an anchored contact is softer along the axis with less friction, by `s²`.

use super::Response;
use crate::math::{Matrix3, Vector3};

/// The least ratio of coefficients: what has none at all could not be stretched back [-].
const LEAST: f64 = 1e-3;
/// A grain closer to the normal than this has no direction along the surface.
const ALONG_NORMAL: f64 = 1e-6;

/// The grain of a contact, and what friction is along and across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elliptic {
    grain: Vector3,
    along: f64,
    across: f64,
}

/// The same for a normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretched {
    along: f64,
    across: f64,
    t: Vector3,
    /// `∂t/∂n`.
    t_by_normal: Matrix3,
}

/// What a stretched law answers besides its response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turned {
    /// Change of the traction per change of what is remembered, in slips [N/m].
    pub by_memory: Matrix3,
    /// Change of the traction as the normal turns and nothing else changes [N].
    pub by_frame: Matrix3,
}

impl Elliptic {
    /// A grain of any length but zero, and coefficients along it and across it; nothing if they are the same. The law has the larger
    /// one.
    pub fn new(grain: Vector3, along: f64, across: f64) -> Option<Self> {
        let most = along.max(across);
        let ratio = |mu: f64| (mu / most).max(LEAST);
        let different = most > 0.0 && (along - across).abs() > 0.0;
        different.then(|| Self { grain, along: ratio(along), across: ratio(across) })
    }

    /// For a unit normal; nothing where the grain points along it.
    pub fn at(&self, n: Vector3) -> Option<Stretched> {
        let g = self.grain;
        let flat = g - n * n.dot(&g);
        let length = flat.norm();
        if length <= ALONG_NORMAL * g.norm() {
            return None;
        }
        let t = flat / length;
        let flat_by_normal = -(Matrix3::from_diagonal_element(n.dot(&g)) + n * g.transpose());
        let t_by_normal = (Matrix3::identity() - t * t.transpose()) * flat_by_normal / length;
        Some(Stretched { along: self.along, across: self.across, t, t_by_normal })
    }
}

impl Stretched {
    /// `S v`.
    pub fn stretch(&self, v: Vector3) -> Vector3 {
        v * self.across + self.t * ((self.along - self.across) * self.t.dot(&v))
    }

    /// `S⁻¹ v`.
    pub fn restore(&self, v: Vector3) -> Vector3 {
        v / self.across + self.t * ((1.0 / self.along - 1.0 / self.across) * self.t.dot(&v))
    }

    fn matrix(&self, along: f64, across: f64) -> Matrix3 {
        Matrix3::from_diagonal_element(across) + self.t * self.t.transpose() * (along - across)
    }

    /// `∂(S v)/∂n` for `S` with given values along and across.
    fn by_normal(&self, v: Vector3, along: f64, across: f64) -> Matrix3 {
        let by_t = Matrix3::from_diagonal_element(self.t.dot(&v)) + self.t * v.transpose();
        by_t * self.t_by_normal * (along - across)
    }

    /// The response of a law to stretched slip, in true slips and tractions. `slip` and `memory` are true, `traction` is stretched.
    pub fn respond(
        &self,
        stretched: &Response,
        traction: Vector3,
        slip: Vector3,
        memory: Vector3,
        compliance: f64,
    ) -> (Response, Turned) {
        let (a, c) = (self.along, self.across);
        let s = self.matrix(a, c);
        let inverse = self.matrix(1.0 / a, 1.0 / c);
        let half = s * stretched.by_slip;
        let response = Response {
            // As the law measures it: stretched back, it would change with the normal alone, and fall less than in proportion to steps.
            residual: stretched.residual,
            correction: self.stretch(stretched.correction),
            by_slip: half * s,
            by_normal: self.stretch(stretched.by_normal),
        };
        let by_frame = self.by_normal(traction, a, c)
            + half * self.by_normal(slip, a, c)
            + half * self.by_normal(memory, 1.0 / a, 1.0 / c) * compliance;
        (response, Turned { by_memory: half * inverse, by_frame })
    }
}
