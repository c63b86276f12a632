//! Every solver of linear complementarity on the problems of `docs/solvers.md`: iterations and time until the
//! residual is 1e-8 of the largest velocity.
//!
//! `linear_complementarity [SECONDS]`: how long each may take, 3 by default. Best of many runs for what is short.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::ops::ControlFlow;
use std::time::Instant;

use nalgebra::{DMatrix, Vector3};
use scenes::{Chance, Tower, dense, largest, limits, random_definite};
use stiction::solve::complementarity::Progress;
use stiction::solve::complementarity::linear::{
    Bounds, BoxFriction, ContactRows, LinearProblem, Solver,
};

#[path = "../../../crates/stiction/tests/complementarity/linear/scenes.rs"]
#[expect(dead_code, reason = "shared with tests, which use all of it")]
mod scenes;

fn main() {
    let seconds = std::env::args().nth(1).map_or(3.0, |s| s.parse().expect("a number of seconds"));
    let upright = |n: usize| (format!("tower {n}, no friction"), Tower::new(&vec![1.0; n]).build());
    let tilted = |masses: Vec<f64>| {
        let mut tower = Tower::new(&masses).with_friction(0.5);
        tower.gravity = Vector3::new(2.0, 1.0, -9.0);
        tower.build()
    };
    let leaning = |n: usize| (format!("tower {n}, tilted"), tilted(vec![1.0; n]));
    let heavy = |ratio: f64| (format!("1 : {ratio:e}, tilted"), tilted(vec![1.0, 1.0, 1.0, ratio]));
    let random = |n: usize| {
        let (a, b) = random_definite(n, 0.1, 3);
        (format!("random {n}"), dense(&a, &b, vec![Bounds::AT_LEAST_ZERO; n]))
    };
    let loose = |n: usize| (format!("{n} contacts"), coupled(n, n / 2 + 1));
    table(&[upright(2), upright(10), upright(50)], seconds);
    table(&[leaning(2), leaning(10), leaning(20), leaning(50)], seconds);
    table(&[heavy(1e3), heavy(1e6)], seconds);
    table(&[random(40), random(300)], seconds);
    table(&[loose(20), loose(100), loose(300), loose(1000)], seconds);
}

/// Contacts with random rows between random bodies.
fn coupled(contacts: usize, bodies: usize) -> LinearProblem {
    let mut chance = Chance(3);
    let mut rows = ContactRows::new((0..6 * bodies).map(|_| chance.normal()).collect());
    for _ in 0..contacts {
        let [a, b] = [(); 2].map(|()| (chance.next().abs() * bodies as f64) as usize % bodies);
        let entries: [Vec<(usize, f64)>; 3] = std::array::from_fn(|_| {
            (0..12)
                .map(|k| (if k < 6 { 6 * a + k } else { 6 * b + k - 6 }, chance.normal()))
                .collect()
        });
        rows.contact([&entries[0], &entries[1], &entries[2]], 0.0, BoxFriction::isotropic(0.5))
            .expect("bodies exist");
    }
    rows.build(&vec![DMatrix::identity(6, 6); bodies]).expect("sizes fit")
}

fn table(problems: &[(String, LinearProblem)], seconds: f64) {
    let titles: Vec<_> =
        problems.iter().map(|(name, p)| format!("{name} ({} rows)", p.len())).collect();
    println!("| | {} |\n|---|{}", titles.join(" | "), "---:|".repeat(titles.len()));
    for (name, solver) in Solver::all() {
        let cells: Vec<_> =
            problems.iter().map(|(_, problem)| cell(&solver, problem, seconds)).collect();
        println!("| `{name}` | {} |", cells.join(" | "));
    }
    println!();
}

fn cell(solver: &Solver, problem: &LinearProblem, seconds: f64) -> String {
    let tolerance = 1e-8 * largest(problem.b());
    let mut best = f64::INFINITY;
    let mut words = String::new();
    let begin = Instant::now();
    for _ in 0..50 {
        let start = Instant::now();
        let mut watch = |_: &Progress<'_>| {
            if start.elapsed().as_secs_f64() > seconds {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut x = vec![0.0; problem.len()];
        let report = solver.solve(problem, &mut x, &limits(tolerance, 10_000_000), &mut watch);
        let time = start.elapsed().as_secs_f64() * 1e3;
        if !report.converged() {
            let reached = report.residual() / largest(problem.b());
            return format!("{} at {reached:.0e}", report.status.name());
        }
        if time < best {
            best = time;
            words = format!(
                "{} · {}",
                report.iterations,
                if time < 1.0 { format!("{time:.3}") } else { format!("{time:.1}") }
            );
        }
        if begin.elapsed().as_secs_f64() > 0.2 {
            break;
        }
    }
    words
}
