//! The rod: one mass on a spring that leans on a running belt [Lar22, §4.5].
//!
//! ```text
//!        ● anchor at the origin
//!         \
//!          \  spring k, rest length √2
//!           ●  mass m at q = (x, y)
//!  ══════════════  belt at y = −1, running at v_s
//! ```
//!
//! $$ f = -k\Bigl(1 - \frac{\sqrt2}{|q|}\Bigr) q
//!      + \bigl(\mu b' \eta(v_x - v_s),\, -b'\bigr) + m g,
//!    \qquad b = \frac{\kappa}{\delta}(\delta - d)^3, \quad \eta(u) = \frac{u}{|u| + \varepsilon} $$
//!
//! with the gap `d = y + 1`; `b` vanishes for `d ≥ δ`. The smallest system that has all of it: elasticity,
//! contact, friction, an unstable rest position, and a Jacobian that is not symmetric.

use nalgebra::{Matrix2, Matrix4, Vector2, Vector4};
use stiction::solve::Status;
use stiction::solve::newton::{
    Evaluation, LastStep, Residual, RootProblem, Settings, StopReason, Workspace, solve,
};
use stiction::step::{Dynamics, Integrator, Stage, StageReport, Trajectory};

const REST_LENGTH: f64 = std::f64::consts::SQRT_2;

/// A rod and its belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rod {
    /// Of the spring [N/m].
    pub(crate) stiffness: f64,
    /// At the end of the rod, in `x` and in `y` alike [kg].
    pub(crate) mass: f64,
    /// `μ` [-].
    pub(crate) friction: f64,
    /// `κ`, of contact [N/m].
    pub(crate) penalty: f64,
    /// `δ`, the gap below which the belt pushes [m].
    pub(crate) gap: f64,
    /// `ε`, the slip at which half of the friction acts [m/s].
    pub(crate) slip: f64,
    /// `v_s` [m/s].
    pub(crate) belt_speed: f64,
    /// Downward [m/s²].
    pub(crate) gravity: f64,
}

/// A stiff belt running to the left: the energy traces.
pub(crate) const RUNNING: Rod = Rod {
    stiffness: 15.0,
    mass: 1.0,
    friction: 0.2,
    penalty: 1e3,
    gap: 0.01,
    slip: 0.01,
    belt_speed: -0.5,
    gravity: 9.81,
};

/// A soft belt at rest: the eigenvalues.
pub(crate) const RESTING: Rod = Rod {
    stiffness: 10.0,
    mass: 1.0,
    friction: 1.2,
    penalty: 100.0,
    gap: 0.4,
    slip: 0.01,
    belt_speed: 0.0,
    gravity: 9.81,
};

/// Pressed on the belt and moving: where one-step results and orders are compared.
pub(crate) const IN_CONTACT: (Vector2<f64>, Vector2<f64>) =
    (Vector2::new(0.3, -0.995), Vector2::new(0.1, -0.05));

impl Rod {
    /// Where the rod stands upright on the belt, pressed together.
    pub(crate) const UPRIGHT: Vector2<f64> = Vector2::new(0.0, -1.0);

    /// Where the rod leans at its rest length and just touches nothing.
    pub(crate) fn leaning(&self) -> Vector2<f64> {
        Vector2::new(-1.0, -1.0 + self.gap)
    }

    /// All forces on the mass [N].
    pub(crate) fn force_at(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        let spring = -self.stiffness * (1.0 - REST_LENGTH / q.norm()) * q;
        let (b1, _) = self.contact(q);
        let (eta, _) = self.sliding(v);
        spring + Vector2::new(self.friction * b1 * eta, -b1 - self.mass * self.gravity)
    }

    /// `∂f/∂q` [N/m] and `∂f/∂v` [N·s/m].
    pub(crate) fn force_change(
        &self,
        q: &Vector2<f64>,
        v: &Vector2<f64>,
    ) -> (Matrix2<f64>, Matrix2<f64>) {
        let length = q.norm();
        let along = REST_LENGTH / length.powi(3) * q * q.transpose();
        let mut f_q =
            -self.stiffness * (Matrix2::identity() * (1.0 - REST_LENGTH / length) + along);
        let (b1, b2) = self.contact(q);
        let (eta, eta1) = self.sliding(v);
        f_q[(0, 1)] += self.friction * b2 * eta; // and nothing at (1, 0): not symmetric
        f_q[(1, 1)] -= b2;
        (f_q, Matrix2::new(self.friction * b1 * eta1, 0.0, 0.0, 0.0))
    }

