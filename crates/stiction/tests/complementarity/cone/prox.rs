//! Proximal iterations take as many steps as V14 and V15 of `docs/theory/reference-values.md` say.

use std::ops::ControlFlow;
use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::prox::{Factor, Settings, Splitting, solve};
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, Law};
use stiction::solve::complementarity::{Limits, Progress};

/// Steps until the tangential impulse is within 1e-6 of `limit`; the normal impulse is one from the start.
fn steps(
    tangential: [f64; 3],
    b: [f64; 2],
    start: [f64; 2],
    limit: [f64; 2],
    factor: f64,
) -> Option<usize> {
    let [a11, a12, a22] = tangential;
    let a = Matrix3::new(1.0, 0.0, 0.0, 0.0, a11, a12, 0.0, a12, a22);
    let operator = Assembled::from_rows(1, [[(0, a)]]);
    let b = vec![-1.0, b[0], b[1]];
    let problem = ContactProblem::new(operator, b, vec![Law::Coulomb { mu: 1.0 }]).unwrap();
    let mut r = [1.0, start[0], start[1]];
    let settings =
        Settings { splitting: Splitting::Jacobi, factor: Factor::Fixed(factor), reduction: None };
    let limit = Vector3::new(1.0, limit[0], limit[1]);
    let mut taken = None;
    let mut watch =
        |p: &Progress<'_>| match (Vector3::from_row_slice(p.unknowns) - limit).norm() < 1e-6 {
            true => {
                taken = Some(p.iteration);
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        };
    let _ = solve(
        &problem,
        &mut r,
        &Limits { tolerance: 0.0, iterations: 2000 },
        &settings,
        &mut watch,
    );
    taken
}

#[test]
fn steps_on_a_disc_with_constant_velocity() {
    let table = [(0.1, 152), (0.25, 65), (0.5, 36), (1.0, 21), (2.0, 13), (5.0, 8)];
    for (factor, expected) in table {
        let taken = steps([0.0; 3], [0.0, 1.0], [1.0, 0.0], [0.0, -1.0], factor);
        assert_eq!(taken, Some(expected), "r = {factor}");
    }
}

#[test]
fn steps_on_a_disc_converge_exactly_below_the_bound() {
    let half = 0.5f64.sqrt();
    let count = |factor| steps([2.0, 1.0, 2.0], [-1.0, 1.0], [0.0, 1.0], [half, -half], factor);
    let table = [
        (0.05, 78),
        (0.1, 36),
        (0.25, 10),
        (1.0 / 3.0, 5),
        (0.5, 16),
        (0.6, 31),
        (2.0 / 3.0, 56),
        (0.75, 269),
    ];
    for (factor, expected) in table {
        assert_eq!(count(factor), Some(expected), "r = {factor}");
    }
    let bound = 2.0 / (4.0 - 2f64.sqrt());
    assert!((bound - 0.7735).abs() < 1e-4);
    assert!(count(0.77).is_some());
    for factor in [0.78, 0.8, 0.9, 1.0] {
        assert_eq!(count(factor), None, "r = {factor}");
    }
}
