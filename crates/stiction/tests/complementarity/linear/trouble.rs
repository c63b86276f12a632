//! What may go wrong: a right answer, or an honest word.

use std::ops::ControlFlow;

use nalgebra::DMatrix;
use stiction::solve::Status;
use stiction::solve::complementarity::Progress;
use stiction::solve::complementarity::linear::{
    self, Bounds, BoxFriction, ContactRows, LinearProblem, Matrix, ProblemError, Rows, Solver, Tie,
    conjugate, gauss_seidel, residual,
};

use super::scenes::{Tower, dense, largest, limits, random_definite};

fn statuses(problem: &LinearProblem) -> Vec<(&'static str, Status)> {
    Solver::all()
        .into_iter()
        .map(|(name, solver)| {
            let mut x = vec![0.0; problem.len()];
            (name, solver.solve(problem, &mut x, &limits(1e-9, 3000), &mut ()).status)
        })
        .collect()
}

#[test]
fn nothing_to_do_is_done() {
    let problem = dense(&DMatrix::zeros(0, 0), &[], Vec::new());
    for (name, status) in statuses(&problem) {
        assert_eq!(status, Status::Converged, "{name}");
    }
}

#[test]
fn what_is_not_a_number_is_named() {
    let (a, b) = random_definite(4, 1.0, 1);
    let free = vec![Bounds::AT_LEAST_ZERO; 4];
    let mut broken = b.clone();
    broken[2] = f64::NAN;
    let mut matrix = a.clone();
    matrix[(1, 0)] = f64::NAN;
    let mut bounds = free.clone();
    bounds[3].lo = f64::NAN;
    for problem in
        [dense(&a, &broken, free.clone()), dense(&matrix, &b, free.clone()), dense(&a, &b, bounds)]
    {
        assert!(matches!(problem.check(), Err(ProblemError::NotFinite { .. })));
        for (name, status) in statuses(&problem) {
            assert_eq!(status, Status::NotFinite, "{name}");
        }
    }
    let problem = dense(&a, &b, free);
    for (name, solver) in Solver::all() {
        let mut x = [0.0, f64::INFINITY, 0.0, 0.0];
        assert_eq!(
            solver.solve(&problem, &mut x, &limits(1e-9, 100), &mut ()).status,
            Status::NotFinite,
            "{name}"
        );
        assert_eq!(
            solver.solve(&problem, &mut [0.0; 3], &limits(1e-9, 100), &mut ()).status,
            Status::Refused,
            "{name}"
        );
    }
}

#[test]
fn bounds_that_exclude_each_other_are_infeasible() {
    let (a, b) = random_definite(3, 1.0, 1);
    let bounds = vec![Bounds::NONE, Bounds::between(1.0, 0.5), Bounds::NONE];
    let problem = dense(&a, &b, bounds);
    assert_eq!(problem.check(), Err(ProblemError::Infeasible { row: 1, lo: 1.0, hi: 0.5 }));
    for (name, status) in statuses(&problem) {
        assert_eq!(status, Status::Infeasible, "{name}");
    }
}

#[test]
fn a_contact_between_two_fixed_bodies_is_settled_or_infeasible() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]);
    let apart = dense(&a, &[-1.0, 0.5], vec![Bounds::AT_LEAST_ZERO; 2]);
    for (name, status) in statuses(&apart) {
        assert_eq!(status, Status::Converged, "{name}");
    }
    let into = dense(&a, &[-1.0, -0.5], vec![Bounds::AT_LEAST_ZERO; 2]);
    for (name, status) in statuses(&into) {
        assert_eq!(status, Status::Infeasible, "{name}");
    }
}

#[test]
fn nobody_claims_to_have_solved_what_has_no_solution() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let problem = dense(&a, &[-1.0, 0.5], vec![Bounds::AT_LEAST_ZERO; 2]);
    for (name, status) in statuses(&problem) {
        assert!(!status.converged(), "{name}");
    }
}

