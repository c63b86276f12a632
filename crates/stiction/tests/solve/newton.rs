//! Newton drivers find roots at the order they promise, and say why they stop.

use std::cell::Cell;
use std::rc::Rc;

use nalgebra::{DMatrix, DVector};
use stiction::solve::inexact_newton::{self, InexactRootProblem, InnerSolve};
use stiction::solve::krylov::{self, bicgstab};
use stiction::solve::newton::{
    self, Evaluation, LastStep, LineSearch, Residual, RootProblem, StopReason,
};
use stiction::solve::operator::FunctionOperator;
use stiction::solve::precondition::Identity;
use stiction::solve::{Report, Status};

type Vector = DVector<f64>;
type Matrix = DMatrix<f64>;

/// A root problem of closures: `r` (none outside the domain) and `J`.
struct Problem {
    n: usize,
    r: fn(&[f64]) -> Option<Vector>,
    jacobian: fn(&[f64]) -> Matrix,
    /// The point of the last `residual` call.
    at: Vec<f64>,
    evaluations: usize,
    /// For inexact solves: leave a residual of exactly the tolerance.
    worst_case: bool,
}

impl Problem {
    fn new(n: usize, r: fn(&[f64]) -> Option<Vector>, jacobian: fn(&[f64]) -> Matrix) -> Self {
        Self { n, r, jacobian, at: Vec::new(), evaluations: 0, worst_case: false }
    }
}

impl Residual for Problem {
    fn dimension(&self) -> usize {
        self.n
    }

    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
        self.at = x.to_vec();
        self.evaluations += 1;
        let Some(value) = (self.r)(x) else { return Evaluation::Infeasible };
        r.copy_from_slice(value.as_slice());
        Evaluation::Valid
    }
}

impl RootProblem for Problem {
    fn direction(&mut self, x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
        assert_eq!(self.at, x, "directions are asked for where the residual was computed last");
        let solution = (self.jacobian)(x).lu().solve(&-Vector::from_column_slice(r));
        p.copy_from_slice(solution.ok_or(Status::Breakdown)?.as_slice());
        Ok(())
    }
}

impl InexactRootProblem for Problem {
    fn direction(
        &mut self,
        x: &[f64],
        r: &[f64],
        tolerance: f64,
        p: &mut [f64],
    ) -> Result<InnerSolve, Status> {
        assert!(p.iter().all(|p| p.abs() <= 0.0), "p comes in zero");
        let j = (self.jacobian)(x);
        if self.worst_case {
            let solution = j.lu().solve(&(Vector::from_column_slice(r) * (tolerance - 1.0)));
            p.copy_from_slice(solution.ok_or(Status::Breakdown)?.as_slice());
            return Ok(InnerSolve { iterations: 1, relative_residual: tolerance });
        }
        let product = |x: &[f64], y: &mut [f64]| {
            y.copy_from_slice((&j * Vector::from_column_slice(x)).as_slice());
        };
        let minus_r: Vec<f64> = r.iter().map(|r| -r).collect();
        let settings = krylov::Settings { relative_tolerance: tolerance, ..Default::default() };
        let operator = FunctionOperator::new(self.n, product);
        let report =
            bicgstab::solve(&operator, &Identity, &minus_r, p, &settings, &mut Default::default());
        let relative_residual = report.residual() / Vector::from_column_slice(r).norm();
        Ok(InnerSolve { iterations: report.iterations, relative_residual })
    }
}

/// A nonlinear chain, `(2 + x_i²/10) x_i − x_{i−1} − x_{i+1} = sin i`: smooth, regular, coupled.
fn smooth() -> Problem {
    let r = |x: &[f64]| {
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        Some(Vector::from_fn(x.len(), |i, _| {
            (2.0 + 0.1 * x[i] * x[i]) * x[i] - at(i.wrapping_sub(1)) - at(i + 1) - (i as f64).sin()
        }))
    };
    let jacobian = |x: &[f64]| {
        Matrix::from_fn(x.len(), x.len(), |i, j| match i.abs_diff(j) {
            0 => 2.0 + 0.3 * x[i] * x[i],
            1 => -1.0,
            _ => 0.0,
        })
    };
    Problem::new(20, r, jacobian)
}

