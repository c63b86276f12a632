//! Krylov solvers agree with dense LU, preconditioners help, and no status is a lie.

use nalgebra::DMatrix;
use stiction::math::Matrix3;
use stiction::solve::krylov::{Settings, bicgstab, cg, gmres, minres};
use stiction::solve::operator::{
    Difference, DifferenceOperator, FunctionOperator, Scaled, Sum, Transpose,
};
use stiction::solve::precondition::{
    BlockJacobi, Identity, IncompleteCholesky, IncompleteLu, PreconditionError, Preconditioner,
    SymmetricGaussSeidel,
};
use stiction::solve::{BlockMatrix, LinearOperator, LinearSolve, Report, Status};
use stiction_check::matrices::{
    chain, dense, dense_solve, elasticity, ill_scaled, laplacian, nonsymmetric, random_vector,
    shifted,
};

/// The four solvers behind one signature.
type Solver = fn(&dyn LinearOperator, &dyn Preconditioner, &[f64], &mut [f64], &Settings) -> Report;

const CG: Solver = |a, m, b, x, s| cg::solve(a, m, b, x, s, &mut cg::Workspace::default());
const MINRES: Solver =
    |a, m, b, x, s| minres::solve(a, m, b, x, s, &mut minres::Workspace::default());
const BICGSTAB: Solver =
    |a, m, b, x, s| bicgstab::solve(a, m, b, x, s, &mut bicgstab::Workspace::default());
const GMRES: Solver = |a, m, b, x, s| gmres::solve(a, m, b, x, s, &mut gmres::Workspace::default());
const ALL: [(&str, Solver); 4] =
    [("cg", CG), ("minres", MINRES), ("bicgstab", BICGSTAB), ("gmres", GMRES)];

