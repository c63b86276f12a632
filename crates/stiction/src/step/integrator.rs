//! The schemes, stage by stage.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use super::{Before, Dynamics, Stage, StageHistory, StageReport, Trajectory};

/// `α` of SDIRK2: makes it L-stable.
const ALPHA: f64 = 1.0 - FRAC_1_SQRT_2;

/// A time integrator.
///
/// | | order | stiff modes | solves a step |
/// |---|---|---|---|
/// | backward Euler | 1 | damped | 1 |
/// | BDF2 | 2 | damped | 1 |
/// | trapezoid rule | 2 | kept: they ring | 1 |
/// | TR-BDF2 | 2 | damped | 2 |
/// | SDIRK2 | 2 | damped | 2 |
/// | Newmark | 2 if `γ = ½`, else 1 | kept if `γ = ½` | 1 |
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Integrator {
    /// Robust and strongly damped.
    #[doc(alias("implicit Euler"))]
    BackwardEuler,
    /// Second order for the price of backward Euler; starts with a step of SDIRK2.
    #[default]
    Bdf2,
    /// Keeps energy, and with it every vibration.
    #[doc(alias("Crank-Nicolson"))]
    Trapezoid,
    /// A trapezoid stage over `split · h`, then BDF2.
    TrBdf2 {
        /// Where the step is split, in (0, 1) [-].
        split: f64,
    },
    /// Two equal implicit stages.
    Sdirk2,
    /// The classic of structural dynamics.
    Newmark {
        /// Weight of the new acceleration in the position, above 0 [-].
        beta: f64,
        /// Weight of the new acceleration in the velocity, above 0 [-].
        gamma: f64,
    },
}

/// A scheme with parameters out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IntegratorError {
    /// The stages of TR-BDF2 must both have a length.
    #[error("TR-BDF2 cannot split a step at {split}\n  help: {}", self.help())]
    Split {
        /// The split given.
        split: f64,
    },
    /// Newmark's parameters must make an implicit, stable scheme.
    #[error("Newmark with β = {beta}, γ = {gamma} is not unconditionally stable\n  help: {}", self.help())]
    Newmark {
        /// `β` given.
        beta: f64,
        /// `γ` given.
        gamma: f64,
    },
}

impl IntegratorError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Split { .. } => {
                "choose a split in (0, 1), such as 0.5, or 2 − √2 = 0.5858 for equal stages"
                    .to_owned()
            }
            Self::Newmark { .. } => {
                "choose γ ≥ 0.5 and β ≥ γ/2, such as β = 0.25, γ = 0.5".to_owned()
            }
        }
    }
}

impl Integrator {
    /// TR-BDF2 whose two stages have the same matrix; on linear problems it equals SDIRK2.
    pub const TR_BDF2: Self = Self::TrBdf2 { split: 2.0 - SQRT_2 };

    /// Checks parameters.
    ///
    /// # Errors
    /// When the scheme is not defined or not unconditionally stable.
    pub fn check(self) -> Result<Self, IntegratorError> {
        match self {
            Self::TrBdf2 { split } if !(split > 0.0 && split < 1.0) => {
                Err(IntegratorError::Split { split })
            }
            Self::Newmark { beta, gamma }
                if !(gamma >= 0.5 && 2.0 * beta >= gamma && beta.is_finite()) =>
            {
                Err(IntegratorError::Newmark { beta, gamma })
            }
            _ => Ok(self),
        }
    }

    /// Advances `state` by `h`. On failure of a stage the state is left as it was.
    ///
    /// # Errors
    /// The reports so far, the last of which did not converge, and where it stopped.
    pub fn step(
        self,
        dynamics: &mut impl Dynamics,
        state: &mut Trajectory,
        h: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let end = state.time + h;
        self.step_to(dynamics, state, h, end)
    }

