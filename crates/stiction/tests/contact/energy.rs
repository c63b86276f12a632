//! Friction takes energy and gives none; without friction none is lost.

use crate::support::*;
use stiction::body::{Obstacle, Shape, Solid};
use stiction::contact::Friction;
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::smooth::Law;
use stiction::step::Integrator;
use stiction::{Scene, Simulation};

/// A damped cube that hits a slope, slides, and comes to rest on it.
fn cube_on_slope(friction: Friction) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(GRAVITY * TEN_DEGREES.sin(), -GRAVITY * TEN_DEGREES.cos(), 0.0);
    scene.friction = friction;
    let damping = Damping { mass: 0.0, stiffness: 1e-2 };
    let material = Material::SILICONE.with_damping(damping).expect("valid");
    let cube = Solid::cuboid([0.2; 3], [2; 3]).expect("valid").material(material);
    scene.add(cube.turned([1.0, 0.2, 0.5], 0.2).at([0.0, 0.15, 0.0]).velocity([0.7, -0.5, 0.3]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene
}

#[test]
fn friction_never_gives_energy() {
    let smoothed = Law::Smoothed { profile: Default::default(), epsilon: 1e-3 };
    for law in [Law::default(), anchored(1.0), Law::Exact, smoothed] {
        for integrator in SCHEMES {
            let scene = cube_on_slope(Friction::coulomb(0.3));
            let mut settings = settings(integrator, 0.01, law);
            settings.smooth().solver.tolerance = 1e-8;
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            let start = simulation.energies().total();
            let (mut last, mut gain, mut slid) = (start, 0.0_f64, 0);
            for _ in 0..100 {
                advance(&mut simulation, 1);
                for contact in simulation.contacts().iter().filter(|contact| contact.sliding) {
                    slid += 1;
                    let power = contact.friction.dot(&contact.slip_velocity);
                    // Soft springs give a little back where a slide turns round.
                    let soft = law == anchored(1.0);
                    assert!(soft || power <= 1e-12, "{integrator}, {law:?}: {power:e} W");
                    let cap = contact.coefficient * contact.normal_force;
                    let friction = contact.friction.norm();
                    assert!(friction <= cap + 1e-7, "{integrator}, {law:?}: {contact:?}");
                }
                let now = simulation.energies().total();
                gain = gain.max(now - last);
                last = now;
            }
            assert!(slid > 100, "{integrator}, {law:?}: {slid} times a contact slid");
            let dissipated = start - last;
            assert!(
                gain < 1e-10 * dissipated,
                "{integrator}, {law:?}: gains {gain:e} J, takes {dissipated} J"
            );
        }
    }
}

#[test]
fn energy_at_rest_does_not_grow() {
    for integrator in SCHEMES {
        let scene = cube_on_slope(Friction::coulomb(0.5));
        let mut settings = settings(integrator, 0.01, Law::default());
        settings.smooth().solver.tolerance = 1e-8;
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let start = simulation.energies().total();
        advance(&mut simulation, 300);
        let (mut last, mut gain) = (simulation.energies().total(), 0.0_f64);
        let dissipated = start - last;
        for _ in 0..200 {
            advance(&mut simulation, 1);
            let now = simulation.energies().total();
            gain = gain.max(now - last);
            last = now;
        }
        assert!(gain < 1e-10 * dissipated, "{integrator}: gains {gain:e} J of {dissipated} J");
    }
}

/// A ball that bounces without friction, under schemes that keep energy: as high again.
#[test]
fn contacts_without_friction_keep_the_energy() {
    let mut scene = Scene::new();
    scene.friction = Friction::NONE;
    let points = point_masses([Vector3::x(), Vector3::z(), -Vector3::x()].map(|x| x * 0.1));
    scene.add(points.at([0.0, 0.05, 0.0]).velocity([0.4, 0.0, 0.2]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let body = scene.ids().next().expect("points");
    let rule = scene.contact(body, plane);
    rule.thickness = Some(1e-2);
    rule.stiffness = Some(4.0 * 500.0 / (3.0 * 1e-2));
    // At any time, and in the end.
    for (integrator, [during, after]) in [
        (Integrator::Trapezoid, [1e-3, 2e-6]),
        (Integrator::Newmark { beta: 0.25, gamma: 0.5 }, [1e-3, 2e-6]),
        (Integrator::Sdirk2, [5e-4, 5e-5]),
        (Integrator::TR_BDF2, [5e-4, 5e-5]),
    ] {
        let settings = settings(integrator, 2e-4, Law::default());
        let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
        let start = simulation.energies().total();
        let mut bounces = 0;
        let mut touching = false;
        let mut worst = 0.0_f64;
        while simulation.time() < 1.0 {
            let report = advance(&mut simulation, 1);
            let now = report.contact.touching > 0;
            bounces += usize::from(now && !touching);
            touching = now;
            worst = worst.max((simulation.energies().total() / start - 1.0).abs());
        }
        assert!(bounces >= 4, "{integrator}: {bounces} bounces");
        assert!(worst < during, "{integrator}: {worst:e}");
        let end = (simulation.energies().total() / start - 1.0).abs();
        assert!(end < after, "{integrator}: {end:e}");
        let v = &simulation.trajectory().v;
        assert!(
            (v[0] - 0.4).abs() < 1e-9 && (v[2] - 0.2).abs() < 1e-9,
            "{integrator}: pushed along"
        );
    }
}

/// A rubber ball thrown at a floor: by how much its energy grows at most, and in the end, as shares of the start, and
/// how often contacts were stiffened.
fn thrown(integrator: Integrator, speed: f64, h: f64, stiffness: Option<f64>) -> (f64, f64, u32) {
    let undamped = Damping { mass: 0.0, stiffness: 0.0 };
    let rubber = Material::RUBBER.with_youngs_modulus(5e5).and_then(|m| m.with_damping(undamped));
    let mut scene = Scene::new();
    scene.friction = Friction::NONE;
    let ball = Solid::ball(0.05, 0.025).expect("valid").material(rubber.expect("valid"));
    let ball = scene.add(ball.at([0.0, 0.06, 0.0]).velocity([0.0, -speed, 0.0]));
    let floor = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.contact(ball, floor).stiffness = stiffness;
    let mut settings = settings(integrator, h, Law::default());
    settings.smooth().solver.tolerance = 1e-6;
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let start = simulation.energies().total();
    let (mut most, mut stiffened) = (start, 0);
    for _ in 0..80 {
        stiffened += advance(&mut simulation, 1).contact.stiffenings;
        most = most.max(simulation.energies().total());
    }
    (most / start - 1.0, simulation.energies().total() / start - 1.0, stiffened)
}

/// A floor so soft at first that it is stiffened on the way, also below vertices that press on it already. Predicted:
/// the ball leaves it with no more energy than it had, as it leaves one that is stiff from the start, within the 2 % by
/// which the schemes' own losses in the bounce differ; the trapezoid rule, which loses none, ends no higher there.
/// Recorded: what is there too much while it presses, in layers that were made stiffer.
#[test]
fn a_ball_leaves_contacts_that_are_stiffened_with_no_more_energy() {
    let (bdf2, tr_bdf2, sdirk2) = (Integrator::Bdf2, Integrator::TR_BDF2, Integrator::Sdirk2);
    let slow = [(bdf2, 0.0), (tr_bdf2, 0.0), (sdirk2, 0.0086), (Integrator::Trapezoid, 0.0031)];
    // Where the trapezoid rule would ring.
    let fast = [(bdf2, 0.0), (tr_bdf2, 0.055), (sdirk2, 0.0331)];
    let slow = slow.map(|(integrator, recorded)| (integrator, recorded, 3.0, 1e-3));
    let fast = fast.map(|(integrator, recorded)| (integrator, recorded, 10.0, 2e-4));
    for (integrator, recorded, speed, h) in slow.into_iter().chain(fast) {
        let (most, end, stiffened) = thrown(integrator, speed, h, None);
        let (_, stiff, few) = thrown(integrator, speed, h, Some(3e5));
        assert!(stiffened > few, "{integrator}, {speed} m/s: {stiffened}, {few} times");
        let undamped = integrator == Integrator::Trapezoid;
        let bound = if undamped { stiff } else { 0.0 };
        assert!(end < bound, "{integrator}, {speed} m/s: {end} of the start too much");
        assert!((end - stiff).abs() < 0.02, "{integrator}, {speed} m/s: {end}, not {stiff}");
        assert!(most < 1.02 * recorded + 1e-6, "{integrator}, {speed} m/s: {most} on the way");
    }
}

/// A soft cube slides over a ball without friction: minimisation, not Newton.
#[test]
fn bodies_without_friction_slide_off() {
    let mut scene = Scene::new();
    scene.friction = Friction::NONE;
    let cube = Solid::cuboid([0.2; 3], [3; 3]).expect("valid");
    let cube = scene.add(cube.at([0.05, 0.31, 0.0]));
    scene.add(Obstacle::new(Shape::Sphere { radius: 0.2 }));
    let mut settings = settings(Integrator::Bdf2, 0.005, Law::default());
    settings.smooth().solver.tolerance = 1e-7;
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let start = simulation.energies().total();
    for _ in 0..160 {
        advance(&mut simulation, 1);
        for contact in simulation.contacts() {
            assert!(contact.friction.norm() == 0.0, "{contact:?}");
        }
    }
    let end = simulation.energies().total();
    assert!(middle(&simulation, cube).y < 0.0, "fell off");
    assert!(end < start + 1e-6 && end > start - 0.3 * start.abs(), "{start} J to {end} J");
}
