//! Resistance to spin and to rolling.

use stiction::body::{BodyId, Motion, Obstacle, Rigid, Shape};
use stiction::contact::Friction;
use stiction::math::Vector3;
use stiction::method::impulse::ImpulseSettings;
use stiction::{Scene, Settings, Simulation};

const G: f64 = 9.81;
const R: f64 = 0.1;

fn ball_on(
    plane: Obstacle,
    friction: Friction,
    velocity: Vector3,
    spin: Vector3,
) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let ball = Rigid::shape(&Shape::Sphere { radius: R }, 24).expect("a ball");
    let ball = scene.add(ball.at([0.0, R, 0.0]).velocity(velocity).spin(spin));
    let plane = scene.add(plane);
    scene.contact(ball, plane).friction = friction;
    (scene, ball)
}

fn simulation(scene: &Scene) -> Simulation {
    let impulse = ImpulseSettings { tolerance: 1e-12, ..ImpulseSettings::default() };
    let settings = Settings { time_step: 0.01, method: impulse.into(), ..Default::default() };
    Simulation::with_settings(scene, settings).expect("valid")
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        let report = simulation.step();
        assert!(report.converged(), "{report:?}");
    }
}

fn floor() -> Obstacle {
    Obstacle::plane([0.0, 1.0, 0.0], 0.0)
}

/// A ball that spins about the normal stops after `ω₀ ⅖ r²/(g μ_τ)`.
#[test]
fn a_spinning_ball_stops_when_torsion_has_taken_its_spin() {
    let torsion = 0.004;
    let friction = Friction { torsion, ..Friction::coulomb(0.5) };
    let (scene, ball) = ball_on(floor(), friction, Vector3::zeros(), Vector3::y() * 5.0);
    let mut simulation = simulation(&scene);
    let spin = |simulation: &Simulation| simulation.rigid_state(ball).expect("rigid").spin.y;
    let stop = 5.0 * 0.4 * R * R / (G * torsion);
    run(&mut simulation, 20);
    let expected = 5.0 * (1.0 - 0.2 / stop);
    assert!((spin(&simulation) - expected).abs() < 1e-8, "{} {expected}", spin(&simulation));
    run(&mut simulation, (stop / 0.01) as usize - 21);
    assert!(spin(&simulation) > 0.0);
    run(&mut simulation, 3);
    assert!(spin(&simulation).abs() < 1e-9, "{}", spin(&simulation));
    let state = simulation.rigid_state(ball).expect("rigid");
    assert!(state.velocity.norm() < 1e-10 && (state.center - Vector3::y() * R).norm() < 1e-9);
}

/// A ball that rolls at `v₀` comes to rest after `7 r v₀²/(10 δ g)`; on the way it loses `5/7 δ g/r` of speed each
/// second.
#[test]
fn a_rolling_ball_comes_to_rest_where_it_should() {
    let (rolling, speed) = (0.002, 0.5);
    let friction = Friction { rolling, ..Friction::coulomb(0.5) };
    let (v, w) = (Vector3::x() * speed, Vector3::z() * (-speed / R));
    let (scene, ball) = ball_on(floor(), friction, v, w);
    let mut simulation = simulation(&scene);
    let brake = 5.0 / 7.0 * rolling * G / R;
    run(&mut simulation, 100);
    let state = simulation.rigid_state(ball).expect("rigid");
    assert!((state.velocity.x - (speed - brake)).abs() < 1e-7, "{} {brake}", state.velocity.x);
    assert!((state.spin.z * R + state.velocity.x).abs() < 1e-8, "it rolls");
    let stop = speed / brake;
    run(&mut simulation, (stop / 0.01) as usize - 98);
    let state = simulation.rigid_state(ball).expect("rigid");
    assert!(state.velocity.norm() < 1e-9 && state.spin.norm() < 1e-8, "{state:?}");
    // Steps take the speed of their end: half a step of the first speed is missing.
    let distance = 0.7 * R * speed * speed / (rolling * G) - 0.5 * speed * 0.01;
    assert!((state.center.x - distance).abs() < 1e-4, "{} {distance}", state.center.x);
}

