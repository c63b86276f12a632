//! Methods that end with an exact answer, against each other and against what is known.

use nalgebra::DMatrix;
use stiction::solve::complementarity::linear::{
    Bounds, LinearProblem, block_principal, conjugate, gauss_seidel, incremental, interior_point,
    lemke, newton, principal, residual,
};
use stiction::solve::{Report, Status};

use super::scenes::{Chance, Tower, dense, limits, random_definite};

type Solver = (&'static str, fn(&LinearProblem, &mut [f64]) -> Report);

const EXACT: [Solver; 4] = [
    ("lemke", |p, x| lemke::solve(p, x, &limits(1e-10, 10_000), &mut ())),
    ("incremental", |p, x| incremental::solve(p, x, &limits(1e-10, 10_000), &mut ())),
    ("principal", |p, x| principal::solve(p, x, &limits(1e-10, 10_000), &mut ())),
    ("block principal", |p, x| {
        block_principal::solve(p, x, &Default::default(), &limits(1e-10, 10_000), &mut ())
    }),
];

fn worst_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| (a - b).abs().max(worst))
}

#[test]
fn all_agree_on_random_definite_problems_with_few_pivots() {
    for seed in 1..=10 {
        let (a, b) = random_definite(40, 0.1, seed);
        let problem = dense(&a, &b, vec![Bounds::AT_LEAST_ZERO; 40]);
        let mut solutions = Vec::new();
        for (name, solve) in EXACT {
            let mut x = vec![0.0; 40];
            let report = solve(&problem, &mut x);
            assert_eq!(report.status, Status::Converged, "{name} with seed {seed}: {report:?}");
            match name {
                "incremental" => {
                    assert!((12..=30).contains(&report.iterations), "{}", report.iterations)
                }
                "block principal" => {
                    assert!((3..=8).contains(&report.iterations), "{}", report.iterations)
                }
                _ => {}
            }
            solutions.push(x);
        }
        let settings = gauss_seidel::Settings::default();
        let mut x = vec![0.0; 40];
        assert!(
            gauss_seidel::solve(&problem, &mut x, &settings, &limits(1e-10, 10_000), &mut ())
                .converged()
        );
        solutions.push(x);
        let mut x = vec![0.0; 40];
        assert!(
            conjugate::solve(&problem, &mut x, &settings, &limits(1e-10, 10_000), &mut ())
                .converged()
        );
        solutions.push(x);
        for x in &solutions {
            assert!(worst_difference(x, &solutions[0]) < 1e-8);
        }
    }
}

#[test]
fn all_agree_on_boxes_equations_and_one_sided_bounds() {
    for seed in 1..=20 {
        let n = 30;
        let (a, b) = random_definite(n, 0.5, 100 + seed);
        let mut chance = Chance(seed);
        let bounds: Vec<_> = (0..n)
            .map(|i| match i % 5 {
                0 => Bounds::NONE,
                1 => Bounds::between(-0.1 - chance.next().abs(), 0.05),
                2 => Bounds::between(f64::NEG_INFINITY, 0.02),
                3 => Bounds::between(0.3, 0.3),
                _ => Bounds::AT_LEAST_ZERO,
            })
            .collect();
        let problem = dense(&a, &b, bounds);
        let mut first: Option<Vec<f64>> = None;
        for (name, solve) in EXACT {
            let mut x = vec![0.0; n];
            let report = solve(&problem, &mut x);
            assert_eq!(report.status, Status::Converged, "{name} with seed {seed}: {report:?}");
            let first = first.get_or_insert_with(|| x.clone());
            assert!(worst_difference(first, &x) < 1e-8, "{name} with seed {seed}");
        }
    }
}

#[test]
fn friction_bounds_that_move_are_solved_exactly() {
    for (mu, tilt) in [(0.5, 0.2), (0.5, 0.9), (0.0, 0.3), (5.0, 0.4), (20.0, 1.2)] {
        let mut tower = Tower::new(&[1.0, 3.0]).with_friction(mu);
        tower.gravity =
            nalgebra::Vector3::new(f64::sin(tilt), 0.3 * f64::sin(tilt), -f64::cos(tilt)) * 9.81;
        let problem = tower.build();
        let mut velocities = Vec::new();
        for (name, solve) in EXACT {
            let mut x = vec![0.0; problem.len()];
            let report = solve(&problem, &mut x);
            let mut u = vec![0.0; x.len()];
            problem.velocities(&x, &mut u, &mut Vec::new());
            assert_eq!(report.status, Status::Converged, "{name}, mu {mu}: {report:?}");
            assert!(residual::natural(&problem, &x, &u) <= 1e-10, "{name}, mu {mu}");
            velocities.push((name, u));
        }
        let settings = gauss_seidel::Settings::default();
        let mut x = vec![0.0; problem.len()];
        let report =
            gauss_seidel::solve(&problem, &mut x, &settings, &limits(1e-11, 100_000), &mut ());
        assert_eq!(report.status, Status::Converged, "gauss_seidel, mu {mu}");
    }
}

