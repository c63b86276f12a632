//! A rod leaning on a conveyor belt: eigenvalues, conditioning and energy of the smallest friction problem.
//!
//! ```console
//! $ cargo run -p stiction --example rod_on_conveyor -- FOLDER
//! ```
//!
//! Prints tables and writes `rod_eigenvalues.svg` and `rod_energy.svg` into the folder, by default the current one.
//! [`rod`] is the system, solved with the library's own integrators and Newton; [`chart`] draws.
#![expect(clippy::print_stdout, reason = "an example shows its results")]

mod chart;
mod rod;

use std::error::Error;
use std::path::PathBuf;

use chart::{Curve, Panel, Scale, page};
use nalgebra::Vector2;
use rod::{IN_CONTACT, RESTING, RUNNING, Rod, integrate, order};
use stiction::step::Integrator;

const INTEGRATORS: [(&str, Integrator); 5] = [
    ("Backward Euler", Integrator::BackwardEuler),
    ("BDF2", Integrator::Bdf2),
    ("TR-BDF2", Integrator::TrBdf2 { split: 0.5 }),
    ("SDIRK2", Integrator::Sdirk2),
    ("Trapezoid rule", Integrator::Trapezoid),
];

/// Time steps of the energy traces [s], and their colours: the finer, the darker.
const STEPS: [(f64, &str); 4] =
    [(0.04, "#f0b14c"), (0.01, "#e0693a"), (1e-3, "#a3297a"), (1e-4, "#2b0a57")];
const DURATION: f64 = 2.0; // [s]

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    print_eigenvalues();
    print_conditions();
    print_orders()?;
    let traces = energy_traces()?;
    print_energies(&traces);
    for (name, svg) in
        [("rod_eigenvalues.svg", eigenvalue_plot()), ("rod_energy.svg", energy_plot(&traces))]
    {
        std::fs::write(folder.join(name), svg)?;
        println!("wrote {}", folder.join(name).display());
    }
    Ok(())
}

fn print_eigenvalues() {
    println!("Eigenvalues on a belt at rest [1/s], in closed form and of the matrix\n");
    for (place, q) in [("upright", Rod::UPRIGHT), ("leaning", RESTING.leaning())] {
        let closed = match place {
            "upright" => {
                let [fall, stick, bounce] = RESTING.upright_eigenvalues();
                format!("{fall:.9e}, {stick:.7}, ±{bounce:.12} i")
            }
            _ => {
                let [real, imaginary] = RESTING.leaning_eigenvalues();
                format!("±{real:.13}, ±{imaginary:.13} i")
            }
        };
        let values = RESTING.linearised(&q).complex_eigenvalues();
        let values: Vec<String> =
            values.iter().map(|z| format!("{:.6} {:+.6} i", z.re, z.im)).collect();
        println!("  {place}: {closed}\n           {}", values.join(", "));
    }
}

/// A belt whose hardness is varied, with a step of 10 ms.
fn on_hard_belt(penalty: f64, slip: f64) -> Rod {
    Rod { friction: 0.5, penalty, gap: 1e-3, slip, ..RESTING }
}

const CONDITION_STEP: f64 = 0.01; // [s]

fn print_conditions() {
    println!("\nCondition of a step of backward Euler, h = 10 ms, ε = 1 mm/s\n");
    for penalty in [1e2, 1e4, 1e6, 1e8, 1e10] {
        println!(
            "  κ = {penalty:<8e} {:.10}",
            on_hard_belt(penalty, 1e-3).condition(CONDITION_STEP)
        );
    }
    println!("  limit        {:.10}", on_hard_belt(1e10, 1e-3).condition_limit(CONDITION_STEP));
}

fn print_orders() -> Result<(), String> {
    println!("\nOrder in sliding contact, from 1.25 ms to 0.625 ms\n");
    for (name, integrator) in INTEGRATORS {
        println!("  {name:<16} {:.3}", order(RUNNING, integrator, IN_CONTACT, 0.1, 80)?);
    }
    Ok(())
}

/// Kinetic energy [J] after every step, for each integrator and each of [`STEPS`].
type Traces = Vec<[Vec<(f64, f64)>; 4]>;

fn energy_traces() -> Result<Traces, String> {
    let start = (RUNNING.leaning(), Vector2::zeros());
    let trace = |integrator: Integrator, h: f64| {
        let steps = (DURATION / h).round() as usize;
        let (velocities, _) = integrate(RUNNING, integrator, start, h, steps)?;
        let energy = |(k, v): (usize, &Vector2<f64>)| (k as f64 * h, RUNNING.kinetic_energy(v));
        Ok::<_, String>(velocities.iter().enumerate().map(energy).collect::<Vec<_>>())
    };
    INTEGRATORS
        .iter()
        .map(|&(_, integrator)| {
            let [a, b, c, d] = STEPS.map(|(h, _)| trace(integrator, h));
            Ok([a?, b?, c?, d?])
        })
        .collect()
}

