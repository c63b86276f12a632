//! Blocks, particles, balls and chains whose answers are known.

use nalgebra::{DMatrix, Vector3};
use stiction::solve::complementarity::linear::implicit::ImplicitProblem;
use stiction::solve::complementarity::linear::{
    self, Bounds, BoxFriction, ContactRows, LinearProblem, Matrix, Polyhedral, Rows, Solver, lemke,
    newton, residual,
};
use stiction::solve::{LinearSolve, Status};

use super::scenes::{GRAVITY, STEP, Tower, dense, limits, point_row};

/// Speed after half a second of a block of 1 × 0.2 × 1 on a slope, which falls along the diagonal of the tangents.
fn block_on_slope(degrees: f64, mu: f64) -> f64 {
    let angle = degrees.to_radians();
    let down = Vector3::new(0.0, -angle.cos(), 0.0)
        + Vector3::new(1.0, 0.0, 1.0) * (angle.sin() / 2.0_f64.sqrt());
    let (wide, flat) = (12.0 / 2.0, 12.0 / (1.0 + 0.04));
    let inverse_mass = DMatrix::from_diagonal(&[1.0, 1.0, 1.0, flat, wide, flat].to_vec().into());
    let mut velocity = vec![0.0; 6];
    for _ in 0..50 {
        (0..3).for_each(|k| velocity[k] += GRAVITY * STEP * down[k]);
        let mut rows = ContactRows::new(velocity.clone());
        let mut jacobian = Vec::new();
        for (x, z) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let entries = [Vector3::y(), Vector3::x(), Vector3::z()]
                .map(|axis| point_row(0, Vector3::new(x, -0.1, z), axis, 1.0));
            rows.contact([&entries[0], &entries[1], &entries[2]], 0.0, BoxFriction::isotropic(mu))
                .expect("it exists");
            jacobian.extend(entries);
        }
        let problem = rows.build(std::slice::from_ref(&inverse_mass)).expect("sizes fit");
        let mut x = vec![0.0; problem.len()];
        let report = linear::solve(&problem, &mut x, &limits(1e-12, 10_000), &mut ());
        assert!(report.converged(), "{degrees}°: {report:?}");
        for (row, x) in jacobian.iter().zip(&x) {
            for &(k, value) in row {
                velocity[k] += inverse_mass[(k, k)] * value * x;
            }
        }
    }
    Vector3::from_column_slice(&velocity[..3]).norm()
}

#[test]
fn a_box_of_friction_holds_too_much_along_its_diagonal() {
    // tan θ = √2 μ, 35.264°.
    assert!(block_on_slope(35.26, 0.5) < 1e-12);
    assert!(block_on_slope(35.27, 0.5) > 1e-5);
    assert!((block_on_slope(36.0, 0.5) - 0.0771).abs() < 5e-5);
}

/// A particle on a slope that falls in a direction of the tangent plane: the problem with boxes.
fn particle(free: [f64; 3], mu: f64) -> LinearProblem {
    let mut rows = ContactRows::new(free.to_vec());
    rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]], 0.0, BoxFriction::isotropic(mu))
        .expect("it exists");
    rows.build(&[DMatrix::identity(3, 3)]).expect("sizes fit")
}

fn slips_on_polygon(degrees: f64, direction: f64, sides: usize) -> bool {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let g = GRAVITY * STEP;
    let boxed = particle([-g * cos, g * sin * direction.cos(), g * sin * direction.sin()], 0.5);
    let polygon = Polyhedral::new(&boxed, sides).expect("a contact");
    let mut x = vec![0.0; polygon.problem.len()];
    let report = lemke::solve(&polygon.problem, &mut x, &limits(1e-12, 1000), &mut ());
    assert!(report.converged(), "{degrees}° with {sides} sides: {report:?}");
    polygon.slip_speed(&x, 0).expect("a contact") > 1e-9
}

