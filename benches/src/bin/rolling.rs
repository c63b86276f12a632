//! Heaps of balls with resistance to spin and rolling: six unknowns a contact.
//!
//! `rolling BALLS STEPS [TOLERANCE [SOLVER ...]]`: balls settle, stepped by the default; every tenth problem by each
//! solver, from zero and from the impulses of the step before, each within ten seconds of processor time.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::ops::ControlFlow;

use stiction::solve::complementarity::limit::Solver;
use stiction::solve::complementarity::{Limits, Progress};
use stiction_bench::cpu_seconds;
use stiction_bench::packing::{Packing, TurningStep};

/// Of the radius: rough gravel.
const TORSION: f64 = 0.1;
const ROLLING: f64 = 0.1;
/// A solver that takes longer is stopped [s].
const PATIENCE: f64 = 10.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [balls, steps, rest @ ..] = &arguments[..] else {
        println!("rolling BALLS STEPS [TOLERANCE [SOLVER ...]]");
        return;
    };
    let (tolerance, solvers) = rest.split_first().unwrap_or((&"1e-8", &[]));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let limits = Limits { tolerance: number(tolerance), iterations: 200_000 };
    let steps = number(steps) as usize;
    let mut packing = Packing::new(number(balls) as usize);
    for k in 1..=steps {
        let step = packing.next_turning(TORSION, ROLLING);
        if k.is_multiple_of(steps.div_ceil(3)) || k == steps {
            println!(
                "step {k}: {} contacts, {:.1e} J a ball",
                step.problem.contacts(),
                packing.energy()
            );
            compare(&step, &limits, solvers);
        }
        let mut r = step.warm.clone();
        let stepping = Limits { tolerance: 1e-6, iterations: 5_000 };
        let report = Solver::Default.solve(&step.problem, &mut r, &stepping, &mut ());
        if !report.converged() {
            println!("step {k} stopped at {:.1e}: {}", report.residual(), report.status);
        }
        packing.take_turning(&step, &r);
    }
}

fn compare(step: &TurningStep, limits: &Limits, solvers: &[&str]) {
    for solver in Solver::ALL {
        if !solvers.is_empty() && !solvers.contains(&solver.name()) {
            continue;
        }
        for (name, from) in [("zero", vec![0.0; step.warm.len()]), ("warm", step.warm.clone())] {
            let mut least = f64::INFINITY;
            let begin = cpu_seconds();
            let report = loop {
                let mut r = from.clone();
                let start = cpu_seconds();
                let mut watch = |_: &Progress<'_>| match cpu_seconds() - start > PATIENCE {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                };
                let report = solver.solve(&step.problem, &mut r, limits, &mut watch);
                least = least.min(cpu_seconds() - start);
                if cpu_seconds() - begin > 0.3 {
                    break report;
                }
            };
            println!(
                "  {} from {name}: {:.1} ms, {} iterations, {:.1e}, {}",
                solver.name(),
                1e3 * least,
                report.iterations,
                report.residual(),
                report.status
            );
        }
    }
}
