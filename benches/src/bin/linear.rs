//! Factors the matrix of an implicit step with one solver and prints what it cost, as one line of JSON.
//!
//! `linear CELLS SOLVER REPEATS`, with solver one of `cholesky`, `ldlt`, `lu`, `faer-llt`, `faer-llt-dissected` (with
//! our order), `faer-lu`, or `dump FOLDER` to write the matrices for other programs. Threads: `RAYON_NUM_THREADS`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::io::Write as _;
use std::time::Instant;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::prelude::Solve as _;
use faer::sparse::linalg::cholesky::{self, SymmetricOrdering};
use faer::sparse::linalg::solvers as sparse;
use faer::sparse::{SparseColMat, Triplet};
use stiction::solve::direct::{Analysis, Cholesky, Ldlt, Lu, Order, Side, solve_refined};
use stiction::solve::{BlockMatrix, LinearSolve};
use stiction_bench::{
    Block, add_friction, cpu_seconds, peak_mebibytes, relative_residual, right_hand_side,
};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, cells, solver, last] = &arguments[..] else {
        println!(
            "usage: linear CELLS cholesky|ldlt|lu|faer-llt|faer-llt-dissected|faer-lu REPEATS, or linear CELLS dump \
             FOLDER"
        );
        std::process::exit(2);
    };
    let block = Block::new(cells.parse().expect("a number of cells"));
    let (spd, points) = block.matrix(0.01);
    let mut general = spd.clone();
    add_friction(&mut general, &points);
    if solver == "dump" {
        dump(&spd, &format!("{last}/spd.bin"))?;
        return dump(&general, &format!("{last}/general.bin"));
    }
    let matrix = if solver.ends_with("lu") { general } else { spd };
    let b = right_hand_side(&matrix);
    let repeats: usize = last.parse().expect("a number of repeats");
    let before = peak_mebibytes();
    let mut best = [f64::INFINITY; 6]; // analyse, factor, solve: wall and CPU
    let mut residual = 0.0;
    for _ in 0..repeats {
        let mut lap = Lap::new();
        let mut times = Vec::new();
        let x = match solver.as_str() {
            "cholesky" | "ldlt" | "lu" => {
                let analysis = Analysis::new(matrix.pattern(), Order::Coordinates(&points));
                times.extend(lap.split());
                let factor: Box<dyn LinearSolve> = match solver.as_str() {
                    "cholesky" => {
                        let mut cholesky = Cholesky::new(&analysis);
                        cholesky.factor(&matrix).expect("positive definite");
                        Box::new(cholesky)
                    }
                    "ldlt" => {
                        let mut ldlt = Ldlt::new(&analysis);
                        ldlt.factor(&matrix);
                        Box::new(ldlt)
                    }
                    _ => {
                        let mut lu = Lu::new(&analysis);
                        lu.factor(&matrix);
                        Box::new(lu)
                    }
                };
                times.extend(lap.split());
                let mut x = b.clone();
                if solver == "lu" {
                    solve_refined(&*factor, &matrix, Side::Plain, &b, &mut x, 1e-13)
                        .expect("regular");
                } else {
                    factor.solve_in_place(&mut x);
                }
                times.extend(lap.split());
                x
            }
            "faer-llt" => {
                let a = to_faer(&matrix);
                lap = Lap::new();
                let symbolic =
                    sparse::SymbolicLlt::try_new(a.symbolic(), faer::Side::Lower).expect("memory");
                times.extend(lap.split());
                let factor =
                    sparse::Llt::try_new_with_symbolic(symbolic, a.as_ref(), faer::Side::Lower);
                let factor = factor.expect("positive definite");
                times.extend(lap.split());
                let x = factor.solve(faer::ColRef::from_slice(&b));
                times.extend(lap.split());
                x.try_as_col_major().expect("contiguous").as_slice().to_vec()
            }
            "faer-llt-dissected" => {
                let a = to_faer(&matrix);
                lap = Lap::new();
                let order = Analysis::new(matrix.pattern(), Order::Coordinates(&points));
                let scalars: Vec<usize> = order
                    .order()
                    .iter()
                    .flat_map(|&v| (0..3).map(move |k| 3 * v as usize + k))
                    .collect();
                let mut inverse = vec![0; scalars.len()];
                scalars.iter().enumerate().for_each(|(k, &v)| inverse[v] = k);
                let permutation = PermRef::new_checked(&scalars, &inverse, scalars.len());
                let order = SymmetricOrdering::Custom(permutation);
                let symbolic = cholesky::factorize_symbolic_cholesky(
                    a.symbolic(),
                    faer::Side::Lower,
                    order,
                    Default::default(),
                );
                let symbolic = symbolic.expect("memory");
                times.extend(lap.split());
                let par = faer::get_global_parallelism();
                let mut values = vec![0.0; symbolic.len_val()];
                let need = symbolic.factorize_numeric_llt_scratch::<f64>(par, Default::default());
                let mut memory =
                    MemBuffer::new(need.or(symbolic.solve_in_place_scratch::<f64>(1, par)));
                let stack = MemStack::new(&mut memory);
                let factor = symbolic.factorize_numeric_llt(
                    &mut values,
                    a.as_ref(),
                    faer::Side::Lower,
                    Default::default(),
                    par,
                    stack,
                    Default::default(),
                );
                let factor = factor.expect("positive definite");
                times.extend(lap.split());
                let mut x = faer::Col::from_fn(b.len(), |i| b[i]);
                factor.solve_in_place_with_conj(faer::Conj::No, x.as_mat_mut(), par, stack);
                times.extend(lap.split());
                x.try_as_col_major().expect("contiguous").as_slice().to_vec()
            }
            "faer-lu" => {
                let a = to_faer(&matrix);
                lap = Lap::new();
                let symbolic = sparse::SymbolicLu::try_new(a.symbolic()).expect("memory");
                times.extend(lap.split());
                let factor =
                    sparse::Lu::try_new_with_symbolic(symbolic, a.as_ref()).expect("regular");
                times.extend(lap.split());
                let x = factor.solve(faer::ColRef::from_slice(&b));
                times.extend(lap.split());
                x.try_as_col_major().expect("contiguous").as_slice().to_vec()
            }
            other => panic!("no solver called {other}"),
        };
        best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
        residual = relative_residual(&matrix, &x, &b);
    }
    let [analyse, analyse_cpu, factor, factor_cpu, solve, solve_cpu] = best;
    println!(
        "{{\"solver\": \"{solver}\", \"unknowns\": {}, \"threads\": {}, \"analyse\": {analyse:.4}, \
         \"analyse_cpu\": {analyse_cpu:.4}, \"factor\": {factor:.4}, \"factor_cpu\": {factor_cpu:.4}, \
         \"solve\": {solve:.4}, \"solve_cpu\": {solve_cpu:.4}, \"residual\": {residual:.2e}, \"memory\": {:.0}}}",
        b.len(),
        rayon::current_num_threads(),
        peak_mebibytes() - before,
    );
    Ok(())
}