#[test]
fn polygons_of_friction_hold_too_little_between_their_corners() {
    for (sides, worst) in [(4, 19.471), (8, 24.794), (16, 26.123)] {
        let between = std::f64::consts::PI / sides as f64;
        assert!(
            !slips_on_polygon(26.56, 0.0, sides) && slips_on_polygon(26.57, 0.0, sides),
            "{sides} sides, along"
        );
        assert!(!slips_on_polygon(worst - 0.001, between, sides), "{sides} sides, below");
        assert!(slips_on_polygon(worst + 0.001, between, sides), "{sides} sides, above");
    }
}

/// Corners on an ellipse, or on quarters of several: what friction takes from a sliding particle falls short by less
/// the more there are.
#[test]
fn polygons_of_ellipses_come_nearer_with_more_sides() {
    let friction = BoxFriction { plus: [0.2, 0.7], minus: [0.5, 0.3] };
    let missing = |sides: usize, angle: f64| {
        let v = [angle.cos(), angle.sin()];
        let mut rows = ContactRows::new(vec![-1.0, 10.0 * v[0], 10.0 * v[1]]);
        rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]], 0.0, friction).expect("it exists");
        let boxed = rows.build(&[DMatrix::identity(3, 3)]).expect("sizes fit");
        let polygon = Polyhedral::new(&boxed, sides).expect("a contact");
        let mut x = vec![0.0; polygon.problem.len()];
        assert!(lemke::solve(&polygon.problem, &mut x, &limits(1e-12, 1000), &mut ()).converged());
        let r = polygon.impulses(&x);
        // The slip after the push is what it acts against.
        let u = [10.0 * v[0] + r[1], 10.0 * v[1] + r[2]];
        let mu = |k: usize| if u[k] > 0.0 { friction.plus[k] } else { friction.minus[k] };
        let most = (mu(0) * u[0]).hypot(mu(1) * u[1]);
        (most + r[1] * u[0] + r[2] * u[1]) / most
    };
    let worst = |sides: usize| {
        (0..60).map(|k| missing(sides, 0.1047 * f64::from(k) + 0.01)).fold(0.0, f64::max)
    };
    let errors = [4, 8, 16, 32].map(worst);
    assert!(errors[0] > 0.2 && errors[3] < 0.05, "{errors:?}");
    assert!(
        errors.windows(2).all(|pair| pair[1] < 0.75 * pair[0] && pair[1] > -1e-9),
        "{errors:?}"
    );
}

#[test]
fn friction_of_a_polygon_snaps_to_its_corner() {
    let polygon =
        Polyhedral::new(&particle([-GRAVITY * STEP, 0.3_f64.cos(), 0.3_f64.sin()], 0.5), 4)
            .expect("a contact");
    let mut x = vec![0.0; polygon.problem.len()];
    assert!(lemke::solve(&polygon.problem, &mut x, &limits(1e-12, 1000), &mut ()).converged());
    let impulses = polygon.impulses(&x);
    assert!(
        (impulses[0] - 0.0981).abs() < 1e-12
            && (impulses[1] + 0.04905).abs() < 1e-12
            && impulses[2].abs() < 1e-12
    );
    assert!(
        (polygon.slip_speed(&x, 0).expect("a contact") - (0.3_f64.cos() - 0.04905)).abs() < 1e-12
    ); // 0.9063
}

#[test]
fn polygons_are_solved_by_the_default_for_a_whole_tower() {
    let mut tower = Tower::new(&[1.0, 2.0]).with_friction(0.5);
    tower.gravity = Vector3::new(1.0, 0.5, -9.0);
    let polygon = Polyhedral::new(&tower.build(), 8).expect("contacts");
    let mut x = vec![0.0; polygon.problem.len()];
    let report = linear::solve(&polygon.problem, &mut x, &limits(1e-10, 10_000), &mut ());
    assert!(report.converged(), "{} at {:e}", report.status, report.residual());
    let bottom: f64 = polygon.impulses(&x)[..12].iter().step_by(3).sum();
    assert!((bottom - 0.27).abs() < 1e-8, "{bottom}");
}

#[test]
fn a_sliding_block_stops_where_it_should() {
    let (mut v, mut way, mu, h) = (1.0, 0.0, 0.4, 1e-3);
    while v > 1e-12 {
        let problem = particle([-GRAVITY * h, v, 0.0], mu);
        let mut x = [0.0; 3];
        assert!(linear::solve(&problem, &mut x, &limits(1e-13, 100), &mut ()).converged());
        v += x[1];
        way += h * v;
    }
    let expected = 1.0 / (2.0 * mu * GRAVITY);
    assert!((way - expected).abs() < 1.1 * h * 0.5, "{way} {expected}");
}

