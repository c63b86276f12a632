//! What is there for many contacts and strong friction: other forms of the same equations, and paths to their
//! solutions.

use super::problems::{Problem, Random, random, tower, wall};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::newton::{self, LinearMethod};
use stiction::solve::complementarity::cone::{
    BlockRows, ContactProblem, Law, Map, MassJacobian, Solver,
};

/// Bodies of any shape: inverse masses that are full, one of them singular (it cannot turn about one axis), and
/// contacts that give way.
fn odd_bodies() -> Problem {
    let mut random = Random(7);
    let bodies = 12;
    let inverse = (0..2 * bodies).map(|k| {
        let axes = random.frame();
        let least = if k == 3 { 0.0 } else { 0.2 };
        axes.transpose() * Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, least)) * axes
    });
    let inverse: Vec<Matrix3> = inverse.collect();
    let block = |random: &mut Random, body: usize| {
        let frame = random.frame();
        [(2 * body, frame), (2 * body + 1, random.frame() * 0.5)]
    };
    let rows: Vec<Vec<(usize, Matrix3)>> = (0..30)
        .map(|_| {
            let (a, b) = (random.below(bodies), random.below(bodies));
            [block(&mut random, a), block(&mut random, b)].concat()
        })
        .collect();
    let jacobian = BlockRows::from_rows(2 * bodies, rows);
    let b = (0..90).map(|_| random.normal()).collect();
    let compliance = (0..30).map(|_| random.vector().abs() * 0.1).collect();
    ContactProblem::new(MassJacobian::new(inverse, jacobian), b, vec![Law::Coulomb { mu: 0.5 }; 30])
        .and_then(|problem| problem.with_compliance(compliance))
        .unwrap()
}

#[test]
fn newton_takes_the_same_steps_over_velocities_as_over_impulses() {
    let limits = Limits { tolerance: 1e-10, iterations: 60 };
    let problems = [
        ("tower", tower(&[1.0; 8], 0.5)),
        ("heavy", tower(&[1.0, 1e4], 0.5)),
        ("random", random(40, 0.4, 3)),
        ("odd", odd_bodies()),
    ];
    for (name, problem) in problems {
        for map in [Map::AlartCurnier, Map::Natural] {
            let solve = |linear| {
                let settings = newton::Settings { map, linear, ..Default::default() };
                let mut r = vec![0.0; 3 * problem.contacts()];
                let report = newton::solve(&problem, &mut r, &limits, &settings, &mut ());
                let mut u = vec![0.0; r.len()];
                problem.velocities(&r, &mut u, &mut problem.memory());
                (report, u)
            };
            let (dense, expected) = solve(LinearMethod::Dense);
            for linear in [LinearMethod::Sparse, LinearMethod::Bodies] {
                let (report, u) = solve(linear);
                assert_eq!(report.status, dense.status, "{name}, {map:?}, {linear:?}");
                if dense.converged() {
                    assert_eq!(report.iterations, dense.iterations, "{name}, {map:?}, {linear:?}");
                    let apart = u.iter().zip(&expected).map(|(a, b)| (a - b).abs());
                    assert!(apart.fold(0.0, f64::max) < 1e-9, "{name}, {map:?}, {linear:?}");
                }
            }
        }
    }
}

/// With `μ = 5` two of these were left at 1e-2 by everything but the way over the convex relaxation.
#[test]
fn the_default_solves_strong_friction() {
    let limits = Limits { tolerance: 1e-8, iterations: 2_000 };
    for seed in 1..=10 {
        let problem = random(50, 5.0, seed);
        let mut r = vec![0.0; 150];
        let report = Solver::Default.solve(&problem, &mut r, &limits, &mut ());
        assert!(report.converged(), "seed {seed}: {} at {:e}", report.status, report.residual());
    }
}

/// How far it gets: 19 of 20, and all large walls; what fails says so. Some seconds each, so only when asked for.
#[test]
#[ignore = "a measurement, of a minute"]
fn the_default_solves_most_large_problems_of_strong_friction() {
    let limits = Limits { tolerance: 1e-8, iterations: 5_000 };
    let solved = |problem: Problem| {
        let mut r = vec![0.0; 3 * problem.contacts()];
        Solver::Default.solve(&problem, &mut r, &limits, &mut ()).converged()
    };
    let random = (1..=20).filter(|&seed| solved(random(200, 5.0, seed))).count();
    assert!(random >= 18, "{random} of 20");
    let walls = (1..=4).filter(|&seed| solved(wall(10, 6, 1.0, seed))).count();
    assert!(walls >= 3, "{walls} of 4");
}
