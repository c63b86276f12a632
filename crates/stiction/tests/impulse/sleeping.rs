//! What sleeps: who falls asleep, what it keeps, and what wakes it.

use stiction::body::{
    BodyId, End, Interpolation, Joint, Keyframe, LoadKind, Motion, Obstacle, Profile, Rigid, Solid,
};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::impulse::{ImpulseSettings, Sleep};
use stiction::{Scene, Simulation};

use crate::common::{ball, block, run, with};

fn sleepy() -> ImpulseSettings {
    ImpulseSettings { sleep: Some(Sleep { time: 0.2, ..Sleep::default() }), ..Default::default() }
}

/// A floor and three boxes on each other; then others.
fn stack() -> Scene {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    for k in 0..3 {
        scene.add(block([0.2; 3]).at([0.0, 0.1 + 0.201 * f64::from(k), 0.0]));
    }
    scene
}

/// A ball that hits the highest of them from the side, after 0.76 s.
fn thrown() -> Rigid {
    ball(0.1).at([-2.5, 0.5, 0.0]).velocity([2.9, 3.924, 0.0])
}

/// Upward force of the floor [N].
fn carried(simulation: &Simulation) -> f64 {
    let contacts = simulation.contacts();
    let floor = contacts.iter().filter(|contact| contact.surface.index() == 0);
    floor.map(|contact| contact.normal_force * contact.normal.y).sum()
}

fn moved(a: &Simulation, b: &Simulation) -> f64 {
    let (a, b) = (a.state().trajectory.q, b.state().trajectory.q);
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn who_sleeps_stays_to_the_bit_and_is_still_carried() {
    let scene = stack();
    let mut simulation = with(&scene, 0.01, sleepy());
    run(&mut simulation, 1.0);
    let before = simulation.state().trajectory;
    assert!(before.v.iter().all(|v| *v == 0.0), "asleep");
    let reports: Vec<_> = (0..20).map(|_| simulation.step()).collect();
    let after = simulation.state().trajectory;
    assert!(before.q == after.q, "they stay");
    assert!(reports.iter().all(|report| report.iterations() == 0 && report.contact.touching == 12));
    assert!((carried(&simulation) - 24.0 * 9.81).abs() < 1e-3, "{}", carried(&simulation));
}

#[test]
fn a_ball_wakes_what_it_falls_on_and_then_it_is_as_if_nobody_had_slept() {
    let mut scene = stack();
    scene.add(thrown());
    let [mut slept, mut awake] =
        [sleepy(), ImpulseSettings::default()].map(|settings| with(&scene, 0.005, settings));
    run(&mut slept, 0.7);
    run(&mut awake, 0.7);
    assert!(
        slept.rigid_state(scene.ids().nth(1).expect("a box")).expect("rigid").velocity.norm()
            == 0.0
    );
    assert!(moved(&slept, &awake) < 1e-6, "{}", moved(&slept, &awake));
    run(&mut slept, 0.9);
    run(&mut awake, 0.9);
    let highest = scene.ids().nth(3).expect("a box");
    assert!(slept.rigid_state(highest).expect("rigid").velocity.norm() > 1e-2, "struck");
    assert!(moved(&slept, &awake) < 1e-4, "{}", moved(&slept, &awake));
}

#[test]
fn forces_and_obstacles_that_begin_to_act_wake() {
    let mut scene = stack();
    let pushed = scene.ids().nth(1).expect("the lowest box");
    let pull = LoadKind::Force(Vector3::new(300.0, 0.0, 0.0));
    scene.load(pushed, Selection::All, pull).profile(Profile::Points(vec![(1.0, 0.0), (1.1, 1.0)]));
    let mut simulation = with(&scene, 0.01, sleepy());
    run(&mut simulation, 1.0);
    assert!(simulation.state().trajectory.v.iter().all(|v| *v == 0.0), "asleep");
    run(&mut simulation, 1.5);
    let speed = simulation.rigid_state(pushed).expect("rigid").velocity.x;
    assert!(speed > 1.0, "{speed}");

    let mut scene = Scene::new();
    let mut plate = Obstacle::plane([0.0, 1.0, 0.0], 0.0);
    let frame =
        |time, x| Keyframe { time, translation: Vector3::new(x, 0.0, 0.0), ..Default::default() };
    plate.motion = Motion::Keyframes {
        frames: vec![frame(1.0, 0.0), frame(2.0, 0.5)],
        center: Vector3::zeros(),
        interpolation: Interpolation::Linear,
    };
    scene.add(plate);
    let cube = scene.add(block([0.2; 3]).at([0.0, 0.1, 0.0]));
    let mut simulation = with(&scene, 0.01, sleepy());
    run(&mut simulation, 0.9);
    assert!(simulation.state().trajectory.v.iter().all(|v| *v == 0.0), "asleep");
    run(&mut simulation, 1.9);
    let x = simulation.rigid_state(cube).expect("rigid").center.x;
    assert!(x > 0.4, "taken along: {x}");
}

#[test]
fn a_state_saved_in_sleep_goes_on_to_the_same_bits_and_tells_the_same_forces() {
    let mut scene = stack();
    scene.add(thrown());
    let mut one = with(&scene, 0.01, sleepy());
    run(&mut one, 0.7);
    let mut two = with(&scene, 0.01, sleepy());
    two.restore(&one.state()).expect("the same scene");
    one.step();
    two.step();
    assert!((carried(&one) - carried(&two)).abs() < 1e-9, "{} {}", carried(&one), carried(&two));
    run(&mut one, 0.85);
    run(&mut two, 0.85);
    assert!(one.state() == two.state());
    assert!(one.state().trajectory.v.iter().any(|v| v.abs() > 0.01), "the ball woke them");
}

/// Where somebody must stay awake, nobody sleeps: the same bits as if sleep were not known.
#[track_caller]
fn assert_awake(scene: &Scene, until: f64) -> Simulation {
    let [mut sleepy, mut awake] =
        [sleepy(), ImpulseSettings::default()].map(|settings| with(scene, 0.01, settings));
    run(&mut sleepy, until);
    run(&mut awake, until);
    assert!(sleepy.state().trajectory == awake.state().trajectory, "somebody slept");
    sleepy
}

fn speed(simulation: &Simulation, body: BodyId) -> f64 {
    simulation.rigid_state(body).expect("rigid").velocity.norm()
}

#[test]
fn what_floats_or_is_carried_along_slowly_does_not_sleep() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let adrift = scene.add(ball(0.1).velocity([1e-3, 0.0, 0.0]));
    let simulation = assert_awake(&scene, 0.5);
    assert!((speed(&simulation, adrift) - 1e-3).abs() < 1e-12);

    let mut scene = Scene::new();
    let mut plate = Obstacle::plane([0.0, 1.0, 0.0], 0.0);
    let frame =
        |time, x| Keyframe { time, translation: Vector3::new(x, 0.0, 0.0), ..Default::default() };
    plate.motion = Motion::Keyframes {
        frames: vec![frame(0.0, 0.0), frame(1.0, 2e-3)],
        center: Vector3::zeros(),
        interpolation: Interpolation::Linear,
    };
    scene.add(plate);
    let cube = scene.add(block([0.2; 3]).at([0.0, 0.1, 0.0]));
    let simulation = assert_awake(&scene, 0.8);
    assert!(speed(&simulation, cube) > 1e-3, "taken along");
}

