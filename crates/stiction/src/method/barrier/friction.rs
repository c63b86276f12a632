//! Friction of one contact in one step, with a potential: a stiff spring in series with a slider, whose limit is that
//! of the normal force known so far (lagged).
//!
//! With the elastic traction `s` of the step before, the slip `u` since then and a spring `k`, `y = |s + k u|`:
//!
//! $$ D(u) = \frac{1}{k} \begin{cases} \tfrac12 y^2 & y \le \mu N \\ \mu N y - \tfrac12 (\mu N)^2 \end{cases},
//!    \qquad t = \partial D = \min\!\Bigl(1, \frac{\mu N}{y}\Bigr) (s + k u) $$
//!
//! What sticks keeps its traction from step to step and does not creep. `D` is convex and once differentiable.

use crate::math::{Matrix3, Vector3};

/// What a contact knows of friction during one minimisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    /// What it acts on, and with which weights.
    pub(super) vertices: [u32; 4],
    pub(super) coefficients: [f64; 4],
    pub(super) normal: Vector3,
    /// How far a half-space carried the place since the step began [m].
    pub(super) carried: Vector3,
    /// `μN` [N].
    pub(super) limit: f64,
    /// `s` [N].
    pub(super) elastic: Vector3,
    /// `k` [N/m].
    pub(super) stiffness: f64,
}

impl Held {
    /// `u`, for displacements since the step began [m].
    pub(super) fn slip(&self, moved: impl Fn(u32) -> Vector3) -> Vector3 {
        let each = self.vertices.iter().zip(&self.coefficients).filter(|(_, c)| **c != 0.0);
        let moved = each.map(|(&v, &c)| moved(v) * c).sum::<Vector3>() - self.carried;
        moved - self.normal * self.normal.dot(&moved)
    }

    fn trial(&self, slip: Vector3) -> Vector3 {
        self.elastic + slip * self.stiffness
    }

    /// `D` [J].
    pub(super) fn energy(&self, slip: Vector3) -> f64 {
        let y = self.trial(slip).norm();
        let twice = if y <= self.limit { y * y } else { (2.0 * y - self.limit) * self.limit };
        0.5 * twice / self.stiffness
    }

    /// `t` [N].
    pub(super) fn traction(&self, slip: Vector3) -> Vector3 {
        let trial = self.trial(slip);
        let y = trial.norm();
        if y <= self.limit { trial } else { trial * (self.limit / y) }
    }

    /// Whether it slides.
    pub(super) fn slides(&self, slip: Vector3) -> bool {
        self.trial(slip).norm() > self.limit
    }

    /// `∂t/∂u` [N/m].
    pub(super) fn bend(&self, slip: Vector3) -> Matrix3 {
        let along = Matrix3::identity() - self.normal * self.normal.transpose();
        let trial = self.trial(slip);
        let y = trial.norm();
        if y <= self.limit {
            return along * self.stiffness;
        }
        let way = trial / y;
        (along - way * way.transpose()) * (self.stiffness * self.limit / y)
    }
}
