//! Low-rank updates equal their dense twins, transposed too, and singular ones are refused.

use nalgebra::{DMatrix, DVector, DVectorViewMut, Dyn, LU};
use stiction::solve::krylov::{self, gmres};
use stiction::solve::low_rank::{Column, LowRank, LowRankError, LowRankOperator, LowRankSolve};
use stiction::solve::operator::Transpose;
use stiction::solve::{BlockMatrix, LinearOperator, LinearSolve};
use stiction_check::matrices::{
    Random, dense, dense_solve, laplacian, nonsymmetric, random_vector,
};

struct DenseLu {
    factor: LU<f64, Dyn, Dyn>,
    transposed: LU<f64, Dyn, Dyn>,
}

impl DenseLu {
    fn new(matrix: &DMatrix<f64>) -> Self {
        Self { factor: matrix.clone().lu(), transposed: matrix.transpose().lu() }
    }
}

impl LinearSolve for DenseLu {
    fn dimension(&self) -> usize {
        self.factor.u().nrows()
    }

    fn solve_in_place(&self, b: &mut [f64]) {
        let n = b.len();
        assert!(self.factor.solve_mut(&mut DVectorViewMut::from_slice(b, n)));
    }

    fn solve_transpose_in_place(&self, b: &mut [f64]) {
        let n = b.len();
        assert!(self.transposed.solve_mut(&mut DVectorViewMut::from_slice(b, n)));
    }
}

fn base() -> BlockMatrix {
    nonsymmetric(laplacian([3, 3, 2]), 0.3, 1)
}

fn column(dense: &DMatrix<f64>, j: usize) -> Column {
    Column::Dense(dense.column(j).iter().copied().collect())
}

/// Dense and sparse columns mixed; the dense twin of each.
fn columns(n: usize, count: usize, seed: u64) -> (Vec<Column>, DMatrix<f64>) {
    let mut random = Random::new(seed);
    let mut full = DMatrix::zeros(n, count);
    let columns = (0..count).map(|j| {
        if j % 2 == 0 {
            full.column_mut(j).iter_mut().for_each(|v| *v = random.value());
            return column(&full, j);
        }
        let entries = [(j, 1.0), (n - 1 - j, random.value()), (j, random.value())];
        for (i, v) in entries {
            full[(i, j)] += v;
        }
        Column::Sparse(entries.to_vec())
    });
    let columns = columns.collect();
    (columns, full)
}

fn relative_error(x: &[f64], exact: &[f64]) -> f64 {
    let (x, exact) = (DVector::from_column_slice(x), DVector::from_column_slice(exact));
    (x - &exact).norm() / exact.norm()
}

#[test]
fn solves_and_products_equal_their_dense_twins_both_ways_round() {
    let a = base();
    let n = a.dimension();
    let factor = DenseLu::new(&dense(&a));
    // Rectangular, square, singular and empty cores.
    for (left, right) in [(3, 5), (5, 3), (4, 4), (1, 1), (0, 0), (0, 2)] {
        let (u_columns, u) = columns(n, left, 2);
        let (v_columns, v) = columns(n, right, 3);
        let mut random = Random::new(4);
        let mut c = DMatrix::from_fn(left, right, |_, _| 3.0 * random.value());
        if left > 3 {
            c.row_mut(0).fill(0.0);
        }
        let full = dense(&a) + u * &c * v.transpose();
        let update = LowRank::new(n, u_columns, c, v_columns).unwrap();
        let solver = LowRankSolve::new(&factor, &update).unwrap();
        let b = random_vector(n, 5);

        let mut x = b.clone();
        solver.solve_in_place(&mut x);
        assert!(relative_error(&x, &dense_solve(&full, &b)) < 1e-12);
        let mut x = b.clone();
        solver.solve_transpose_in_place(&mut x);
        assert!(relative_error(&x, &dense_solve(&full.transpose(), &b)) < 1e-12);

        let operator = LowRankOperator::new(&a, &update);
        let mut y = vec![0.0; n];
        operator.apply(&b, &mut y);
        let b = DVector::from_vec(b);
        assert!(relative_error(&y, (&full * &b).as_slice()) < 1e-13);
        Transpose(&operator).apply(b.as_slice(), &mut y);
        assert!(relative_error(&y, full.tr_mul(&b).as_slice()) < 1e-13);
    }
}

