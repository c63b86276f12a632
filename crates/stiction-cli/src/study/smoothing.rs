//! Friction that rises with the slip speed instead of jumping: how it tends to Coulomb's law, and how it creeps.
//! (B19, V31)

use stiction::method::smooth::law::Profile;

use super::findings::{Findings, Sheet};
use super::{Study, Told};
use crate::report::chart::{Chart, Mark, Quantity, Series};

pub(super) const STUDY: Study = Study {
    name: "smoothing",
    title: "What does smoothed friction lose?",
    source: "B19, Fig. 34; V31",
    run,
};

const WIDTHS: [f64; 5] = [0.5, 0.2, 0.1, 0.03, 0.01];
/// Of V31.
const MU: f64 = 0.5;
const EPSILON: f64 = 1e-3;

fn run(_: Told<'_>) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut chart = Chart::new(
        "Smoothed friction tends to a step",
        Quantity::linear("slip speed", "m/s").from(0.0, 0.6),
        Quantity::linear("friction / Coulomb's limit", "1"),
    );
    let mut sheet = Sheet::new(&["profile", "epsilon [m/s]", "missing area [m/s]"]);
    for (name, profile) in [("2y − y²", Profile::Quadratic), ("x/(x + ε)", Profile::Rational)] {
        for epsilon in WIDTHS {
            let at = |k: u32| 0.6 * f64::from(k) / 600.0;
            let line = (0..=600).map(|k| [at(k), profile.at(at(k), epsilon).0]).collect();
            // ∫ (1 − s) up to 0.6 m/s: what the integral of the profile leaves.
            let missing = 0.6 - (profile.integral(0.6, epsilon) - profile.integral(0.0, epsilon));
            sheet.row([name.into(), epsilon.to_string(), missing.to_string()]);
            if profile == Profile::Quadratic || epsilon >= 0.1 {
                chart.add(Series::line(format!("{name}, ε = {epsilon}"), line));
            }
        }
    }
    findings.sheet("", sheet);
    findings.chart("", chart);
    let mut creep = Chart::new(
        "Creep on a slope below the limit, friction ½, ε = 1 mm/s",
        Quantity::linear("slope", "°"),
        Quantity::logarithmic("creep", "m/s"),
    );
    creep.marks.push(Mark { at: MU.atan().to_degrees(), label: "tan θ = μ".to_owned() });
    let mut sheet = Sheet::new(&["slope [°]", "creep quadratic [m/s]", "creep rational [m/s]"]);
    let (mut quadratic, mut rational) = (Vec::new(), Vec::new());
    for k in 1..=106 {
        let slope = 0.25 * f64::from(k);
        let [a, b] =
            [Profile::Quadratic, Profile::Rational].map(|profile| creeping(profile, slope));
        sheet.row([slope.to_string(), a.to_string(), b.to_string()]);
        quadratic.push([slope, a]);
        rational.push([slope, b]);
    }
    creep.add(Series::line("2y − y²", quadratic));
    creep.add(Series::line("x/(x + ε)", rational));
    findings.sheet("creep", sheet);
    findings.chart("creep", creep);
    findings.say(format!(
        "at 20° a block creeps at {:.3e} m/s where it should stand",
        creeping(Profile::Quadratic, 20.0)
    ));
    Ok(findings)
}

/// The speed at which smoothed friction balances gravity, by halving; infinite above the limit.
fn creeping(profile: Profile, slope: f64) -> f64 {
    let wanted = slope.to_radians().tan() / MU;
    if wanted >= 1.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, EPSILON);
    while profile.at(high, EPSILON).0 < wanted {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if profile.at(middle, EPSILON).0 < wanted { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
