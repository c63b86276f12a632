//! Direct solvers: right answers on every kind of matrix, or a clear error; never a wrong answer.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use stiction::math::{Matrix3, Vector3};
use stiction::solve::direct::{
    Analysis, Cholesky, Inertia, InertiaCorrection, Ldlt, Lu, Order, RefineError, Side,
    solve_refined,
};
use stiction::solve::{BlockMatrix, BlockPattern, LinearOperator, LinearSolve};
use stiction_check::matrices::{
    Random, add_to_block, chain, dense, dense_solve, elasticity, ill_scaled, nonsymmetric,
    random_vector, shifted,
};

/// Vertices of a grid, where the matrices of `stiction_check` live.
fn grid_points(grid: [usize; 3]) -> Vec<Vector3> {
    let mut points = Vec::new();
    for i in 0..grid[0] {
        for j in 0..grid[1] {
            points.extend((0..grid[2]).map(|k| Vector3::new(i as f64, j as f64, k as f64)));
        }
    }
    points
}

fn residual(matrix: &BlockMatrix, x: &[f64], b: &[f64]) -> f64 {
    let mut ax = vec![0.0; b.len()];
    matrix.apply(x, &mut ax);
    let r: f64 = ax.iter().zip(b).map(|(ax, b)| (ax - b).powi(2)).sum();
    (r / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

#[track_caller]
fn assert_close(x: &[f64], expected: &[f64], tolerance: f64) {
    let scale = expected.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
    for (x, e) in x.iter().zip(expected) {
        assert!((x - e).abs() <= tolerance * scale, "{x} is not {e}");
    }
}

#[test]
fn all_factors_and_orders_solve_what_dense_lu_solves() {
    let grid = [5, 4, 3];
    let points = grid_points(grid);
    let symmetric = elasticity(grid, 0.3);
    let general = nonsymmetric(symmetric.clone(), 0.2, 7);
    let b = random_vector(symmetric.dimension(), 3);
    for order in [Order::Coordinates(&points), Order::Graph, Order::Natural] {
        let analysis = Analysis::new(symmetric.pattern(), order);
        let expected = dense_solve(&dense(&symmetric), &b);

        let mut cholesky = Cholesky::new(&analysis);
        cholesky.factor(&symmetric).expect("positive definite");
        let mut x = b.clone();
        cholesky.solve_in_place(&mut x);
        assert_close(&x, &expected, 1e-12);

        let mut ldlt = Ldlt::new(&analysis);
        assert_eq!(ldlt.factor(&symmetric), Inertia { positive: b.len(), negative: 0, zero: 0 });
        let mut x = b.clone();
        ldlt.solve_in_place(&mut x);
        assert_close(&x, &expected, 1e-12);

        let mut lu = Lu::new(&analysis);
        assert_eq!(lu.factor(&general), 0);
        let mut x = b.clone();
        lu.solve_in_place(&mut x);
        assert_close(&x, &dense_solve(&dense(&general), &b), 1e-11);
        let mut x = b.clone();
        lu.solve_transpose_in_place(&mut x);
        assert_close(&x, &dense_solve(&dense(&general).transpose(), &b), 1e-11);
    }
}

/// Large enough for tiles, blocks and several levels of the tree.
#[test]
fn large_systems_are_solved_to_rounding() {
    let grid = [13, 12, 11];
    let points = grid_points(grid);
    let symmetric = elasticity(grid, 0.5);
    let general = nonsymmetric(symmetric.clone(), 0.1, 1);
    let b = random_vector(symmetric.dimension(), 5);
    let analysis = Analysis::new(symmetric.pattern(), Order::Coordinates(&points));
    let mut cholesky = Cholesky::new(&analysis);
    cholesky.factor(&symmetric).expect("positive definite");
    let mut x = b.clone();
    cholesky.solve_in_place(&mut x);
    assert!(residual(&symmetric, &x, &b) < 1e-11);
    let mut lu = Lu::new(&analysis);
    lu.factor(&general);
    let mut x = vec![0.0; b.len()];
    let refined = solve_refined(&lu, &general, Side::Plain, &b, &mut x, 1e-13).expect("regular");
    assert!(refined.relative_residual < 1e-13, "{refined:?}");
    assert!(residual(&general, &x, &b) < 1e-13, "{}", residual(&general, &x, &b));
    solve_refined(&lu, &general, Side::Transposed, &b, &mut x, 1e-13).expect("regular");
    let mut atx = vec![0.0; b.len()];
    general.apply_transpose(&x, &mut atx);
    assert_close(&atx, &b, 1e-12);
}

#[test]
fn threads_do_not_change_a_bit() {
    let grid = [12, 11, 10];
    let points = grid_points(grid);
    let symmetric = elasticity(grid, 1e-3);
    let general = nonsymmetric(symmetric.clone(), 0.1, 1);
    let b = random_vector(symmetric.dimension(), 5);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let analysis = Analysis::new(symmetric.pattern(), Order::Coordinates(&points));
            let mut cholesky = Cholesky::new(&analysis);
            cholesky.factor(&symmetric).expect("positive definite");
            let mut ldlt = Ldlt::new(&analysis);
            ldlt.factor(&symmetric);
            let mut lu = Lu::new(&analysis);
            lu.factor(&general);
            let solvers: [&dyn LinearSolve; 3] = [&cholesky, &ldlt, &lu];
            solvers.map(|solver| {
                let mut x = b.clone();
                solver.solve_in_place(&mut x);
                x
            })
        })
    };
    let one = solve(1);
    assert!((2..6).all(|threads| solve(threads) == one));
}

