//! Rules for the order of contacts, on a tower and on a wall: residual after each sweep. (B3)

use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{LinearProblem, Order, gauss_seidel};
use stiction_check::stacks::{Stack, largest};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "ordering",
    title: "Do clever orders of contacts help?",
    source: "B3, Fig. 17",
    run,
};

const SWEEPS: usize = 400;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let orders = [
        ("as given", Order::Forward),
        ("backward", Order::Backward),
        ("to and fro", Order::Symmetric),
        ("random", Order::Random { seed: 1 }),
        ("largest residual first", Order::Greedy),
        ("largest impulse first", Order::ByImpulse),
        ("colour by colour", Order::Coloured),
    ];
    let scenes: [(&str, &str, LinearProblem); 2] = [
        ("tower", "A tower of ten boxes", Stack::tower(&[1.0; 10]).linear(None)),
        ("wall", "A wall of six by four bricks, friction ½", Stack::wall(6, 4).linear(Some(0.5))),
    ];
    let mut findings = Findings::default();
    let mut sheet = Sheet::new(&["scene", "order", "sweep", "residual / largest free velocity"]);
    for (s, (scene, title, problem)) in scenes.iter().enumerate() {
        let mut chart = Chart::new(
            title,
            Quantity::linear("sweeps", "1"),
            Quantity::logarithmic("residual / largest free velocity", "1"),
        );
        let scale = largest(problem.b());
        for (k, (name, order)) in orders.iter().enumerate() {
            told((s as f64 + k as f64 / orders.len() as f64) / 2.0);
            let mut x = vec![0.0; problem.len()];
            let settings = gauss_seidel::Settings { relaxation: 1.0, order: order.clone() };
            let limits = Limits { tolerance: 0.0, iterations: SWEEPS };
            let report = gauss_seidel::solve(problem, &mut x, &settings, &limits, &mut ());
            let mut line = Vec::new();
            for (sweep, residual) in report.residuals.iter().enumerate() {
                // To and fro sweeps twice in one iteration.
                let sweeps = if *order == Order::Symmetric { 2 * sweep } else { sweep };
                let relative = residual / scale;
                if sweeps <= SWEEPS {
                    sheet.row([
                        (*scene).into(),
                        (*name).into(),
                        sweeps.to_string(),
                        relative.to_string(),
                    ]);
                    line.push([sweeps as f64, relative]);
                }
            }
            chart.add(Series::line(*name, line));
        }
        findings.chart(scene, chart);
    }
    findings.sheet("", sheet);
    Ok(findings)
}
