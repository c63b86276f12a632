//! Time integrators in one form.
//!
//! Every stage of every scheme solves for an end velocity `v` [Lar22, §2.5; corrected]:
//!
//! $$ M (v - \hat v) - \gamma\, f(t, \hat q + \beta v, v) - e = 0, \qquad q = \hat q + \beta v $$
//!
//! | scheme, stage | `v̂` | `q̂` | `β` | `γ` | `e` |
//! |---|---|---|---|---|---|
//! | backward Euler | `v₀` | `q₀` | `h` | `h` | 0 |
//! | BDF2 | `(4 v₀ − v₋₁)/3` | `(4 q₀ − q₋₁)/3` | `2h/3` | `2h/3` | 0 |
//! | trapezoid rule | `v₀` | `q₀ + h/2 v₀` | `h/2` | `h/2` | `h/2 f₀` |
//! | TR-BDF2(g), 1 | `v₀` | `q₀ + gh/2 v₀` | `gh/2` | `gh/2` | `gh/2 f₀` |
//! | TR-BDF2(g), 2 | `a vₘ − b v₀` | `a qₘ − b q₀` | `(1−g)h/(2−g)` | same | 0 |
//! | SDIRK2, 1 | `v₀` | `q₀` | `αh` | `αh` | 0 |
//! | SDIRK2, 2 | `v₀` | `q₀ + (1−α)h vₘ` | `αh` | `αh` | `(1−α)h fₘ` |
//! | Newmark(β, γ) | `v₀` | `q₀ + h(1 − β/γ) v₀ + h²(½ − β/γ) M⁻¹f₀` | `hβ/γ` | `hγ` | `h(1−γ) f₀` |
//!
//! with `a = 1/(g(2−g))`, `b = (1−g)²/(g(2−g))`, `α = 1 − 1/√2`. The explicit parts `f₀`, `fₘ` hold all
//! forces, contact and friction too.

mod integrator;

pub use integrator::{Integrator, IntegratorError, Unfinished};

use std::fmt;

/// What is integrated: `M dv/dt = f(t, q, v)`, `dq/dt = v`. Vectors are flat.
pub trait Dynamics {
    /// Diagonal of `M` [kg].
    fn masses(&self) -> &[f64];

    /// A step of length `h` is about to be tried from the state `(q, v)` at time `t`.
    fn begin(&mut self, _t: f64, _h: f64, _q: &[f64], _v: &[f64]) {}

    /// Whether forces have just jumped, so that those of the past are a bad guide. The trapezoid rule and
    /// TR-BDF2 then take a step of SDIRK2.
    fn is_rough(&self) -> bool {
        false
    }

    /// Whether velocities jump, in the step that has begun or in the one before. All schemes then take a step of
    /// backward Euler.
    fn is_struck(&self) -> bool {
        false
    }

    /// Whether something stiff and curved holds bodies that do not give way, such as joints. SDIRK2 gains energy
    /// there: its velocities are those of the middle of the step, extrapolated. Where steps were halved, BDF2 goes on
    /// with backward Euler.
    fn is_held(&self) -> bool {
        false
    }

    /// Writes `f(t, q, v)` [N].
    fn force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]);

    /// A step has ended, and the state holds its end: time to change coordinates, if they follow what moves.
    fn end(&mut self, _state: &mut Trajectory) {}

    /// Solves a stage. `v` comes in as a guess and goes out as the solution, `q` is written.
    /// Whatever is prescribed is set to its values at the stage's time instead.
    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport;
}

/// One implicit equation, as in the table of [the module](self).
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// End of the stage [s].
    pub time: f64,
    /// Position per velocity [s].
    pub beta: f64,
    /// Impulse per force [s].
    pub gamma: f64,
    /// Known part of the position [m].
    pub q_hat: Vec<f64>,
    /// Known part of the velocity [m/s].
    pub v_hat: Vec<f64>,
    /// Known part of the impulse [N·s].
    pub impulse: Vec<f64>,
    /// How the known part of anything else is formed that is integrated along.
    pub history: StageHistory,
}

impl Stage {
    /// With `β = γ` and no explicit force.
    pub(crate) fn implicit(time: f64, beta: f64, q_hat: &[f64], v_hat: &[f64]) -> Self {
        let (gamma, impulse, history) = (beta, vec![0.0; q_hat.len()], StageHistory::default());
        Self { time, beta, gamma, q_hat: q_hat.to_vec(), v_hat: v_hat.to_vec(), impulse, history }
    }
}

