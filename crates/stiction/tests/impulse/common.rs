//! What these tests share.

use stiction::body::{Rigid, Shape};
use stiction::math::Vector3;
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

/// A box of 1,000 kg/m³.
pub(crate) fn block(size: [f64; 3]) -> Rigid {
    let shape = Shape::Box { size: size.into(), rounding: 0.0 };
    Rigid::shape(&shape, 12).expect("a box")
}

/// A ball of 1,000 kg/m³.
pub(crate) fn ball(radius: f64) -> Rigid {
    Rigid::shape(&Shape::Sphere { radius }, 12).expect("a ball")
}

/// Steps of length `h` with these settings.
pub(crate) fn with(scene: &Scene, h: f64, impulse: ImpulseSettings) -> Simulation {
    let settings = Settings { time_step: h, method: impulse.into(), ..Default::default() };
    Simulation::with_settings(scene, settings).expect("valid")
}

/// Steps of length `h`, contacts solved to `tolerance`.
pub(crate) fn simulation(scene: &Scene, h: f64, tolerance: f64) -> Simulation {
    with(scene, h, ImpulseSettings { tolerance, ..ImpulseSettings::default() })
}

/// Runs; all steps have to converge.
pub(crate) fn run(simulation: &mut Simulation, until: f64) {
    while simulation.time() < until - 1e-9 {
        let report = simulation.step();
        assert!(report.converged(), "{report:?}");
    }
}

/// The largest distance between two lists of points, or of velocities.
pub(crate) fn farthest(a: &[Vector3], b: &[Vector3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}