/// Gradient of Rosenbrock's function as a system.
fn rosenbrock_gradient() -> Problem {
    let r = |x: &[f64]| {
        let bend = x[1] - x[0] * x[0];
        Some(Vector::from_vec(vec![-400.0 * x[0] * bend - 2.0 * (1.0 - x[0]), 200.0 * bend]))
    };
    let jacobian = |x: &[f64]| {
        let h00 = 1200.0 * x[0] * x[0] - 400.0 * x[1] + 2.0;
        Matrix::from_row_slice(2, 2, &[h00, -400.0 * x[0], -400.0 * x[0], 200.0])
    };
    Problem::new(2, r, jacobian)
}

fn solve(
    problem: &mut Problem,
    x: &mut [f64],
    settings: &newton::Settings,
) -> newton::NewtonReport {
    newton::solve(problem, x, settings, &mut newton::Workspace::default())
}

fn assert_never_rises(report: &Report) {
    assert!(report.residuals.windows(2).all(|pair| pair[1] < pair[0]), "{:?}", report.residuals);
}

#[test]
fn newton_is_quadratic_on_a_smooth_problem() {
    let mut x = vec![1.0; 20];
    let report =
        solve(&mut smooth(), &mut x, &newton::Settings { tolerance: 1e-12, ..Default::default() });
    assert!(report.converged(), "{report:?}");
    assert_eq!(report.reason, Some(StopReason::Residual));
    let tail: Vec<f64> =
        report.report.residuals.iter().copied().filter(|&e| e < 0.1 && e > 1e-13).collect();
    assert!(tail.len() >= 3, "{tail:?}");
    for pair in tail.windows(2).filter(|pair| pair[1] > 1e-12) {
        let order = pair[1].ln() / pair[0].ln();
        assert!(order > 1.7, "order {order} in {tail:?}");
    }
    assert!(report.step_lengths.iter().rev().take(3).all(|&alpha| alpha >= 1.0));
}

#[test]
fn damping_saves_newton_on_arctan_where_it_diverges_undamped() {
    let mut problem = Problem::new(
        1,
        |x| Some(Vector::from_element(1, x[0].atan())),
        |x| Matrix::from_element(1, 1, 1.0 / (1.0 + x[0] * x[0])),
    );
    let mut x = [10.0];
    let undamped = newton::Settings {
        line_search: LineSearch { sufficient_decrease: -1e300, ..Default::default() },
        ..Default::default()
    };
    assert!(
        !solve(&mut problem, &mut x, &undamped).converged(),
        "this start is past the critical 1.39"
    );
    let mut x = [10.0];
    let report = solve(&mut problem, &mut x, &newton::Settings::default());
    assert!(report.converged() && x[0].abs() < 1e-9, "{report:?}");
    assert!(report.step_lengths[0] < 1.0);
    assert_never_rises(&report.report);
}

#[test]
fn newton_finds_the_root_of_the_rosenbrock_gradient() {
    // The norm of the gradient is a poor guide along the valley: sure, but a thousand short steps.
    let mut x = [-1.2, 1.0];
    let patient = newton::Settings { max_iterations: 5000, ..Default::default() };
    let report = solve(&mut rosenbrock_gradient(), &mut x, &patient);
    assert!(report.converged(), "{:?} {:?}", report.report.iterations, x);
    assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9, "{x:?}");
    assert_never_rises(&report.report);
}

