//! Every solver on the same problems: known vectors, towers, inclines, random ones; and each other.

use super::problems::{
    Problem, frame, incline, nodal_vectors, one_contact_vectors, random, rigid_rows, stack_slip,
    tower, velocities, wall,
};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::LinearSolve;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::residual::{natural, work};
use stiction::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Factorised, Law, Map, MassJacobian, Model,
    Order, Solver, newton,
};

const TIGHT: Limits = Limits { tolerance: 1e-11, iterations: 200_000 };

/// All of them: none ends before full accuracy.
pub(crate) fn exact_solvers() -> Vec<Solver> {
    Solver::ALL.to_vec()
}

fn all_solvers() -> Vec<Solver> {
    let mut all = exact_solvers();
    all.push(Solver::Shock);
    for order in [Order::Reverse, Order::Random { seed: 7 }, Order::Greedy, Order::ImpulseSorted] {
        all.push(Solver::GaussSeidel(order));
    }
    all
}

fn solved(problem: &Problem, solver: Solver, limits: &Limits) -> Vec<f64> {
    let mut r = vec![0.0; 3 * problem.contacts()];
    let report = solver.solve(problem, &mut r, limits, &mut ());
    let (mut u, mut memory) = (vec![0.0; r.len()], problem.memory());
    problem.velocities(&r, &mut u, &mut memory);
    let residual = natural(problem, &r, &u);
    assert!(report.converged(), "{}: {} at {:e}", solver.name(), report.status, report.residual());
    assert!((residual - report.residual()).abs() <= 1e-3 * limits.tolerance, "{}", solver.name());
    assert!(work(problem, &r, &u) <= limits.tolerance, "{} adds energy", solver.name());
    assert_eq!(report.residuals.len(), report.iterations + 1);
    r
}

#[test]
fn every_solver_finds_the_known_velocities() {
    for (name, problem, free, expected) in nodal_vectors() {
        for solver in all_solvers() {
            let r = solved(&problem, solver, &TIGHT);
            let v = velocities(&problem, &free, &r);
            for (v, expected) in v.iter().zip(&expected) {
                let error = (v - expected).abs();
                assert!(error < 1e-10, "{name} by {}: {v} {expected}", solver.name());
            }
        }
    }
}

/// Where the specification prints eight digits, ours, which have sixteen, begin with them.
#[test]
fn known_velocities_are_those_printed() {
    let printed: [&[f64]; 6] = [
        &[0.0, 1.0, 0.0],
        &[1.0, 0.0, 0.2],
        &[1.2, -0.28821569, 0.0, 1.2, -0.28821569, 0.0],
        &[1.35384615, 0.0, -1.76923077],
        &[-3.33333333, 0.0, 0.0, -3.33333333, 0.0, 0.0],
        &[-3.33333333, 1.18377223, 0.39459074, -3.33333333, 0.63245553, 0.21081851],
    ];
    for ((name, .., expected), printed) in nodal_vectors().iter().zip(printed) {
        assert!(expected.iter().zip(printed).all(|(v, p)| (v - p).abs() < 5.1e-9), "{name}");
    }
    let s = stack_slip();
    assert!((2.0 * (s - 0.3) + 9.8 * s / 0.2_f64.hypot(s)).abs() < 1e-14);
}

/// `docs/theory/reference-values.md`, "One contact", twelve digits.
#[test]
fn every_solver_finds_the_known_single_contacts() {
    let (w, cases) = one_contact_vectors();
    let inverse = w.try_inverse().unwrap();
    for (mu, d, u, r) in cases {
        let identity = BlockRows::from_rows(1, [[(0, Matrix3::identity())]]);
        let operator = MassJacobian::new(vec![inverse], identity);
        let q = -(inverse * Vector3::from(d));
        let b = q.data.0[0].to_vec();
        let problem = Problem::new(operator, b, vec![Law::Coulomb { mu }]).unwrap();
        for solver in all_solvers() {
            let found = Vector3::from_column_slice(&solved(&problem, solver, &TIGHT));
            let errors = [found - Vector3::from(r), inverse * found + q - Vector3::from(u)];
            assert!(errors.iter().all(|e| e.amax() < 1e-10), "{} mu {mu}: {found}", solver.name());
        }
    }
}

