//! Every solver on problems with limit surfaces: against exact cones, against closed forms, in all forms of the
//! operator.

use crate::cone::problems::{Random, frame, incline, random, rigid_rows, tower};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::Status;
use stiction::solve::complementarity::cone::{
    self, BlockRows, ContactProblem, Delassus, MassJacobian, ProblemError,
};
use stiction::solve::complementarity::limit::{LimitProblem, LimitSurface, Solver};
use stiction::solve::complementarity::{Limits, Progress};

const TIGHT: Limits = Limits { tolerance: 1e-11, iterations: 200_000 };

fn solved<A: Delassus>(problem: &LimitProblem<A>, solver: Solver) -> (Vec<f64>, Vec<f64>) {
    let mut r = vec![0.0; problem.unknowns()];
    let report = solver.solve(problem, &mut r, &TIGHT, &mut ());
    assert!(report.converged(), "{}: {} {:e}", solver.name(), report.status, report.residual());
    assert_eq!(report.residuals.len(), report.iterations + 1);
    let mut u = vec![0.0; r.len()];
    problem.velocities(&r, &mut u, &mut vec![0.0; problem.operator().memory_len()]);
    (r, u)
}

fn exact(problem: &ContactProblem<MassJacobian>) -> Vec<f64> {
    let mut r = vec![0.0; 3 * problem.contacts()];
    let report = cone::Solver::Default.solve(problem, &mut r, &TIGHT, &mut ());
    assert!(report.converged(), "{report:?}");
    let (mut u, mut memory) = (vec![0.0; r.len()], problem.memory());
    problem.velocities(&r, &mut u, &mut memory);
    u
}

/// Discs are Coulomb's law: velocities, which are unique, are those of the exact cone.
#[test]
fn discs_are_exact_cones_for_every_solver() {
    let problems = [random(10, 0.3, 4), tower(&[1.0; 3], 0.5), incline(3, 0.3, 0.2)];
    for problem in &problems {
        let expected = exact(problem);
        let surfaces = vec![LimitSurface::disc(problem.mu(0)); problem.contacts()];
        let own =
            LimitProblem::new(problem.operator(), problem.b().to_vec(), &surfaces).expect("valid");
        for solver in Solver::ALL {
            let (_, u) = solved(&own, solver);
            for (u, expected) in u.iter().zip(&expected) {
                assert!((u - expected).abs() < 1e-8, "{}: {u}, {expected}", solver.name());
            }
        }
    }
}

/// Random contacts of bodies with mass and inertia one, all with six rows.
fn turning(contacts: usize, seed: u64) -> (MassJacobian, Vec<f64>) {
    let mut numbers = Random(seed);
    let bodies = (contacts / 3).max(2);
    let mut rows = Vec::new();
    for _ in 0..contacts {
        let axes = numbers.frame();
        let (mut slide, mut turn) = (Vec::new(), Vec::new());
        let a = numbers.below(bodies);
        for (body, sign) in [(a, 1.0), ((a + 1) % bodies, -1.0)] {
            let [linear, angular] = rigid_rows(axes, numbers.vector() * 0.3);
            slide.extend([(2 * body, linear * sign), (2 * body + 1, angular * sign)]);
            turn.push((2 * body + 1, axes * sign));
        }
        rows.extend([slide, turn]);
    }
    let jacobian = BlockRows::from_rows(2 * bodies, rows);
    let v: Vec<f64> = (0..6 * bodies).map(|_| numbers.normal()).collect();
    let b = (0..2 * contacts).flat_map(|i| jacobian.row_times(i, &v).data.0[0]).collect();
    (MassJacobian::new(vec![Matrix3::identity(); 2 * bodies], jacobian), b)
}

