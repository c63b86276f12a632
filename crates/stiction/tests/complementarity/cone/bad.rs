//! Bad situations: a right answer or an honest status, never a hang, a panic or a NaN.

use super::problems::{NodalContact, Problem, frame, incline, nodal, random, rigid_rows, tower};
use super::solvers::exact_solvers;
use std::ops::ControlFlow;
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Law, MassJacobian, Order, ProblemError, Solver,
};
use stiction::solve::complementarity::{Limits, Progress};
use stiction::solve::{Report, Status};

const LIMITS: Limits = Limits { tolerance: 1e-9, iterations: 20_000 };

fn run(problem: &Problem, solver: Solver, limits: &Limits) -> (Vec<f64>, Report) {
    let mut r = vec![0.0; 3 * problem.contacts()];
    let report = solver.solve(problem, &mut r, limits, &mut ());
    assert!(r.iter().all(|r| r.is_finite()), "{} left a NaN", solver.name());
    assert_eq!(report.converged(), report.residual() <= limits.tolerance, "{}", solver.name());
    (r, report)
}

#[test]
fn no_contacts_are_solved() {
    let operator = MassJacobian::new(vec![], BlockRows::from_rows(0, Vec::<Vec<_>>::new()));
    let problem = ContactProblem::new(operator, vec![], vec![]).unwrap();
    for solver in Solver::ALL.into_iter().chain([Solver::Shock]) {
        assert!(run(&problem, solver, &LIMITS).1.converged(), "{}", solver.name());
    }
}

#[test]
fn wrong_data_is_refused_with_a_reason() {
    let one = || Assembled::from_rows(1, [[(0, Matrix3::identity())]]);
    let law = |mu| vec![Law::Coulomb { mu }];
    let new = |b: Vec<f64>, laws| ContactProblem::new(one(), b, laws).map(|_| ());
    assert!(matches!(new(vec![0.0; 2], law(0.1)), Err(ProblemError::Size { .. })));
    assert!(matches!(new(vec![0.0; 3], vec![]), Err(ProblemError::Size { .. })));
    assert!(matches!(
        new(vec![0.0, f64::NAN, 0.0], law(0.1)),
        Err(ProblemError::NotFinite { contact: 0, .. })
    ));
    assert!(matches!(new(vec![0.0; 3], law(-0.1)), Err(ProblemError::Negative { .. })));
    assert!(matches!(new(vec![0.0; 3], law(f64::INFINITY)), Err(ProblemError::NotFinite { .. })));
    let broken = Assembled::from_rows(1, [[(0, Matrix3::identity() * f64::NAN)]]);
    assert!(ContactProblem::new(broken, vec![0.0; 3], law(0.1)).is_err());
    let problem = ContactProblem::new(one(), vec![0.0; 3], law(0.1)).unwrap();
    assert!(problem.clone().with_compliance(vec![Vector3::repeat(-1.0)]).is_err());
    assert!(problem.with_compliance(vec![]).is_err());
}

#[test]
fn nan_in_the_start_or_hidden_in_the_operator_is_reported() {
    let problem = random(5, 0.5, 1);
    let one = Matrix3::identity();
    let hidden =
        Assembled::from_rows(2, [vec![(0, one), (1, one * f64::NAN)], vec![(0, one), (1, one)]]);
    let hidden =
        ContactProblem::new(hidden, vec![-1.0; 6], vec![Law::Coulomb { mu: 0.5 }; 2]).unwrap();
    for solver in Solver::ALL.into_iter().chain([Solver::Shock]) {
        let mut r = vec![0.0; 15];
        r[4] = f64::NAN;
        let report = solver.solve(&problem, &mut r, &LIMITS, &mut ());
        assert_eq!(report.status, Status::NotFinite, "{}", solver.name());
        let report = solver.solve(&hidden, &mut [0.0; 6], &LIMITS, &mut ());
        assert_eq!(report.status, Status::NotFinite, "{}", solver.name());
    }
}

#[test]
fn eight_coplanar_contacts_are_no_problem() {
    let problem = incline(4, 0.3, 0.5);
    for solver in exact_solvers() {
        let (r, report) = run(&problem, solver, &LIMITS);
        assert!(report.converged(), "{}: {}", solver.name(), report.status);
        let sum: f64 = r.iter().step_by(3).sum();
        assert!((sum - 8.0 * 0.0981 * 0.3f64.cos()).abs() < 1e-6);
    }
}

