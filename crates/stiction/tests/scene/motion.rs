//! Scenes move as closed forms say: falling, swinging, ringing.

use stiction::body::{Anchor, BodyId, Interpolation, Keyframe, Motion, Solid, Spring};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::{SmoothSettings, SolverSettings};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::analytic::{Oscillator, free_fall, pendulum_period};
use stiction_check::differences::assert_is_derivative;
use stiction_check::scenes::run_steps;

fn simulation(scene: &Scene, integrator: Integrator, time_step: f64) -> Simulation {
    let solver = SolverSettings { tolerance: 1e-9, ..Default::default() };
    Simulation::with_settings(
        scene,
        Settings {
            time_step,
            method: SmoothSettings { integrator, solver }.into(),
            ..Default::default()
        },
    )
    .unwrap()
}

fn cube() -> Solid {
    Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap()
}

/// Second-order schemes have no error on a parabola.
#[test]
fn bodies_fall_freely() {
    for integrator in [
        Integrator::Bdf2,
        Integrator::Trapezoid,
        Integrator::TR_BDF2,
        Integrator::Sdirk2,
        Integrator::Newmark { beta: 0.25, gamma: 0.5 },
    ] {
        let mut scene = Scene::new();
        let body = scene.add(cube().velocity([1.0, 3.0, 0.0]).at([0.0, 2.0, 0.0]));
        let mut simulation = simulation(&scene, integrator, 0.01);
        let start = simulation.positions(body);
        run_steps(&mut simulation, 40);
        let (y, v) = free_fall(0.4, 0.0, 3.0, -9.81);
        for ((x, x0), dx) in
            simulation.positions(body).iter().zip(&start).zip(simulation.velocities(body))
        {
            let off = (x - x0 - Vector3::new(0.4, y, 0.0)).norm();
            assert!(off < 1e-9, "{integrator}: off by {off:e} m");
            let off = (dx - Vector3::new(1.0, v, 0.0)).norm();
            assert!(off < 1e-8, "{integrator}: off by {off:e} m/s");
        }
    }
}

/// Each vertex on a rail along `y`, hung by a spring in proportion to its mass: all move alike, so the cube
/// does not deform and is one mass on one spring.
fn ringing(oscillator: Oscillator, rest_length: f64) -> (Scene, BodyId, f64) {
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let density = oscillator.mass / 1e-3;
    let body = scene.add(cube().material(Material::RUBBER.with_density(density).unwrap()));
    scene.pin(body, Selection::All).axes([true, false, true]);
    let bare = Simulation::new(&scene).unwrap();
    let stretched = 0.05;
    for (v, x) in bare.positions(body).iter().enumerate() {
        let share = bare.model().node_masses()[v] / oscillator.mass;
        let anchor = x + Vector3::new(0.0, rest_length + stretched, 0.0);
        scene.spring(
            Spring::new(
                Anchor::Point(anchor),
                Anchor::Vertex(body, v as u32),
                oscillator.stiffness * share,
            )
            .rest_length(rest_length)
            .damping(oscillator.damping * share),
        );
    }
    (scene, body, -stretched)
}

#[test]
fn a_mass_on_a_damped_spring_rings_as_the_closed_form() {
    // Weakly, critically and strongly damped.
    for damping in [0.0, 4.0, 40.0, 100.0] {
        let oscillator = Oscillator { mass: 1.0, stiffness: 400.0, damping };
        for rest_length in [0.0, 0.3] {
            for integrator in [Integrator::Trapezoid, Integrator::Sdirk2, Integrator::Bdf2] {
                let (scene, body, q0) = ringing(oscillator, rest_length);
                let error = |time_step: f64| {
                    let mut simulation = simulation(&scene, integrator, time_step);
                    let start = simulation.positions(body);
                    run_steps(&mut simulation, (0.3 / time_step).round() as usize);
                    let (q, v) = oscillator.at(0.3, q0, 0.0);
                    let x = simulation.positions(body);
                    let moved = x.iter().zip(&start).map(|(x, x0)| x.y - x0.y);
                    // Alike: whatever the first does, all do.
                    let most = moved.map(|dy| (dy + q0 - q).abs()).fold(0.0, f64::max);
                    most.max((simulation.velocities(body)[3].y - v).abs() / 20.0)
                };
                let (coarse, fine) = (error(0.01), error(0.005));
                let order = (coarse / fine).log2();
                assert!(
                    fine < 2e-3 && (order > 1.7),
                    "{integrator}, c = {damping}, ℓ = {rest_length}: {coarse:e} to {fine:e}"
                );
            }
        }
    }
}