/// Rows of blocks of `J`: sparse, one of them empty, one with a column twice.
fn sparse_rows(count: usize, columns: usize, seed: u64) -> Vec<Vec<(usize, Matrix3)>> {
    let mut random = Random::new(seed);
    let mut column = || ((random.value() + 1.0) * 0.5 * columns as f64) as usize;
    let places: Vec<Vec<usize>> =
        (0..count).map(|i| (0..i % 4).map(|_| column()).collect()).collect();
    let mut random = Random::new(seed + 1);
    let mut rows: Vec<Vec<(usize, Matrix3)>> = places
        .iter()
        .map(|places| places.iter().map(|&j| (j, random.matrix())).collect())
        .collect();
    let twice = (rows[1][0].0, random.matrix());
    rows[1].push(twice);
    rows
}

/// `J A⁻¹ Jᵀ` as it is defined.
fn dense_complement(matrix: &BlockMatrix, rows: &[Vec<(usize, Matrix3)>]) -> DMatrix<f64> {
    let mut j = DMatrix::zeros(3 * rows.len(), matrix.dimension());
    for (i, row) in rows.iter().enumerate() {
        for (column, block) in row {
            let mut place = j.view_mut((3 * i, 3 * column), (3, 3));
            place += block;
        }
    }
    let inverse = dense(matrix).try_inverse().expect("positive definite");
    &j * inverse * j.transpose()
}

/// Against the definition; and against three solves a row, which is what everything but Cholesky does.
#[test]
fn complements_of_sparse_rows_are_those_of_dense_inverses() {
    let grid = [6, 5, 4];
    let (matrix, points) = (elasticity(grid, 1e-2), grid_points(grid));
    let size = matrix.dimension() / 3;
    // Pairs that nothing couples: as many trees.
    let pairs: Vec<[u32; 2]> = (0..size as u32 / 2).map(|k| [2 * k, 2 * k + 1]).collect();
    let pattern = BlockPattern::from_stencils(size, pairs.iter().map(|pair| &pair[..]));
    let mut apart = shifted(BlockMatrix::zeros(Arc::new(pattern)), -2.0);
    for [i, j] in pairs.iter().map(|pair| pair.map(|i| i as usize)) {
        add_to_block(&mut apart, i, j, &Matrix3::identity());
        add_to_block(&mut apart, j, i, &Matrix3::identity());
    }
    for (matrix, count) in [(&matrix, 37), (&matrix, 4), (&apart, 20)] {
        let rows = sparse_rows(count, size, 3);
        let expected = dense_complement(matrix, &rows);
        let scale = expected.amax();
        for order in [Order::Coordinates(&points), Order::Graph, Order::Natural] {
            let analysis = Analysis::new(matrix.pattern(), order);
            let mut cholesky = Cholesky::new(&analysis);
            cholesky.factor(matrix).expect("positive definite");
            let mut ldlt = Ldlt::new(&analysis);
            ldlt.factor(matrix);
            let solvers: [&dyn LinearSolve; 2] = [&cholesky, &ldlt];
            for solver in solvers {
                let found = solver.schur_complement(&rows);
                let found = DMatrix::from_vec(3 * count, 3 * count, found);
                for column in 0..3 * count {
                    for row in column..3 * count {
                        let error = found[(row, column)] - expected[(row, column)];
                        assert!(
                            error.abs() < 1e-11 * scale,
                            "{order:?} ({row}, {column}): {error:e}"
                        );
                    }
                }
            }
        }
        let none = Analysis::new(matrix.pattern(), Order::Graph);
        assert!(Cholesky::new(&none).schur_complement(&[]).is_empty());
    }
}