#[test]
fn a_ray_means_that_there_is_no_solution() {
    // The second row moves in whatever is done: its matrix row only repeats the first, its velocity does not.
    let a = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let problem = dense(&a, &[-1.0, 0.5], vec![Bounds::AT_LEAST_ZERO; 2]);
    for (name, solve) in EXACT {
        let report = solve(&problem, &mut [0.0; 2]);
        assert_eq!(report.status, Status::Infeasible, "{name}: {report:?}");
    }
}

#[test]
fn towers_with_too_many_contacts_are_solved() {
    for n in [1, 2, 5, 10] {
        let problem = Tower::new(&vec![1.0; n]).build();
        for (name, solve) in EXACT {
            let mut x = vec![0.0; problem.len()];
            let report = solve(&problem, &mut x);
            assert_eq!(
                report.status,
                Status::Converged,
                "{name}, {n} boxes: {:?}",
                report.residuals.last()
            );
            let bottom: f64 = x[..4].iter().sum();
            assert!((bottom - 0.0981 * n as f64).abs() < 1e-9, "{name}, {n} boxes carry {bottom}");
        }
    }
}

#[test]
fn a_ray_past_a_solution_is_not_called_infeasible() {
    // Matrices of no kind, with a solution planted: Lemke's method may miss it, and must not deny it.
    let (mut solved, mut missed) = (0, 0);
    for seed in 0..300 {
        let mut chance = Chance(seed);
        let a = DMatrix::from_fn(6, 6, |_, _| chance.normal());
        let planted =
            nalgebra::DVector::from_fn(
                6,
                |i, _| if i % 2 == 0 { chance.next().abs() } else { 0.0 },
            );
        let mut b = -(&a * &planted);
        (0..6).filter(|i| i % 2 == 1).for_each(|i| b[i] += chance.next().abs());
        let problem = dense(&a, b.as_slice(), vec![Bounds::AT_LEAST_ZERO; 6]);
        match lemke::solve(&problem, &mut [0.0; 6], &limits(1e-9, 10_000), &mut ()).status {
            Status::Converged => solved += 1,
            Status::Infeasible => panic!("seed {seed} has a solution"),
            _ => missed += 1,
        }
    }
    assert!(solved > 100 && missed > 10, "{solved} solved, {missed} missed");
}

/// Normals and tangents that push each other. From where everything is on its right side the map is linear, bounds that
/// are tied included, so one step is enough from there; with bounds held it would miss by a thousandth of them.
#[test]
fn newton_follows_bounds_that_move() {
    for seed in 0..20 {
        let (a, mut b) = random_definite(9, 1.0, 40 + seed);
        let bounds = (0..9).map(|i| {
            if i % 3 == 0 { Bounds::AT_LEAST_ZERO } else { Bounds::friction(i - i % 3, 0.3) }
        });
        (0..9).step_by(3).for_each(|i| b[i] = -3.0);
        let problem = dense(&a, &b, bounds.collect());
        let settings = newton::Settings { rescues: 0, ..Default::default() };
        let solve =
            |x: &mut [f64]| newton::solve(&problem, x, &settings, &limits(1e-12, 100), &mut ());
        let mut x = [0.0; 9];
        let report = solve(&mut x);
        assert!(report.converged(), "seed {seed}: {}", report.status);
        assert!((2..=4).contains(&report.iterations), "seed {seed}: {}", report.iterations);
        let slides = (0..9).any(|i| i % 3 > 0 && (x[i].abs() - 0.3 * x[i - i % 3]).abs() < 1e-9);
        assert!(slides, "seed {seed} has no bound that moves: {x:?}");
        let mut near = x.map(|x| x * (1.0 + 1e-3));
        let report = solve(&mut near);
        assert!(report.converged() && report.iterations == 1, "seed {seed}: {report:?}");
    }
}

#[test]
fn the_interior_point_needs_few_factorisations() {
    for (n, shift) in [(10, 1.0), (40, 0.1), (100, 1e-3)] {
        let (a, b) = random_definite(n, shift, 5);
        let bounds = (0..n)
            .map(|i| if i % 2 == 0 { Bounds::between(-0.1, 0.2) } else { Bounds::AT_LEAST_ZERO });
        let problem = dense(&a, &b, bounds.collect());
        let report =
            interior_point::solve(&problem, &mut vec![0.0; n], &limits(1e-9, 100), &mut ());
        assert!(
            report.converged() && report.iterations <= 14,
            "{n}: {} {}",
            report.status,
            report.iterations
        );
    }
}