#[test]
fn steps_out_of_the_domain_are_shortened() {
    // ln x + x = 0, from the right, where the full step lands at x < 0.
    let infeasible = Problem::new(
        1,
        |x| (x[0] > 0.0).then(|| Vector::from_element(1, x[0].ln() + x[0] / 10.0)),
        |x| Matrix::from_element(1, 1, 1.0 / x[0] + 0.1),
    );
    // The same, but saying it with NaN.
    let nan =
        Problem { r: |x| Some(Vector::from_element(1, x[0].ln() + x[0] / 10.0)), ..infeasible };
    let infeasible = Problem {
        r: |x| (x[0] > 0.0).then(|| Vector::from_element(1, x[0].ln() + x[0] / 10.0)),
        at: Vec::new(),
        ..nan
    };
    for mut problem in [infeasible, Problem::new(1, nan.r, nan.jacobian)] {
        let mut x = [20.0];
        let report = solve(&mut problem, &mut x, &newton::Settings::default());
        assert!(report.converged() && x[0] > 0.0, "{report:?}");
        assert!((x[0].ln() + x[0] / 10.0).abs() < 1e-10);
        assert!(report.step_lengths[0] < 1.0);
        assert_eq!(report.evaluations, problem.evaluations);

        let mut outside = [-1.0];
        let report = solve(&mut problem, &mut outside, &newton::Settings::default());
        assert_eq!((report.report.status, outside), (Status::NotFinite, [-1.0]));
    }
}

#[test]
fn an_unreachable_tolerance_is_stagnation_and_a_problem_without_root_is_not() {
    let zero = newton::Settings { tolerance: 0.0, ..Default::default() };
    let mut x = vec![1.0; 20];
    let mut problem = smooth();
    let report = solve(&mut problem, &mut x, &zero);
    let at_root = report.converged() && report.report.residual() <= 0.0;
    assert!(at_root || report.report.status == Status::Stagnated, "{report:?}");
    assert!(report.report.residual() < 1e-14);
    assert_eq!(problem.at, x, "the last evaluation is at the returned point");

    // x² + 1: the norm has a minimum at 0, no root.
    let mut problem = Problem::new(
        1,
        |x| Some(Vector::from_element(1, x[0] * x[0] + 1.0)),
        |x| Matrix::from_element(1, 1, 2.0 * x[0]),
    );
    let mut x = [1.3];
    let report = solve(&mut problem, &mut x, &newton::Settings { max_iterations: 500, ..zero });
    let expected = [Status::LineSearchFailed, Status::Breakdown, Status::IterationLimit];
    assert!(expected.contains(&report.report.status), "{:?}", report.report.status);
    assert!(x[0].abs() < 0.5, "best iterate: {}", x[0]);
}

#[test]
fn stagnation_is_recognised_where_rounding_is_amplified() {
    // (x − 1)·1e10 in a form that rounds: steps at the floor are far above ε in residual terms.
    let mut problem = Problem::new(
        2,
        |x| {
            Some(Vector::from_vec(vec![1e10 * (x[0] * 3.0 - 1.0), (x[1] * 1e8 + x[0] * 1e8) - 1e8]))
        },
        |_| Matrix::from_row_slice(2, 2, &[3e10, 0.0, 1e8, 1e8]),
    );
    let mut x = [0.7, 0.1];
    let report =
        solve(&mut problem, &mut x, &newton::Settings { tolerance: 1e-20, ..Default::default() });
    assert!(
        report.report.status == Status::Stagnated || report.report.residual() <= 1e-20,
        "{:?} at {:e}",
        report.report.status,
        report.report.residual()
    );
}

#[test]
fn failures_of_the_linear_solve_are_passed_on() {
    let mut problem = Problem::new(
        2,
        |x| Some(Vector::from_vec(vec![x[0] + x[1] - 1.0, 2.0])),
        |_| Matrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 0.0]),
    );
    let mut x = [0.0, 0.0];
    let report = solve(&mut problem, &mut x, &newton::Settings::default());
    assert_eq!(report.report.status, Status::Breakdown);
    assert_eq!(report.direction_failure, Some(Status::Breakdown));
    problem.jacobian = |_| Matrix::from_element(2, 2, f64::NAN);
    let report = solve(&mut problem, &mut x, &newton::Settings::default());
    assert!([Status::Breakdown, Status::NotFinite].contains(&report.report.status));
    assert!(x.iter().all(|x| x.is_finite()));
}