fn print_energies(traces: &Traces) {
    println!("\nKinetic energy in the last half second, least to most [mJ]\n");
    print!("  {:<16}", "");
    for (h, _) in STEPS {
        print!("{:>22}", format!("h = {h} s"));
    }
    println!();
    for ((name, _), traces) in INTEGRATORS.iter().zip(traces) {
        print!("  {name:<16}");
        for trace in traces {
            let late = trace.iter().filter(|(t, _)| *t > DURATION - 0.5).map(|(_, e)| 1e3 * e);
            let (least, most) =
                late.fold((f64::INFINITY, 0.0_f64), |(a, b), e| (a.min(e), b.max(e)));
            print!("{:>22}", format!("{least:.3} to {most:.3}"));
        }
        println!();
    }
    println!();
}

/// How fast the rod falls, sticks and bounces, and how hard its equations are.
fn eigenvalue_plot() -> String {
    let range =
        |from: f64, to: f64| (0..=60).map(move |k| from * (to / from).powf(f64::from(k) / 60.0));
    let rates = |which: usize| {
        let rate =
            move |slip: f64| (slip, Rod { slip, ..RESTING }.upright_eigenvalues()[which].abs());
        range(1e-4, 1.0).map(rate).collect::<Vec<_>>()
    };
    // Moduli of the eigenvalues of the matrix, as dots on the closed forms.
    let dots = [1e-4, 1e-3, 1e-2, 1e-1, 1.0].iter().flat_map(|&slip| {
        let values = Rod { slip, ..RESTING }.linearised(&Rod::UPRIGHT).complex_eigenvalues();
        values.iter().map(|z| (slip, z.norm())).collect::<Vec<_>>()
    });
    let left = Panel {
        title: "Upright on the belt: rates against the slip ε",
        x: Scale::Log { from: 1e-4, to: 1.0, label: "ε [m/s]" },
        y: Scale::Log { from: 1e-6, to: 1e7, label: "|eigenvalue| [1/s]" },
        curves: vec![
            Curve::new("sticks", "#0072b2", rates(1)),
            Curve::new("bounces", "#009e73", rates(2)),
            Curve::new("falls over", "#d55e00", rates(0)),
        ],
        dots: dots.collect(),
    };
    let mut curves = Vec::new();
    for (slip, name, color) in [
        (1e-4, "ε = 0.1 mm/s", "#2b0a57"),
        (1e-3, "ε = 1 mm/s", "#a3297a"),
        (1e-2, "ε = 10 mm/s", "#e0693a"),
    ] {
        let condition =
            |penalty: f64| (penalty, on_hard_belt(penalty, slip).condition(CONDITION_STEP));
        curves.push(Curve::new(name, color, range(1.0, 1e8).map(condition).collect()));
        let limit = on_hard_belt(1.0, slip).condition_limit(CONDITION_STEP);
        curves.push(Curve::new("", color, vec![(1.0, limit), (1e8, limit)]).dashed());
    }
    let right = Panel {
        title: "Condition of a step against the hardness κ",
        x: Scale::Log { from: 1.0, to: 1e8, label: "κ [N/m]" },
        y: Scale::Log { from: 1.0, to: 1e4, label: "condition number" },
        curves,
        dots: Vec::new(),
    };
    page(
        "Rod on a conveyor: eigenvalues and conditioning",
        "Dots: eigenvalues of the matrix; lines: closed forms. Dashed: limits for a hard belt.",
        2,
        320.0,
        &[left, right],
    )
}

fn energy_plot(traces: &Traces) -> String {
    let highest = traces.iter().flatten().flatten().map(|(_, e)| 1e3 * e).fold(0.0, f64::max);
    let panels: Vec<Panel> = INTEGRATORS
        .iter()
        .zip(traces)
        .map(|(&(name, _), traces)| Panel {
            title: name,
            x: Scale::Linear { from: 0.0, to: DURATION, step: 0.5, label: "time [s]" },
            y: Scale::Linear { from: 0.0, to: highest, step: 50.0, label: "[mJ]" },
            curves: STEPS
                .iter()
                .zip(traces)
                .map(|(&(h, color), trace)| {
                    // A point for every pixel or two is enough.
                    let every = (trace.len() / 1200).max(1);
                    let points = trace.iter().step_by(every).map(|&(t, e)| (t, 1e3 * e)).collect();
                    Curve::new(&format!("h = {} ms", 1e3 * h), color, points)
                })
                .collect(),
            dots: Vec::new(),
        })
        .collect();
    page(
        "Rod on a conveyor: kinetic energy",
        "Undamped, from rest above a belt that runs at 0.5 m/s. The bounce is real: what does not show it \
         has damped it.",
        1,
        130.0,
        &panels,
    )
}
