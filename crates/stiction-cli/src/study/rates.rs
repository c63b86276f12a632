//! Rates of convergence side by side: sweeps and proximal steps linear, accelerated gradients like `1/k²`, Newton
//! quadratic. (B13)

use std::ops::ControlFlow;

use stiction::solve::complementarity::cone::residual::natural;
use stiction::solve::complementarity::cone::{Map, Model, Order, Solver};
use stiction::solve::complementarity::{Limits, Progress};
use stiction_check::stacks::{Stack, largest};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, End, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "rates",
    title: "How do solvers of exact cones converge?",
    source: "B13, §1.8",
    run,
};

const MOST: usize = 5000;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let solvers = [
        Solver::Jacobi,
        Solver::ProxJacobi,
        Solver::ProxGaussSeidel,
        Solver::GaussSeidel(Order::Given),
        Solver::Nncg,
        Solver::Apgd,
        Solver::Admm,
        Solver::Newton(Map::AlartCurnier),
        Solver::Newton(Map::FischerBurmeister),
        Solver::InteriorPoint,
    ];
    let mut stack = Stack::tower(&[1.0; 8]);
    stack.gravity.x = 2.0;
    // The relaxed law, so that the theory of all of them applies.
    let problem = stack.cone(0.5).with_model(Model::Associated).assembled();
    let scale = largest(problem.b());
    let mut sheet = Sheet::new(&["solver", "iteration", "residual / largest free velocity"]);
    let mut chart = Chart::new(
        "A tower of eight boxes pushed sideways: the convex problem",
        Quantity::logarithmic("iterations", "1"),
        Quantity::logarithmic("residual / largest free velocity", "1").from(1e-12, 1.0),
    );
    for (k, solver) in solvers.iter().enumerate() {
        told(k as f64 / solvers.len() as f64);
        let mut r = vec![0.0; 3 * problem.contacts()];
        let (mut u, mut memory) = (r.clone(), problem.memory());
        let mut line: Vec<[f64; 2]> = Vec::new();
        let mut watch = |progress: &Progress<'_>| {
            problem.velocities(progress.unknowns, &mut u, &mut memory);
            let residual = natural(&problem, progress.unknowns, &u) / scale;
            line.push([progress.iteration as f64, residual]);
            ControlFlow::Continue(())
        };
        let limits = Limits { tolerance: 1e-11 * scale, iterations: MOST };
        let report = solver.solve(&problem, &mut r, &limits, &mut watch);
        for [iteration, residual] in &line {
            sheet.row([solver.name().into(), iteration.to_string(), residual.to_string()]);
        }
        let end = if report.converged() { End::Arrived } else { End::Failed };
        chart.add(Series::line(solver.name(), line).ending(end));
    }
    for (label, power) in [("like 1/k", -1), ("like 1/k²", -2)] {
        let line = [1.0, 3e3].map(|k: f64| [k, 0.3 * k.powi(power)]).to_vec();
        chart.add(Series::line(label, line).shaped(Shape::Reference));
    }
    let mut findings = Findings::default();
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}
