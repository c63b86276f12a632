//! Block pivoting whose factor follows its guesses, against one that factorises each guess from nothing. (B12, F051)
//!
//! Random definite problems `u = Ax + b`, `0 ≤ x ⊥ u ≥ 0`, then the same with `b` moved a little, started from the
//! solution before: the further it moves, the more unknowns change sides, and the more guesses there are to
//! factorise. Both variants make the same guesses.

use std::time::Instant;

use nalgebra::DMatrix;
use stiction::solve::complementarity::Limits;
use stiction::solve::complementarity::linear::{Bounds, LinearProblem, Matrix, block_principal};
use stiction_check::matrices::random_vector;

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series, Shape};

pub(super) const STUDY: Study = Study {
    name: "downdating",
    title: "What does a factor save that follows its guesses?",
    source: "B12, §3.1.4; F051",
    run,
};

const SIZES: [usize; 3] = [100, 200, 400];
/// By how much `b` moves, in its own size.
const MOVES: [f64; 6] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0];
/// Of each time the least is told.
const REPETITIONS: usize = 5;

fn run(told: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut chart = Chart::new(
        "Time from nothing / time by changing the factor",
        Quantity::linear("unknowns that change sides", "%"),
        Quantity::linear("times as fast", "1").from(0.0, 4.0),
    );
    let mut sheet = Sheet::new(&[
        "unknowns",
        "moved",
        "change sides [%]",
        "guesses",
        "difference of answers",
        "from nothing [s]",
        "changed [s]",
        "times as fast",
    ]);
    for (k, n) in SIZES.into_iter().enumerate() {
        let (mut problem, drift) = (definite(n)?, random_vector(n, 2));
        let before = solve(&problem, vec![0.0; n], false)?.x;
        let start = problem.b().to_vec();
        let mut line = Vec::new();
        for (m, size) in MOVES.into_iter().enumerate() {
            told((k as f64 + m as f64 / MOVES.len() as f64) / SIZES.len() as f64);
            for ((b, start), drift) in problem.b_mut().iter_mut().zip(&start).zip(&drift) {
                *b = start + size * drift;
            }
            let [mut anew, mut changed] =
                [true, false].map(|anew| solve(&problem, before.clone(), anew));
            for _ in 1..REPETITIONS {
                for (best, variant) in [(&mut anew, true), (&mut changed, false)] {
                    let again = solve(&problem, before.clone(), variant)?;
                    if let Ok(best) = best {
                        best.seconds = best.seconds.min(again.seconds);
                    }
                }
            }
            let (anew, changed) = (anew?, changed?);
            let pairs = before.iter().zip(&changed.x);
            let sides = pairs.filter(|(a, b)| (**a > 0.0) != (**b > 0.0)).count();
            let share = 100.0 * sides as f64 / n as f64;
            let apart =
                anew.x.iter().zip(&changed.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let ratio = anew.seconds / changed.seconds;
            sheet.row([
                n.to_string(),
                size.to_string(),
                share.to_string(),
                changed.guesses.to_string(),
                apart.to_string(),
                anew.seconds.to_string(),
                changed.seconds.to_string(),
                ratio.to_string(),
            ]);
            line.push([share, ratio]);
        }
        findings.say(format!(
            "{n} unknowns: {:.1} to {:.1} times as fast",
            line.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min),
            line.iter().map(|point| point[1]).fold(0.0, f64::max)
        ));
        chart.add(Series::line(format!("{n} unknowns"), line).shaped(Shape::DottedLine));
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    Ok(findings)
}

struct Solved {
    x: Vec<f64>,
    guesses: usize,
    seconds: f64,
}

fn solve(problem: &LinearProblem, mut x: Vec<f64>, anew: bool) -> anyhow::Result<Solved> {
    let settings = block_principal::Settings { anew, ..Default::default() };
    let limits = Limits { tolerance: 1e-10, iterations: 1000 };
    let started = Instant::now();
    let report = block_principal::solve(problem, &mut x, &settings, &limits, &mut ());
    let seconds = started.elapsed().as_secs_f64();
    anyhow::ensure!(report.converged(), "definite problems have a solution: {}", report.status);
    Ok(Solved { x, guesses: report.iterations, seconds })
}

/// `A = GGᵀ/n + 1/10`, and `b` about as often positive as not.
fn definite(n: usize) -> anyhow::Result<LinearProblem> {
    let g = DMatrix::from_vec(n, n, random_vector(n * n, 0));
    let a = &g * g.transpose() / n as f64 + DMatrix::identity(n, n) * 0.1;
    let matrix = Matrix::dense(&a).ok_or_else(|| anyhow::anyhow!("square and finite"))?;
    Ok(LinearProblem::new(matrix, random_vector(n, 1), vec![Bounds::AT_LEAST_ZERO; n])?)
}