/// The known part `ŷ` of a variable `y` with `dy/dt = …`, formed just as `q̂` is from `q`:
///
/// $$ \hat y = a_0 y_0 + a_{-} y_{-1} + a_m y_m + b_0 \dot y_0 + b_m \dot y_m, \qquad \dot y = (y - \hat y)/\beta $$
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageHistory {
    /// Weight of the start of the step.
    pub now: f64,
    /// Weight of one step before.
    pub before: f64,
    /// Weight of the end of the first stage.
    pub middle: f64,
    /// Weight of the rate at the start of the step [s].
    pub rate_now: f64,
    /// Weight of the rate at the end of the first stage [s].
    pub rate_middle: f64,
    /// Whether differences of positions tell displacements without error: in schemes whose only stage ends with the
    /// step and that look at no rates.
    pub by_position: bool,
}

impl Default for StageHistory {
    /// The start of the step alone.
    fn default() -> Self {
        Self {
            now: 1.0,
            before: 0.0,
            middle: 0.0,
            rate_now: 0.0,
            rate_middle: 0.0,
            by_position: false,
        }
    }
}

/// How a stage was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct StageReport {
    /// Why the solver stopped.
    pub status: crate::solve::Status,
    /// The stop test that held, if it converged.
    pub reason: Option<crate::solve::newton::StopReason>,
    /// Newton iterations.
    pub iterations: usize,
    /// What is left at the start and after each iteration, in [`StageReport::unit`].
    pub residuals: Vec<f64>,
    /// What residuals are measured in.
    pub unit: Unit,
    /// Iterations that needed a positive definite substitute for the Jacobian.
    pub projected: usize,
    /// What is to be done if the equations were solved but the answer will not do.
    pub retry: Option<Retry>,
}

/// What a residual is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Largest unbalanced acceleration of any node.
    #[default]
    Acceleration,
    /// Largest error of a contact's velocity.
    Velocity,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Acceleration => "m/s²",
            Self::Velocity => "m/s",
        })
    }
}

/// What a solver has left, with its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: Unit,
}

impl fmt::Display for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1e} {}", self.value, self.unit)
    }
}

/// Why a solution is refused, and what to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Something about the system was changed: the same step once more.
    Again,
    /// Too much happened at once: a shorter step.
    Shorter,
}

impl Default for StageReport {
    /// Nothing tried, nothing wrong.
    fn default() -> Self {
        Self {
            status: crate::solve::Status::Converged,
            reason: None,
            iterations: 0,
            residuals: Vec::new(),
            unit: Unit::default(),
            projected: 0,
            retry: None,
        }
    }
}

impl StageReport {
    /// Adds another solve of the same stage; its outcome counts.
    pub fn add(&mut self, other: Self) {
        self.iterations += other.iterations;
        self.projected += other.projected;
        self.residuals.extend(other.residuals);
        (self.status, self.reason, self.retry) = (other.status, other.reason, other.retry);
        self.unit = other.unit;
    }

    /// Whether the stage was solved to its tolerance.
    pub fn converged(&self) -> bool {
        self.status.converged() && self.retry.is_none()
    }
}

/// Positions and velocities at a time, and one time step before it for multistep schemes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Time [s].
    pub time: f64,
    /// Positions [m].
    pub q: Vec<f64>,
    /// Velocities [m/s].
    pub v: Vec<f64>,
    /// The state `step` seconds ago, if it is known.
    pub before: Option<Before>,
}

/// A state of the past.
#[derive(Clone, Debug, PartialEq)]
pub struct Before {
    /// Time since then [s].
    pub step: f64,
    /// Positions [m].
    pub q: Vec<f64>,
    /// Velocities [m/s].
    pub v: Vec<f64>,
}

impl Trajectory {
    /// A start without history.
    pub fn new(time: f64, q: Vec<f64>, v: Vec<f64>) -> Self {
        Self { time, q, v, before: None }
    }
}

impl fmt::Display for Integrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BackwardEuler => f.write_str("backward Euler"),
            Self::Bdf2 => f.write_str("BDF2"),
            Self::Trapezoid => f.write_str("trapezoid rule"),
            Self::TrBdf2 { split } => write!(f, "TR-BDF2 (split {split:.4})"),
            Self::Sdirk2 => f.write_str("SDIRK2"),
            Self::Newmark { beta, gamma } => write!(f, "Newmark (β = {beta}, γ = {gamma})"),
        }
    }
}
