//! Contacts remember: runs that are saved and restored, or run on other threads, go on with the same bits.

use crate::support::*;
use rayon::ThreadPoolBuilder;
use stiction::body::{Cloth, Motion, Obstacle, Shape, Solid};
use stiction::contact::{Friction, Roles};
use stiction::math::Vector3;
use stiction::method::smooth::{Coupling, Law};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation, State};
use stiction_check::monitors::INTEGRATORS;

const STEPS: usize = 16;

/// A block thrown onto a plane that turns, a second block and a cloth that land on the first, a ball below the cloth:
/// points that stick, slide, arrive and leave; meshes and shapes; static friction above kinetic.
fn pile(cells: usize) -> Scene {
    let mut scene = Scene::new();
    scene.friction = Friction { static_coefficient: Some(0.6), ..Friction::coulomb(0.4) };
    let motion = Motion::Rotation { center: Vector3::x() * 0.1, rate: Vector3::y() * 2.0 };
    scene.add(Obstacle::plane([0.05, 1.0, 0.0], 0.0).motion(motion));
    let block = Solid::cuboid([0.4, 0.1, 0.4], [cells, 1, cells]).expect("valid");
    let block = scene.add(block.at([0.0, 0.07, 0.0]).velocity([0.5, -1.0, 0.0]));
    let other = Solid::cuboid([0.2, 0.1, 0.2], [cells, 1, cells]).expect("valid");
    let other = other.turned([0.0, 1.0, 0.0], 0.3).at([0.05, 0.19, 0.0]);
    let other = scene.add(other.velocity([0.0, -2.0, 0.3]));
    scene.contact(other, block).roles = Roles::Both;
    scene.add(Obstacle::new(Shape::Sphere { radius: 0.1 }).at([0.6, 0.1, 0.0]));
    let sheet = Cloth::sheet([0.3, 0.3], [2 * cells, 2 * cells]).expect("valid");
    let sheet = sheet.turned([1.0, 0.0, 0.0], -1.57).at([0.6, 0.21, 0.0]);
    scene.add(sheet.velocity([0.3, -1.0, 0.0]));
    scene
}

fn bits(simulation: &Simulation) -> Vec<u64> {
    let State { steps, trajectory, memory } = simulation.state();
    let before = trajectory.before.iter().flat_map(|b| [&b.q, &b.v]).flatten();
    let values = trajectory.q.iter().chain(&trajectory.v).chain(before).chain(&memory);
    let values = values.map(|value| value.to_bits());
    [steps, trajectory.time.to_bits()].into_iter().chain(values).collect()
}

fn quick(integrator: Integrator, law: Law) -> Settings {
    let mut settings = settings(integrator, 0.005, law);
    settings.smooth().solver.tolerance = 1e-6;
    settings
}

#[test]
fn a_run_restored_in_the_middle_of_a_slide_goes_on_with_the_same_bits() {
    let scene = pile(2);
    let smoothed = Law::Smoothed { profile: Default::default(), epsilon: 1e-2 };
    for (k, (integrator, _)) in INTEGRATORS.into_iter().enumerate() {
        let law = [Law::default(), smoothed, anchored(1.0)][k % 3];
        let mut settings = quick(integrator, law);
        if k == 5 {
            settings.smooth().solver.contact.coupling = Coupling::Lagged { passes: 2 };
        }
        let start = || Simulation::with_settings(&scene, settings).expect("valid");
        let mut simulation = start();
        let mut saved = vec![(simulation.state(), bits(&simulation))];
        let (mut sliding, mut sticking) = (0, 0);
        for _ in 0..STEPS {
            let report = simulation.step();
            assert!(report.converged(), "{integrator}: {report:?}");
            sliding = sliding.max(report.contact.sliding);
            sticking = sticking.max(report.contact.touching - report.contact.sliding);
            saved.push((simulation.state(), bits(&simulation)));
        }
        assert!(sliding >= 3, "{integrator}: {sliding} contacts slide, {sticking} stick");
        for from in [3, 11] {
            let mut restored = start();
            restored.restore(&saved[from].0).expect("the same scene");
            assert!(bits(&restored) == saved[from].1, "{integrator}: not restored at {from}");
            for (n, (_, expected)) in saved.iter().enumerate().skip(from + 1) {
                restored.step();
                let same = bits(&restored) == *expected;
                assert!(same, "{integrator}, saved at {from}: differs at {n}");
            }
        }
        // Back in time, in the run that went on.
        simulation.restore(&saved[7].0).expect("the same scene");
        simulation.step();
        assert!(bits(&simulation) == saved[8].1, "{integrator}, back to 7");
    }
}

#[test]
fn contacts_are_the_same_bits_on_any_number_of_threads() {
    let scene = pile(4);
    let run = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let settings = quick(Integrator::Bdf2, Law::default());
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            for _ in 0..24 {
                let report = simulation.step();
                assert!(report.converged(), "{report:?}");
            }
            let energy = simulation.energies().total().to_bits();
            (bits(&simulation), energy, simulation.contacts().len())
        })
    };
    let alone = run(1);
    assert!(alone.2 > 20, "{} contacts", alone.2);
    for threads in [2, 5] {
        assert!(run(threads) == alone, "{threads} threads differ");
    }
}

/// A state may change hands in the middle: saved on one thread, gone on with on four.
#[test]
fn a_slide_saved_on_one_thread_goes_on_with_the_same_bits_on_four() {
    let scene = pile(3);
    let settings = quick(Integrator::Bdf2, Law::default());
    let on = |threads: usize, from: Option<&State>, steps: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut simulation = Simulation::with_settings(&scene, settings).expect("valid");
            if let Some(state) = from {
                simulation.restore(state).expect("the same scene");
            }
            for _ in 0..steps {
                let _ = simulation.step();
            }
            (simulation.state(), bits(&simulation))
        })
    };
    let (_, whole) = on(1, None, STEPS);
    let (half, _) = on(1, None, STEPS / 2);
    let (_, rest) = on(4, Some(&half), STEPS - STEPS / 2);
    assert!(rest == whole, "differs");
}

/// `docs/theory/smooth-friction.md`, "Memory": what a contact remembers is a force. Made 5.76 times as stiff, with
/// points moved to where the stiffer layer carries them, nothing slips.
#[test]
fn stiffer_contacts_at_rest_hold_where_they_are() {
    for integrator in SCHEMES {
        let slope = Slope::reference(0.0);
        let (scene, points) = slope.scene();
        let mut simulation =
            Simulation::with_settings(&scene, settings(integrator, 0.01, anchored(100.0)))
                .expect("valid");
        advance(&mut simulation, 300);
        let State { steps, mut trajectory, mut memory } = simulation.state();
        // The stiffness of the only pair comes first; a triangle alone remembers nothing.
        let stiffness = carrying(GRAVITY * slope.angle.cos());
        assert!((memory[0] / stiffness - 1.0).abs() < 1e-12, "{memory:?}");
        memory[0] *= 5.76;
        let lift = 0.5 * THICKNESS * (1.0 - 1.0 / 5.76_f64.sqrt());
        trajectory.q.iter_mut().skip(1).step_by(3).for_each(|y| *y += lift);
        if let Some(before) = &mut trajectory.before {
            before.q.iter_mut().skip(1).step_by(3).for_each(|y| *y += lift);
        }
        simulation.restore(&State { steps, trajectory, memory }).expect("the same scene");
        let start = simulation.positions(points)[0];
        advance(&mut simulation, 200);
        let moved = (simulation.positions(points)[0] - start).norm();
        assert!(moved < 1e-12, "{integrator}: moved by {moved:e} m");
    }
}