/// The law itself: push or open, within the surface, and on it wherever something moves, opposed to that motion as
/// much as can be.
fn assert_law<A: Delassus>(problem: &LimitProblem<A>, r: &[f64], u: &[f64], who: &str) -> usize {
    let mut sliding = 0;
    for k in 0..problem.contacts() {
        let (range, surface) = (problem.range(k), problem.surface(k));
        let (r, u) = (&r[range.clone()], &u[range]);
        assert!(r[0] > -1e-12 && u[0] > -1e-9 && (r[0] * u[0]).abs() < 1e-8, "{who}: {r:?} {u:?}");
        let mut friction = [0.0; 5];
        let mut slip = [0.0; 5];
        friction[..r.len() - 1].copy_from_slice(&r[1..]);
        slip[..u.len() - 1].copy_from_slice(&u[1..]);
        let power = |f: &[f64; 5]| f.iter().zip(&slip).map(|(f, v)| f * v).sum::<f64>();
        assert!(r[0] < 1e-9 || surface.contains(r[0], &friction, 1e-8), "{who}: {r:?}");
        let least = power(&surface.most_dissipating(&slip)) * r[0];
        assert!((power(&friction) - least).abs() < 1e-8, "{who}: {} {least}", power(&friction));
        sliding += usize::from(least < -1e-3);
    }
    sliding
}

#[test]
fn every_solver_obeys_the_law_of_six_rows() {
    let slides = LimitSurface::ellipse([0.2, 0.5]);
    for surface in [
        slides.with_torsion(0.1, true),
        slides.with_torsion(0.1, false).with_rolling(0.05),
        LimitSurface::lopsided([0.2, 0.4], [0.5, 0.1]).with_torsion(0.1, true).with_rolling(0.02),
        LimitSurface::FRICTIONLESS.with_torsion(0.2, true),
    ] {
        let (operator, b) = turning(6, 12);
        let problem = LimitProblem::new(&operator, b, &[surface; 6]).expect("valid");
        for solver in Solver::ALL {
            let (r, u) = solved(&problem, solver);
            let sliding = assert_law(&problem, &r, &u, solver.name());
            assert!(sliding > 0, "nothing moves: {surface:?}");
        }
    }
}

#[test]
fn contacts_with_three_and_with_six_rows_share_a_problem() {
    let (operator, b) = turning(6, 5);
    // Every second contact has no turning row.
    let keep = |row: usize| row.is_multiple_of(2) || row % 4 == 1;
    let rows = (0..12).filter(|&row| keep(row));
    let jacobian = BlockRows::from_rows(
        operator.jacobian().columns(),
        rows.clone()
            .map(|row| operator.jacobian().row(row).map(|(j, m)| (j, *m)).collect::<Vec<_>>()),
    );
    let b: Vec<f64> = rows.flat_map(|row| b[3 * row..3 * row + 3].to_vec()).collect();
    let mixed = MassJacobian::new(operator.inverse_mass().to_vec(), jacobian);
    let (six, three) = (LimitSurface::disc(0.3).with_torsion(0.1, true), LimitSurface::disc(0.3));
    let surfaces = [six, three, six, three, six, three];
    let problem = LimitProblem::new(&mixed, b.clone(), &surfaces).expect("valid");
    let assembled = LimitProblem::new(mixed.assemble(), b, &surfaces).expect("valid");
    let (r, u) = solved(&problem, Solver::Default);
    assert_law(&problem, &r, &u, "mixed");
    let (_, same) = solved(&assembled, Solver::GaussSeidel);
    for (u, same) in u.iter().zip(&same) {
        assert!((u - same).abs() < 1e-8, "{u} {same}");
    }
}

/// A ball of radius `r` on the ground that spins about the normal: torsion takes `μ_τ N h/I` of its spin in a step.
#[test]
fn torsion_takes_its_share_of_spin() {
    let (mass, radius, mu) = (2.0, 0.1, 0.01);
    let inertia = 0.4 * mass * radius * radius;
    let axes = frame(Vector3::z(), Vector3::x());
    let [linear, angular] = rigid_rows(axes, Vector3::new(0.0, 0.0, -radius));
    let jacobian = BlockRows::from_rows(2, [vec![(0, linear), (1, angular)], vec![(1, axes)]]);
    let free = [0.0, 0.0, -0.0981, 0.0, 0.0, 3.0];
    let b = (0..2).flat_map(|i| jacobian.row_times(i, &free).data.0[0]).collect();
    let inverse = vec![Matrix3::identity() / mass, Matrix3::identity() / inertia];
    let operator = MassJacobian::new(inverse, jacobian);
    let surface = LimitSurface::disc(0.5).with_torsion(mu, true);
    let problem = LimitProblem::new(operator, b, &[surface]).expect("valid");
    for solver in Solver::ALL {
        let (r, u) = solved(&problem, solver);
        let expected = 3.0 - mu * mass * 0.0981 / inertia;
        assert!((u[3] - expected).abs() < 1e-9, "{}: {} {expected}", solver.name(), u[3]);
        assert!((r[3] + mu * r[0]).abs() < 1e-10, "{r:?}");
    }
}

