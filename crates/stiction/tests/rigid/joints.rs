//! Joints: what they let through, what they hold, how far they drift.

use std::f64::consts::{FRAC_PI_2, TAU};

use stiction::body::{BodyId, End, Joint, JointId, Profile, Solid, Target};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::{block, run};

const ROD: [f64; 3] = [1.0, 0.1, 0.1];

fn weightless() -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    scene
}

fn simulation(scene: &Scene, h: f64, integrator: Integrator) -> Simulation {
    let settings = Settings {
        time_step: h,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Default::default()
    };
    Simulation::with_settings(scene, settings).expect("valid")
}

fn step(simulation: &mut Simulation) {
    let report = simulation.step();
    assert!(report.converged(), "{report:?}");
}

fn spin(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").spin
}

fn center(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").center
}

/// A rod that hangs from one end, let go at `angle` from the vertical.
fn pendulum(angle: f64) -> (Scene, BodyId, JointId) {
    let mut scene = Scene::new();
    let (sin, cos) = angle.sin_cos();
    let rod =
        block(ROD).turned([0.0, 0.0, 1.0], angle - FRAC_PI_2).at([0.5 * sin, -0.5 * cos, 0.0]);
    let rod = scene.add(rod);
    let hinge = scene.joint(Joint::hinge(End::World, rod, [0.0; 3], [0.0, 0.0, 1.0]));
    (scene, rod, hinge)
}

#[test]
fn a_physical_pendulum_has_the_period_of_the_closed_form() {
    let start = 1.0_f64;
    let (scene, _, hinge) = pendulum(start);
    let mut simulation = simulation(&scene, 2e-3, Integrator::Trapezoid);
    // About its end, per mass; a box is a little thicker than a line.
    let inertia: f64 = (1.0 + 0.1 * 0.1) / 12.0 + 0.25;
    // The complete elliptic integral, by the arithmetic–geometric mean.
    let (mut a, mut g) = (1.0, (0.5 * start).cos());
    for _ in 0..6 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    let period = TAU * (inertia / (9.81 * 0.5)).sqrt() / a;
    // Passes the vertical for the third time after five quarters.
    let (mut before, mut crossings, mut drift) = (start, Vec::new(), 0.0_f64);
    while crossings.len() < 3 {
        step(&mut simulation);
        let state = simulation.joint(hinge);
        let angle = start + state.coordinate;
        if angle * before < 0.0 {
            crossings.push(simulation.time() - 2e-3 * angle / (angle - before));
        }
        (before, drift) = (angle, drift.max(state.gap));
    }
    let measured = crossings[2] - crossings[0];
    assert!((measured / period - 1.0).abs() < 2e-5, "{measured} s, not {period} s");
    assert!(drift < 1e-6, "drifts by {drift:e} m");
}

