//! Proximal steps on a disc of friction against a constant velocity: faster with larger `r`. (B9, V14)

use stiction::math::{Matrix3, Vector3};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, End, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "disc",
    title: "What does the factor r of proximal steps do?",
    source: "B9, Figs. 29 and 31; V14",
    run,
};

const FACTORS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0];

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut chart = Chart::new(
        "Proximal steps on a unit disc, slipping along y",
        Quantity::linear("steps", "1").from(0.0, 160.0),
        Quantity::logarithmic("distance to the solution (0, −1)", "N s"),
    );
    let mut sheet = Sheet::new(&["r", "steps to 1e-6", "rate measured", "rate 1/(1 + r)"]);
    let limit = Vector3::new(1.0, 0.0, -1.0);
    for factor in FACTORS {
        // Nothing that friction does changes the velocity: the tangential block is zero.
        let a = Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 0.0));
        let path = super::disc_coupled::path(a, [0.0, 1.0], [1.0, 0.0], factor, 1000)?;
        let line: Vec<[f64; 2]> =
            path.iter().enumerate().map(|(k, r)| [k as f64, (r - limit).norm()]).collect();
        let steps = line.iter().position(|point| point[1] < 1e-6).unwrap_or(usize::MAX);
        let shown: Vec<[f64; 2]> = line[..=steps.min(line.len() - 1)].to_vec();
        let rate = line[steps][1] / line[steps - 1][1];
        sheet.row([
            factor.to_string(),
            steps.to_string(),
            rate.to_string(),
            (1.0 / (1.0 + factor)).to_string(),
        ]);
        chart.add(Series::line(format!("r = {factor}"), shown).ending(End::Arrived));
    }
    let mut findings = Findings::default();
    findings.say("each step multiplies the error by 1/(1 + r)".into());
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}