fn tight() -> Settings {
    Settings { relative_tolerance: 1e-12, absolute_tolerance: 0.0, max_iterations: 2000 }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

fn true_residual(a: &dyn LinearOperator, b: &[f64], x: &[f64]) -> f64 {
    let mut ax = vec![0.0; x.len()];
    a.apply(x, &mut ax);
    difference(&ax, b)
}

/// What every report promises, whatever the outcome.
#[track_caller]
fn assert_honest(
    a: &dyn LinearOperator,
    b: &[f64],
    x: &[f64],
    report: &Report,
    settings: &Settings,
) {
    let residual = true_residual(a, b, x);
    let target = settings.absolute_tolerance.max(settings.relative_tolerance * norm(b));
    let rounding = 1e-14 * (norm(b) + norm(x));
    assert!(
        (report.residual() - residual).abs() <= 1e-10 * residual + rounding,
        "{report:?} {residual:e}"
    );
    assert_eq!(report.residuals.len(), report.iterations + 1);
    assert_eq!(report.converged(), residual <= target + rounding * f64::from(report.converged()));
}

#[track_caller]
fn assert_solves(a: &BlockMatrix, name: &str, solver: Solver, preconditioner: &dyn Preconditioner) {
    let b = random_vector(a.dimension(), 1);
    let mut x = vec![0.0; b.len()];
    let report = solver(a, preconditioner, &b, &mut x, &tight());
    assert_eq!(report.status, Status::Converged, "{name}: {:?}", report.residuals.last());
    assert_honest(a, &b, &x, &report, &tight());
    let exact = dense_solve(&dense(a), &b);
    let error = difference(&x, &exact) / norm(&exact);
    assert!(error < 1e-9, "{name}: relative error {error:e}");
}

#[test]
fn all_solve_symmetric_positive_definite_systems_like_dense_lu() {
    for a in [laplacian([5, 4, 3]), elasticity([4, 4, 4], 0.1), chain(20, 3)] {
        for (name, solver) in ALL {
            assert_solves(&a, name, solver, &Identity);
            assert_solves(&a, name, solver, &BlockJacobi::positive(&a));
            assert_solves(&a, name, solver, &IncompleteCholesky::new(&a).unwrap());
            assert_solves(&a, name, solver, &SymmetricGaussSeidel::new(&a, 1.2).unwrap());
        }
    }
}

#[test]
fn minres_and_nonsymmetric_solvers_solve_indefinite_systems() {
    // The spectrum of this Laplacian is (0, 12): 3.03 is well inside, and no eigenvalue.
    let a = shifted(laplacian([4, 4, 3]), 3.03);
    let eigenvalues = dense(&a).symmetric_eigenvalues();
    assert!(eigenvalues.min() < -1.0 && eigenvalues.max() > 1.0);
    for (name, solver) in [("minres", MINRES), ("bicgstab", BICGSTAB), ("gmres", GMRES)] {
        assert_solves(&a, name, solver, &Identity);
        assert_solves(&a, name, solver, &BlockJacobi::positive(&a));
    }
}

#[test]
fn nonsymmetric_systems_are_solved_with_every_preconditioner() {
    for strength in [0.05, 0.3] {
        let a = nonsymmetric(laplacian([5, 4, 4]), strength, 7);
        for (name, solver) in [("bicgstab", BICGSTAB), ("gmres", GMRES)] {
            assert_solves(&a, name, solver, &Identity);
            assert_solves(&a, name, solver, &BlockJacobi::new(&a));
            assert_solves(&a, name, solver, &SymmetricGaussSeidel::new(&a, 1.0).unwrap());
            assert_solves(&a, name, solver, &IncompleteLu::new(&a).unwrap());
        }
    }
}

#[test]
fn skew_systems_which_break_plain_bicgstab_are_solved() {
    // r ⊥ A r for every r: the first pivot of plain BiCGSTAB is exactly zero.
    let mut a = chain(6, 5);
    let half = a.clone();
    let pattern = a.pattern().clone();
    for i in 0..a.size() {
        for (slot, &j) in pattern.row_slots(i).zip(pattern.row(i)) {
            let twist = Matrix3::new(0.0, 2.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0);
            let upper = half.block(i, j as usize);
            a.values_mut()[slot] = match i.cmp(&(j as usize)) {
                std::cmp::Ordering::Less => upper,
                std::cmp::Ordering::Equal => twist,
                std::cmp::Ordering::Greater => -upper,
            };
        }
    }
    let skew = dense(&a);
    assert!((&skew + skew.transpose()).norm() < 1e-14);
    assert_solves(&a, "gmres", GMRES, &Identity);
    assert_solves(&a, "bicgstab", BICGSTAB, &Identity);
    // Dividing by that pivot's rounding error would throw the residual to 1e15 first.
    let b = random_vector(a.dimension(), 1);
    let report = BICGSTAB(&a, &Identity, &b, &mut vec![0.0; b.len()], &tight());
    assert!(report.residuals.iter().all(|&e| e < 1e4 * norm(&b)), "{:?}", report.residuals);
}

#[test]
fn better_preconditioners_need_fewer_iterations() {
    let count = |solver: Solver, a: &BlockMatrix, m: &dyn Preconditioner| {
        let b = random_vector(a.dimension(), 2);
        let report = solver(a, m, &b, &mut vec![0.0; b.len()], &tight());
        assert!(report.converged(), "{:?} {:e}", report.status, report.residual());
        report.iterations
    };
    let a = ill_scaled(elasticity([7, 6, 6], 0.1), 1.5, 4);
    let plain = count(CG, &a, &Identity);
    let jacobi = count(CG, &a, &BlockJacobi::new(&a));
    let sweeps = count(CG, &a, &SymmetricGaussSeidel::new(&a, 1.0).unwrap());
    let incomplete = count(CG, &a, &IncompleteCholesky::new(&a).unwrap());
    assert!(plain > 2 * jacobi, "scaling: {plain} -> {jacobi}");
    assert!(jacobi > sweeps && sweeps > incomplete, "{jacobi} > {sweeps} > {incomplete}");

    let a = nonsymmetric(laplacian([8, 8, 8]), 0.1, 9);
    for solver in [BICGSTAB, GMRES] {
        let plain = count(solver, &a, &Identity);
        let sweeps = count(solver, &a, &SymmetricGaussSeidel::new(&a, 1.0).unwrap());
        let incomplete = count(solver, &a, &IncompleteLu::new(&a).unwrap());
        assert!(plain > sweeps && sweeps > incomplete, "{plain} > {sweeps} > {incomplete}");
    }
}

#[test]
fn incomplete_factors_of_a_chain_are_exact() {
    let exact = |a: &BlockMatrix, m: &dyn Preconditioner| {
        let x = random_vector(a.dimension(), 3);
        let (mut b, mut z) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        a.apply(&x, &mut b);
        m.apply(&b, &mut z);
        difference(&z, &x) < 1e-12 * norm(&x)
    };
    let a = chain(30, 11);
    let cholesky = IncompleteCholesky::new(&a).unwrap();
    let lu = IncompleteLu::new(&a).unwrap();
    assert!(exact(&a, &cholesky) && exact(&a, &lu));
    assert!(cholesky.shift() <= 0.0 && lu.shift() <= 0.0);
    // Off a chain there is fill to drop.
    let a = laplacian([3, 3, 1]);
    assert!(!exact(&a, &IncompleteCholesky::new(&a).unwrap()));
    // Nonsymmetric chains are exact for LU.
    let a = nonsymmetric(chain(30, 12), 0.3, 13);
    assert!(exact(&a, &IncompleteLu::new(&a).unwrap()));
}

#[test]
fn incomplete_lu_equals_incomplete_cholesky_on_symmetric_matrices() {
    let a = elasticity([4, 3, 3], 0.5);
    let (cholesky, lu) = (IncompleteCholesky::new(&a).unwrap(), IncompleteLu::new(&a).unwrap());
    let r = random_vector(a.dimension(), 5);
    let (mut z, mut w) = (vec![0.0; r.len()], vec![0.0; r.len()]);
    cholesky.apply(&r, &mut z);
    lu.apply(&r, &mut w);
    assert!(difference(&z, &w) < 1e-12 * norm(&z));
}

#[test]
fn symmetric_gauss_seidel_is_its_definition() {
    // M = ω/(2−ω) (D/ω + L)(D/ω)⁻¹(D/ω + U), dense.
    let a = nonsymmetric(elasticity([3, 2, 2], 0.5), 0.1, 1);
    for omega in [0.6, 1.0, 1.5] {
        let full = dense(&a);
        let part = |keep: fn(usize, usize) -> bool| {
            DMatrix::from_fn(full.nrows(), full.ncols(), |i, j| {
                if keep(i / 3, j / 3) { full[(i, j)] } else { 0.0 }
            })
        };
        let d = part(|i, j| i == j) / omega;
        let lower = part(|i, j| i > j) + &d;
        let upper = part(|i, j| i < j) + &d;
        let m = lower * d.try_inverse().unwrap() * upper * (omega / (2.0 - omega));
        let r = random_vector(a.dimension(), 6);
        let mut z = vec![0.0; r.len()];
        SymmetricGaussSeidel::new(&a, omega).unwrap().apply(&r, &mut z);
        assert!(difference(&z, &dense_solve(&m, &r)) < 1e-12 * norm(&z));
    }
}

#[test]
fn refactoring_in_place_equals_building_anew() {
    let (old, new) = (chain(12, 1), chain(12, 2));
    let r = random_vector(new.dimension(), 8);
    let apply = |m: &dyn Preconditioner| {
        let mut z = vec![0.0; r.len()];
        m.apply(&r, &mut z);
        z
    };
    let mut jacobi = BlockJacobi::new(&old);
    let mut sweeps = SymmetricGaussSeidel::new(&old, 1.0).unwrap();
    let mut cholesky = IncompleteCholesky::new(&old).unwrap();
    let mut lu = IncompleteLu::new(&old).unwrap();
    jacobi.refactor(&new).unwrap();
    sweeps.refactor(&new).unwrap();
    cholesky.refactor(&new).unwrap();
    lu.refactor(&new).unwrap();
    assert_eq!(apply(&jacobi), apply(&BlockJacobi::new(&new)));
    assert_eq!(apply(&sweeps), apply(&SymmetricGaussSeidel::new(&new, 1.0).unwrap()));
    assert_eq!(apply(&cholesky), apply(&IncompleteCholesky::new(&new).unwrap()));
    assert_eq!(apply(&lu), apply(&IncompleteLu::new(&new).unwrap()));

    let other = laplacian([3, 2, 2]);
    let changed = PreconditionError::PatternChanged { expected: 34, found: 52 };
    assert_eq!(lu.refactor(&other), Err(changed.clone()));
    assert_eq!(cholesky.refactor(&other), Err(changed));
}

#[test]
fn incomplete_factors_shift_and_retry_where_pivots_fail() {
    // Indefinite: some pivot of IC(0) must fail, and the shifted factor is still positive.
    let a = shifted(laplacian([4, 4, 3]), 3.03);
    let cholesky = IncompleteCholesky::new(&a).unwrap();
    assert!(cholesky.shift() > 0.0);
    assert_solves(&a, "minres", MINRES, &cholesky);
    // A zero diagonal: ILU(0) without a shift has nothing to divide by.
    let mut a = nonsymmetric(chain(10, 2), 0.1, 3);
    for i in 0..a.size() {
        let slot = a.pattern().slot(i, i).unwrap();
        a.values_mut()[slot] = Matrix3::zeros();
    }
    let lu = IncompleteLu::new(&a).unwrap();
    assert!(lu.shift() > 0.0);
    let mut z = vec![0.0; a.dimension()];
    lu.apply(&random_vector(a.dimension(), 4), &mut z);
    assert!(norm(&z).is_finite());
}

#[test]
fn singular_and_broken_blocks_never_make_nan_of_a_preconditioner() {
    let mut a = laplacian([3, 3, 1]);
    for (i, block) in [
        (0, Matrix3::zeros()),
        (1, Matrix3::from_diagonal_element(1e-300)),
        (2, Matrix3::new(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 2.0)),
    ] {
        let slot = a.pattern().slot(i, i).unwrap();
        a.values_mut()[slot] = block;
    }
    let jacobi = BlockJacobi::new(&a);
    assert_eq!(jacobi.regularised_count(), 3);
    let r = random_vector(a.dimension(), 1);
    let mut z = vec![0.0; r.len()];
    for m in [&jacobi as &dyn Preconditioner, &SymmetricGaussSeidel::new(&a, 1.0).unwrap()] {
        m.apply(&r, &mut z);
        assert!(z.iter().all(|z| !z.is_nan()));
    }

    let slot = a.pattern().slot(4, 5).unwrap();
    a.values_mut()[slot][(0, 1)] = f64::NAN;
    assert_eq!(IncompleteLu::new(&a).unwrap_err(), PreconditionError::NotFinite { row: 4 });
    assert_eq!(IncompleteCholesky::new(&a).unwrap_err(), PreconditionError::NotFinite { row: 4 });
    let error = SymmetricGaussSeidel::new(&a, 2.0).unwrap_err();
    assert!(error.to_string().contains("help:"));
}

/// Dense LU of another matrix.
struct Stale(nalgebra::LU<f64, nalgebra::Dyn, nalgebra::Dyn>);

impl LinearSolve for Stale {
    fn dimension(&self) -> usize {
        self.0.u().nrows()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        let n = b.len();
        assert!(self.0.solve_mut(&mut nalgebra::DVectorViewMut::from_slice(b, n)));
    }

    fn solve_transpose_in_place(&self, _: &mut [f64]) {
        unreachable!("preconditioning needs no transpose")
    }
}

#[test]
fn a_stale_factor_is_a_preconditioner_as_it_stands() {
    let old = laplacian([5, 5, 4]);
    let new = nonsymmetric(old.clone(), 0.01, 3);
    let b = random_vector(new.dimension(), 4);
    let mut x = vec![0.0; b.len()];
    let report = GMRES(&new, &Stale(dense(&old).lu()), &b, &mut x, &tight());
    assert!(report.converged() && report.iterations < 10, "{report:?}");
}

#[test]
fn empty_and_single_block_systems_are_solved() {
    let (empty, single) = (laplacian([0, 1, 1]), nonsymmetric(chain(1, 1), 0.0, 1));
    for (name, solver) in ALL {
        let report = solver(&empty, &Identity, &[], &mut [], &tight());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0), "{name}");
        assert_solves(&single, name, solver, &Identity);
        assert_solves(&single, name, solver, &IncompleteLu::new(&single).unwrap());
        let one = FunctionOperator::new(1, |x: &[f64], y: &mut [f64]| y[0] = 4.0 * x[0]);
        let mut x = [0.0];
        assert!(solver(&one, &Identity, &[2.0], &mut x, &tight()).converged());
        assert!((x[0] - 0.5).abs() < 1e-15, "{name}");
    }
}

