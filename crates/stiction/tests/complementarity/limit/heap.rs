//! Hundreds of contacts with resistance to spin and rolling: balls that fall into a box, at the steps in which they
//! come to rest.

use super::packing::Packing;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::Delassus;
use stiction::solve::complementarity::limit::{LimitProblem, Solver};

/// Of the radius.
const TORSION: f64 = 0.1;
const ROLLING: f64 = 0.1;

fn velocities<A: Delassus>(problem: &LimitProblem<A>, r: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; r.len()];
    problem.velocities(r, &mut u, &mut vec![0.0; problem.operator().memory_len()]);
    u
}

/// Sweeps alone took more than 5,000 iterations in most of the later steps; sweeps and Newton's method gave up at
/// 1e-5 in some of the last ones.
#[test]
fn a_heap_that_rolls_converges_in_every_step() {
    let mut packing = Packing::new(64);
    let limits = Limits { tolerance: 1e-6, iterations: 600 };
    let mut contacts = 0;
    for k in 0..34 {
        let step = packing.next_turning(TORSION, ROLLING);
        let mut r = step.warm.clone();
        let report = Solver::Default.solve(&step.problem, &mut r, &limits, &mut ());
        assert!(report.converged(), "step {k}: {} {:e}", report.status, report.residual());
        let residual = step.problem.residual(&r, &velocities(&step.problem, &r));
        assert!(residual <= limits.tolerance, "step {k}: {residual:e}");
        contacts = step.problem.contacts();
        packing.take_turning(&step, &r);
    }
    assert!(contacts > 260, "{contacts}");
}

/// Interior points need no start: from zero, in a heap that is nearly at rest, they and a few Newton steps end where
/// everything else takes hundreds of iterations.
#[test]
fn interior_points_solve_a_heap_from_nothing() {
    let mut packing = Packing::new(64);
    let loose = Limits { tolerance: 1e-4, iterations: 600 };
    for _ in 0..28 {
        let step = packing.next_turning(TORSION, ROLLING);
        let mut r = step.warm.clone();
        let _ = Solver::Default.solve(&step.problem, &mut r, &loose, &mut ());
        packing.take_turning(&step, &r);
    }
    let step = packing.next_turning(TORSION, ROLLING);
    let mut r = vec![0.0; step.warm.len()];
    let limits = Limits { tolerance: 1e-6, iterations: 60 };
    let report = Solver::InteriorPoint.solve(&step.problem, &mut r, &limits, &mut ());
    assert!(report.converged(), "{} {:e}", report.status, report.residual());
    let residual = step.problem.residual(&r, &velocities(&step.problem, &r));
    assert!(residual <= limits.tolerance && step.problem.contacts() > 200, "{residual:e}");
}

/// Newton over velocities of bodies, and with the dense matrix of impulses, end at the same velocities, with the same
/// bits each time.
#[test]
fn systems_over_bodies_and_dense_ones_agree() {
    let mut packing = Packing::new(12);
    let limits = Limits { tolerance: 1e-10, iterations: 20_000 };
    for _ in 0..12 {
        let step = packing.next_turning(TORSION, ROLLING);
        let surfaces: Vec<_> =
            (0..step.problem.contacts()).map(|k| *step.problem.surface(k)).collect();
        let assembled = step.problem.operator().assemble();
        let dense = LimitProblem::new(assembled, step.problem.b().to_vec(), &surfaces).unwrap();
        let (mut r, mut again, mut other) =
            (step.warm.clone(), step.warm.clone(), step.warm.clone());
        let report = Solver::Newton.solve(&step.problem, &mut r, &limits, &mut ());
        let twin = Solver::Newton.solve(&dense, &mut other, &limits, &mut ());
        assert!(report.converged() && twin.converged(), "{} {}", report.status, twin.status);
        let _ = Solver::Newton.solve(&step.problem, &mut again, &limits, &mut ());
        assert_eq!(r, again);
        let (u, v) = (velocities(&step.problem, &r), velocities(&dense, &other));
        let worst = u.iter().zip(&v).map(|(u, v)| (u - v).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{worst:e}");
        packing.take_turning(&step, &r);
    }
}
