//! Joints and contacts in one step.

use stiction::Scene;
use stiction::body::{End, Joint, Obstacle, Shape, Target};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction_check::scenes::{GRAVITY, ball, block, contact_force, floor};

use crate::harness::{Run, Verdict, claims, near, within};
use crate::methods::Method;

claims!(
    "joints": a_hinge_and_a_ball_share_a_load, bodies_that_are_joined_do_not_touch,
    bodies_that_are_joined_touch_if_told_so,
    a_fixed_joint_carries_to_the_floor, rollers_drive_a_plank, a_load_lies_on_a_door_at_its_limit
);

/// Ten kilograms half a metre out, held 0.8 m out.
fn a_hinge_and_a_ball_share_a_load(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let rod = scene.add(block([1.0, 0.1, 0.1]).at([0.5, 0.0, 0.0]));
    let hinge = scene.joint(Joint::hinge(End::World, rod, [0.0; 3], [0.0, 0.0, 1.0]));
    let prop = Obstacle::new(Shape::Sphere { radius: 0.1 }).at([0.8, -0.151, 0.0]);
    let prop = scene.add(prop);
    scene.friction_between(rod, prop, 0.0);
    let run = Run::new(method, scene, rod, 0.01)?.to(1.0)?;
    let expected = 98.1 * 0.5 / 0.8;
    let carried = contact_force(&run.simulation, rod, Some(prop)).norm();
    near("share of the ball", carried, expected, 0.01 * expected)?;
    within("drift", run.simulation.joint(hinge).gap, 0.0, 1e-6)
}

/// Two boxes that overlap, with a hinge between them.
fn folded(joint: impl Fn(Joint) -> Joint) -> (Scene, [stiction::body::BodyId; 2]) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let a = scene.add(block([0.2, 0.1, 0.1]).at([-0.09, 0.0, 0.0]));
    let b = scene.add(block([0.2, 0.1, 0.1]).at([0.09, 0.0, 0.0]));
    scene.joint(joint(Joint::hinge(a, b, [0.0; 3], [0.0, 0.0, 1.0])));
    (scene, [a, b])
}

fn bodies_that_are_joined_do_not_touch(method: &Method) -> Verdict {
    let (scene, [a, b]) = folded(|joint| joint);
    let run = Run::new(method, scene, a, 5e-3)?.to(0.05)?;
    near("contacts", run.simulation.contacts().len() as f64, 0.0, 0.0)?;
    let moved = run.simulation.rigid_state(b).map_or(f64::NAN, |state| state.center.x) - 0.09;
    near("moved", moved, 0.0, 1e-9)
}

/// A hammer on a hinge falls on the anvil it is hinged to.
fn bodies_that_are_joined_touch_if_told_so(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let anvil = scene.add(block([0.6, 0.1, 0.2]).at([0.0, 0.05, 0.0]));
    let hammer = scene.add(block([0.4, 0.1, 0.1]).at([0.0, 0.18, 0.0]));
    scene.contact(hammer, floor).enabled = false;
    let mut joint = Joint::hinge(anvil, hammer, [-0.2, 0.18, 0.0], [0.0, 0.0, 1.0]);
    joint.touching = true;
    scene.joint(joint);
    let run = Run::new(method, scene, hammer, 5e-3)?.to(0.8)?;
    // It leans on the anvil with its far edge, 3 cm lower than it started.
    let center = run.center();
    within("height", center.y, 0.14, 0.175)?;
    within("force", contact_force(&run.simulation, hammer, Some(anvil)).y, 10.0, 40.0)
}

fn a_fixed_joint_carries_to_the_floor(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let low = scene.add(block([0.2, 0.1, 0.2]).at([0.0, 0.05, 0.0]));
    let high = scene.add(block([0.1; 3]).at([0.04, 0.2, 0.0]));
    scene.joint(Joint::fixed(low, high, [0.0, 0.1, 0.0]));
    let run = Run::new(method, scene, low, 5e-3)?.to(0.5)?;
    let weight = 5.0 * GRAVITY;
    let force = contact_force(&run.simulation, low, Some(floor));
    near("force", force.y, weight, 0.01 * weight)?;
    near("of the upper one", contact_force(&run.simulation, high, None).norm(), 0.0, 1e-9)
}

/// A plank on four rollers that turn is taken along.
fn rollers_drive_a_plank(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    for (x, z) in [(-0.3, -0.1), (-0.3, 0.1), (0.3, -0.1), (0.3, 0.1)] {
        let roller = scene.add(ball(0.05).at([x, -0.05, z]));
        let axle = Joint::hinge(End::World, roller, [x, -0.05, z], [0.0, 0.0, 1.0]);
        scene.joint(axle.motor(Target::Speed(-10.0), 20.0));
    }
    let plank = scene.add(block([1.4, 0.04, 0.4]).at([0.0, 0.0205, 0.0]));
    scene.friction = Friction::coulomb(0.5);
    let run = Run::new(method, scene, plank, 5e-3)?.to(0.5)?;
    near("speed", run.velocity().x, 0.5, 0.02)?;
    near("height", run.center().y, 0.02, 2e-3)
}

/// A trapdoor that opens by a twentieth of a radian, and is stopped there.
fn a_load_lies_on_a_door_at_its_limit(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let door = scene.add(block([0.5, 0.04, 0.2]).at([0.25, 0.0, 0.0]));
    let joint = Joint::hinge(End::World, door, [0.0; 3], [0.0, 0.0, 1.0]);
    scene.joint(joint.limits(-0.05, 0.05));
    let load = scene.add(block([0.1; 3]).at([0.25, 0.071, 0.0]));
    scene.friction_between(door, load, 0.5);
    let mut run = Run::new(method, scene, load, 5e-3)?.to(0.8)?;
    let mut force = [f64::INFINITY, f64::NEG_INFINITY];
    for _ in 0..20 {
        let until = run.simulation.time() + 5e-3;
        run = run.to(until)?;
        let now = contact_force(&run.simulation, load, Some(door)).y;
        force = [force[0].min(now), force[1].max(now)];
    }
    near(
        &format!("force from {:.3} to {:.3} N, its range", force[0], force[1]),
        force[1] - force[0],
        0.0,
        0.04 * GRAVITY,
    )?;
    near("force", force[0], GRAVITY, 0.04 * GRAVITY)?;
    let door = run.simulation.rigid_state(door).map_or(f64::NAN, |state| state.center.y);
    near("it leans to its limit", door, -0.25 * 0.05_f64.sin(), 1e-3)
}