#[test]
fn warm_starts_at_the_solution_take_no_iteration_and_zero_loads_give_zero() {
    let a = elasticity([3, 3, 3], 1.0);
    let b = random_vector(a.dimension(), 1);
    let exact = dense_solve(&dense(&a), &b);
    for (name, solver) in ALL {
        let mut x = exact.clone();
        let report = solver(&a, &Identity, &b, &mut x, &tight());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0), "{name}");
        assert_eq!(x, exact);
        let report = solver(&a, &Identity, &vec![0.0; b.len()], &mut x, &tight());
        assert!(report.converged() && norm(&x) <= 0.0, "{name}");
    }
}

#[test]
fn tiny_and_huge_scales_are_no_excuse() {
    for scale in [1e-200, 1e-100, 1e100, 1e140] {
        let a = elasticity([3, 3, 2], 1.0);
        let b: Vec<f64> = random_vector(a.dimension(), 1).iter().map(|v| v * scale).collect();
        for (name, solver) in ALL {
            let mut x = vec![0.0; b.len()];
            let report = solver(
                &a,
                &Identity,
                &b,
                &mut x,
                &Settings { relative_tolerance: 1e-8, ..tight() },
            );
            let residual = true_residual(
                &a,
                &b.iter().map(|b| b / scale).collect::<Vec<_>>(),
                &x.iter().map(|x| x / scale).collect::<Vec<_>>(),
            );
            assert_eq!(
                report.converged(),
                residual < 1e-7,
                "{name} at {scale:e}: {:?} {residual:e}",
                report.status
            );
            assert!(
                report.converged() || scale < 1e-150,
                "{name} at {scale:e}: {:?}",
                report.status
            );
        }
    }
}