#[test]
fn no_friction_and_very_much_are_solved() {
    let limits = Limits { tolerance: 1e-8, iterations: 100_000 };
    for mu in [0.0, 5.0, 50.0] {
        let problem = incline(2, 0.3, mu);
        for solver in exact_solvers() {
            let (r, report) = run(&problem, solver, &limits);
            // Damped steps of all contacts at once go to and fro between sticking and opening.
            let fails = mu > 10.0 && solver == Solver::Jacobi;
            assert_eq!(report.converged(), !fails, "{} mu {mu}: {}", solver.name(), report.status);
            if mu > 0.0 && !fails {
                // It sticks: what slides down without impulses is stopped.
                let pull: f64 = r.chunks_exact(3).map(|r| r[1]).sum();
                assert!(
                    (pull + 8.0 * 0.0981 * 0.3f64.sin()).abs() < 1e-6,
                    "{}: {pull}",
                    solver.name()
                );
            }
        }
    }
    let problem = random(30, 0.0, 2);
    for solver in exact_solvers() {
        let (r, report) = run(&problem, solver, &limits);
        assert!(report.converged(), "{}: {}", solver.name(), report.status);
        assert!((0..90).all(|k| k % 3 == 0 || r[k].abs() < 1e-12));
    }
}

/// A slender rod that slides on its tip, leaning against the slip or with it.
fn painleve(mu: f64, slip: f64) -> Problem {
    let arm = Vector3::new(0.4, -1.0, 0.0);
    let [linear, angular] = rigid_rows(frame(Vector3::y(), Vector3::x()), arm);
    let jacobian = BlockRows::from_rows(2, [[(0, linear), (1, angular)]]);
    let inverse = vec![Matrix3::identity(), Matrix3::identity() * 3.0];
    let free = [slip, -0.1, 0.0, 0.0, 0.0, 0.0];
    let b = jacobian.row_times(0, &free).data.0[0].to_vec();
    ContactProblem::new(MassJacobian::new(inverse, jacobian), b, vec![Law::Coulomb { mu }]).unwrap()
}

/// `W_NN = 1 + 3·0.4² = 1.48`, `W_NT = 1.2`, `W_TT = 4`. Where friction turns the tip away from the floor it slides on,
/// with `r_N = 0.1/(1.48 + 1.2 μ)`.
#[test]
fn rods_that_lean_away_slide_on() {
    for mu in [0.5, 1.5, 3.0, 10.0] {
        let problem = painleve(mu, -3.0);
        for solver in Solver::ALL {
            let (r, report) = run(&problem, solver, &LIMITS);
            // Staggering holds friction, which lifts the tip, and goes to and fro between that and no contact.
            let fails = mu > 1.0 && solver == Solver::Staggering;
            assert_eq!(report.converged(), !fails, "{} mu {mu}: {}", solver.name(), report.status);
            if !fails {
                let expected = 0.1 / (1.48 + 1.2 * mu);
                assert!((r[0] - expected).abs() < 1e-8, "{} mu {mu}: {r:?}", solver.name());
                assert!((r[1] - mu * expected).abs() < 1e-8, "{} mu {mu}: {r:?}", solver.name());
            }
        }
    }
}

/// Where it turns the tip into the floor, weak friction slides on with `r_N = 0.1/(1.48 − 1.2 μ)`; strong friction, for
/// which that is negative, stops the tip at once, `W r = −b`: Painlevé's paradox, an impact without a fall.
#[test]
fn rods_that_lean_against_the_slip_jam() {
    let mut failed = Vec::new();
    for mu in [0.5, 1.5, 3.0, 10.0] {
        let problem = painleve(mu, 3.0);
        let sliding = 0.1 / (1.48 - 1.2 * mu);
        let expected = match sliding > 0.0 {
            true => [sliding, -mu * sliding],
            false => [1.0 / 1.12, -(3.0 + 1.2 / 1.12) / 4.0],
        };
        for solver in Solver::ALL {
            let (r, report) = run(&problem, solver, &LIMITS);
            if !report.converged() {
                failed.push((mu, solver.name()));
                continue;
            }
            let apart = (r[0] - expected[0]).abs().max((r[1] - expected[1]).abs());
            assert!(apart < 1e-7, "{} mu {mu}: {r:?} is not {expected:?}", solver.name());
        }
    }
    // Recorded. Damped steps of all contacts at once go to and fro, and the derivative of the shift leads interior
    // points to the side on which the rod would be pulled.
    let strong = [1.5, 3.0, 10.0].into_iter();
    let expected: Vec<_> = strong.flat_map(|mu| [(mu, "jacobi"), (mu, "interior-point")]).collect();
    assert_eq!(failed, expected);
}

#[test]
fn heavy_on_light_is_solved_by_the_default() {
    let problem = tower(&[1.0, 1e6], 0.5);
    let limits = Limits { tolerance: 1e-9, iterations: 2000 };
    let (r, report) = run(&problem, Solver::Default, &limits);
    assert!(report.converged(), "{} {:e}", report.status, report.residual());
    let sum: f64 = (0..4).map(|k| r[3 * k]).sum();
    assert!((sum / (1e6 * 0.0981) - 1.0).abs() < 1e-6);
    for solver in Solver::ALL {
        let _ = run(&problem, solver, &limits);
    }
}

