//! What integrators do to the energy of a soft pendulum, as a table and a picture.
//!
//! ```console
//! $ cargo run --release -p stiction --example energy_of_integrators
//! ```
//!
//! A soft bar is held along an edge, let fall from the horizontal and swings for ten seconds. Nothing rubs and
//! nothing is damped, so its energy should stay. Writes `docs/images/energy_of_integrators.svg`.
#![expect(clippy::print_stdout, reason = "an example shows its results")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use stiction::body::Solid;
use stiction::material::Material;
use stiction::mesh::Selection;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::Monitor;

const SIZE: [f64; 3] = [0.5, 0.1, 0.1]; // [m]
const DURATION: f64 = 10.0; // [s]
const TIME_STEP: f64 = 0.01; // [s]

/// A line of the plot.
struct Curve {
    name: &'static str,
    /// Colours of Okabe and Ito: told apart by all kinds of eyes.
    color: &'static str,
    dash: &'static str,
    /// Time [s] and energy since the start, in percent of the fall.
    points: Vec<(f64, f64)>,
    /// Newton iterations per step.
    iterations: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let damped_newmark = Integrator::Newmark { beta: 0.36, gamma: 0.6 };
    let curves = [
        ("Backward Euler", Integrator::BackwardEuler, "#d55e00", ""),
        ("Newmark (.36, .6)", damped_newmark, "#e69f00", ""),
        ("BDF2", Integrator::Bdf2, "#0072b2", ""),
        ("TR-BDF2", Integrator::TR_BDF2, "#009e73", ""),
        ("SDIRK2", Integrator::Sdirk2, "#cc79a7", "5 5"),
        ("Trapezoid rule", Integrator::Trapezoid, "#333333", ""),
    ]
    .into_iter()
    .map(|(name, integrator, color, dash)| swing(name, integrator, color, dash))
    .collect::<Result<Vec<_>, _>>()?;

    println!(
        "{:<18} {:>12} {:>16} {:>18}",
        "", "after 10 s", "largest change", "Newton iterations"
    );
    for curve in &curves {
        let last = curve.points.last().map_or(0.0, |point| point.1);
        let most = curve.points.iter().fold(0.0, |most: f64, point| most.max(point.1.abs()));
        let Curve { name, iterations, .. } = curve;
        println!("{name:<18} {last:>10.2} % {most:>14.2} % {iterations:>11.1} a step");
    }

    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/energy_of_integrators.svg");
    std::fs::write(&path, plot(&curves))?;
    println!("\nwrote docs/images/energy_of_integrators.svg");
    Ok(())
}

