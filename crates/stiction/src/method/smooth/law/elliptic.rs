//! Friction that depends on direction, or resists spin as well, for laws that know one coefficient.
//!
//! Limits of friction are ellipses with semi-axes `μ_t N` along the grain and `μ_b N` across it; quarters of
//! ellipses, where they differ forth and back. With spin about the normal as a third component of slip and traction
//! they are ellipsoids: Coulomb–Contensou [AEF22, §3.4.1]. With `μ` the largest coefficient,
//!
//! $$ S(n) = s_b I + (s_t - s_b)\, t t^T + (s_n - s_b)\, n n^T, \qquad s = \mu_{t,b,n}/\mu,
//!    \qquad t = \frac{g - n (n \cdot g)}{\|g - n (n \cdot g)\|} $$
//!
//! an isotropic law for the stretched slip `e' = S e` gives a stretched traction, and `T = S T'`: the same power, and
//! limits as they should be. Friction then takes most energy among all that the ellipse allows. The grain `g` stays
//! as it is during a stage, `t` follows the normal, and so do derivatives. Below the limit the spring of an anchored
//! contact is softer along the axis with less friction, by `s²`.
//!
//! Of quarters, signs along `t` and `b = n × t` choose: those of `T'`, which are those of `T`, for tractions; those
//! of `e + z` for slips, where `z = S⁻² ŝ/k_e` is what the spring gave way so far, in the quarter of `ŝ`. Components
//! change sign where they are zero, so both maps are continuous, and where the law is solved both are in one quarter.

use super::Response;
use crate::math::{Matrix3, Vector3};

/// The least ratio of coefficients: what has none at all could not be stretched back [-].
const LEAST: f64 = 1e-3;
/// A grain closer to the normal than this has no direction along the surface.
const ALONG_NORMAL: f64 = 1e-6;

/// Coefficients of a contact, each of both directions along a grain, across it, and about the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Against slip along the grain, and back [-].
    pub along: [f64; 2],
    /// Against slip along the normal times the grain, and back [-].
    pub across: [f64; 2],
    /// Of the component of spin, if there is one [-].
    pub spin: Option<f64>,
}

impl Coefficients {
    /// The largest one.
    pub fn most(&self) -> f64 {
        let sliding = self.along.iter().chain(&self.across);
        sliding.copied().chain(self.spin).fold(0.0, f64::max)
    }
}

/// The grain of a contact, and what friction is along and across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elliptic {
    grain: Vector3,
    along: [f64; 2],
    across: [f64; 2],
    spin: Option<f64>,
}

/// The same for a normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretched {
    along: [f64; 2],
    across: [f64; 2],
    spin: Option<f64>,
    n: Vector3,
    t: Vector3,
    /// `∂t/∂n`.
    t_by_normal: Matrix3,
}

/// One of its quarters, `S`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Quarter<'a> {
    of: &'a Stretched,
    along: f64,
    across: f64,
    /// Of what is along the normal: spin, or nothing.
    normal: f64,
}

/// What a stretched law answers besides its response: derivatives of the traction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchedDerivatives {
    /// Change of the traction per change of what is remembered, in slips [N/m].
    pub by_memory: Matrix3,
    /// Change of the traction as the normal turns and nothing else changes [N].
    pub by_frame: Matrix3,
}

impl Elliptic {
    /// A grain of any length but zero, and coefficients; nothing if they are all the same. The law has the largest one.
    pub fn new(grain: Vector3, coefficients: &Coefficients) -> Option<Self> {
        let most = coefficients.most();
        let ratio = |mu: f64| (mu / most).max(LEAST);
        let Coefficients { along, across, spin } = *coefficients;
        let mut all = along.into_iter().chain(across).chain(spin);
        let different = most > 0.0 && all.any(|mu| (mu - most).abs() > 0.0);
        let (along, across, spin) = (along.map(ratio), across.map(ratio), spin.map(ratio));
        different.then_some(Self { grain, along, across, spin })
    }

    /// For a unit normal. Where the grain points along it, it is the same in all directions; nothing if there is no
    /// spin either.
    pub fn at(&self, n: Vector3) -> Option<Stretched> {
        let (g, spin) = (self.grain, self.spin);
        let flat = g - n * n.dot(&g);
        let length = flat.norm();
        if length <= ALONG_NORMAL * g.norm() {
            let (t, t_by_normal) = (Vector3::zeros(), Matrix3::zeros());
            let round = Stretched { along: [1.0; 2], across: [1.0; 2], spin, n, t, t_by_normal };
            return spin.map(|_| round);
        }
        let t = flat / length;
        let flat_by_normal = -(Matrix3::from_diagonal_element(n.dot(&g)) + n * g.transpose());
        let t_by_normal = (Matrix3::identity() - t * t.transpose()) * flat_by_normal / length;
        Some(Stretched { along: self.along, across: self.across, spin, n, t, t_by_normal })
    }
}