#[test]
fn threads_do_not_change_a_bit_of_a_complement() {
    let grid = [12, 11, 10];
    let (matrix, points) = (elasticity(grid, 1e-3), grid_points(grid));
    let rows = sparse_rows(160, matrix.dimension() / 3, 8);
    let analysis = Analysis::new(matrix.pattern(), Order::Coordinates(&points));
    let mut cholesky = Cholesky::new(&analysis);
    cholesky.factor(&matrix).expect("positive definite");
    let seen = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| cholesky.schur_complement(&rows))
    };
    let one = seen(1);
    assert!(one.iter().any(|a| *a > 0.0) && (2..6).all(|threads| seen(threads) == one));
}

#[test]
fn a_factor_can_be_used_again_for_new_values() {
    let grid = [4, 4, 4];
    let points = grid_points(grid);
    let first = elasticity(grid, 0.3);
    let analysis = Analysis::new(first.pattern(), Order::Coordinates(&points));
    let mut lu = Lu::new(&analysis);
    lu.factor(&nonsymmetric(first.clone(), 0.3, 1));
    let second = nonsymmetric(first, 0.2, 2);
    lu.factor(&second);
    let b = random_vector(second.dimension(), 3);
    let mut x = b.clone();
    lu.solve_in_place(&mut x);
    assert!(residual(&second, &x, &b) < 1e-12);
}

#[test]
fn empty_and_single_systems_are_systems() {
    let empty = Arc::new(BlockPattern::from_stencils(0, std::iter::empty()));
    let analysis = Analysis::new(&empty, Order::Graph);
    Cholesky::new(&analysis)
        .factor(&BlockMatrix::zeros(Arc::clone(&empty)))
        .expect("nothing to fail");
    let mut lu = Lu::new(&analysis);
    lu.factor(&BlockMatrix::zeros(Arc::clone(&empty)));
    lu.solve_in_place(&mut []);
    assert!(lu.is_empty());

    let single = Arc::new(BlockPattern::from_stencils(1, std::iter::empty()));
    for order in [Order::Natural, Order::Graph, Order::Coordinates(&[Vector3::zeros()])] {
        let analysis = Analysis::new(&single, order);
        let mut matrix = BlockMatrix::zeros(Arc::clone(&single));
        matrix.values_mut()[0] = Matrix3::new(0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 8.0, 0.0, 0.0);
        let mut lu = Lu::new(&analysis);
        assert_eq!(lu.factor(&matrix), 0, "pivoting finds the entries off the diagonal");
        let mut x = vec![2.0, 4.0, 8.0];
        lu.solve_in_place(&mut x);
        assert_close(&x, &[1.0, 1.0, 1.0], 1e-15);
    }
}

/// An elimination tree as deep as the matrix is large must not exhaust the stack.
#[test]
fn deep_trees_are_no_danger() {
    let matrix = chain(60_000, 3);
    let analysis = Analysis::new(matrix.pattern(), Order::Natural);
    let mut cholesky = Cholesky::new(&analysis);
    cholesky.factor(&matrix).expect("positive definite");
    let b = random_vector(matrix.dimension(), 1);
    let mut x = b.clone();
    cholesky.solve_in_place(&mut x);
    assert!(residual(&matrix, &x, &b) < 1e-12);
}

