//! Gauss–Seidel and what is built around it: sweeps counted as others have counted them.

use stiction::solve::Status;
use stiction::solve::complementarity::linear::{
    LinearProblem, Order, Solver, conjugate, gauss_seidel, layers, residual,
};

use super::scenes::{Tower, largest, limits, unscaled};

type Sweeper = fn(&LinearProblem, f64) -> usize;

fn gauss_seidel(problem: &LinearProblem, tolerance: f64) -> usize {
    let mut x = vec![0.0; problem.len()];
    let settings = gauss_seidel::Settings::default();
    gauss_seidel::solve(problem, &mut x, &settings, &limits(tolerance, 100_000), &mut ()).iterations
}

fn conjugate(problem: &LinearProblem, tolerance: f64) -> usize {
    let mut x = vec![0.0; problem.len()];
    let settings = gauss_seidel::Settings::default();
    // The sweep before the first direction was not counted.
    conjugate::solve(problem, &mut x, &settings, &limits(tolerance, 100_000), &mut ()).iterations
        - 1
}

#[test]
fn sweeps_on_two_boxes_grow_with_the_mass_ratio_as_measured() {
    let masses = [[1.0, 1.0], [1.0, 10.0], [1.0, 100.0], [1.0, 1000.0], [1000.0, 1.0]];
    let count = |solver: Sweeper| {
        masses.map(|masses| {
            let problem = unscaled(Tower::new(&masses).build());
            solver(&problem, 1e-8 * largest(problem.b()))
        })
    };
    assert_eq!(count(gauss_seidel), [29, 209, 1994, 19843, 8]);
    assert_eq!(count(conjugate), [20, 62, 198, 687, 17]);
}

#[test]
fn sweeps_on_towers_grow_with_height_as_measured() {
    let count = |solver: Sweeper| {
        [2, 5, 10, 20].map(|n| {
            let problem = unscaled(Tower::new(&vec![1.0; n]).build());
            solver(&problem, 1e-6 * largest(problem.b()))
        })
    };
    assert_eq!(count(gauss_seidel), [22, 143, 549, 2087]);
    assert_eq!(count(conjugate), [16, 58, 96, 225]);
}

#[test]
fn over_relaxation_helps_a_tower_a_little() {
    let problem = unscaled(Tower::new(&[1.0; 10]).build());
    let tolerance = 1e-6 * largest(problem.b());
    let sweeps = [0.5, 1.0, 1.2, 1.6, 1.8, 1.95].map(|relaxation| {
        let mut x = vec![0.0; problem.len()];
        let settings = gauss_seidel::Settings { relaxation, order: Order::Forward };
        gauss_seidel::solve(&problem, &mut x, &settings, &limits(tolerance, 100_000), &mut ())
            .iterations
    });
    assert_eq!(sweeps, [1509, 549, 517, 543, 1842, 7278]);
}

#[test]
fn orders_of_two_boxes_spread_as_measured() {
    let problem = unscaled(Tower::new(&[1.0, 1.0]).build());
    let mut counts = [0; 32];
    let mut order: Vec<u32> = (0..8).collect();
    for_each_permutation(&mut order, 8, &mut |order| {
        let mut x = [0.0; 8];
        let settings =
            gauss_seidel::Settings { relaxation: 1.0, order: Order::Given(order.to_vec()) };
        let report = gauss_seidel::solve(&problem, &mut x, &settings, &limits(1e-4, 100), &mut ());
        counts[report.iterations] += 1;
    });
    assert_eq!(counts[10..=20], [720, 6000, 14072, 10072, 5456, 2352, 904, 488, 160, 72, 24]);
    assert_eq!(counts.iter().sum::<usize>(), 40320);

    let mut x = [0.0; 8];
    let settings = gauss_seidel::Settings::default();
    let report = gauss_seidel::solve(&problem, &mut x, &settings, &limits(1e-4, 100), &mut ());
    assert_eq!(report.iterations, 12);
    assert!((x[..4].iter().sum::<f64>() - 0.1962).abs() < 1e-3);
    assert!((x[4..].iter().sum::<f64>() - 0.0981).abs() < 1e-3);
}

/// Heap's algorithm.
fn for_each_permutation(order: &mut [u32], k: usize, f: &mut impl FnMut(&[u32])) {
    if k <= 1 {
        return f(order);
    }
    for i in 0..k {
        for_each_permutation(order, k - 1, f);
        if i + 1 < k {
            order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
        }
    }
}

#[test]
fn layers_need_fewer_iterations_for_a_tower_and_more_work() {
    let problem = unscaled(Tower::new(&[1.0; 10]).build());
    let tolerance = 1e-6 * largest(problem.b());
    let heights: Vec<u32> = (0..40).map(|contact| contact / 4).collect();
    let mut x = vec![0.0; 40];
    let settings = layers::Settings { heights, sweeps: 10 };
    let report = layers::solve(&problem, &mut x, &settings, &limits(tolerance, 10_000), &mut ());
    assert_eq!(report.status, Status::Converged);
    // Plain sweeps need 549; but each of these is twenty.
    assert!((200..400).contains(&report.iterations), "{}", report.iterations);
    assert!((x[..4].iter().sum::<f64>() - 0.981).abs() < 1e-4);
}

#[test]
fn sweeps_never_raise_the_energy() {
    let problem = Tower::new(&[1.0, 5.0, 0.2]).build();
    let (mut u, mut w) = (vec![0.0; 12], Vec::new());
    for name in [
        "pgs",
        "pgs-backward",
        "pgs-symmetric",
        "pgs-random",
        "pgs-greedy",
        "pgs-coloured",
        "pgs-by-impulse",
        "psor",
    ] {
        let mut x = vec![0.0; 12];
        let mut before = f64::INFINITY;
        for sweep in 0..100 {
            let _ = Solver::named(name).expect("it exists").solve(
                &problem,
                &mut x,
                &limits(0.0, 1),
                &mut (),
            );
            problem.velocities(&x, &mut u, &mut w);
            let energy = residual::energy(&problem, &x, &u);
            assert!(energy <= before + 1e-15, "{name}, sweep {sweep}: {energy} after {before}");
            before = energy;
        }
    }
}

#[test]
fn a_symmetric_sweep_prefers_no_side() {
    // Three carts run into one that stands: a chain, the same from both ends.
    let a =
        nalgebra::DMatrix::from_row_slice(3, 3, &[2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0]);
    let bounds = vec![stiction::solve::complementarity::linear::Bounds::AT_LEAST_ZERO; 3];
    let problem = super::scenes::dense(&a, &[-1.0, -1.0, -1.0], bounds);
    let bias = |order: Order| {
        let mut x = [0.0; 3];
        let settings = gauss_seidel::Settings { order, relaxation: 1.0 };
        let _ = gauss_seidel::solve(&problem, &mut x, &settings, &limits(0.0, 1), &mut ());
        (x[0] - x[2]).abs()
    };
    assert!(bias(Order::Symmetric) < 0.6 * bias(Order::Forward));
    // Two colours: the middle one after both its neighbours.
    assert!(bias(Order::Coloured) < 1e-15);
}
