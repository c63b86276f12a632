//! A step of soft bodies by impulses under every operator: milliseconds a step, and what of it is a solver's.
//!
//! `operators [STEPS]`; scenes `soft_block`, `gripper` and `tyre` as they are. All operators step from the states of
//! the default, in turn, so that whatever else the machine does is felt by all; the least and the median of all
//! steps. Masses alone step by the scene's step over a power of two that is short enough.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::path::Path;
use std::time::Instant;

use stiction::method::MethodSettings;
use stiction::method::impulse::{ImpulseSettings, Operator};
use stiction::solve::Status;
use stiction::{Scene, Settings, Simulation, State, StepReport};
use stiction_scene::scene_file::{SceneFile, Wishes};

/// When things touch and move, but before they rest [s].
const SCENES: [(&str, f64); 3] = [("soft_block", 0.1), ("gripper", 0.3), ("tyre", 0.2)];
/// The most halvings of a step that are tried for masses alone.
const HALVINGS: i32 = 14;

fn main() {
    let steps = std::env::args().nth(1).map_or(20, |text| text.parse::<usize>().expect("a number"));
    println!(
        "scene, contacts, step [ms]; operator: least and median [ms], iterations, unconverged"
    );
    for (name, from) in SCENES {
        measure(name, from, steps);
    }
}

fn measure(name: &str, from: f64, steps: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scenes/{name}.toml"));
    let file = SceneFile::load(&path, &Wishes::default()).expect("a scene");
    let setup = file.build().expect("a valid scene");
    let (scene, settings) = (&setup.scene, *setup.simulation.settings());
    let h = settings.time_step;
    let mut leader = setup.simulation;
    while leader.time() < from {
        leader.step();
    }
    let mut others: Vec<(Operator, Simulation)> = Operator::ALL
        .into_iter()
        .filter_map(|operator| {
            let h = match operator {
                Operator::Mass => short(scene, &settings, &leader)?,
                _ => h,
            };
            Some((operator, with(scene, &settings, operator, h)))
        })
        .collect();
    let mut runs: Vec<Vec<(f64, StepReport)>> = vec![Vec::new(); others.len()];
    for _ in 0..steps {
        let state = leader.state();
        for ((_, simulation), run) in others.iter_mut().zip(&mut runs) {
            go_to(simulation, &state);
            let start = Instant::now();
            let report = simulation.step();
            run.push((1e3 * start.elapsed().as_secs_f64(), report));
        }
        leader.step();
    }
    println!("{name}: {} contacts, {} ms", leader.contacts().len(), 1e3 * h);
    for ((operator, simulation), run) in others.iter().zip(&runs) {
        let mut times: Vec<f64> = run.iter().map(|(time, _)| *time).collect();
        times.sort_by(f64::total_cmp);
        let iterations: usize = run.iter().map(|(_, report)| report.iterations()).sum();
        let short = run.iter().filter(|(_, report)| !report.converged()).count();
        println!(
            "  {operator:?}, h = {:.4} ms: {:.3} {:.3} ms, {} iterations, {short} unconverged",
            1e3 * simulation.settings().time_step,
            times[0],
            times[times.len() / 2],
            iterations / run.len(),
        );
    }
}

fn with(scene: &Scene, settings: &Settings, operator: Operator, h: f64) -> Simulation {
    let MethodSettings::Impulse(own) = settings.method else { panic!("by impulses") };
    let impulse = ImpulseSettings { operator, ..own };
    // One attempt, so that a step is a step.
    let settings = Settings { time_step: h, max_halvings: 0, method: impulse.into() };
    Simulation::with_settings(scene, settings).expect("a valid scene")
}

/// The longest step that masses alone take, if any is short enough for them.
fn short(scene: &Scene, settings: &Settings, leader: &Simulation) -> Option<f64> {
    let lengths = (0..HALVINGS).map(|halvings| settings.time_step * 0.5_f64.powi(halvings));
    let taken = |h: &f64| {
        let mut simulation = with(scene, settings, Operator::Mass, *h);
        go_to(&mut simulation, &leader.state());
        simulation.step().status != Status::Refused
    };
    lengths.into_iter().find(taken)
}

/// Takes a state over; steps are counted in steps of its own.
fn go_to(simulation: &mut Simulation, state: &State) {
    let steps = (state.trajectory.time / simulation.settings().time_step).round() as u64;
    simulation.restore(&State { steps, ..state.clone() }).expect("the same scene");
}