#[test]
fn an_update_that_cancels_a_direction_is_refused_and_its_neighbour_is_not() {
    // A − (A w) wᵀ/(wᵀw) maps w to zero.
    let a = base();
    let n = a.dimension();
    let full = dense(&a);
    let factor = DenseLu::new(&full);
    let w = DVector::from_vec(random_vector(n, 6));
    let aw = Column::Dense((&full * &w).as_slice().to_vec());
    let wt = Column::Dense(w.as_slice().to_vec());
    let cancel = |fraction: f64| {
        let core = DMatrix::from_element(1, 1, -fraction / w.norm_squared());
        LowRank::new(n, vec![aw.clone()], core, vec![wt.clone()]).unwrap()
    };
    let almost = cancel(1.0 - 1e-3);
    assert!(LowRankSolve::new(&factor, &almost).is_ok());
    // One column: equilibration hides nothing only if the core is compared with what it was made of.
    let exactly = cancel(1.0);
    let error = LowRankSolve::new(&factor, &exactly).unwrap_err();
    assert!(matches!(error, LowRankError::SingularCore { .. }), "{error}");
    assert!(error.to_string().contains("help:"));
}

#[test]
fn two_columns_that_cancel_together_are_refused() {
    let a = base();
    let n = a.dimension();
    let full = dense(&a);
    let w = DVector::from_vec(random_vector(n, 7));
    let aw = (&full * &w).as_slice().to_vec();
    let (columns_u, _) = columns(n, 1, 8);
    let left = vec![Column::Dense(aw), columns_u[0].clone()];
    let mut orthogonal = DVector::from_vec(random_vector(n, 9));
    orthogonal -= &w * (orthogonal.dot(&w) / w.norm_squared());
    let right =
        vec![Column::Dense(w.as_slice().to_vec()), Column::Dense(orthogonal.as_slice().to_vec())];
    let core = DMatrix::from_diagonal(&DVector::from_vec(vec![-1.0 / w.norm_squared(), 1e6]));
    let update = LowRank::new(n, left, core, right).unwrap();
    let factor = DenseLu::new(&full);
    let error = LowRankSolve::new(&factor, &update).unwrap_err();
    assert!(matches!(error, LowRankError::SingularCore { .. }), "{error}");
}

#[test]
fn penalties_over_many_decades_are_not_mistaken_for_singular() {
    let a = laplacian([3, 3, 2]);
    let n = a.dimension();
    let full = dense(&a);
    let factor = DenseLu::new(&full);
    let left: Vec<Column> =
        (0..4).map(|i| Column::Sparse(vec![(3 * i, 1.0), (3 * i + 4, -1.0)])).collect();
    let core = DMatrix::from_diagonal(&DVector::from_vec(vec![1e12, 1e4, 1.0, 1e-8]));
    let update = LowRank::new(n, left.clone(), core.clone(), left).unwrap();
    let solver = LowRankSolve::new(&factor, &update).unwrap();
    let b = random_vector(n, 1);
    let mut x = b.clone();
    solver.solve_in_place(&mut x);
    // Tied by a spring of 1e12, both ends move alike.
    assert!((x[0] - x[4]).abs() < 1e-11 && (x[9] - x[13]).abs() > 1e-6);
    let mut operator_x = vec![0.0; n];
    LowRankOperator::new(&a, &update).apply(&x, &mut operator_x);
    let before = relative_error(&operator_x, &b);
    solver.refine(&a, &b, &mut x);
    LowRankOperator::new(&a, &update).apply(&x, &mut operator_x);
    assert!(relative_error(&operator_x, &b) <= before.max(1e-3), "{before:e}");
}

#[test]
fn refinement_wins_back_digits_lost_to_a_bad_factor() {
    // The factor is that of a nearby matrix, as after a sloppy solve.
    let a = base();
    let n = a.dimension();
    let sloppy = DenseLu::new(&(dense(&a) * (1.0 + 1e-5)));
    let (u_columns, u) = columns(n, 2, 2);
    let update = LowRank::new(n, u_columns.clone(), DMatrix::identity(2, 2), u_columns).unwrap();
    let exact = {
        let full = dense(&a) + &u * u.transpose();
        dense_solve(&full, &random_vector(n, 3))
    };
    let b = random_vector(n, 3);
    let solver = LowRankSolve::new(&sloppy, &update).unwrap();
    let mut x = b.clone();
    solver.solve_in_place(&mut x);
    let before = relative_error(&x, &exact);
    solver.refine(&a, &b, &mut x);
    let after = relative_error(&x, &exact);
    assert!(before > 1e-7 && after < 1e-3 * before, "{before:e} -> {after:e}");
}

