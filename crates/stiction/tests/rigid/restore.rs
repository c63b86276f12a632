//! Saved and restored, bodies go on as if nothing had happened.

use stiction::body::{Obstacle, Rigid, Solid};
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

#[test]
fn a_restored_run_has_the_same_bits() {
    for integrator in [Integrator::Bdf2, Integrator::Sdirk2, Integrator::Trapezoid] {
        let mut scene = Scene::new();
        let block = Solid::cuboid([0.1; 3], [2; 3]).expect("valid");
        let cube = Rigid::new(block.mesh.boundary().surface).at([0.0, 0.08, 0.0]);
        scene.add(cube.velocity([0.5, -0.5, 0.0]).spin([1.0, 2.0, -9.0]));
        scene.add(block.at([0.02, 0.2, 0.0]));
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let settings = Settings {
            time_step: 0.005,
            method: SmoothSettings { integrator, ..Default::default() }.into(),
            ..Default::default()
        };
        let mut first = Simulation::with_settings(&scene, settings).expect("valid");
        (0..20).for_each(|_| drop(first.step()));
        let saved = first.state();
        (0..20).for_each(|_| drop(first.step()));
        let mut second = Simulation::with_settings(&scene, settings).expect("valid");
        second.restore(&saved).expect("of the same scene");
        let mut touched = 0;
        for _ in 0..20 {
            second.step();
            touched += second.contacts().len();
        }
        assert!(touched > 0, "{touched} contacts");
        assert_eq!(first.trajectory().q, second.trajectory().q, "{integrator}");
        assert_eq!(first.trajectory().v, second.trajectory().v, "{integrator}");
    }
}