#[test]
fn nan_is_reported_and_never_spreads_to_the_unknowns() {
    let a = elasticity([3, 2, 2], 1.0);
    let mut broken = a.clone();
    broken.values_mut()[7][(1, 1)] = f64::NAN;
    let good = random_vector(a.dimension(), 1);
    let mut bad = good.clone();
    bad[5] = f64::NAN;
    for (name, solver) in ALL {
        let cases: [(&str, &BlockMatrix, &[f64]); 2] = [("b", &a, &bad), ("A", &broken, &good)];
        for (what, a, b) in cases {
            let mut x = vec![0.0; b.len()];
            let report = solver(a, &Identity, b, &mut x, &tight());
            assert_eq!(report.status, Status::NotFinite, "{name}: NaN in {what}");
            assert!(x.iter().all(|x| x.is_finite()), "{name}: NaN in {what}");
        }
        let nan = FunctionOperator::new(good.len(), |x: &[f64], y: &mut [f64]| {
            // Defined at the start only.
            y.fill(if norm(x) > 0.0 { f64::NAN } else { 0.0 });
        });
        let mut x = vec![0.0; good.len()];
        assert_eq!(solver(&nan, &Identity, &good, &mut x, &tight()).status, Status::NotFinite);
        assert!(x.iter().all(|x| x.is_finite()), "{name}");
    }
}

