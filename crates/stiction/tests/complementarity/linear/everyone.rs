//! Every solver on the same problems.

use stiction::solve::Status;
use stiction::solve::complementarity::linear::{Bounds, LinearProblem, Solver, residual};

use super::scenes::{Tower, dense, limits, random_definite};

fn report_all(problem: &LinearProblem, tolerance: f64) -> Vec<(&'static str, Vec<f64>, Status)> {
    Solver::all()
        .into_iter()
        .map(|(name, solver)| {
            let mut x = vec![0.0; problem.len()];
            let report = solver.solve(problem, &mut x, &limits(tolerance, 200_000), &mut ());
            assert_eq!(report.residuals.len(), report.iterations + 1, "{name}");
            let mut u = vec![0.0; x.len()];
            problem.velocities(&x, &mut u, &mut Vec::new());
            let residual = residual::natural(problem, &x, &u);
            assert!(
                (report.residual() - residual).abs() <= 1e-14,
                "{name}: {} is {residual}",
                report.residual()
            );
            (name, x, report.status)
        })
        .collect()
}

#[test]
fn all_solve_a_definite_problem_the_same_way() {
    let (a, b) = random_definite(25, 1.0, 7);
    let bounds = (0..25)
        .map(|i| if i % 3 == 0 { Bounds::between(-0.1, 0.1) } else { Bounds::AT_LEAST_ZERO });
    let problem = dense(&a, &b, bounds.collect());
    let all = report_all(&problem, 1e-10);
    for (name, x, status) in &all {
        assert_eq!(*status, Status::Converged, "{name}");
        let worst = x.iter().zip(&all[0].1).fold(0.0, |w: f64, (a, b)| w.max((a - b).abs()));
        assert!(worst < 1e-8, "{name} is {worst:e} away");
    }
}

#[test]
fn all_hold_a_tower_with_friction() {
    let mut tower = Tower::new(&[1.0; 4]).with_friction(0.5);
    tower.gravity = nalgebra::Vector3::new(2.0, 1.0, -9.0);
    let problem = tower.build();
    for (name, x, status) in report_all(&problem, 1e-9) {
        assert_eq!(status, Status::Converged, "{name}");
        let bottom: f64 = x[..12].iter().step_by(3).sum();
        assert!((bottom - 4.0 * 0.09).abs() < 1e-6, "{name}: {bottom}");
    }
}