    /// As [`Integrator::step`], to the time `end` that a caller who counts steps knows better than `state.time + h`,
    /// which is rounded. What moves on a schedule is then at the end of a step to the bit where the next one finds it.
    ///
    /// # Errors
    /// As [`Integrator::step`].
    pub fn step_to(
        self,
        dynamics: &mut impl Dynamics,
        state: &mut Trajectory,
        h: f64,
        end: f64,
    ) -> Result<Vec<StageReport>, Unfinished> {
        let mut run = Run { dynamics, reports: Vec::new() };
        let t = state.time;
        let (q0, v0) = (&state.q, &state.v);
        run.dynamics.begin(t, h, q0, v0);
        let rough = run.dynamics.is_rough();
        // Across a blow there is no order to lose, but energy to gain: v̂ of BDF2 would go on with a third of the
        // blow, and later stages of others with the force of the first.
        let scheme = if run.dynamics.is_struck() { Self::BackwardEuler } else { self };
        let (q, v) = match scheme {
            Self::BackwardEuler => run.backward_euler(end, h, q0, v0)?,
            Self::Bdf2 => match &state.before {
                Some(before) if (before.step - h).abs() <= 1e-9 * h => {
                    let [q_hat, v_hat] = [(q0, &before.q), (v0, &before.v)]
                        .map(|(now, before)| combine(4.0 / 3.0, now, -1.0 / 3.0, before));
                    let mut stage = Stage::implicit(end, 2.0 / 3.0 * h, &q_hat, &v_hat);
                    let (now, before, by_position) = (4.0 / 3.0, -1.0 / 3.0, true);
                    stage.history = StageHistory { now, before, by_position, ..Default::default() };
                    run.solve(stage, v0)?
                }
                Some(_) if run.dynamics.is_held() => run.backward_euler(end, h, q0, v0)?,
                // Without a past at the right distance: a one-step scheme of the same order and damping.
                _ => run.sdirk2([t, end], h, q0, v0)?,
            },
            // Where forces jump, the old ones would be a kick.
            Self::Trapezoid | Self::TrBdf2 { .. } if rough => run.sdirk2([t, end], h, q0, v0)?,
            Self::Trapezoid => run.trapezoid([t, end], h, q0, v0)?,
            Self::TrBdf2 { split: g } => {
                let (q_m, v_m) = run.trapezoid([t, t + g * h], g * h, q0, v0)?;
                let (a, b) = (1.0 / (g * (2.0 - g)), (1.0 - g).powi(2) / (g * (2.0 - g)));
                let (q_hat, v_hat) = (combine(a, &q_m, -b, q0), combine(a, &v_m, -b, v0));
                let mut stage = Stage::implicit(end, (1.0 - g) * h / (2.0 - g), &q_hat, &v_hat);
                stage.history = StageHistory { now: -b, middle: a, ..Default::default() };
                run.solve(stage, &v_m)?
            }
            Self::Sdirk2 => run.sdirk2([t, end], h, q0, v0)?,
            Self::Newmark { beta, gamma } => {
                let f0 = run.force(t, q0, v0);
                let ratio = beta / gamma;
                let mut q_hat = combine(1.0, q0, h * (1.0 - ratio), v0);
                for ((q, f), m) in q_hat.iter_mut().zip(&f0).zip(run.dynamics.masses()) {
                    // Massless blocks are prescribed; their position is set by the solve.
                    if *m > 0.0 {
                        *q += h * h * (0.5 - ratio) * f / m;
                    }
                }
                let impulse = f0.iter().map(|f| h * (1.0 - gamma) * f).collect();
                let history = StageHistory { rate_now: h * (1.0 - gamma), ..Default::default() };
                let (time, beta, gamma, v_hat) = (end, h * ratio, h * gamma, v0.clone());
                run.solve(Stage { time, beta, gamma, q_hat, v_hat, impulse, history }, v0)?
            }
        };
        let Run { dynamics, reports } = run;
        let q = std::mem::replace(&mut state.q, q);
        let v = std::mem::replace(&mut state.v, v);
        // Only BDF2 looks back, but a scheme may be changed on the way.
        state.before = Some(Before { step: h, q, v });
        state.time = end;
        dynamics.end(state);
        Ok(reports)
    }
}

/// A step that one of its stages did not finish.
#[derive(Clone, Debug)]
pub struct Unfinished {
    /// The stages, the last of which did not converge.
    pub reports: Vec<StageReport>,
    /// Positions where it stopped [m].
    pub q: Vec<f64>,
    /// Velocities where it stopped [m/s].
    pub v: Vec<f64>,
    /// When that is: the end of the stage, which may be in the middle of the step [s].
    pub time: f64,
}

impl Unfinished {
    /// Whether the last stage was solved but asks for another try of this kind.
    pub fn asks_for(&self, retry: super::Retry) -> bool {
        self.reports.last().is_some_and(|report| report.retry == Some(retry))
    }
}

struct Run<'a, D> {
    dynamics: &'a mut D,
    reports: Vec<StageReport>,
}

type State = (Vec<f64>, Vec<f64>);

impl<D: Dynamics> Run<'_, D> {
    fn force(&mut self, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; q.len()];
        self.dynamics.force(t, q, v, &mut f);
        f
    }

    fn solve(&mut self, stage: Stage, guess: &[f64]) -> Result<State, Unfinished> {
        let (mut q, mut v) = (stage.q_hat.clone(), guess.to_vec());
        let report = self.dynamics.solve(&stage, &mut q, &mut v);
        let converged = report.converged();
        self.reports.push(report);
        if converged {
            Ok((q, v))
        } else {
            let (reports, time) = (std::mem::take(&mut self.reports), stage.time);
            Err(Unfinished { reports, q, v, time })
        }
    }

    fn backward_euler(
        &mut self,
        end: f64,
        h: f64,
        q0: &[f64],
        v0: &[f64],
    ) -> Result<State, Unfinished> {
        let mut stage = Stage::implicit(end, h, q0, v0);
        stage.history.by_position = true;
        self.solve(stage, v0)
    }

    fn trapezoid(
        &mut self,
        [t, end]: [f64; 2],
        h: f64,
        q0: &[f64],
        v0: &[f64],
    ) -> Result<State, Unfinished> {
        let mut stage = Stage::implicit(end, 0.5 * h, &combine(1.0, q0, 0.5 * h, v0), v0);
        stage.impulse = self.force(t, q0, v0).iter().map(|f| 0.5 * h * f).collect();
        stage.history.rate_now = 0.5 * h;
        self.solve(stage, v0)
    }

    fn sdirk2(
        &mut self,
        [t, end]: [f64; 2],
        h: f64,
        q0: &[f64],
        v0: &[f64],
    ) -> Result<State, Unfinished> {
        let middle = t + ALPHA * h;
        let (q_m, v_m) = self.solve(Stage::implicit(middle, ALPHA * h, q0, v0), v0)?;
        let mut stage =
            Stage::implicit(end, ALPHA * h, &combine(1.0, q0, (1.0 - ALPHA) * h, &v_m), v0);
        stage.impulse =
            self.force(middle, &q_m, &v_m).iter().map(|f| (1.0 - ALPHA) * h * f).collect();
        stage.history.rate_middle = (1.0 - ALPHA) * h;
        self.solve(stage, &v_m)
    }
}

/// `a x + b y`.
fn combine(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}