#[test]
fn sizes_and_ties_are_checked() {
    let (a, b) = random_definite(3, 1.0, 1);
    let matrix = || Matrix::dense(&a).expect("square");
    let short = LinearProblem::new(matrix(), b[..2].to_vec(), vec![Bounds::NONE; 3]);
    assert_eq!(short, Err(ProblemError::Length { what: "b", found: 2, expected: 3 }));
    for to in [2, 7] {
        let tied = Bounds { lo: 0.0, hi: 0.0, tie: Some(Tie { row: to, below: 1.0, above: 1.0 }) };
        let result =
            LinearProblem::new(matrix(), b.clone(), vec![Bounds::NONE, Bounds::NONE, tied]);
        assert_eq!(result, Err(ProblemError::Tie { row: 2, to }));
    }
    let negative = vec![Bounds::AT_LEAST_ZERO, Bounds::friction(0, -0.5), Bounds::NONE];
    let problem = LinearProblem::new(matrix(), b.clone(), negative).expect("sizes fit");
    assert!(matches!(problem.check(), Err(ProblemError::Negative { row: 1, .. })));
    assert!(Matrix::dense(&DMatrix::zeros(2, 3)).is_none());
    let mut rows = Rows::new(3);
    assert!(rows.push([(3, 1.0)]).is_none());
    let mut contact = ContactRows::new(vec![0.0; 3]);
    assert!(
        contact
            .contact([&[(0, 1.0)], &[(1, 1.0)], &[(9, 1.0)]], 0.0, BoxFriction::isotropic(0.5))
            .is_none()
    );
}

#[test]
fn heavy_on_light_by_a_million_is_solved_by_the_default() {
    for mu in [0.0, 0.5, 5.0] {
        let problem = Tower::new(&[1.0, 1.0, 1e6]).with_friction(mu).build();
        let mut x = vec![0.0; problem.len()];
        let report = linear::solve(&problem, &mut x, &limits(1e-9, 100_000), &mut ());
        assert_eq!(report.status, Status::Converged, "mu {mu}: {:?}", report.residuals.last());
        let bottom: f64 = x[..12].iter().step_by(3).sum();
        assert!((bottom / (0.0981 * 1_000_002.0) - 1.0).abs() < 1e-9, "mu {mu}: {bottom}");
    }
}

#[test]
fn all_end_for_a_million_to_one_and_say_what_they_reached() {
    let problem = Tower::new(&[1.0, 1e6]).with_friction(0.5).build();
    for (name, solver) in Solver::all() {
        let mut x = vec![0.0; problem.len()];
        let report = solver.solve(&problem, &mut x, &limits(1e-9, 2000), &mut ());
        let mut u = vec![0.0; x.len()];
        problem.velocities(&x, &mut u, &mut Vec::new());
        let residual = residual::natural(&problem, &x, &u);
        assert_eq!(
            report.converged(),
            residual <= 1e-9,
            "{name}: {} at {residual:e}",
            report.status
        );
    }
}

#[test]
fn a_tolerance_nobody_can_meet_ends() {
    let problem = Tower::new(&[1.0, 2.0]).with_friction(0.3).build();
    for (name, solver) in Solver::all() {
        let mut x = vec![0.0; problem.len()];
        let report = solver.solve(&problem, &mut x, &limits(0.0, 10_000), &mut ());
        assert!(
            report.residual() < 1e-6,
            "{name} ended {} at {:e}",
            report.status,
            report.residual()
        );
    }
}

#[test]
fn whoever_watches_may_stop_it() {
    let problem = Tower::new(&[1.0, 1000.0]).with_friction(0.5).build();
    for (name, solver) in Solver::all() {
        let mut told = 0;
        let mut watch = |progress: &Progress<'_>| {
            assert_eq!(progress.unknowns.len(), 24);
            told += 1;
            if progress.iteration >= 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut x = vec![0.0; problem.len()];
        let report = solver.solve(&problem, &mut x, &limits(1e-12, 100_000), &mut watch);
        assert!(
            matches!(report.status, Status::Stopped | Status::Converged),
            "{name}: {}",
            report.status
        );
        assert!(told >= 2, "{name}");
    }
}

