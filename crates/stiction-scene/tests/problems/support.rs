//! Problems that the tests share.

use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::cone::{
    Assembled, BlockRows, ContactProblem, Delassus, Law, MassJacobian, Solver,
};
use stiction_scene::problem_file::{Problem, Stored};

/// Two boxes on each other, the lower on the ground: four contacts a face, which is one too many, sliding and sticking.
pub(crate) fn boxes() -> ContactProblem<MassJacobian> {
    let (mass, inertia): (f64, f64) = (2.0, 0.5);
    let inverse_mass =
        [1.0 / mass, 1.0 / inertia, 3.0 / mass, 5.0 / inertia].map(|m| Matrix3::identity() * m);
    let frame = Matrix3::from_columns(&[Vector3::z(), Vector3::x(), Vector3::y()]).transpose();
    let row = |k: usize| {
        let (upper, corner) = (k / 4, k % 4);
        let arm = Vector3::new([-0.5, 0.5][corner % 2], [-0.4, 0.4][corner / 2], -0.5);
        let mut row = vec![(2 * upper, frame), (2 * upper + 1, -frame * arm.cross_matrix())];
        if upper > 0 {
            let above = Vector3::new(arm.x, arm.y, 0.5);
            row.extend([(0, -frame), (1, frame * above.cross_matrix())]);
        }
        row
    };
    let jacobian = BlockRows::from_rows(4, (0..8).map(row));
    let operator = MassJacobian::new(inverse_mass.to_vec(), jacobian);
    // Everything falls; the upper box is pushed harder than friction holds.
    let b = (0..8).flat_map(|k| if k < 4 { [-0.1, 0.01, 0.0] } else { [-0.02, 0.3, -0.1] });
    let laws = (0..8).map(|k| Law::Coulomb { mu: if k < 4 { 0.7 } else { 0.3 } });
    ContactProblem::new(operator, b.collect(), laws.collect()).expect("sizes fit")
}

/// The problem with what the default makes of it.
pub(crate) fn solved(problem: Problem) -> Stored {
    let mut r = vec![0.0; problem.unknowns()];
    let limits = Limits { tolerance: 1e-10, iterations: 1000 };
    let report = match &problem {
        Problem::Contact(problem) => Solver::Default.solve(problem, &mut r, &limits, &mut ()),
        Problem::Bodies(problem) => Solver::Default.solve(problem, &mut r, &limits, &mut ()),
        Problem::Linear(problem) => {
            stiction::solve::complementarity::linear::solve(problem, &mut r, &limits, &mut ())
        }
    };
    assert!(report.converged(), "{report:?}");
    let start = (0..r.len()).map(|k| 0.01 * k as f64).collect();
    Stored { problem, start, solution: Some(r) }
}

/// All numbers of an operator, row by row.
pub(crate) fn dense(a: &Assembled) -> Vec<f64> {
    let n = 3 * a.contacts();
    let number = |k: usize| a.block(k / n / 3, k % n / 3)[(k / n % 3, k % n % 3)];
    (0..n * n).map(number).collect()
}

#[track_caller]
pub(crate) fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "{k}: {found}, not {expected}");
    }
}
