//! Functions that vanish at contact, scaled: one contact with velocity `λ/4 − 1/8`, whose impulse is ½. (B8, V16)

use nalgebra::DMatrix;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{Bounds, LinearProblem, Matrix, newton, residual};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Mark, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "scaling",
    title: "Why do scales matter to Newton's method?",
    source: "B8, Fig. 23; V16",
    run,
};

const FUNCTIONS: [(&str, newton::Function); 2] = [
    ("minimum map", newton::Function::MinimumMap),
    ("Fischer–Burmeister", newton::Function::FischerBurmeister),
];
/// Of the velocity.
const SLOPE: f64 = 0.25;
const SCALES: [f64; 5] = [0.1, SLOPE, 0.5, 1.0, 4.0];
const STARTS: [f64; 4] = [-2.0, 0.1, 2.0, 10.0];

fn problem(scale: f64) -> anyhow::Result<LinearProblem> {
    let matrix = Matrix::dense(&DMatrix::from_element(1, 1, SLOPE));
    let matrix = matrix.ok_or_else(|| anyhow::anyhow!("one row is square"))?;
    let problem = LinearProblem::new(matrix, vec![-0.125], vec![Bounds::AT_LEAST_ZERO])?;
    Ok(problem.with_scale(vec![scale])?)
}

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut sheet = Sheet::new(&["function", "scale", "start", "Newton steps"]);
    for (name, function) in FUNCTIONS {
        let mut chart = Chart::new(
            &format!("One contact, {name}: ψ(λ/4 − 1/8, s λ)"),
            Quantity::linear("impulse λ", "N s"),
            Quantity::linear("ψ", "m/s"),
        );
        chart.marks.push(Mark { at: 0.5, label: "solution".to_owned() });
        for scale in SCALES {
            let problem = problem(scale)?;
            let value = |x: f64| {
                let u = SLOPE * x - 0.125;
                match function {
                    newton::Function::MinimumMap => residual::natural_row(&problem, 0, &[x], u),
                    _ => residual::fischer_burmeister_row(&problem, 0, &[x], u),
                }
            };
            let line = (0..=200).map(|k| -0.5 + 0.01 * f64::from(k)).map(|x| [x, value(x)]);
            // The steepest would flatten the others.
            if scale <= 1.0 {
                let shape = if (scale - SLOPE).abs() < 1e-12 { Shape::Broad } else { Shape::Line };
                let label = format!("s = {scale}");
                chart.add(Series::line(label, line.collect()).shaped(shape));
            }
            for start in STARTS {
                let settings = newton::Settings { function, sweeps: 0, rescues: 0 };
                let limits = Limits { tolerance: 1e-9, iterations: 50 };
                let mut x = [start];
                let report = newton::solve(&problem, &mut x, &settings, &limits, &mut ());
                sheet.row([
                    name.into(),
                    scale.to_string(),
                    start.to_string(),
                    report.iterations.to_string(),
                ]);
            }
        }
        let part = if function == newton::Function::MinimumMap { "minimum" } else { "root" };
        findings.chart(part, chart);
    }
    findings.say(
        "with s = ¼, the slope of the velocity, the minimum map is a line: one step from anywhere"
            .into(),
    );
    findings.sheet("", sheet);
    Ok(findings)
}