/// What spins fast slides easily (Contensou), unless torsion is on its own.
#[test]
fn spin_takes_friction_away_where_both_share_a_limit() {
    let surface = |shared| LimitSurface::disc(0.5).with_torsion(0.05, shared);
    let v = [0.1, 0.0, 30.0, 0.0, 0.0];
    let shared = surface(true).most_dissipating(&v);
    let own = surface(false).most_dissipating(&v);
    assert!((own[0] + 0.5).abs() < 1e-15 && (own[2] + 0.05).abs() < 1e-15, "{own:?}");
    // a² v / |a v| with a v = (0.05, 1.5).
    assert!((shared[0] + 0.025 / 1.500_833_102).abs() < 1e-9, "{shared:?}");
}

#[test]
fn warm_starts_cost_nothing_and_watchers_can_stop() {
    let (operator, b) = turning(6, 12);
    let surface = LimitSurface::disc(0.3).with_torsion(0.1, true);
    let problem = LimitProblem::new(&operator, b, &[surface; 6]).expect("valid");
    let (mut r, _) = solved(&problem, Solver::Default);
    let loose = Limits { tolerance: 1e-9, iterations: 100 };
    let again = Solver::GaussSeidel.solve(&problem, &mut r, &loose, &mut ());
    assert_eq!((again.status, again.iterations), (Status::Converged, 0));
    r.fill(0.0);
    let mut watch = |p: &Progress<'_>| match p.iteration < 2 {
        true => std::ops::ControlFlow::Continue(()),
        false => std::ops::ControlFlow::Break(()),
    };
    let stopped = Solver::ProxJacobi.solve(&problem, &mut r, &loose, &mut watch);
    assert_eq!((stopped.status, stopped.iterations), (Status::Stopped, 2));
    r.fill(0.0);
    let short = Limits { tolerance: 0.0, iterations: 3 };
    for solver in Solver::ALL {
        let report = solver.solve(&problem, &mut r, &short, &mut ());
        assert!(report.iterations <= 3, "{}: {}", solver.name(), report.iterations);
    }
}

#[test]
fn bad_problems_are_refused_or_reported() {
    let (operator, b) = turning(3, 1);
    let surface = LimitSurface::disc(0.3).with_torsion(0.1, true);
    let new = |b: Vec<f64>, surfaces: &[LimitSurface]| LimitProblem::new(&operator, b, surfaces);
    assert!(matches!(new(b.clone(), &[surface; 2]), Err(ProblemError::Size { .. })));
    assert!(matches!(new(b[1..].to_vec(), &[surface; 3]), Err(ProblemError::Size { .. })));
    let negative = surface.with_rolling(-0.1);
    assert!(matches!(
        new(b.clone(), &[surface, negative, surface]),
        Err(ProblemError::Negative { contact: 1, .. })
    ));
    let nan = surface.with_torsion(f64::NAN, true).with_rolling(0.1);
    assert!(matches!(
        new(b.clone(), &[surface, surface, nan]),
        Err(ProblemError::NotFinite { contact: 2, .. })
    ));
    let mut broken = b.clone();
    broken[7] = f64::NAN;
    assert!(matches!(new(broken, &[surface; 3]), Err(ProblemError::NotFinite { contact: 1, .. })));
    // Nothing to solve.
    let none = BlockRows::from_rows(0, Vec::<Vec<(usize, Matrix3)>>::new());
    let empty = LimitProblem::new(MassJacobian::new(vec![], none), vec![], &[]).expect("valid");
    for solver in Solver::ALL {
        assert!(solver.solve(&empty, &mut [], &TIGHT, &mut ()).converged());
    }
    // Nothing can stop what approaches a contact between fixed bodies.
    let fixed = BlockRows::from_rows(1, [Vec::new(), Vec::new()]);
    let fixed = MassJacobian::new(vec![Matrix3::identity()], fixed);
    let b = vec![-1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let hopeless = LimitProblem::new(fixed, b, &[surface]).expect("valid");
    let report = Solver::Default.solve(&hopeless, &mut [0.0; 6], &TIGHT, &mut ());
    assert_eq!(report.status, Status::Infeasible);
}