#[test]
fn a_sliding_ball_ends_up_rolling_at_five_sevenths() {
    // Velocities: down, along, spin; radius one half, inertia 2/5 m r².
    let (mut v, mut spin, mut time, mu, r) = (2.0, 0.0, 0.0, 0.3, 0.5);
    let inverse = DMatrix::from_diagonal(&[1.0, 1.0, 1.0 / (0.4 * r * r)].to_vec().into());
    let (mut rolling_since, h) = (f64::NAN, 1e-4);
    while time < 0.5 {
        let mut rows = ContactRows::new(vec![-GRAVITY * h, v, spin]);
        rows.contact([&[(0, 1.0)], &[(1, 1.0), (2, r)], &[]], 0.0, BoxFriction::isotropic(mu))
            .expect("it exists");
        let problem = rows.build(std::slice::from_ref(&inverse)).expect("sizes fit");
        let mut x = [0.0; 3];
        assert!(linear::solve(&problem, &mut x, &limits(1e-13, 100), &mut ()).converged());
        v += x[1];
        spin += r * x[1] * inverse[(2, 2)];
        time += h;
        if rolling_since.is_nan() && (v + r * spin).abs() < 1e-9 {
            rolling_since = time;
        }
    }
    assert!((v - 2.0 * 5.0 / 7.0).abs() < 1e-9, "{v}");
    assert!((rolling_since - 2.0 * 2.0 / (7.0 * mu * GRAVITY)).abs() < 2.0 * h, "{rolling_since}");
}

#[test]
fn an_impact_stops_a_spinning_ball_from_slipping() {
    // One kilogram, radius one half, spin 10 rad/s, falling at 8.05 m/s, friction 0.4.
    let inverse = DMatrix::from_diagonal(&[1.0, 1.0, 10.0].to_vec().into());
    let mut rows = ContactRows::new(vec![-8.05, 0.0, 10.0]);
    rows.contact([&[(0, 1.0)], &[(1, 1.0), (2, -0.5)], &[]], 0.0, BoxFriction::isotropic(0.4))
        .expect("it exists");
    let problem = rows.build(std::slice::from_ref(&inverse)).expect("sizes fit");
    let mut x = [0.0; 3];
    assert!(linear::solve(&problem, &mut x, &limits(1e-13, 100), &mut ()).converged());
    assert!((x[1] - 10.0 / 7.0).abs() < 1e-12, "{x:?}");
    assert!((10.0 - 0.5 * 10.0 * x[1] - 20.0 / 7.0).abs() < 1e-12);
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    for restitution in [0.0, 0.5, 1.0] {
        let before = -3.0;
        let mut rows = ContactRows::new(vec![before]);
        rows.row(&[(0, 1.0)], restitution * before, Bounds::AT_LEAST_ZERO).expect("it exists");
        let problem = rows.build(&[DMatrix::from_element(1, 1, 0.5)]).expect("sizes fit");
        let mut x = [0.0];
        assert!(linear::solve(&problem, &mut x, &limits(1e-13, 100), &mut ()).converged());
        let after: f64 = before + 0.5 * x[0];
        assert!(((after / before).powi(2) - restitution * restitution).abs() < 1e-12);
    }
}

#[test]
fn an_error_of_a_joint_decays_by_what_is_asked_of_it() {
    let (mut gap, h, share) = (0.1_f64, 0.01, 0.2);
    for k in 1..=10 {
        let mut rows = ContactRows::new(vec![0.0]);
        rows.joint(&[(0, 1.0)], share * gap / h).expect("it exists");
        let problem = rows.build(&[DMatrix::identity(1, 1)]).expect("sizes fit");
        let mut x = [0.0];
        assert!(linear::solve(&problem, &mut x, &limits(1e-13, 100), &mut ()).converged());
        gap += h * x[0];
        assert!((gap - 0.1 * 0.8_f64.powi(k)).abs() < 1e-14);
    }
}

