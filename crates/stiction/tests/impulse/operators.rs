//! What impulses do to soft bodies, by all operators.

use stiction::body::{BodyId, Obstacle, Solid};
use stiction::material::Material;
use stiction::math::Vector3;
use stiction::method::impulse::{ImpulseSettings, Operator};
use stiction::{Scene, Simulation};

use crate::common::{block, run, with};

/// Those that solve the same problem.
const SAME: [Operator; 3] = [Operator::Assembled, Operator::Factored, Operator::Splitting];

fn settings(operator: Operator) -> ImpulseSettings {
    ImpulseSettings { operator, tolerance: 1e-10, ..ImpulseSettings::default() }
}

/// A soft block on a slope with `tan θ = 0.3`.
fn slope(friction: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.3, -1.0, 0.0).normalize() * 9.81;
    let solid = Solid::cuboid([0.2, 0.1, 0.2], [3, 2, 3]).expect("valid");
    let solid = scene.add(solid.material(Material::RUBBER).at([0.0, 0.0502, 0.0]));
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
        let (scene, solid) = slope(friction);
        let mut all = SAME.map(|operator| with(&scene, 5e-3, settings(operator)));
        for _ in 0..40 {
            let velocities = all.each_mut().map(|simulation| {
                let report = simulation.step();
                assert!(report.converged(), "{report:?}");
                simulation.velocities(solid)
            });
            for (other, operator) in velocities.iter().zip(SAME).skip(1) {
                let apart = other.iter().zip(&velocities[0]).map(|(a, b)| (a - b).norm());
                let apart = apart.fold(0.0, f64::max);
                assert!(apart < 1e-8, "{operator:?}, {friction}: {apart:e} m/s apart");
            }
        }
        let mut first = all.into_iter().next().expect("three");
        run(&mut first, 1.0);
        let speed = mean(&first.velocities(solid)).x;
        assert_eq!(speed > 1e-3, slides, "{friction}: {speed} m/s");
        assert!(slides || speed.abs() < 1e-6, "creeps at {speed} m/s");
    }
}

/// With masses alone it comes to rest with its weight carried, and sticks; but gives way, by what the documentation says.
#[test]
fn masses_alone_carry_a_block_that_gives_way() {
    let h = 5e-3;
    let (scene, solid) = slope(0.4);
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
        let (scene, solid) = slope(0.29);
        let mut whole = with(&scene, 5e-3, settings(operator));
        run(&mut whole, 0.1);
        let saved = whole.state();
        run(&mut whole, 0.15);
        let mut resumed = with(&scene, 5e-3, settings(operator));
        resumed.restore(&saved).expect("of this scene");
        run(&mut resumed, 0.15);
        assert_eq!(whole.positions(solid), resumed.positions(solid), "{operator:?}");
        assert_eq!(whole.velocities(solid), resumed.velocities(solid), "{operator:?}");
    }
}