#[test]
fn nobody_sleeps_on_what_deforms_or_beside_what_moves() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let cushion = Solid::cuboid([0.3, 0.1, 0.3], [6, 2, 6]).expect("valid");
    scene.add(cushion.material(Material::RUBBER).at([0.0, 0.05, 0.0]));
    let cube = scene.add(block([0.1; 3]).at([0.0, 0.1501, 0.0]));
    let simulation = assert_awake(&scene, 1.0);
    let speed_of_cube = speed(&simulation, cube);
    assert!(speed_of_cube < 5e-3, "calm enough: {speed_of_cube} m/s");

    // The table is calm; what rolls on it is not.
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.add(block([2.0, 0.1, 0.5]).at([0.0, 0.05, 0.0]));
    let rolls = scene.add(ball(0.1).at([-0.5, 0.2, 0.0]).velocity([0.5, 0.0, 0.0]));
    let simulation = assert_awake(&scene, 0.8);
    assert!(speed(&simulation, rolls) > 0.2, "it rolls on");
}

/// A stand that is calm, and a rod that swings on it without touching anything.
#[test]
fn joints_keep_awake() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let stand = scene.add(block([0.4, 0.2, 0.4]).at([0.0, 0.1, 0.0]));
    let rod = scene.add(block([0.02, 0.3, 0.02]).at([0.0, 0.45, 0.0]).spin([0.0, 0.0, 1.0]));
    let hinge = [0.0, 0.6, 0.0];
    scene.joint(Joint::hinge(End::Body(stand), rod, hinge, [0.0, 0.0, 1.0]));
    let simulation = assert_awake(&scene, 0.8);
    assert!(speed(&simulation, stand) < 5e-3, "calm enough");
}

/// A box that is calm, but welded to a soft bar that rests on the floor beside it.
#[test]
fn who_is_joined_to_what_deforms_does_not_sleep() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let cube = scene.add(block([0.2; 3]).at([0.0, 0.1, 0.0]));
    let bar = Solid::cuboid([0.4, 0.1, 0.1], [4, 1, 1]).expect("valid");
    let bar = scene.add(bar.material(Material::RUBBER).at([0.31, 0.1, 0.0]));
    scene.joint(Joint::ball(End::Body(cube), bar, [0.11, 0.05, 0.05]));
    let simulation = assert_awake(&scene, 1.5);
    assert!(speed(&simulation, cube) < 5e-3, "calm enough: {}", speed(&simulation, cube));
}

