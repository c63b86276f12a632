//! Proximal steps on a disc where friction changes the velocity: too large an `r` goes in circles. (B10, V15)

use std::ops::ControlFlow;

use stiction::math::{Matrix3, Vector3};
use stiction::solve::complementarity::cone::prox::{Factor, Settings, Splitting, solve};
use stiction::solve::complementarity::cone::{Assembled, ContactProblem, Law};
use stiction::solve::complementarity::{Limits, Progress};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, End, Mark, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "disc-coupled",
    title: "How large may the factor r be?",
    source: "B10, Fig. 30; V15",
    run,
};

/// Those that V15 lists, and around them.
const TABLE: [f64; 12] =
    [0.05, 0.1, 0.25, 1.0 / 3.0, 0.5, 0.6, 2.0 / 3.0, 0.75, 0.77, 0.8, 0.9, 1.0];
const STEPS: usize = 2000;

/// Impulses of one contact, step by step; the normal impulse is one, and stays.
pub(super) fn path(
    a: Matrix3,
    b: [f64; 2],
    start: [f64; 2],
    factor: f64,
    steps: usize,
) -> anyhow::Result<Vec<Vector3>> {
    let operator = Assembled::from_rows(1, [[(0, a)]]);
    let law = Law::Coulomb { mu: 1.0 };
    let problem = ContactProblem::new(operator, vec![-1.0, b[0], b[1]], vec![law])?;
    let settings =
        Settings { splitting: Splitting::Jacobi, factor: Factor::Fixed(factor), reduction: None };
    let mut path = Vec::new();
    let mut watch = |progress: &Progress<'_>| {
        path.push(Vector3::from_row_slice(progress.unknowns));
        ControlFlow::Continue(())
    };
    let mut r = [1.0, start[0], start[1]];
    let limits = Limits { tolerance: 0.0, iterations: steps };
    let _ = solve(&problem, &mut r, &limits, &settings, &mut watch);
    Ok(path)
}

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let a = Matrix3::new(1.0, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 1.0, 2.0);
    let half = 0.5_f64.sqrt();
    let limit = Vector3::new(1.0, half, -half);
    let errors = |factor: f64, steps: usize| -> anyhow::Result<Vec<f64>> {
        let path = path(a, [-1.0, 1.0], [0.0, 1.0], factor, steps)?;
        Ok(path.iter().map(|r| (r - limit).norm()).collect())
    };
    let arrival = |errors: &[f64]| errors.iter().position(|error| *error < 1e-6);
    let mut sheet = Sheet::new(&["r", "steps to 1e-6", "error at the end"]);
    let mut curves = Chart::new(
        "Proximal steps on a unit disc, A = [[2, 1], [1, 2]], b = (−1, 1)",
        Quantity::linear("steps", "1").from(0.0, 60.0),
        Quantity::logarithmic("distance to the solution", "N s"),
    );
    for factor in TABLE {
        let errors = errors(factor, STEPS)?;
        let arrived = arrival(&errors);
        let last = errors.last().copied().unwrap_or(f64::NAN);
        let steps = arrived.map_or_else(|| "never".to_owned(), |steps| steps.to_string());
        sheet.row([factor.to_string(), steps, last.to_string()]);
        let shown = arrived.map_or(60, |steps| steps.min(60));
        let line = errors.iter().take(shown + 1).enumerate().map(|(k, e)| [k as f64, *e]).collect();
        let end = if arrived.is_some_and(|steps| steps <= 60) { End::Arrived } else { End::Plain };
        if [0.05, 0.1, 0.25, 0.5, 0.75, 0.8, 1.0].contains(&factor) {
            curves.add(Series::line(format!("r = {factor}"), line).ending(end));
        }
    }
    let bound = 2.0 / (4.0 - 2_f64.sqrt());
    let mut sweep = Chart::new(
        "Steps until the error is below 10⁻⁶",
        Quantity::linear("factor r", "1").from(0.0, 1.0),
        Quantity::logarithmic("steps", "1"),
    );
    sweep.marks.push(Mark { at: bound, label: "2/(4 − √2) = 0.7735".to_owned() });
    let mut points = Vec::new();
    for k in 4..=100 {
        told(f64::from(k) / 100.0);
        let factor = 0.01 * f64::from(k);
        let steps = arrival(&errors(factor, STEPS)?).map_or(f64::NAN, |steps| steps as f64);
        points.push([factor, steps]);
    }
    sweep.add(Series::line("", points).shaped(Shape::DottedLine));
    let mut findings = Findings::default();
    findings
        .say(format!("converges for r below {bound:.4}, fastest near 1/3, goes in circles above"));
    findings.sheet("", sheet);
    findings.chart("errors", curves);
    findings.chart("", sweep);
    Ok(findings)
}
