//! Bodies that overlap, and what is done about it.

use stiction::body::{End, Joint, Obstacle, Shape, Solid};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::method::impulse::{ImpulseSettings, Stabilisation};
use stiction::{Scene, Simulation};

use crate::common::{ball, block, run, simulation, with};

fn baumgarte(correction: f64, compliance: f64) -> ImpulseSettings {
    let stabilisation = Stabilisation::Baumgarte { correction, compliance };
    ImpulseSettings { stabilisation, tolerance: 1e-12, ..ImpulseSettings::default() }
}

fn ball_on_ground(height: f64, gravity: f64) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.0, -gravity, 0.0);
    scene.add(ball(0.1).at([0.0, height, 0.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene
}

fn height(simulation: &Simulation, scene: &Scene) -> f64 {
    simulation.rigid_state(scene.ids().next().expect("one")).expect("rigid").center.y
}

/// V18: what is wrong decays by `1 − υ` a step. Pressed down hard enough that the contact holds: else the speed of a
/// step stays, and adds up.
#[test]
fn under_load_overlaps_decay_as_erp_says() {
    let correction = 0.2;
    let scene = ball_on_ground(0.09, 1000.0);
    let mut simulation = with(&scene, 0.01, baumgarte(correction, 0.0));
    for k in 1..=20 {
        run(&mut simulation, 0.01 * f64::from(k));
        let (gap, expected) =
            (height(&simulation, &scene) - 0.1, -0.01 * f64::powi(1.0 - correction, k));
        assert!((gap - expected).abs() < 1e-12, "{k}: {gap}, not {expected}");
    }
}

/// A contact that gives way is a spring: at rest `ε r = −υ g / h`.
#[test]
fn compliance_is_a_spring() {
    let scene = ball_on_ground(0.1, 9.81);
    let (correction, compliance, h) = (0.2, 1e-3, 0.01);
    let mut simulation = with(&scene, h, baumgarte(correction, compliance));
    run(&mut simulation, 2.0);
    let mass = simulation.model().node_masses().iter().sum::<f64>();
    let expected = -compliance * mass * 9.81 * h * h / correction;
    let gap = height(&simulation, &scene) - 0.1;
    assert!((gap / expected - 1.0).abs() < 1e-6, "{gap}, not {expected}");
}

/// V27: gone after one step, five passes at most, and nothing has moved for it.
#[test]
fn projection_moves_bodies_apart_without_making_them_faster() {
    let soft = Solid::cuboid([0.2; 3], [2; 3]).expect("valid").material(Material::RUBBER);
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    // Balls in a row, the first one in the ground; turned boxes; a rod that a hinge holds; a soft cube in the ground.
    for k in 0..3 {
        scene.add(ball(0.1).at([0.0, 0.09 + 0.19 * f64::from(k), 0.0]));
    }
    scene.add(block([0.2, 0.1, 0.1]).at([1.0, 0.5, 0.0]).turned([0.0, 0.0, 1.0], 0.3));
    scene.add(block([0.2, 0.1, 0.1]).at([1.05, 0.57, 0.0]).turned([0.0, 1.0, 0.0], 0.4));
    let rod = scene.add(block([0.6, 0.1, 0.1]).at([2.3, 0.049, 0.0]));
    scene.joint(Joint::hinge(End::World, rod, [2.0, 0.049, 0.0], [0.0, 0.0, 1.0]));
    scene.add(soft.at([3.0, 0.095, 0.0]));
    let mut simulation = simulation(&scene, 0.01, 1e-10);
    let report = simulation.step();
    assert!(report.converged(), "{report:?}");
    // A ten-thousandth of the smaller body may stay.
    assert_eq!(report.contact.overlap, None, "{:?}", report.contact);
    assert!(report.contact.smallest_gap > -2e-5, "{:?}", report.contact);
    let kinetic = simulation.energies().kinetic;
    assert!(kinetic < 1e-12, "{kinetic} J");
}

/// The same overlap, both ways: Baumgarte's leaves a body that flies.
#[test]
fn baumgarte_adds_energy_and_projection_does_not() {
    let scene = ball_on_ground(0.09, 9.81);
    let highest = |settings: ImpulseSettings| {
        let mut simulation = with(&scene, 0.01, settings);
        let heights = (0..60).map(|_| {
            assert!(simulation.step().converged());
            height(&simulation, &scene)
        });
        heights.fold(0.0, f64::max)
    };
    let (projected, pushed) = (highest(ImpulseSettings::default()), highest(baumgarte(0.8, 0.0)));
    assert!(projected < 0.1 + 1e-5, "{projected} m");
    assert!(pushed > 0.12, "{pushed} m");
}

/// Nothing helps a ball between walls that are too close; nothing explodes either, and the report says so.
#[test]
fn what_is_jammed_stays_where_it_is() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let ball = scene.add(ball(0.1).at([0.01, 0.0, 0.0]));
    for side in [-1.0, 1.0] {
        let mut wall =
            Obstacle::new(Shape::Box { size: Vector3::new(0.1, 1.0, 1.0), rounding: 0.0 });
        wall.placement = wall.placement.with_translation(Vector3::new(0.14 * side, 0.0, 0.0));
        scene.add(wall);
    }
    let mut simulation = simulation(&scene, 0.01, 1e-8);
    for _ in 0..50 {
        let report = simulation.step();
        assert!(report.contact.smallest_gap < -9e-3, "{report:?}");
    }
    let state = simulation.rigid_state(ball).expect("rigid");
    assert!(state.center.x.abs() < 1e-3, "shared by both: {:?}", state.center);
    assert!(state.velocity.x.abs() < 1e-6, "{:?}", state.velocity);
}