    /// `½ m |v|²` [J].
    pub(crate) fn kinetic_energy(&self, v: &Vector2<f64>) -> f64 {
        0.5 * self.mass * v.norm_squared()
    }

    /// The system as `d(q, v)/dt`, linearised at rest.
    pub(crate) fn linearised(&self, q: &Vector2<f64>) -> Matrix4<f64> {
        let (f_q, f_v) = self.force_change(q, &Vector2::zeros());
        let mut a = Matrix4::zeros();
        a.fixed_view_mut::<2, 2>(0, 2).fill_with_identity();
        a.fixed_view_mut::<2, 2>(2, 0).copy_from(&(f_q / self.mass));
        a.fixed_view_mut::<2, 2>(2, 2).copy_from(&(f_v / self.mass));
        a
    }

    /// Eigenvalues upright on a belt at rest [1/s]: falling over, sticking, and the frequency of bouncing.
    pub(crate) fn upright_eigenvalues(&self) -> [f64; 3] {
        let drag = 3.0 * self.gap * self.penalty * self.friction / self.slip;
        let fall = self.stiffness * (REST_LENGTH - 1.0);
        let root = (drag * drag + 4.0 * self.mass * fall).sqrt();
        // The first as a quotient: as a difference it would lose the digits it has.
        let bounce = ((self.stiffness + 6.0 * self.penalty) / self.mass).sqrt();
        [2.0 * fall / (drag + root), -0.5 * (drag + root) / self.mass, bounce]
    }

    /// Eigenvalues just above the belt [1/s]: `±` the first are real, `±` the second imaginary.
    pub(crate) fn leaning_eigenvalues(&self) -> [f64; 2] {
        let length_sq = 1.0 + (1.0 - self.gap).powi(2);
        let stiffness = self.stiffness / self.mass;
        [(stiffness * (REST_LENGTH / length_sq.sqrt() - 1.0)).sqrt(), stiffness.sqrt()]
    }

    /// Condition number of a step of backward Euler, upright on the belt [-].
    pub(crate) fn condition(&self, h: f64) -> f64 {
        let (f_q, f_v) = self.force_change(&Self::UPRIGHT, &Vector2::zeros());
        let j = Matrix2::identity() - (f_v + f_q * h) * (h / self.mass);
        let values = j.singular_values();
        values.max() / values.min()
    }

    /// What that tends to for a hard belt at rest, `κ → ∞` [-].
    pub(crate) fn condition_limit(&self, h: f64) -> f64 {
        let ratio = 2.0 * h * self.slip / (self.gap * self.friction);
        ratio.max(1.0 / ratio)
    }

    /// `b′` [N] and `b″` [N/m].
    fn contact(&self, q: &Vector2<f64>) -> (f64, f64) {
        let depth = (self.gap - (q.y + 1.0)).max(0.0);
        let scale = self.penalty / self.gap;
        (-3.0 * scale * depth * depth, 6.0 * scale * depth)
    }

    /// `η` [-] and `η′` [s/m].
    fn sliding(&self, v: &Vector2<f64>) -> (f64, f64) {
        let u = v.x - self.belt_speed;
        let scale = u.abs() + self.slip;
        (u / scale, self.slip / (scale * scale))
    }
}

/// The motion from `q`, `v`: velocities at the start and after each of `steps` steps of `h` [m/s], and the last
/// position.
///
/// # Errors
/// When a stage cannot be solved.
pub(crate) fn integrate(
    rod: Rod,
    integrator: Integrator,
    (q, v): (Vector2<f64>, Vector2<f64>),
    h: f64,
    steps: usize,
) -> Result<(Vec<Vector2<f64>>, Vector2<f64>), String> {
    let mut dynamics = RodDynamics::new(rod);
    let mut state = Trajectory::new(0.0, q.as_slice().to_vec(), v.as_slice().to_vec());
    let mut velocities = vec![v];
    for _ in 0..steps {
        integrator.step(&mut dynamics, &mut state, h).map_err(|unfinished| {
            let status = unfinished.reports.last().map(|report| report.status);
            format!("{integrator} with h = {h} s stops at {} s: {status:?}", state.time)
        })?;
        velocities.push(Vector2::from_row_slice(&state.v));
    }
    Ok((velocities, Vector2::from_row_slice(&state.q)))
}