#[test]
fn singular_consistent_systems_converge_and_inconsistent_ones_do_not_claim_to() {
    let a = elasticity([3, 3, 3], 0.0);
    let x_any = random_vector(a.dimension(), 1);
    let mut consistent = vec![0.0; x_any.len()];
    a.apply(&x_any, &mut consistent);
    // A net force: no displacement of a free body balances it.
    let inconsistent: Vec<f64> = consistent.iter().map(|b| b + 1.0).collect();
    let settings = Settings { relative_tolerance: 1e-9, ..tight() };
    for (name, solver) in ALL {
        let mut x = vec![0.0; x_any.len()];
        let report = solver(&a, &Identity, &consistent, &mut x, &settings);
        assert_eq!(report.status, Status::Converged, "{name}");
        assert_honest(&a, &consistent, &x, &report, &settings);

        let mut x = vec![0.0; x_any.len()];
        let report = solver(&a, &Identity, &inconsistent, &mut x, &settings);
        assert_honest(&a, &inconsistent, &x, &report, &settings);
        let expected: &[Status] = match name {
            "cg" => &[Status::NegativeCurvature],
            "minres" => &[Status::Stagnated],
            "gmres" => &[Status::Stagnated, Status::Breakdown],
            _ => &[Status::Stagnated, Status::Breakdown, Status::IterationLimit],
        };
        assert!(
            expected.contains(&report.status),
            "{name}: {:?} after {}",
            report.status,
            report.iterations
        );
        // Conjugate gradients minimise an energy, which is unbounded here; the residual may rise.
        let harmless = report.residual() <= norm(&inconsistent);
        assert!(harmless || name == "cg", "{name}: worse than doing nothing");
    }
}

