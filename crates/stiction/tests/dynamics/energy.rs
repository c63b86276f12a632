//! What integrators do to energy: who loses it, who keeps it, who bounds it.

use stiction::body::Solid;
use stiction::material::{Damping, Material};
use stiction::mesh::Selection;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::monitors::{Drift, INTEGRATORS, Monitor};

/// A soft bar, held along an edge at one end, let fall from the horizontal.
fn pendulum(damping: Damping) -> Scene {
    let mut scene = Scene::new();
    let soft = Material::new(2e4, 0.3, 1000.0).and_then(|m| m.with_damping(damping)).unwrap();
    let bar = Solid::cuboid([0.5, 0.1, 0.1], [5, 1, 1]).unwrap().material(soft);
    let body = scene.add(bar);
    let edge = Selection::Tag("x-min".into()).and(Selection::Tag("y-max".into()));
    scene.pin(body, edge);
    scene
}

fn swing(scene: &Scene, integrator: Integrator, seconds: f64) -> Monitor {
    let settings = Settings {
        time_step: 0.01,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Settings::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).unwrap();
    Monitor::watch(&mut simulation, (seconds / 0.01).round() as usize)
}

/// Over ten seconds, about eight swings, with steps of a tenth of the slowest bending of the bar.
#[test]
fn schemes_lose_energy_in_the_order_of_their_damping() {
    let scene = pendulum(Damping::NONE);
    let drift = |integrator| swing(&scene, integrator, 10.0).energy();
    let [euler, newmark, bdf2, tr_bdf2, sdirk2, trapezoid] = [
        Integrator::BackwardEuler,
        Integrator::Newmark { beta: 0.36, gamma: 0.6 },
        Integrator::Bdf2,
        Integrator::TR_BDF2,
        Integrator::Sdirk2,
        Integrator::Trapezoid,
    ]
    .map(drift);
    let loss = |drift: Drift| -drift.last_relative();
    let losses = [euler, newmark, bdf2, tr_bdf2, sdirk2].map(loss);
    assert!(losses[0] > 0.25, "backward Euler loses a third: {losses:?}");
    assert!(losses[0] > losses[1] && losses[1] > losses[2], "{losses:?}");
    assert!(losses[2] > 2.0 * losses[3] && losses[2] > 2.0 * losses[4], "{losses:?}");
    assert!((0.0..0.02).contains(&losses[3]) && (0.0..0.02).contains(&losses[4]), "{losses:?}");
    // Has no damping of its own: its error stays an error.
    assert!(trapezoid.max_relative() < 5e-3, "trapezoid rule: {trapezoid:?}");
    assert!(trapezoid.last_relative().abs() < 0.5 * losses[3], "trapezoid rule: {trapezoid:?}");
}

/// Without damping or schemes that damp, drifts are errors of second order.
#[test]
fn the_energy_error_of_the_trapezoid_rule_falls_with_the_square_of_the_step() {
    let scene = pendulum(Damping::NONE);
    let error = |steps: usize| {
        let (time_step, integrator) = (1.0 / steps as f64, Integrator::Trapezoid);
        let settings = Settings {
            time_step,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Settings::default()
        };
        let mut simulation = Simulation::with_settings(&scene, settings).unwrap();
        Monitor::watch(&mut simulation, steps).energy().max_relative()
    };
    let (coarse, fine) = (error(200), error(400));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.3, "order {order}: {coarse:e} → {fine:e}");
}

#[test]
fn damping_brings_a_pendulum_to_rest() {
    let scene = pendulum(Damping { mass: 3.0, stiffness: 0.01 });
    for (integrator, _) in INTEGRATORS {
        let monitor = swing(&scene, integrator, 6.0);
        let [first, last] = [&monitor.samples()[..200], &monitor.samples()[400..]]
            .map(|part| part.iter().map(|s| s.energies.kinetic).fold(0.0, f64::max));
        assert!(last < 1e-2 * first, "{integrator}: kinetic {first} J, then {last} J");
        assert!(monitor.kinetic_rate() < -1.0, "{integrator}: {} 1/s", monitor.kinetic_rate());
    }
}

/// Schemes that damp by themselves must not add energy, whatever the damping of the material.
#[test]
fn no_damped_scheme_gains_energy() {
    for damping in [Damping::NONE, Damping { mass: 0.5, stiffness: 2e-3 }] {
        let scene = pendulum(damping);
        for integrator in [Integrator::BackwardEuler, Integrator::Bdf2, Integrator::Sdirk2] {
            let monitor = swing(&scene, integrator, 3.0);
            let (start, scale) = (monitor.samples()[0].energies.total(), monitor.energy().scale);
            for sample in monitor.samples() {
                let gain = (sample.energies.total() - start) / scale;
                assert!(gain < 1e-3, "{integrator} at {} s: {gain}", sample.time);
            }
        }
    }
}
