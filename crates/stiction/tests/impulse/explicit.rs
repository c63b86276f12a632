//! Masses alone answer impulses: forces are those of the start of a step.

use stiction::body::{BodyId, Obstacle, Solid};
use stiction::material::{Damping, Material};
use stiction::math::Vector3;
use stiction::method::impulse::{ImpulseSettings, Operator, Stabilisation};
use stiction::solve::Status;
use stiction::{Scene, Settings, Simulation};

use crate::common::{farthest, run, with};

fn settings(operator: Operator) -> ImpulseSettings {
    ImpulseSettings { operator, tolerance: 1e-10, ..ImpulseSettings::default() }
}

fn jelly(youngs_modulus: f64, damping: Damping) -> Material {
    let soft = Material::RUBBER.with_youngs_modulus(youngs_modulus).expect("valid");
    let soft = soft.with_poissons_ratio(0.3).expect("valid");
    soft.with_damping(damping).expect("valid")
}

const UNDAMPED: Damping = Damping { mass: 0.0, stiffness: 0.0 };

/// A block on the ground, `tan θ = 0.3` from level.
fn slope(material: Material, velocity: [f64; 3]) -> (Scene, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::new(0.3, -1.0, 0.0).normalize() * 9.81;
    let solid = Solid::cuboid([0.2, 0.1, 0.2], [3, 2, 3]).expect("valid").material(material);
    let solid = scene.add(solid.at([0.0, 0.05, 0.0]).velocity(velocity));
    let plane = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    scene.friction_between(solid, plane, 0.4);
    (scene, solid)
}

/// `A⁻¹ − M⁻¹` is `M⁻¹(h D + h² K)M⁻¹` and smaller terms; an impact makes impulses that do not get smaller with the
/// step.
#[test]
fn short_steps_are_those_of_the_default() {
    let damped = Damping { mass: 0.0, stiffness: 2e-3 };
    for (damping, order) in [(UNDAMPED, 2.0), (damped, 1.0)] {
        let (scene, solid) = slope(jelly(1e5, damping), [0.3, -1.0, 0.0]);
        let apart = [1e-4, 5e-5, 2.5e-5].map(|h| {
            let [right, explicit] = [Operator::Assembled, Operator::Mass].map(|operator| {
                let mut simulation = with(&scene, h, settings(operator));
                let report = simulation.step();
                assert!(report.converged() && report.failed_attempts == 0, "{report:?}");
                simulation.velocities(solid)
            });
            farthest(&right, &explicit)
        });
        for pair in apart.windows(2) {
            let measured = (pair[0] / pair[1]).log2();
            assert!((measured - order).abs() < 0.15, "{damping:?}: {measured}, {apart:?} m/s");
        }
    }
}

/// The first step of an impact: nodes that touch stop, all others go on, whatever holds them together.
#[test]
fn an_impact_stops_what_touches_and_nothing_else() {
    let pushes = [1e4, 1e5].map(|stiffness| {
        let (mut scene, solid) = slope(jelly(stiffness, UNDAMPED), [0.0, -1.0, 0.0]);
        scene.gravity = Vector3::zeros();
        let h = 1e-4;
        let mut simulation = with(&scene, h, settings(Operator::Mass));
        let masses = simulation.model().vertex_masses(solid).to_vec();
        let low: Vec<bool> = simulation.positions(solid).iter().map(|x| x.y < 1e-9).collect();
        run(&mut simulation, h);
        for (v, &low) in simulation.velocities(solid).iter().zip(&low) {
            let expected = if low { 0.0 } else { -1.0 };
            assert!((v - Vector3::y() * expected).norm() < 1e-9, "{v:?}");
        }
        let push: f64 = simulation.contacts().iter().map(|contact| contact.normal_force * h).sum();
        let touching: f64 = masses.iter().zip(&low).filter(|(_, low)| **low).map(|(m, _)| m).sum();
        assert!((push / touching - 1.0).abs() < 1e-9, "{push} N·s, not {touching}");
        push
    });
    assert!((pushes[0] - pushes[1]).abs() < 1e-9 * pushes[0]);
}