/// `α` slows everything alike: velocities fall as `exp(−αt)`, in free flight without a force.
#[test]
fn mass_damping_slows_free_flight() {
    let alpha = 2.0;
    let mut scene = Scene { gravity: Vector3::zeros(), ..Scene::new() };
    let damping = Damping { mass: alpha, stiffness: 0.0 };
    let material = Material::RUBBER.with_damping(damping).unwrap();
    let body = scene.add(cube().material(material).velocity([3.0, 0.0, -1.0]));
    let error = |time_step: f64| {
        let mut simulation = simulation(&scene, Integrator::Sdirk2, time_step);
        run_steps(&mut simulation, (0.5 / time_step).round() as usize);
        let expected = Vector3::new(3.0, 0.0, -1.0) * (-0.5 * alpha).exp();
        simulation.velocities(body).iter().map(|v| (v - expected).norm()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    assert!(fine < 1e-4 && (coarse / fine).log2() > 1.9, "{coarse:e} to {fine:e}");
}

/// A stiff bar swings about an edge at its end.
#[test]
fn a_bar_swings_with_the_period_of_a_pendulum() {
    let amplitude = 1.0_f64;
    let mut scene = Scene::new();
    let bar = Solid::cuboid([0.5, 0.02, 0.02], [6, 1, 1]).unwrap();
    let stiff = Material::RUBBER.with_youngs_modulus(1e8).unwrap();
    let turn = amplitude - std::f64::consts::FRAC_PI_2;
    let body = scene.add(bar.material(stiff).turned([0.0, 0.0, 1.0], turn));
    // The edge of corners 0 and 14: `x` and `y` lowest.
    scene.pin(body, Selection::Ids(vec![0, 14]));
    let mut simulation = simulation(&scene, Integrator::TR_BDF2, 0.004);
    let (x, masses) = (simulation.positions(body), simulation.model().node_masses().to_vec());
    let pivot = x[0];
    let mass: f64 = masses.iter().sum();
    let inertia: f64 =
        x.iter().zip(&masses).map(|(x, m)| m * (x - pivot).xy().norm_squared()).sum();
    let center = |x: &[Vector3]| x.iter().zip(&masses).map(|(x, m)| x * *m).sum::<Vector3>() / mass;
    let arm = (center(&x) - pivot).xy();
    // The centre of mass is not on the edge's own axis: the swing starts a little off the angle of the bar.
    let start = arm.x.atan2(-arm.y);
    let period = pendulum_period(mass, inertia, arm.norm(), 9.81, start);
    // It passes the vertical after a quarter, three quarters, ... of the period.
    let mut crossings = Vec::new();
    let mut before = start;
    while crossings.len() < 3 {
        let time = simulation.time();
        run_steps(&mut simulation, 1);
        let arm = center(&simulation.positions(body)) - pivot;
        let angle = arm.x.atan2(-arm.y);
        if (angle < 0.0) != (before < 0.0) {
            crossings.push(time + 0.004 * before / (before - angle));
        }
        before = angle;
        assert!(simulation.time() < 3.0, "it swings");
    }
    let measured = crossings[2] - crossings[0];
    assert!((measured / period - 1.0).abs() < 3e-3, "{measured} s, not {period} s");
    assert!((4.0 * crossings[0] / period - 1.0).abs() < 5e-3, "{crossings:?} of {period} s");
}

/// Turning, moving, starting and stopping, and hardly turning at all.
fn motions() -> Vec<Motion> {
    let center = Vector3::new(0.1, -0.3, 0.2);
    let frame = |time: f64, turn: f64| Keyframe {
        time,
        translation: Vector3::new(0.3, time, -0.1) * time,
        rotation: Vector3::new(0.7, -1.9, 1.1) * turn + Vector3::new(0.0, 0.2, 0.0) * time,
    };
    let keyframes = |turn: f64, interpolation: Interpolation| Motion::Keyframes {
        frames: vec![frame(0.0, 0.0), frame(1.0, turn), frame(1.5, -0.5 * turn)],
        center,
        interpolation,
    };
    vec![
        Motion::Still,
        Motion::Velocity(Vector3::new(1.0, 2.0, -0.5)),
        Motion::Rotation { center, rate: Vector3::new(0.5, -2.0, 1.5) },
        keyframes(1.0, Interpolation::Linear),
        keyframes(1.0, Interpolation::Smooth),
        keyframes(1e-3, Interpolation::Smooth),
        keyframes(0.0, Interpolation::Smooth),
    ]
}

#[test]
fn velocities_and_accelerations_of_motions_are_derivatives() {
    let x = Vector3::new(0.4, 0.5, -0.6);
    for motion in motions() {
        for t in [-0.5, 0.03, 0.4, 0.97, 1.2, 2.0] {
            let (_, velocity) = motion.at(x, t);
            let acceleration = motion.acceleration(x, t);
            for axis in 0..3 {
                // Within the keyframe: times stay clear of the joints by more than the largest step.
                let position = |dt: f64| motion.at(x, t + dt).0[axis];
                assert_is_derivative(position, velocity[axis], 1.0);
                let velocity = |dt: f64| motion.at(x, t + dt).1[axis];
                assert_is_derivative(velocity, acceleration[axis], 10.0);
            }
        }
    }
}

/// Reactions used to be read off the balance of a stage, whose explicit part knows forces but not reactions: the
/// trapezoid rule and Newmark reported twice the weight of a body at rest, SDIRK2 3.41 times.
#[test]
fn reactions_are_mass_times_acceleration_minus_force() {
    for integrator in [
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::Trapezoid,
        Integrator::TR_BDF2,
        Integrator::Sdirk2,
        Integrator::Newmark { beta: 0.25, gamma: 0.5 },
    ] {
        for motion in motions() {
            let mut scene = Scene::new();
            let body = scene.add(cube());
            scene.pin(body, Selection::All).motion(motion.clone());
            let mut simulation = simulation(&scene, integrator, 0.01);
            let start = simulation.positions(body);
            run_steps(&mut simulation, 7);
            let masses = simulation.model().node_masses();
            let expected: Vector3 = start
                .iter()
                .zip(masses)
                .map(|(x, m)| (motion.acceleration(*x, simulation.time()) - scene.gravity) * *m)
                .sum();
            let reaction: Vector3 = simulation.reactions(body).iter().sum();
            let off = (reaction - expected).norm() / expected.norm();
            assert!(off < 1e-9, "{integrator}, {motion:?}: {reaction}, not {expected}");
        }
    }
}