#[test]
fn torsion_and_rolling_resist_up_to_their_length() {
    // Down and a spin: friction can take `length · normal` from it.
    for (spin, left) in [(0.01, 0.0), (1.0, 1.0 - 0.02 * 0.5)] {
        let mut rows = ContactRows::new(vec![-0.5, spin]);
        let normal = rows.row(&[(0, 1.0)], 0.0, Bounds::AT_LEAST_ZERO).expect("it exists");
        rows.turning(normal, &[(1, 1.0)], 0.02).expect("it exists");
        let problem = rows.build(&[DMatrix::identity(2, 2)]).expect("sizes fit");
        for (name, solver) in Solver::all() {
            let mut x = [0.0; 2];
            assert!(
                solver.solve(&problem, &mut x, &limits(1e-12, 1000), &mut ()).converged(),
                "{name}"
            );
            assert!((spin + x[1] - left).abs() < 1e-10, "{name}: {x:?}");
        }
    }
}

#[test]
fn friction_may_differ_by_direction() {
    let friction = BoxFriction { plus: [0.2, 0.0], minus: [0.8, 0.0] };
    for (sliding, impulse) in [(1.0, -0.2), (-1.0, 0.8)] {
        let mut rows = ContactRows::new(vec![-1.0, sliding, 0.0]);
        rows.contact([&[(0, 1.0)], &[(1, 1.0)], &[(2, 1.0)]], 0.0, friction).expect("it exists");
        let problem = rows.build(&[DMatrix::identity(3, 3)]).expect("sizes fit");
        for (name, solver) in Solver::all() {
            let mut x = [0.0; 3];
            assert!(
                solver.solve(&problem, &mut x, &limits(1e-12, 1000), &mut ()).converged(),
                "{name}"
            );
            assert!((x[1] - impulse).abs() < 1e-10, "{name}: {x:?}");
        }
    }
}

#[test]
fn a_matched_scale_makes_the_minimum_map_straight() {
    let steps = |function, scale: f64, start: f64| {
        let problem =
            dense(&DMatrix::from_element(1, 1, 0.25), &[-0.125], vec![Bounds::AT_LEAST_ZERO]);
        let problem = problem.with_scale(vec![scale]).expect("one row");
        let mut x = [start];
        let settings = newton::Settings { function, sweeps: 0, rescues: 0 };
        let report = newton::solve(&problem, &mut x, &settings, &limits(1e-9, 50), &mut ());
        assert!(report.converged() && (x[0] - 0.5).abs() < 1e-7, "{report:?}");
        report.iterations
    };
    for start in [-2.0, 0.1, 2.0, 10.0] {
        assert_eq!(steps(newton::Function::MinimumMap, 0.25, start), 1, "from {start}");
        for scale in [0.1, 1.0, 4.0] {
            assert!(
                (1..=2).contains(&steps(newton::Function::MinimumMap, scale, start)),
                "from {start}"
            );
        }
        assert!(
            (3..=6).contains(&steps(newton::Function::FischerBurmeister, 0.25, start)),
            "from {start}"
        );
    }
}

#[test]
fn impulses_of_a_closed_system_sum_to_nothing() {
    // Two cubes that collide off centre, with friction, in empty space: momentum about the origin.
    let centres = [Vector3::new(0.0, 0.0, 0.0), Vector3::new(0.3, 0.2, 1.0)];
    let mut rows =
        ContactRows::new(vec![0.0, 0.0, 1.0, 0.1, 0.0, 0.2, 0.5, 0.0, -1.0, 0.0, 0.3, 0.0]);
    let mut jacobian = Vec::new();
    for point in
        [Vector3::new(-0.2, -0.3, 0.5), Vector3::new(0.5, -0.3, 0.5), Vector3::new(0.5, 0.5, 0.5)]
    {
        let entries = [Vector3::z(), Vector3::x(), Vector3::y()].map(|axis| {
            let mut row = point_row(1, point - centres[1], axis, 1.0);
            row.extend(point_row(0, point - centres[0], axis, -1.0));
            row
        });
        rows.contact([&entries[0], &entries[1], &entries[2]], 0.0, BoxFriction::isotropic(0.5))
            .expect("they exist");
        jacobian.extend(entries);
    }
    let problem =
        rows.build(&[super::scenes::cube(1.0), super::scenes::cube(3.0)]).expect("sizes fit");
    let mut x = vec![0.0; 9];
    assert!(linear::solve(&problem, &mut x, &limits(1e-12, 10_000), &mut ()).converged());
    let mut push = [0.0; 12];
    for (row, x) in jacobian.iter().zip(&x) {
        row.iter().for_each(|&(k, value)| push[k] += value * x);
    }
    let part = |k: usize| Vector3::from_column_slice(&push[k..k + 3]);
    let angular = part(3) + part(9) + centres[0].cross(&part(0)) + centres[1].cross(&part(6));
    assert!((part(0) + part(6)).norm() < 1e-14 && angular.norm() < 1e-14);
    assert!(part(0).norm() > 0.1);
}