/// Without friction and slip the test for "inside the cone", `0 ≤ 0`, holds for what pulls too.
#[test]
fn what_opens_without_friction_is_never_pulled() {
    let identity = Matrix3::identity();
    let jacobian = BlockRows::from_rows(2, [[(0, identity)], [(1, identity)]]);
    let operator = MassJacobian::new(vec![identity, identity * 0.5], jacobian);
    let b = vec![0.1, 0.0, 0.0, -0.3, 0.0, 0.0];
    let problem = ContactProblem::new(operator, b, vec![Law::Frictionless; 2]).unwrap();
    for solver in all_solvers() {
        let r = solved(&problem, solver, &TIGHT);
        let expected = [0.0, 0.0, 0.0, 0.6, 0.0, 0.0];
        let apart = r.iter().zip(expected).map(|(r, e)| (r - e).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{}: {r:?}", solver.name());
    }
}

#[test]
fn impulses_of_the_known_vectors_are_found_where_they_are_unique() {
    let vectors = nodal_vectors();
    // Not V2: two contacts can share its load in many ways.
    let s = stack_slip();
    let (along, across) = (-9.8 * 0.2 / 0.2_f64.hypot(s), -9.8 * s / 0.2_f64.hypot(s));
    let side = 2.0 / 3.0 / 10f64.sqrt();
    let expected: [(usize, &[f64]); 3] = [
        (0, &[9.8, 1.0, 0.0]),
        (2, &[19.6, along, across, 9.8, s - 0.3, 1.2, 2.4 - along, 0.0, 0.0]),
        (5, &[10.0 / 3.0, -3.0 * side, -side]),
    ];
    let printed = [-9.78303260, -0.57643138, 9.8, -0.28821569, 1.2, 12.18303260];
    assert!(expected[1].1[1..].iter().zip(printed).all(|(r, p)| (r - p).abs() < 5.1e-9));
    for (k, expected) in expected {
        for solver in all_solvers() {
            let r = solved(&vectors[k].1, solver, &TIGHT);
            for (r, expected) in r.iter().zip(expected) {
                assert!(
                    (r - expected).abs() < 1e-10,
                    "{} by {}: {r} {expected}",
                    vectors[k].0,
                    solver.name()
                );
            }
        }
    }
}

#[test]
fn the_third_of_three_tilted_contacts_carries_all() {
    let (_, problem, ..) = &nodal_vectors()[3];
    for solver in all_solvers() {
        let r = solved(problem, solver, &TIGHT);
        let slip = r[7].hypot(r[8]);
        assert!(r[..6].iter().all(|r| r.abs() < 1e-9), "{}: {r:?}", solver.name());
        let expected = 6.96 / 1.04_f64.sqrt();
        assert!((expected - 6.82484150).abs() < 5.1e-9, "as printed");
        assert!((r[6] - expected).abs() < 1e-10 && (slip - expected).abs() < 1e-10, "{r:?}");
    }
}

#[test]
fn forms_of_the_operator_agree() {
    let problem = random(40, 0.6, 1);
    let assembled = problem.assembled();
    let r: Vec<f64> = (0..120).map(|k| (k as f64).sin()).collect();
    let (mut u, mut memory) = (vec![0.0; 120], problem.memory());
    problem.velocities(&r, &mut u, &mut memory);
    for i in 0..40 {
        let row = assembled.velocity(i, &r, &[]);
        assert!((0..3).all(|k| (row[k] - u[3 * i + k]).abs() < 1e-12));
        assert!((assembled.diagonal(i) - problem.diagonal(i)).amax() < 1e-12);
        for j in 0..40 {
            let (a, b) = (assembled.operator().block(i, j), assembled.operator().block(j, i));
            assert!((a - b.transpose()).amax() < 1e-12, "symmetric");
        }
    }
    // Sweeps through velocities are the sweeps through blocks.
    let limits = Limits { tolerance: 0.0, iterations: 30 };
    let solver = Solver::GaussSeidel(Order::Given);
    let (mut a, mut b) = (vec![0.0; 120], vec![0.0; 120]);
    let _ = solver.solve(&problem, &mut a, &limits, &mut ());
    let _ = solver.solve(&assembled, &mut b, &limits, &mut ());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12));
}

/// Masses that are solved for: the simplest factorisation.
struct Masses(Vec<f64>);

impl LinearSolve for Masses {
    fn dimension(&self) -> usize {
        self.0.len()
    }
    fn solve_in_place(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.0).for_each(|(b, m)| *b /= m);
    }
    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }
}