#[test]
fn the_iteration_limit_and_empty_problems_are_handled() {
    let mut x = [-1.2, 1.0];
    let limit = newton::Settings { max_iterations: 1, ..Default::default() };
    let report = solve(&mut rosenbrock_gradient(), &mut x, &limit);
    assert_eq!((report.report.status, report.report.iterations), (Status::IterationLimit, 1));
    assert_eq!(report.report.residuals.len(), 2);
    let mut empty = Problem::new(0, |_| Some(Vector::zeros(0)), |_| Matrix::zeros(0, 0));
    assert!(solve(&mut empty, &mut [], &newton::Settings::default()).converged());
}

#[test]
fn own_norms_stop_tests_and_step_bounds_are_used() {
    struct Weighted {
        inner: Problem,
        bounds: Rc<Cell<usize>>,
    }
    impl Residual for Weighted {
        fn dimension(&self) -> usize {
            2
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
            self.inner.residual(x, r)
        }
        fn norm(&self, r: &[f64]) -> f64 {
            1e6 * r.iter().fold(0.0, |worst, r| r.abs().max(worst))
        }
        fn converged(
            &self,
            x: &[f64],
            _: &[f64],
            step: Option<LastStep<'_>>,
        ) -> Option<StopReason> {
            let LastStep { change, length } = step?;
            let small =
                change.iter().zip(x).all(|(change, x)| change.abs() < 1e-3 * (1.0 + x.abs()));
            (small && length >= 1.0).then_some(StopReason::Step)
        }
        fn step_bound(&mut self, _: &[f64], p: &[f64]) -> f64 {
            self.bounds.set(self.bounds.get() + 1);
            0.1 / p.iter().fold(0.0, |worst, p| p.abs().max(worst))
        }
    }
    impl RootProblem for Weighted {
        fn direction(&mut self, x: &[f64], r: &[f64], p: &mut [f64]) -> Result<(), Status> {
            RootProblem::direction(&mut self.inner, x, r, p)
        }
    }
    let bounds = Rc::new(Cell::new(0));
    let mut problem = Weighted { inner: rosenbrock_gradient(), bounds: bounds.clone() };
    let mut x = [2.0, 3.0];
    let settings = newton::Settings { tolerance: 0.0, max_iterations: 5000, ..Default::default() };
    let report = newton::solve(&mut problem, &mut x, &settings, &mut newton::Workspace::default());
    assert_eq!(report.reason, Some(StopReason::Step), "{report:?}");
    assert_eq!(bounds.get(), report.report.iterations);
    assert!(report.step_lengths[0] < 1.0 && report.report.residuals[0] > 1e6);
    assert!((x[0] - 1.0).abs() < 1e-3);
}

#[test]
fn inexact_newton_finds_the_root_of_exact_newton() {
    let (mut exact, mut inexact) = (vec![1.0; 20], vec![1.0; 20]);
    let report = solve(
        &mut smooth(),
        &mut exact,
        &newton::Settings { tolerance: 1e-12, ..Default::default() },
    );
    assert!(report.converged());
    let settings = inexact_newton::Settings { tolerance: 1e-12, ..Default::default() };
    let report = inexact_newton::solve(
        &mut smooth(),
        &mut inexact,
        &settings,
        &mut newton::Workspace::default(),
    );
    assert!(report.converged(), "{report:?}");
    assert!(exact.iter().zip(&inexact).all(|(a, b)| (a - b).abs() < 1e-10));
    assert!(report.inner_iterations > 0);
    assert_eq!(report.forcing_terms.len(), report.newton.report.iterations);
    assert_never_rises(&report.newton.report);
}