/// Two boxes apart from each other with a rod between them: what strikes one moves both, in the same step.
#[test]
fn an_island_wakes_as_a_whole() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let [one, other] = [0.0, 1.0].map(|x| scene.add(block([0.2; 3]).at([x, 0.1, 0.0])));
    scene.joint(Joint::fixed(End::Body(one), other, [0.5, 0.1, 0.0]));
    scene.add(ball(0.1).at([-2.72, 0.5, 0.0]).velocity([2.9, 3.924, 0.0]));
    let [mut slept, mut awake] =
        [sleepy(), ImpulseSettings::default()].map(|settings| with(&scene, 0.005, settings));
    run(&mut slept, 0.7);
    run(&mut awake, 0.7);
    assert!(speed(&slept, one) == 0.0 && speed(&slept, other) == 0.0, "asleep");
    run(&mut slept, 1.0);
    run(&mut awake, 1.0);
    assert!(speed(&slept, other) > 0.1, "struck: {}", speed(&slept, other));
    assert!(moved(&slept, &awake) < 1e-4, "{}", moved(&slept, &awake));
}

/// Woken by a force that takes several steps to make it faster than what counts as calm.
#[test]
fn a_gentle_push_is_felt_and_so_is_a_couple() {
    let profile = || Profile::Points(vec![(0.5, 0.0), (0.51, 1.0)]);
    let floor = || {
        let mut scene = Scene::new();
        scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        let cube = scene.add(block([0.2; 3]).at([0.0, 0.1, 0.0]));
        scene.friction.coefficient = 0.0;
        (scene, cube)
    };
    let asleep =
        |simulation: &Simulation| simulation.state().trajectory.v.iter().all(|v| *v == 0.0);

    let (mut scene, cube) = floor();
    let push = LoadKind::Force(Vector3::new(0.8, 0.0, 0.0));
    scene.load(cube, Selection::All, push).profile(profile());
    let mut simulation = with(&scene, 0.01, sleepy());
    run(&mut simulation, 0.5);
    assert!(asleep(&simulation), "asleep");
    run(&mut simulation, 1.0);
    // A tenth of a metre per second squared, for half a second.
    assert!((speed(&simulation, cube) - 0.05).abs() < 0.003, "{}", speed(&simulation, cube));

    let (mut scene, cube) = floor();
    for side in [-1.0, 1.0] {
        let half = Selection::HalfSpace {
            point: Vector3::new(0.05 * side, 0.1, 0.0),
            normal: Vector3::x() * side,
        };
        let push = LoadKind::Force(Vector3::z() * side);
        scene.load(cube, half, push).profile(profile());
    }
    let mut simulation = with(&scene, 0.01, sleepy());
    run(&mut simulation, 0.5);
    assert!(asleep(&simulation), "asleep");
    run(&mut simulation, 1.0);
    let spin = simulation.rigid_state(cube).expect("rigid").spin;
    assert!(spin.y.abs() > 0.5, "{spin:?}");
}

/// How long a body has been calm is part of a state.
#[test]
fn a_state_saved_before_sleep_falls_asleep_at_the_same_time() {
    let scene = stack();
    let mut one = with(&scene, 0.01, sleepy());
    let asleep =
        |simulation: &Simulation| simulation.state().trajectory.v.iter().all(|v| *v == 0.0);
    run(&mut one, 0.15);
    assert!(!asleep(&one));
    let mut two = with(&scene, 0.01, sleepy());
    two.restore(&one.state()).expect("the same scene");
    for _ in 0..100 {
        one.step();
        two.step();
        assert!(one.state() == two.state(), "{} s", one.time());
    }
    assert!(asleep(&one));
}

/// A step that meets numbers that are none has contacts without impulses. Who was about to fall asleep on one of them
/// ended in a panic.
#[test]
fn a_step_that_fails_beside_somebody_tired_ends_in_no_panic() {
    let mut scene = Scene::new();
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let cube = scene.add(block([0.2; 3]).at([0.0, 0.1, 0.0]));
    let pulled = scene.add(Solid::cuboid([0.1; 3], [1; 3]).expect("valid").at([5.0, 5.0, 0.0]));
    let load = scene.load(pulled, Selection::All, LoadKind::Force(Vector3::x() * 1e308));
    load.profile = Profile::Points(vec![(0.1, 0.0), (0.105, 1e3)]);
    let mut simulation = with(&scene, 0.005, sleepy());
    run(&mut simulation, 0.1);
    while simulation.time() < 0.3 {
        assert!(!simulation.step().converged(), "what is pulled has no velocity");
    }
    // Nothing has pushed the cube: it rests within the tolerance of impulses.
    let left = speed(&simulation, cube);
    assert!(left <= ImpulseSettings::default().tolerance, "{left:e} m/s");
}