#[test]
fn matrix_free_sweeps_are_those_of_the_assembled_matrix() {
    let mut tower = Tower::new(&[1.0, 2.0, 0.5]).with_friction(0.4);
    tower.gravity = Vector3::new(3.0, 1.0, -9.0);
    let free = tower.build();
    let assembled = free.densified();
    let mut rows = Rows::new(free.len());
    for i in 0..free.len() {
        let row =
            (0..free.len()).map(|j| (j, assembled.matrix().entry(i, j))).filter(|(_, v)| *v != 0.0);
        rows.push(row.collect::<Vec<_>>()).expect("columns exist");
    }
    let sparse = LinearProblem::new(
        Matrix::sparse(rows).expect("square"),
        free.b().to_vec(),
        free.bounds().to_vec(),
    );
    for other in [assembled, sparse.expect("sizes fit")] {
        for name in
            ["pgs", "pgs-backward", "pgs-symmetric", "pgs-random", "jacobi", "nncg", "pgs-coloured"]
        {
            let solver = Solver::named(name).expect("it exists");
            let (mut x, mut y) = (vec![0.0; free.len()], vec![0.0; free.len()]);
            let _ = solver.solve(&free, &mut x, &limits(0.0, 25), &mut ());
            let _ = solver.solve(&other, &mut y, &limits(0.0, 25), &mut ());
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12), "{name}");
        }
    }
}

struct Dense(DMatrix<f64>);

impl LinearSolve for Dense {
    fn dimension(&self) -> usize {
        self.0.nrows()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        let solution =
            self.0.clone().lu().solve(&nalgebra::DVector::from_column_slice(b)).expect("regular");
        b.copy_from_slice(solution.as_slice());
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        self.solve_in_place(b);
    }
}

/// Mass plus stiffness of a chain of springs, one time step of 0.01 s.
fn chain(nodes: usize, mass: f64, stiffness: f64) -> DMatrix<f64> {
    let mut s = DMatrix::identity(nodes, nodes) * mass;
    let k = STEP * STEP * stiffness;
    for i in 0..nodes - 1 {
        for (a, b, sign) in [(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)] {
            s[(a, b)] += sign * k;
        }
    }
    s
}

