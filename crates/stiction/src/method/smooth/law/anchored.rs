//! Anchored friction: a stiff tangential spring with a damper, in series with an exact Coulomb slider.
//!
//! $$ t = s + c\,\dot z, \quad s = k z, \quad \dot z = u - \xi, \quad |t| \le \mu N, \quad
//!    \xi = 0 \text{ if } |t| < \mu N, \quad \xi \parallel t \text{ else} $$
//!
//! At rest it does not creep: where nothing slips, the traction stays what it was. One implicit stage of length `β`,
//! with `ŝ` the known part of `s` and `e` the slip of the stage, has the closed form
//!
//! $$ k_e = k + c/\beta, \quad x = \hat s + k_e e, \quad t = \mu N\, \sigma(|x|/\mu N)\, x/|x|, \quad
//!    s = \hat s + (t - \hat s)\, k/k_e $$
//!
//! It is solved with the traction `T` as an unknown of its own, through the natural map
//!
//! $$ g = e + (\hat s - T)/k_e, \quad X = T + \rho g, \quad C = T - \mu N\, \sigma(|X|/\mu N)\, X/|X| = 0 $$
//!
//! so that stick and slip are decided by `T` and `e` together and a large `k_e` does not make Newton's method
//! hesitate between them. `ρ = k_e` is the primal form, `k_e = ∞` exact Coulomb friction.

use super::Response;
use crate::math::{Matrix3, Vector3};

/// The law of one contact in one stage.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias("stick", "slip", "presliding"))]
pub struct Anchored {
    /// Coefficient of friction `μ` [-].
    pub coefficient: f64,
    /// `1/k_e`, zero for exact friction [m/N].
    pub compliance: f64,
    /// Share of the spring in the effective stiffness, `k/k_e` [-].
    pub elastic_share: f64,
    /// `ρ`: any positive value has the same solution [N/m].
    pub scaling: f64,
    /// How the limit is rounded.
    pub corner: Corner,
}

/// The passage from stick to slip, `σ(y)`: `y` below `1 − w`, 1 above `1 + w`, a parabola between.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner(
    /// Half width `w`, zero for the exact law [-].
    pub f64,
);

impl Corner {
    /// `σ(y)` and its slope.
    pub fn at(self, y: f64) -> (f64, f64) {
        let w = self.0;
        if y <= 1.0 - w {
            (y, 1.0)
        } else if y >= 1.0 + w {
            (1.0, 0.0)
        } else {
            let over = y - 1.0 + w;
            (y - over * over / (4.0 * w), 1.0 - over / (2.0 * w))
        }
    }
}

/// Regularises the elimination of exact friction, whose own compliance is zero [-].
const EXACT: f64 = 1e-6;

impl Anchored {
    /// The law at the iterate `traction`, for a slip and a remembered traction, under a normal force.
    pub fn respond(
        &self,
        traction: Vector3,
        slip: Vector3,
        memory: Vector3,
        normal: f64,
    ) -> Response {
        let Self { compliance, scaling, .. } = *self;
        let trial = traction + (slip + (memory - traction) * compliance) * scaling;
        let (clipped, slope, by_normal) = self.clip(trial, normal);
        let residual = traction - clipped;
        // (I − c D) ΔT = −C + ρ D (Δe + Δŝ/k_e) + h ΔN
        let kept = 1.0 - (scaling * compliance).max(EXACT);
        let inverse = slope.inverse_of_rest(kept);
        Response {
            residual,
            correction: inverse * -residual,
            by_slip: inverse * slope.matrix() * scaling,
            by_normal: inverse * by_normal,
        }
    }

    /// The traction as a function of slip alone: the primal form.
    pub fn primal(&self, slip: Vector3, memory: Vector3, normal: f64) -> (Vector3, Response) {
        let trial = memory + slip / self.compliance;
        let (clipped, slope, by_normal) = self.clip(trial, normal);
        let zero = Vector3::zeros();
        let by_slip = slope.matrix() / self.compliance;
        (clipped, Response { residual: zero, correction: zero, by_slip, by_normal })
    }

    /// The spring's share of a traction that solves the law: what is remembered of it [N].
    pub fn elastic(&self, traction: Vector3, memory: Vector3) -> Vector3 {
        memory + (traction - memory) * self.elastic_share
    }

    /// How far a contact gives way before it slips [m]; for exact friction, a length the solver can tell from zero.
    pub fn presliding(&self, normal: f64) -> f64 {
        self.coefficient * normal * self.compliance.max(1.0 / self.scaling)
    }

    /// Plastic slip of a stage at its solution [m].
    pub fn plastic_slip(&self, traction: Vector3, slip: Vector3, memory: Vector3) -> Vector3 {
        slip - (traction - memory) * self.compliance
    }

    /// `μ N σ(|x|/μN) x/|x|`, its derivative by `x`, and by `N`.
    fn clip(&self, x: Vector3, normal: f64) -> (Vector3, Slope, Vector3) {
        let (limit, size) = (self.coefficient * normal, x.norm());
        if limit <= 0.0 {
            return (Vector3::zeros(), Slope::NONE, Vector3::zeros());
        }
        let y = size / limit;
        let (sigma, slope) = self.corner.at(y);
        if size == 0.0 {
            return (x, Slope::UNIT, Vector3::zeros());
        }
        let direction = x / size;
        let slope = Slope { direction, along: slope, across: limit * sigma / size };
        let by_normal = direction * (self.coefficient * (sigma - y * slope.along));
        // In stick the very bits of `x`: no rounding may creep.
        let clipped = if y <= 1.0 - self.corner.0 { x } else { direction * (limit * sigma) };
        (clipped, slope, by_normal)
    }
}

/// A symmetric matrix with one value along a direction and another across it.
#[derive(Clone, Copy, Debug)]
struct Slope {
    direction: Vector3,
    along: f64,
    across: f64,
}

impl Slope {
    const NONE: Self = Self { direction: Vector3::new(0.0, 0.0, 0.0), along: 0.0, across: 0.0 };
    const UNIT: Self = Self { direction: Vector3::new(0.0, 0.0, 0.0), along: 1.0, across: 1.0 };

    fn matrix(&self) -> Matrix3 {
        Matrix3::from_diagonal_element(self.across)
            + self.direction * self.direction.transpose() * (self.along - self.across)
    }

    /// `(I − c D)⁻¹`.
    fn inverse_of_rest(&self, c: f64) -> Matrix3 {
        let inverse = |value: f64| 1.0 / (1.0 - c * value);
        Self { direction: self.direction, along: inverse(self.along), across: inverse(self.across) }
            .matrix()
    }
}
