//! Pins follow their motions exactly, let go when told, and report the force they needed.

use std::f64::consts::PI;

use stiction::body::{BodyId, Interpolation, Keyframe, Motion, Solid};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction::method::smooth::SmoothSettings;
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::differences::assert_is_derivative;
use stiction_check::monitors::INTEGRATORS;

const SIZE: [f64; 3] = [0.3, 0.1, 0.1];
const DENSITY: f64 = 1000.0;
const MASS: f64 = 3.0; // of SIZE at DENSITY

fn bar(scene: &mut Scene) -> BodyId {
    let soft = Material::new(1e5, 0.3, DENSITY).unwrap();
    scene.add(Solid::cuboid(SIZE, [3, 1, 1]).unwrap().material(soft))
}

fn end() -> Selection {
    Selection::Tag("x-min".into())
}

fn start(scene: &Scene, time_step: f64, integrator: Integrator) -> Simulation {
    let settings = Settings {
        time_step,
        method: SmoothSettings { integrator, ..Default::default() }.into(),
        ..Settings::default()
    };
    Simulation::with_settings(scene, settings).unwrap()
}

fn keyframes(interpolation: Interpolation) -> Motion {
    let frame = |time: f64, translation: [f64; 3], rotation: [f64; 3]| Keyframe {
        time,
        translation: translation.into(),
        rotation: rotation.into(),
    };
    let frames = vec![
        frame(0.02, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        frame(0.11, [0.05, -0.02, 0.03], [0.5, 0.2, -0.4]),
        frame(0.2, [0.02, 0.04, 0.0], [0.9, -0.3, 0.1]),
    ];
    Motion::Keyframes { frames, center: [-0.15, 0.0, 0.0].into(), interpolation }
}

fn motions() -> [Motion; 5] {
    [
        Motion::Still,
        Motion::Velocity([0.3, -0.2, 0.1].into()),
        Motion::Rotation { center: [-0.1, 0.02, 0.0].into(), rate: [2.0, 1.0, -3.0].into() },
        keyframes(Interpolation::Linear),
        keyframes(Interpolation::Smooth),
    ]
}

#[test]
fn prescribed_trajectories_are_followed_exactly() {
    for motion in motions() {
        for (integrator, _) in INTEGRATORS {
            let mut scene = Scene::new();
            let body = bar(&mut scene);
            scene.pin(body, end()).motion(motion.clone());
            let mut simulation = start(&scene, 0.01, integrator);
            let rest = simulation.positions(body);
            let held: Vec<usize> = (0..rest.len()).filter(|&v| rest[v].x <= -0.15).collect();
            assert_eq!(held.len(), 4);
            for _ in 0..22 {
                assert!(simulation.step().converged(), "{integrator}, {motion:?}");
                let (q, v) = (simulation.positions(body), simulation.velocities(body));
                for &vertex in &held {
                    // Stages end at t + h, outputs at n h: the same but for the last digit.
                    let (x, dx) = motion.at(rest[vertex], simulation.time());
                    let miss = (q[vertex] - x).norm().max(0.1 * (v[vertex] - dx).norm());
                    assert!(miss < 1e-15, "{integrator}, {motion:?}: {miss:e}");
                }
            }
        }
    }
}

/// A rail: prescribed across, free along.
#[test]
fn pins_hold_only_the_axes_they_are_told_to() {
    for (integrator, _) in INTEGRATORS {
        let mut scene = Scene::new();
        let body = bar(&mut scene);
        let motion = Motion::Velocity([0.4, 0.0, -0.2].into());
        scene.pin(body, Selection::All).motion(motion.clone()).axes([true, false, true]);
        let mut simulation = start(&scene, 0.01, integrator);
        let rest = simulation.positions(body);
        for _ in 0..20 {
            assert!(simulation.step().converged());
        }
        let t = simulation.time();
        let fall = match integrator {
            Integrator::BackwardEuler => 0.5 * 9.81 * t * (t + 0.01),
            _ => 0.5 * 9.81 * t * t,
        };
        for (x, rest) in simulation.positions(body).iter().zip(&rest) {
            let (target, _) = motion.at(*rest, t);
            let across = (x.x - target.x).hypot(x.z - target.z);
            assert!(across < 1e-15, "{integrator}: off the rail by {across:e}");
            assert!((x.y - rest.y + fall).abs() < 1e-12, "{integrator}: {}", x.y - rest.y);
        }
    }
}

#[test]
fn velocities_are_derivatives_of_positions() {
    let x = Vector3::new(0.21, -0.13, 0.34);
    for motion in motions() {
        for t in [0.05, 0.15] {
            for axis in 0..3 {
                assert_is_derivative(
                    |dt| motion.at(x, t + dt).0[axis],
                    motion.at(x, t).1[axis],
                    motion.at(x, t).1.norm().max(0.1),
                );
            }
        }
    }
    // Through many turns, and where the series of the angular velocity takes over.
    for turn in [3e-5, 1e-4, 0.1, PI, 7.0, 25.0] {
        let frames = vec![
            Keyframe { time: 0.0, rotation: [turn, 0.0, 0.0].into(), ..Keyframe::default() },
            Keyframe { time: 1.0, rotation: [turn, 1.0, -0.5].into(), ..Keyframe::default() },
        ];
        for interpolation in [Interpolation::Linear, Interpolation::Smooth] {
            let center = Vector3::zeros();
            let motion = Motion::Keyframes { frames: frames.clone(), center, interpolation };
            for axis in 0..3 {
                let (position, velocity) = (|t: f64| motion.at(x, t).0, motion.at(x, 0.4).1);
                assert_is_derivative(|dt| position(0.4 + dt)[axis], velocity[axis], 1.0);
            }
        }
    }
}

#[test]
fn smooth_keyframes_start_and_stop_at_rest_and_hold() {
    let (smooth, x) = (keyframes(Interpolation::Smooth), Vector3::new(0.1, 0.2, 0.3));
    for t in [-1.0, 0.02, 0.11, 0.2, 5.0] {
        assert!(smooth.at(x, t).1.norm() < 1e-12, "moves at {t}");
    }
    assert_eq!(smooth.at(x, 0.2).0, smooth.at(x, 9.0).0);
    assert_eq!(keyframes(Interpolation::Linear).at(x, 0.11), {
        let (at, _) = smooth.at(x, 0.11);
        (at, keyframes(Interpolation::Linear).at(x, 0.11).1)
    });
}

/// Held by every vertex, carried along, then let go: a thrown body in free fall.
#[test]
fn released_bodies_fall_freely() {
    for (integrator, _) in INTEGRATORS {
        let mut scene = Scene::new();
        let body = bar(&mut scene);
        let throw = Vector3::new(0.5, 2.0, -0.3);
        scene.pin(body, Selection::All).motion(Motion::Velocity(throw)).release(0.1);
        let mut simulation = start(&scene, 0.01, integrator);
        let rest = simulation.positions(body);
        for _ in 0..30 {
            assert!(simulation.step().converged());
        }
        let (t, fall_time) = (simulation.time(), simulation.time() - 0.1);
        let error = match integrator {
            Integrator::BackwardEuler => 0.5 * 9.81 * 0.01 * fall_time,
            _ => 0.0,
        };
        let fall = 0.5 * 9.81 * fall_time * fall_time + error;
        for (x, rest) in simulation.positions(body).iter().zip(&rest) {
            let expected = rest + throw * t - Vector3::y() * fall;
            let miss = (x - expected).norm();
            assert!(miss < 1e-11, "{integrator} misses by {miss:e}");
        }
    }
}

/// At rest the pins carry the weight, whatever the scheme.
#[test]
fn a_hanging_body_pulls_with_its_weight() {
    for (integrator, _) in INTEGRATORS {
        let mut scene = Scene::new();
        let body = bar(&mut scene);
        scene.pin(body, end());
        let mut simulation = start(&scene, 0.01, integrator);
        assert!(simulation.settle().unwrap().converged());
        for _ in 0..3 {
            assert!(simulation.step().converged());
            let total: Vector3 = simulation.reactions(body).iter().sum();
            let weight = Vector3::y() * (9.81 * MASS);
            assert!((total - weight).norm() < 1e-5 * weight.norm(), "{integrator}: {total:?}");
        }
    }
}

/// Smooth keyframes accelerate by `6/T² (1 − 2u) d`: the force on a body held all over is `m a`.
#[test]
fn accelerating_pins_need_mass_times_acceleration() {
    let (duration, distance) = (0.4, Vector3::new(0.3, -0.1, 0.2));
    let acceleration = |t: f64| distance * (6.0 / duration / duration * (1.0 - 2.0 * t / duration));
    for (integrator, _) in INTEGRATORS {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let body = bar(&mut scene);
        let frames = vec![
            Keyframe::default(),
            Keyframe { time: duration, translation: distance, ..Keyframe::default() },
        ];
        let (center, interpolation) = (Vector3::zeros(), Interpolation::Smooth);
        let motion = Motion::Keyframes { frames, center, interpolation };
        scene.pin(body, Selection::All).motion(motion);
        let h = 0.001;
        let mut simulation = start(&scene, h, integrator);
        for _ in 0..150 {
            assert!(simulation.step().converged());
            let force: Vector3 = simulation.reactions(body).iter().sum();
            let expected = acceleration(simulation.time()) * MASS;
            let error = (force - expected).norm() / expected.norm().max(MASS);
            assert!(error < 1e-9, "{integrator}: {force:?}, not {expected:?}");
        }
    }
}

/// What pins put in over time is the momentum the body gains, but for gravity: `∫ R dt = Δp − m g t`.
#[test]
fn reactions_add_up_to_momentum() {
    for integrator in [Integrator::BackwardEuler, Integrator::Trapezoid, Integrator::Sdirk2] {
        let error = |steps: usize| {
            let mut scene = Scene::new();
            let material = Material::new(1e5, 0.3, DENSITY)
                .and_then(|m| m.with_damping(Damping { mass: 0.0, stiffness: 2e-3 }))
                .unwrap();
            let bar = Solid::cuboid(SIZE, [3, 1, 1]).unwrap().material(material);
            let body = scene.add(bar);
            scene.pin(body, end()).motion(keyframes(Interpolation::Smooth));
            let h = 0.2 / steps as f64;
            let mut simulation = start(&scene, h, integrator);
            let force =
                |simulation: &Simulation| simulation.reactions(body).iter().sum::<Vector3>();
            assert!(simulation.step().converged());
            let (start, mut before) = (simulation.momentum().0, force(&simulation));
            let mut impulse = Vector3::zeros();
            for _ in 1..steps {
                assert!(simulation.step().converged());
                let now = force(&simulation) + scene.gravity * MASS;
                impulse += (now + before + scene.gravity * MASS) * (0.5 * h);
                before = force(&simulation);
            }
            (simulation.momentum().0 - start - impulse).norm()
        };
        let (coarse, fine) = (error(80), error(160));
        // First order, whatever the scheme: prescribed accelerations jump at keyframes.
        assert!(fine < 0.6 * coarse, "{integrator}: {coarse:e} to {fine:e} N s");
    }
}
