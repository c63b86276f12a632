//! Minimisation finds minima past saddles, barriers and rounding, and says why it stops.

use nalgebra::{DMatrix, DVector};
use stiction::solve::Status;
use stiction::solve::minimise::{self, Hessian, NoDirection, Objective};

type Vector = DVector<f64>;
type Matrix = DMatrix<f64>;

/// An objective of closures; directions by Cholesky, projection by eigenvalues.
struct Energy {
    n: usize,
    value: fn(&[f64]) -> f64,
    gradient: fn(&[f64]) -> Vector,
    hessian: fn(&[f64]) -> Matrix,
    at: Vec<f64>,
    /// Whether projection is available, or returns the indefinite matrix again.
    projects: bool,
    asked: Vec<Hessian>,
}

impl Energy {
    fn new(
        n: usize,
        value: fn(&[f64]) -> f64,
        gradient: fn(&[f64]) -> Vector,
        hessian: fn(&[f64]) -> Matrix,
    ) -> Self {
        Self { n, value, gradient, hessian, at: Vec::new(), projects: true, asked: Vec::new() }
    }

    fn minimise(
        &mut self,
        x: &mut [f64],
        settings: &minimise::Settings,
    ) -> minimise::MinimiseReport {
        minimise::solve(self, x, settings, &mut minimise::Workspace::default())
    }
}

impl Objective for Energy {
    fn dimension(&self) -> usize {
        self.n
    }

    fn value(&mut self, x: &[f64]) -> f64 {
        self.at = x.to_vec();
        (self.value)(x)
    }

    fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        assert_eq!(self.at, x, "gradients are asked for where the value was computed last");
        g.copy_from_slice((self.gradient)(x).as_slice());
    }

    fn direction(
        &mut self,
        x: &[f64],
        g: &[f64],
        hessian: Hessian,
        p: &mut [f64],
    ) -> Result<(), NoDirection> {
        assert_eq!(self.at, x, "directions are asked for where the value was computed last");
        self.asked.push(hessian);
        let mut h = (self.hessian)(x);
        if let Hessian::Projected { shift } = hessian {
            let scale = h.diagonal().amax();
            if self.projects {
                let mut eigen = h.symmetric_eigen();
                eigen.eigenvalues.apply(|e| *e = e.max(1e-8));
                h = eigen.recompose();
            }
            h += Matrix::identity(self.n, self.n) * (shift * scale);
        }
        let factor = h.cholesky().ok_or(NoDirection::NotPositiveDefinite)?;
        p.copy_from_slice(factor.solve(&-Vector::from_column_slice(g)).as_slice());
        Ok(())
    }
}

fn rosenbrock_gradient(x: &[f64]) -> Vector {
    let bend = x[1] - x[0] * x[0];
    Vector::from_vec(vec![-400.0 * x[0] * bend - 2.0 * (1.0 - x[0]), 200.0 * bend])
}

fn rosenbrock() -> Energy {
    let value = |x: &[f64]| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
    let hessian = |x: &[f64]| {
        let h00 = 1200.0 * x[0] * x[0] - 400.0 * x[1] + 2.0;
        Matrix::from_row_slice(2, 2, &[h00, -400.0 * x[0], -400.0 * x[0], 200.0])
    };
    Energy::new(2, value, rosenbrock_gradient, hessian)
}

/// `x⁴/4 − x²/2 + y²/2`: a saddle at the origin, minima at `x = ±1`.
fn double_well() -> Energy {
    Energy::new(
        2,
        |x| x[0].powi(4) / 4.0 - x[0] * x[0] / 2.0 + x[1] * x[1] / 2.0,
        |x| Vector::from_vec(vec![x[0].powi(3) - x[0], x[1]]),
        |x| Matrix::from_row_slice(2, 2, &[3.0 * x[0] * x[0] - 1.0, 0.0, 0.0, 1.0]),
    )
}