/// On a slope of tangent `t` a ball with rolling resistance `δ` rests if and only if `δ ≥ r t`.
#[test]
fn rolling_resistance_holds_a_ball_on_a_slope() {
    for (factor, rests) in [(1.001, true), (0.999, false)] {
        let friction = Friction { rolling: factor * 0.05 * R, ..Friction::coulomb(0.5) };
        let (mut scene, ball) = ball_on(floor(), friction, Vector3::zeros(), Vector3::zeros());
        scene.gravity = Vector3::new(0.05, -1.0, 0.0) * G;
        let mut simulation = simulation(&scene);
        run(&mut simulation, 100);
        let speed = simulation.rigid_state(ball).expect("rigid").velocity.x;
        let expected = if rests { 0.0 } else { 5.0 / 7.0 * (0.05 - factor * 0.05) * G };
        assert!((speed - expected).abs() < 1e-9, "{factor}: {speed} {expected}");
    }
}

/// A turntable takes a ball at its middle along, as torsion allows.
#[test]
fn a_turntable_spins_up_what_stands_on_it() {
    let friction = Friction { torsion: 0.004, ..Friction::coulomb(0.5) };
    let mut table = floor();
    table.motion = Motion::Rotation { center: Vector3::zeros(), rate: Vector3::y() * 3.0 };
    let (scene, ball) = ball_on(table, friction, Vector3::zeros(), Vector3::zeros());
    let mut simulation = simulation(&scene);
    run(&mut simulation, 20);
    let rate = G * 0.004 / (0.4 * R * R);
    let spin = simulation.rigid_state(ball).expect("rigid").spin.y;
    assert!((spin - 0.2 * rate).abs() < 1e-8, "{spin} {}", 0.2 * rate);
    run(&mut simulation, 40);
    let spin = simulation.rigid_state(ball).expect("rigid").spin.y;
    assert!((spin - 3.0).abs() < 1e-8, "{spin}");
}

/// What spins slides more easily where both share a limit (Coulomb–Contensou), and no more easily where they do not.
#[test]
fn a_spinning_ball_slides_further() {
    let slid = |shared: bool, spin: f64| {
        let friction = Friction { torsion: 0.02, shared, ..Friction::coulomb(0.4) };
        // Rolling is kept out of it: the ball slides, and turns with rolling about z only.
        let v = Vector3::x() * 1.0;
        let (scene, ball) = ball_on(floor(), friction, v, Vector3::y() * spin);
        let mut simulation = simulation(&scene);
        run(&mut simulation, 3);
        simulation.rigid_state(ball).expect("rigid").velocity.x
    };
    let straight = slid(true, 0.0);
    assert!((straight - (1.0 - 0.03 * 0.4 * G)).abs() < 1e-9, "{straight}");
    assert!((slid(false, 60.0) - straight).abs() < 1e-9);
    assert!(slid(true, 60.0) > straight + 0.05, "{} {straight}", slid(true, 60.0));
}

#[test]
fn a_saved_state_with_torsion_goes_on_to_the_same_bits() {
    let friction = Friction {
        torsion: 0.003,
        rolling: 0.001,
        static_coefficient: Some(0.4),
        ..Friction::coulomb(0.3)
    };
    let (mut scene, _) =
        ball_on(floor(), friction, Vector3::new(0.4, 0.0, 0.1), Vector3::new(1.0, 9.0, 2.0));
    let other = Rigid::shape(&Shape::Sphere { radius: R }, 24).expect("a ball");
    scene.add(other.at([0.25, R, 0.02]));
    scene.friction = friction;
    let mut one = simulation(&scene);
    for _ in 0..25 {
        // At any time: whether something slid in the step before is part of it.
        run(&mut one, 3);
        let mut two = simulation(&scene);
        two.restore(&one.state()).expect("the same scene");
        run(&mut one, 2);
        run(&mut two, 2);
        assert_eq!(one.state(), two.state());
    }
}
