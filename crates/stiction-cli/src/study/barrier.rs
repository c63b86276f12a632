//! The logarithmic barrier of incremental potential contact: how it tends to the law of contact as its width goes to
//! nothing. (B19)
//!
//! $$ b(d) = -(d - \hat d)^2 \ln(d/\hat d), \quad 0 < d < \hat d \qquad \text{[AEF22, §5.3]} $$
//!
//! and nothing beyond `d̂`; twice differentiable there. A weight `N` rests where `−κ b′(d) = N`: at a distance, since
//! only what is apart is pushed; that distance goes with `d̂²`. Drawn as `b/d̂²`, which makes the shape the same at
//! every width.

use stiction::method::barrier::potential::{bend, slope, value};

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "barrier",
    title: "How near does a barrier come to contact?",
    source: "B19, Fig. 32; §5.3",
    run,
};

const WIDTHS: [f64; 5] = [1.0, 0.5, 0.2, 0.05, 0.01]; // [mm]
/// What rests, and `κ`.
const WEIGHT: f64 = 1.0; // [N]
const STIFFNESS: [f64; 3] = [1e3, 1e4, 1e5]; // [N/m]

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut chart = Chart::new(
        "A barrier tends to a wall",
        Quantity::linear("distance", "mm").from(0.0, 1.1),
        Quantity::linear("b / d̂²", "1").from(0.0, 4.0),
    );
    let mut sheet = Sheet::new(&["width [mm]", "area of b/d̂² [mm]", "jump of b'' at the width"]);
    for width in WIDTHS {
        let line = (1..=1100).map(|k| f64::from(k) * 1e-3);
        let line = line.map(|d| [d, value(d, width) / (width * width)]).collect();
        chart.add(Series::line(format!("d̂ = {width} mm"), line));
        // What is left between the barrier and the wall; ∫ b = 11/18 d̂³.
        let area = (0..100_000).map(|k| value((f64::from(k) + 0.5) * 1e-5 * width, width));
        let area = area.sum::<f64>() * 1e-5 / width;
        let jump = bend(width * (1.0 - 1e-9), width).abs();
        sheet.row([width.to_string(), area.to_string(), jump.to_string()]);
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    let mut rests = Chart::new(
        "Where a weight of 1 N rests",
        Quantity::logarithmic("width d̂", "mm"),
        Quantity::logarithmic("distance", "mm"),
    );
    let mut sheet = Sheet::new(&["stiffness [N/m]", "width [mm]", "rests at [mm]", "in widths"]);
    for stiffness in STIFFNESS {
        let mut line = Vec::new();
        for k in 0..=12 {
            let width = 10.0_f64.powf(-0.25 * f64::from(k));
            let d = rest(1e-3 * width, stiffness) * 1e3;
            sheet.row([
                stiffness.to_string(),
                width.to_string(),
                d.to_string(),
                (d / width).to_string(),
            ]);
            line.push([width, d]);
        }
        rests.add(Series::line(format!("κ = {:.0} kN/m", 1e-3 * stiffness), line));
    }
    findings.sheet("rests", sheet);
    findings.chart("rests", rests);
    findings.say(format!(
        "1 N on a barrier of 1 mm and 10 kN/m rests at {:.3} mm; of 0.01 mm, at {:.1e} mm",
        1e3 * rest(1e-3, 1e4),
        1e3 * rest(1e-5, 1e4)
    ));
    Ok(findings)
}

/// Where `−κ b′ = N`, by halving [m].
fn rest(width: f64, stiffness: f64) -> f64 {
    let (mut low, mut high) = (0.0, width);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let force = -stiffness * slope(middle, width);
        if force > WEIGHT { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
