//! Contacts that hold on: springs that are made at their nominal length and break at their fracture length [AEF22,
//! §5.1.5].

use stiction::body::{BodyId, Obstacle, Rigid, Solid};
use stiction::contact::{ContactRule, Friction};
use stiction::math::Vector3;
use stiction::method::smooth::law::{Bond, Normal};
use stiction::method::smooth::penalty::{Penalty, Push};
use stiction::method::smooth::{ContactSettings, NormalLaw};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};
use stiction_check::differences::assert_is_derivative;

const POINTS: f64 = 16.0;
const MASS: f64 = 8.0;
/// Of the springs [N/m], and the lengths between which they pull [m].
const STIFFNESS: f64 = 3e4;
const NOMINAL: f64 = 0.02;
const FRACTURE: f64 = 0.03;

/// A cube of sixteen points above a floor that holds on to it, below a ceiling that does not.
fn start(gap: f64, velocity: f64) -> (Simulation, BodyId) {
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let cube = Solid::cuboid([0.2; 3], [3; 3]).expect("valid");
    let cube = Rigid::new(cube.mesh.boundary().surface);
    let cube = scene.add(cube.at([0.0, 0.1 + gap, 0.0]).velocity([0.0, velocity, 0.0]));
    let floor = scene.add(Obstacle::plane([0.0, 1.0, 0.0], 0.0));
    let ceiling = scene.add(Obstacle::plane([0.0, -1.0, 0.0], -0.3));
    for (plane, fracture) in [(floor, Some(FRACTURE)), (ceiling, None)] {
        scene.contacts.push(ContactRule {
            friction: Friction::NONE,
            thickness: Some(NOMINAL),
            stiffness: Some(STIFFNESS / 1.5),
            fracture,
            ..ContactRule::new(cube, plane)
        });
    }
    let normal = NormalLaw { push: Push::Power(1.0), ..NormalLaw::default() };
    let contact = ContactSettings { normal, max_stiffenings: 0, ..ContactSettings::default() };
    let mut settings = Settings { time_step: 1e-4, ..Default::default() };
    (settings.smooth().integrator, settings.smooth().solver.contact) = (Integrator::Bdf2, contact);
    (Simulation::with_settings(&scene, settings).expect("valid"), cube)
}

/// Height above the floor, speed upward, and force of the floor.
fn look(simulation: &Simulation, cube: BodyId) -> [f64; 3] {
    let state = simulation.rigid_state(cube).expect("rigid");
    let of_floor = |c: &stiction::contact::Contact| c.normal.y > 0.0;
    let force = simulation.contacts().iter().filter(|c| of_floor(c)).map(|c| c.normal_force).sum();
    [state.center.y - 0.1, state.velocity.y, force]
}

/// Fast enough to break loose once, but not twice: what a spring has taken when it breaks is gone.
#[test]
fn springs_pull_only_after_contact_and_only_up_to_their_fracture() {
    let (mut simulation, cube) = start(0.028, -3.0);
    let taken = POINTS * 0.5 * STIFFNESS * (FRACTURE - NOMINAL).powi(2);
    let first = simulation.energies().total();
    let (mut energy, mut touched, mut free, mut pulled) = (first, false, false, 0.0_f64);
    let mut returned = false;
    while simulation.time() < 0.2 {
        let [before, _, _] = look(&simulation, cube);
        assert!(simulation.step().converged());
        let [gap, speed, force] = look(&simulation, cube);
        // The first contact, until it breaks, and the second.
        match (touched, free) {
            (false, _) | (true, true) if gap > NOMINAL && !returned => {
                assert!(
                    force.abs() <= 0.0,
                    "{force} N at {gap} m, before contact or after fracture"
                );
                if !touched {
                    assert!((speed + 3.0).abs() < 1e-12, "{speed} m/s before contact");
                }
            }
            _ => {
                let spring = POINTS * STIFFNESS * (NOMINAL - gap);
                let breaking = before < FRACTURE && gap >= FRACTURE;
                assert!(
                    (force - spring).abs() < 1e-6 * spring.abs() + 1e-6,
                    "{force}, not {spring}"
                );
                pulled = pulled.min(force);
                if breaking {
                    free = true;
                    let left = simulation.energies().total();
                    assert!((first - left - taken).abs() < 0.05 * taken, "{} J lost", first - left);
                    let expected = (2.0 * (first - taken) / MASS).sqrt();
                    assert!((speed - expected).abs() < 0.05, "{speed} m/s, not {expected}");
                }
                returned = free && gap < NOMINAL || returned;
                touched = true;
            }
        }
        let now = simulation.energies().total();
        assert!(now < energy + 2e-3 * first, "{energy} J to {now} J at {gap} m");
        energy = now;
    }
    assert!(free && returned, "it broke loose and came back");
    assert!(pulled < -0.9 * POINTS * STIFFNESS * (FRACTURE - NOMINAL), "{pulled} N at most");
    let [gap, _, _] = look(&simulation, cube);
    assert!(gap < FRACTURE, "what is left of its energy does not break it again: {gap} m");
}

#[test]
fn a_stretched_spring_survives_saving_to_the_same_bits() {
    let (mut simulation, cube) = start(0.019, 1.5);
    while look(&simulation, cube)[0] < 0.5 * (NOMINAL + FRACTURE) {
        assert!(simulation.step().converged());
    }
    assert!(look(&simulation, cube)[2] < 0.0, "it pulls");
    let state = simulation.state();
    let (mut again, _) = start(0.019, 1.5);
    again.restore(&state).expect("the same scene");
    for _ in 0..100 {
        simulation.step();
        again.step();
    }
    let bits = |s: &Simulation| s.trajectory().q.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&simulation), bits(&again));
    assert_eq!(look(&simulation, cube).map(f64::to_bits), look(&again, cube).map(f64::to_bits));
}

#[test]
fn force_and_slope_of_a_bond_are_derivatives_of_its_energy() {
    let bond = Bond { stiffness: 700.0, fracture: 0.05 };
    let normal = Normal { bond: Some(bond), ..Normal::default() };
    for push in [Push::Power(1.0), Push::Power(2.0), Push::Exponential(0.2)] {
        let penalty = Penalty { thickness: 0.01, stiffness: 400.0, push };
        let energy = |gap: f64| penalty.energy(gap) + bond.energy(gap, penalty.thickness);
        for gap in [0.003, 0.008, 0.013, 0.04, 0.07] {
            let [force, slope] = normal.at(&penalty, gap);
            assert_is_derivative(|t| energy(gap + 1e-3 * t), -1e-3 * force, 1e-3);
            assert_is_derivative(|t| normal.at(&penalty, gap + 1e-3 * t)[0], -1e-3 * slope, 1.0);
        }
        // Without a jump where it is made, and with none of its own there.
        assert!(normal.at(&penalty, penalty.thickness)[0].abs() <= 0.0);
        assert!(normal.at(&penalty, penalty.thickness + 1e-9)[0].abs() < 1e-5);
    }
}