#[test]
fn inexact_newton_converges_with_order_golden_ratio() {
    // Every inner solve leaves exactly what it may: log ‖r‖ then grows by φ a step.
    let mut problem = Problem { worst_case: true, ..smooth() };
    let mut x = vec![0.2; 20];
    // First get near the root, where the quadratic term no longer matters.
    let near = newton::Settings { tolerance: 1e-4, ..Default::default() };
    assert!(solve(&mut problem, &mut x, &near).converged());
    x.iter_mut().for_each(|x| *x += 1e-5);
    let settings = inexact_newton::Settings {
        tolerance: 1e-13,
        max_forcing: 0.2,
        min_forcing: 1e-16,
        ..Default::default()
    };
    let report =
        inexact_newton::solve(&mut problem, &mut x, &settings, &mut newton::Workspace::default());
    assert!(report.converged(), "{report:?}");
    let logs: Vec<f64> = report.newton.report.residuals.iter().map(|e| e.ln()).collect();
    let falls: Vec<f64> = logs.windows(2).map(|pair| pair[0] - pair[1]).collect();
    // The last step may stop early, by the tolerance; the first have σ from the cap.
    let orders: Vec<f64> = falls.windows(2).map(|pair| pair[1] / pair[0]).collect();
    let measured = &orders[..orders.len() - 1];
    assert!(measured.len() >= 2, "{falls:?}");
    for order in measured {
        assert!((order - 1.618).abs() < 0.1, "orders {orders:?}, falls {falls:?}");
    }
}

#[test]
fn forcing_terms_follow_the_rule_with_its_safeguard() {
    let phi = (1.0 + 5.0_f64.sqrt()) / 2.0;
    // From here the first step must be shortened, which the second term has to know of.
    let mut x = [30.0];
    let mut problem = Problem::new(
        1,
        |x| Some(Vector::from_element(1, x[0].atan())),
        |x| Matrix::from_element(1, 1, 1.0 / (1.0 + x[0] * x[0])),
    );
    problem.worst_case = true;
    let settings =
        inexact_newton::Settings { max_forcing: 0.95, tolerance: 1e-12, ..Default::default() };
    let report =
        inexact_newton::solve(&mut problem, &mut x, &settings, &mut newton::Workspace::default());
    assert!(report.converged());
    let (terms, lengths) = (&report.forcing_terms, &report.newton.step_lengths);
    let residuals = &report.newton.report.residuals;
    assert!((terms[0] - 0.95).abs() < 1e-15, "σ₀ is the cap");
    assert!(lengths[0] < 1.0);
    let mut guarded = 0;
    for k in 1..terms.len() {
        let before = 1.0 - lengths[k - 1] * (1.0 - terms[k - 1]);
        let safeguard = before.powf(phi);
        let mut expected = (residuals[k] / residuals[k - 1]).powf(phi);
        if safeguard > 0.1 && safeguard > expected {
            expected = safeguard;
            guarded += 1;
        }
        let floor = (0.5 * settings.tolerance / residuals[k]).max(settings.min_forcing);
        let expected = expected.max(floor).min(0.95);
        assert!((terms[k] - expected).abs() < 1e-12, "σ_{k}: {} {expected}", terms[k]);
    }
    assert!(guarded > 0, "the safeguard was never needed: {terms:?}");
}

#[test]
fn inner_solves_that_reduce_nothing_end_the_outer_one() {
    struct Useless(Problem);
    impl Residual for Useless {
        fn dimension(&self) -> usize {
            20
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Evaluation {
            self.0.residual(x, r)
        }
    }
    impl InexactRootProblem for Useless {
        fn direction(
            &mut self,
            _: &[f64],
            _: &[f64],
            _: f64,
            _: &mut [f64],
        ) -> Result<InnerSolve, Status> {
            Ok(InnerSolve { iterations: 7, relative_residual: 1.0 })
        }
    }
    let mut x = vec![1.0; 20];
    let settings = inexact_newton::Settings::default();
    let report = inexact_newton::solve(
        &mut Useless(smooth()),
        &mut x,
        &settings,
        &mut newton::Workspace::default(),
    );
    assert_eq!(report.newton.report.status, Status::Breakdown);
    assert_eq!(
        (report.newton.direction_failure, report.inner_iterations),
        (Some(Status::Stagnated), 7)
    );
}