#[test]
fn a_factorised_operator_is_the_same_problem() {
    let problem = random(12, 0.4, 8);
    let masses = Masses(vec![1.0; problem.operator().memory_len()]);
    let operator = Factorised::new(&masses, problem.operator().jacobian().clone());
    for i in 0..12 {
        for j in 0..12 {
            let (a, b) =
                (operator.assemble().block(i, j), problem.operator().assemble().block(i, j));
            assert!((a - b).amax() < 1e-12);
        }
    }
    let factorised =
        ContactProblem::new(operator, problem.b().to_vec(), problem.laws().to_vec()).unwrap();
    let expected = solved(&problem, Solver::GaussSeidel(Order::Given), &TIGHT);
    let mut r = vec![0.0; 36];
    let report = Solver::GaussSeidel(Order::Given).solve(&factorised, &mut r, &TIGHT, &mut ());
    assert!(report.converged());
    assert!(r.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8));
}

#[test]
fn compliance_lets_a_loaded_contact_give_way() {
    let (_, problem, ..) = nodal_vectors().swap_remove(0);
    let problem = problem.with_compliance(vec![Vector3::new(0.5, 0.0, 0.0)]).unwrap();
    for solver in exact_solvers() {
        let r = solved(&problem, solver, &TIGHT);
        assert!((r[0] - 9.8 / 1.5).abs() < 1e-9, "{}: {r:?}", solver.name());
    }
}

#[test]
fn residuals_do_not_change_with_the_unit_of_mass() {
    let heavier = |mass: f64| {
        let problem = tower(&[mass, 2.0 * mass], 0.5);
        let r: Vec<f64> = (0..24).map(|k| mass * (k as f64).cos()).collect();
        let (mut u, mut memory) = (vec![0.0; 24], problem.memory());
        problem.velocities(&r, &mut u, &mut memory);
        natural(&problem, &r, &u)
    };
    assert!((heavier(1.0) - heavier(1e-3)).abs() < 1e-12 * heavier(1.0));
}

#[test]
fn solvers_agree_on_velocities_of_random_problems() {
    let limits = Limits { tolerance: 1e-9, iterations: 100_000 };
    for (contacts, mu) in [(3, 0.3), (12, 0.6), (40, 0.3)] {
        let problem = random(contacts, mu, 11 + contacts as u64);
        let mut first: Option<Vec<f64>> = None;
        for solver in exact_solvers() {
            let r = solved(&problem, solver, &limits);
            let mut v = vec![0.0; problem.operator().memory_len()];
            problem.operator().velocities(&r, &mut v);
            let first = first.get_or_insert_with(|| v.clone());
            let apart = v.iter().zip(first).map(|(a, b)| (a - *b).abs()).fold(0.0, f64::max);
            assert!(
                apart < 1e-5,
                "{} is {apart:e} from others, {contacts} contacts",
                solver.name()
            );
        }
    }
}