#[test]
fn the_update_serves_krylov_as_operator_and_as_preconditioner() {
    let a = base();
    let n = a.dimension();
    let factor = DenseLu::new(&dense(&a));
    let (u_columns, _) = columns(n, 3, 2);
    let update = LowRank::new(n, u_columns.clone(), DMatrix::identity(3, 3), u_columns).unwrap();
    let operator = LowRankOperator::new(&a, &update);
    let b = random_vector(n, 3);
    let settings = krylov::Settings { relative_tolerance: 1e-12, ..Default::default() };
    let mut workspace = gmres::Workspace::default();
    let mut iterations = |m: &dyn stiction::solve::precondition::Preconditioner| {
        let report = gmres::solve(&operator, m, &b, &mut vec![0.0; n], &settings, &mut workspace);
        assert!(report.converged());
        report.iterations
    };
    // A⁻¹(A + UUᵀ) is the identity plus rank three: four iterations. With Woodbury, one.
    assert!(iterations(&factor) <= 4);
    assert!(iterations(&LowRankSolve::new(&factor, &update).unwrap()) <= 1);
}

#[test]
fn wrong_shapes_are_typed_errors() {
    let column = Column::Sparse(vec![(6, 1.0)]);
    let one = DMatrix::identity(1, 1);
    assert!(LowRank::new(7, vec![column.clone()], one.clone(), vec![column.clone()]).is_ok());
    let outside = LowRank::new(6, vec![column.clone()], one.clone(), vec![column.clone()]);
    assert!(matches!(outside, Err(LowRankError::Shape { rows: 6, .. })));
    let missing = LowRank::new(7, vec![column.clone()], one, vec![]);
    assert!(matches!(missing, Err(LowRankError::Shape { right: 0, core_columns: 1, .. })));
    let update = LowRank::new(7, vec![], DMatrix::zeros(0, 0), vec![]).unwrap();
    let factor = DenseLu::new(&DMatrix::identity(3, 3));
    let error = LowRankSolve::new(&factor, &update).unwrap_err();
    assert_eq!(error, LowRankError::Dimension { base: 3, update: 7 });
}

#[test]
fn symmetric_updates_know_how_many_signs_they_change() {
    let positive = laplacian([3, 2, 2]);
    let n = positive.dimension();
    let sparse = dense(&positive);
    let negative = |m: &DMatrix<f64>| {
        m.clone().symmetric_eigenvalues().iter().filter(|&&value| value < 0.0).count() as isize
    };
    let mut changes = Vec::new();
    for seed in 0..12 {
        // From definite to quite indefinite, and updates of both signs that are small or large.
        let shift = f64::from(seed as u32 % 4) * 0.35 * sparse[(0, 0)];
        let base = &sparse - DMatrix::identity(n, n) * shift;
        let (columns, full) = columns(n, 4, seed);
        let weights = [2.0, -0.5, 30.0, -1e-3].map(|w| w * 10f64.powi(seed as i32 % 3 - 1));
        let update = full.clone() * DMatrix::from_diagonal(&DVector::from_row_slice(&weights));
        let updated = &base + update * full.transpose();
        let parts = weights.into_iter().zip(columns).collect();
        let low_rank = LowRank::symmetric(n, parts).unwrap();
        let factor = DenseLu::new(&base);
        let solve = LowRankSolve::new(&factor, &low_rank).unwrap();
        let change = solve.added_negative_eigenvalues();
        assert_eq!(change, Some(negative(&updated) - negative(&base)), "seed {seed}");
        changes.extend(change);
    }
    changes.sort_unstable();
    changes.dedup();
    assert!(changes.len() > 2, "signs should change both ways: {changes:?}");

    let (columns, _) = columns(n, 2, 5);
    let core = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]);
    let low_rank = LowRank::new(n, columns.clone(), core, columns).unwrap();
    let factor = DenseLu::new(&sparse);
    let solve = LowRankSolve::new(&factor, &low_rank).unwrap();
    assert_eq!(solve.added_negative_eigenvalues(), None);
}
