//! Time to assemble the Hessian and gradient of a box of stable neo-Hookean tets, by threads.
//!
//! `assembly [CELLS]`; 26 cells make 105,456 tets.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::sync::Arc;
use std::time::Instant;

use stiction::element::Projection;
use stiction::solve::BlockMatrix;
use stiction_bench::Block;

fn main() {
    let cells =
        std::env::args().nth(1).map_or(26, |cells| cells.parse().expect("a number of cells"));
    println!("{} tets; best of 20 [ms]", 6 * cells * cells * cells);
    println!("threads  exact Hessian  projected Hessian  gradient  energy");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let block = Block::new(cells);
            let mut matrix = BlockMatrix::zeros(Arc::clone(block.assembly.pattern()));
            let mut gradient = vec![0.0; block.x.len()];
            let exact = best(|| block.assembly.hessian(&block.x, Projection::Exact, &mut matrix));
            let projected =
                best(|| block.assembly.hessian(&block.x, Projection::Positive, &mut matrix));
            let forces = best(|| block.assembly.gradient(&block.x, &mut gradient));
            let energy = best(|| assert!(block.assembly.energy(&block.x).is_finite()));
            println!("{threads:7}  {exact:13.2}  {projected:17.2}  {forces:8.2}  {energy:6.2}");
        });
    }
}

/// The shortest of twenty runs [ms].
fn best(mut work: impl FnMut()) -> f64 {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..20).map(run).fold(f64::INFINITY, f64::min)
}