fn assert_values_fall(report: &minimise::MinimiseReport) {
    for pair in report.values.windows(2) {
        assert!(pair[1] <= pair[0] + 8.0 * f64::EPSILON * pair[0].abs(), "{:?}", report.values);
    }
}

#[test]
fn the_minimum_of_rosenbrock_is_found_with_exact_hessians() {
    let mut x = [-1.2, 1.0];
    let report = rosenbrock()
        .minimise(&mut x, &minimise::Settings { tolerance: 1e-11, ..Default::default() });
    assert!(report.converged() && report.report.iterations < 40, "{report:?}");
    assert!((x[0] - 1.0).abs() < 1e-10 && (x[1] - 1.0).abs() < 1e-10);
    assert_eq!(report.exact_steps, report.report.iterations);
    assert_values_fall(&report);
}

#[test]
fn near_a_saddle_the_projected_hessian_leads_to_a_minimum() {
    let mut x = [1e-3, 0.5];
    let report = double_well().minimise(&mut x, &minimise::Settings::default());
    assert!(report.converged(), "{report:?}");
    assert!((x[0] - 1.0).abs() < 1e-7 && x[1].abs() < 1e-7, "{x:?}");
    assert!(report.projected_steps > 0 && report.exact_steps > 0 && report.shifted_steps == 0);
    assert_values_fall(&report);
    // Exactly on it, there is nothing to see.
    let mut x = [0.0, 0.0];
    let report = double_well().minimise(&mut x, &minimise::Settings::default());
    assert!(report.converged() && report.report.iterations == 0);
}

#[test]
fn shifts_take_over_where_projection_fails() {
    let mut x = [0.1, 0.5];
    let mut energy = Energy { projects: false, ..double_well() };
    let report = energy.minimise(&mut x, &minimise::Settings::default());
    assert!(report.converged() && (x[0] - 1.0).abs() < 1e-7, "{report:?}");
    assert!(report.shifted_steps > 0 && report.projected_steps == 0);
    assert_eq!(energy.asked[0], Hessian::Exact);
    assert_eq!(energy.asked[1], Hessian::Projected { shift: 0.0 });
    assert!(matches!(energy.asked[2], Hessian::Projected { shift } if shift > 0.0));
    // With no shifts allowed it is a breakdown, and x stays.
    let mut x = [0.1, 0.5];
    let mut energy = Energy { projects: false, ..double_well() };
    let report =
        energy.minimise(&mut x, &minimise::Settings { max_shifts: 0, ..Default::default() });
    assert_eq!((report.report.status, x), (Status::Breakdown, [0.1, 0.5]));
}

/// `x − 0.01 ln x` next to a wall at zero.
fn barrier() -> Energy {
    Energy::new(
        1,
        |x| if x[0] > 0.0 { x[0] - 0.01 * x[0].ln() } else { f64::INFINITY },
        |x| Vector::from_element(1, 1.0 - 0.01 / x[0]),
        |x| Matrix::from_element(1, 1, 0.01 / (x[0] * x[0])),
    )
}

#[test]
fn infinite_values_behind_a_barrier_are_backed_away_from() {
    let mut x = [1.0];
    let report =
        barrier().minimise(&mut x, &minimise::Settings { tolerance: 1e-10, ..Default::default() });
    assert!(report.converged() && (x[0] - 0.01).abs() < 1e-11, "{report:?}");
    assert!(report.step_lengths[0] < 0.02, "the full step is 99 behind the wall");
    let mut outside = [-1.0];
    let report = barrier().minimise(&mut outside, &minimise::Settings::default());
    assert_eq!(report.report.status, Status::NotFinite);
}