#[test]
fn minres_finds_the_least_squares_solution_of_an_inconsistent_system() {
    let a = elasticity([3, 3, 3], 0.0);
    let b = random_vector(a.dimension(), 2);
    let mut x = vec![0.0; b.len()];
    let report = MINRES(&a, &Identity, &b, &mut x, &tight());
    assert_eq!(report.status, Status::Stagnated);
    let (mut r, mut ar) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    a.apply(&x, &mut r);
    r.iter_mut().zip(&b).for_each(|(r, b)| *r = b - *r);
    a.apply(&r, &mut ar);
    assert!(norm(&ar) < 1e-7 * norm(&r), "normal equations: {:e}", norm(&ar) / norm(&r));
}

#[test]
fn conjugate_gradients_keep_the_direction_of_negative_curvature() {
    let a = shifted(laplacian([4, 4, 3]), 3.03);
    let b = random_vector(a.dimension(), 1);
    let mut x = vec![0.0; b.len()];
    let mut workspace = cg::Workspace::default();
    let report = cg::solve(&a, &Identity, &b, &mut x, &tight(), &mut workspace);
    assert_eq!(report.status, Status::NegativeCurvature);
    assert_honest(&a, &b, &x, &report, &tight());
    let p = workspace.direction();
    let mut ap = vec![0.0; p.len()];
    a.apply(p, &mut ap);
    let curvature: f64 = p.iter().zip(&ap).map(|(p, q)| p * q).sum();
    assert!(curvature < 0.0);
}

#[test]
fn unreachable_tolerances_end_in_stagnation_at_the_rounding_floor() {
    let a = ill_scaled(elasticity([4, 4, 3], 0.01), 4.0, 5);
    let b = random_vector(a.dimension(), 1);
    let settings = Settings { relative_tolerance: 0.0, max_iterations: 20_000, ..tight() };
    for (name, solver) in ALL {
        let mut x = vec![0.0; b.len()];
        let jacobi = BlockJacobi::new(&a);
        let report = solver(&a, &jacobi, &b, &mut x, &settings);
        assert_eq!(report.status, Status::Stagnated, "{name}: {:e}", report.residual());
        assert_honest(&a, &b, &x, &report, &settings);
        assert!(report.residual() < 1e-7 * norm(&b), "{name}: {:e}", report.residual());
    }
}

#[test]
fn the_iteration_limit_is_kept_and_reported() {
    let a = elasticity([5, 5, 5], 1e-3);
    let b = random_vector(a.dimension(), 1);
    for (name, solver) in ALL {
        for max_iterations in [0, 1, 7] {
            let settings = Settings { max_iterations, ..tight() };
            let mut x = vec![0.0; b.len()];
            let report = solver(&a, &Identity, &b, &mut x, &settings);
            assert_eq!(
                (report.status, report.iterations),
                (Status::IterationLimit, max_iterations),
                "{name}"
            );
            assert_honest(&a, &b, &x, &report, &settings);
        }
    }
}

#[test]
fn histories_hold_the_residuals_of_the_iterates() {
    let a = elasticity([4, 3, 3], 0.1);
    let b = random_vector(a.dimension(), 1);
    let jacobi = BlockJacobi::positive(&a);
    for (name, solver) in ALL {
        let history = solver(&a, &jacobi, &b, &mut vec![0.0; b.len()], &tight()).residuals;
        for k in 1..8 {
            let mut x = vec![0.0; b.len()];
            let report =
                solver(&a, &jacobi, &b, &mut x, &Settings { max_iterations: k, ..tight() });
            // Where the last iterate was not the best, BiCGSTAB returns another.
            let same = (report.residual() / history[k] - 1.0).abs() < 1e-9;
            assert!(same || name == "bicgstab", "{name}: {:e} {:e}", report.residual(), history[k]);
        }
    }
}

#[test]
fn restarted_gmres_never_lets_the_residual_rise() {
    let a = nonsymmetric(laplacian([6, 5, 5]), 0.2, 3);
    let b = random_vector(a.dimension(), 1);
    let mut x = vec![0.0; b.len()];
    let mut workspace = gmres::Workspace::with_restart(5);
    let report = gmres::solve(&a, &Identity, &b, &mut x, &tight(), &mut workspace);
    assert!(report.converged() && report.iterations > 20, "{report:?}");
    assert!(report.residuals.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-6)));
}

