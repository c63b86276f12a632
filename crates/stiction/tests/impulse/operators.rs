//! What impulses do to soft bodies, by all operators.

use stiction::body::{BodyId, Obstacle, Solid};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::impulse::{ImpulseSettings, Operator};
use stiction::solve::Status;
use stiction::{Scene, Settings, Simulation};

use crate::common::{block, farthest, run, with};

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
fn slope(friction: f64) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.3, -1.0, 0.0).normalize() * 9.81;
    let solid = Solid::cuboid([0.2, 0.1, 0.2], [3, 2, 3]).expect("valid");
    let solid = scene.add(solid.material(jelly()).at([0.0, 0.0502, 0.0]));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(solid, plane, friction);
    (scene, solid)
}

#[test]
fn a_soft_block_moves_alike_and_sticks_as_coulomb_says() {
    for (friction, slides) in [(0.31, false), (0.29, true)] {
        let (scene, solid) = slope(friction);
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
                let apart = farthest(other, &velocities[0]);
                // Stopping at the tolerance leaves what an iteration more would change, times what is still to come.
                assert!(apart < 1e-8, "{operator:?}, {friction}: {apart:e} m/s apart");
            }
        }
        for (simulation, operator) in all.iter_mut().zip(SAME) {
            run(simulation, 0.7);
            let velocities = simulation.velocities(solid);
            let speed = velocities.iter().sum::<Vector3>().x / velocities.len() as f64;
            assert_eq!(speed > 1e-3, slides, "{operator:?}, {friction}: {speed} m/s");
            assert!(slides || speed.abs() < 1e-6, "{operator:?} creeps at {speed} m/s");
        }
    }
}

#[test]
fn momentum_stays_whatever_answers() {
    for operator in Operator::ALL {
        let mut scene = Scene::new();
        scene.gravity = Vector3::zeros();
        let jelly = Solid::cuboid([0.2; 3], [2; 3]).expect("valid").material(jelly());
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

/// Too few iterations are reported, whichever they are of, and nothing flies away.
#[test]
fn splitting_that_is_cut_short_says_so() {
    let (scene, solid) = slope(0.31);
    let impulse = ImpulseSettings { max_iterations: 20, ..settings(Operator::Splitting) };
    let settings = Settings { time_step: H, max_halvings: 0, method: impulse.into() };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    let mut short = 0;
    for _ in 0..50 {
        let report = simulation.step();
        short += usize::from(report.status == Status::IterationLimit);
        assert!(report.iterations() <= 20, "{report:?}");
    }
    assert!(short > 20, "{short} of 50 steps");
    let fastest = simulation.velocities(solid).iter().map(Vector3::norm).fold(0.0, f64::max);
    assert!(fastest < 1.0, "{fastest} m/s");
}

/// A stiff block, nearly incompressible, that hits the ground: eigenvalues of `D⁻¹A` are above two.
#[test]
fn splitting_converges_where_plain_jacobi_does_not() {
    let mut scene = Scene::new();
    let stiff = jelly().with_youngs_modulus(1e6).expect("valid");
    let stiff = stiff.with_poissons_ratio(0.45).expect("valid");
    let solid = Solid::cuboid([0.1; 3], [2; 3]).expect("valid").material(stiff);
    let solid = scene.add(solid.at([0.0, 0.05, 0.0]).velocity([0.3, -1.0, 0.0]));
    scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let velocities = [Operator::Assembled, Operator::Splitting].map(|operator| {
        let impulse = ImpulseSettings { tolerance: 1e-8, ..settings(operator) };
        let mut simulation = with(&scene, 5e-3, impulse);
        let report = simulation.step();
        assert!(report.converged() && report.failed_attempts == 0, "{report:?}");
        simulation.velocities(solid)
    });
    let apart = farthest(&velocities[0], &velocities[1]);
    assert!(apart < 1e-6, "{apart:e} m/s");
}

/// Friction acts over a gap; on two closest points it would turn both bodies the same way. Forces are those at the
/// start of a step.
#[test]
fn what_slides_on_something_soft_feels_no_torque_from_nowhere() {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let solid = |size, cells| Solid::cuboid(size, cells).expect("valid").material(jelly());
    let below = scene.add(solid([0.3, 0.1, 0.2], [4, 1, 2]).velocity([0.0, 0.5, 0.0]));
    let above = solid([0.1; 3], [2; 3]).turned([0.3, 1.0, 0.2], 0.3).at([0.01, 0.115, 0.02]);
    let above = scene.add(above.velocity([1.0, -0.5, 0.0]));
    scene.friction_between(below, above, 0.5);
    let mut simulation = with(&scene, H, settings(Operator::Assembled));
    let mut rubbed = 0;
    for _ in 0..40 {
        let q = simulation.trajectory().q.clone();
        let at = |node: u32| Vector3::from_column_slice(&q[3 * node as usize..][..3]);
        let report = simulation.step();
        assert!(report.converged() && report.sub_steps == 1, "{report:?}");
        for contact in simulation.contacts() {
            rubbed += usize::from(contact.friction.norm() > 0.1 * contact.normal_force);
            let force: Vector3 = contact.forces.iter().map(|(_, f)| *f).sum();
            let torque: Vector3 = contact.forces.iter().map(|(node, f)| at(*node).cross(f)).sum();
            let size: f64 = contact.forces.iter().map(|(_, f)| f.norm()).sum();
            assert!(force.norm() < 1e-12 * size, "{force:?} of {size} N: {contact:?}");
            assert!(torque.norm() < 1e-12 * size, "{torque:?} N·m, {size} N: {contact:?}");
        }
    }
    assert!(rubbed > 20, "{rubbed} contacts with friction");
}
