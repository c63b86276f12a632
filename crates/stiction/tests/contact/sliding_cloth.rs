//! Cloth that slides over bodies that deform, and buckles as it does: where Newton's method alone gets lost.

use stiction::body::{Cloth, Motion, Solid};
use stiction::material::{Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::mesh::generate::{self, Diagonals};
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

/// A tight sleeve on a soft arm whose ends are turned against each other.
fn sleeve_on_an_arm(friction: f64) -> Scene {
    let mut scene = Scene::new();
    let mesh = generate::capsule(0.05, 0.4, 0.025).expect("a valid capsule");
    let material = Material::RUBBER.with_youngs_modulus(2e5).expect("valid");
    let arm = scene.add(Solid::new(mesh).material(material));
    for side in [-1.0, 1.0] {
        let end = Selection::HalfSpace {
            point: Vector3::new(0.0, 0.0, 0.2 * side),
            normal: Vector3::new(0.0, 0.0, side),
        };
        let rate = Vector3::new(0.8 * side, 0.0, 0.0);
        let center = Vector3::new(0.0, 0.0, 0.2 * side);
        scene.pin(arm, end).motion(Motion::Rotation { center, rate });
    }
    let sleeve = generate::sleeve([0.0525; 2], 0.3, [24, 15], Diagonals::Alternating);
    let sleeve = scene.add(Cloth::new(sleeve.expect("valid")).material(Fabric::COTTON));
    scene.friction_between(arm, sleeve, friction);
    scene
}

#[test]
fn cloth_that_slides_and_buckles_needs_no_shorter_steps() {
    let scene = sleeve_on_an_arm(0.2);
    let integrator = Integrator::BackwardEuler;
    let settings = Settings {
        time_step: 0.01,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    for _ in 0..4 {
        let report = simulation.step();
        let (failed, iterations) = (report.failed_attempts, report.iterations());
        assert!(report.converged() && failed == 0, "at {} s: {failed}", simulation.time());
        assert!(iterations <= 40, "at {} s: {iterations}", simulation.time());
    }
    let touching = simulation.contacts().len();
    assert!(touching > 200, "{touching} touch");
}
