//! What is no rigid body, and what cannot be done to one.

use stiction::body::{Matter, Rigid, Shape};
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::{Selection, generate};
use stiction::rigid::MassProperties;
use stiction::{Scene, Simulation};

fn ball() -> Rigid {
    Rigid::shape(&Shape::Sphere { radius: 0.1 }, 24).expect("a ball")
}

fn message(scene: &Scene) -> String {
    Simulation::new(scene).expect_err("refused").to_string()
}

fn alone(body: Rigid) -> Scene {
    let mut scene = Scene::new();
    scene.add(body.named("thing"));
    scene
}

#[test]
fn an_open_surface_has_no_mass() {
    let sheet = generate::disk(0.1, 0.03).expect("valid");
    let message = message(&alone(Rigid::new(sheet)));
    assert!(message.contains("'thing'") && message.contains("open"), "{message}");
}

#[test]
fn a_surface_inside_out_has_no_mass() {
    let solid = generate::ball(0.1, 0.05).expect("valid").boundary().surface;
    let triangles = solid.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let turned = stiction::mesh::TriSoup::new(solid.vertices().to_vec(), triangles).build();
    let message = message(&alone(Rigid::new(turned.expect("closed"))));
    assert!(message.contains("inside out"), "{message}");
}

#[test]
fn densities_and_inertias_that_no_body_has_are_refused() {
    let mesh = generate::ball(0.1, 0.05).expect("valid").boundary().surface;
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let body = Rigid::new(mesh.clone()).material(Matter::of_density(density));
        let message = message(&alone(body));
        assert!(message.contains("help:"), "{density}: {message}");
    }
    let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 3.0));
    assert!(MassProperties::new(1.0, Vector3::zeros(), inertia).is_err());
    assert!(MassProperties::new(1.0, Vector3::zeros(), -inertia).is_err());
}

#[test]
fn pins_and_welds_are_for_what_deforms() {
    let mut scene = Scene::new();
    let ball = scene.add(ball().named("ball"));
    scene.pin(ball, Selection::All);
    let message = message(&scene);
    assert!(message.contains("'ball'") && message.contains("rigid"), "{message}");
}

/// A million times as heavy as what it lies on.
#[test]
fn mass_ratios_of_a_million_are_solved() {
    let mut scene = Scene::new();
    let light = scene.add(ball().density(1.0).at([0.0, 0.1, 0.0]));
    let heavy = scene.add(ball().density(1e6).at([0.01, 0.301, 0.0]));
    scene.add(stiction::body::Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let mut simulation = Simulation::new(&scene).expect("valid");
    for _ in 0..10 {
        simulation.step();
        for body in [light, heavy] {
            let state = simulation.rigid_state(body).expect("rigid");
            assert!(state.velocity.norm() < 20.0, "{state:?}");
        }
    }
}

/// Ten thousand radians a second: more than a turn a step.
#[test]
fn fast_spins_stay_finite() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let ball = scene.add(ball().spin([0.0, 1e4, 0.0]));
    let mut simulation = Simulation::new(&scene).expect("valid");
    for _ in 0..20 {
        assert!(simulation.step().converged());
    }
    let state = simulation.rigid_state(ball).expect("rigid");
    assert!((state.spin.norm() / 1e4 - 1.0).abs() < 1e-3, "{state:?}");
}

#[test]
fn bodies_that_start_inside_each_other_come_apart_slowly() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let a = scene.add(ball());
    let b = scene.add(ball().at([0.15, 0.0, 0.0]));
    let mut simulation = Simulation::new(&scene).expect("valid");
    for _ in 0..40 {
        simulation.step();
        for body in [a, b] {
            let state = simulation.rigid_state(body).expect("rigid");
            assert!(state.velocity.norm() < 2.0, "{state:?}");
        }
    }
}