/// What a double pendulum gains or loses at most in two seconds, relative to its kinetic energy, and how far it drifts.
fn double_pendulum(h: f64) -> (f64, f64) {
    let mut scene = Scene::new();
    let links = [0.5, 1.5].map(|x| scene.add(block(ROD).at([x, 0.0, 0.0])));
    scene.joint(Joint::hinge(End::World, links[0], [0.0; 3], [0.0, 0.0, 1.0]));
    let joint = scene.joint(Joint::hinge(links[0], links[1], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    let mut simulation = simulation(&scene, h, Integrator::Bdf2);
    let start = simulation.energies().total();
    let (mut off, mut most, mut drift) = (0.0_f64, 0.0_f64, 0.0_f64);
    while simulation.time() < 2.0 {
        step(&mut simulation);
        let energies = simulation.energies();
        off = off.max((energies.total() - start).abs());
        most = most.max(energies.kinetic);
        drift = drift.max(simulation.joint(joint).gap);
    }
    (off / most, drift)
}

#[test]
fn a_double_pendulum_loses_a_quarter_of_the_energy_in_steps_of_half_the_length() {
    let [(coarse, drift), (fine, _)] = [2e-3, 1e-3].map(double_pendulum);
    assert!(coarse < 2e-3 && coarse > 3.5 * fine, "{coarse} and {fine}");
    assert!(drift < 3e-6, "drifts by {drift:e} m");
}

#[test]
fn a_chain_of_ten_links_does_not_drift_apart() {
    let mut scene = Scene::new();
    let mut joints = Vec::new();
    let mut above = End::World;
    for k in 0..10 {
        let x = 0.2 * f64::from(k);
        let link = scene.add(block([0.2, 0.04, 0.04]).at([x + 0.1, 0.0, 0.0]));
        joints.push(scene.joint(Joint::ball(above, link, [x, 0.0, 0.0])));
        above = link.into();
    }
    let mut settings = Settings {
        time_step: 5e-3,
        method: SmoothSettings { integrator: Integrator::Bdf2, ..Default::default() }.into(),
        ..Default::default()
    };
    settings.smooth().solver.contact.enabled = false;
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let mut drift = 0.0_f64;
    while simulation.time() < 3.0 {
        step(&mut simulation);
        for &joint in &joints {
            drift = drift.max(simulation.joint(joint).gap);
        }
    }
    // Ten weights, and the end of a chain that falls is a whip.
    assert!(drift < 1e-5 * 0.2, "{drift:e} m");
}

#[test]
fn a_slider_falls_along_its_axis_and_nowhere_else() {
    let mut scene = Scene::new();
    let axis = Vector3::new(1.0, -1.0, 0.5).normalize();
    let body = scene.add(block([0.3, 0.2, 0.1]).at([0.4, 0.0, 0.1]));
    let slider = scene.joint(Joint::slider(End::World, body, [0.0; 3], axis));
    let start = Vector3::new(0.4, 0.0, 0.1);
    let mut simulation = simulation(&scene, 5e-3, Integrator::Trapezoid);
    run(&mut simulation, 1.0);
    let moved = center(&simulation, body) - start;
    let expected = 0.5 * scene.gravity.dot(&axis);
    assert!((moved.dot(&axis) / expected - 1.0).abs() < 1e-6, "{moved:?}");
    assert!((simulation.joint(slider).coordinate / expected - 1.0).abs() < 1e-6);
    let across = (moved - axis * moved.dot(&axis)).norm();
    assert!(across < 1e-6, "{across:e} m aside");
    assert!(simulation.joint(slider).tilt < 1e-6);
}

#[test]
fn a_cylinder_slides_and_turns() {
    let mut scene = weightless();
    let body = block([0.1, 0.1, 0.4]).spin([0.0, 0.0, 3.0]).velocity([0.5, 0.0, 2.0]);
    let body = scene.add(body);
    let joint = scene.joint(Joint::cylindrical(End::World, body, [0.0; 3], [0.0, 0.0, 1.0]));
    let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
    run(&mut simulation, 1.0);
    assert!((spin(&simulation, body) - Vector3::z() * 3.0).norm() < 1e-4);
    let state = simulation.joint(joint);
    assert!((state.coordinate - 2.0).abs() < 1e-4, "{state:?}");
    assert!(state.gap < 1e-6 && state.tilt < 1e-6, "{state:?}");
}

/// Two shafts at an angle `β`, the first driven: `ω₂/ω₁ = cos β / (1 − sin²β cos²θ)`.
#[test]
fn a_universal_joint_has_the_velocity_ratio_of_the_closed_form() {
    let mut scene = weightless();
    let bend = 0.6_f64;
    let (first, second) = (Vector3::x(), Vector3::new(bend.cos(), bend.sin(), 0.0));
    let a = scene.add(block([0.4, 0.1, 0.1]).at([-0.2, 0.0, 0.0]).spin(first * TAU));
    let out = block([0.4, 0.1, 0.1]).turned([0.0, 0.0, 1.0], bend).at(second * 0.2);
    // The first cross axis lies across both shafts: the second shaft turns slowest.
    let b = scene.add(out.spin(second * (TAU * bend.cos())));
    let motor = Joint::hinge(End::World, a, [-0.2, 0.0, 0.0], first);
    let motor = scene.joint(motor.motor(Target::Speed(TAU), f64::INFINITY));
    scene.joint(Joint::hinge(End::World, b, second * 0.2, second));
    let across = Vector3::z();
    scene.joint(Joint::universal(a, b, [0.0; 3], [across, across.cross(&second)]));
    let mut simulation = simulation(&scene, 2e-3, Integrator::Bdf2);
    let mut seen = [f64::INFINITY, 0.0];
    while simulation.time() < 1.0 {
        step(&mut simulation);
        let turned = simulation.joint(motor).coordinate;
        let ratio = spin(&simulation, b).dot(&second) / spin(&simulation, a).dot(&first);
        let expected = bend.cos() / (1.0 - (bend.sin() * turned.sin()).powi(2));
        assert!((ratio / expected - 1.0).abs() < 5e-3, "{turned}: {ratio}, not {expected}");
        seen = [seen[0].min(ratio), seen[1].max(ratio)];
    }
    assert!((seen[0] - bend.cos()).abs() < 5e-3 && (seen[1] - 1.0 / bend.cos()).abs() < 5e-3);
}

#[test]
fn gears_keep_their_ratio_over_many_turns() {
    let mut scene = weightless();
    let axis = [0.0, 0.0, 1.0];
    let wheels = [0.0, 0.5].map(|x| scene.add(block([0.2, 0.2, 0.1]).at([x, 0.0, 0.0])));
    let first = Joint::hinge(End::World, wheels[0], [0.0; 3], axis);
    let first = scene.joint(first.motor(Target::Speed(20.0), 10.0));
    let second = scene.joint(Joint::hinge(End::World, wheels[1], [0.5, 0.0, 0.0], axis));
    scene.gear(first, second, -2.5);
    let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
    run(&mut simulation, 2.0);
    let [a, b] = [first, second].map(|hinge| simulation.joint(hinge).coordinate);
    assert!(a > 4.0 * TAU, "{a}");
    assert!((b + 2.5 * a).abs() < 1e-6, "{b} of {a}");
    let spins = wheels.map(|wheel| spin(&simulation, wheel).z);
    assert!((spins[1] + 2.5 * spins[0]).abs() < 1e-3, "{spins:?}");
}

#[test]
fn limits_stop_hinges_sliders_balls_and_distances() {
    // A pendulum that falls to one side and stops short of the vertical.
    let (mut scene, ..) = pendulum(1.0);
    scene.joints[0].limits = Some([-0.4, 0.2]);
    let hinge = scene.joint_ids().next().expect("one");
    let mut swing = simulation(&scene, 5e-3, Integrator::Bdf2);
    let mut least = 0.0_f64;
    while swing.time() < 2.0 {
        step(&mut swing);
        least = least.min(swing.joint(hinge).coordinate);
    }
    let rest = swing.joint(hinge).coordinate;
    assert!((rest + 0.4).abs() < 1e-5 && least > -0.402, "{rest}, {least} at most");

    let mut scene = Scene::new();
    let body = scene.add(block([0.1; 3]));
    let slider = Joint::slider(End::World, body, [0.0; 3], [0.0, 1.0, 0.0]).limits(-0.3, 0.1);
    let slider = scene.joint(slider);
    let ball = scene.add(block(ROD).at([5.5, 0.0, 0.0]));
    let cone = Joint::ball(End::World, ball, [5.0, 0.0, 0.0]).cone([1.0, 0.0, 0.0], 0.5);
    scene.joint(cone);
    let yoyo = scene.add(block([0.1; 3]).at([9.0, 0.0, 0.0]));
    let string = Joint::distance(End::World, yoyo, [9.0, 0.1, 0.0], [9.0, 0.0, 0.0]);
    let string = scene.joint(string.limits(0.0, 0.25));
    let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
    run(&mut simulation, 2.0);
    assert!((simulation.joint(slider).coordinate + 0.3).abs() < 1e-5);
    let arm = center(&simulation, ball) - Vector3::new(5.0, 0.0, 0.0);
    assert!((arm.angle(&Vector3::x()) - 0.5).abs() < 1e-4, "{arm:?}");
    assert!((simulation.joint(string).coordinate - 0.25).abs() < 1e-5);
}

/// Predicted: the angle is the integral of the speed, and the place that it is told.
#[test]
fn motors_follow_profiles() {
    let profile = Profile::Points(vec![(0.2, 0.0), (0.6, 1.0), (1.0, 1.0), (1.2, -0.5)]);
    let whole = |t: f64| profile.integral(t);
    for (target, at) in [
        (Target::Speed(3.0), &(|t| 3.0 * whole(t)) as &dyn Fn(f64) -> f64),
        (Target::Place(0.8), &|t| 0.8 * profile.at(t)),
    ] {
        let mut scene = weightless();
        let wheel = scene.add(block([0.4, 0.4, 0.1]));
        let hinge = Joint::hinge(End::World, wheel, [0.0; 3], [0.0, 0.0, 1.0]);
        let motor = hinge.motor(target, f64::INFINITY).profile(profile.clone());
        let motor = scene.joint(motor);
        let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
        for until in [0.4, 0.8, 1.1, 1.6] {
            run(&mut simulation, until);
            let (found, expected) = (simulation.joint(motor).coordinate, at(until));
            assert!((found - expected).abs() < 2e-3, "{target:?}, {until} s: {found}, {expected}");
        }
    }
}

#[test]
fn a_motor_reaches_its_speed_with_no_more_than_its_strength() {
    let mut scene = weightless();
    let wheel = scene.add(block([0.4, 0.4, 0.1]));
    let motor = Joint::hinge(End::World, wheel, [0.0; 3], [0.0, 0.0, 1.0]);
    let motor = scene.joint(motor.motor(Target::Speed(10.0), 0.5));
    let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
    let inertia = 16.0 * (0.4 * 0.4 + 0.4 * 0.4) / 12.0;
    let spun_up = 10.0 * inertia / 0.5;
    run(&mut simulation, 0.5 * spun_up);
    let speed = spin(&simulation, wheel).z;
    assert!((speed / 5.0 - 1.0).abs() < 0.01, "halfway at {speed} rad/s");
    run(&mut simulation, 1.2 * spun_up);
    let speed = spin(&simulation, wheel).z;
    assert!((speed / 10.0 - 1.0).abs() < 1e-3, "{speed} rad/s");
    assert!(simulation.joint(motor).coordinate > TAU);
}

#[test]
fn a_motor_too_weak_for_its_load_slips_and_one_that_is_strong_enough_holds_its_place() {
    for (strength, wins) in [(60.0, true), (40.0, false)] {
        // The weight of 10 kg half a metre out: 49 N·m.
        let (mut scene, ..) = pendulum(FRAC_PI_2);
        scene.joints[0] = scene.joints[0].clone().motor(Target::Place(0.0), strength).damping(20.0);
        let hinge = scene.joint_ids().next().expect("one");
        let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
        run(&mut simulation, 3.0);
        let angle = simulation.joint(hinge).coordinate;
        // Where 49 N·m sin(angle from the vertical) is 40 N·m.
        let hangs = (40.0_f64 / (10.0 * 9.81 * 0.5)).asin() - FRAC_PI_2;
        let expected = if wins { 0.0 } else { hangs };
        assert!((angle - expected).abs() < 0.02, "{strength} N·m: {angle}, not {expected}");
    }
}

#[test]
fn a_fixed_joint_holds_a_cantilever() {
    let mut scene = Scene::new();
    let a = scene.add(block(ROD).at([0.5, 0.0, 0.0]));
    let b = scene.add(block(ROD).at([1.5, 0.0, 0.0]));
    let joints = [
        scene.joint(Joint::fixed(End::World, a, [0.0; 3])),
        scene.joint(Joint::fixed(a, b, [1.0, 0.0, 0.0])),
    ];
    let mut simulation = simulation(&scene, 5e-3, Integrator::Bdf2);
    run(&mut simulation, 1.0);
    for joint in joints {
        let state = simulation.joint(joint);
        assert!(state.gap < 1e-6 && state.tilt < 1e-6, "{state:?}");
    }
    let sag = (center(&simulation, b) - Vector3::new(1.5, 0.0, 0.0)).norm();
    assert!(sag < 3e-6, "{sag:e} m");
}

#[test]
fn compliance_is_what_it_says() {
    let mut scene = weightless();
    let body = scene.add(block([0.1; 3]));
    scene.gravity = Vector3::new(0.0, -10.0, 0.0);
    let soft = scene.joint(Joint::ball(End::World, body, [0.0; 3]).compliance(1e-3));
    let mut simulation = simulation(&scene, 0.01, Integrator::BackwardEuler);
    run(&mut simulation, 5.0);
    // 1 kg pulls with 10 N.
    assert!((simulation.joint(soft).gap - 0.01).abs() < 1e-6, "{:?}", simulation.joint(soft));
}

#[test]
fn a_soft_block_hangs_from_a_rigid_one() {
    let mut scene = Scene::new();
    let top = scene.add(block([0.3, 0.1, 0.3]).at([0.0, 0.5, 0.0]));
    let jelly = Solid::cuboid([0.2; 3], [2; 3]).expect("valid");
    let jelly = scene.add(jelly.material(Material::RUBBER).at([0.0, 0.34, 0.0]));
    scene.joint(Joint::fixed(End::World, top, [0.0, 0.5, 0.0]));
    let corners = [[-0.1, -0.1], [0.1, -0.1], [-0.1, 0.1], [0.1, 0.1]];
    let joints = corners.map(|[x, z]| scene.joint(Joint::ball(top, jelly, [x, 0.44, z])));
    let mut simulation = simulation(&scene, 0.01, Integrator::BackwardEuler);
    run(&mut simulation, 1.0);
    for joint in joints {
        assert!(simulation.joint(joint).gap < 1e-6, "{:?}", simulation.joint(joint));
    }
    let mean = simulation.positions(jelly).iter().sum::<Vector3>() / 27.0;
    assert!(mean.y < 0.34 && mean.y > 0.3, "{mean:?}");
}

#[test]
fn jointed_bodies_that_float_keep_their_momentum() {
    let mut scene = weightless();
    let a = scene.add(block(ROD).at([0.0; 3]).velocity([0.1, 0.2, -0.1]).spin([0.5, 1.0, 2.0]));
    let b = scene.add(block([0.3, 0.2, 0.1]).at([0.7, 0.0, 0.0]).spin([0.0, -2.0, 1.0]));
    let c = scene.add(block([0.2, 0.2, 0.2]).at([-0.7, 0.0, 0.0]));
    let d = scene.add(block([0.1, 0.3, 0.1]).at([-0.7, 0.4, 0.0]));
    let universal = [Vector3::y(), Vector3::z()];
    scene.joint(Joint::universal(a, b, [0.5, 0.0, 0.0], universal));
    let motor = Joint::hinge(a, c, [-0.55, 0.0, 0.0], [0.3, 1.0, 0.2]);
    scene.joint(motor.motor(Target::Speed(3.0), 0.5).damping(0.01));
    scene.joint(Joint::slider(c, d, [-0.7, 0.2, 0.0], [0.0, 1.0, 0.0]).limits(-0.05, 0.05));
    let mut simulation = simulation(&scene, 2e-3, Integrator::Trapezoid);
    let (linear, angular) = simulation.momentum();
    run(&mut simulation, 1.0);
    let (linear_after, angular_after) = simulation.momentum();
    assert!((linear_after - linear).norm() < 1e-5 * linear.norm(), "{linear_after:?}");
    let off = (angular_after - angular).norm() / angular.norm();
    assert!(off < 1e-3, "{angular:?}, then {angular_after:?}: {off:e}");
}

#[test]
fn a_saved_state_goes_on_to_the_same_bits() {
    let (mut scene, ..) = pendulum(2.0);
    scene.joints[0] = scene.joints[0].clone().motor(Target::Speed(7.0), 80.0);
    let mut one = simulation(&scene, 0.01, Integrator::Bdf2);
    run(&mut one, 0.5);
    let saved = one.state();
    run(&mut one, 1.0);
    let mut two = simulation(&scene, 0.01, Integrator::Bdf2);
    two.restore(&saved).expect("the same scene");
    run(&mut two, 1.0);
    assert_eq!(one.state(), two.state());
}

#[test]
fn joints_that_make_no_sense_are_refused() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 1.0].map(|x| scene.add(block([0.1; 3]).at([x, 0.0, 0.0])));
    let soft = scene.add(Solid::cuboid([0.1; 3], [1; 3]).expect("valid").at([3.0, 0.0, 0.0]));
    let other = {
        let mut bigger = scene.clone();
        bigger.add(block([0.1; 3]))
    };
    let (at, axis) = ([0.5, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let hinge = |a, b| Joint::hinge(End::Body(a), b, at, axis);
    let axes = [Vector3::x(), Vector3::new(1.0, 1.0, 0.0)];
    let wrong = [
        (hinge(a, a), "the second body"),
        (Joint::ball(End::World, End::World, at), "the second body"),
        (hinge(a, other), "but the scene has 3"),
        (Joint::hinge(a, b, at, [0.0; 3]), "axis"),
        (Joint::hinge(a, b, at, [f64::NAN, 0.0, 1.0]), "axis"),
        (Joint::hinge(a, b, [f64::INFINITY, 0.0, 0.0], axis), "place"),
        (hinge(a, b).limits(1.0, -1.0), "smaller one first"),
        (hinge(a, b).limits(f64::NAN, 1.0), "limits"),
        (Joint::fixed(a, b, at).limits(-1.0, 1.0), "limits"),
        (Joint::ball(a, b, at).cone(axis, 4.0), "cone"),
        (Joint::ball(a, b, at).motor(Target::Speed(1.0), 1.0), "motor"),
        (hinge(a, b).motor(Target::Speed(f64::NAN), 1.0), "target"),
        (hinge(a, b).motor(Target::Speed(1.0), -1.0), "strength"),
        (hinge(a, b).damping(-1.0), "damping"),
        (hinge(a, b).compliance(0.0), "compliance"),
        (Joint::universal(a, b, at, axes), "right angle"),
        (hinge(a, soft), "three balls"),
    ];
    for (joint, expected) in wrong {
        let mut scene = scene.clone();
        scene.joint(joint.clone());
        let error = Simulation::new(&scene).err().map(|error| error.to_string());
        let error = error.unwrap_or_else(|| panic!("{joint:?} is taken"));
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("help:"), "{error}");
    }
    let [first, second] = [a, b].map(|body| scene.joint(hinge(body, soft)));
    scene.joints[second.index()] = Joint::ball(a, b, at);
    scene.joints[first.index()] = hinge(a, b);
    for (gear, expected) in [((first, second, 1.0), "hinge"), ((first, first, 1.0), "different")] {
        let mut scene = scene.clone();
        scene.gear(gear.0, gear.1, gear.2);
        let error = Simulation::new(&scene).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    }
}