/// On level ground without friction there is one place to rest; with a spring instead of projection, nothing may
/// overlap.
#[test]
fn it_rests_as_by_default() {
    let (mut scene, solid) = slope(jelly(1e5, Damping { mass: 60.0, stiffness: 0.0 }), [0.0; 3]);
    scene.gravity = Vector3::new(0.0, -9.81, 0.0);
    scene.friction.coefficient = 0.0;
    let plane = scene.ids().nth(1).expect("two");
    scene.friction_between(solid, plane, 0.0);
    let [right, explicit] = [Operator::Assembled, Operator::Mass].map(|operator| {
        let stabilisation = Stabilisation::BAUMGARTE;
        let mut simulation =
            with(&scene, 1e-3, ImpulseSettings { stabilisation, ..settings(operator) });
        run(&mut simulation, 0.7);
        let mass: f64 = simulation.model().vertex_masses(solid).iter().sum();
        let weight = -mass * scene.gravity.y;
        let carried: f64 = simulation.contacts().iter().map(|c| c.normal_force).sum();
        assert!((carried / weight - 1.0).abs() < 1e-6, "{operator:?}: {carried} N of {weight} N");
        simulation.positions(solid)
    });
    let apart = farthest(&right, &explicit);
    // What is left of oscillations; the block sags by half a millimetre.
    assert!(apart < 1e-8, "{apart} m");
}

/// Every node for itself, so that the stiffest modes take part.
fn shake(simulation: &mut Simulation) {
    let mut state = simulation.state();
    for (i, v) in state.trajectory.v.iter_mut().enumerate() {
        *v = 0.1 * (1.7 * i as f64 * i as f64).sin();
    }
    simulation.restore(&state).expect("of this scene");
}

fn free(damping: Damping, h: f64, max_halvings: u32) -> Simulation {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let solid = Solid::cuboid([0.2, 0.1, 0.2], [3, 2, 3]).expect("valid");
    scene.add(solid.material(jelly(1e5, damping)));
    let impulse = settings(Operator::Mass);
    let settings = Settings { time_step: h, max_halvings, method: impulse.into() };
    let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
    shake(&mut simulation);
    simulation
}

fn energy(simulation: &Simulation) -> f64 {
    simulation.energies().total()
}

/// Free and shaken, by the longest steps that are taken: energy falls. Steps twice as long would not be stable: what
/// is refused is refused for a reason.
#[test]
fn steps_that_are_taken_are_stable() {
    for damping in [UNDAMPED, Damping { mass: 0.0, stiffness: 1e-3 }] {
        let lengths = (0..80).map(|k| 1e-2 * 0.95_f64.powi(k));
        let taken = |&h: &f64| free(damping, h, 0).step().status != Status::Refused;
        let h = lengths.into_iter().find(taken).expect("one is short enough");
        let mut simulation = free(damping, h, 0);
        let start = energy(&simulation);
        for _ in 0..300 {
            let report = simulation.step();
            assert!(report.converged(), "{report:?}");
            assert!(energy(&simulation) < 1.001 * start, "h = {h}: {} J", energy(&simulation));
        }
    }
}

/// A step too long for stiff springs is taken in parts; where that is not allowed it is refused, and nothing flies
/// away.
#[test]
fn steps_that_are_too_long_are_halved_or_reported() {
    let h = 4e-3;
    let mut halved = free(UNDAMPED, h, 6);
    let start = energy(&halved);
    let mut refused = free(UNDAMPED, h, 0);
    for _ in 0..50 {
        let report = halved.step();
        assert!(report.converged() && report.failed_attempts > 0, "{report:?}");
        assert!(energy(&halved) < 1.001 * start, "{} J", energy(&halved));
        assert_eq!(refused.step().status, Status::Refused);
    }
    assert!(energy(&refused) < 100.0 * start, "{} J of {start} J", energy(&refused));
}