/// Measured order: the error at `duration` with `steps` steps against that with twice as many, as a power of two.
///
/// # Errors
/// When a stage cannot be solved.
pub(crate) fn order(
    rod: Rod,
    integrator: Integrator,
    start: (Vector2<f64>, Vector2<f64>),
    duration: f64,
    steps: usize,
) -> Result<f64, String> {
    let end = |integrator: Integrator, steps: usize| {
        let (velocities, q) = integrate(rod, integrator, start, duration / steps as f64, steps)?;
        let v = velocities[steps];
        Ok::<_, String>(Vector4::new(q.x, q.y, v.x, v.y))
    };
    let exact = end(Integrator::Sdirk2, 64 * steps)?;
    let error = |steps: usize| Ok::<_, String>((end(integrator, steps)? - exact).norm());
    Ok((error(steps)? / error(2 * steps)?).log2())
}

/// The rod as the integrators of the library see it.
pub(crate) struct RodDynamics {
    rod: Rod,
    masses: [f64; 2],
    workspace: Workspace,
}

impl RodDynamics {
    pub(crate) fn new(rod: Rod) -> Self {
        Self { rod, masses: [rod.mass; 2], workspace: Workspace::default() }
    }
}

impl Dynamics for RodDynamics {
    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn force(&mut self, _t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        f.copy_from_slice(
            self.rod.force_at(&Vector2::from_row_slice(q), &Vector2::from_row_slice(v)).as_slice(),
        );
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        let mut problem = StageProblem { rod: self.rod, stage };
        let settings = Settings { tolerance: 1e-11, ..Settings::default() };
        let solved = solve(&mut problem, v, &settings, &mut self.workspace);
        q.copy_from_slice(problem.position(v).as_slice());
        StageReport {
            status: solved.report.status,
            reason: solved.reason,
            iterations: solved.report.iterations,
            residuals: solved.report.residuals,
            projected: 0,
            ..StageReport::default()
        }
    }
}

/// `M (v − v̂) − γ f(q̂ + β v, v) − e = 0`, two equations for the end velocity.
struct StageProblem<'a> {
    rod: Rod,
    stage: &'a Stage,
}

impl StageProblem<'_> {
    fn position(&self, v: &[f64]) -> Vector2<f64> {
        Vector2::from_row_slice(&self.stage.q_hat) + Vector2::from_row_slice(v) * self.stage.beta
    }
}

impl Residual for StageProblem<'_> {
    fn dimension(&self) -> usize {
        2
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
        let v = Vector2::from_row_slice(x);
        let impulse = Vector2::from_row_slice(&self.stage.impulse);
        let inertia = (v - Vector2::from_row_slice(&self.stage.v_hat)) * self.rod.mass;
        let force = self.rod.force_at(&self.position(x), &v);
        r.copy_from_slice((inertia - force * self.stage.gamma - impulse).as_slice());
        Evaluation::Valid
    }

    /// As an acceleration [m/s²].
    fn norm(&self, r: &[f64]) -> f64 {
        Vector2::from_row_slice(r).norm() / (self.rod.mass * self.stage.gamma)
    }

    /// A step in the last digits ends the solve too: of a very short stage, rounding is all that is left.
    fn converged(&self, x: &[f64], _r: &[f64], step: Option<LastStep<'_>>) -> Option<StopReason> {
        let LastStep { change, length } = step?;
        let size = 1.0 + Vector2::from_row_slice(x).norm();
        let still = length >= 1.0 && Vector2::from_row_slice(change).norm() <= 1e-13 * size;
        still.then_some(StopReason::Step)
    }
}

impl RootProblem for StageProblem<'_> {
    fn direction(&mut self, x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        let v = Vector2::from_row_slice(x);
        let (f_q, f_v) = self.rod.force_change(&self.position(x), &v);
        let Stage { beta, gamma, .. } = *self.stage;
        let jacobian = Matrix2::identity() * self.rod.mass - (f_v + f_q * beta) * gamma;
        let inverse = jacobian.try_inverse().ok_or(Status::Breakdown)?;
        p.copy_from_slice((-(inverse * Vector2::from_row_slice(r))).as_slice());
        Ok(())
    }
}