/// Simulates the pendulum with one integrator.
fn swing(
    name: &'static str,
    integrator: Integrator,
    color: &'static str,
    dash: &'static str,
) -> Result<Curve, Box<dyn Error>> {
    let mut scene = Scene::new();
    let soft = Material::new(2e4, 0.3, 1000.0)?;
    let bar = scene.add(Solid::cuboid(SIZE, [5, 1, 1])?.material(soft));
    scene.pin(bar, Selection::Tag("x-min".into()).and(Selection::Tag("y-max".into())));
    let settings = Settings {
        time_step: TIME_STEP,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Settings::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings)?;

    let mut monitor = Monitor::new(&simulation);
    let (steps, mut iterations) = ((DURATION / TIME_STEP).round() as usize, 0);
    for _ in 0..steps {
        let report = simulation.step();
        if !report.converged() {
            return Err(format!("{name} stopped at {} s: {:?}", report.time, report.status).into());
        }
        iterations += report.iterations();
        monitor.record(&simulation);
    }
    let mass: f64 = simulation.model().node_masses().iter().sum();
    let fall = mass * scene.gravity.norm() * 0.5 * SIZE[0];
    let start = monitor.samples()[0].energies.total();
    let points = monitor
        .samples()
        .iter()
        .map(|sample| (sample.time, 100.0 * (sample.energies.total() - start) / fall))
        .collect();
    Ok(Curve { name, color, dash, points, iterations: iterations as f64 / steps as f64 })
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 448.0;
/// Left, top, right, bottom of the axes.
const FRAME: [f64; 4] = [76.0, 84.0, 620.0, 388.0];
const LOWEST: f64 = -100.0; // [%]
const HIGHEST: f64 = 6.0; // [%]

/// The picture.
fn plot(curves: &[Curve]) -> String {
    let [left, top, right, bottom] = FRAME;
    let x = |t: f64| left + (right - left) * t / DURATION;
    let y = |e: f64| top + (bottom - top) * (HIGHEST - e) / (HIGHEST - LOWEST);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"
 font-family="Helvetica, Arial, sans-serif" font-size="14" fill="#333333">
<title>Energy of a soft pendulum under different integrators</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<text x="{left}" y="34" font-size="19" font-weight="bold" fill="#111111">What integrators do to energy</text>
<text x="{left}" y="58"
 fill="#666666">A soft bar falls and swings, steps of 10 ms. Nothing is damped: the true curve is flat.</text>
"##
    );
    for e in (-100..=0).step_by(20) {
        let (at, color) = (y(f64::from(e)), if e == 0 { "#888888" } else { "#e4e4e4" });
        let label = if e == 0 { "0".into() } else { format!("−{}", -e) };
        line(&mut svg, [left, at, right, at], color);
        text(&mut svg, left - 10.0, at + 5.0, "end", &label);
    }
    for t in (0..=10).step_by(2) {
        let at = x(f64::from(t));
        line(&mut svg, [at, bottom, at, bottom + 6.0], "#888888");
        text(&mut svg, at, bottom + 23.0, "middle", &t.to_string());
    }
    line(&mut svg, [left, bottom, right, bottom], "#888888");
    text(&mut svg, 0.5 * (left + right), bottom + 46.0, "middle", "time [s]");
    let middle = 0.5 * (top + bottom);
    let _ = writeln!(
        svg,
        r#"<text x="24" y="{middle:.1}" text-anchor="middle"
 transform="rotate(-90 24 {middle:.1})">energy change [% of the first fall]</text>"#
    );
    for Curve { color, dash, points, .. } in curves {
        let path: Vec<String> =
            points.iter().step_by(4).map(|&(t, e)| format!("{:.1},{:.1}", x(t), y(e))).collect();
        let _ = writeln!(
            svg,
            r#"<polyline fill="none" stroke="{color}" stroke-width="2.2" stroke-linejoin="round"
 stroke-dasharray="{dash}" points="{}"/>"#,
            path.join(" ")
        );
    }
    labels(&mut svg, curves, x(DURATION), y);
    svg.push_str("</svg>\n");
    svg
}

/// Names and losses at the ends of the lines, pushed apart where they would overlap.
fn labels(svg: &mut String, curves: &[Curve], x: f64, y: impl Fn(f64) -> f64) {
    const SPACING: f64 = 21.0;
    let end = |curve: &Curve| curve.points.last().map_or(0.0, |point| point.1);
    let mut order: Vec<&Curve> = curves.iter().collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    let mut lowest = FRAME[1] - SPACING;
    for curve in order {
        let from = y(end(curve));
        let at = from.max(lowest + SPACING);
        lowest = at;
        let Curve { name, color, dash, .. } = curve;
        let (bend, to) = (x + 12.0, x + 26.0);
        let _ = writeln!(
            svg,
            r#"<polyline fill="none" stroke="{color}" stroke-width="1.2"
 points="{:.1},{from:.1} {bend:.1},{at:.1} {to:.1},{at:.1}"/>"#,
            x + 3.0
        );
        line_of(svg, [to, at, to + 25.0, at], color, dash);
        text(svg, to + 33.0, at + 5.0, "start", name);
        let loss = format!("{:.1} %", end(curve)).replace('-', "−");
        text(svg, WIDTH - 24.0, at + 5.0, "end", &loss);
    }
}

fn line(svg: &mut String, ends: [f64; 4], color: &str) {
    let [x1, y1, x2, y2] = ends;
    let _ = writeln!(
        svg,
        r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}"/>"#
    );
}

/// As in the plot.
fn line_of(svg: &mut String, ends: [f64; 4], color: &str, dash: &str) {
    let [x1, y1, x2, y2] = ends;
    let _ = writeln!(
        svg,
        r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}" stroke-width="2.2"
 stroke-dasharray="{dash}"/>"#
    );
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{words}</text>"#);
}
