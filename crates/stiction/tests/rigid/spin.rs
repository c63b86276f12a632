//! Friction that resists spin: Coulomb–Contensou, by forces.

use stiction::body::{BodyId, LoadKind, Motion, Obstacle, Profile, Rigid, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::impulse::ImpulseSettings;
use stiction::method::smooth::SolverSettings;
use stiction::method::smooth::{ContactSettings, Law, SmoothSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::scenes::{floor, run_steps};

const G: f64 = 9.81;
const R: f64 = 0.1;
const STEP: f64 = 0.01;

fn ball() -> Rigid {
    Rigid::shape(&Shape::Sphere { radius: R }, 24).expect("a ball")
}

fn on(plane: Obstacle, body: Rigid, friction: Friction) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let body = scene.add(body);
    let plane = scene.add(plane);
    scene.contact(body, plane).friction = friction;
    (scene, body)
}

fn settled(scene: &Scene, integrator: Integrator, law: Law) -> Simulation {
    settled_at(scene, integrator, law, STEP)
}

fn settled_at(scene: &Scene, integrator: Integrator, law: Law, time_step: f64) -> Simulation {
    let contact = ContactSettings { law, ..Default::default() };
    let solver = SolverSettings { contact, tolerance: 1e-10, ..Default::default() };
    let settings = Settings {
        time_step,
        method: SmoothSettings { integrator, solver }.into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(scene, settings).expect("valid");
    simulation.settle().expect("rests on the plane");
    simulation
}

fn spin(simulation: &Simulation, body: BodyId) -> Vector3 {
    simulation.rigid_state(body).expect("rigid").spin
}

/// After `ω₀ ⅖ r²/(g μ_τ)` a ball that spins about the normal stands, with every law and by several schemes;
/// anchored, it does not creep.
#[test]
fn a_spinning_ball_stops_when_torsion_has_taken_its_spin() {
    let torsion = 0.004;
    let friction = Friction { torsion, ..Friction::coulomb(0.5) };
    let (scene, ball) = on(floor(), ball().at([0.0, R, 0.0]).spin([0.0, 5.0, 0.0]), friction);
    let stop = 5.0 * 0.4 * R * R / (G * torsion);
    let primal = Law::Anchored { ratio: 100.0, damping: 1.0, corner: 0.0, mixed: false };
    let smoothed = Law::Smoothed { profile: Default::default(), epsilon: 1e-5 };
    let viscous = Law::Viscous { resistance: 1e5 };
    for (integrator, law) in [
        (Integrator::BackwardEuler, Law::default()),
        (Integrator::Bdf2, Law::default()),
        (Integrator::Sdirk2, Law::Exact),
        (Integrator::BackwardEuler, primal),
        (Integrator::BackwardEuler, smoothed),
        (Integrator::BackwardEuler, viscous),
    ] {
        let mut simulation = settled(&scene, integrator, law);
        run_steps(&mut simulation, 20);
        let (found, expected) = (spin(&simulation, ball).y, 5.0 * (1.0 - 20.0 * STEP / stop));
        assert!((found - expected).abs() < 2e-3, "{integrator} {law:?}: {found} {expected}");
        run_steps(&mut simulation, (stop / STEP) as usize - 19);
        let anchored = matches!(law, Law::Anchored { .. } | Law::Exact);
        run_steps(&mut simulation, if anchored { 20 } else { 1 });
        let rest = spin(&simulation, ball).norm();
        assert!(rest < if anchored { 1e-8 } else { 1e-2 }, "{integrator} {law:?}: {rest:e}");
    }
}

/// A turntable takes a ball at its middle along, as torsion allows.
#[test]
fn a_turntable_spins_up_what_stands_on_it() {
    let friction = Friction { torsion: 0.004, ..Friction::coulomb(0.5) };
    let mut table = floor();
    table.motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * 3.0 };
    let (scene, ball) = on(table, ball().at([0.0, R, 0.0]), friction);
    let mut simulation = settled(&scene, Integrator::BackwardEuler, Law::default());
    run_steps(&mut simulation, 20);
    let expected = 0.2 * G * 0.004 / (0.4 * R * R);
    let found = spin(&simulation, ball).y;
    assert!((found - expected).abs() < 2e-3, "{found} {expected}");
    run_steps(&mut simulation, 40);
    let found = spin(&simulation, ball).y;
    assert!((found - 3.0).abs() < 1e-6, "{found}");
}

/// `f = μ N u/√(u² + r²ω²)`, `τ = μ_τ N rω/√(u² + r²ω²)` with `r = μ_τ/μ`; nothing of the torque is in what is told
/// of friction.
#[test]
fn force_and_torque_share_an_ellipsoid() {
    let (mu, torsion) = (0.4, 0.02);
    let friction = Friction { torsion, ..Friction::coulomb(mu) };
    let moving = ball().at([0.0, R, 0.0]).velocity([1.0, 0.0, 0.0]).spin([0.0, 30.0, 0.0]);
    let (scene, ball) = on(floor(), moving, friction);
    let step = 1e-3;
    let mut simulation = settled_at(&scene, Integrator::BackwardEuler, Law::default(), step);
    run_steps(&mut simulation, 2);
    let before = spin(&simulation, ball).y;
    run_steps(&mut simulation, 1);
    let state = simulation.rigid_state(ball).expect("rigid");
    let u = state.velocity + state.spin.cross(&(Vector3::y() * -R));
    let turned = torsion / mu * state.spin.y;
    let length = u.norm().hypot(turned);
    let contacts = simulation.contacts();
    let [contact] = &contacts[..] else { panic!("one contact") };
    let n = contact.normal_force;
    assert!(contact.friction.dot(&contact.normal).abs() < 1e-12 * n);
    assert!(contact.slip_velocity.dot(&contact.normal).abs() < 1e-12);
    let f = contact.friction.norm() / n;
    assert!((f - mu * u.norm() / length).abs() < 1e-3, "{f} {}", mu * u.norm() / length);
    assert!(f < 0.7 * mu, "spin takes its share: {f}");
    let torque = (before - state.spin.y) / step * state.inertia.m22 / n;
    let expected = torsion * turned / length;
    assert!((torque - expected).abs() < 1e-3 * torsion, "{torque} {expected}");
}

/// The same scene by impulses, until it stands.
#[test]
fn impulses_and_forces_agree() {
    let friction = Friction { torsion: 0.01, ..Friction::coulomb(0.3) };
    let moving = ball().at([0.0, R, 0.0]).velocity([0.6, 0.0, 0.0]).spin([0.0, 20.0, -3.0]);
    let (scene, ball) = on(floor(), moving, friction);
    // By position, the slip of a ball that spins points half a step ahead: that is first order.
    let step = 1e-3;
    let mut smooth = settled_at(&scene, Integrator::BackwardEuler, Law::default(), step);
    let impulse = ImpulseSettings { tolerance: 1e-12, ..ImpulseSettings::default() };
    let settings = Settings { time_step: step, method: impulse.into(), ..Default::default() };
    let mut exact = Simulation::with_settings(&scene, settings).expect("valid");
    for step in 0..10 {
        run_steps(&mut smooth, 30);
        run_steps(&mut exact, 30);
        let [a, b] = [&smooth, &exact].map(|s| s.rigid_state(ball).expect("rigid"));
        let (v, w) = ((a.velocity - b.velocity).norm(), (a.spin - b.spin).norm());
        assert!(v < 5e-3 && w < 5e-2, "{step}: {a:?} {b:?}");
    }
}

/// A box that nothing but torsion holds, under a couple below and above its limit: vertices resist spin as well, and
/// what is held does not creep.
#[test]
fn torsion_holds_a_box_up_to_its_limit() {
    let (size, torsion) = (0.2, 0.01);
    let cube = || Rigid::shape(&Shape::Box { size: Vector3::repeat(size), rounding: 0.0 }, 1);
    let mass = cube().expect("a box").properties().expect("a box").mass();
    let inertia = mass * size * size / 6.0;
    for (factor, turns) in [(0.99, false), (1.2, true)] {
        let body = cube().expect("a box").at([0.0, 0.5 * size, 0.0]);
        let friction = Friction { torsion, ..Friction::NONE };
        let (mut scene, cube) = on(floor(), body, friction);
        let limit = torsion * mass * G;
        for side in [1.0, -1.0] {
            let half = Selection::HalfSpace {
                normal: Vector3::x() * side,
                point: Vector3::x() * (0.4 * size * side),
            };
            let pull = Vector3::z() * (-side * factor * limit / size);
            // Not at once: settled, it would stand where the couple has too short an arm.
            let profile = Profile::Points(vec![(0.1, 0.0), (0.11, 1.0)]);
            scene.load(cube, half, LoadKind::Force(pull)).profile(profile);
        }
        let mut simulation = settled(&scene, Integrator::BackwardEuler, Law::default());
        // Springs against spin are soft, and take a while to calm down.
        run_steps(&mut simulation, if turns { 30 } else { 150 });
        let found = spin(&simulation, cube).y;
        let expected = if turns { 0.2 * (factor - 1.0) * limit / inertia } else { 0.0 };
        let allowed = if turns { 0.05 * expected } else { 1e-8 };
        assert!((found - expected).abs() < allowed, "{factor}: {found} {expected}");
    }
}

/// Two balls that meet head on and spin against each other take spin from each other, and keep what both have.
#[test]
fn spin_goes_from_one_to_the_other() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let left = ball().velocity([1.0, 0.0, 0.0]).spin([30.0, 0.0, 0.0]);
    let left = scene.add(left.at([-1.02 * R, 0.0, 0.0]));
    let right = scene.add(ball().velocity([-1.0, 0.0, 0.0]).at([1.02 * R, 0.0, 0.0]));
    scene.contact(left, right).friction = Friction { torsion: 0.01, ..Friction::coulomb(0.3) };
    let settings = Settings {
        time_step: 1e-3,
        method: SmoothSettings {
            integrator: Integrator::BackwardEuler,
            solver: SolverSettings { tolerance: 1e-10, ..Default::default() },
        }
        .into(),
        ..Default::default()
    };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    run_steps(&mut simulation, 20);
    let [a, b] = [left, right].map(|body| spin(&simulation, body));
    assert!(b.x > 0.5 && a.x < 29.5, "{a} {b}");
    let change = (a + b - Vector3::x() * 30.0).norm();
    assert!(change < 1e-8, "{change:e}");
}

#[test]
fn a_saved_state_with_torsion_goes_on_to_the_same_bits() {
    let friction =
        Friction { torsion: 0.003, static_coefficient: Some(0.4), ..Friction::coulomb(0.3) };
    let moving = ball().at([0.0, R, 0.0]).velocity([0.1, 0.0, 0.05]).spin([1.0, 4.0, 2.0]);
    let (scene, _) = on(floor(), moving, friction);
    for integrator in [Integrator::Bdf2, Integrator::Sdirk2] {
        let mut one = settled(&scene, integrator, Law::default());
        for _ in 0..4 {
            run_steps(&mut one, 7);
            let mut two = settled(&scene, integrator, Law::default());
            two.restore(&one.state()).expect("the same scene");
            run_steps(&mut one, 3);
            run_steps(&mut two, 3);
            assert_eq!(one.state(), two.state(), "{integrator}");
        }
    }
}