#[test]
fn a_solution_is_a_start_that_ends_at_once() {
    let problem = Tower::new(&[1.0, 2.0, 3.0]).with_friction(0.4).build();
    let mut solution = vec![0.0; problem.len()];
    assert!(linear::solve(&problem, &mut solution, &limits(1e-10, 1000), &mut ()).converged());
    for (name, solver) in Solver::all() {
        let mut x = solution.clone();
        let report = solver.solve(&problem, &mut x, &limits(1e-10, 1000), &mut ());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0), "{name}");
        assert_eq!(x, solution, "{name}");
    }
}

#[test]
fn a_hundred_thousand_sparse_rows_are_solved_without_a_dense_matrix() {
    // Carts in a line: of every seven some run into the others, and all groups drift apart.
    let n = 100_000;
    let free: Vec<f64> =
        (0..=n).map(|i| 0.1 * i as f64 + if i % 7 < 3 { 1.0 } else { -1.0 }).collect();
    let mut rows = ContactRows::new(free);
    for i in 0..n {
        rows.row(&[(i, -1.0), (i + 1, 1.0)], 0.0, Bounds::AT_LEAST_ZERO).expect("carts exist");
    }
    let problem = rows.build(&vec![DMatrix::identity(1, 1); n + 1]).expect("sizes fit");
    for (name, solver) in Solver::all() {
        let mut x = vec![0.0; n];
        let report = solver.solve(&problem, &mut x, &limits(1e-6, 2000), &mut ());
        let dense = matches!(
            name,
            "lemke"
                | "incremental"
                | "murty"
                | "block-pivoting"
                | "pgs-sm"
                | "staggering"
                | "newton-min-map"
                | "newton-fischer-burmeister"
                | "interior-point"
        );
        let expected = if dense { Status::Breakdown } else { Status::Converged };
        assert_eq!(report.status, expected, "{name}: {:e}", report.residual());
    }
}

#[test]
fn the_same_numbers_come_out_for_any_thread_count() {
    let mut free = vec![0.0; 5001];
    free.iter_mut().enumerate().for_each(|(i, v)| *v = f64::sin(i as f64));
    let mut rows = ContactRows::new(free);
    for i in 0..5000 {
        rows.row(&[(i, -1.0), (i + 1, 1.0)], 0.0, Bounds::AT_LEAST_ZERO).expect("carts exist");
    }
    let problem = rows.build(&vec![DMatrix::identity(1, 1); 5001]).expect("sizes fit");
    let run = |threads| {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        pool.install(|| {
            let mut x = vec![0.0; 5000];
            let settings = gauss_seidel::Settings::default();
            let report = conjugate::solve(&problem, &mut x, &settings, &limits(1e-9, 50), &mut ());
            (x, report)
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn compliance_makes_redundant_contacts_unique() {
    let soft = Tower::new(&[1.0]).build().with_compliance(vec![0.1; 4]).expect("one a row");
    for (name, solver) in Solver::all() {
        let mut x = vec![0.0; 4];
        let report = solver.solve(&soft, &mut x, &limits(1e-12, 10_000), &mut ());
        assert_eq!(report.status, Status::Converged, "{name}");
        // All four carry the same: gravity against inverse mass and compliance.
        let share = 0.0981 / (4.0 + 0.1);
        assert!(largest(&x.iter().map(|x| x - share).collect::<Vec<_>>()) < 1e-10, "{name}: {x:?}");
    }
}

#[test]
fn a_normal_that_pulls_allows_no_friction() {
    let bounds = Bounds::asymmetric(0, 0.2, 0.8);
    assert_eq!(bounds.at(&[2.0]), (-0.4, 1.6));
    assert_eq!(bounds.at(&[-2.0]), (0.0, 0.0));
}