/// Wall and CPU time since the last split [s].
struct Lap {
    wall: Instant,
    cpu: f64,
}

impl Lap {
    fn new() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    fn split(&mut self) -> [f64; 2] {
        let times = [self.wall.elapsed().as_secs_f64(), cpu_seconds() - self.cpu];
        *self = Self::new();
        times
    }
}

fn to_faer(matrix: &BlockMatrix) -> SparseColMat<usize, f64> {
    let mut triplets = Vec::with_capacity(9 * matrix.values().len());
    for i in 0..matrix.size() {
        for (j, block) in matrix.row(i) {
            for a in 0..3 {
                triplets.extend((0..3).map(|b| Triplet::new(3 * i + a, 3 * j + b, block[(a, b)])));
            }
        }
    }
    let size = 3 * matrix.size();
    SparseColMat::try_new_from_triplets(size, size, &triplets).expect("valid indices")
}

/// Compressed rows, little endian: size, entries (i64), row starts, columns (i64), values (f64).
fn dump(matrix: &BlockMatrix, path: &str) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let size = 3 * matrix.size();
    let number = |n: usize, file: &mut std::io::BufWriter<std::fs::File>| {
        file.write_all(&(n as i64).to_le_bytes())
    };
    number(size, &mut file)?;
    number(9 * matrix.values().len(), &mut file)?;
    let mut start = 0;
    number(start, &mut file)?;
    for i in 0..size {
        start += 3 * matrix.pattern().row(i / 3).len();
        number(start, &mut file)?;
    }
    for i in 0..size {
        for &j in matrix.pattern().row(i / 3) {
            for b in 0..3 {
                number(3 * j as usize + b, &mut file)?;
            }
        }
    }
    for i in 0..size {
        for (_, block) in matrix.row(i / 3) {
            for b in 0..3 {
                file.write_all(&block[(i % 3, b)].to_le_bytes())?;
            }
        }
    }
    file.flush()
}
