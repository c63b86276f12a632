//! Joints beside contacts: what they do in a step is what they do at its end.

use stiction::Scene;
use stiction::body::{BodyId, End, Joint, JointId, Target};
use stiction::math::Vector3;

use crate::common::{ball, block, simulation};

/// A rod that is let go level, and another one on its far end.
fn double_pendulum() -> (Scene, [JointId; 2]) {
    let mut scene = Scene::new();
    let [a, b] = [0.25, 0.75].map(|x| scene.add(block([0.5, 0.05, 0.05]).at([x, 0.0, 0.0])));
    let axis = [0.0, 0.0, 1.0];
    let top = scene.joint(Joint::hinge(End::World, a, [0.0; 3], axis));
    let middle = scene.joint(Joint::hinge(a, b, [0.5, 0.0, 0.0], axis));
    (scene, [top, middle])
}

/// What swings leaves the tangent of its circle by `(ω h)²/2` of its radius in a step, some millimetres here. Joints
/// that were linearised once a step pulled it back in the next one, and made energy of it.
#[test]
fn what_swings_stays_in_its_joints_and_gains_no_energy() {
    let (scene, joints) = double_pendulum();
    let mut simulation = simulation(&scene, 0.01, 1e-9);
    let mut before = simulation.energies().total();
    for _ in 0..200 {
        let report = simulation.step();
        assert!(report.converged() && report.sub_steps == 1, "{report:?}");
        let after = simulation.energies().total();
        assert!(after <= before + 1e-6, "{before} J before, {after} J after {} s", report.time);
        before = after;
        for joint in joints {
            let gap = simulation.joint(joint).gap;
            assert!(gap < 2e-6, "a gap of {gap} m after {} s", report.time);
        }
    }
}

/// A motor on a ball, with or without a stop.
fn driven(strength: f64, limit: Option<f64>) -> (Scene, BodyId, JointId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let body = scene.add(ball(0.05));
    let mut axle = Joint::hinge(End::World, body, [0.0; 3], [0.0, 0.0, 1.0]);
    axle = axle.motor(Target::Speed(-10.0), strength);
    if let Some(limit) = limit {
        axle = axle.limits(-limit, limit);
    }
    let axle = scene.joint(axle);
    (scene, body, axle)
}

/// 20 N·m for all of a step would make it 190 rad/s; a weaker one gives what it can.
#[test]
fn a_motor_pulls_no_longer_than_it_has_to() {
    let h = 5e-3;
    for strength in [20.0, 0.1] {
        let (scene, body, _) = driven(strength, None);
        let mut simulation = simulation(&scene, h, 1e-10);
        let report = simulation.step();
        assert!(report.converged() && report.sub_steps == 1, "{report:?}");
        let state = simulation.rigid_state(body).expect("rigid");
        let expected = -10.0_f64.min(strength * h / state.inertia.m33);
        let spin = state.spin.z;
        // Stiff, but a spring: a thousandth of what its joint is.
        assert!((spin - expected).abs() < 0.02 * expected.abs(), "{spin} rad/s, not {expected}");
    }
}

/// A motor that reaches its stop within a step stands there, and pushes against it without a tremor.
#[test]
fn a_stop_holds_what_a_motor_drives() {
    let (scene, body, axle) = driven(20.0, Some(0.2));
    let mut simulation = simulation(&scene, 5e-3, 1e-10);
    for step in 0..100 {
        let report = simulation.step();
        assert!(report.converged() && report.sub_steps == 1, "{report:?}");
        let angle = simulation.joint(axle).coordinate;
        assert!(angle > -0.2 - 1e-4, "at {angle} rad after step {step}");
        if step > 50 {
            let spin = simulation.rigid_state(body).expect("rigid").spin.norm();
            assert!(spin < 1e-6, "{spin} rad/s after step {step}");
        }
    }
}