#[test]
fn minus_infinity_is_no_minimum() {
    let mut energy = Energy::new(
        1,
        |x| if x[0] > 0.0 { x[0] } else { f64::NEG_INFINITY },
        |_| Vector::from_element(1, 1.0),
        |_| Matrix::from_element(1, 1, 1e-3),
    );
    let mut x = [1.0];
    let report = energy.minimise(&mut x, &minimise::Settings::default());
    assert!(!report.converged() && x[0] > 0.0, "{:?} at {x:?}", report.report.status);
    assert!(report.values.iter().all(|value| value.is_finite()));
}

#[test]
fn the_step_cap_limits_every_change() {
    let mut x = [1.0];
    let mut path = vec![];
    for _ in 0..100 {
        let settings =
            minimise::Settings { max_change: 0.05, max_iterations: 1, ..Default::default() };
        let before = x[0];
        let report = barrier().minimise(&mut x, &settings);
        if report.converged() {
            break;
        }
        path.push((x[0] - before).abs());
    }
    assert!((x[0] - 0.01).abs() < 1e-6);
    assert!(path.len() > 19 && path.iter().all(|&step| step <= 0.05 * (1.0 + 1e-12)), "{path:?}");
}

#[test]
fn last_digits_are_found_although_the_value_cannot_see_them() {
    // A value near 1e6 is known to 1e-9 (here a ripple sees to it), which fixes x to 1e-5 only.
    let mut energy = Energy::new(
        2,
        |x| {
            let noisy = 1e6 + 3e-10 * (1e9 * x[0]).sin();
            noisy + (x[0] - 1.0).cosh() + (x[1] + x[0] - 3.0).powi(4) + 0.5 * x[1] * x[1]
        },
        |x| {
            let bend = 4.0 * (x[1] + x[0] - 3.0).powi(3);
            Vector::from_vec(vec![(x[0] - 1.0).sinh() + bend, bend + x[1]])
        },
        |x| {
            let bend = 12.0 * (x[1] + x[0] - 3.0).powi(2);
            Matrix::from_row_slice(2, 2, &[(x[0] - 1.0).cosh() + bend, bend, bend, bend + 1.0])
        },
    );
    let mut x = [4.0, -5.0];
    let report =
        energy.minimise(&mut x, &minimise::Settings { tolerance: 1e-13, ..Default::default() });
    assert!(report.converged(), "{:?} {:?}", report.report, report.step_lengths);
    assert_values_fall(&report);
}

#[test]
fn an_unreachable_gradient_tolerance_is_stagnation() {
    let mut x = [-1.2, 1.0];
    let mut energy = rosenbrock();
    energy.value = |x| 1.0 + (rosenbrock().value)(x);
    energy.gradient = |x| {
        // Rounds at 1e-9: the floor of a gradient made of large terms.
        let g = rosenbrock_gradient(x);
        g.map(|g| (g * 1e9).round() / 1e9 + 1e-10)
    };
    let report =
        energy.minimise(&mut x, &minimise::Settings { tolerance: 0.0, ..Default::default() });
    assert_eq!(report.report.status, Status::Stagnated, "{report:?}");
    assert!((x[0] - 1.0).abs() < 1e-6);
    assert_eq!(energy.at, x, "the last evaluation is at the returned point");
}

#[test]
fn a_wrong_gradient_is_a_failed_line_search_not_a_result() {
    let mut energy = rosenbrock();
    energy.gradient = |x| -rosenbrock_gradient(x);
    let mut x = [-1.2, 1.0];
    let report = energy.minimise(&mut x, &minimise::Settings::default());
    assert_eq!((report.report.status, x), (Status::LineSearchFailed, [-1.2, 1.0]));
}

#[test]
fn solving_twice_with_one_workspace_gives_the_same_bits() {
    let mut workspace = minimise::Workspace::default();
    let mut run = || {
        let mut x = [-1.2, 1.0];
        let settings = minimise::Settings::default();
        let report = minimise::solve(&mut rosenbrock(), &mut x, &settings, &mut workspace);
        (x, report)
    };
    assert_eq!(run(), run());
}
