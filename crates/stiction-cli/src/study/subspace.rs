//! Subspace minimisation (PGS-SM) against sweeps: small scenes, joints, and a large one. (B6)

use std::ops::ControlFlow;

use stiction::solve::complementarity::linear::{LinearProblem, Solver, residual};
use stiction::solve::complementarity::{Limits, Progress};
use stiction_check::stacks::Stack;

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "subspace",
    title: "When does it pay to solve for the contacts that hold?",
    source: "B6, Fig. 21",
    run,
};

const ITERATIONS: usize = 600;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let scenes: [(&str, &str, LinearProblem); 3] = [
        ("small", "A tower of four boxes, friction ½", Stack::tower(&[1.0; 4]).linear(Some(0.5))),
        (
            "joints",
            "Ten boxes in a row, joined; the last is pulled",
            Stack::train(10, 60.0).linear(Some(0.5)),
        ),
        ("large", "A wall of 8 × 6 bricks, friction ½", Stack::wall(8, 6).linear(Some(0.5))),
    ];
    let mut findings = Findings::default();
    let mut sheet = Sheet::new(&["scene", "solver", "iteration", "merit"]);
    for (k, (scene, title, problem)) in scenes.iter().enumerate() {
        let mut chart = Chart::new(
            title,
            Quantity::linear("iterations: sweeps, or solves for what holds", "1"),
            Quantity::logarithmic("merit, Fischer–Burmeister", "m²/s²"),
        );
        for (s, name) in ["pgs", "pgs-sm"].iter().enumerate() {
            told((k as f64 + 0.5 * s as f64) / scenes.len() as f64);
            let Some(solver) = Solver::named(name) else { continue };
            let mut x = vec![0.0; problem.len()];
            let (mut u, mut w) = (x.clone(), Vec::new());
            let mut line: Vec<[f64; 2]> = Vec::new();
            let mut watch = |progress: &Progress<'_>| {
                problem.velocities(progress.unknowns, &mut u, &mut w);
                let merit = residual::merit(problem, progress.unknowns, &u);
                line.push([progress.iteration as f64, merit]);
                ControlFlow::Continue(())
            };
            let limits = Limits { tolerance: 1e-13, iterations: ITERATIONS };
            let report = solver.solve(problem, &mut x, &limits, &mut watch);
            for [iteration, merit] in &line {
                sheet.row([
                    (*scene).into(),
                    (*name).into(),
                    iteration.to_string(),
                    merit.to_string(),
                ]);
            }
            let last = line.last().map_or(f64::NAN, |point| point[1]);
            findings.say(format!(
                "{scene}, {name}: {} after {} iterations, merit {last:.1e}",
                report.status, report.iterations
            ));
            chart.add(Series::line(*name, line));
        }
        findings.chart(scene, chart);
    }
    findings.sheet("", sheet);
    Ok(findings)
}