#[test]
fn minres_residual_falls_monotonically_on_indefinite_systems() {
    let a = shifted(laplacian([5, 4, 3]), 3.03);
    let b = random_vector(a.dimension(), 1);
    let report = MINRES(&a, &Identity, &b, &mut vec![0.0; b.len()], &tight());
    assert!(report.residuals.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-6)));
}

#[test]
fn a_kept_workspace_keeps_its_memory_and_changes_no_bit() {
    let a = elasticity([4, 3, 3], 0.1);
    let b = random_vector(a.dimension(), 1);
    let mut workspace = cg::Workspace::default();
    let mut run = || {
        let mut x = vec![0.0; b.len()];
        let report = cg::solve(&a, &Identity, &b, &mut x, &tight(), &mut workspace);
        (x, report, workspace.direction().as_ptr())
    };
    assert_eq!(run(), run());
    // GMRES keeps more; leftovers of another size must not matter.
    let mut workspace = gmres::Workspace::with_restart(20);
    let mut run = |a: &BlockMatrix| {
        let b = random_vector(a.dimension(), 1);
        let mut x = vec![0.0; b.len()];
        let report = gmres::solve(a, &Identity, &b, &mut x, &tight(), &mut workspace);
        (x, report)
    };
    let first = run(&a);
    let _ = run(&laplacian([2, 2, 1]));
    assert_eq!(run(&a), first);
}

#[test]
fn a_preconditioner_that_is_not_positive_definite_is_a_breakdown() {
    struct Minus;
    impl Preconditioner for Minus {
        fn apply(&self, r: &[f64], z: &mut [f64]) {
            z.iter_mut().zip(r).for_each(|(z, r)| *z = -r);
        }
    }
    let a = laplacian([3, 3, 1]);
    let b = random_vector(a.dimension(), 1);
    for solver in [CG, MINRES] {
        let report = solver(&a, &Minus, &b, &mut vec![0.0; b.len()], &tight());
        assert_eq!(report.status, Status::Breakdown);
    }
}

#[test]
fn composed_operators_equal_their_dense_twins() {
    let (a, c) = (nonsymmetric(laplacian([3, 2, 2]), 0.3, 1), elasticity([3, 2, 2], 0.5));
    let sum = Sum::new(Scaled { factor: -0.5, operator: &a }, Transpose(&c));
    let full = dense(&a) * -0.5 + dense(&c).transpose();
    let x = random_vector(a.dimension(), 2);
    let mut y = vec![0.0; x.len()];
    sum.apply(&x, &mut y);
    let expected = &full * nalgebra::DVector::from_column_slice(&x);
    assert!(difference(&y, expected.as_slice()) < 1e-13 * norm(&y));
    Transpose(&sum).apply(&x, &mut y);
    let expected = full.transpose() * nalgebra::DVector::from_column_slice(&x);
    assert!(difference(&y, expected.as_slice()) < 1e-13 * norm(&y));
}

#[test]
fn difference_quotients_agree_with_the_jacobian() {
    // r_i = x_i³ − 2 x_{i+1} x_i
    let residual = |x: &[f64], r: &mut [f64]| {
        for i in 0..x.len() {
            r[i] = x[i].powi(3) - 2.0 * x[(i + 1) % x.len()] * x[i];
        }
    };
    let (x, p) = (random_vector(9, 1), random_vector(9, 2));
    let exact: Vec<f64> = (0..9)
        .map(|i| {
            let next = (i + 1) % 9;
            (3.0 * x[i] * x[i] - 2.0 * x[next]) * p[i] - 2.0 * x[i] * p[next]
        })
        .collect();
    let error = |difference_kind| {
        let mut jp = vec![0.0; 9];
        DifferenceOperator::new(residual, &x, difference_kind).apply(&p, &mut jp);
        difference(&jp, &exact) / norm(&exact)
    };
    let (forward, central) = (error(Difference::Forward), error(Difference::Central));
    assert!(forward < 1e-6 && central < 1e-9 && central < forward, "{forward:e} {central:e}");
    let mut jp = vec![1.0; 9];
    DifferenceOperator::new(residual, &x, Difference::Central).apply(&[0.0; 9], &mut jp);
    assert!(norm(&jp) <= 0.0, "J 0 = 0");
}
