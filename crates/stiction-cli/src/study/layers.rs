//! Layers of penalties without end: springs that are stiffer and thinner the deeper they lie, so that nothing passes.
//! (B18, V33)
//!
//! Layer `l = 1, 2, …` has thickness `η(l) = η₁ l^{−1/4}`, stiffness `k(l) = k₁ l³` and energy `½ k(l) (η(l) − d)²`
//! below it [AEF22, §5.2.1]. Pressing all of them to nothing costs `½ Σ k η² = ½ k₁ η₁² Σ l^{5/2}`, which has no
//! limit; at any distance there are finitely many.

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "layers",
    title: "How do springs keep everything out?",
    source: "B18, §5.2.1; V33",
    run,
};

/// Of the first layer.
const THICKNESS: f64 = 1e-3; // [m]
const STIFFNESS: f64 = 1e3; // [N/m]
const COUNTS: [u32; 5] = [1, 2, 5, 10, 100];

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut chart = Chart::new(
        "Energy of layers pressed to a distance, η₁ = 1 mm, k₁ = 1 kN/m",
        Quantity::linear("distance", "mm").from(0.0, 1.0),
        Quantity::logarithmic("energy", "J"),
    );
    let mut sheet = Sheet::new(&["layers", "sum of k η² in k₁ η₁²", "energy at nothing [J]"]);
    for count in COUNTS {
        let sum = (1..=count).map(|l| relative(l).0 * relative(l).1.powi(2)).sum::<f64>();
        sheet.row([count.to_string(), sum.to_string(), energy(0.0, count).to_string()]);
        let at = |k: u32| 1e-3 * f64::from(k);
        let line = (0..1000).map(|k| [at(k), energy(THICKNESS * at(k), count)]).collect();
        chart.add(Series::line(format!("{count} layers"), line));
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    let mut sheet = Sheet::new(&["distance [m]", "layers reached", "energy [J]", "force [N]"]);
    for part in [0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05] {
        let (d, reached) = (part * THICKNESS, reached(part));
        let all = |of: fn(f64, u32) -> f64| of(d, reached).to_string();
        sheet.row([d.to_string(), reached.to_string(), all(energy), all(force)]);
    }
    findings.sheet("reached", sheet);
    // A ball of 10 g: the faster, the deeper, and never through.
    let mut stops = Sheet::new(&["speed [m/s]", "stops at [m]", "layers reached"]);
    for speed in [0.1, 1.0, 10.0, 100.0, 1000.0] {
        let d = stop(0.5 * 0.01 * speed * speed);
        stops.row([speed.to_string(), d.to_string(), reached(d / THICKNESS).to_string()]);
    }
    findings.sheet("stops", stops);
    findings.say(format!(
        "a ball of 10 g at 100 m/s is stopped at {:.3} mm, by {} layers",
        1e3 * stop(50.0),
        reached(stop(50.0) / THICKNESS)
    ));
    Ok(findings)
}

/// Stiffness and thickness of a layer, in those of the first.
fn relative(layer: u32) -> (f64, f64) {
    let l = f64::from(layer);
    (l.powi(3), l.powf(-0.25))
}

/// How many layers are thicker than a part of the first.
fn reached(part: f64) -> u32 {
    // η(l) > d, that is l < (η₁/d)⁴.
    (part.powi(-4).ceil() as u32).saturating_sub(1)
}

/// Of the first layers, pressed to `d` [J].
fn energy(d: f64, layers: u32) -> f64 {
    sum(d, layers, |k, press| 0.5 * k * press * press)
}

/// [N].
fn force(d: f64, layers: u32) -> f64 {
    sum(d, layers, |k, press| k * press)
}

fn sum(d: f64, layers: u32, each: fn(f64, f64) -> f64) -> f64 {
    let layer = |l: u32| {
        let (k, thickness) = relative(l);
        each(STIFFNESS * k, (THICKNESS * thickness - d).max(0.0))
    };
    (1..=layers).map(layer).sum()
}

/// Where all layers have taken an energy, by halving [m].
fn stop(kinetic: f64) -> f64 {
    let (mut low, mut high) = (0.02 * THICKNESS, THICKNESS);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if energy(middle, reached(middle / THICKNESS)) > kinetic {
            low = middle
        } else {
            high = middle
        }
    }
    0.5 * (low + high)
}
