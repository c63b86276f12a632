//! The penalties of textbooks, on a cube that touches a plane with sixteen points.

use stiction::body::{BodyId, Obstacle, Rigid, Solid};
use stiction::contact::{ContactRule, Friction};
use stiction::math::Vector3;
use stiction::method::smooth::penalty::Push;
use stiction::method::smooth::{ContactSettings, Law, NormalLaw};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::run;

const POINTS: f64 = 16.0;
const MASS: f64 = 8.0;

struct Given {
    gravity: Vector3,
    gap: f64,
    velocity: f64,
    time_step: f64,
    contact: ContactSettings,
}

impl Given {
    fn normal(push: Push, damping: f64, rebound: f64) -> ContactSettings {
        let normal = NormalLaw { push, damping, rebound };
        ContactSettings { normal, max_stiffenings: 0, ..ContactSettings::default() }
    }

    fn start(&self, thickness: f64, stiffness: f64) -> (Simulation, BodyId) {
        let mut scene = Scene::new();
        scene.gravity = self.gravity;
        let cube = Solid::cuboid([0.2; 3], [3; 3]).expect("valid");
        let cube = Rigid::new(cube.mesh.boundary().surface);
        let cube = cube.at([0.0, 0.1 + self.gap, 0.0]).velocity([0.0, self.velocity, 0.0]);
        let cube = scene.add(cube);
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        scene.contacts.push(ContactRule {
            friction: Friction::coulomb(1.0),
            thickness: Some(thickness),
            stiffness: Some(stiffness),
            ..ContactRule::new(cube, plane)
        });
        let mut settings = Settings { time_step: self.time_step, ..Default::default() };
        (settings.smooth().integrator, settings.smooth().solver.contact) =
            (Integrator::Bdf2, self.contact);
        (Simulation::with_settings(&scene, settings).expect("valid"), cube)
    }
}

/// Speed after a cube of speed 1 m/s bounced.
fn bounce(contact: ContactSettings) -> f64 {
    let still = Vector3::zeros();
    let given = Given { gravity: still, gap: 0.0101, velocity: -1.0, time_step: 1e-4, contact };
    let (mut simulation, cube) = given.start(0.01, 2e4);
    run(&mut simulation, 0.1);
    simulation.rigid_state(cube).expect("rigid").velocity.y
}

/// Depth at which it rests under its weight.
fn rest(push: Push, thickness: f64, stiffness: f64) -> f64 {
    let contact = Given::normal(push, 1.0, 1.0);
    let gravity = Vector3::new(0.0, -9.81, 0.0);
    let given = Given { gravity, gap: thickness, velocity: 0.0, time_step: 0.01, contact };
    let (mut simulation, cube) = given.start(thickness, stiffness);
    run(&mut simulation, 2.0);
    let state = simulation.rigid_state(cube).expect("rigid");
    assert!(state.velocity.norm() < 1e-9, "still moves: {:?}", state.velocity);
    thickness - (state.center.y - 0.1)
}

#[test]
fn springs_give_way_by_weight_over_stiffness() {
    let depth = rest(Push::Power(1.0), 1e-3, 1e4);
    let expected = MASS * 9.81 / (POINTS * 1.5e4);
    assert!((depth / expected - 1.0).abs() < 1e-6, "{depth}, not {expected}");
}

#[test]
fn exponential_pushes_give_way_by_a_logarithm() {
    let (thickness, stiffness, share) = (1e-3, 1e4, 0.125);
    let depth = rest(Push::Exponential(share), thickness, stiffness);
    let part = MASS * 9.81 / POINTS / (0.75 * stiffness * thickness);
    let expected = share * thickness * (part * (0.5_f64 / share).exp_m1()).ln_1p();
    assert!((depth / expected - 1.0).abs() < 1e-6, "{depth}, not {expected}");
}

#[test]
fn a_bounce_returns_its_energy_or_the_part_it_is_told_to() {
    for push in [Push::Power(1.0), Push::Power(2.0), Push::Exponential(0.125)] {
        for rebound in [1.0, 0.49, 0.04] {
            let speed = bounce(Given::normal(push, 0.0, rebound));
            let expected = f64::sqrt(rebound);
            assert!((speed - expected).abs() < 0.02, "{push:?}, {rebound}: {speed}");
        }
    }
}

/// A critically damped spring that cannot pull lets go where `k x + c ẋ = 0`, at `ω t = 2`, with `e⁻²` of the speed.
#[test]
fn a_critically_damped_spring_returns_an_eighth_of_the_speed() {
    let speed = bounce(Given::normal(Push::Power(1.0), 1.0, 1.0));
    assert!((speed - (-2.0_f64).exp()).abs() < 0.01, "{speed}");
}

#[test]
fn viscous_friction_creeps_as_it_is_told() {
    let resistance = 200.0;
    let law = Law::Viscous { resistance };
    let contact = ContactSettings { law, ..Given::normal(Push::Power(2.0), 1.0, 1.0) };
    let gravity = Vector3::new(0.1, -1.0, 0.0).normalize() * 9.81;
    let given = Given { gravity, gap: 5e-4, velocity: 0.0, time_step: 0.01, contact };
    let (mut simulation, cube) = given.start(1e-3, 1e4);
    run(&mut simulation, 1.0);
    let speed = simulation.rigid_state(cube).expect("rigid").velocity.x;
    let expected = MASS * gravity.x / (POINTS * resistance);
    assert!((speed / expected - 1.0).abs() < 1e-4, "{speed}, not {expected}");
}