#[test]
fn what_nothing_moves_is_feasible_if_it_does_not_approach() {
    for (approach, expected) in [(0.1, Status::Converged), (-0.1, Status::Infeasible)] {
        let operator = Assembled::from_rows(2, [vec![(0, Matrix3::identity())], vec![]]);
        let b = vec![-1.0, 0.2, 0.0, approach, 1.0, 0.0];
        let problem = ContactProblem::new(operator, b, vec![Law::Coulomb { mu: 0.5 }; 2]).unwrap();
        for solver in exact_solvers() {
            let mut r = vec![0.0; 6];
            let report = solver.solve(&problem, &mut r, &LIMITS, &mut ());
            assert_eq!(report.status, expected, "{}", solver.name());
            assert!((r[0] - 1.0).abs() < 1e-8 && r[3].abs() < 1e-12, "{}: {r:?}", solver.name());
        }
    }
}

#[test]
fn a_vice_that_closes_has_no_answer_and_says_so() {
    let contact = |normal: Vector3| NodalContact {
        a: 0,
        b: None,
        frame: frame(normal, Vector3::y()),
        w: -normal,
        mu: 0.3,
    };
    let problem =
        nodal(&[1.0], &[Vector3::zeros()], &[contact(Vector3::x()), contact(-Vector3::x())]);
    let limits = Limits { tolerance: 1e-9, iterations: 500 };
    for solver in Solver::ALL {
        let (_, report) = run(&problem, solver, &limits);
        assert!(!report.converged(), "{}", solver.name());
    }
}

#[test]
fn a_tolerance_below_rounding_ends_at_the_floor() {
    let problem = random(20, 0.6, 6);
    let limits = Limits { tolerance: 1e-300, iterations: 100_000 };
    let (nncg, sweeps) = (Solver::Nncg, Solver::GaussSeidel(Order::Given));
    for solver in [Solver::Default, nncg, sweeps, Solver::ProxGaussSeidel, Solver::Apgd] {
        let (_, report) = run(&problem, solver, &limits);
        assert!(report.residual() < 1e-13, "{}: {:e}", solver.name(), report.residual());
        assert!(report.iterations < 50_000, "{} loops: {}", solver.name(), report.status);
    }
}

#[test]
fn whoever_watches_can_stop() {
    let problem = random(50, 0.6, 4);
    for solver in Solver::ALL {
        let mut r = vec![0.0; 150];
        let mut stop = |p: &Progress<'_>| match p.iteration < 2 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let report = solver.solve(
            &problem,
            &mut r,
            &Limits { tolerance: 1e-14, iterations: 1000 },
            &mut stop,
        );
        assert_eq!((report.status, report.iterations), (Status::Stopped, 2), "{}", solver.name());
    }
}

#[test]
fn a_hundred_thousand_contacts_end() {
    // Piles of ten boxes side by side, 2,500 of them.
    let pile = tower(&[1.0; 10], 0.5);
    let piles = 2500;
    let one = pile.operator().jacobian();
    let rows = (0..piles).flat_map(|p| {
        (0..one.rows()).map(move |i| {
            one.row(i).map(move |(j, block)| (j + 20 * p, *block)).collect::<Vec<_>>()
        })
    });
    let jacobian = BlockRows::from_rows(20 * piles, rows);
    let inverse = pile.operator().inverse_mass().repeat(piles);
    let problem = ContactProblem::new(
        MassJacobian::new(inverse, jacobian),
        pile.b().repeat(piles),
        pile.laws().repeat(piles),
    )
    .unwrap();
    assert_eq!(problem.contacts(), 100_000);
    let limits = Limits { tolerance: 1e-6, iterations: 2000 };
    let (_, report) = run(&problem, Solver::Default, &limits);
    assert!(report.converged(), "{} {:e}", report.status, report.residual());
    for solver in [Solver::GaussSeidel(Order::Coloured), Solver::Apgd, Solver::Nncg, Solver::Jacobi]
    {
        let _ = run(&problem, solver, &Limits { tolerance: 1e-6, iterations: 5 });
    }
}

#[test]
fn threads_do_not_change_the_bits() {
    let problem = random(600, 0.6, 9);
    let limits = Limits { tolerance: 1e-6, iterations: 60 };
    let solve = |threads: usize, solver: Solver| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&problem, solver, &limits).0)
    };
    for solver in [
        Solver::Default,
        Solver::GaussSeidel(Order::Coloured),
        Solver::Jacobi,
        Solver::Apgd,
        Solver::Admm,
    ] {
        assert_eq!(solve(1, solver), solve(3, solver), "{}", solver.name());
    }
}

#[test]
fn a_loose_packing_of_many_contacts_has_the_same_bits_for_any_threads() {
    // A tenth of what `benches/src/bin/coulomb.rs` solves; no block of the operator is ever written out.
    let problem = random(10_000, 0.3, 1);
    let limits = Limits { tolerance: 1e-4, iterations: 200 };
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&problem, Solver::Default, &limits))
    };
    let (one, two) = (solve(1), solve(2));
    assert!(one.1.converged(), "{} {:e}", one.1.status, one.1.residual());
    assert_eq!(one.0, two.0);
}