#[test]
fn the_associated_model_has_one_answer() {
    let limits = Limits { tolerance: 1e-9, iterations: 100_000 };
    let problem = random(20, 0.6, 5).with_model(Model::Associated);
    let mut first: Option<Vec<f64>> = None;
    for solver in exact_solvers() {
        if solver == Solver::Staggering {
            continue;
        }
        let r = solved(&problem, solver, &limits);
        let mut v = vec![0.0; problem.operator().memory_len()];
        problem.operator().velocities(&r, &mut v);
        let first = first.get_or_insert_with(|| v.clone());
        let apart = v.iter().zip(first).map(|(a, b)| (a - *b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{} is {apart:e} from others", solver.name());
    }
}

#[test]
fn a_tower_carries_its_weight() {
    let limits = Limits { tolerance: 1e-10, iterations: 200_000 };
    let problem = tower(&[1.0; 5], 0.5);
    for solver in exact_solvers() {
        let r = solved(&problem, solver, &limits);
        for layer in 0..5 {
            let sum: f64 = (0..4).map(|k| r[3 * (4 * layer + k)]).sum();
            let weight = (5 - layer) as f64 * 0.0981;
            assert!((sum - weight).abs() < 1e-7, "{} layer {layer}: {sum}", solver.name());
        }
    }
}

#[test]
fn a_box_sticks_below_the_friction_angle_and_slides_above() {
    let limits = Limits { tolerance: 1e-13, iterations: 200_000 };
    for columns in [2, 4] {
        for solver in exact_solvers() {
            for mu in [0.2f64, 0.5] {
                // At the threshold contacts agree on who carries only slowly, and a residual of 1e-13 is a creep of
                // some 1e-12.
                let close = matches!(
                    solver,
                    Solver::Default | Solver::Newton(Map::AlartCurnier | Map::Natural)
                );
                let part = if close { 1e-4 } else { 0.05 };
                for (part, creep) in [(0.95, 1e-12), (1.0 - part, 1e-10)] {
                    let theta = (part * mu).atan();
                    let problem = incline(columns, theta, mu);
                    let v = incline_velocity(&problem, &solved(&problem, solver, &limits), theta);
                    assert!(v.abs() < creep, "{} creeps by {v:e} at {part}", solver.name());
                }
                for part in [1.0 + part, 1.5] {
                    let theta = (part * mu).atan();
                    let problem = incline(columns, theta, mu);
                    let v = incline_velocity(&problem, &solved(&problem, solver, &limits), theta);
                    let expected = 0.0981 * (theta.sin() - mu * theta.cos());
                    assert!((v - expected).abs() < 1e-10, "{}: {v} {expected}", solver.name());
                }
            }
        }
    }
}

fn incline_velocity(problem: &Problem, r: &[f64], theta: f64) -> f64 {
    let free = [0.0981 * theta.sin(), 0.0, -0.0981 * theta.cos(), 0.0, 0.0, 0.0];
    velocities(problem, &free, r)[0]
}

#[test]
fn warm_starts_end_at_once() {
    let problem = random(20, 0.6, 3);
    let limits = Limits { tolerance: 1e-8, iterations: 10_000 };
    for solver in exact_solvers() {
        let mut r = solved(&problem, solver, &limits);
        let report = solver.solve(&problem, &mut r, &limits, &mut ());
        assert!(report.converged() && report.iterations == 0, "{}", solver.name());
    }
}

#[test]
fn nncg_climbs_towers_faster_than_gauss_seidel() {
    let limits = Limits { tolerance: 1e-7, iterations: 100_000 };
    let problem = tower(&[1.0; 20], 0.0);
    let count = |solver: Solver| {
        let mut r = vec![0.0; 240];
        let report = solver.solve(&problem, &mut r, &limits, &mut ());
        assert!(report.converged(), "{}", solver.name());
        report.iterations
    };
    let (sweeps, accelerated) = (count(Solver::GaussSeidel(Order::Given)), count(Solver::Nncg));
    assert!(3 * accelerated < sweeps, "{accelerated} {sweeps}");
}

#[test]
fn interior_points_are_found_to_all_digits() {
    let limits = Limits { tolerance: 1e-10, iterations: 60 };
    for seed in 0..5 {
        for model in [Model::Coulomb, Model::Associated] {
            let _ =
                solved(&random(30, 0.5, seed).with_model(model), Solver::InteriorPoint, &limits);
        }
        let heavy = tower(&[1.0, 1e6], 0.5).with_model(Model::Associated);
        let _ = solved(&heavy, Solver::InteriorPoint, &limits);
        let wall = wall(4, 4, 0.6, seed).with_model(Model::Associated);
        let _ = solved(&wall, Solver::InteriorPoint, &limits);
    }
    let _ = solved(&tower(&[1.0; 20], 0.5), Solver::InteriorPoint, &limits);
}

/// With the same regularisation in every step, Newton's method alone got stuck on some of them.
#[test]
fn walls_are_solved_by_the_default_and_by_newton_alone() {
    let limits = Limits { tolerance: 1e-8, iterations: 3000 };
    for mu in [0.3, 0.6] {
        for seed in 0..4 {
            let problem = wall(4, 4, mu, seed);
            let _ = solved(&problem, Solver::Default, &limits);
            let _ = solved(&problem, Solver::Newton(Map::AlartCurnier), &limits);
        }
    }
}

#[test]
fn every_solver_finds_the_threshold_within_one_in_ten_thousand() {
    let limits = Limits { tolerance: 1e-10, iterations: 200_000 };
    for solver in exact_solvers() {
        for mu in [0.2f64, 0.5] {
            let speed = |part: f64| {
                let theta = (part * mu).atan();
                let problem = incline(2, theta, mu);
                let v = incline_velocity(&problem, &solved(&problem, solver, &limits), theta);
                (v, 0.0981 * (theta.sin() - mu * theta.cos()))
            };
            let ((below, _), (above, expected)) = (speed(1.0 - 1e-4), speed(1.0 + 1e-4));
            assert!(below.abs() < 0.01 * expected, "{} creeps at {below:e}", solver.name());
            assert!((above / expected - 1.0).abs() < 0.01, "{} slides at {above:e}", solver.name());
        }
    }
}

#[test]
fn newton_solves_a_particle_in_the_steps_that_were_measured() {
    // Sliding down 30°, slowing down at 20°, sticking at 20° (V17). Measured with scalar functions and a slack for
    // the slip: three steps by the minimum map, six by Fischer–Burmeister. Ours is that of the cone, without slack,
    // and takes one more.
    let h = 0.01;
    for (degrees, v, mu) in [(30.0f64, 0.0, 0.5), (20.0, 1.0, 0.5), (20.0, 0.0, 0.5)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let b = vec![-9.81 * h * cos, v + 9.81 * h * sin, 0.0];
        let operator = Assembled::from_rows(1, [[(0, Matrix3::identity())]]);
        let problem = ContactProblem::new(operator, b, vec![Law::Coulomb { mu }]).unwrap();
        for (map, most) in [(Map::AlartCurnier, 3), (Map::Natural, 4), (Map::FischerBurmeister, 7)]
        {
            let settings = newton::Settings { map, sweeps: 0, ..Default::default() };
            let mut r = vec![0.0; 3];
            let limits = Limits { tolerance: 1e-10, iterations: 20 };
            let report = newton::solve(&problem, &mut r, &limits, &settings, &mut ());
            assert!(
                report.converged() && report.iterations <= most,
                "{map:?} at {degrees}°: {report:?}"
            );
        }
    }
}

#[test]
fn a_sliding_particle_lifts_off_in_the_associated_model() {
    let operator = Assembled::from_rows(1, [[(0, Matrix3::identity())]]);
    let problem =
        ContactProblem::new(operator, vec![-0.0981, 2.0, 0.0], vec![Law::Coulomb { mu: 0.5 }]);
    let problem = problem.unwrap().with_model(Model::Associated);
    for solver in exact_solvers().into_iter().filter(|&solver| solver != Solver::Staggering) {
        let mut r = vec![0.0; 3];
        assert!(solver.solve(&problem, &mut r, &TIGHT, &mut ()).converged(), "{}", solver.name());
        let u = [r[0] - 0.0981, r[1] + 2.0];
        assert!((u[0] - 0.78038).abs() < 1e-5 && (u[1] - 1.56076).abs() < 1e-5, "{u:?}");
    }
}

#[test]
fn a_block_slides_as_fast_as_it_should() {
    // V01: 1 × 0.2 × 1, half a second in steps of 10 ms.
    for (mu, degrees, expected) in [
        (0.5, 26.0f64, 0.0),
        (0.5, 27.0, 0.04163),
        (0.5, 30.0, 0.32857),
        (0.3, 16.8, 0.009_005),
        (0.3, 16.6, 0.0),
    ] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let axes = frame(Vector3::y(), Vector3::x());
        let arms = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
        let rows = arms.map(|(x, z)| {
            let [linear, angular] = rigid_rows(axes, Vector3::new(x, -0.1, z));
            [(0, linear), (1, angular)]
        });
        let jacobian = BlockRows::from_rows(2, rows);
        let (wide, flat) = (12.0 / 2.0, 12.0 / 1.04);
        let turn = Matrix3::from_diagonal(&Vector3::new(flat, wide, flat));
        let mut v = vec![0.0; 6];
        for _ in 0..50 {
            v[0] += 0.0981 * sin;
            v[1] -= 0.0981 * cos;
            let b = (0..4).flat_map(|i| jacobian.row_times(i, &v).data.0[0]).collect();
            let operator = MassJacobian::new(vec![Matrix3::identity(), turn], jacobian.clone());
            let problem = ContactProblem::new(operator, b, vec![Law::Coulomb { mu }; 4]).unwrap();
            let r =
                solved(&problem, Solver::Default, &Limits { tolerance: 1e-12, iterations: 1000 });
            v = velocities(&problem, &v, &r);
        }
        assert!((v[0] - expected).abs() < 6e-6, "{degrees}°: {}", v[0]);
    }
}

#[test]
fn newton_needs_few_iterations() {
    let limits = Limits { tolerance: 1e-10, iterations: 1000 };
    let problem = tower(&[1.0, 1e3], 0.5);
    for map in [Map::AlartCurnier, Map::Natural] {
        let mut r = vec![0.0; 24];
        let report = Solver::Newton(map).solve(&problem, &mut r, &limits, &mut ());
        assert!(
            report.converged() && report.iterations < 60,
            "{map:?}: {} {}",
            report.status,
            report.iterations
        );
    }
}
