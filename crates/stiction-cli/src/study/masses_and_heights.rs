//! Iterations of many linear solvers against mass ratio and height.

use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::Solver;
use stiction_check::stacks::{Stack, largest};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "masses-and-heights",
    title: "Which solvers suffer from heavy on light, and from height?",
    source: "§3.4; V10, V11",
    run,
};

const SOLVERS: [&str; 10] = [
    "jacobi",
    "pgs",
    "psor",
    "nncg",
    "pgs-sm",
    "lemke",
    "incremental",
    "block-pivoting",
    "newton-fischer-burmeister",
    "interior-point",
];
const MOST: usize = 30_000;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let ratios = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
    let heavy = ratios.map(|ratio| (ratio, Stack::tower(&[1.0, ratio])));
    let tall = [1, 2, 4, 8, 16, 24].map(|n| (f64::from(n), Stack::tower(&vec![1.0; n as usize])));
    let families = [
        (
            "masses",
            "Two boxes, friction ½: a heavy one on a light one",
            "mass above / mass below",
            heavy.to_vec(),
        ),
        ("heights", "Towers of equal boxes, friction ½", "boxes", tall.to_vec()),
    ];
    for (f, (part, title, across, scenes)) in families.into_iter().enumerate() {
        let mut sheet = Sheet::new(&["solver", "mass ratio or height", "iterations", "status"]);
        let mut chart = Chart::new(
            title,
            Quantity::logarithmic(across, "1"),
            Quantity::logarithmic("iterations until 10⁻⁸ of the largest velocity", "1"),
        );
        for (k, name) in SOLVERS.iter().enumerate() {
            let Some(solver) = Solver::named(name) else { continue };
            let mut line = Vec::new();
            for (x, stack) in &scenes {
                told(0.5 * (f as f64 + k as f64 / SOLVERS.len() as f64));
                // A push sideways, so that friction has something to do.
                let mut stack = stack.clone();
                stack.gravity.x = 1.0;
                let problem = stack.linear(Some(0.5));
                let limits = Limits { tolerance: 1e-8 * largest(problem.b()), iterations: MOST };
                let mut unknowns = vec![0.0; problem.len()];
                let report = solver.solve(&problem, &mut unknowns, &limits, &mut ());
                sheet.row([
                    (*name).into(),
                    x.to_string(),
                    report.iterations.to_string(),
                    report.status.name().into(),
                ]);
                let solved = if report.converged() { report.iterations as f64 } else { f64::NAN };
                line.push([*x, solved]);
            }
            chart.add(Series::line(*name, line).shaped(Shape::DottedLine));
        }
        findings.sheet(part, sheet);
        findings.chart(part, chart);
    }
    findings.say(format!(
        "points are missing where a solver did not get there within {MOST} iterations"
    ));
    Ok(findings)
}