impl Stretched {
    /// The quarter that a vector is in.
    fn quarter(&self, v: Vector3) -> Quarter<'_> {
        let back = |axis: Vector3| usize::from(axis.dot(&v) < 0.0);
        let along = self.along[back(self.t)];
        let [forth, other] = self.across;
        let even = (forth - other).abs() <= 0.0;
        let across = if even { forth } else { self.across[back(self.n.cross(&self.t))] };
        Quarter { of: self, along, across, normal: self.spin.unwrap_or(across) }
    }

    /// Stretches a slip, and what is remembered of the traction, under a compliance.
    pub fn see(&self, slip: Vector3, memory: Vector3, compliance: f64) -> (Vector3, Vector3) {
        let [seen, remembered] = self.quarters(slip, memory, compliance);
        let memory = if seen == remembered {
            seen.restore(memory)
        } else {
            seen.stretch(remembered.soften(memory))
        };
        (seen.stretch(slip), memory)
    }

    /// Quarters of `e + z` and of `ŝ`.
    fn quarters(&self, slip: Vector3, memory: Vector3, compliance: f64) -> [Quarter<'_>; 2] {
        let remembered = self.quarter(memory);
        [self.quarter(slip + remembered.soften(memory) * compliance), remembered]
    }

    /// A true traction of a stretched one: `S T'`.
    pub fn traction(&self, stretched: Vector3) -> Vector3 {
        self.quarter(stretched).stretch(stretched)
    }

    /// A stretched traction of a true one: `S⁻¹ T`.
    pub fn restore(&self, traction: Vector3) -> Vector3 {
        self.quarter(traction).restore(traction)
    }

    /// Whether two tractions are in quarters that are alike.
    pub fn is_alike(&self, one: Vector3, other: Vector3) -> bool {
        self.quarter(one) == self.quarter(other)
    }

    /// `S⁻² s`: how far a spring of stiffness one gives way under a true traction.
    pub fn soften(&self, traction: Vector3) -> Vector3 {
        self.quarter(traction).soften(traction)
    }

    /// The other way round: `S² z`.
    pub fn stiffen(&self, z: Vector3) -> Vector3 {
        let quarter = self.quarter(z);
        quarter.stretch(quarter.stretch(z))
    }

    /// The response of a law to stretched slip, in true slips and tractions. `slip` and `memory` are true, `traction`
    /// is stretched.
    pub fn respond(
        &self,
        stretched: &Response,
        traction: Vector3,
        slip: Vector3,
        memory: Vector3,
        compliance: f64,
    ) -> (Response, StretchedDerivatives) {
        let [seen, remembered] = self.quarters(slip, memory, compliance);
        let pulling = self.quarter(traction);
        let half = pulling.matrix(1) * stretched.by_slip;
        let response = Response {
            // As the law measures it: stretched back, it would change with the normal alone, and fall less than in
            // proportion to steps.
            residual: stretched.residual,
            correction: pulling.stretch(stretched.correction),
            by_slip: half * seen.matrix(1),
            by_normal: pulling.stretch(stretched.by_normal),
        };
        let (by_memory, memory_by_frame) = if seen == remembered {
            (seen.matrix(-1), seen.by_normal(memory, -1))
        } else {
            let soft = seen.by_normal(remembered.soften(memory), 1)
                + seen.matrix(1) * remembered.by_normal(memory, -2);
            (seen.matrix(1) * remembered.matrix(-2), soft)
        };
        let by_frame = pulling.by_normal(traction, 1)
            + half * seen.by_normal(slip, 1)
            + half * memory_by_frame * compliance;
        (response, StretchedDerivatives { by_memory: half * by_memory, by_frame })
    }
}

impl Quarter<'_> {
    /// `S^p v`, with semi-axes to the power already.
    fn scale(&self, v: Vector3, [along, across, normal]: [f64; 3]) -> Vector3 {
        let Stretched { n, t, spin, .. } = self.of;
        let flat = v * across + t * ((along - across) * t.dot(&v));
        if spin.is_some() { flat + n * ((normal - across) * n.dot(&v)) } else { flat }
    }

    fn axes(&self, power: i32) -> [f64; 3] {
        [self.along, self.across, self.normal].map(|s| s.powi(power))
    }

    fn stretch(&self, v: Vector3) -> Vector3 {
        self.scale(v, self.axes(1))
    }

    fn restore(&self, v: Vector3) -> Vector3 {
        self.scale(v, self.axes(-1))
    }

    fn soften(&self, v: Vector3) -> Vector3 {
        self.scale(v, self.axes(-2))
    }

    /// `S^p`.
    fn matrix(&self, power: i32) -> Matrix3 {
        let [along, across, normal] = self.axes(power);
        let Stretched { n, t, .. } = self.of;
        Matrix3::from_diagonal_element(across)
            + t * t.transpose() * (along - across)
            + n * n.transpose() * (normal - across)
    }

    /// `∂(S^p v)/∂n`.
    fn by_normal(&self, v: Vector3, power: i32) -> Matrix3 {
        let [along, across, normal] = self.axes(power);
        let Stretched { n, t, t_by_normal, .. } = self.of;
        let outer =
            |axis: &Vector3| Matrix3::from_diagonal_element(axis.dot(&v)) + axis * v.transpose();
        outer(t) * t_by_normal * (along - across) + outer(n) * (normal - across)
    }
}