#[test]
fn a_soft_chain_hits_the_ground_as_measured() {
    let (nodes, mass) = (20, 0.05);
    let mut jacobian = Rows::new(nodes);
    jacobian.push([(0, 1.0)]).expect("it exists");
    let free = -1.0 - GRAVITY * STEP;
    for (stiffness, iterations, impulse) in
        [(100.0, 14, 0.064284), (1000.0, 65, 0.109810), (1e4, 456, 0.274443)]
    {
        let s = chain(nodes, mass, stiffness);
        // With the factor: one problem with one row.
        let matrix = Matrix::factored_by(jacobian.clone(), &Dense(s.clone())).expect("sizes fit");
        let problem =
            LinearProblem::new(matrix, vec![free], vec![Bounds::AT_LEAST_ZERO]).expect("sizes fit");
        let mut x = [0.0];
        assert!(linear::solve(&problem, &mut x, &limits(1e-14, 10), &mut ()).converged());
        assert!((x[0] - impulse).abs() < 5e-7, "{stiffness}: {}", x[0]);

        // Without.
        let mut operator = Rows::new(nodes);
        for i in 0..nodes {
            operator
                .push(
                    (0..nodes)
                        .map(|j| (j, s[(i, j)]))
                        .filter(|(_, v)| *v != 0.0)
                        .collect::<Vec<_>>(),
                )
                .expect("square");
        }
        let right = vec![mass * free; nodes];
        let mut split = ImplicitProblem::new(
            operator,
            right,
            jacobian.clone(),
            vec![0.0],
            vec![Bounds::AT_LEAST_ZERO],
        )
        .expect("sizes fit");
        let (mut v, mut y) = (vec![-1.0; nodes], [0.0]);
        let report = split.solve(&mut v, &mut y, 5, &limits(1e-8, 10_000), &mut ());
        assert!(report.converged());
        assert!((y[0] - x[0]).abs() < 1e-6, "{stiffness}: {} against {}", y[0], x[0]);
        assert_eq!(report.iterations, iterations, "{stiffness}");
    }
}

#[test]
fn factored_and_dense_operators_make_one_matrix() {
    let s = chain(12, 0.1, 500.0);
    let mut jacobian = Rows::new(12);
    for i in 0..6 {
        jacobian.push([(2 * i, 1.0), (2 * i + 1, -0.3), ((5 * i) % 12, 0.2)]).expect("they exist");
    }
    let j = DMatrix::from_fn(6, 12, |i, k| jacobian.entry(i, k));
    let dense = &j * s.clone().try_inverse().expect("regular") * j.transpose();
    let matrix = Matrix::factored_by(jacobian, &Dense(s)).expect("sizes fit");
    for i in 0..6 {
        for k in 0..6 {
            assert!((matrix.entry(i, k) - dense[(i, k)]).abs() < 1e-10);
        }
    }
}

#[test]
fn a_projection_of_gaps_leaves_none_below_zero() {
    let mut problem = Tower::new(&[1.0, 1.0, 1.0]).build();
    let gaps = [-0.01, 0.02, -0.03, 0.0, -0.002, 0.01, 0.0, -0.02, 0.0, 0.0, -0.01, 0.03];
    problem.b_mut().copy_from_slice(&gaps);
    for (name, solver) in Solver::all() {
        let mut x = vec![0.0; 12];
        let report = solver.solve(&problem, &mut x, &limits(1e-9, 100_000), &mut ());
        if name == "murty" {
            // Contacts depend on each other and gaps contradict each other: it may go in circles, and says so.
            assert_eq!(report.status, Status::Stagnated);
            continue;
        }
        assert!(report.converged(), "{name}: {} at {:e}", report.status, report.residual());
        let mut after = vec![0.0; 12];
        problem.velocities(&x, &mut after, &mut Vec::new());
        assert!(after.iter().all(|gap| *gap > -2e-9), "{name}: {after:?}");
    }
}

#[test]
fn residuals_vanish_together_and_tell_sides() {
    let problem = particle([-1.0, 2.0, -0.1], 0.5);
    let solution = [1.0, -0.5, 0.1];
    let mut u = [0.0; 3];
    problem.velocities(&solution, &mut u, &mut Vec::new());
    assert!(
        residual::natural(&problem, &solution, &u) < 1e-15
            && residual::merit(&problem, &solution, &u) < 1e-30
    );
    let mut labels = Vec::new();
    residual::labels(&problem, &solution, &u, &mut labels);
    assert_eq!(labels, [residual::Label::Free, residual::Label::Lower, residual::Label::Free]);
    let wrong = [0.9, -0.5, 0.1];
    problem.velocities(&wrong, &mut u, &mut Vec::new());
    assert!((residual::natural(&problem, &wrong, &u) - 0.1).abs() < 1e-12);
    assert!(residual::merit(&problem, &wrong, &u) > 1e-6);
    // With nothing pushing, products vanish; residuals do not.
    problem.velocities(&[0.0; 3], &mut u, &mut Vec::new());
    assert!(residual::natural(&problem, &[0.0; 3], &u) >= 1.0);
}
