//! Elliptic friction through stretched rows, by every solver.

use super::problems::{Random, incline, random};
use super::solvers::exact_solvers;
use stiction::math::Vector3;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{
    Assembled, ContactProblem, Delassus, Law, MassJacobian, ProblemError, Solver, Stretch,
};

const TIGHT: Limits = Limits { tolerance: 1e-10, iterations: 50_000 };

/// Impulses of a problem whose contacts have coefficients along both tangents.
fn solved(problem: &ContactProblem<MassJacobian>, mu: &[[f64; 2]], solver: Solver) -> Vec<f64> {
    let stretch = Stretch::new(mu).expect("good numbers");
    let (mass, jacobian) = (problem.operator().inverse_mass(), problem.operator().jacobian());
    let operator = MassJacobian::new(mass.to_vec(), jacobian.clone().scaled(stretch.scales()));
    let mut b = problem.b().to_vec();
    stretch.velocities(&mut b);
    let stretched = ContactProblem::new(operator, b, stretch.laws()).expect("valid");
    let mut r = vec![0.0; b_len(problem)];
    let report = solver.solve(&stretched, &mut r, &TIGHT, &mut ());
    assert!(report.converged(), "{}: {} {:e}", solver.name(), report.status, report.residual());
    stretch.impulses(&mut r);
    r
}

fn b_len(problem: &ContactProblem<MassJacobian>) -> usize {
    3 * problem.contacts()
}

fn velocities(problem: &ContactProblem<MassJacobian>, r: &[f64]) -> Vec<f64> {
    let (mut u, mut memory) = (vec![0.0; r.len()], problem.memory());
    problem.velocities(r, &mut u, &mut memory);
    u
}

fn block(x: &[f64], i: usize) -> Vector3 {
    Vector3::from_column_slice(&x[3 * i..3 * i + 3])
}

/// Signorini's law, the ellipse, and most dissipation: of many forces in the ellipse, none takes more power. Not
/// antiparallel to slip.
#[test]
fn every_solver_finds_forces_that_dissipate_most() {
    let mut numbers = Random(5);
    let problem = random(12, 0.4, 3);
    let mu: Vec<[f64; 2]> =
        (0..12).map(|_| [0.1 + 0.3 * numbers.uniform(), 0.3 + 0.5 * numbers.uniform()]).collect();
    let mut slides = 0;
    for solver in exact_solvers() {
        let r = solved(&problem, &mu, solver);
        let u = velocities(&problem, &r);
        for i in 0..12 {
            let (r, u, [mu_t, mu_b]) = (block(&r, i), block(&u, i), mu[i]);
            assert!(r.x >= -1e-12 && u.x > -1e-9 && (r.x * u.x).abs() < 1e-8, "{r} {u}");
            let gauge = (r.y / mu_t).hypot(r.z / mu_b);
            assert!(gauge <= r.x * (1.0 + 1e-8) + 1e-9, "{gauge} of {}", r.x);
            let power = r.y * u.y + r.z * u.z;
            let skew = (r.y * u.z - r.z * u.y).abs();
            slides += usize::from(skew > 1e-3 * r.norm() * u.norm() && r.norm() > 1e-3);
            for k in 0..64 {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 64.0).sin_cos();
                let other = r.x * (mu_t * cos * u.y + mu_b * sin * u.z);
                assert!(power <= other + 1e-8, "{}: {power} above {other}", solver.name());
            }
        }
    }
    assert!(slides > 20, "only {slides} slide at an angle to their friction");
}

#[test]
fn equal_coefficients_are_plain_coulomb_to_the_bit() {
    let problem = random(10, 0.37, 8);
    let mut plain = vec![0.0; 30];
    let report = Solver::Default.solve(&problem, &mut plain, &TIGHT, &mut ());
    assert!(report.converged());
    assert_eq!(plain, solved(&problem, &[[0.37; 2]; 10], Solver::Default));
}

/// A box on a slope along its first tangent: sticks if and only if the coefficient along it is at least the slope's,
/// whatever the other is.
#[test]
fn thresholds_are_those_of_the_axis_that_points_down() {
    for (mu, sticks) in [([0.52, 0.2], true), ([0.48, 0.8], false), ([0.48, 0.0], false)] {
        // Where one coefficient is none, sweeps take long.
        let solvers = if mu[1] > 0.0 { exact_solvers() } else { vec![Solver::Default] };
        for solver in solvers {
            let problem = incline(2, 0.5f64.atan(), 1.0);
            let r = solved(&problem, &[mu; 4], solver);
            let u = velocities(&problem, &r);
            let slip = (0..4).map(|i| block(&u, i).yz().norm()).fold(0.0, f64::max);
            assert_eq!(slip < 1e-8, sticks, "{}: {mu:?}, slips at {slip:e}", solver.name());
        }
    }
}

#[test]
fn assembled_and_matrix_free_rows_stretch_alike() {
    let problem = random(9, 0.5, 21);
    let stretch = Stretch::new(&[[0.2, 0.7]; 9]).expect("good numbers");
    let (mass, jacobian) = (problem.operator().inverse_mass(), problem.operator().jacobian());
    let free =
        MassJacobian::new(mass.to_vec(), jacobian.clone().scaled(stretch.scales())).assemble();
    let assembled: Assembled = problem.operator().assemble().scaled(stretch.scales());
    for i in 0..9 {
        for j in 0..9 {
            let off = (free.block(i, j) - assembled.block(i, j)).norm();
            assert!(off < 1e-13, "{i} {j}: {off:e}");
            let between = problem.operator().between(i, j);
            assert!((between - problem.operator().assemble().block(i, j)).norm() < 1e-13);
        }
    }
}

#[test]
fn bad_coefficients_are_refused() {
    assert!(matches!(Stretch::new(&[[0.1, -0.1]]), Err(ProblemError::Negative { contact: 0, .. })));
    for bad in [f64::NAN, f64::INFINITY] {
        let refused = Stretch::new(&[[0.1, 0.1], [bad, 0.1]]);
        assert!(matches!(refused, Err(ProblemError::NotFinite { contact: 1, .. })));
    }
    let none = Stretch::new(&[[0.0; 2]]).expect("no friction is fine");
    assert_eq!((none.laws(), none.is_identity()), (vec![Law::Frictionless], true));
}
