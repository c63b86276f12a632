//! Clarabel [GC24] as an oracle: a solver of convex cone programs that shares no line with ours.
//!
//! The associated model is the program `min ½ rᵀAr + bᵀr` over `‖r_T‖ ≤ μ r_N`. Its impulses need not be unique, its
//! velocities `u = Ar + b` are: those are compared. Coulomb's law is no program, but a solution of it is one of the
//! program in which its own shift `μ‖u_T‖` is part of `b`.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver as _, SolverStatus, SupportedConeT,
};
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{Delassus as _, Model, Solver};

use super::problems::{Problem, random, tower, wall};

/// Impulses of the program with this `b`.
fn oracle(problem: &Problem, b: &[f64]) -> Vec<f64> {
    let n = problem.contacts();
    let entry = |i: usize, j: usize| problem.operator().between(i / 3, j / 3)[(i % 3, j % 3)];
    let a: Vec<Vec<f64>> = (0..3 * n).map(|i| (0..3 * n).map(|j| entry(i, j)).collect()).collect();
    let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..3 * n {
        rows.extend(0..=j);
        values.extend((0..=j).map(|i| a[i][j]));
        starts.push(rows.len());
    }
    let upper = CscMatrix::new(3 * n, 3 * n, starts, rows, values);
    // s = (μ r_N, r_T) in the second-order cone.
    let scale = |i: usize| if i.is_multiple_of(3) { -problem.mu(i / 3) } else { -1.0 };
    let scales = (0..3 * n).map(scale).collect();
    let to_cones =
        CscMatrix::new(3 * n, 3 * n, (0..=3 * n).collect(), (0..3 * n).collect(), scales);
    let cones = vec![SupportedConeT::SecondOrderConeT(3); n];
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-10,
        tol_gap_rel: 1e-10,
        tol_feas: 1e-10,
        ..DefaultSettings::default()
    };
    let zeros = vec![0.0; 3 * n];
    let mut solver = DefaultSolver::new(&upper, b, &to_cones, &zeros, &cones, settings);
    solver.solve();
    assert_eq!(solver.solution.status, SolverStatus::Solved);
    solver.solution.x
}

fn velocities(problem: &Problem, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; r.len()];
    problem.velocities(r, &mut u, &mut problem.memory());
    u
}

/// The program's value `½ rᵀAr + bᵀr = ½ rᵀ(u + b)`, and `u`.
fn outcome(problem: &Problem, r: &[f64], b: &[f64]) -> (f64, Vec<f64>) {
    let mut u = velocities(problem, r);
    u.iter_mut().zip(b).zip(problem.b()).for_each(|((u, b), own)| *u += b - own);
    (r.iter().zip(&u).zip(b).map(|((r, u), b)| 0.5 * r * (u + b)).sum(), u)
}

/// Values agree to what the oracle is asked for; velocities, whose squares they hold, to the root of that.
#[track_caller]
fn assert_near(name: &str, problem: &Problem, r: &[f64], b: &[f64]) {
    let ((value, u), (expected, expected_u)) =
        (outcome(problem, r, b), outcome(problem, &oracle(problem, b), b));
    let off = (value - expected) / expected.abs().max(1.0);
    assert!(off.abs() < 1e-8, "{name}: {value}, not {expected}");
    let size = expected_u.iter().fold(1.0_f64, |size, u| size.max(u.abs()));
    let apart = u.iter().zip(&expected_u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 3e-5 * size, "{name}: {apart:e}");
}

/// Random ones have rank two thirds at most; towers and walls more contacts than they need.
fn problems(mu: f64) -> Vec<(String, Problem)> {
    let mut all: Vec<(String, Problem)> = Vec::new();
    for (contacts, seed) in [(1, 1), (5, 2), (12, 3), (30, 4), (60, 5)] {
        all.push((format!("random, {contacts}, μ = {mu}"), random(contacts, mu, seed)));
    }
    all.push((format!("tower, μ = {mu}"), tower(&[1.0; 5], mu)));
    all.push((format!("heavy on light, μ = {mu}"), tower(&[1.0, 100.0], mu)));
    all.push((format!("wall, μ = {mu}"), wall(3, 3, mu, 1)));
    all
}

#[test]
fn convex_programs_are_solved_as_clarabel_does() {
    let limits = Limits { tolerance: 1e-10, iterations: 100_000 };
    for (name, problem) in [0.1, 0.5, 1.5].into_iter().flat_map(problems) {
        let problem = problem.with_model(Model::Associated);
        for solver in [Solver::InteriorPoint, Solver::Apgd, Solver::Default] {
            // Gradients alone take too long where friction is strong.
            if solver == Solver::Apgd && problem.mu(0) > 1.0 {
                continue;
            }
            let mut r = vec![0.0; 3 * problem.contacts()];
            let report = solver.solve(&problem, &mut r, &limits, &mut ());
            let name = format!("{name}, {}", solver.name());
            assert!(report.converged(), "{name}: {} at {:e}", report.status, report.residual());
            assert_near(&name, &problem, &r, problem.b());
        }
    }
}

#[test]
fn solutions_of_coulombs_law_solve_the_program_of_their_shift() {
    let limits = Limits { tolerance: 1e-10, iterations: 10_000 };
    for (name, problem) in [0.1, 0.5].into_iter().flat_map(problems) {
        let mut r = vec![0.0; 3 * problem.contacts()];
        let report = Solver::Default.solve(&problem, &mut r, &limits, &mut ());
        assert!(report.converged(), "{name}: {} at {:e}", report.status, report.residual());
        let (mut b, u) = (problem.b().to_vec(), velocities(&problem, &r));
        for k in 0..problem.contacts() {
            b[3 * k] += problem.mu(k) * u[3 * k + 1].hypot(u[3 * k + 2]);
        }
        assert_near(&name, &problem, &r, &b);
    }
}
