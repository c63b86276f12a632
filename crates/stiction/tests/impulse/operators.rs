//! What impulses do to soft bodies, by all operators.

use stiction::body::{BodyId, Obstacle, Solid};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::impulse::{ImpulseSettings, Operator};
use stiction::{Scene, Simulation};

use crate::common::{block, run, with};

/// Length of steps [s].
const H: f64 = 2e-3;

/// Those that solve the same problem.
const SAME: [Operator; 3] = [Operator::Assembled, Operator::Factored, Operator::Splitting];

fn settings(operator: Operator) -> ImpulseSettings {
    ImpulseSettings { operator, tolerance: 1e-10, ..ImpulseSettings::default() }
}

/// Soft enough that splitting takes hundreds of iterations, not thousands.
fn jelly() -> Material {
    let soft = Material::RUBBER.with_youngs_modulus(1e5).expect("valid");
    let soft = soft.with_poissons_ratio(0.3).expect("valid");
    soft.with_damping(Damping { mass: 0.0, stiffness: 2e-3 }).expect("valid")
}

/// A soft block on a slope with `tan θ = 0.3`.
fn slope(friction: f64, material: Material) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.3, -1.0, 0.0).normalize() * 9.81;
    let solid = Solid::cuboid([0.2, 0.1, 0.2], [3, 2, 3]).expect("valid");
    let solid = scene.add(solid.material(material).at([0.0, 0.0502, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(solid, plane, friction);
    (scene, solid)
}

fn mean(points: &[Vector3]) -> Vector3 {
    points.iter().sum::<Vector3>() / points.len() as f64
}

fn carried(simulation: &Simulation) -> f64 {
    simulation.contacts().iter().map(|contact| contact.normal_force).sum()
}

#[test]
fn a_soft_block_moves_alike_and_sticks_as_coulomb_says() {
    for (friction, slides) in [(0.31, false), (0.29, true)] {
        let (scene, solid) = slope(friction, jelly());
        let mut all = SAME.map(|operator| with(&scene, H, settings(operator)));
        for _ in 0..50 {
            // From the same state: what is moved apart after a step is less exact than velocities.
            let state = all[0].state();
            let velocities = all.each_mut().map(|simulation| {
                simulation.restore(&state).expect("of this scene");
                let report = simulation.step();
                assert!(report.converged() && report.failed_attempts == 0, "{report:?}");
                simulation.velocities(solid)
            });
            for (other, operator) in velocities.iter().zip(SAME).skip(1) {
                let apart = other.iter().zip(&velocities[0]).map(|(a, b)| (a - b).norm());
                let apart = apart.fold(0.0, f64::max);
                assert!(apart < 1e-8, "{operator:?}, {friction}: {apart:e} m/s apart");
            }
        }
        for (simulation, operator) in all.iter_mut().zip(SAME) {
            run(simulation, 0.7);
            let speed = mean(&simulation.velocities(solid)).x;
            assert_eq!(speed > 1e-3, slides, "{operator:?}, {friction}: {speed} m/s");
            assert!(slides || speed.abs() < 1e-6, "{operator:?} creeps at {speed} m/s");
        }
    }
}

/// With masses alone it comes to rest with its weight carried, and sticks; but gives way, by what the documentation says.
#[test]
fn masses_alone_carry_a_block_that_gives_way() {
    let h = 5e-3;
    let (scene, solid) = slope(0.4, Material::RUBBER);
    let heights = [Operator::Assembled, Operator::Mass].map(|operator| {
        let mut simulation = with(&scene, h, settings(operator));
        run(&mut simulation, 1.5);
        let mass: f64 = simulation.system().vertex_masses(solid).iter().sum();
        let weight = -mass * scene.gravity.y;
        let carried = carried(&simulation);
        assert!((carried / weight - 1.0).abs() < 1e-2, "{operator:?}: {carried} N of {weight} N");
        let speed = mean(&simulation.velocities(solid)).norm();
        assert!(speed < 1e-4, "{operator:?}: {speed} m/s");
        let positions = simulation.positions(solid);
        let lowest = positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > -2e-5, "{operator:?}: {lowest} m");
        let masses = simulation.system().vertex_masses(solid);
        let low: f64 = masses.iter().zip(&positions).filter(|(_, x)| x.y < 0.01).map(|m| m.0).sum();
        (mean(&positions).y, h * h * weight / low)
    });
    let [(right, _), (sunk, expected)] = heights;
    let gives = (right - sunk) / expected;
    assert!((0.3..1.5).contains(&gives), "{} m, not {expected} m", right - sunk);
}

#[test]
fn momentum_stays_whatever_answers() {
    for operator in Operator::ALL {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let jelly = Solid::cuboid([0.2; 3], [2; 3]).expect("valid").material(Material::RUBBER);
        let brick = scene.add(block([0.3, 0.1, 0.2]).at([0.0, 0.0, 0.0]).spin([0.3, 0.8, -0.5]));
        scene.add(jelly.at([0.35, 0.03, 0.02]).velocity([-1.0, 0.0, 0.2]));
        let mut simulation = with(&scene, 1e-3, settings(operator));
        let before = simulation.momentum().0;
        run(&mut simulation, 0.15);
        let after = simulation.momentum().0;
        assert!((after - before).norm() < 1e-9 * before.norm(), "{operator:?}: {after:?}");
        let state = simulation.rigid_state(brick).expect("rigid");
        assert!(state.velocity.x < -0.1, "{operator:?}: they met: {:?}", state.velocity);
    }
}

#[test]
fn saved_states_go_on_to_the_same_bits() {
    for operator in Operator::ALL {
        let (scene, solid) = slope(0.29, jelly());
        let mut whole = with(&scene, H, settings(operator));
        run(&mut whole, 0.04);
        let saved = whole.state();
        run(&mut whole, 0.06);
        let mut resumed = with(&scene, H, settings(operator));
        resumed.restore(&saved).expect("of this scene");
        run(&mut resumed, 0.06);
        assert_eq!(whole.positions(solid), resumed.positions(solid), "{operator:?}");
        assert_eq!(whole.velocities(solid), resumed.velocities(solid), "{operator:?}");
    }
}

#[test]
#[ignore]
fn timing() {
    use std::time::Instant;
    for (n, h, soft) in [(5, 0.01, 2e5), (5, 0.001, 2e5), (10, 0.01, 2e5), (10, 0.001, 2e5)] {
        let mut scene = Scene::new();
        let (s, c) = 25f64.to_radians().sin_cos();
        scene.gravity = Vector3::new(s, -c, 0.0) * 9.81;
        let damping = stiction::material::Damping { mass: 0.0, stiffness: 0.01 };
        let material =
            Material::RUBBER.with_density(1000.0).unwrap().with_poissons_ratio(0.3).unwrap();
        let material = material.with_youngs_modulus(soft).unwrap().with_damping(damping).unwrap();
        let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
        for (z, mu) in [(-0.2, 0.489623), (0.2, 0.442992)] {
            let solid = Solid::cuboid([0.2; 3], [n; 3]).expect("valid").material(material);
            let solid = scene.add(solid.at([0.0, 0.1, z]));
            scene.friction_between(solid, plane, mu);
        }
        let mut all = Operator::ALL.map(|operator| with(&scene, h, settings(operator)));
        let mut least = [f64::INFINITY; 4];
        let mut sum = [0usize; 4];
        let steps = if n == 5 { 40 } else { 12 };
        for _ in 0..steps {
            for (k, simulation) in all.iter_mut().enumerate() {
                let start = Instant::now();
                let report = simulation.step();
                least[k] = least[k].min(start.elapsed().as_secs_f64());
                sum[k] += report.iterations();
                if !report.converged() {
                    println!("{k} {:?}", report.status);
                }
            }
        }
        let ratios = least.map(|t| t / least[0]);
        println!(
            "n {n} h {h}: {least:?} s, ratios {ratios:?}, iterations {:?} a step",
            sum.map(|s| s as f64 / steps as f64)
        );
    }
}
