//! Solvers of exact Coulomb friction: time until the residual is 1e-8 m/s.
//!
//! `coulomb file PROBLEM.json [SOLVER ...]`: on a saved problem (`stiction solve SCENE --save`), from zero; prints
//! solver, milliseconds, residual, iterations and status, the least time of many runs. `benches/peers/solvers.py`
//! runs it beside Siconos. `coulomb many`: a loose packing of 100,000 contacts, matrix-free: seconds and memory.
//! `coulomb table [SECONDS]`: the table of `cone/default.rs`. `coulomb packing BALLS STEPS [TOLERANCE [SOLVER ...]]`:
//! balls settle, stepped by the default; the last problem by each solver, from zero and warm.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use problems::{random, tower};
use stiction::solve::Report;
use stiction::solve::complementarity::cone::{ContactProblem, Delassus, Map, Order, Solver};
use stiction::solve::complementarity::{Limits, Progress};
use stiction_bench::packing::Packing;
use stiction_scene::problem_file::{self, Problem};

#[path = "../../../crates/stiction/tests/complementarity/cone/problems.rs"]
#[expect(dead_code, reason = "shared with tests, which use all of it")]
mod problems;

const LIMITS: Limits = Limits { tolerance: 1e-8, iterations: 100_000 };

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["file", path, ref solvers @ ..] => file(path, solvers),
        ["table"] => table(1.0),
        ["table", seconds] => table(seconds.parse().expect("a number of seconds")),
        ["many"] => many(100_000),
        ["packing", balls, steps, ref rest @ ..] => {
            let (tolerance, solvers) = rest.split_first().unwrap_or((&"1e-6", &[]));
            let number = |text: &str| text.parse::<f64>().expect("a number");
            packing(number(balls) as usize, number(steps) as usize, number(tolerance), solvers);
        }
        _ => println!(
            "coulomb many | coulomb file PROBLEM.json [SOLVER ...] | coulomb table [SECONDS]"
        ),
    }
}

fn file(path: &str, solvers: &[&str]) {
    let stored = problem_file::load(Path::new(path)).unwrap_or_else(|error| panic!("{error}"));
    let Problem::Contact(problem) = stored.problem else { panic!("{path} has no blocks of A") };
    for solver in Solver::ALL {
        if solvers.is_empty() || solvers.contains(&solver.name()) {
            let (milliseconds, report) = best(&problem, solver, 1.0);
            let (name, residual) = (solver.name(), report.residual());
            let (iterations, status) = (report.iterations, report.status);
            println!("{name} {milliseconds:.4} {residual:e} {iterations} {status}");
        }
    }
}

fn many(contacts: usize) {
    let problem = random(contacts, 0.3, 1);
    let before = stiction_bench::peak_mebibytes();
    let mut r = vec![0.0; 3 * contacts];
    let start = Instant::now();
    let report = Solver::Default.solve(&problem, &mut r, &LIMITS, &mut ());
    let (seconds, grown) =
        (start.elapsed().as_secs_f64(), stiction_bench::peak_mebibytes() - before);
    let (iterations, residual, status) = (report.iterations, report.residual(), report.status);
    println!(
        "{contacts} contacts: {seconds:.1} s, {grown:.0} MiB more, {iterations} iterations, {residual:e}, {status}"
    );
}

fn packing(balls: usize, steps: usize, tolerance: f64, solvers: &[&str]) {
    let mut packing = Packing::new(balls);
    let limits = Limits { tolerance, iterations: 20_000 };
    let stepping = Limits { tolerance: 1e-5, iterations: 2_000 };
    for k in 0..steps {
        let step = packing.next();
        let mut r = step.warm.clone();
        let start = Instant::now();
        let report = Solver::Default.solve(&step.problem, &mut r, &stepping, &mut ());
        let milliseconds = 1e3 * start.elapsed().as_secs_f64();
        if k % 10 == 9 || k + 1 == steps {
            let (contacts, energy) = (step.problem.contacts(), packing.energy());
            let (iterations, residual) = (report.iterations, report.residual());
            println!(
                "step {k}: {contacts} contacts, {energy:.1e} J a ball, {milliseconds:.1} ms, {iterations} \
                 iterations, {residual:.1e}"
            );
        }
        packing.take(&step, &r);
    }
    let step = packing.next();
    println!("{} contacts, to {tolerance:e}", step.problem.contacts());
    for solver in Solver::ALL {
        if !solvers.is_empty() && !solvers.contains(&solver.name()) {
            continue;
        }
        for (name, from) in [("zero", vec![0.0; step.warm.len()]), ("warm", step.warm.clone())] {
            let mut r = from;
            let start = Instant::now();
            let mut watch = |_: &Progress<'_>| match start.elapsed().as_secs_f64() > 30.0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let report = solver.solve(&step.problem, &mut r, &limits, &mut watch);
            let milliseconds = 1e3 * start.elapsed().as_secs_f64();
            let (iterations, residual, status) =
                (report.iterations, report.residual(), report.status);
            println!(
                "{} from {name}: {milliseconds:.1} ms, {iterations} iterations, {residual:.1e}, {status}",
                solver.name()
            );
        }
    }
}

fn table(seconds: f64) {
    let solvers = [
        Solver::Default,
        Solver::GaussSeidel(Order::Given),
        Solver::Nncg,
        Solver::Apgd,
        Solver::Admm,
        Solver::Newton(Map::AlartCurnier),
        Solver::Newton(Map::Natural),
        Solver::InteriorPoint,
    ];
    let mut rows: Vec<_> =
        [20, 100, 300, 1000].map(|n| (format!("random, {n} contacts"), random(n, 0.6, 1))).into();
    for n in [20, 100] {
        rows.push((format!("tower of {n} boxes"), tower(&vec![1.0; n], 0.5)));
    }
    for heavy in [1e3, 1e6] {
        rows.push((format!("{heavy:e} kg on 1 kg"), tower(&[1.0, heavy], 0.5)));
    }
    let names: Vec<_> = solvers.iter().map(|s| s.name()).collect();
    println!("| | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for (name, problem) in rows {
        let cell = |&solver: &Solver| {
            let (milliseconds, report) = best(&problem, solver, seconds);
            match report.converged() {
                true => format!("{milliseconds:.2} ({})", report.iterations),
                false => "–".into(),
            }
        };
        println!("| {name} | {} |", solvers.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
}

/// The least time of the runs that fit into `seconds`, each stopped there.
fn best<A: Delassus>(problem: &ContactProblem<A>, solver: Solver, seconds: f64) -> (f64, Report) {
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    loop {
        let mut r = vec![0.0; 3 * problem.contacts()];
        let start = Instant::now();
        let mut watch = |_: &Progress<'_>| match start.elapsed().as_secs_f64() > 10.0 * seconds {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let report = solver.solve(problem, &mut r, &LIMITS, &mut watch);
        least = least.min(1e3 * start.elapsed().as_secs_f64());
        if begin.elapsed().as_secs_f64() > seconds {
            return (least, report);
        }
    }
}
