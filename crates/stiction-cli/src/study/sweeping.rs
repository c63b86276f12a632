//! Blocked Gauss–Seidel with exact cones converges linearly: by which factor a sweep, on which scene? (B5)

use std::ops::ControlFlow;

use stiction::solve::complementarity::cone::residual::natural;
use stiction::solve::complementarity::cone::{Order, Solver};
use stiction::solve::complementarity::{Limits, Progress};
use stiction_check::stacks::{Stack, largest};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "sweeping",
    title: "How fast do sweeps converge?",
    source: "B5, Figs. 19–20",
    run,
};

const SWEEPS: usize = 1000;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let scenes = [
        ("tower of 2", Stack::tower(&[1.0; 2])),
        ("tower of 5", Stack::tower(&[1.0; 5])),
        ("tower of 10", Stack::tower(&[1.0; 10])),
        ("wall of 3 × 3", Stack::wall(3, 3)),
        ("wall of 6 × 4", Stack::wall(6, 4)),
        ("10 kg on 1 kg", Stack::tower(&[1.0, 10.0])),
    ];
    let mut chart = Chart::new(
        "Blocked Gauss–Seidel with exact cones, friction ½",
        Quantity::linear("sweeps", "1"),
        Quantity::logarithmic("residual / largest free velocity", "1"),
    );
    let mut sheet = Sheet::new(&["scene", "contacts", "sweeps", "factor a sweep"]);
    let mut curves = Sheet::new(&["scene", "sweep", "residual / largest free velocity"]);
    let mut findings = Findings::default();
    for (k, (name, stack)) in scenes.iter().enumerate() {
        told(k as f64 / scenes.len() as f64);
        let problem = stack.cone(0.5);
        let scale = largest(problem.b());
        let mut r = vec![0.0; 3 * problem.contacts()];
        let (mut u, mut memory) = (r.clone(), problem.memory());
        let mut line: Vec<[f64; 2]> = Vec::new();
        let mut watch = |progress: &Progress<'_>| {
            problem.velocities(progress.unknowns, &mut u, &mut memory);
            let residual = natural(&problem, progress.unknowns, &u) / scale;
            line.push([progress.iteration as f64, residual]);
            ControlFlow::Continue(())
        };
        let limits = Limits { tolerance: 1e-10 * scale, iterations: SWEEPS };
        let solver = Solver::GaussSeidel(Order::Given);
        let report = solver.solve(&problem, &mut r, &limits, &mut watch);
        let factor = factor(&line);
        sheet.row([
            (*name).into(),
            problem.contacts().to_string(),
            report.iterations.to_string(),
            factor.to_string(),
        ]);
        for [sweep, residual] in &line {
            curves.row([(*name).into(), sweep.to_string(), residual.to_string()]);
        }
        findings.say(format!("{name}: {} contacts, times {factor:.4} a sweep", problem.contacts()));
        chart.add(Series::line(*name, line));
    }
    findings.sheet("", sheet);
    findings.sheet("curves", curves);
    findings.chart("", chart);
    Ok(findings)
}

/// What residuals are multiplied with by a sweep: least squares through the second half of their logarithms.
fn factor(line: &[[f64; 2]]) -> f64 {
    let half: Vec<[f64; 2]> = line[line.len() / 2..]
        .iter()
        .filter(|point| point[1] > 0.0)
        .map(|[sweep, residual]| [*sweep, residual.ln()])
        .collect();
    let n = half.len() as f64;
    let [x, y] = [0, 1].map(|k: usize| half.iter().map(|point| point[k]).sum::<f64>() / n);
    let across: f64 = half.iter().map(|point| (point[0] - x) * (point[1] - y)).sum();
    let along: f64 = half.iter().map(|point| (point[0] - x).powi(2)).sum();
    (across / along).exp()
}
