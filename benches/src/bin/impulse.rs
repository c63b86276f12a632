//! A box that rests, or slides, on an incline by impulses: microseconds a step.
//!
//! `impulse [STEPS]`; four contacts on a plane, friction 0.6, a slope of 0.5 (rests) and of 0.7 (slides).
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Instant;

use stiction::body::{Obstacle, Rigid, Shape};
use stiction::math::Vector3;
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

const ROUNDS: usize = 7;

fn main() {
    let steps =
        std::env::args().nth(1).map_or(2000, |text| text.parse::<usize>().expect("a number"));
    for (what, slope) in [("rests", 0.5_f64), ("slides", 0.7)] {
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut simulation = incline(slope);
            simulation.step();
            let start = Instant::now();
            for _ in 0..steps {
                let report = simulation.step();
                assert!(report.converged(), "{:?}", report.status);
            }
            least = least.min(start.elapsed().as_secs_f64() / steps as f64);
        }
        println!("{what}: {:.1} µs a step", 1e6 * least);
    }
}

fn incline(slope: f64) -> Simulation {
    let angle = slope.atan();
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * 9.81;
    scene.friction.coefficient = 0.6;
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let shape = Shape::Box { size: [0.2; 3].into(), rounding: 0.0 };
    let block = Rigid::shape(&shape, 1).expect("a box");
    scene.add(block.at([0.0, 0.1, 0.0]));
    let impulse = ImpulseSettings::default();
    let settings = Settings { time_step: 0.01, method: impulse.into(), ..Settings::default() };
    Simulation::with_settings(&scene, settings).expect("a valid scene")
}
