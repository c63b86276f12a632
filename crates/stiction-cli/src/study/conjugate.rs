//! Conjugate directions (NNCG) against plain sweeps: how many, and what one costs. (B7, B14; V10, V11)

use std::time::Instant;

use stiction::solve::Report;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{LinearProblem, conjugate, gauss_seidel};
use stiction_check::stacks::{Stack, largest, unscaled};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, End, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "conjugate",
    title: "What do conjugate directions gain, and cost?",
    source: "B7, Fig. 22; B14; V10, V11",
    run,
};

fn sweep(problem: &LinearProblem, limits: &Limits) -> Report {
    let mut x = vec![0.0; problem.len()];
    gauss_seidel::solve(problem, &mut x, &gauss_seidel::Settings::default(), limits, &mut ())
}

fn follow(problem: &LinearProblem, limits: &Limits) -> Report {
    let mut x = vec![0.0; problem.len()];
    conjugate::solve(problem, &mut x, &gauss_seidel::Settings::default(), limits, &mut ())
}

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut sheet = Sheet::new(&["scene", "Gauss–Seidel", "NNCG"]);
    let masses = [[1.0, 1.0], [1.0, 10.0], [1.0, 100.0], [1.0, 1000.0], [1000.0, 1.0]];
    let heights = [2, 5, 10, 20];
    let pairs = masses.map(|[below, above]| {
        let name = format!("two boxes {above} on {below}");
        (name, Stack::tower(&[below, above]), 1e-8)
    });
    let towers = heights.map(|n| (format!("tower of {n}"), Stack::tower(&vec![1.0; n]), 1e-6));
    let mut chart = Chart::new(
        "Conjugate directions (NNCG) against sweeps (PGS)",
        Quantity::logarithmic("sweeps", "1"),
        Quantity::logarithmic("residual / largest free velocity", "1"),
    );
    for (k, (name, stack, tolerance)) in pairs.into_iter().chain(towers).enumerate() {
        told(k as f64 / 10.0);
        let problem = unscaled(stack.linear(None));
        let scale = largest(problem.b());
        let limits = Limits { tolerance: tolerance * scale, iterations: 100_000 };
        let (plain, conjugate) = (sweep(&problem, &limits), follow(&problem, &limits));
        // The sweep before the first direction was not counted by those who counted.
        sheet.row([
            name.clone(),
            plain.iterations.to_string(),
            (conjugate.iterations - 1).to_string(),
        ]);
        if ["two boxes 100 on 1", "tower of 20", "tower of 5"].contains(&name.as_str()) {
            for (method, report) in [("PGS", plain), ("NNCG", conjugate)] {
                let line = report.residuals.iter().enumerate();
                let line = line.map(|(k, residual)| [k as f64, residual / scale]).collect();
                chart.add(Series::line(format!("{name}, {method}"), line).ending(End::Arrived));
            }
        }
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    let ratio = cost_ratio();
    findings.say(format!(
        "an iteration of NNCG takes {ratio:.2} times as long as a sweep, with the residual of both"
    ));
    let mut cost = Sheet::new(&["time of an NNCG iteration / time of a sweep"]);
    cost.row([ratio.to_string()]);
    findings.sheet("cost", cost);
    Ok(findings)
}

/// Times of a hundred iterations of each by turns, the shortest of several: the machine may do other things too.
fn cost_ratio() -> f64 {
    let problem = Stack::wall(12, 6).linear(Some(0.5));
    let limits = Limits { tolerance: 0.0, iterations: 100 };
    let time = |run: fn(&LinearProblem, &Limits) -> Report| {
        let started = Instant::now();
        let report = run(&problem, &limits);
        started.elapsed().as_secs_f64() / report.iterations.max(1) as f64
    };
    let (mut plain, mut conjugate) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..8 {
        plain = plain.min(time(sweep));
        conjugate = conjugate.min(time(follow));
    }
    conjugate / plain
}
