//! Where the time of a whole implicit step goes: backward Euler, stable neo-Hookean.
//!
//! `step [CELLS] [STEPS]`; a cantilevered cube under gravity, 25 cells make 52,728 unknowns less the held ones.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;

use stiction::body::Solid;
use stiction::material::Material;
use stiction::mesh::Selection;
use stiction::method::smooth::SmoothSettings;
use stiction::model::Phase;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

fn main() {
    let argument = |k: usize, default: usize| {
        std::env::args().nth(k).map_or(default, |text| text.parse().expect("a number"))
    };
    let (cells, steps) = (argument(1, 25), argument(2, 5));
    let mut scene = Scene::new();
    let cube = scene
        .add(Solid::cuboid([1.0; 3], [cells; 3]).expect("a valid box").material(Material::JELLY));
    scene.pin(
        cube,
        Selection::HalfSpace { point: [-0.5, 0.0, 0.0].into(), normal: [-1.0, 0.0, 0.0].into() },
    );
    let settings = Settings {
        method: SmoothSettings { integrator: Integrator::BackwardEuler, ..Default::default() }
            .into(),
        ..Settings::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("a valid scene");
    simulation.step(); // symbolic work is done once
    let clock = Instant::now();
    simulation.set_clock(move || clock.elapsed().as_secs_f64());
    let start = Instant::now();
    let mut iterations = 0;
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "step did not converge: {:?}", report.status);
        iterations += report.iterations();
    }
    let total = start.elapsed().as_secs_f64();
    let timings = simulation.timings();
    println!(
        "{} unknowns, {steps} steps, {iterations} Newton iterations, {} threads: {:.3} s a step",
        simulation.model().unknown_count(),
        rayon::current_num_threads(),
        total / steps as f64
    );
    for phase in Phase::ALL {
        println!("{phase:>10?}  {:5.1} %", 100.0 * timings.seconds(phase) / total);
    }
    let linear = timings.seconds(Phase::Factor) + timings.seconds(Phase::Solve);
    println!("outside factor and solve  {:.1} %", 100.0 * (1.0 - linear / total));
}