/// A chain with a leaf on every link: as deep as a chain, but no node is an only child.
#[test]
fn trees_like_combs_are_no_danger() {
    let links = 20_000;
    let mut stencils: Vec<[u32; 2]> = (1..links).map(|k| [2 * k - 1, 2 * k + 1]).collect();
    stencils.extend((0..links).map(|k| [2 * k, 2 * k + 1]));
    let pattern =
        Arc::new(BlockPattern::from_stencils(2 * links as usize, stencils.iter().map(|s| &s[..])));
    let mut matrix = nonsymmetric(BlockMatrix::zeros(Arc::clone(&pattern)), 0.1, 4);
    (0..pattern.size()).for_each(|i| add_to_block(&mut matrix, i, i, &Matrix3::identity()));
    let mut lu = Lu::new(&Analysis::new(&pattern, Order::Natural));
    lu.factor(&matrix);
    let b = random_vector(matrix.dimension(), 8);
    let mut x = b.clone();
    lu.solve_in_place(&mut x);
    assert!(residual(&matrix, &x, &b) < 1e-12);
}

/// Many bodies that do not touch, one node that touches all, and nodes at one place.
#[test]
fn odd_graphs_are_dissected_too() {
    let islands: Vec<Vec<u32>> = (0..50).map(|k| vec![3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let star: Vec<Vec<u32>> = (1..150).map(|k| vec![0, k]).collect();
    let all: Vec<Vec<u32>> = vec![(0..150).collect()];
    let same_place = vec![Vector3::zeros(); 150];
    let line: Vec<Vector3> = (0..150).map(|k| Vector3::new(k as f64, 0.0, 0.0)).collect();
    for stencils in [islands, star, all, Vec::new()] {
        let pattern = Arc::new(BlockPattern::from_stencils(150, stencils.iter().map(|s| &s[..])));
        let mut matrix = nonsymmetric(BlockMatrix::zeros(Arc::clone(&pattern)), 0.1, 4);
        (0..150).for_each(|i| add_to_block(&mut matrix, i, i, &(Matrix3::identity() * 20.0)));
        let b = random_vector(450, 8);
        for order in [
            Order::Coordinates(&same_place),
            Order::Coordinates(&line),
            Order::Graph,
            Order::Natural,
        ] {
            let mut lu = Lu::new(&Analysis::new(&pattern, order));
            lu.factor(&matrix);
            let mut x = b.clone();
            lu.solve_in_place(&mut x);
            assert!(residual(&matrix, &x, &b) < 1e-13);
        }
    }
}

#[test]
fn dissection_saves_work() {
    let grid = [16, 16, 16];
    let matrix = elasticity(grid, 1.0);
    let points = grid_points(grid);
    let work = |order| Analysis::new(matrix.pattern(), order).multiplications();
    let (coordinates, graph, natural) =
        (work(Order::Coordinates(&points)), work(Order::Graph), work(Order::Natural));
    assert!(coordinates < 1.2 * graph, "{coordinates:e} multiplications, {graph:e} by the graph");
    assert!(
        3.0 * coordinates < natural,
        "{coordinates:e} multiplications, {natural:e} in natural order"
    );
}

#[test]
fn matrices_that_are_not_definite_are_refused_with_the_unknown() {
    let grid = [4, 3, 3];
    let mut matrix = elasticity(grid, 0.5);
    let analysis = Analysis::new(matrix.pattern(), Order::Coordinates(&grid_points(grid)));
    let mut cholesky = Cholesky::new(&analysis);
    cholesky.factor(&matrix).expect("positive definite");
    add_to_block(&mut matrix, 7, 7, &Matrix3::from_diagonal(&Vector3::new(0.0, -1e3, 0.0)));
    let error = cholesky.factor(&matrix).expect_err("not definite");
    assert_eq!(error.unknown / 3, 7, "{error}");
    add_to_block(&mut matrix, 7, 7, &Matrix3::repeat(f64::NAN));
    cholesky.factor(&matrix).expect_err("NaN is not definite");
}

#[test]
fn inertia_counts_eigenvalues() {
    for (seed, shift) in [(1, 0.5), (2, 2.0), (3, 5.0), (4, 9.0)] {
        let matrix = shifted(elasticity([4, 3, 3], 0.1), shift);
        let matrix = ill_scaled(matrix, 6.0, seed);
        let eigenvalues = SymmetricEigen::new(dense(&matrix)).eigenvalues;
        let negative = eigenvalues.iter().filter(|&&e| e < 0.0).count();
        let mut ldlt = Ldlt::new(&Analysis::new(matrix.pattern(), Order::Graph));
        let inertia = ldlt.factor(&matrix);
        assert_eq!(inertia, Inertia { positive: eigenvalues.len() - negative, negative, zero: 0 });
        let b = random_vector(matrix.dimension(), 2);
        let mut x = vec![0.0; b.len()];
        solve_refined(&ldlt, &matrix, Side::Plain, &b, &mut x, 1e-11).expect("regular");
    }
}

/// Saddle points have zeros on the diagonal; 2×2 pivots take care of them.
#[test]
fn saddle_points_are_solved_by_pivoting() {
    let stencils: Vec<[u32; 2]> = (0..8).map(|k| [k, 8 + k]).collect();
    let pattern = Arc::new(BlockPattern::from_stencils(16, stencils.iter().map(|s| &s[..])));
    let mut matrix = BlockMatrix::zeros(Arc::clone(&pattern));
    for k in 0..8 {
        let (one, two) =
            (Matrix3::identity(), Matrix3::new(1.0, 2.0, 0.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0));
        add_to_block(&mut matrix, k, k, &one);
        add_to_block(&mut matrix, k, 8 + k, &two);
        add_to_block(&mut matrix, 8 + k, k, &two.transpose());
    }
    let b = random_vector(48, 6);
    for order in [Order::Natural, Order::Graph] {
        let mut ldlt = Ldlt::new(&Analysis::new(&pattern, order));
        assert_eq!(ldlt.factor(&matrix), Inertia { positive: 24, negative: 24, zero: 0 });
        let mut x = b.clone();
        ldlt.solve_in_place(&mut x);
        assert_close(&x, &dense_solve(&dense(&matrix), &b), 1e-13);
    }
}

#[test]
fn inertia_correction_shifts_no_more_than_it_must() {
    let matrix = shifted(elasticity([4, 3, 3], 0.1), 2.0);
    let lowest = SymmetricEigen::new(dense(&matrix)).eigenvalues.min();
    let mut ldlt = Ldlt::new(&Analysis::new(matrix.pattern(), Order::Graph));
    let mut correction = InertiaCorrection::default();
    let weights = vec![1.0; matrix.dimension()];
    let first = correction.factor(&mut ldlt, &matrix, &weights, 0).expect("a shift exists");
    assert!(first.shift > -lowest && first.shift <= -8.0 * lowest, "{first:?}, lowest {lowest}");
    let second = correction.factor(&mut ldlt, &matrix, &weights, 0).expect("a shift exists");
    assert!(second.attempts < first.attempts, "the last shift is remembered");
    assert!(second.shift > -lowest);
    let definite = elasticity([4, 3, 3], 0.1);
    let none = correction.factor(&mut ldlt, &definite, &weights, 0).expect("definite already");
    assert_eq!(none.attempts, 1);
    let error =
        correction.factor(&mut ldlt, &definite, &weights, 5).expect_err("no shift makes it so");
    assert!(error.to_string().contains("help:"), "{error}");
}

#[test]
fn bad_scales_are_no_excuse() {
    let grid = [5, 4, 3];
    let points = grid_points(grid);
    let b = random_vector(180, 9);
    for seed in 0..5 {
        let matrix = ill_scaled(nonsymmetric(elasticity(grid, 0.5), 0.2, seed), 16.0, seed);
        let mut lu = Lu::new(&Analysis::new(matrix.pattern(), Order::Coordinates(&points)));
        assert_eq!(lu.factor(&matrix), 0);
        let mut x = vec![0.0; b.len()];
        let refined = solve_refined(&lu, &matrix, Side::Plain, &b, &mut x, 1e-12).expect("regular");
        assert!(refined.backward_error < 1e-14, "{refined:?}");
    }
}

/// A free body can be pushed only by forces in balance.
#[test]
fn singular_systems_are_solved_if_they_can_be_and_refused_if_not() {
    let grid = [4, 4, 3];
    let matrix = elasticity(grid, 0.0);
    let n = matrix.dimension();
    let analysis = Analysis::new(matrix.pattern(), Order::Coordinates(&grid_points(grid)));
    let (mut lu, mut ldlt) = (Lu::new(&analysis), Ldlt::new(&analysis));
    let replaced = lu.factor(&matrix);
    let inertia = ldlt.factor(&matrix);
    assert!(replaced >= 3, "three translations at least: {replaced}");
    assert!(inertia.zero >= 3 && inertia.negative == 0, "{inertia:?}");

    let mut balanced = vec![0.0; n];
    matrix.apply(&random_vector(n, 2), &mut balanced);
    let unbalanced = vec![1.0; n];
    let solvers: [&dyn LinearSolve; 2] = [&lu, &ldlt];
    for solver in solvers {
        let mut x = vec![0.0; n];
        solve_refined(solver, &matrix, Side::Plain, &balanced, &mut x, 1e-9).expect("consistent");
        assert!(residual(&matrix, &x, &balanced) < 1e-9);
        let error = solve_refined(solver, &matrix, Side::Plain, &unbalanced, &mut x, 1e-9);
        assert!(matches!(error, Err(RefineError::Inaccurate(_))), "{error:?}");
    }
}

#[test]
fn structurally_singular_systems_are_refused() {
    let grid = [3, 3, 3];
    let mut matrix = nonsymmetric(elasticity(grid, 0.5), 0.1, 1);
    let pattern = Arc::clone(matrix.pattern());
    // Row 13 of blocks is empty: no equation for three unknowns.
    for slot in pattern.row_slots(13) {
        matrix.values_mut()[slot] = Matrix3::zeros();
    }
    let mut lu = Lu::new(&Analysis::new(&pattern, Order::Graph));
    assert!(lu.factor(&matrix) >= 3);
    let mut x = vec![0.0; 81];
    let error = solve_refined(&lu, &matrix, Side::Plain, &[1.0; 81], &mut x, 1e-6);
    let message = error.expect_err("no solution").to_string();
    assert!(message.contains("help:"), "{message}");
}

#[test]
fn nearly_singular_systems_get_a_small_residual() {
    let grid = [4, 4, 3];
    let matrix = elasticity(grid, 1e-12);
    let mut lu = Lu::new(&Analysis::new(matrix.pattern(), Order::Coordinates(&grid_points(grid))));
    lu.factor(&matrix);
    let b = vec![1.0; matrix.dimension()];
    let mut x = vec![0.0; b.len()];
    let refined =
        solve_refined(&lu, &matrix, Side::Plain, &b, &mut x, 1e-10).expect("regular, if barely");
    assert!(refined.backward_error < 1e-14, "{refined:?}");
    // Uniform forces on a body held by springs of 1e-12 move it by 1e12.
    let mean = DVector::from_vec(x).mean();
    assert!((mean / 1e12 - 1.0).abs() < 1e-3, "mean {mean:e}");
}

#[test]
fn nan_is_reported() {
    let mut matrix = nonsymmetric(elasticity([3, 3, 3], 0.5), 0.1, 1);
    matrix.values_mut()[5][(0, 1)] = f64::NAN;
    let mut lu = Lu::new(&Analysis::new(matrix.pattern(), Order::Graph));
    lu.factor(&matrix);
    let mut x = vec![0.0; 81];
    let error = solve_refined(&lu, &matrix, Side::Plain, &[1.0; 81], &mut x, 1e-6);
    assert_eq!(error, Err(RefineError::NotFinite));
    let mut ldlt = Ldlt::new(&Analysis::new(matrix.pattern(), Order::Graph));
    matrix.values_mut()[0][(0, 0)] = f64::NAN;
    assert!(ldlt.factor(&matrix).zero > 0, "NaN has no sign");
}
