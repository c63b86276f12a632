//! Integrators reproduce their one-step vectors, orders and stiff limits on the damped oscillator.

use stiction::solve::Status;
use stiction::step::{Before, Dynamics, Integrator, Stage, StageReport, Trajectory};

/// `m q̈ = f₀ − k q − c q̇`, whose stages are solved in closed form.
#[derive(Clone, Copy)]
struct Oscillator {
    m: [f64; 1],
    k: f64,
    c: f64,
    f0: f64,
}

impl Dynamics for Oscillator {
    fn masses(&self) -> &[f64] {
        &self.m
    }

    fn force(&mut self, _t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        f[0] = self.f0 - self.k * q[0] - self.c * v[0];
    }

    fn solve(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> StageReport {
        let Self { m: [m], k, c, f0 } = *self;
        let known = m * stage.v_hat[0] + stage.gamma * (f0 - k * stage.q_hat[0]) + stage.impulse[0];
        v[0] = known / (m + stage.gamma * (c + stage.beta * k));
        q[0] = stage.q_hat[0] + stage.beta * v[0];
        StageReport {
            status: Status::Converged,
            reason: None,
            iterations: 1,
            residuals: vec![0.0],
            projected: 0,
            ..StageReport::default()
        }
    }
}

const NEWMARK: Integrator = Integrator::Newmark { beta: 0.25, gamma: 0.5 };
const HALF: Integrator = Integrator::TrBdf2 { split: 0.5 };

fn one_step(
    oscillator: Oscillator,
    integrator: Integrator,
    state: &Trajectory,
    h: f64,
) -> (f64, f64) {
    let mut state = state.clone();
    integrator.step(&mut { oscillator }, &mut state, h).expect("stages are solved exactly");
    (state.q[0], state.v[0])
}

/// Spec §5.1, first table.
#[test]
fn one_step_reproduces_the_vectors() {
    let oscillator = Oscillator { m: [2.0], k: 5000.0, c: 3.0, f0: -19.62 };
    let before = Before { step: 0.01, q: vec![0.104], v: vec![-0.3] };
    let state = Trajectory { time: 0.0, q: vec![0.1], v: vec![-0.5], before: Some(before) };
    for (integrator, q, v) in [
        (Integrator::BackwardEuler, 0.07550909090909091, -2.4490909090909088),
        (Integrator::Trapezoid, 0.08318644859813085, -2.862710280373832),
        (NEWMARK, 0.08318644859813085, -2.862710280373832),
        (Integrator::Bdf2, 0.08512943508424183, -2.030584737363726),
        (HALF, 0.08287315965645448, -2.8826995586124013),
        (Integrator::TR_BDF2, 0.08286331687460906, -2.883270436150907),
        (Integrator::Sdirk2, 0.08286331687460907, -2.883270436150907),
    ] {
        let (q_end, v_end) = one_step(oscillator, integrator, &state, 0.01);
        assert!((q_end - q).abs() < 1e-11 * q.abs(), "{integrator}: q = {q_end}, not {q}");
        assert!((v_end - v).abs() < 1e-11 * v.abs(), "{integrator}: v = {v_end}, not {v}");
    }
}

/// The exact motion of `m = 1, k = 4, c = 0.1, f₀ = 1` from `q = 1, v = 0`.
fn exact(t: f64) -> (f64, f64) {
    let (a, rest) = (0.05_f64, 0.25);
    let w = (4.0 - a * a).sqrt();
    let amplitude = 1.0 - rest;
    let (s, c) = (w * t).sin_cos();
    let decay = (-a * t).exp();
    let q = rest + decay * amplitude * (c + a / w * s);
    let v = -decay * amplitude * (w + a * a / w) * s;
    (q, v)
}

fn error_at_two_seconds(integrator: Integrator, steps: usize) -> f64 {
    let h = 2.0 / steps as f64;
    let (q, v) = exact(-h);
    let before = Some(Before { step: h, q: vec![q], v: vec![v] });
    let mut state = Trajectory { time: 0.0, q: vec![1.0], v: vec![0.0], before };
    let mut oscillator = Oscillator { m: [1.0], k: 4.0, c: 0.1, f0: 1.0 };
    for _ in 0..steps {
        integrator.step(&mut oscillator, &mut state, h).expect("stages are solved exactly");
    }
    let (q, v) = exact(2.0);
    (state.q[0] - q).hypot(state.v[0] - v)
}

/// Spec §5.1, order test; printed to four or five digits.
#[test]
fn errors_fall_with_the_printed_orders() {
    for (integrator, printed) in [
        (Integrator::BackwardEuler, [0.17386, 0.08962, 0.04547, 0.02290]),
        (Integrator::Trapezoid, [2.0692e-3, 5.1733e-4, 1.2934e-4, 3.2334e-5]),
        (NEWMARK, [2.0692e-3, 5.1733e-4, 1.2934e-4, 3.2334e-5]),
        (Integrator::Bdf2, [8.5078e-3, 2.1013e-3, 5.2151e-4, 1.2987e-4]),
        (HALF, [1.03959e-3, 2.5929e-4, 6.4746e-5, 1.6177e-5]),
        (Integrator::Sdirk2, [1.00945e-3, 2.5172e-4, 6.2847e-5, 1.5702e-5]),
    ] {
        for (steps, printed) in [50, 100, 200, 400].into_iter().zip(printed) {
            let error = error_at_two_seconds(integrator, steps);
            assert!(
                (error / printed - 1.0).abs() < 3e-4,
                "{integrator}, {steps} steps: {error:e}, not {printed:e}"
            );
        }
    }
}

#[test]
fn bdf2_starts_without_losing_its_order() {
    let error = |steps: usize| {
        let h = 2.0 / steps as f64;
        let mut state = Trajectory::new(0.0, vec![1.0], vec![0.0]);
        let mut oscillator = Oscillator { m: [1.0], k: 4.0, c: 0.1, f0: 1.0 };
        for _ in 0..steps {
            Integrator::Bdf2
                .step(&mut oscillator, &mut state, h)
                .expect("stages are solved exactly");
        }
        let (q, v) = exact(2.0);
        (state.q[0] - q).hypot(state.v[0] - v)
    };
    let order = (error(200) / error(400)).log2();
    assert!((order - 2.0).abs() < 0.05, "order {order}");
}

#[test]
fn newmark_with_numerical_damping_is_first_order() {
    let damped = Integrator::Newmark { beta: 0.36, gamma: 0.6 };
    let order = (error_at_two_seconds(damped, 400) / error_at_two_seconds(damped, 800)).log2();
    assert!((order - 1.0).abs() < 0.1, "order {order}");
}

/// One step of an ever stiffer spring: the trapezoid rule flips the sign, all others forget.
#[test]
fn stiff_modes_are_damped_by_all_but_the_trapezoid_rule() {
    let stiff = Oscillator { m: [1.0], k: 1e14, c: 0.0, f0: 0.0 };
    let before = Before { step: 0.01, q: vec![1.0], v: vec![0.0] };
    let start = Trajectory { time: 0.0, q: vec![1.0], v: vec![0.0], before: Some(before) };
    for integrator in
        [Integrator::BackwardEuler, Integrator::Bdf2, HALF, Integrator::TR_BDF2, Integrator::Sdirk2]
    {
        let (q, _) = one_step(stiff, integrator, &start, 0.01);
        assert!(q.abs() < 1e-6, "{integrator} keeps {q}");
    }
    for integrator in [Integrator::Trapezoid, NEWMARK] {
        let (q, _) = one_step(stiff, integrator, &start, 0.01);
        assert!((q + 1.0).abs() < 1e-6, "{integrator} gives {q}");
    }
}

#[test]
fn splits_share_a_matrix_with_sdirk2_on_linear_problems() {
    let oscillator = Oscillator { m: [2.0], k: 700.0, c: 3.0, f0: -19.62 };
    let state = Trajectory::new(0.0, vec![0.3], vec![0.7]);
    let (q, v) = one_step(oscillator, Integrator::TR_BDF2, &state, 0.02);
    let (q2, v2) = one_step(oscillator, Integrator::Sdirk2, &state, 0.02);
    assert!((q - q2).abs() < 1e-15 && (v - v2).abs() < 1e-14);
}

#[test]
fn schemes_without_stability_are_refused() {
    for bad in [
        Integrator::TrBdf2 { split: 0.0 },
        Integrator::TrBdf2 { split: f64::NAN },
        Integrator::Newmark { beta: 0.0, gamma: 0.5 },
        Integrator::Newmark { beta: 0.25, gamma: 0.4 },
    ] {
        let message = bad.check().expect_err("must be refused").to_string();
        assert!(message.contains("help:"), "{message}");
    }
}
